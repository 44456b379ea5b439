// The attention heatmap: its controls, its talk with Python, and one panel for each translator. Weights, hard links,
// error rates and what forcing does are Python's.

import { asking, h, redraw, widget } from "./base.js";
import { drawHeatmap, GOLD } from "./heatmap_grid.js";
import "./attention_heatmap.css";

const TRAITS = ["views", "at", "level", "hard", "reference"];
const NO_PYTHON =
  "This page has no Python. It shows the sentences that it holds; to translate your own, or to force a word’s " +
  "attention, open the notebook.";

function render(context) {
  const w = widget(context, "lm-heatmap", "Attention heatmap");
  const { get, put, live, root, say } = w;
  const { said, ask } = asking(w, { doing: "Translating …", done: "", refused: "Not translated" });
  const viewNow = () => get("views")[get("at")];
  const submit = () => ask({ read: field.value });

  // What stays
  const field = w.bind(
    h("input", {
      type: "text",
      dir: "auto",
      spellcheck: "false",
      "aria-label": "Your sentence",
      onkeydown: ({ key }) => key === "Enter" && submit(),
    }),
    "text",
  );
  const sentence = h("select", {
    onchange: () => put({ at: Number(sentence.value), text: get("views")[sentence.value].text }),
  });
  const option = (trait, label, values) =>
    h(
      "label",
      label,
      w.bind(
        h(
          "select",
          { onchange: ({ target }) => put({ [trait]: values[target.value][0] }) },
          values.map(([, text], value) => h("option", { value }, text)),
        ),
        trait,
        () => values.findIndex(([value]) => value === get(trait)),
      ),
    );
  const chosen = h("label.lm-chosen", "Sentence", sentence);
  const writes = option("reference", "The translators write", [
    [false, "their own words"],
    [true, "the gold translation"],
  ]);
  const panels = h("div.lm-panels");
  const legend = h("ul.lm-legend", { "aria-label": "Legend" });
  const content = [
    h(
      "fieldset.lm-read",
      { disabled: !live },
      h("legend.lm-hidden", "What is translated"),
      field,
      h("button.lm-primary", { type: "button", onclick: submit }, "Translate"),
    ),
    live ? said : h("p.lm-note", NO_PYTHON),
    h(
      "div.lm-toolbar",
      chosen,
      option("level", "Units", [
        ["words", "words"],
        ["pieces", "subword pieces"],
      ]),
      option("hard", "Alignment", [
        [false, "soft: all weights"],
        [true, "hard: the largest weight of each row"],
      ]),
      writes,
    ),
    panels,
    legend,
  ];

  // What changes
  function draw() {
    const view = viewNow();
    chosen.hidden = get("views").length < 2;
    sentence.replaceChildren(
      ...get("views").map(({ text }, value) => h("option", { value, selected: value === get("at") }, text)),
    );
    writes.hidden = !view.gold;
    const selects = new Map(); // a source word that is pointed at in one panel is marked in the others
    const share = (from, column) =>
      get("level") === "words" && selects.forEach((select, name) => name !== from && select(undefined, column));
    redraw(root, () => {
      panels.replaceChildren(
        ...view.models.map((model) => drawModel(get, view, model, { live, ask, say, share, selects })),
      );
      legend.replaceChildren(...drawLegend(get, view));
    });
    say(view.models.map((model) => `${model.name}: ${readingOf(get, model).translation.join(" ")}.`).join(" "));
  }

  return w.start(content, TRAITS, draw);
}

const given = (get, model) => get("reference") && model.reference;
const readingOf = (get, model) => given(get, model) || model.held || model.free;

