"""The experiments of the course, as data: recipes that differ from one another in one thing, and what each is to show.

Every row of an experiment is trained with the seeds of `queue.SEEDS`, and all of these runs are recorded. The claims,
and the rule that decides them (`evidence.py`), were written down before the runs.
"""

from dataclasses import dataclass, replace

from course_lib.checkpoints.deep import DEEP
from course_lib.checkpoints.mixtures import MIXTURES
from course_lib.checkpoints.recipe import RefinedRecipe, RNNRecipe, TransformerRecipe
from course_lib.checkpoints.vectors import VECTORS

rnn = RNNRecipe(
    rates="full", embedding=64, hidden=128, merges=1000, sentences=60_000, steps=3600, hold=2000, joined=0.0
)
plain = replace(rnn, attention="none")
RNN = {
    "luong": rnn,
    "luong_additive": replace(rnn, attention="luong_additive"),
    "bahdanau": replace(rnn, attention="bahdanau"),
    "none": plain,
    "luong_joined": replace(rnn, joined=0.15),
    "none_joined": replace(plain, joined=0.15),
    "forward": replace(plain, encoder="forward"),
    "reversed": replace(plain, encoder="reversed"),
    "forward_wide": replace(plain, encoder="forward", embedding=128, hidden=256),
    "reversed_wide": replace(plain, encoder="reversed", embedding=128, hidden=256),
    "forward_basic": replace(plain, encoder="forward", unit="basic", embedding=128, hidden=256),
    "reversed_basic": replace(plain, encoder="reversed", unit="basic", embedding=128, hidden=256),
    "words": replace(rnn, pieces="words", merges=2000),
    "characters": replace(rnn, pieces="characters"),
    **{f"bpe_{merges}": replace(rnn, merges=merges) for merges in (200, 500, 2000, 4000)},
}
transformer = TransformerRecipe(
    rates="full", d_model=64, layers=2, merges=1000, sentences=60_000, steps=3600, hold=3600, warmup=300,
    learning_rate=4e-3,
)  # fmt: skip
CHANGES: dict[str, dict] = {  # what one row of the ablation table changes in its base
    "base": {},
    **{f"heads_{n}": {"heads": n} for n in (1, 2, 8, 16)},
    **{f"d_k_{n}": {"d_k": n} for n in (2, 4)},
    **{f"layers_{n}": {"layers": n} for n in (1, 4)},
    **{f"d_model_{n}": {"d_model": n, "d_ff": 4 * n} for n in (32, 128)},
    "d_ff_64": {"d_ff": 64},
    **{f"dropout_{n}": {"dropout": n / 10} for n in (0, 3)},
    **{f"smoothing_{n}": {"smoothing": n / 10} for n in (0, 2)},
    **{f"positions_{kind}": {"positions": kind} for kind in ("learned", "none")},
    "norm_pre": {"norm": "pre"},
    "warmup_0": {"warmup": 0},
}
LONG = (  # the rows that a longer training repeats, with several seeds: those of which a claim speaks
    *("base", "heads_1", "heads_16", "d_k_2", "layers_1", "d_model_128"),
    *("smoothing_0", "positions_none", "warmup_0"),
)
refined = RefinedRecipe(
    rates="full", sentences=20_000, max_tokens=400, steps=300, hold=300, learning_rate=1e-4, samples=8
)
plain_reinforce = replace(refined, kind="reinforce", baseline="none")
REFINED = {
    "risk": refined,
    "reinforce": replace(refined, kind="reinforce"),
    "no_baseline": plain_reinforce,
    "constant": replace(plain_reinforce, reward="constant"),
    "cross_entropy": replace(refined, kind="cross_entropy"),
}
EXPERIMENTS = {
    **{f"rnn.{name}": recipe for name, recipe in RNN.items()},
    **{f"transformer.{name}": replace(transformer, **CHANGES[name]) for name in LONG},
    **DEEP,
    **MIXTURES,
    **VECTORS,
    **{f"refined.{name}": recipe for name, recipe in REFINED.items()},
}


@dataclass(frozen=True)
class Claim:
    """`text`: the runs of `better` have a better `measure` (`evidence.MEASURES`) than those of `worse`."""

    text: str
    better: str
    worse: str
    measure: str


