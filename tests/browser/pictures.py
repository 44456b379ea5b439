"""Pictures of the widgets for the pages, from real JupyterLab: `python -m tests.browser.pictures [NAME …]`."""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from playwright.sync_api import Browser, Page

from course_lib.plots import systems
from course_lib.systems import pipeline
from tests.browser import harness

PICTURES = Path(__file__).parents[2] / "lectures" / "pictures"
SEED = '{"low": 5, "lower": 2, "newest": 6, "widest": 3}'


@dataclass
class Picture:
    """One file: the cell that makes the widget, and what a reader then does."""

    name: str
    cell: str
    act: Callable[[Page], object]
    theme: str = "JupyterLab Light"


def ties(page: Page) -> None:
    page.locator(".lm-pair").nth(1).hover()


def guess(page: Page) -> None:
    page.locator(".lm-pair", has_text="es t").click()
    page.mouse.move(0, 0)


def after_two_steps(page: Page) -> None:
    for _ in range(2):
        page.get_by_role("button", name="Forward").click()


def near_a_dog(page: Page) -> None:
    page.locator(".lm-item", has_text="the old dog").click()


def to_the_tenth_word(page: Page) -> None:
    for _ in range(9):
        page.get_by_role("button", name="Forward").click()
    page.mouse.move(0, 0)


def revive(page: Page) -> None:
    page.locator(".lm-tree .lm-pruned", has_text="auern").last.click()
    page.locator(".lm-tree .lm-revived").first.wait_for()


def twice_the_warm_up(page: Page) -> None:
    page.get_by_role("button", name="Keep to compare").click()
    for name in ("warm-up (steps)", "step"):
        field = page.get_by_role("spinbutton", name=name, exact=True)
        field.fill("8000")
        field.blur()
    page.locator(".lm-kept").wait_for()


def ranked(page: Page) -> None:
    places = {"sleeping": "1", "at the mat": "2", "The cat.": "2"}
    for text, place in places.items():
        page.locator(".lm-output", has_text=text).get_by_role("radio", name=place).check()
    page.mouse.move(0, 0)


def nothing(page: Page) -> None:
    page.mouse.move(0, 0)