function drawModel(get, view, model, { live, ask, say, share, selects }) {
  const reading = readingOf(get, model);
  const { name } = model;
  const told = h("p.lm-told", { role: "status" });
  const force = (row, column) => {
    if (!live) told.textContent = "To force a word’s attention needs Python: open the notebook.";
    else if (given(get, model))
      told.textContent = "Here the words are given. Let the translators write their own words to force one.";
    else ask({ force: { model: name, row, column, level: get("level") } });
  };
  const heading = h("h4", name);
  if (!reading.levels)
    return h(
      "section.lm-panel.lm-bare",
      { "aria-label": name },
      heading,
      h("p.lm-sentence", h("bdi", reading.translation.join(" "))),
      h("p.lm-note", "This translator has no attention: all it knows of the source stands in one vector."),
    );
  const map = reading.levels[get("level")];
  const marks = reading.rate && get("level") === "words" ? marksOf(view.gold) : {};
  const forced = new Set((!given(get, model) && model.rows?.[get("level")]) || []);
  const { elements, select } = drawHeatmap(map, {
    name,
    hard: get("hard"),
    marks,
    forced,
    force,
    say,
    share: (column) => share(name, column),
  });
  selects.set(name, select);
  return h(
    "section.lm-panel",
    { "aria-label": name },
    heading,
    elements,
    told,
    !given(get, model) && model.forced.length > 0 && drawForced(model, live, ask),
    view.gold && drawRates(view.gold, reading),
  );
}

function marksOf({ sure, possible }) {
  const places = (links, kind) => links.map(([column, row]) => [`${row}:${column}`, kind]);
  return Object.fromEntries([...places(possible, "possible"), ...places(sure, "sure")]);
}

// What was forced, and both translations with what differs.
function drawForced({ name, forced, differences }, live, ask) {
  const marked = (words, tag) => words.flatMap(([word, kept]) => [" ", kept ? word : h(tag, word)]);
  const same = [...differences.before, ...differences.after].every(([, kept]) => kept);
  return h(
    "div.lm-intervention",
    h(
      "p",
      forced.map(({ target, source }, k) => [
        k ? "; where" : "Where",
        " it wrote ",
        h("b", h("bdi", target)),
        " it looks only at ",
        h("b", h("bdi", source)),
      ]),
      ".",
    ),
    h("p", h("small", "before"), " ", h("bdi", marked(differences.before, "del"))),
    h("p", h("small", "after"), " ", h("bdi", marked(differences.after, "ins"))),
    same && h("p.lm-note", "The translation stays the same."),
    live &&
      h("button", { type: "button", "data-key": `undo:${name}`, onclick: () => ask({ undo: name }) }, "Undo the last"),
  );
}

// AER of this translator and of others on the same words.
function drawRates({ others }, { rate }) {
  if (!rate)
    return h(
      "p.lm-note",
      "It writes other words than the gold translation, so the gold links do not fit. ",
      "Let the translators write the gold translation to compare.",
    );
  const formula = ({ aer, found, links }) => [
    `1 − (${found.join(" + ")}) / (${links.join(" + ")}) = `,
    h("b", aer.toFixed(2)),
  ];
  return h(
    "ul.lm-rates",
    { "aria-label": "Alignment error rates" },
    h("li", h("span", "AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) = "), h("span.lm-aer", formula(rate))),
    others.map((other) => h("li", h("span", `${other.name}: `), h("span.lm-aer", formula(other)))),
  );
}

function drawLegend(get, view) {
  const sample = (name, share) =>
    h(`span.lm-cell.${name}`, { "aria-hidden": "true" }, share && h("i", { style: `--share:${share}` }));
  const gold = get("level") === "words" && view.models.some((model) => readingOf(get, model).rate);
  return [
    h("li", sample("lm-plain", 1), get("hard") ? "the largest weight of its row, taken as 1" : "area: the weight"),
    get("hard") && h("li", sample("lm-soft", 0.7), "a weight that the hard alignment drops"),
    gold && h("li", sample("lm-sure"), GOLD.sure),
    gold && view.gold.possible.length > 0 && h("li", sample("lm-possible"), GOLD.possible),
    get("live") && h("li", "Click a cell, or press Enter on it, to force this word to look there alone."),
  ].filter(Boolean);
}

export default { render };
