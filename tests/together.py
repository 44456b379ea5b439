"""Train a small Transformer and write its losses: python -m tests.together FILE. Alone, or one of several processes."""

import json
import sys

import torch

from course_lib.corpora.batches import Batches
from course_lib.subwords import Vocabulary
from course_lib.training import processes
from course_lib.training.device import device
from course_lib.training.trainer import Trainer
from course_lib.transformer import Config, Transformer

VOCABULARY = Vocabulary("abcdefg")
PAIRS = [([4 + n % 7] * (1 + n % 5), [10 - n % 6] * (1 + n % 4)) for n in range(40)]


def main(path: str) -> None:
    torch.manual_seed(0)
    model = Transformer(Config(len(VOCABULARY), d_model=16, d_ff=32, heads=2, layers=1, dropout=0.3)).to(device())
    held_out = list(Batches(PAIRS[:9], 12, VOCABULARY).epoch(0))
    batches = Batches(PAIRS, 24, VOCABULARY)
    trainer = Trainer(model, batches, held_out=held_out, accumulate=3, smoothing=0.1, evaluate_every=4)
    trainer.train(12, path=f"{path}.resume", progress=False)
    if processes.is_main():
        with open(path, "w") as file:
            json.dump({"losses": trainer.losses, "held_out": trainer.held_out_losses}, file)


if __name__ == "__main__":
    main(sys.argv[1])
