// The n-gram explorer draws what Python has counted: `edited` where there is something in it, else the chosen output's
// view.

import { asking, h, redraw, suppressShortcuts, textArea, widget } from "./base.js";
import { drawFactors } from "./bleu_factors.js";
import { drawNgrams } from "./ngram_rows.js";
import "./stepper.css";
import "./ngram_explorer.css";

const TYPED = 150; // milliseconds after a key until Python is asked
const PAUSE = 500; // until it is asked for TER of a long text, which takes it seconds
const SMOOTHINGS = {
  none: "none: p may be 0",
  floor: "floor: 0.1 match in place of 0",
  "add-k": "add-k: 1 more match from p₂ on",
  exp: "exp: 1/2, 1/4, … match in place of 0",
};
const MORE = "more is better";
const SCORES = [
  ["bleu", "BLEU", MORE],
  ["chrf", "chrF", MORE],
  ["ter", "TER", "less is better"],
];
const same = (one, other) => one.trim().split(/\s+/).join(" ") === other.trim().split(/\s+/).join(" ");

function render(context) {
  const w = widget(context, "lm-ngrams", "N-gram explorer");
  const { get, put, on, live, root, say, atEnd } = w;
  const isEdited = () => "orders" in get("edited");
  const view = () => (isEdited() ? get("edited") : get("views")[get("at")]);

  // The text that is scored. What the reader types is not overwritten by an answer to what stood there before.
  const field = textArea("Output", 2);
  let typed = null;
  const { said, ask } = asking(w, { doing: "", done: "", refused: "Not scored" }, (error) => {
    if (error) typed = null; // it was refused: what Python shows next is shown
  });
  const waiting = {};
  const forget = () => Object.values(waiting).forEach(clearTimeout);
  const editSoon = () => {
    typed = field.value;
    forget();
    waiting.typed = setTimeout(() => ask({ edit: field.value }), TYPED);
  };
  atEnd(forget);
  field.addEventListener("input", editSoon);
  field.readOnly = !live;
  const fill = () => {
    if (typed !== null && !same(typed, get("text"))) return;
    if (!same(field.value, get("text"))) field.value = get("text");
    typed = null;
  };
  on("change:text", fill);
  fill();

  const choose = (at) => {
    forget();
    typed = null;
    put({ at, picked: [], edited: {}, text: get("outputs")[at] });
    fill();
  };
  const options = get("names").map((name, k) => h("option", { value: k }, name));
  const chosen = w.bind(h("select", { onchange: ({ target }) => choose(Number(target.value)) }, options), "at");
  const smoothing = w.bind(
    h(
      "select",
      { disabled: !live, onchange: ({ target }) => ask({ smooth: target.value }) },
      Object.entries(SMOOTHINGS).map(([value, name]) => h("option", { value }, name)),
    ),
    "smoothing",
  );
  const giveBack = () => {
    choose(get("at"));
    field.focus(); // the button goes, and would take the focus with it
  };
  const back = h("button", { type: "button", onclick: giveBack }, "Back to the given output");
  const toolbar = h(
    "div.lm-fields",
    options.length > 1 && h("label", "Given outputs", chosen),
    h("label", "Smoothing of BLEU", smoothing),
    back,
  );
  const edit = h(
    "div.lm-edit",
    h("label", h("span", live ? "Output: edit it, and every number follows" : "Output"), field),
    !live &&
      h(
        "p.lm-note",
        "This page runs without Python: the output cannot be edited. Run the cell in the notebook for that.",
      ),
    said,
  );
  const scores = h("ul.lm-scores", { "aria-label": "Scores" });
  const stage = h("div");
  let ngrams = null;

  function draw() {
    const now = view();
    const given = get("views")[get("at")];
    back.hidden = !isEdited();
    redraw(root, () => {
      scores.replaceChildren(
        ...SCORES.map(([key, ...about]) => drawScore(now[key], isEdited() && given[key], ...about)),
      );
      ngrams = drawNgrams(now, { get, put, say });
      stage.replaceChildren(ngrams.element, drawFactors(now, get("smoothing")));
    });
    suppressShortcuts(root);
    ngrams.mark();
    if (now.ter === null && live) {
      clearTimeout(waiting.pause);
      waiting.pause = setTimeout(() => ask({ add_ter: true }), PAUSE);
    }
    say(SCORES.map(([key, name]) => `${name} ${now[key]?.toFixed(1) ?? "follows"}`).join(", "));
  }

  on("change:picked", () => ngrams.mark());
  return w.start([toolbar, edit, scores, stage], ["views", "at", "edited", "smoothing"], draw);
}

// With the given output's score beside it, where the reader has edited that.
function drawScore(value, given, name, note) {
  if (value === null) return h("li", { "data-score": name }, h("span", name), h("b", "…"), h("small", "follows"));
  const change = Number(value.toFixed(1)) - (given === false ? 0 : Number(given.toFixed(1)));
  const size = Math.abs(change).toFixed(1);
  const better = change > 0 === (note === MORE);
  const moved = size === "0.0" ? "as before" : `${change > 0 ? "+" : "−"}${size}, ${better ? "better" : "worse"}`;
  const beside = given === false ? note : `${moved} (given: ${given.toFixed(1)})`;
  return h("li", { "data-score": name }, h("span", name), h("b", value.toFixed(1)), h("small", beside));
}

export default { render };
