"""IBM Model 1 on the text of the recurrent experiments: the alignment that attention is compared with; recorded once.

python -m course_lib.checkpoints model1
"""

from pathlib import Path

from course_lib.checkpoints.evaluation import model1_aer
from course_lib.checkpoints.experiments import rnn
from course_lib.checkpoints.making import EVALUATED
from course_lib.checkpoints.recipe import Recipe
from course_lib.checkpoints.recorded import MODEL_1, commit, write_record


def make(folder: Path, *, recipe: Recipe = rnn, sentences: dict[str, int] = EVALUATED) -> dict:
    """Let Model 1 learn from all pairs of `recipe`, and from the `sentences` of each split that it is asked for; write
    its record to `folder`, and return what it holds: "aer" by split, in both directions made one."""
    text, pair = recipe.text(), (recipe.source, recipe.target)
    record = {
        "command": f"python -m course_lib.checkpoints {MODEL_1}",
        "commit": commit(),
        "pairs": len(text),
        "sentences": dict(sentences),
        "aer": {split: model1_aer(text, recipe.examples(n, split), *pair) for split, n in sentences.items()},
    }
    write_record(MODEL_1, record, folder)
    return record
