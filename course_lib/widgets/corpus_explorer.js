// The corpus explorer draws sentence pairs and their links; which links are right and each sentence's AER are Python's.
// `at` is an index into all pairs; a filter decides which of them are shown.

import { h, moveByKeys, redraw, suppressShortcuts, svg, widget } from "./base.js";
import { revealNew, whenSized } from "./stepper.js";
import { stepButtons } from "./timeline.js";
import { drawLinked } from "./links.js";
import "./corpus_explorer.css";

const LENGTHS = {
  "": "any length",
  "1-6": "up to 6 words",
  "7-12": "7 to 12 words",
  "13-20": "13 to 20 words",
  "21-999": "over 20 words",
};
const LISTED = 200; // sentences in the list at a time
const NONE = "No sentence passes this filter.";
const KINDS = {
  // how a link is drawn, and what the legend says; those drawn later lie above
  possible: { width: 2, said: "possible" },
  sure: { width: 2, said: "sure" },
  allowed: { width: 3.5, said: "allowed" },
  found: { width: 3.5, said: "found" },
  spurious: { width: 2.5, mark: "×", said: "spurious" },
  missing: { width: 3, mark: "?", said: "missing" },
};
const GOLD = ["sure", "possible"]; // of two words that say the same; of those that help to say it
// Found is predicted and sure, allowed predicted and possible.
const COMPARED = ["found", "allowed", "missing", "spurious"];

function render(context) {
  const w = widget(context, "lm-explorer", "Corpus explorer");
  const { get, put, root, say } = w;
  const chosen = () => filtered(get);
  const here = () => chosen().indexOf(get("at"));

  // Moving among the pairs that are shown
  const go = (place) => {
    const shown = chosen();
    if (shown.length) put({ at: shown[Math.min(Math.max(place, 0), shown.length - 1)] });
  };
  const filter = (values) => {
    put(values);
    const shown = chosen();
    if (shown.length && !shown.includes(get("at"))) put({ at: shown[0] });
  };
  moveByKeys(root, () => ({
    ArrowLeft: () => go(here() - 1),
    ArrowRight: () => go(here() + 1),
    Home: () => go(0),
    End: () => go(Infinity),
  }));

  // What stays
  const buttons = stepButtons(here, go);
  const progress = h("output.lm-progress");
  const names = Object.keys(get("predicted"));
  const choice = (name, options, act) =>
    w.bind(
      h(
        "select",
        { onchange: ({ target }) => act({ [name]: target.value }) },
        options.map(([value, label]) => h("option", { value }, label)),
      ),
      name,
    );
  const tag = choice("tag", [["", "anything"], ...tagsOf(get("pairs"))], filter);
  const length = choice("length", Object.entries(LENGTHS), filter);
  const overlay = choice("overlay", [["", "nothing"], ...names.map((name) => [name, name])], put);
  const word = w.bind(
    h("input", { type: "search", dir: "auto", spellcheck: "false", oninput: () => filter({ word: word.value }) }),
    "word",
  );
  const stage = h("div.lm-stage");
  const toolbar = h(
    "div.lm-toolbar",
    buttons.element,
    progress,
    h("label", "Shows", tag),
    h("label", "Length", length),
    h("label", "Contains", word),
    names.length > 0 && h("label", "Compare with", overlay),
  );

  function draw() {
    const shown = chosen();
    const place = shown.indexOf(get("at"));
    const all = get("pairs").length;
    progress.replaceChildren(
      h("b", `${place + 1}`),
      ` of ${shown.length}`,
      shown.length < all ? h("small", ` (all: ${all})`) : "",
    );
    buttons.draw(place, shown.length - 1);
    const view = { ...viewOf(get, shown), put, filter, say };
    redraw(stage, () => stage.replaceChildren(...(shown.length ? drawStage(view) : [h("p.lm-none", NONE)])));
    suppressShortcuts(root);
    revealNew(stage);
    say(shown.length ? spoken(view, place) : NONE);
  }

  whenSized(root, w.atEnd, () => revealNew(stage));
  return w.start([toolbar, stage], ["at", "tag", "length", "word", "overlay"], draw);
}

