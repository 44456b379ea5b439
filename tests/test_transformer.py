"""The Transformer: Marian's logits with Marian's weights, its searches, dtypes, tying, and what positions are for."""

import pytest
import torch
from torch import nn

from course_lib.attention.scaled_dot_product import by_equations
from course_lib.search.beam import beam
from course_lib.search.greedy import greedy
from course_lib.search.hypothesis import power
from course_lib.transformer import Config, Transformer, sinusoidal
from tests.benchmarks.widened import widened
from tests.from_torch import drawn_anew
from tests.marian import WORDS, TinyMarian, our_names
from tests.protocol import drawn, walk

SMALL = {"vocabulary_size": 9, "d_model": 8, "d_ff": 12, "heads": 2, "layers": 2}


def model(**options):
    torch.manual_seed(0)
    return Transformer(Config(**SMALL | options)).eval()


@torch.no_grad()
def from_marian(theirs: TinyMarian, **options) -> Transformer:
    """Our model with the weights and ids of a tiny Marian."""
    ours = model(vocabulary_size=WORDS, d_ff=16, bias=True, positions="learned", max_length=32, **options)
    ours.pad_id, ours.bos_id, ours.eos_id = theirs.pad_id, theirs.bos_id, theirs.eos_id
    named = our_names(theirs.marian)
    own = dict(ours.named_parameters())
    assert own.keys() == named.keys()
    for parameter, tensor in ((own[name], tensor) for name, tensor in named.items()):
        parameter.copy_(tensor)
    return ours


def marian_of_two_and_three_layers(**options) -> TinyMarian:
    """Every bias and norm of its layers is drawn at random: none is 0 or 1."""
    layers = {"encoder_layers": 2, "decoder_layers": 3}
    theirs = TinyMarian(1, activation_function="relu", **layers, **options)
    with torch.random.fork_rng():
        torch.manual_seed(2)
        drawn_anew(theirs.marian.model.encoder.layers)
        drawn_anew(theirs.marian.model.decoder.layers)
    return theirs


@pytest.fixture(scope="module", params=[False, True], ids=["unscaled", "scaled"])
def marian(request):
    theirs = marian_of_two_and_three_layers(scale_embedding=request.param)
    ours = from_marian(theirs, decoder_layers=3)
    if not request.param:
        for embedding in (ours.source_embedding, ours.target_embedding):
            embedding.scale = 1.0
    return theirs, ours


@pytest.mark.parametrize("fused", [False, True])
def test_marians_weights_give_marians_logits(marian, fused):
    theirs, ours = marian
    source, mask = theirs.sources(5, seed=0)
    target_in = torch.cat([torch.full((5, 1), theirs.bos_id), torch.randint(4, WORDS, (5, 6))], dim=1)
    expected = theirs(source, mask, target_in)
    if fused:
        torch.testing.assert_close(ours(source, mask, target_in), expected, rtol=1e-4, atol=1e-4)
    else:
        with by_equations(ours):
            torch.testing.assert_close(ours(source, mask, target_in), expected, rtol=1e-4, atol=1e-4)


def test_beam_search_with_the_cache_finds_what_it_finds_in_marian_without_one(marian):
    theirs, ours = marian
    source, mask = theirs.sources(6, seed=3)
    options = {"max_length": 9, "beam_size": 3, "n_best": 3, "normalise": power(1.0)}
    found, expected = (beam(each, source, mask, **options) for each in (ours, theirs))
    assert [[y.words for y in outputs] for outputs in found] == [[y.words for y in outputs] for outputs in expected]
    scores = [[[y.log_probability for y in outputs] for outputs in each] for each in (found, expected)]
    assert sum(scores[0], []) == pytest.approx(sum(scores[1], []), abs=1e-3)
    assert greedy(ours, source, mask, 9) == greedy(theirs, source, mask, 9)


def test_our_positions_are_marians_in_another_order():
    """It has all sines first, then all cosines."""
    theirs = TinyMarian(0).marian.model.encoder.embed_positions.weight
    ours = sinusoidal(*theirs.shape)
    torch.testing.assert_close(torch.cat([ours[:, 0::2], ours[:, 1::2]], dim=1), theirs.detach())


def test_attention_is_the_mean_of_the_last_layers_heads_and_the_fused_form_has_none():
    translator = model()
    source, mask, target_in = drawn(translator)
    assert all(step.attention is None for step in walk(translator, source, mask, target_in))
    expected = translator(source, mask, target_in)
    with by_equations(translator):
        steps = walk(translator, source, mask, target_in)
        torch.testing.assert_close(translator(source, mask, target_in), expected)
        *_, α = translator.read(target_in, translator.start(translator.encode(source, mask)))
    assert α.shape == (len(source), 2, target_in.shape[1], source.shape[1])
    torch.testing.assert_close(torch.stack([step.attention for step in steps], 1), α.mean(1))


