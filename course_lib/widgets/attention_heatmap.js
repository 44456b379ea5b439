// The attention heatmap: its controls, its talk with Python, and one panel for each translator. Weights, hard links,
// error rates and what forcing does are Python's.

import { asking, h, moveByKeys, redraw, widget } from "./base.js";
import { drawHeatmap } from "./heatmap_grid.js";
import { drawLines } from "./heatmap_lines.js";
import { drawNext, spokenNext } from "./heatmap_next.js";
import { drawForced, drawLegend, drawRates } from "./heatmap_notes.js";
import { looksAt } from "./heatmap_said.js";
import { withMotion } from "./motion.js";
import { timeline } from "./timeline.js";
import "./attention_heatmap.css";

const TRAITS = ["views", "at", "level", "hard", "reference", "form", "step"];
const FORMS = { grid: "Grid", lines: "Lines", movie: "Movie" };
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
    onchange: () => put({ at: Number(sentence.value), text: get("views")[sentence.value].text, step: 1 }),
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
  const choose = (form) => put({ form, step: get("step") < last() ? Math.max(get("step"), 1) : 1 });
  const forms = Object.entries(FORMS).map(([form, text]) =>
    h("button", { type: "button", "data-form": form, onclick: () => choose(form) }, text),
  );
  const last = () => Math.max(0, ...viewNow().models.map((model) => mapOf(get, model)?.target.length ?? 0));
  const time = timeline({
    now: () => Math.min(get("step"), last()),
    last,
    go: (step) => put({ step }),
    unit: () => get("level"),
    draw: () => draw(),
    atEnd: w.atEnd,
  });
  const player = h("div.lm-time", time.elements);
  moveByKeys(root, () => (get("form") === "movie" ? time.keys : {}));
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
      h("div.lm-forms", { role: "group", "aria-label": "Form" }, forms),
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
  let shown; // what the picture showed last: only a step of the same movie moves
  function draw() {
    const view = viewNow();
    const movie = get("form") === "movie";
    const step = Math.min(get("step"), last());
    if (!movie) time.stop();
    chosen.hidden = get("views").length < 2;
    sentence.replaceChildren(
      ...get("views").map(({ text }, value) => h("option", { value, selected: value === get("at") }, text)),
    );
    writes.hidden = !view.gold;
    for (const button of forms) button.setAttribute("aria-pressed", button.dataset.form === get("form"));
    if (!movie) player.remove();
    else if (!player.parentNode) panels.before(player); // moved, it would lose the focus
    time.draw();
    const selects = new Map(); // a source word that is pointed at in one panel is marked in the others
    const share = (from, column) =>
      get("level") === "words" && selects.forEach((select, name) => name !== from && select(undefined, column));
    const places = []; // what puts the lines between the words, before motion asks where they are
    const its = {
      live,
      ask,
      say,
      share,
      selects,
      places,
      step: movie ? step : undefined,
      go: (to) => put({ step: to }),
    };
    const before = shown;
    shown = JSON.stringify(TRAITS.map((trait) => trait !== "step" && get(trait)));
    redraw(root, () => {
      panels.classList.toggle("lm-wide", get("form") !== "grid");
      withMotion(panels, movie && before === shown, () => {
        panels.replaceChildren(...view.models.map((model) => drawModel(get, view, model, its)));
        for (const place of places) place();
      });
      legend.replaceChildren(...drawLegend(legendOf(get, view)));
    });
    if (!time.playing()) say(view.models.map((model) => spoken(get, model, its.step)).join(" "));
  }

  return w.start(content, TRAITS, draw);
}

const given = (get, model) => get("reference") && model.reference;
const readingOf = (get, model) => given(get, model) || model.held || model.free;
const mapOf = (get, model) => readingOf(get, model).levels?.[get("level")];

// What the movie shows beside the word that it writes at this step; null where there is none.
function nextOf(get, model, step) {
  const [reading, map] = [readingOf(get, model), mapOf(get, model)];
  if (!step || !map || !reading.likeliest) return null;
  return map.steps[Math.min(step, map.target.length) - 1].map((t) => reading.likeliest[t]);
}

function spoken(get, model, step) {
  const map = mapOf(get, model);
  if (step === undefined || !map) return `${model.name}: ${readingOf(get, model).translation.join(" ")}.`;
  if (!step) return `${model.name}: nothing is written yet.`;
  const looks = h("p", looksAt(map, Math.min(step, map.target.length) - 1)).textContent;
  return `${model.name}: ${looks}${spokenNext(nextOf(get, model, step) ?? [])}`;
}

function legendOf(get, view) {
  const readings = view.models.map((model) => readingOf(get, model));
  return {
    form: get("form"),
    hard: get("hard"),
    gold: get("level") === "words" && readings.some(({ rate }) => rate),
    possible: view.gold?.possible.length > 0,
    next: get("form") === "movie" && readings.some(({ likeliest }) => likeliest),
    live: get("live"),
  };
}

function drawModel(get, view, model, { live, ask, say, share, selects, places, step, go }) {
  const askOfShown = (request) => ask({ ...request, shown: view.text }); // Python may have another sentence by then
  const reading = readingOf(get, model);
  const { name } = model;
  const told = h("p.lm-told", { role: "status" });
  const force = (row, column) => {
    if (!live) told.textContent = "To force a word’s attention needs Python: open the notebook.";
    else if (given(get, model))
      told.textContent = "Here the words are given. Let the translators write their own words to force one.";
    else askOfShown({ force: { model: name, row, column, level: get("level") } });
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
  const drawn = get("form") === "grid" ? drawHeatmap : drawLines;
  const { elements, select, place } = drawn(map, {
    name,
    hard: get("hard"),
    marks,
    forced,
    force,
    say,
    share: (column) => share(name, column),
    step,
    go,
  });
  const next = nextOf(get, model, step);
  selects.set(name, select);
  if (place) places.push(place);
  return h(
    "section.lm-panel",
    { "aria-label": name },
    heading,
    elements,
    next && drawNext(next, name, map.target[Math.min(step, map.target.length) - 1]),
    told,
    !given(get, model) && model.forced.length > 0 && drawForced(model, live, askOfShown),
    view.gold && drawRates(view.gold, reading),
  );
}

function marksOf({ sure, possible }) {
  const places = (links, kind) => links.map(([column, row]) => [`${row}:${column}`, kind]);
  return Object.fromEntries([...places(possible, "possible"), ...places(sure, "sure")]);
}

export default { render };
