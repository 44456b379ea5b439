"""The rows of the experiments as lectures show them: every seed of a row, BLEU by length, and verdicts on claims."""

from collections.abc import Collection, Mapping

from IPython.display import display

from course_lib.checkpoints.evidence import MEASURES, records, row, table
from course_lib.checkpoints.experiments import CLAIMS
from course_lib.plots.encoder_decoder import bleu_by_length
from course_lib.plots.picture import Picture
from course_lib.plots.seeds import by_seed
from course_lib.tables import Table

LEAST = 20  # sentences of a bin of lengths


def recorded(names: Mapping[str, str] | Collection[str], measure: str = "bleu") -> Table:
    """Draw a dot for each seed of each row, and return a table of means and ranges.

    `names` are those of `evidence.row`, or {what the lecture calls it: its name}; `measure` is one of
    `evidence.MEASURES`. A row that has not been run is in the table alone.
    """
    if not isinstance(names, Mapping):
        names = {name: name for name in names}
    of, found = MEASURES[measure], {told: row(name, measure) for told, name in names.items()}
    if done := {told: list(each.values.values()) for told, each in found.items() if each.values}:
        display(by_seed(done, of.said, decimals=of.decimals))
    rows = [[told, len(each.values), each.written(of.decimals)] for told, each in found.items()]
    said = f"rows that have been run: {len(done)} of {len(found)}"
    return Table(["row", "seeds", f"{of.said}: mean (smallest … largest)"], rows, said)


def lengths(names: Mapping[str, str]) -> Picture:
    """BLEU by the length of the source, on `test` and then on `long`: the mean of the seeds, their range shaded.

    `names` as in `recorded`. Raises ValueError where no row of them has been run.
    """
    runs = {told: [_bins(record["results"]) for record in records(name).values()] for told, name in names.items()}
    return bleu_by_length({told: bins for told, bins in runs.items() if bins})


def _bins(results: dict) -> list[dict]:
    return [each for split in ("test", "long") for each in results[split]["by_length"] if each["sentences"] >= LEAST]


def verdicts(*names: str, called: Mapping[str, str] | None = None) -> Table:
    """What the runs decide of the claims that compare two of these rows, or of `called`, as in `recorded`."""
    called = {name: told for told, name in (called or {}).items()}
    rows = called.keys() | set(names)
    return table([claim for claim in CLAIMS if {claim.better, claim.worse} <= rows], called=called)