// Every tag, and how many sentences have it.
function tagsOf(pairs) {
  const counts = new Map();
  for (const tag of pairs.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort().map(([name, count]) => [name, `${name} (${count})`]);
}

// The indices of the pairs that pass the filter.
function filtered(get) {
  const [from, to] = (get("length") || "0-9999").split("-").map(Number);
  const part = get("word").trim().toLocaleLowerCase();
  const passes = ({ source, target, tags }) =>
    (!get("tag") || tags.includes(get("tag"))) &&
    source.length >= from &&
    source.length <= to &&
    (!part || [...source, ...target].some((one) => one.toLocaleLowerCase().includes(part)));
  return get("pairs").flatMap((pair, k) => (passes(pair) ? [k] : []));
}

function viewOf(get, shown) {
  const at = get("at");
  const all = get("predicted")[get("overlay")];
  return {
    at,
    shown,
    languages: get("languages"),
    pairs: get("pairs"),
    pair: get("pairs")[at],
    name: get("overlay"),
    all,
    compared: all?.[at],
  };
}

const partsOf = ({ pair, compared }) => compared ?? { sure: pair.links, possible: pair.possible };

function linksOf(view) {
  const links = partsOf(view);
  return Object.entries(KINDS).flatMap(([kind, look]) =>
    (links[kind] ?? []).map(([i, j]) => ({ i, j, kind, style: `lm-${kind}`, ...look })),
  );
}

function spoken(view, place) {
  const { pair, shown, compared } = view;
  const parts = partsOf(view);
  const counts = (compared ? COMPARED : GOLD).map((kind) => `${parts[kind].length} ${kind}`).join(", ");
  const rate = compared ? `; AER ${compared.aer.toFixed(2)}` : "";
  const [source, target] = [pair.source.join(" "), pair.target.join(" ")];
  return `Sentence ${place + 1} of ${shown.length}: ${source} – ${target} Links: ${counts}${rate}.`;
}

function drawStage(view) {
  const { pair, languages, compared, filter, say } = view;
  const links = linksOf(view);
  const ofWord = (side, index) => links.filter((link) => (side ? link.j : link.i) === index);
  const partners = (side, index) => {
    const [mine, other] = side ? [pair.target, pair.source] : [pair.source, pair.target];
    const named = ofWord(side, index).map(
      (link) => `${other[side ? link.i : link.j]}${link.kind === "sure" ? "" : ` (${KINDS[link.kind].said})`}`,
    );
    return `${mine[index]}: ${named.join(", ") || "no partner"}`;
  };
  const note = h("p.lm-partners", { dir: "auto" }, "Point at a word to see its partners.");
  const select = (side, index, speak) => {
    figure.select(side, index);
    note.textContent = partners(side, index);
    if (speak) say(note.textContent);
  };
  const words = (list, side) =>
    list.map((text, index) =>
      h(
        `button.lm-word${ofWord(side, index).length ? "" : ".lm-alone"}`,
        {
          type: "button",
          "data-key": `word:${side}:${index}`,
          onfocus: () => select(side, index, true),
          onclick: () => select(side, index, true),
          onblur: () => figure.select(),
          onmouseenter: () => select(side, index, false),
          onmouseleave: () => figure.select(),
        },
        text,
      ),
    );
  const figure = drawLinked(words(pair.source, 0), words(pair.target, 1), links, languages);
  for (const row of figure.element.querySelectorAll("ol"))
    Object.assign(row.dataset, { roving: `side${row.dataset.side}`, axis: "x" });
  const kinds = compared ? COMPARED : GOLD;
  const parts = partsOf(view);
  return [
    h(
      "div.lm-figure",
      h("p.lm-languages", h("b", languages[0]), " and ", h("b", languages[1])),
      figure.element,
      note,
      h(
        "ul.lm-legend",
        { "aria-label": "Lines" },
        kinds.map((kind) => h("li", sampleOf(kind), `${KINDS[kind].said} (${parts[kind].length})`)),
      ),
      compared && drawRate(view),
    ),
    h(
      "ul.lm-tags",
      { "aria-label": "Tags of this sentence" },
      pair.tags.map((name) =>
        h(
          "li",
          h(
            "button.lm-tag",
            {
              type: "button",
              "data-key": `tag:${name}`,
              title: `only sentences with: ${name}`,
              onclick: () => filter({ tag: name }),
            },
            name,
          ),
        ),
      ),
    ),
    drawList(view),
  ];
}

function drawList({ pairs, shown, at, put }) {
  const item = (k) =>
    h(
      "li",
      h(
        "button.lm-item",
        { type: "button", "data-key": `item:${k}`, "aria-current": k === at && "true", onclick: () => put({ at: k }) },
        h("span.lm-n", `${k + 1}`),
        h(
          "span",
          h("span.lm-sentence", { dir: "auto" }, pairs[k].source.join(" ")),
          h("small.lm-sentence", { dir: "auto" }, pairs[k].target.join(" ")),
        ),
      ),
    );
  const from = Math.max(0, Math.min(shown.indexOf(at) - LISTED / 2, shown.length - LISTED));
  return h("ol.lm-list", { "data-roving": "list", "data-scroll": "list" }, shown.slice(from, from + LISTED).map(item));
}

function sampleOf(kind) {
  const { width, mark } = KINDS[kind];
  return svg(
    "svg",
    { viewBox: "0 0 36 16", width: 36, height: 16, "aria-hidden": "true" },
    svg(
      `g.lm-link.lm-${kind}`,
      svg("line", { x1: 2, x2: 34, y1: 8, y2: 8, "stroke-width": width }),
      mark && svg("text", { x: 18, y: 13 }, mark),
    ),
  );
}

// AER = 1 − (2 · found + allowed) / (predicted + sure), of the sentence and of all that are shown.
function drawRate({ compared, all, shown, name }) {
  const total = (kind) => shown.reduce((sum, k) => sum + all[k][kind].length, 0);
  const counted = (count) => {
    const [found, allowed, missing, spurious] = COMPARED.map(count);
    return { hits: 2 * found + allowed, predicted: found + allowed + spurious, sure: found + missing, found, allowed };
  };
  const { found, allowed, predicted, sure } = counted((kind) => compared[kind].length);
  const every = counted(total);
  const links = every.predicted + every.sure;
  return h(
    "p.lm-rate",
    h("b", name),
    ": AER = 1 − (2 · found + allowed) / (predicted + sure) = ",
    `1 − (2 · ${found} + ${allowed}) / (${predicted} + ${sure}) = `,
    h("b.lm-aer", compared.aer.toFixed(2)),
    `; over the ${shown.length} shown `,
    h("b.lm-aer-shown", (links ? 1 - every.hits / links : 0).toFixed(3)),
  );
}

export default { render };
