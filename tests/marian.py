"""A tiny Marian of Hugging Face with random weights, in our protocol, and its own beam search beside it."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from transformers import MarianConfig, MarianMTModel

from course_lib.seq2seq.protocol import Step

WORDS = 10  # of the vocabulary


@dataclass(frozen=True)
class Prefixes:
    """Every row's memory, its mask and its words so far: they are read anew at every step."""

    memory: Tensor
    mask: Tensor
    words: Tensor

    def select(self, rows):
        return Prefixes(self.memory[rows], self.mask[rows], self.words[rows])


class TinyMarian(nn.Module):
    """Hugging Face's model; bos is its decoder start, which is pad. `options` are its configuration's."""

    pad_id, bos_id, eos_id = 0, 0, 3

    def __init__(self, seed: int, **options):
        super().__init__()
        sizes = {f"{side}_{part}": n for side in ("encoder", "decoder")
                 for part, n in (("layers", 1), ("attention_heads", 2), ("ffn_dim", 16))}  # fmt: skip
        ids = {"pad_token_id": 0, "eos_token_id": 3, "decoder_start_token_id": 0, "forced_eos_token_id": None}
        sizes |= {"vocab_size": WORDS, "d_model": 8, "init_std": 1.0, "max_position_embeddings": 32}
        config = MarianConfig(**sizes | ids | {"scale_embedding": False} | options)
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.marian = MarianMTModel(config).eval()
        self.marian.final_logits_bias[0, self.eos_id] = 6.0  # or it would write without end

    def sources(self, n: int, seed: int) -> tuple[Tensor, Tensor]:
        """n sentences of 1 to 6 words, and their mask."""
        generator = torch.Generator().manual_seed(seed)
        lengths = torch.randint(1, 7, (n,), generator=generator)
        source = torch.randint(4, WORDS, (n, 7), generator=generator)
        places = torch.arange(7)
        source = source.where(places != lengths[:, None], 3).where(places <= lengths[:, None], 0)
        return source, source != 0

    def encode(self, source, source_mask):
        return self.marian.get_encoder()(source, attention_mask=source_mask.long()).last_hidden_state, source_mask

    def start(self, memory):
        return Prefixes(*memory, torch.zeros(len(memory[0]), 0, dtype=torch.long))

    def logits(self, memory, mask, words):
        return self.marian(
            encoder_outputs=(memory,), attention_mask=mask.long(), decoder_input_ids=words, use_cache=False
        ).logits

    def step(self, previous, state):
        state = replace(state, words=torch.cat([state.words, previous[:, None]], dim=1))
        return Step(self.logits(state.memory, state.mask, state.words)[:, -1].log_softmax(-1), state)

    def forward(self, source, source_mask, target_in):
        return self.logits(*self.encode(source, source_mask), target_in)

    def generate(self, source, mask, longest, k, early, alpha) -> list[list[tuple[tuple[int, ...], float, bool]]]:
        """For each sentence k outputs of `generate`: words, score, whether it ended."""
        made = self.marian.generate(
            source, attention_mask=mask.long(), num_beams=k, num_return_sequences=k, max_length=longest + 1,
            early_stopping=early, length_penalty=alpha, do_sample=False, return_dict_in_generate=True,
            output_scores=True, pad_token_id=0, eos_token_id=3,
        )  # fmt: skip
        outputs = []
        for row, score in zip(made.sequences[:, 1:].tolist(), made.sequences_scores.tolist(), strict=True):
            ended = 3 in row
            outputs.append((tuple(row[: row.index(3)] if ended else row), score, ended))
        return [outputs[i : i + k] for i in range(0, len(outputs), k)]


def our_names(theirs: MarianMTModel) -> dict[str, Tensor]:
    """The tensors of Hugging Face's model by the names that they have in our Transformer (tied, positions learned)."""
    parts = {"self_attn": "self_attention", "encoder_attn": "cross_attention", "fc1": "feed_forward.W_1"}
    parts |= {"fc2": "feed_forward.W_2", "q_proj": "W_Q", "k_proj": "W_K", "v_proj": "W_V", "out_proj": "W_O"}
    parts |= {"final_layer_norm": "around_feed_forward.norm"}
    parts |= {"self_attn_layer_norm": "around_self.norm", "encoder_attn_layer_norm": "around_cross.norm"}
    named = {"readout.b": theirs.final_logits_bias[0], "source_embedding.words.weight": theirs.model.shared.weight}
    for name, tensor in theirs.model.state_dict().items():
        side, _, rest = name.partition(".")
        if ".layers." in name:
            names = ".".join(parts.get(part, part) for part in name.split("."))
            if "norm" in names:
                names = names.removesuffix("weight").removesuffix("bias") + ("gamma" if "weight" in rest else "beta")
            named[names] = tensor
        elif rest == "embed_positions.weight":
            named[f"{'source' if side == 'encoder' else 'target'}_embedding.positions.weight"] = tensor
    return named
