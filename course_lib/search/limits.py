"""After how many pieces an output is cut off that has not ended by itself."""


def longest(source_length: int) -> int:
    """After how many pieces a translation is cut off: those of the source twice, and ten."""
    return 2 * source_length + 10


def source_plus_50(source_length: int) -> int:
    """The Transformer's own limit: 50 pieces more than the source has (Vaswani et al. 2017, section 6.1)."""
    return source_length + 50
