// The gate explorer: its controls, its talk with Python, and the arithmetic below the rows that gate_rows.js draws. It
// computes no gate itself: what holding one does comes from Python, or from the variants that were traced beforehand.

const PATIENCE = 30000; // milliseconds
const TRAITS = ["text", "tokens", "reading", "held", "variants", "clamps", "unit", "gate", "position"];
const NO_PYTHON =
  "This page has no Python. It holds one gate at a time, open or shut, in all units; for your own text, several gates " +
  "or a single unit, open the notebook.";

function render({ model, el }) {
  const get = (name) => model.get(name);
  const live = get("live");
  const ui = { all: false, order: "varied", only: false, asked: 0, waiting: null, scheduled: false };
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const change = (values) => {
    Object.assign(ui, values);
    draw();
  };

  // Moving
  const go = (position) => put({ position: Math.min(Math.max(position, 0), get("tokens").length - 1) });
  const onkeydown = (event) => {
    if (usesArrows(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = { ArrowLeft: get("position") - 1, ArrowRight: get("position") + 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const follow = event.target.closest(".lm-token");
    go(to);
    if (follow) queueMicrotask(() => find(grid, "key", `token${get("position")}`)?.focus()); // after the redraw
  };

  // Asking Python
  const ask = (text, clamps) => {
    clearTimeout(ui.waiting);
    const silence = "No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?";
    ui.waiting = setTimeout(() => say(silence), PATIENCE);
    say("Reading …");
    model.send({ read: text, clamps, id: ++ui.asked });
  };
  const onAnswer = ({ id, error }) => {
    if (id !== ui.asked) return;
    clearTimeout(ui.waiting);
    say(error ? `Not read: ${error}.` : "", Boolean(error));
    if (error) draw();
  };
  const hold = (gate, value) => {
    const units = ui.only && get("unit") >= 0 ? [get("unit")] : null;
    const clamp = value === "" ? [] : [{ gate, value: Number(value), units }];
    if (live) ask(get("text"), [...get("clamps").filter((one) => one.gate !== gate), ...clamp]);
    else put({ clamps: clamp, held: get("variants")[`${gate}=${value}`] ?? null });
  };
  const release = () => (live ? ask(get("text"), []) : put({ clamps: [], held: null }));
  const submit = () => ask(field.value, get("clamps"));

  // What stays
  const field = h("input", {
    type: "text", spellcheck: "false", maxlength: 400, "aria-label": "Your text",
    onkeydown: ({ key }) => key === "Enter" && submit(),
  });
  const read = h("button", { type: "button", class: "lm-primary", onclick: submit }, "Read");
  const free = h("button", { type: "button", onclick: release }, "Let all gates go");
  const said = h("p", { class: "lm-said", role: "status" });
  const summary = h("p", { class: "lm-summary" });
  const grid = h("div");
  const now = h("div", { class: "lm-now" });
  const status = h("p", { role: "status", class: "lm-hidden" });
  const say = (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("lm-bad", bad);
  };
  const root = h("section", { class: "lm-widget lm-gates", "aria-label": "Gate explorer", tabindex: -1, onkeydown },
    h("fieldset", { class: "lm-read", disabled: !live },
      h("legend", { class: "lm-hidden" }, "What the cell reads"), field, read),
    !live && h("p", { class: "lm-note" }, NO_PYTHON),
    said, h("div", { class: "lm-line" }, summary, free), grid, now, status);

  // What changes
  function draw() {
    const tokens = get("tokens");
    const longest = Math.max(...tokens.map((token) => visible(token).length));
    const width = Math.min(120, Math.max(24, 12 + 8 * longest)); // of a token, in pixels
    const view = { width, position: get("position"), go, put, hold, change };
    if (root.getRootNode().activeElement !== field) field.value = get("text");
    summary.replaceChildren(...drawSummary(get));
    free.disabled = !get("clamps").length;
    redraw(root, () => {
      const style = `--strip:${tokens.length * width}px;--token:${width}px`;
      const scroll = { class: "lm-scroll-x", role: "region", tabindex: 0, "aria-label": "Values over time" };
      grid.replaceChildren(h("div", { ...scroll, "data-key": "grid" }, h("div", { class: "lm-table", style },
        drawHead(get, view),
        Object.keys(get("names")).map((name) => drawValue(get, name, view)),
        drawProbability(get, view),
        drawUnits(get, ui, view))));
    });
    now.replaceChildren(drawArithmetic(get), drawExpectation(get));
    const sentence = sentenceOf(get);
    if (status.textContent !== sentence) status.textContent = sentence;
  }

  // All that Python changes at once is drawn at once.
  const schedule = () => {
    if (ui.scheduled) return;
    ui.scheduled = true;
    queueMicrotask(() => {
      ui.scheduled = false;
      if (get("reading").values[get("gate")].length === get("tokens").length) draw();
    });
  };
  const listeners = { [TRAITS.map((name) => `change:${name}`).join(" ")]: schedule, "msg:custom": onAnswer };
  for (const [names, listener] of Object.entries(listeners)) model.on(names, listener);
  draw();
  el.append(root);
  return () => {
    clearTimeout(ui.waiting);
    for (const [names, listener] of Object.entries(listeners)) model.off(names, listener);
  };
}

function drawSummary(get) {
  const bits = (reading) => h("b", {}, `${reading.bits.toFixed(2)} bits`);
  const told = ({ gate, value, units }) =>
    `the ${get("names")[gate]} ${{ 1: "open", 0: "shut" }[value] ?? `at ${value}`}` +
    (units ? ` in unit ${units.join(", ")}` : "");
  const held = get("held") && [" reading freely, by ", bits(get("held")), ` with ${get("clamps").map(told).join(" and ")}`];
  return ["The model is surprised by ", bits(get("reading")), " a token", ...(held || []), "."];
}

// What one unit computes at the chosen token, in numbers.
function drawArithmetic(get) {
  const unit = get("unit");
  const t = get("position");
  const hint = "Choose a unit to see its arithmetic. Means of states and candidates are means of their sizes, without the sign.";
  if (unit < 0) return h("p", { class: "lm-note" }, hint);
  const { values } = get("held") ?? get("reading");
  const at = (name) => values[name][t][unit];
  const factor = (value) => (value < 0 ? `(${number(value)})` : number(value));
  const sum = (a, b, c, d) => `${factor(a)} × ${factor(b)} + ${factor(c)} × ${factor(d)}`;
  const before = (name) => (t ? values[name][t - 1][unit] : 0);
  const past = h("sub", {}, "t−1");
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
  return h("ul", { class: "lm-equations" }, lines.map(([name, formula, numbers]) =>
    h("li", {}, h("i", {}, name), isHeld(name) ? " is held at " : [" = ", formula, ` = ${numbers} = `],
      h("b", {}, number(at(name))))));
}

// What the model expects after the chosen token.
function drawExpectation(get) {
  const tokens = get("tokens");
  const t = get("position");
  const code = (text) => h("code", {}, text);
  const guess = ([token, p], k) => [k ? ", " : "", code(visible(token)), ` ${number(p)}`];
  const guesses = ({ best }) => best[t].flatMap(guess);
  const read = tokens.slice(Math.max(0, t - 11), t + 1).map(visible);
  return h("p", { class: "lm-expects" },
    "After ", code(read.join(tokens.some((token) => token.length > 1) ? " " : "")),
    " it expects ", guesses(get("held") ?? get("reading")),
    get("held") && [" (free: ", guesses(get("reading")), ")"],
    t + 1 < tokens.length ? ["; the text goes on with ", code(visible(tokens[t + 1]))] : "", ".");
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
