"""Open every page of the site in a browser, light and dark, and print what is found.

    python -m tests.browser.walk [dist/site]

First paint: milliseconds from disk until the reader sees something, the slower of the two. axe: places where axe-core
finds something against WCAG 2.2 A and AA, everything unfolded. Links: those within the site that lead nowhere. Errors:
in scripts. What is found is printed below the table; the exit status says whether anything was.
"""

import re
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser

from course_lib.tables import Table
from tests.browser.conftest import watched_page
from tests.browser.harness import browser, violations

PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true"
LINKS = "[...document.querySelectorAll('a[href]')].map((link) => link.href)"


@cache
def places(page: Path) -> frozenset[str]:
    """The ids on a page."""
    return frozenset(re.findall(r'\bid="([^"]*)"', page.read_text(encoding="utf-8")))


def dead(links: Sequence[str], site: Path) -> list[str]:
    """Those within the site whose page, or place on it, is not there."""
    found = []
    for link in dict.fromkeys(links):
        address = urlsplit(link)
        path = Path(unquote(address.path))
        if address.scheme != "file":
            continue
        there = path.is_file() and path.is_relative_to(site)
        if not there or (address.fragment and path.suffix == ".html" and unquote(address.fragment) not in places(path)):
            found.append(link.replace(site.as_uri(), ""))
    return found


def visit(chromium: Browser, path: Path, site: Path) -> tuple[list, list[str]]:
    """A row of the table, and what is wrong on the page, in words."""
    paints, wrong, counts = [], [], dict.fromkeys(("axe", "links", "errors"), 0)
    for scheme in ("light", "dark"):
        with watched_page(chromium) as (page, errors):
            page.emulate_media(color_scheme=scheme)
            page.goto(path.as_uri())
            paints.append(page.wait_for_function(PAINT).json_value())
            page.evaluate(UNFOLD)
            found = {"axe": violations(page), "links": dead(page.evaluate(LINKS), site), "errors": list(errors)}
            widgets = page.locator("iframe").count()
        for kind, each in found.items():
            counts[kind] += len(each)
            wrong += [f"{path.name}, {scheme}, {kind}: {one}" for one in each]
    return [path.name, round(max(paints)), widgets, *counts.values()], wrong


def main(arguments: Sequence[str]) -> int:
    """The exit status: 1 where something is wrong."""
    site = Path(*(arguments or ["dist/site"])).resolve()
    pages = sorted(site.glob("*.html"))
    if not pages:
        raise SystemExit(f"there is no page in {site}: `make site` makes them")
    rows, wrong = [], []
    with browser() as chromium:
        for path in pages:
            row, found = visit(chromium, path, site)
            print(*row, flush=True)
            rows.append(row)
            wrong += found
    print(Table(["page", "first paint, ms", "widgets", "axe", "links", "errors"], rows), *wrong, sep="\n")
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