def test_positions_that_a_search_has_added_do_not_keep_a_model_from_learning():
    translator = model(dropout=0.0).train()
    source, mask, _ = drawn(translator)
    translator.readout.b.data[translator.eos_id] = -30  # its outputs grow beyond the table of 64 positions
    beam(translator, source, mask, 70, 2)
    target_in = torch.randint(4, 9, (len(source), 70))
    translator(source, mask, target_in).sum().backward()
    assert all(θ.grad is not None for θ in translator.parameters())


def test_the_wider_model_of_the_benchmarks_says_the_same():
    small = drawn_anew(model())
    source, mask, target_in = drawn(small)
    expected = small(source, mask, target_in)
    found = widened(small, 2, 3, 12)(source, mask, target_in)
    torch.testing.assert_close(found[..., :9], expected, rtol=1e-4, atol=1e-4)
    assert (found[..., 9:] < -20).all()


def test_hypotheses_of_a_beam_share_their_sentences_memory():
    translator = model()
    source, mask, _ = drawn(translator)
    memory = translator.encode(source, mask)
    state = translator.start(memory).select(torch.arange(4).repeat_interleave(3))
    state = translator.step(torch.full((12,), 5), state).state
    assert state.select(torch.tensor([2, 2, 0, 5, 4, 3, 6, 8, 7, 10, 9, 9])).memory is memory
    assert len(state.select(torch.tensor([2, 2, 0, 10, 9, 9])).memory.mask) == 2  # two sentences have ended
    assert len(state.select(torch.tensor([2, 10, 9, 9])).memory.mask) == 4  # unlike numbers: a copy for each row


def test_without_positions_the_order_of_the_source_is_lost():
    for positions in ("none", "sinusoidal", "learned"):
        translator = model(positions=positions)
        source, mask, target_in = drawn(translator, (6,))
        order = torch.tensor([3, 1, 5, 0, 2, 4, 6])
        one, other = translator(source, mask, target_in), translator(source[:, order], mask, target_in)
        assert torch.allclose(one, other, atol=1e-5) == (positions == "none")


def test_one_matrix_embeds_and_reads_off_or_three_do():
    tied, untied = model(), model(tied=False)
    assert tied.readout.U is tied.source_embedding.words.weight is tied.target_embedding.words.weight
    count = [sum(p.numel() for p in each.parameters()) for each in (tied, untied)]
    assert count[1] - count[0] == 2 * 9 * 8
    torch.manual_seed(0)
    wide = Transformer(Config(vocabulary_size=200, d_model=64, d_ff=64, heads=2, layers=1, dropout=0.0))
    x = wide.source_embedding(torch.arange(200)[None]) - wide.source_embedding.positions(0, 200)
    assert x.std().item() == pytest.approx(1, abs=0.05)
    source, mask, target_in = drawn(wide)
    assert wide(source, mask, target_in).std() < 2  # the first guesses are nearly equal


def test_the_papers_base_model_has_its_number_of_parameters():
    """65 · 10⁶ (table 3), of which the matrix of 37,000 words holds 18.9 (section 5.1 gives "about 37000")."""
    with torch.device("meta"):
        base = Transformer(Config(vocabulary_size=37000))
    assert sum(p.numel() for p in base.parameters()) == pytest.approx(65e6, rel=0.035)


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_single_and_half_precision_give_what_double_precision_gives(fused, norm):
    translator = model(fused=fused, norm=norm).double()
    inputs = drawn(translator)
    expected = translator(*inputs)
    assert expected.dtype == torch.float64
    torch.testing.assert_close(translator.float()(*inputs).double(), expected, rtol=1e-4, atol=1e-5)
    with torch.autocast("cpu", torch.bfloat16):
        half = translator(*inputs)
    assert half.dtype == torch.bfloat16
    torch.testing.assert_close(half.double(), expected, rtol=0.1, atol=0.1)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="asks for CUDA")
def test_on_cuda_it_gives_what_it_gives_on_a_cpu_in_single_precision_and_in_bfloat16():
    translator = model()
    inputs = drawn(translator)
    expected = translator(*inputs)
    translator, inputs = translator.cuda(), tuple(each.cuda() for each in inputs)
    torch.testing.assert_close(translator(*inputs).cpu(), expected, rtol=1e-3, atol=1e-3)
    with torch.autocast("cuda", torch.bfloat16):
        torch.testing.assert_close(translator(*inputs).float().cpu(), expected, rtol=0.1, atol=0.1)
    assert greedy(translator, *inputs[:2], 8) == greedy(model(), *(each.cpu() for each in inputs[:2]), 8)


def test_dropout_is_in_train_and_not_in_eval():
    translator = model(dropout=0.5)
    inputs = drawn(translator)
    assert torch.equal(translator(*inputs), translator(*inputs))
    translator.train()
    assert not torch.equal(translator(*inputs), translator(*inputs))
    dropped = [each for each in translator.modules() if isinstance(each, nn.Dropout)]
    assert len(dropped) == 2 + 2 * 2 + 2 * 3  # both embeddings, each sublayer (section 5.4)
