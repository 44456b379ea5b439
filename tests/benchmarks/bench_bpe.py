"""Byte pair encoding of a file: learning and encoding, against subword-nmt, Hugging Face tokenizers and SentencePiece.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.bench_bpe FILE [--merges 8000] [--rounds 3] [--json PATH]

FILE is plain UTF-8 text, one sentence a line (whitespace is normalised first, so that everyone sees the same words).
All cases run round-robin in one process; each figure is the best round's, with CPU seconds beside wall seconds: where
wall is longer, other processes had the core. Ends with an error unless our merges, with the same tie rule, and our
segmentation of the whole file are exactly subword-nmt's. The others count and normalise in their own ways: they learn
as many pieces, not the same ones.
"""

import argparse
import contextlib
import datetime
import io
import json
import os
import platform
import sys
import time
from pathlib import Path

import sentencepiece
import tokenizers
from subword_nmt import apply_bpe, learn_bpe

from course_lib.files import write_atomically
from course_lib.subwords import BPE, SentencePiece, word_counts

OURS, PEER = "this course", "subword-nmt"


def learn_ours(sentences: list[str], merges: int) -> BPE:
    return BPE.learn(sentences, merges, min_count=2)


def learn_ours_first(sentences: list[str], merges: int) -> BPE:
    return BPE.learn(sentences, merges, min_count=2, tie="first")


def learn_peer(sentences: list[str], merges: int) -> io.StringIO:
    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):
        learn_bpe.learn_bpe(io.StringIO("\n".join(sentences)), codes, merges)
    return codes


def learn_hugging_face(sentences: list[str], merges: int) -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(end_of_word_suffix="</w>", unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    characters = 2 * len(set("".join(sentences)))  # each within a word and at its end, at most
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=merges + characters, min_frequency=2, end_of_word_suffix="</w>", show_progress=False
    )
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer


def learn_sentencepiece(sentences: list[str], merges: int) -> SentencePiece:
    characters = len(set("".join(sentences)))
    return SentencePiece.train(sentences, merges + characters + 1, "bpe")


def encode_ours(bpe: BPE, sentences: list[str]) -> list[list[str]]:
    return [bpe.encode(sentence) for sentence in sentences]


def encode_peer(bpe: apply_bpe.BPE, sentences: list[str]) -> list[str]:
    return [bpe.segment(sentence) for sentence in sentences]


def timed(function, *arguments) -> tuple[float, float, object]:
    """Wall seconds, CPU seconds, result."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = function(*arguments)
    return time.perf_counter() - wall, time.process_time() - cpu, result


def one_round(sentences: list[str], merges: int) -> dict[tuple[str, str], tuple[float, float, object]]:
    """(task, who) → wall, CPU, result, each case once."""
    done = {}
    learners = {
        OURS: learn_ours,
        f'{OURS}, tie="first"': learn_ours_first,
        PEER: learn_peer,
        "Hugging Face tokenizers": learn_hugging_face,
        "SentencePiece": learn_sentencepiece,
    }
    for who, learn in learners.items():
        done["learn", who] = timed(learn, sentences, merges)
    ours, codes = done["learn", OURS][2], done["learn", PEER][2]
    codes.seek(0)
    peer = apply_bpe.BPE(codes)
    hugging_face, piece = done["learn", "Hugging Face tokenizers"][2], done["learn", "SentencePiece"][2]
    for task in ("encode, first pass", "encode, cached"):
        done[task, OURS] = timed(encode_ours, ours, sentences)
        done[task, PEER] = timed(encode_peer, peer, sentences)
        done[task, "Hugging Face tokenizers"] = timed(lambda: [hugging_face.encode(s).tokens for s in sentences])
        done[task, "SentencePiece"] = timed(lambda: [piece.encode(s) for s in sentences])
    return done


def check_same(done: dict) -> None:
    """Merges and segmentation must be subword-nmt's."""
    ours = [f"{a} {b}" for a, b in done["learn", OURS][2].merges]
    if ours != done["learn", PEER][2].getvalue().rstrip("\n").split("\n")[1:]:
        raise SystemExit("the merges differ from subword-nmt's")
    for pieces, line in zip(done["encode, cached", OURS][2], done["encode, cached", PEER][2], strict=True):
        if " ".join(p.removesuffix("</w>") if p.endswith("</w>") else p + "@@" for p in pieces) != line:
            raise SystemExit(f"the segmentation differs from subword-nmt's: {pieces} {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--merges", type=int, default=8000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()

    lines = arguments.file.read_text(encoding="utf-8").split("\n")
    sentences = [sentence for line in lines if (sentence := " ".join(line.split()))]
    counts = word_counts(sentences)
    corpus = {"file": arguments.file.name, "bytes": arguments.file.stat().st_size, "sentences": len(sentences)}
    corpus |= {"words": sum(counts.values()), "different words": len(counts), "merges": arguments.merges}
    print(", ".join(f"{name}: {value}" for name, value in corpus.items()))

    best: dict[tuple[str, str], tuple[float, float]] = {}
    for _ in range(arguments.rounds):
        done = one_round(sentences, arguments.merges)
        check_same(done)
        for case, (wall, cpu, _) in done.items():
            best[case] = min(best.get(case, (wall, cpu)), (wall, cpu), key=lambda seconds: seconds[1])
    rows = []
    for (task, who), (wall, cpu) in best.items():
        rows.append({"task": task, "who": who, "wall": wall, "cpu": cpu, "ratio": best[task, PEER][1] / cpu})
        speed = "" if task == "learn" else f"{corpus['words'] / cpu / 1e6:7.2f} M words/s"
        print(f"{task:20}{who:28}{wall:8.3f} s wall{cpu:8.3f} s CPU{rows[-1]['ratio']:8.1f} × {PEER}{speed}")
    print("the same merges and the same segmentation as subword-nmt")
    device = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    peers = f"tokenizers {tokenizers.__version__}, sentencepiece {sentencepiece.__version__}"
    command = "python -m tests.benchmarks.bench_bpe " + " ".join(sys.argv[1:])
    about = {"command": command, "device": device, "peers": peers, "date": datetime.date.today().isoformat()}
    print(about)
    if arguments.json:
        with write_atomically(arguments.json) as file:
            json.dump(about | {"corpus": corpus, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
