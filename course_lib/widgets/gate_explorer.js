// The gate explorer draws what gate_explorer.py traced: squares by area, filled above zero and hollow below. It computes
// no gate itself: what holding one does comes from Python, or from the variants that were traced beforehand.

const SVG = "http://www.w3.org/2000/svg", ROW = 24, FEW = 8, PATIENCE = 30000;
const SYMBOLS = { candidate: { LSTMCell: "c̃", GRUCell: "h̃" } };
const HOLDS = [["", "free"], ["1", "open (1)"], ["0.5", "half (0.5)"], ["0", "shut (0)"]];
const GATES = "fiorz";
const TRAITS = ["text", "tokens", "reading", "held", "variants", "clamps", "unit", "gate", "position"];

const number = (thousandths) => (thousandths / 1000).toFixed(2).replace("-", "−");
const factor = (thousandths) => (thousandths < 0 ? `(${number(thousandths)})` : number(thousandths));
const visible = (token) => ({ " ": "␣", "\n": "⏎", "\t": "⇥" })[token] ?? token;
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  const ui = { all: false, order: "varied", only: false, asked: 0, waiting: null };
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const symbol = (name) => SYMBOLS[name]?.[get("kind")] ?? name;
  const called = (name) => `${symbol(name)} ${get("names")[name]}`;

  // Moving, and asking Python
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
  const ask = (text, clamps) => {
    clearTimeout(ui.waiting);
    ui.waiting = setTimeout(() => say("No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?"), PATIENCE);
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
    if (get("live")) ask(get("text"), [...get("clamps").filter((one) => one.gate !== gate), ...clamp]);
    else put({ clamps: clamp, held: get("variants")[`${gate}=${value}`] ?? null });
  };
  const release = () => (get("live") ? ask(get("text"), []) : put({ clamps: [], held: null }));

  // What stays
  const live = get("live");
  const field = h("input", { type: "text", spellcheck: "false", "aria-label": "Your text", maxlength: 400, onkeydown: (event) => event.key === "Enter" && ask(field.value, get("clamps")) });
  const read = h("button", { type: "button", class: "lm-primary", onclick: () => ask(field.value, get("clamps")) }, "Read");
  const free = h("button", { type: "button", onclick: release }, "Let all gates go");
  const said = h("p", { class: "lm-said", role: "status" });
  const summary = h("p", { class: "lm-summary" });
  const grid = h("div", { class: "lm-over-time" });
  const now = h("div", { class: "lm-now" });
  const status = h("p", { role: "status", class: "lm-hidden" });
  const say = (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("lm-bad", bad);
  };
  const root = h("section", { class: "lm-widget lm-gates", "aria-label": "Gate explorer", tabindex: -1, onkeydown },
    h("fieldset", { class: "lm-read", disabled: !live }, h("legend", { class: "lm-hidden" }, "What the cell reads"), field, read),
    !live && h("p", { class: "lm-note" }, "This page has no Python. It holds one gate at a time, open or shut, in all units; for your own text, several gates or a single unit, open the notebook."),
    said, h("div", { class: "lm-line" }, summary, free), grid, now, status);

  // What changes
  function draw() {
    const { tokens, unit, position } = Object.fromEntries(["tokens", "unit", "position"].map((name) => [name, get(name)]));
    const reading = get("reading"), held = get("held"), current = held ?? reading;
    const width = Math.min(120, Math.max(24, 12 + 8 * Math.max(...tokens.map((token) => visible(token).length))));
    const draws = { width, position, go };
    if (document.activeElement !== field && field.getRootNode().activeElement !== field) field.value = get("text");
    const bits = ({ bits }) => h("b", {}, `${bits.toFixed(2)} bits`);
    summary.replaceChildren("The model is surprised by ", bits(reading), " a token", ...(held ? [" reading freely, by ", bits(held), ` with ${get("clamps").map(told).join(" and ")}.`] : ["."]));
    free.disabled = !get("clamps").length;

    redraw(root, () => {
      const rows = Object.keys(get("names")).map((name) => valueRow(name, reading, held, draws));
      grid.replaceChildren(h("div", { class: "lm-scroll-x", role: "region", tabindex: 0, "aria-label": "Values over time", "data-key": "grid" },
        h("div", { class: "lm-table", style: `--strip:${tokens.length * width}px;--token:${width}px` },
          h("div", { class: "lm-row lm-head" }, h("span", { class: "lm-label" }, unit < 0 ? `Mean of all ${get("units")} units` : `Unit ${unit}`),
            h("div", { class: "lm-tokens", role: "group", "aria-label": "Tokens", "data-roving": "tokens" }, tokens.map((token, t) => h("button", { type: "button", class: "lm-token", "data-key": `token${t}`, "aria-current": t === position ? "step" : null, "aria-label": `token ${t + 1}: ${visible(token)}`, onclick: () => go(t) }, visible(token)))),
            h("span", { class: "lm-value" }, `at ${position + 1}`)),
          rows, probabilityRow(reading, held, draws), unitRows(current, draws))));
    });
    now.replaceChildren(equations(reading, current), expectation(reading, held));
    const values = Object.keys(get("names")).map((name) => `${get("names")[name]} ${number(at(current, name, position))}`);
    const sentence = `Token ${position + 1}, ${visible(tokens[position])}, ${unit < 0 ? "mean of all units" : `unit ${unit}`}: ${values.join(", ")}.`;
    if (status.textContent !== sentence) status.textContent = sentence;
  }

  const told = ({ gate, value, units }) => `the ${get("names")[gate]} ${{ 1: "open", 0: "shut" }[value] ?? `at ${value}`}${units ? ` in unit ${units.join(", ")}` : ""}`;

  // A value of the chosen unit, or the mean: of gates as they are, of what has a sign without it.
  const signed = (name) => !GATES.includes(name);
  function at(reading, name, t) {
    const values = reading.values[name][t], unit = get("unit");
    return unit >= 0 ? values[unit] : mean(signed(name) ? values.map(Math.abs) : values);
  }

  function valueRow(name, reading, held, draws) {
    const label = get("unit") < 0 && signed(name) ? `|${symbol(name)}|` : symbol(name), times = get("tokens").map((_, t) => t);
    const series = [held && times.map((t) => at(held, name, t)), times.map((t) => at(reading, name, t))].filter(Boolean);
    const most = Math.max(1000, ...series.flat().map(Math.abs)), clamp = get("clamps").find((one) => one.gate === name);
    const holds = GATES.includes(name) && h("select", { "data-key": `hold:${name}`, "aria-label": `Hold the ${get("names")[name]}`, onchange: (event) => hold(name, event.target.value) },
      HOLDS.map(([value, text]) => h("option", { value, selected: value === (clamp ? String(clamp.value) : ""), disabled: !live && value === "0.5" }, text)),
      clamp && !HOLDS.some(([value]) => value === String(clamp.value)) && h("option", { value: clamp.value, selected: true }, `at ${clamp.value}`));
    return h("div", { class: `lm-row${clamp ? " lm-held" : ""}`, "data-name": name },
      h("span", { class: "lm-label" }, h("button", { type: "button", class: "lm-name", "data-key": `name:${name}`, "aria-pressed": String(get("gate") === name), title: `Show the ${get("names")[name]} of every unit`, onclick: () => put({ gate: name }) }, h("i", {}, label), ` ${get("names")[name]}`), holds),
      h("div", { class: "lm-strips" }, series.map((values, k) => strip(values, most, { ...draws, label: `${get("names")[name]}${held && k ? ", free" : ""}`, quiet: held && k }))),
      h("span", { class: "lm-value" }, series.map((values, k) => h("span", { class: held && k ? "lm-was" : "" }, number(values[draws.position])))));
  }

  function probabilityRow(reading, held, draws) {
    const series = [held?.given, reading.given].filter(Boolean).map((given) => given.map((p) => p ?? 0));
    return h("div", { class: "lm-row lm-given", "data-name": "given" }, h("span", { class: "lm-label" }, h("span", { class: "lm-name" }, h("i", {}, "p"), " given what came before")),
      h("div", { class: "lm-strips" }, series.map((values, k) => strip(values, 1000, { ...draws, label: `probability of each token${held && k ? ", free" : ""}`, quiet: held && k }))),
      h("span", { class: "lm-value" }, series.map((values, k) => h("span", { class: held && k ? "lm-was" : "" }, draws.position ? number(values[draws.position]) : "–"))));
  }

  function unitRows(reading, draws) {
    const name = get("gate"), steps = reading.values[name], all = [...Array(get("units")).keys()];
    const series = all.map((unit) => steps.map((step) => step[unit])), most = Math.max(1000, ...series.flat().map(Math.abs));
    const spread = get("reading").values[name], varied = all.map((unit) => {
      const values = spread.map((step) => step[unit]), middle = mean(values);
      return mean(values.map((value) => (value - middle) ** 2));
    });
    const sorted = ui.order === "varied" ? [...all].sort((a, b) => varied[b] - varied[a] || a - b) : all;
    const shown = ui.all ? sorted : sorted.filter((unit, i) => i < FEW || unit === get("unit"));
    const choose = (unit) => put({ unit });
    const chosen = (unit) => h("button", { type: "button", class: "lm-unit", "data-key": `unit${unit}`, "aria-current": unit === get("unit") ? "true" : null, onclick: () => choose(unit) }, unit < 0 ? "mean of all" : `unit ${unit}`);
    const order = h("select", { "data-key": "order", onchange: () => ((ui.order = order.value), draw()) }, [["varied", "most varied first"], ["number", "by number"]].map(([value, text]) => h("option", { value, selected: value === ui.order }, text)));
    const only = h("input", { type: "checkbox", "data-key": "only", checked: ui.only, disabled: !live || get("unit") < 0, onchange: () => (ui.only = only.checked) });
    return h("div", { class: "lm-units" },
      h("div", { class: "lm-line lm-caption" }, h("h4", {}, h("i", {}, symbol(name)), ` ${get("names")[name]}, unit by unit`), h("label", {}, "Order ", order), live && h("label", {}, only, get("unit") < 0 ? " choose a unit to hold gates in it alone" : ` hold gates in unit ${get("unit")} alone`)),
      h("div", { "data-roving": "units" }, h("div", { class: "lm-row" }, h("span", { class: "lm-label" }, chosen(-1))),
        shown.map((unit) => h("div", { class: "lm-row", "data-unit": unit }, h("span", { class: "lm-label" }, chosen(unit)), h("div", { class: "lm-strips" }, strip(series[unit], most, { ...draws, label: `unit ${unit}`, small: true })), h("span", { class: "lm-value" }, number(series[unit][draws.position]))))),
      all.length > FEW && h("button", { type: "button", class: "lm-more", "data-key": "more", onclick: () => ((ui.all = !ui.all), draw()) }, ui.all ? `Show ${FEW} units` : `Show all ${all.length} units`));
  }

  // The arithmetic of one unit at the chosen token.
  function equations(reading, current) {
    const unit = get("unit"), t = get("position");
    if (unit < 0) return h("p", { class: "lm-note" }, "Choose a unit below to see its arithmetic. The mean of c, h and the candidate is that of their sizes, without the sign.");
    const v = Object.fromEntries(Object.keys(get("names")).map((name) => [name, current.values[name][t][unit]]));
    const before = (name) => (t ? current.values[name][t - 1][unit] : 0), complement = (x) => 1000 - x;
    const lines = {
      LSTMCell: () => [["c", "f c₍t₋₁₎ + i c̃", `${factor(v.f)} × ${factor(before("c"))} + ${factor(v.i)} × ${factor(v.candidate)}`, v.c], ["h", "o tanh(c)", `${factor(v.o)} × tanh ${factor(v.c)}`, v.h]],
      GRUCell: () => [get("reset") === "before"
        ? ["h", "(1 − z) h₍t₋₁₎ + z h̃", `${factor(complement(v.z))} × ${factor(before("h"))} + ${factor(v.z)} × ${factor(v.candidate)}`, v.h]
        : ["h", "z h₍t₋₁₎ + (1 − z) h̃", `${factor(v.z)} × ${factor(before("h"))} + ${factor(complement(v.z))} × ${factor(v.candidate)}`, v.h]],
      RNNCell: () => [],
    }[get("kind")]();
    const holds = (name) => get("clamps").some((clamp) => clamp.gate === name);
    return h("ul", { class: "lm-equations" }, lines.map(([left, formula, numbers, value]) => h("li", {}, h("i", {}, left), holds(left) ? ` is held at ${number(value)}` : ` = ${formula} = ${numbers} = `, !holds(left) && h("b", {}, number(value)))));
  }

  function expectation(reading, held) {
    const tokens = get("tokens"), t = get("position");
    const guesses = (one) => one.best[t].flatMap(([token, p], k) => [k ? ", " : "", h("code", {}, visible(token)), ` ${number(p)}`]);
    const next = tokens[t + 1];
    return h("p", { class: "lm-expects" }, "After ", h("code", {}, tokens.slice(0, t + 1).map(visible).slice(-12).join(tokens.some((token) => token.length > 1) ? " " : "")), " it expects ", guesses(held ?? reading),
      held && [" (free: ", guesses(reading), ")"], next === undefined ? "." : ["; the text goes on with ", h("code", {}, visible(next)), "."]);
  }

  const listening = { [TRAITS.map((name) => `change:${name}`).join(" ")]: schedule, "msg:custom": onAnswer };
  for (const [names, listener] of Object.entries(listening)) model.on(names, listener);
  let scheduled = false;
  function schedule() {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      if (get("reading").values[get("gate")].length === get("tokens").length) draw();
    });
  }
  draw();
  suppressShortcuts(root);
  el.append(root);
  return () => {
    clearTimeout(ui.waiting);
    for (const [names, listener] of Object.entries(listening)) model.off(names, listener);
  };
}

// A row of squares, their area the value's size: filled above zero, hollow below.
function strip(values, most, { width, position, go, label, quiet, small }) {
  const largest = Math.min(width, small ? 18 : ROW) - 4, height = small ? 20 : ROW;
  const squares = values.map((value, t) => {
    const side = largest * Math.sqrt(Math.abs(value) / most), inset = value < 0 ? 0.75 : 0;
    const attributes = { x: t * width + (width - side) / 2 + inset, y: (height - side) / 2 + inset, width: Math.max(0, side - 2 * inset), height: Math.max(0, side - 2 * inset), class: value < 0 ? "lm-below" : "lm-above" };
    return svg("rect", attributes, svg("title", {}, number(value)));
  });
  const picture = svg("svg", { class: `lm-strip${quiet ? " lm-quiet" : ""}`, role: "img", width: values.length * width, height, "aria-label": `${label}: from ${number(Math.min(...values))} to ${number(Math.max(...values))}` },
    svg("rect", { class: "lm-cursor", x: position * width + 0.5, y: 0.5, width: width - 1, height: height - 1 }), ...squares);
  picture.addEventListener("click", ({ offsetX }) => go(Math.floor(offsetX / width)));
  return picture;
}

export default { render };
