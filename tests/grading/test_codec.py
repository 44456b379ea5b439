"""Values cross the boundary unchanged, or not at all: nothing but plain data comes out, whatever goes in."""

import copy
import json
import math
from collections import Counter, OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.grading.boundary import codec
from course_lib.grading.boundary.codec import NotData, decode, encode

numbers = st.none() | st.booleans() | st.integers(-(2**900), 2**900) | st.floats()
leaves = numbers | st.text(st.characters(exclude_categories=())) | st.binary()
keys = st.booleans() | st.integers() | st.text() | st.tuples(st.text(), st.integers())
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(keys, inner) | st.sets(st.integers()),
    max_leaves=20,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["float", "bytes", "tensor", "dict", "list", "tuple", "set", "handle", "other"]), inner, max_size=2),
    max_leaves=12,
)  # fmt: skip


def across(value):
    """`value` as it arrives on the other side of the wall: through a line of JSON."""
    return decode(json.loads(json.dumps(encode(value))))


def same(a, b) -> bool:
    """Equal in value and exactly equal in type, all the way down; NaN equals NaN, −0.0 is not 0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return math.isnan(a) and math.isnan(b) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    return a == b


@given(values)
def test_plain_data_comes_back_as_it_was(value):
    assert same(across(value), value) and same(decode(encode(value)), value)


dtypes = pytest.mark.parametrize("name", codec.SIZES)


@dtypes
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (2, 3), (2, 1, 2, 2)], ids=str)
def test_tensors_come_back_to_the_bit(name, shape):
    dtype = getattr(torch, name)
    bits = torch.randint(0, 2, (*shape, codec.SIZES[name]), dtype=torch.uint8) * (1 if name == "bool" else 173)
    tensor = bits.view(dtype).reshape(shape) if bits.numel() else torch.empty(shape, dtype=dtype)
    back = across(tensor)
    assert back.dtype is dtype and back.shape == tensor.shape and back.device.type == "cpu"
    assert back.numpy(force=True).tobytes() == tensor.numpy(force=True).tobytes() if name != "bfloat16" else True
    assert torch.equal(back.nan_to_num(7), tensor.nan_to_num(7))


@pytest.mark.parametrize(
    "view",
    [
        lambda t: t.T,
        lambda t: t[::2, 1:],
        lambda t: t[:1].expand(5, 4),
        lambda t: t[:1, 3],
        lambda t: t[1, 2].expand(1),
        lambda t: t.clone().requires_grad_() * 1,
        lambda t: torch.nn.Parameter(t),
        lambda t: torch.view_as_complex(t.reshape(2, 2, 2)).conj().imag,
    ],
    ids=[
        "transposed",
        "strided",
        "expanded",
        "one of a column",
        "one expanded",
        "with a graph",
        "parameter",
        "negated view",
    ],
)
def test_views_arrive_as_what_they_show(view):
    tensor = view(torch.arange(8.0).reshape(2, 4))
    back = across(tensor)
    assert type(back) is torch.Tensor and not back.requires_grad and back.is_contiguous()
    assert torch.equal(back, tensor.detach().clone())


def test_a_tensor_that_arrives_can_be_detached_in_place():
    arrived = decode(encode(torch.ones(2, 3)))
    assert arrived.detach_() is arrived and arrived.is_leaf


@given(values)
def test_what_is_decoded_shares_nothing_with_what_was_encoded(value):
    held = [copy.deepcopy(value), torch.zeros(2)]
    back = decode(encode(held))
    back[1] += 1
    back[0] = None
    assert same(held[0], value) and held[1].sum() == 0


class Text(str):
    """A string with opinions."""

    def __str__(self):
        return "another text"

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Numbers(list):
    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Counter("aab"), {"a": 2, "b": 1}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        (namedtuple("Pair", "left right")("e", "s"), ("e", "s")),
        (Numbers([1, 2]), [1, 2]),
        (frozenset("ab"), {"a", "b"}),
        (bytearray(b"ab"), b"ab"),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("word"), "word"),
        ({np.int64(1): [np.float64(2)]}, {1: [2.0]}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_relatives_of_plain_types_arrive_as_plain_types(value, plain):
    assert same(across(value), plain)


def test_a_string_that_lies_about_itself_arrives_as_its_letters():
    assert same(across(Text("letters")), "letters")


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i1", "i2", "i4", "i8", "u1", "?"])
def test_arrays_become_tensors(dtype):
    array = np.arange(6).reshape(2, 3).astype(dtype)
    for each in array, array[::-1, ::2], array[0, 0:0], np.asfortranarray(array):
        back = across(each)
        assert back.numpy().dtype == each.dtype and np.array_equal(back.numpy(), each)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        print,
        1j,
        range(3),
        (n for n in range(3)),
        type,
        np.longdouble(1),
        np.array(["text"]),
        np.array([object()]),
        np.array([1j]),
        np.arange(3, dtype="u2"),
        np.datetime64("2020-01-01"),
        torch.zeros(2, dtype=torch.complex64),
        torch.eye(2).to_sparse(),
        torch.empty(2, device="meta"),
        [[{"deep": object()}]],
    ],
    ids=lambda value: type(value).__name__,
)
def test_everything_else_is_refused_or_held(value):
    with pytest.raises(NotData):
        encode(value)
    held = []
    if not isinstance(value, (torch.Tensor, np.ndarray, list)):
        assert encode(value, lambda each: held.append(each) or 7) == {"handle": 7}
        assert decode({"handle": 7}, lambda number: ("held", number)) == ("held", 7)


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def test_what_is_too_large_is_refused_on_both_sides(monkeypatch):
    assert same(across(nested(codec.MAX_DEPTH - 1)), nested(codec.MAX_DEPTH - 1))
    endless: list = []
    endless.append(endless)
    for value in nested(codec.MAX_DEPTH + 1), endless, nested(500):
        with pytest.raises(NotData, match="nested more than"):
            encode(value)
    monkeypatch.setattr(codec, "MAX_NODES", 50)
    monkeypatch.setattr(codec, "MAX_BYTES", 1000)
    for value in (
        [0] * 60,
        "x" * 2000,
        b"x" * 2000,
        torch.zeros(300),
        torch.zeros(1).expand(300),
        {n: n for n in range(40)},
    ):
        with pytest.raises(NotData, match="a value of more than"):
            encode(value)
    large = [{"list": [0] * 60}, "x" * 2000, {"tensor": ["float32", [300], "A" * 1600]}, {"bytes": "A" * 2000}]
    for data in large:
        with pytest.raises(NotData, match="a value of more than"):
            decode(data)


@pytest.mark.parametrize("data", [{"list": [{"handle": 0}] * 60}, {"dict": [["key", {"handle": 0}]] * 30}])
def test_too_many_parts_are_refused_before_the_first_is_read(data, monkeypatch):
    monkeypatch.setattr(codec, "MAX_NODES", 50)
    read = []
    with pytest.raises(NotData, match="a value of more than"):
        decode(data, read.append)
    with pytest.raises(NotData, match="a value of more than"):
        encode([object()] * 60, read.append)
    assert read == []


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**5000], ids=["large", "small", "unprintable"])
def test_a_whole_number_that_no_float_can_hold_is_refused(number):
    with pytest.raises(NotData, match="whole number"):
        encode([number])
    with pytest.raises(NotData, match="whole number"):
        decode({"list": [number]})


EQUAL = [n * (2**61 - 1) for n in range(codec.MAX_KEYS + 1)]  # Python hashes whole numbers modulo this prime


@pytest.mark.parametrize(
    "value", [set(EQUAL), dict.fromkeys(EQUAL), {(n, n) for n in EQUAL}, [{n} for n in EQUAL]], ids=type
)
def test_many_members_that_can_have_one_hash_are_refused_on_both_sides(value, monkeypatch):
    with pytest.raises(NotData, match="members that are no text"):
        encode(value)
    with monkeypatch.context() as patched:
        patched.setattr(codec, "MAX_KEYS", 10**9)
        data = encode(value)
    with pytest.raises(NotData, match="members that are no text"):
        decode(data)


def test_as_many_members_of_text_as_a_value_may_have_are_none_too_many():
    pairs = {(f"a{n}", "b"): n for n in range(codec.MAX_KEYS * 3)}
    assert same(across(pairs), pairs) and same(across(set(pairs)), set(pairs))
    assert hash(EQUAL[1]) == hash(EQUAL[2])  # what the limit is for


@given(json_values)
def test_whatever_comes_is_plain_data_or_refused(data):
    try:
        value = decode(data)
    except NotData:
        return
    assert same(decode(encode(value)), value) or isinstance(value, (torch.Tensor, list, tuple, dict))


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"list": [1], "tuple": [2]},
        {"list": 3},
        {"float": "1.0"},
        {"float": ["nan"]},
        {"bytes": "not base64!"},
        {"bytes": 5},
        {"dict": [[1]]},
        {"dict": [[{"list": []}, 1]]},
        {"set": [{"list": []}]},
        {"handle": 0},
        {"tensor": ["float32", [2], "AAAA"]},
        {"tensor": ["float32", [-1], "AAAA"]},
        {"tensor": ["float32", [True], "AAAAAA=="]},
        {"tensor": ["float32", [1.0], "AAAAAA=="]},
        {"tensor": ["float32", ["1"], "AAAAAA=="]},
        {"tensor": ["complex64", [1], "AAAAAAAAAAA="]},
        {"tensor": ["float32", [2**40], ""]},
        {"tensor": ["float32", [0, 2**62, 2**62], ""]},
        {"tensor": ["load", [1], "AAAAAA=="]},
        {"tensor": ["bool", [2], "AgM="]},
        {"tensor": ["float32"]},
        {"tensor": {}},
        Text("a string of no plain type"),
        Numbers([1]),
        object(),
    ],
    ids=lambda value: repr(value)[:60].partition(" at 0x")[0],
)
def test_malformed_data_is_refused(data):
    with pytest.raises(NotData):
        decode(data)
