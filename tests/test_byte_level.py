"""Bytes as characters: GPT-2's alphabet, and no text that cannot be written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.pre_tokenizers import ByteLevel

from course_lib.subwords.byte_level import BYTES, from_bytes, to_bytes

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def test_the_alphabet_is_gpt2s():
    assert sorted(BYTES.values()) == sorted(ByteLevel.alphabet())


@given(TEXT)
def test_it_writes_as_gpt2_does_and_comes_back(text):
    pieces = ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text)
    assert to_bytes(text) == "".join(piece for piece, _ in pieces)
    assert from_bytes(to_bytes(text)) == text


@given(TEXT)
def test_no_byte_is_a_space(text):
    assert len(to_bytes(text).split()) == (text != "")


def test_half_a_character_shows_as_a_replacement():
    assert from_bytes(to_bytes("ş")[:1]) == "�"


def test_a_character_that_is_no_byte_is_refused():
    with pytest.raises(ValueError, match="'→' stands for no byte"):
        from_bytes("a→")