CLAIMS = (
    Claim("a reversed source helps without attention (Sutskever et al. 2014)", "rnn.reversed", "rnn.forward", "bleu"),
    Claim("… and a wider one", "rnn.reversed_wide", "rnn.forward_wide", "bleu"),
    Claim("a reversed source helps a network without gates", "rnn.reversed_basic", "rnn.forward_basic", "bleu"),
    Claim("… and lowers its perplexity", "rnn.reversed_basic", "rnn.forward_basic", "perplexity"),
    Claim(
        "active and passive are near in a vector (Sutskever et al. 2014) if the target has one form for both",
        "vectors.one_form", "vectors.as_said", "same nearer, voice",
    ),
    Claim(
        "… and so are two orders of the clauses", "vectors.one_form", "vectors.as_said", "same nearer, order",
    ),
    Claim("attention helps (Bahdanau et al. 2015)", "rnn.luong", "rnn.none", "bleu"),
    Claim(  # before the runs it said "most where", which these two rows cannot show
        "… also where sentences are longer than any before", "rnn.luong_joined", "rnn.none_joined", "bleu on long"
    ),
    Claim("BLEU falls less with length where there is attention", "rnn.luong", "rnn.none", "kept with length"),
    Claim("the additive score aligns as well as the dot product", "rnn.bahdanau", "rnn.luong", "aer"),
    Claim("… in the same decoder", "rnn.luong_additive", "rnn.luong", "aer"),
    Claim("it aligns better in Luong's decoder than in Bahdanau's", "rnn.luong_additive", "rnn.bahdanau", "aer"),
    Claim("subwords beat words with <unk> (Sennrich et al. 2016)", "rnn.luong", "rnn.words", "bleu"),
    Claim("subwords beat characters in as many steps", "rnn.luong", "rnn.characters", "bleu"),
    Claim("a beam finds more probable outputs than greedy search", "rnn.luong: beam 5", "rnn.luong: beam 1", "log p"),
    Claim("the mean of the last states helps", "transformer.base", "transformer.base: last", "bleu"),
    Claim("without positions order is lost", "transformer.base", "transformer.positions_none", "bleu"),
    Claim(
        "it translates real captions better than an LSTM with attention that is trained as long (Vaswani et al. 2017)",
        "multi30k_brief", "multi30k_recurrent", "bleu on captions",
    ),
    Claim("without warm-up training fails", "transformer.base", "transformer.warmup_0", "bleu"),
    Claim("label smoothing costs perplexity", "transformer.smoothing_0", "transformer.base", "perplexity"),
    Claim("… and gains BLEU", "transformer.base", "transformer.smoothing_0", "bleu"),
    Claim("one head is worse than four", "transformer.base", "transformer.heads_1", "bleu"),
    Claim("too many heads are worse than four", "transformer.base", "transformer.heads_16", "bleu"),
    Claim("narrow keys are worse", "transformer.base", "transformer.d_k_2", "bleu"),
    Claim("more layers are better", "transformer.base", "transformer.layers_1", "bleu"),
    Claim("wider layers are better", "transformer.d_model_128", "transformer.base", "bleu"),
    Claim("a shallow encoder is better with post-norm (Wang et al. 2019)", "deep.post_2", "deep.pre_2", "bleu"),
    Claim("… with six layers, as in the paper", "deep.post_6", "deep.pre_6", "bleu"),
    Claim("a deep one is better with pre-norm", "deep.pre_20", "deep.post_20", "bleu"),
    Claim("with pre-norm 20 layers are better than 2", "deep.pre_20", "deep.pre_2", "bleu"),
    Claim("a combination of all layers helps a deep encoder", "deep.dlcl_20", "deep.pre_20", "bleu"),
    Claim("… and with post-norm, too", "deep.dlcl_post_20", "deep.post_20", "bleu"),
    Claim("a warm-up helps 20 layers with post-norm", "deep.warm_post_20", "deep.post_20", "bleu"),
    Claim("… and with pre-norm", "deep.warm_pre_20", "deep.pre_20", "bleu"),
    Claim("with a warm-up six layers are better with post-norm", "deep.warm_post_6", "deep.warm_pre_6", "bleu"),
    Claim("… and 20 with pre-norm", "deep.warm_pre_20", "deep.warm_post_20", "bleu"),
    Claim("… and 20 pre-norm layers are better than six", "deep.warm_pre_20", "deep.warm_pre_6", "bleu"),
    Claim("with a combination 30 layers are better than 20", "deep.dlcl_30", "deep.dlcl_20", "bleu"),
    Claim("residual connections help 8 recurrent layers (Wu et al. 2016)", "gnmt.residual_8", "gnmt.plain_8", "bleu"),
    Claim("without them 8 layers are worse than 2", "gnmt.plain_2", "gnmt.plain_8", "bleu"),
    Claim("a wider feed-forward network raises BLEU", "mixture.wide", "deep.pre_2", "bleu"),
    Claim("experts raise BLEU at equal operations (Shazeer et al. 2017)", "mixture.experts", "deep.pre_2", "bleu"),
    Claim("a network with as many parameters is better than experts", "mixture.wide", "mixture.experts", "bleu"),
    Claim("the balance loss spreads the words", "mixture.experts", "mixture.unbalanced", "busiest expert"),
    Claim("… and raises BLEU", "mixture.experts", "mixture.unbalanced", "bleu"),
    Claim("minimum risk raises BLEU (Shen et al. 2016)", "refined.risk", "refined.risk: before", "bleu"),
    Claim("… more than as many steps of cross-entropy", "refined.risk", "refined.cross_entropy", "bleu"),
    Claim("… and adequacy", "refined.risk", "refined.risk: before", "adequacy"),
    Claim("REINFORCE raises BLEU (Ranzato et al. 2016)", "refined.reinforce", "refined.reinforce: before", "bleu"),
    Claim("… and adequacy", "refined.reinforce", "refined.reinforce: before", "adequacy"),
    Claim("a baseline helps REINFORCE", "refined.reinforce", "refined.no_baseline", "bleu"),
    Claim("BLEU is a better reward than a constant", "refined.no_baseline", "refined.constant", "bleu"),
)  # fmt: skip
