"""The Transformers of others with the weights of ours: Hugging Face's Marian, CTranslate2's, torch's own."""

import copy
import importlib
import os

import torch
from torch import Tensor, nn
from transformers import MarianConfig, MarianMTModel

from course_lib.attention import causal
from course_lib.subwords.vocabulary import Vocabulary
from course_lib.transformer import Transformer
from tests.from_torch import copy_decoder_layer, copy_encoder_layer
from tests.marian import our_names


@torch.no_grad()
def marian(ours: Transformer, longest: int = 512) -> MarianMTModel:
    """Hugging Face's model with copies of our weights; `generate` starts from our bos."""
    ours_is, sizes = ours.config, {}
    for side, layers in (("encoder", ours_is.layers), ("decoder", ours_is.decoder_layers or ours_is.layers)):
        sizes |= {f"{side}_layers": layers, f"{side}_attention_heads": ours_is.heads, f"{side}_ffn_dim": ours_is.d_ff}
    config = MarianConfig(
        vocab_size=ours_is.vocabulary_size, d_model=ours_is.d_model, dropout=ours_is.dropout, **sizes,
        attention_dropout=0.0, activation_dropout=0.0, activation_function="relu", scale_embedding=True,
        max_position_embeddings=longest, pad_token_id=ours.pad_id, bos_token_id=ours.bos_id, eos_token_id=ours.eos_id,
        decoder_start_token_id=ours.bos_id, forced_eos_token_id=None,
    )  # fmt: skip
    theirs, own = MarianMTModel(config).eval(), dict(ours.named_parameters())
    for name, tensor in our_names(theirs).items():
        if "positions" in name:
            tensor.copy_(ours.target_embedding.positions(0, longest))
        else:
            tensor.copy_(own[name])
    return theirs


def ctranslate2(theirs: MarianMTModel, vocabulary: Vocabulary, folder: str | os.PathLike, threads: int):
    """A CTranslate2 translator in float32 of (a copy of) Hugging Face's model, which its converter would change."""
    package = importlib.import_module("ctranslate2")
    loaders = importlib.import_module("ctranslate2.converters.transformers")
    theirs = copy.deepcopy(theirs)
    theirs.config.normalize_before = theirs.config.normalize_embedding = False
    spec = loaders.BartLoader().get_model_spec(theirs)
    names = tokens(vocabulary, theirs.config.vocab_size)
    spec.register_source_vocabulary(names)
    spec.register_target_vocabulary(names)
    spec.config.unk_token, spec.config.eos_token = names[vocabulary.unk_id], names[vocabulary.eos_id]
    spec.config.bos_token = spec.config.decoder_start_token = names[vocabulary.bos_id]
    spec.validate()
    spec.optimize(quantization="float32")
    spec.save(str(folder))
    return package.Translator(str(folder), compute_type="float32", inter_threads=1, intra_threads=threads)


def tokens(vocabulary: Vocabulary, size: int) -> list[str]:
    """A name for each of `size` ids: the pieces, and made-up ones behind them."""
    return vocabulary.id_to_piece + [f"<{k}>" for k in range(len(vocabulary), size)]


class TeacherForced(nn.Module):
    """Hugging Face's model with the arguments of ours."""

    def __init__(self, theirs: MarianMTModel):
        super().__init__()
        self.theirs = theirs

    def forward(self, source: Tensor, source_mask: Tensor, target_in: Tensor) -> Tensor:
        options = {"attention_mask": source_mask.long(), "decoder_input_ids": target_in, "use_cache": False}
        return self.theirs(input_ids=source, **options).logits


class TorchTransformer(nn.Module):
    """nn.Transformer between embeddings and output that are copies of ours; its layers' weights go into ours."""

    def __init__(self, ours: Transformer):
        super().__init__()
        c, copied = ours.config, copy.deepcopy(ours)
        self.embeddings = nn.ModuleList([copied.source_embedding, copied.target_embedding])
        self.readout = copied.readout
        layers = (c.layers, c.layers if c.decoder_layers is None else c.decoder_layers)
        self.layers = nn.Transformer(c.d_model, c.heads, *layers, c.d_ff, c.dropout, batch_first=True)
        self.layers.encoder.norm = self.layers.decoder.norm = None  # the paper has none behind the last layer
        for copy_layer, side in ((copy_encoder_layer, "encoder"), (copy_decoder_layer, "decoder")):
            for mine, theirs in zip(getattr(ours, side).layers, getattr(self.layers, side).layers, strict=True):
                copy_layer(mine, theirs)

    def without_inner_dropout(self) -> "TorchTransformer":
        """A copy that drops where ours does: neither attention weights nor the inner layer."""
        copied = copy.deepcopy(self)
        for module in copied.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0
            elif isinstance(module, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
                module.dropout.p = 0.0
        return copied

    def forward(self, source: Tensor, source_mask: Tensor, target_in: Tensor) -> Tensor:
        x, y = (embed(words) for embed, words in zip(self.embeddings, (source, target_in), strict=True))
        later = ~causal(target_in.shape[1], device=source.device)  # torch's masks are True where a word is hidden
        padded = {"src_key_padding_mask": ~source_mask, "memory_key_padding_mask": ~source_mask}
        return self.readout(self.layers(x, y, tgt_mask=later, tgt_is_causal=True, **padded))
