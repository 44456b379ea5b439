// The gate explorer's rows: one for each gate and state, one for the tokens' probabilities, one for each unit. A value
// is a square by its area, filled above zero and hollow below; where gates are held, the free reading stands below.

import { h, svg } from "./base.js";

const ROW = 24; // pixels
const FEW = 8; // units shown at first
const GATES = "fiorz";
const SYMBOLS = { candidate: { LSTMCell: "c̃", GRUCell: "h̃" } };
const HOLDS = { "": "free", 1: "open (1)", 0.5: "half (0.5)", 0: "shut (0)" };

export const number = (thousandths) => (thousandths / 1000).toFixed(2).replace("-", "−");
export const visible = (token) => ({ " ": "␣", "\n": "⏎", "\t": "⇥" })[token] ?? token;
const symbol = (get, name) => SYMBOLS[name]?.[get("kind")] ?? name;
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const signed = (name) => !GATES.includes(name);

// A value of the chosen unit, or the mean of all: of gates as they are, of what has a sign without it.
export function valueAt(get, reading, name, t) {
  const values = reading.values[name][t];
  return get("unit") >= 0 ? values[get("unit")] : mean(signed(name) ? values.map(Math.abs) : values);
}

export function drawHead(get, { go, position }) {
  const unit = get("unit");
  const token = (text, t) =>
    h(
      "button.lm-token",
      {
        type: "button",
        onclick: () => go(t),
        "data-key": `token${t}`,
        "aria-current": t === position && "step",
        "aria-label": `token ${t + 1}: ${visible(text)}`,
      },
      visible(text),
    );
  return h(
    "div.lm-row.lm-head",
    h("span.lm-label", unit < 0 ? `Mean of all ${get("units")} units` : `Unit ${unit}`),
    h("div.lm-tokens", { role: "group", "aria-label": "Tokens", "data-roving": "tokens" }, get("tokens").map(token)),
    h("span.lm-value", { title: "What the numbers below are read at" }, `token ${position + 1}`),
  );
}

export function drawValue(get, name, view) {
  const called = get("names")[name];
  const clamp = get("clamps").find((one) => one.gate === name);
  const readings = [get("held"), get("reading")].filter(Boolean);
  const series = readings.map((reading) => get("tokens").map((_, t) => valueAt(get, reading, name, t)));
  const bars = get("unit") < 0 && signed(name) ? "|" : ""; // the mean is of sizes
  const choose = h(
    "button.lm-name",
    {
      type: "button",
      onclick: () => view.put({ gate: name }),
      title: `Show the ${called} of every unit`,
      "data-key": `name:${name}`,
      "aria-pressed": String(get("gate") === name),
    },
    h("i", `${bars}${symbol(get, name)}${bars}`),
    ` ${called}`,
  );
  return h(
    `div.lm-row${clamp ? ".lm-held" : ""}`,
    { "data-name": name },
    h("span.lm-label", choose, !signed(name) && drawHold(get, name, called, clamp, view)),
    drawStrips(series, called, Math.max(1000, ...series.flat().map(Math.abs)), view),
    drawNumbers(series.map((values) => number(values[view.position]))),
  );
}

function drawHold(get, name, called, clamp, { hold }) {
  const now = clamp ? String(clamp.value) : "";
  const held = now in HOLDS ? HOLDS : { ...HOLDS, [now]: `at ${now}` };
  const options = ["", "1", "0.5", "0", now].filter((value, i, all) => all.indexOf(value) === i);
  return h(
    "select",
    {
      "data-key": `hold:${name}`,
      "aria-label": `Hold the ${called}`,
      onchange: ({ target }) => hold(name, target.value),
    },
    options.map((value) =>
      h("option", { value, selected: value === now, disabled: !get("live") && value === "0.5" }, held[value]),
    ),
  );
}

export function drawProbability(get, view) {
  const series = [get("held"), get("reading")].filter(Boolean).map(({ given }) => given.map((p) => p ?? 0));
  return h(
    "div.lm-row.lm-given",
    { "data-name": "given" },
    h("span.lm-label", h("span.lm-name", h("i", "p"), " given what came before")),
    drawStrips(series, "probability of each token", 1000, view),
    drawNumbers(series.map((values) => (view.position ? number(values[view.position]) : "–"))),
  );
}

function drawStrips(series, label, most, view) {
  const names = series.length > 1 ? [label, `${label}, free`] : [label];
  const strips = series.map((values, k) => drawStrip(values, most, { ...view, label: names[k], quiet: k > 0 }));
  return h("div.lm-strips", strips);
}

function drawNumbers(texts) {
  return h(
    "span.lm-value",
    texts.map((text, k) => h(k ? "span.lm-was" : "span", text)),
  );
}

