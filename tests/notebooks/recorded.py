"""What rows read of recorded runs."""

from course_lib.checkpoints.evidence import records


def by_length(name: str) -> list[list[dict]]:
    """The bins of lengths of a recipe, those of `test` and then of `long`, for each seed that is recorded."""
    return [
        [each for split in ("test", "long") for each in record["results"][split]["by_length"]]
        for record in records(name).values()
    ]
