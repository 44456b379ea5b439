// The gate explorer: its controls, its talk with Python, and the arithmetic below the rows that gate_rows.js draws. It
// computes no gate itself: what holding one does comes from Python, or from the variants that were traced beforehand.

import { asking, byData, h, moveByKeys, redraw, widget } from "./base.js";
import { drawHead, drawProbability, drawUnits, drawValue, number, valueAt, visible } from "./gate_rows.js";
import "./gate_explorer.css";

const TRAITS = ["text", "tokens", "reading", "held", "variants", "clamps", "unit", "gate", "position"];
const NO_PYTHON =
  "This page has no Python. It holds one gate at a time, open or shut, in all units; for your own text, several " +
  "gates or a single unit, open the notebook.";

function render(context) {
  const w = widget(context, "lm-gates", "Gate explorer");
  const { get, put, live, root, say } = w;
  const ui = { all: false, order: get("following").length ? "following" : "varied", only: false };
  const change = (values) => {
    Object.assign(ui, values);
    draw();
  };

  // Moving
  const go = (position) => put({ position: Math.min(Math.max(position, 0), get("tokens").length - 1) });
  const step =
    (by, { target }) =>
    () => {
      const follow = target.closest(".lm-token");
      go(get("position") + by);
      if (follow) queueMicrotask(() => byData(grid, "key", `token${get("position")}`)?.focus()); // after the redraw
    };
  moveByKeys(root, (event) => ({ ArrowLeft: step(-1, event), ArrowRight: step(1, event) }));

  // Asking Python. Until it has answered, a request builds on the one before.
  const { said, ask, unanswered } = asking(w, { doing: "Reading …", done: "", refused: "Not read" });
  const latest = () => unanswered().at(-1) ?? { text: get("text"), clamps: get("clamps") };
  const request = (changes) => ask({ ...latest(), ...changes });
  const hold = (gate, value) => {
    const units = ui.only && get("unit") >= 0 ? [get("unit")] : null;
    const clamp = value === "" ? [] : [{ gate, value: Number(value), units }];
    if (live) request({ clamps: [...latest().clamps.filter((one) => one.gate !== gate), ...clamp] });
    else put({ clamps: clamp, held: get("variants")[`${gate}=${value}`] ?? null });
  };
  const release = () => latest().clamps.length && (live ? request({ clamps: [] }) : put({ clamps: [], held: null }));
  const submit = () => request({ text: field.value });

  // What stays
  const field = w.bind(
    h("input", {
      type: "text",
      dir: "auto",
      spellcheck: "false",
      "aria-label": "Your text",
      onkeydown: ({ key }) => key === "Enter" && submit(),
    }),
    "text",
  );
  const free = h("button", { type: "button", onclick: release }, "Let all gates go");
  const summary = h("p.lm-summary");
  const grid = h("div");
  const now = h("div.lm-now");
  const content = [
    h(
      "fieldset.lm-read",
      { disabled: !live },
      h("legend.lm-hidden", "What the cell reads"),
      field,
      h("button.lm-primary", { type: "button", onclick: submit }, "Read"),
    ),
    live ? said : h("p.lm-note", NO_PYTHON),
    h("div.lm-line", summary, free),
    grid,
    now,
  ];

  // What changes
  function draw() {
    const tokens = get("tokens");
    const longest = Math.max(...tokens.map((token) => visible(token).length));
    const width = Math.min(120, Math.max(24, 12 + 8 * longest)); // of a token, in pixels
    const view = { width, position: get("position"), go, put, hold, change };
    summary.replaceChildren(...drawSummary(get));
    free.setAttribute("aria-disabled", !get("clamps").length); // not `disabled`: that would lose the focus
    redraw(root, () => {
      const style = `--strip:${tokens.length * width}px;--token:${width}px`;
      const scroll = {
        role: "region",
        tabindex: 0,
        "aria-label": "Values over time",
        "data-key": "grid",
        "data-scroll": "grid",
      };
      grid.replaceChildren(
        h(
          "div.lm-scroll-x",
          scroll,
          h(
            "div.lm-table",
            { style },
            drawHead(get, view),
            Object.keys(get("names")).map((name) => drawValue(get, name, view)),
            get("reading").given && drawProbability(get, view),
            drawUnits(get, ui, view),
          ),
        ),
      );
    });
    now.replaceChildren(drawArithmetic(get), ...(get("reading").best ? [drawExpectation(get)] : []));
    say(sentenceOf(get));
  }

  return w.start(content, TRAITS, draw);
}