// One gate or state of every unit: those that follow something in the text first, then the most varied.
export function drawUnits(get, ui, view) {
  const name = get("gate");
  const all = [...Array(get("units")).keys()];
  const over = (reading, unit) => reading.values[name].map((step) => step[unit]);
  const series = all.map((unit) => over(get("held") ?? get("reading"), unit));
  const most = Math.max(1000, ...series.flat().map(Math.abs));
  const varied = all.map((unit) => variance(over(get("reading"), unit)));
  const follows = new Map(get("following").map((one, rank) => [one.unit, { ...one, rank }]));
  const rank = (unit) => (ui.order === "following" ? (follows.get(unit)?.rank ?? all.length) : 0);
  const sorted =
    ui.order === "number" ? all : [...all].sort((a, b) => rank(a) - rank(b) || varied[b] - varied[a] || a - b);
  const shown = ui.all ? sorted : sorted.filter((unit, i) => i < FEW || unit === get("unit"));
  const choose = (unit) =>
    h(
      "button.lm-unit",
      {
        type: "button",
        onclick: () => view.put({ unit }),
        "data-key": `unit${unit}`,
        "aria-current": unit === get("unit") && "true",
      },
      unit < 0 ? "mean of all" : `unit ${unit}`,
    );
  const row = (unit) =>
    h(
      "div.lm-row",
      { "data-unit": unit },
      h("span.lm-label", choose(unit), follows.has(unit) && drawFeature(follows.get(unit))),
      drawStrip(series[unit], most, { ...view, label: `unit ${unit}`, small: true }),
      drawNumbers([number(series[unit][view.position])]),
    );
  const more = h(
    "button.lm-more",
    {
      type: "button",
      "data-key": "more",
      onclick: () => view.change({ all: !ui.all }),
    },
    ui.all ? `Show ${FEW} units` : `Show all ${all.length} units`,
  );
  return h(
    "div.lm-units",
    drawCaption(get, ui, view),
    h("div", { "data-roving": "units" }, h("div.lm-row", h("span.lm-label", choose(-1))), shown.map(row)),
    all.length > FEW && more,
  );
}

// What a unit follows, with its correlation.
function drawFeature({ feature, r }) {
  const text = `${feature} ${number(1000 * r)}`;
  return h("span.lm-feature", { title: `Correlation with ${feature} in a longer text: ${number(1000 * r)}` }, text);
}

function drawCaption(get, ui, { change }) {
  const unit = get("unit");
  const meaning = get("following").length ? { following: "what follows the text first" } : {};
  const orders = Object.entries({ ...meaning, varied: "most varied first", number: "by number" });
  const order = h(
    "select",
    { "data-key": "order", onchange: ({ target }) => change({ order: target.value }) },
    orders.map(([value, text]) => h("option", { value, selected: value === ui.order }, text)),
  );
  const only = h("input", {
    type: "checkbox",
    "data-key": "only",
    checked: ui.only,
    disabled: unit < 0,
    onchange: ({ target }) => change({ only: target.checked }),
  });
  const where = unit < 0 ? " choose a unit to hold gates in it alone" : ` hold gates in unit ${unit} alone`;
  return h(
    "div.lm-line.lm-caption",
    h("h4", h("i", symbol(get, get("gate"))), ` ${get("names")[get("gate")]}, unit by unit`),
    h("label", "Order ", order),
    get("live") && h("label", only, where),
  );
}

function variance(values) {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
}

function drawStrip(values, most, { width, position, go, label, quiet, small }) {
  const height = small ? 20 : ROW;
  const largest = Math.min(width, height) - (small ? 6 : 4);
  const squares = values.map((value, t) => {
    const inset = value < 0 ? 0.75 : 0; // half of a hollow square's line
    const side = largest * Math.sqrt(Math.abs(value) / most);
    const [x, y] = [t * width + (width - side) / 2 + inset, (height - side) / 2 + inset];
    const inner = Math.max(0, side - 2 * inset);
    return svg(
      `rect.${value < 0 ? "lm-below" : "lm-above"}`,
      { x, y, width: inner, height: inner },
      svg("title", number(value)),
    );
  });
  const cursor = { x: position * width + 0.5, y: 0.5, width: width - 1, height: height - 1 };
  const range = `from ${number(Math.min(...values))} to ${number(Math.max(...values))}`;
  const picture = svg(
    `svg.lm-strip${quiet ? ".lm-quiet" : ""}`,
    {
      role: "img",
      "aria-label": `${label}: ${range}`,
      width: values.length * width,
      height,
      onclick: ({ clientX }) => go(Math.floor((clientX - picture.getBoundingClientRect().left) / width)),
    },
    svg("rect.lm-cursor", cursor),
    squares,
  );
  return picture;
}
