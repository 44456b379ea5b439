"""The site without a browser: where links lead, what is found, what is kept, and that nothing is half."""

import json
import re

import nbformat
import pytest

from course_lib.maintain.site import executed as execution
from course_lib.maintain.site import katex
from course_lib.maintain.site.elsewhere import NoRepository, on_your_machine, run_elsewhere
from course_lib.maintain.site.make import Unwanted, make
from course_lib.maintain.site.pages import IN_PLACE, LIVE, READER_ONLY, Pages, prepared
from course_lib.maintain.site.places import NowhereToGo, Places, page_of
from course_lib.maintain.site.prose import as_html
from course_lib.maintain.site.search import index, sections
from course_lib.maintain.site.words import as_text, read_formula
from course_lib.reader.contents import GLOSSARY, ROOT, START, STUDENTS, lectures, problem_sets

NOTEBOOKS = [START, GLOSSARY, *(each.path for each in [*lectures(), *problem_sets()])]


def markdown(*sources):
    """A notebook of Markdown cells, whose ids are c0, c1, …"""
    return nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell(source, id=f"c{n}") for n, source in enumerate(sources)]
    )


@pytest.mark.parametrize(
    ("to", "page"),
    [
        ("06_search.ipynb", "06_search.html"),
        ("06_search.ipynb#cell-id=s7", "06_search.html#cell-id=s7"),
        ("00_start.ipynb", "index.html"),
        ("../assignments/ps1/ps1.ipynb", "ps1.html"),
        ("../course_lib/subwords/pairs.py", "course_lib.subwords.pairs.html"),
        ("README.md", "README.html"),
        ("pictures/card_01.png", "pictures/card_01.png"),
        ("#cell-id=s7", "#cell-id=s7"),
        ("https://example.org/a.ipynb", "https://example.org/a.ipynb"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_a_link_leads_to_the_page_of_its_notebook(to, page):
    assert Places(ROOT, "lectures/05_attention.ipynb").target(to) == page


@pytest.mark.parametrize("to", ["77_nothing.ipynb", "../../outside.ipynb", "/etc/hostname"])
def test_a_link_to_nothing_is_refused_by_name(to):
    with pytest.raises(NowhereToGo, match=f"lectures/05_attention.ipynb links to {re.escape(to)}"):
        Places(ROOT, "lectures/05_attention.ipynb").linked(f'<a href="{to}">there</a>')


def test_links_within_a_widgets_frame_are_its_own():
    frame = '<iframe srcdoc="&lt;a href=&quot;x.ipynb&quot;&gt;"></iframe>'
    assert Places(ROOT, "lectures/05_attention.ipynb").linked(frame) == frame


def test_all_links_of_the_course_lead_to_a_cell_of_the_site():
    pages, links = {}, []
    for path in NOTEBOOKS:
        cells = nbformat.read(ROOT / path, 4).cells
        pages[page_of(path)] = {f"cell-id={cell.id}" for cell in cells}
        for cell in (each for each in cells if each.cell_type == "markdown"):
            made = Places(ROOT, path).linked(as_html(cell.source))
            links += [(page_of(path), *to.partition("#")[::2]) for to in re.findall(r'href="([^":]*)"', made)]
    assert len(links) > 300
    wrong = [(here, to, at) for here, to, at in links if at and at not in pages[to or here]]
    assert wrong == []
    assert {to for _, to, _ in links if not to.startswith("course_lib.")} <= {"", page_of(STUDENTS), *pages}


def test_no_two_notebooks_have_the_same_page():
    assert len({page_of(path) for path in NOTEBOOKS}) == len(NOTEBOOKS)


def test_a_formula_is_an_element_and_keeps_its_letters():
    assert '<span class="formula">a_1 &lt; b_2 \\text{ *x* }</span>' in as_html(r"where $a_1 < b_2 \text{ *x* }$ holds")
    assert '<span class="formula displayed">\\frac{1}{2}</span>' in as_html("so\n\n$$\n\\frac{1}{2}\n$$\n\nend")


def test_no_line_begins_with_the_sign_behind_a_formula():
    assert '(<span class="formula">a</span>),' in as_html("so ($a$), or $b$ alone").partition('class="held">')[2]
    assert as_html("or $b$ alone").count("held") == 0


def test_a_progress_bar_is_not_shown_where_it_cannot_move():
    bar = nbformat.v4.new_output("display_data", {LIVE: {"model_id": "1"}, "text/plain": "  0%|"})
    table = nbformat.v4.new_output("display_data", {"text/html": "<table></table>"})
    cell = nbformat.v4.new_code_cell("train()", outputs=[bar, table])
    assert prepared(nbformat.v4.new_notebook(cells=[cell])).cells[0].outputs == [table]


def test_the_words_of_a_cell_are_found_without_its_marks():
    assert as_text(r"with $\alpha_{i}$ and $\frac{1}{2}$, ![a dog](dog.png)") == "with α_i and 1/2, a dog"
    assert as_text("`a</w>` is *one*s; <b>2</b> < 3 |") == "a</w> is ones; 2 < 3 |"
    assert (
        as_text("## 3 · *Beam* [search]\n\n> **Predict.** `k`?\n\n[search]: 06.ipynb") == "3 · Beam search Predict. k?"
    )


@pytest.mark.parametrize(
    ("tex", "read"),
    [
        (r"\frac{1}{n} \sum_i \log p(y_i \mid x, \theta)", "1/n Σ_i log p(y_i | x, θ)"),
        (r"\text{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V", "softmax((Q K^⊤)/√d_k) V"),
        (r"\frac1{\sqrt{d_\text{model}}}", "1/√d_model"),
        (r"\hat{y} = \arg\max_y \; W_{xh}^\top \mathbf{x}, \qquad 0 < \beta", "y\u0302 = argmax_y W_xh^⊤ x, 0 < β"),
        (r"\begin{aligned} a &= \tfrac14 \\ b &\ne \Delta \end{aligned}", "a = 1/4 b ≠ Δ"),
    ],
)
def test_a_formula_is_found_and_shown_as_it_is_read(tex, read):
    assert read_formula(tex) == read
    assert as_text(f"It is ${tex}$.") == f"It is {read}."


def test_no_words_of_the_course_hold_a_formula_in_raw_form():
    found = [section for path in NOTEBOOKS for section in sections(path, nbformat.read(ROOT / path, 4))]
    assert len(found) > 300
    raw = re.compile(r"\\[A-Za-z]|\$\w|\w\$|</?\w+ [^<>]*=")
    assert [(each.page, each.title, each.words) for each in found if raw.search(each.words)] == []


def test_a_search_finds_sections_and_never_an_answer():
    answer = "<details><summary>Show the answer</summary>\n\n**Answer.** forty\n\n</details>"
    found = sections(
        "06_search.html", markdown("# Lecture 06 · Search\n\nIt begins.", f"## 1 · Greedy\n\n{answer}\n\nOn.")
    )
    assert [(each.at, each.title, each.of) for each in found] == [
        ("cell-id=c0", "Lecture 06 · Search", "Lecture 06 · Search"),
        ("cell-id=c1", "1 · Greedy", "Lecture 06 · Search"),
    ]
    assert "begins" in found[0].words and "On." in found[1].words
    assert "forty" not in index(found)
    assert json.loads(index(found).removeprefix("window.courseIndex = ").rstrip(";\n"))[1]["page"] == "06_search.html"


def test_outputs_are_kept_until_code_library_or_sizes_change():
    code = nbformat.v4.new_code_cell("x = 1", id="x")
    one, other = markdown("# One"), markdown("# Another text")
    one.cells.append(code)
    other.cells.append(code)
    known = execution.digest_of(one, "library", False)
    assert execution.digest_of(other, "library", False) == known
    assert execution.digest_of(one, "changed", False) != known != execution.digest_of(one, "library", True)
    one.cells[-1].source = "x = 2"
    assert execution.digest_of(one, "library", False) != known


def test_the_librarys_digest_is_that_of_what_a_lecture_may_show(tmp_path):
    for name in ("course_lib/a.py", "course_lib/maintain/b.py", "tests/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    known = execution.library_digest(tmp_path)
    for name in ("course_lib/maintain/b.py", "tests/c.py"):
        (tmp_path / name).write_text("2")
    assert execution.library_digest(tmp_path) == known
    (tmp_path / "course_lib/a.py").write_text("2")
    assert execution.library_digest(tmp_path) != known


def test_a_lecture_that_fails_leaves_the_old_site_as_it_was(tmp_path):
    course, site = tmp_path / "course", tmp_path / "dist" / "site"
    (course / "lectures").mkdir(parents=True)
    (site / "old").mkdir(parents=True)
    start = markdown("# Start · Small")
    start.cells.append(nbformat.v4.new_code_cell("raise ValueError('no such word')", id="fails"))
    nbformat.write(start, course / START)
    with pytest.raises(execution.NotExecuted, match="(?s)00_start.ipynb could not be executed:.*no such word"):
        make(course, site)
    assert [file.name for file in site.parent.iterdir()] == ["site"] and (site / "old").is_dir()
    assert not (course / "build").exists()


def test_an_unknown_lecture_is_refused_by_name(tmp_path):
    with pytest.raises(Unwanted, match="there is no lecture 77: there are 00, 01, "):
        make(ROOT, tmp_path / "site", only=["77"])


def test_katex_is_what_was_fetched_with_its_licence_and_fonts():
    assert (katex.KATEX / katex.STAMP).read_text(encoding="utf-8") == katex.stamp(katex.KATEX)
    assert "MIT" in (katex.KATEX / "katex.LICENSE.txt").read_text(encoding="utf-8")
    wanted = set(re.findall(r"url\(([^()]+)\)", (katex.KATEX / "katex.min.css").read_text(encoding="utf-8")))
    assert wanted == {f"fonts/{file.name}" for file in (katex.KATEX / "fonts").iterdir()}


def test_a_public_repository_adds_links_to_colab_and_binder_and_what_they_need(tmp_path):
    cell = nbformat.v4.new_code_cell("1 + 1", id="c")
    made = Pages(ROOT, [], full=True, repository="owner/course@a/b").page(
        "lectures/05_attention.ipynb", nbformat.v4.new_notebook(cells=[cell]), True
    )[0]
    links = re.findall(r'<a href="(https:[^"]*)"', made)
    assert links == [
        "https://colab.research.google.com/github/owner/course/blob/a/b/lectures/05_attention.ipynb",
        "https://mybinder.org/v2/gh/owner/course/a%2Fb?urlpath=lab/tree/lectures/05_attention.ipynb",
    ]
    assert "git clone -q --depth 1 --branch a/b https://github.com/owner/course course &amp;&amp; pip install" in made
    plain = Pages(ROOT, [], full=True).page("lectures/05_attention.ipynb", nbformat.v4.new_notebook(cells=[cell]), True)
    assert "https:" not in plain[0]


@pytest.mark.parametrize(
    ("repository", "get"),
    [("", "whoever gave you this page"), ("owner/course", "git clone --branch main https://github.com/owner/course")],
)
def test_the_start_page_speaks_of_what_works_here_and_says_how_to_get_the_rest(repository, get):
    start = nbformat.read(ROOT / START, 4)
    assert {*READER_ONLY, *IN_PLACE} <= {cell.id for cell in start.cells}
    pages = Pages(ROOT, lectures(), full=True, repository=repository)
    page, needed = pages.page(START, start, True)
    words = " ".join(re.sub(r"<[^<>]*>", "", page.partition("<main")[2]).split())
    assert get in words and "make lab" in words and "make test" in words
    assert STUDENTS in needed and f'href="{page_of(STUDENTS)}"' in page
    assert "Shift" not in words and "Restart Kernel" not in words and "Touch it now." in words
    assert "Search all lectures with the field" in words
    students, wanted = pages.document(STUDENTS)
    assert "This page is for students." in students and wanted == set()


@pytest.mark.parametrize("repository", ["owner", "https://github.com/owner/name", "owner/name x", "o/n@b; rm"])
def test_what_is_no_repository_is_refused(repository):
    with pytest.raises(NoRepository, match="owner/name"):
        run_elsewhere("lectures/05_attention.ipynb", repository)
    with pytest.raises(NoRepository, match="owner/name"):
        on_your_machine(repository)
