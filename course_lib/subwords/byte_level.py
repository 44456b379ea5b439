"""Text as bytes, each written as one visible character, so that byte pair encoding can begin with bytes.

Radford et al. (2019), "Language Models are Unsupervised Multitask Learners" (GPT-2), section 2.2, and its alphabet.
"""

_VISIBLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]  # what Latin-1 shows as a character
_OTHER = [byte for byte in range(256) if byte not in _VISIBLE]  # spaces and controls: written as Ā, ā, Ă, …
BYTES = {byte: chr(byte) for byte in _VISIBLE} | {byte: chr(256 + n) for n, byte in enumerate(_OTHER)}
_NUMBER = {character: byte for byte, character in BYTES.items()}


def to_bytes(text: str) -> str:
    """One character for each byte of the text's UTF-8 form: `to_bytes("für") == "fÃ¼r"`."""
    return "".join(BYTES[byte] for byte in text.encode("utf-8"))


def from_bytes(written: str) -> str:
    """The text that `to_bytes` has written so; bytes that are no UTF-8 become `�`.

    Raises ValueError for a character that stands for no byte.
    """
    for character in written:
        if character not in _NUMBER:
            raise ValueError(f"{character!r} stands for no byte: expected what to_bytes has written")
    return bytes(_NUMBER[character] for character in written).decode("utf-8", errors="replace")
