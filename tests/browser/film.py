"""The film of the README, four widgets at work: `python -m tests.browser.film`."""

import io
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from course_lib.checkpoints import load
from course_lib.widgets import AttentionHeatmap, BeamStepper, BPEStepper, SentenceCutter
from course_lib.widgets.base import TraceWidget
from tests.browser import harness
from tests.browser.pictures import PICTURES

SIZE = {"width": 1040, "height": 720}
SENTENCE, SHORT = "The farmers wrote a letter because the dog was sleeping.", "The old farmer sees the dog."
PLAYS = 2  # then it stands still: who reads on is not disturbed
STYLE = """body { margin: 0 } h1 { margin: 14px 24px; font: 600 25px/1.2 system-ui, sans-serif; color: #16263b }
.lm-toolbar, .lm-save, .lm-settings, .lm-read, .lm-said, .lm-note { display: none !important }"""


TITLE = "(textContent) => document.body.prepend(Object.assign(document.createElement('h1'), { textContent }))"


@dataclass(frozen=True)
class Scene:
    """What one widget shows at these steps; each is seen for so many milliseconds, the last for three times as long."""

    says: str
    make: Callable[[], TraceWidget]
    steps: range
    each: int

    def frames(self, page: Page) -> Iterator[tuple[Image.Image, int]]:
        """The pictures, and how long each is seen."""
        with tempfile.TemporaryDirectory() as folder:
            widget, file = self.make(), Path(folder, "widget.html")
            for step in self.steps:
                widget.step = step
                widget.save(file)
                page.goto(file.as_uri())
                page.wait_for_selector(".lm-widget")
                page.add_style_tag(content=STYLE)
                page.evaluate(TITLE, self.says)
                shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                yield shot, self.each * (3 if step == self.steps[-1] else 1)


def scenes() -> list[Scene]:
    """What the film shows, in turn."""
    translator, words = load("attention"), {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    return [
        Scene("Learn to cut words into pieces", lambda: BPEStepper(words, merges=8), range(0, 7), 900),
        Scene(
            "Cut a sentence as a translator does", lambda: SentenceCutter(translator, SENTENCE), range(0, 31, 3), 500
        ),
        Scene(
            "See where it looks for each word that it writes",
            lambda: AttentionHeatmap({"attention": translator}, SENTENCE, form="movie"),
            range(1, 15),
            600,
        ),
        Scene(
            "Watch it search for the best translation", lambda: BeamStepper(translator, SHORT, 3), range(2, 21, 2), 600
        ),
    ]


def main() -> None:
    """Make lectures/pictures/film.gif."""
    with harness.browser() as chromium:
        page = chromium.new_page(viewport=SIZE, reduced_motion="reduce")
        shown = [frame for scene in scenes() for frame in scene.frames(page)]
    pictures = [image.quantize(64, dither=Image.Dither.NONE) for image, _ in shown]
    pictures[0].save(
        PICTURES / "film.gif",
        save_all=True,
        append_images=pictures[1:],
        duration=[milliseconds for _, milliseconds in shown],
        loop=PLAYS - 1,
        optimize=True,
    )
    print(PICTURES / "film.gif", f"{len(shown)} pictures, {(PICTURES / 'film.gif').stat().st_size >> 10} KB")


if __name__ == "__main__":
    main()