EM = "from course_lib.widgets import EMStepper\nEMStepper()"
CORPUS = """from course_lib.corpora.grammar import sample
from course_lib.widgets import CorpusExplorer
from course_lib.widgets.corpus_explorer import aligned_pairs
CorpusExplorer(aligned_pairs(sample(20), "de", "en"))"""
GATES = """import torch
from course_lib.corpora.stories import stories
from course_lib.recurrent import LSTM, RNNLanguageModel
from course_lib.widgets import GateExplorer
text = " ".join(stories("en"))[:8000]
vocabulary = {character: number for number, character in enumerate(sorted(set(text)))}
ids = torch.tensor([vocabulary[character] for character in text])
torch.manual_seed(0)
model = RNNLanguageModel(len(vocabulary), LSTM(24, 24))
optimizer = torch.optim.Adam(model.parameters(), 0.01)
for _ in range(150):
    start = torch.randint(len(ids) - 41, (32, 1)) + torch.arange(41)
    logits, _ = model(ids[start[:, :-1]])
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[start[:, 1:]].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
GateExplorer(model, vocabulary, "the baker opened the window", sample=text[:1000])"""
LSTM = """import torch
from course_lib.diagrams import LSTM_CELL, cell_values
from course_lib.recurrent import LSTM, trace
from course_lib.widgets import DiagramStepper
torch.manual_seed(0)
tokens = list("the baker")
values = cell_values(trace(LSTM(4, 8), 3 * torch.randn(9, 4), tokens))
DiagramStepper(LSTM_CELL, tokens, values, step=4, position=4)"""
HEAD = """from course_lib.widgets import AttentionStepper
from course_lib.widgets.attention_heads import THINKING_MACHINES
AttentionStepper(THINKING_MACHINES, step=5)"""
HEATMAP = """from course_lib import checkpoints
from course_lib.alignment import align_corpus
from course_lib.corpora.grammar import sample
from course_lib.widgets import AttentionHeatmap
from course_lib.widgets.attention_views import gold_pair
test = sample(25, split="test")
pairs = [(one.sentences["en"], one.sentences["de"]) for one in [*test, *sample(4000)]]
links = align_corpus(pairs, 5)
chosen = next(k for k, one in enumerate(test) if "that" in one.sentences["en"] and len(one.sentences["en"]) < 15)
gold = gold_pair(test[chosen], "en", "de", {"IBM Model 1": links[chosen]})
AttentionHeatmap({"attention": checkpoints.load("attention")}, gold, reference=True)"""
MAP = """from sklearn.manifold import TSNE
from course_lib import checkpoints
from course_lib.corpora.batches import collate
from course_lib.corpora.id_pairs import id_pairs
from course_lib.widgets import SentenceMap
kinds = {"people": "man woman boy girl king farmer nurse", "animals": "dog cat horse cow pig sheep mouse",
         "food": "apple pear orange cake cheese soup bread", "places": "garden kitchen park forest city street church"}
nouns = [(noun, kind) for kind, listed in kinds.items() for noun in listed.split()]
phrases = [(f"the {adjective} {noun}", kind) for noun, kind in nouns for adjective in ("old", "small")]
model = checkpoints.load("fixed")
batch = collate(id_pairs([(text, "") for text, _ in phrases], model.tokenizer, model.vocabulary), model.vocabulary)
_, r = model.model.encoder(batch.source, batch.source_mask)
points = TSNE(2, perplexity=10, init="pca", random_state=0).fit_transform(r.detach())
SentenceMap([text for text, _ in phrases], r.detach(), {"t-SNE": points}, [kind for _, kind in phrases])"""
BPE = "from course_lib.widgets import BPEStepper\n"
STORIES = """from course_lib.corpora.stories import stories
BPEStepper(stories("en"), stories("tr"), labels=["English", "Turkish"], merges=120, step=60)
"""
BEAM = """from course_lib import checkpoints
from course_lib.widgets import BeamStepper
model = checkpoints.load("attention")
tree = BeamStepper(model, "The old farmer sees the dog.", 3, normalise="gnmt", step=99)
tree"""
SCHEDULE = """from course_lib.widgets import ScheduleExplorer
ScheduleExplorer("paper", d_model=512, warmup=4000, steps=20_000)"""
SMOOTHING = """from course_lib.widgets import SmoothingExplorer
SmoothingExplorer(["Katze", "Hund", "Haus", "Tier", "</s>"], [3, 2, -1, 1, -2], epsilon=0.1)"""
NGRAMS = """from course_lib.widgets import NgramExplorer
references = ["The cat is on the mat.", "There is a cat on the mat."]
NgramExplorer("The the cat sat on the the mat.", references, picked=[1, 6])"""
RATING = """from course_lib.widgets import RatingForm
outputs = {"one": "The old cat is sleeping on the mat.", "two": "The old cat sleeps at the mat.", "three": "The cat."}
RatingForm([{"source": "Die alte Katze schläft auf der Matte.", "outputs": outputs}] * 4, "ranking")"""
ALL = [
    Picture("bpe_stepper", f"{BPE}BPEStepper({SEED}, merges=10)", ties),
    Picture(
        "bpe_stepper_predict", f"{BPE}BPEStepper({SEED}, merges=10, step=1, predict=True)", guess, "JupyterLab Dark"
    ),
    Picture("bpe_stepper_languages", BPE + STORIES, nothing),
    Picture("em_stepper", EM, after_two_steps),
    Picture("corpus_explorer", CORPUS, nothing),
    Picture("gate_explorer", GATES, nothing),
    Picture("diagram_stepper", LSTM, nothing),
    Picture("attention_heatmap", HEATMAP, nothing),
    Picture("attention_lines", HEATMAP.replace("reference=True", 'form="lines"'), nothing),
    Picture("attention_movie", HEATMAP.replace("reference=True", 'form="movie"'), to_the_tenth_word, "JupyterLab Dark"),
    Picture("attention_stepper", HEAD, nothing),
    Picture("sentence_map", MAP, near_a_dog),
    Picture("beam_tree", BEAM, revive),
    Picture("schedule_explorer", SCHEDULE, twice_the_warm_up),
    Picture("smoothing_explorer", SMOOTHING, nothing),
    Picture("ngram_explorer", NGRAMS, nothing),
    Picture("rating_form", RATING, ranked),
]


def plots(chromium: Browser, *names: str) -> None:
    """Take the pictures of these plots, or all, on a white page."""
    made = pipeline.encoder(6, 8, "bottom")
    for name, picture in {"pipeline": systems.timetable(made, ["the", "old", "man", "fed", "the", "dog"])}.items():
        if not names or name in names:
            page = chromium.new_page(viewport={"width": 1240, "height": 800}, device_scale_factor=2)
            page.set_content(f"<body style='background: white'>{picture._repr_html_()}</body>")
            page.locator("svg").screenshot(path=PICTURES / f"{name}.png")
            print(PICTURES / f"{name}.png")
            page.close()


def main(*names: str) -> None:
    """Take the pictures of these names, or all."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, harness.jupyter(folder) as server, harness.browser() as chromium:
        for picture in (one for one in ALL if not names or one.name in names):
            notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(picture.cell)])
            notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
            nbformat.write(notebook, Path(folder, f"{picture.name}.ipynb"))
            page = chromium.new_page(
                viewport={"width": 1240, "height": 1900}, reduced_motion="reduce", device_scale_factor=2
            )
            server.open(page, f"{picture.name}.ipynb")
            server.change_theme(page, picture.theme)
            if errors := server.run_all(page):
                raise RuntimeError(f"{picture.name}: {errors}")
            page.wait_for_selector(".lm-widget button:visible")
            picture.act(page)
            path = PICTURES / f"{picture.name}.png"
            page.locator(".lm-widget").screenshot(path=path)
            print(path)
            page.close()
        server.shut_down_kernels()
        plots(chromium, *names)


if __name__ == "__main__":
    main(*sys.argv[1:])
