"""`python -m tests.grading.measure.features ps2 --secrets 200`: under how many secrets cases lack what they must show.

The suite counts the same, those that take long to draw under fewer secrets: every number in the last column is 0.
"""

from tqdm import tqdm

from ..features import lacking, tables
from .chosen import arguments, tasks
from .secrets import secret


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--secrets", type=int, default=200)
    chosen = parser.parse_args()
    keys = [secret(number) for number in range(chosen.secrets)]
    asked = {task.name: task for task in tasks(chosen.names)}
    print("| criterion | feature | secrets | lack it |\n|-|-|-|-|")
    for name, criterion, features, _ in tables():
        if name in asked:
            drawn = asked[name].criterion(criterion)
            bar = tqdm(keys, desc=f"{name}/{criterion}", disable=None)  # no bar in a file
            missing = lacking(name, drawn, features, bar, drawn.graded)
            for feature in features:
                print("|", f"{name}/{criterion} | {feature} | {len(keys)} | {missing[feature]}", "|", flush=True)


if __name__ == "__main__":
    main()
