"""The cards' pictures, cut out of the widgets' where contents.toml says: `python -m tests.browser.card_pictures`."""

import tempfile
from pathlib import Path

from course_lib.reader.contents import lectures
from tests.browser import harness
from tests.browser.pictures import PICTURES

WIDE, HIGH = 320, 200  # of a card, in pixels of a page; the file has twice as many
PAGE = """<body style="margin: 0; overflow: hidden"><img src="{source}" style="position: absolute;
transform-origin: 0 0; transform: scale({scale}) translate(-{left}px, -{top}px)"></body>"""


def main() -> None:
    """Cut out the pictures of all cards."""
    with harness.browser() as chromium, tempfile.TemporaryDirectory() as folder:
        page = chromium.new_page(viewport={"width": WIDE, "height": HIGH}, device_scale_factor=2)
        for lecture in (each for each in lectures() if each.picture):
            left, top, width = lecture.shown
            source = (PICTURES / lecture.picture).as_uri()
            html = Path(folder, "card.html")
            html.write_text(PAGE.format(source=source, scale=WIDE / width, left=left, top=top), encoding="utf-8")
            page.goto(html.as_uri())
            page.screenshot(path=PICTURES / lecture.card)
            print(PICTURES / lecture.card)


if __name__ == "__main__":
    main()