function drawSummary(get) {
  const told = ({ gate, value, units }) =>
    `the ${get("names")[gate]} ${{ 1: "open", 0: "shut" }[value] ?? `at ${value}`}` +
    (units ? ` in unit ${units.join(", ")}` : "");
  const holding = get("held") && `with ${get("clamps").map(told).join(" and ")}`;
  if (get("reading").translation !== undefined) {
    const line = (how, { translation }) =>
      h("span.lm-written", `${how}: `, h("b", { dir: "auto" }, translation || "–"));
    const held = holding && line(`Translated ${holding}`, get("held"));
    const where = h("span.lm-written", get("where"));
    return [where, line(holding ? "Translated freely" : "Translated", get("reading")), held].filter(Boolean);
  }
  const bits = (reading) => h("b", `${reading.bits.toFixed(2)} bits`);
  const held = holding && [" reading freely, by ", bits(get("held")), ` ${holding}`];
  return ["The model is surprised by ", bits(get("reading")), " a token", ...(held || []), "."];
}

// What one unit computes at the chosen token, in numbers.
function drawArithmetic(get) {
  const unit = get("unit");
  const t = get("position");
  const hint =
    "Choose a unit to see its arithmetic. Means of states and candidates are means of their sizes, without the sign.";
  if (unit < 0) return h("p.lm-note", hint);
  const { values } = get("held") ?? get("reading");
  const at = (name) => values[name][t][unit];
  const factor = (value) => (value < 0 ? `(${number(value)})` : number(value));
  const sum = (a, b, c, d) => `${factor(a)} × ${factor(b)} + ${factor(c)} × ${factor(d)}`;
  const before = (name) => values[name][t + (get("reverse") ? 1 : -1)]?.[unit] ?? 0; // in the order of reading
  const past = h("sub", get("reverse") ? "t+1" : "t−1");
  const lines = {
    LSTMCell: () => [
      ["c", ["f c", past, " + i c̃"], sum(at("f"), before("c"), at("i"), at("candidate"))],
      ["h", ["o tanh(c)"], `${factor(at("o"))} × tanh ${factor(at("c"))}`],
    ],
    GRUCell: () => [
      get("reset") === "before"
        ? ["h", ["(1 − z) h", past, " + z h̃"], sum(1000 - at("z"), before("h"), at("z"), at("candidate"))]
        : ["h", ["z h", past, " + (1 − z) h̃"], sum(at("z"), before("h"), 1000 - at("z"), at("candidate"))],
    ],
    RNNCell: () => [],
  }[get("kind")]();
  const isHeld = (name) => get("clamps").some(({ gate, units }) => gate === name && (!units || units.includes(unit)));
  return h(
    "ul.lm-equations",
    lines.map(([name, formula, numbers]) =>
      h(
        "li",
        h("i", name),
        isHeld(name) ? " is held at " : [" = ", formula, ` = ${numbers} = `],
        h("b", number(at(name))),
      ),
    ),
  );
}

// What the model expects after the chosen token.
function drawExpectation(get) {
  const tokens = get("tokens");
  const t = get("position");
  const code = (text) => h("code", { dir: "auto" }, text);
  const guess = ([token, p], k) => [k ? ", " : "", code(visible(token)), ` ${number(p)}`];
  const guesses = ({ best }) => best[t].flatMap(guess);
  const read = tokens.slice(Math.max(0, t - 11), t + 1).map(visible);
  return h(
    "p.lm-expects",
    "After ",
    code(read.join(tokens.some((token) => token.length > 1) ? " " : "")),
    " it expects ",
    guesses(get("held") ?? get("reading")),
    get("held") && [" (free: ", guesses(get("reading")), ")"],
    t + 1 < tokens.length ? ["; the text goes on with ", code(visible(tokens[t + 1]))] : "",
    ".",
  );
}

function sentenceOf(get) {
  const t = get("position");
  const names = Object.entries(get("names"));
  const whose = get("unit") < 0 ? "mean of all units" : `unit ${get("unit")}`;
  const current = get("held") ?? get("reading");
  const values = names.map(([name, called]) => `${called} ${number(valueAt(get, current, name, t))}`);
  return `Token ${t + 1}, ${visible(get("tokens")[t])}, ${whose}: ${values.join(", ")}.`;
}

export default { render };
