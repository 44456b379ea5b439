// The schedule explorer: fields, the curve with a cursor, the formula of the chosen step, a table. Its rates are those
// of ScheduleExplorer.rate in Python; a test compares them.

import { h, moveByKeys, redraw, svg, widget } from "./base.js";
import { few, numberField, predictBox, question, verdict, whole } from "./explorer.js";
import "./schedule_explorer.css";

const NAMES = {
  paper: "as the paper, from d_model",
  peak: "the largest rate given, warm-up, 1/√step",
  constant: "constant",
  linear: "constant, then linear to 0",
};
const OWN = { paper: ["d_model", "warmup"], peak: ["peak", "warmup"], constant: ["peak"], linear: ["peak", "hold"] };
const SCHEDULE = ["kind", "d_model", "warmup", "peak", "hold", "steps"];
const MOST_KEPT = 3;
const [WIDTH, HEIGHT] = [720, 250]; // of the plot, and its margins
const [LEFT, RIGHT, TOP, BOTTOM] = [68, 16, 12, 38];
const DASHES = ["", "8 5", "2 4", "10 4 2 4"];

const RATES = {
  paper:
    ({ d_model, warmup }) =>
    (t) =>
      Math.min(t ** -0.5, t * warmup ** -1.5) / Math.sqrt(d_model),
  peak:
    ({ peak, warmup }) =>
    (t) =>
      peak * Math.min(t / warmup, Math.sqrt(warmup / t)),
  constant:
    ({ peak }) =>
    () =>
      peak,
  linear:
    ({ peak, hold, steps }) =>
    (t) =>
      t <= hold ? peak : peak * Math.max(0, (steps + 1 - t) / (steps + 1 - hold)),
};
const rateOf = (schedule) => RATES[schedule.kind](schedule);
const turnOf = ({ kind, warmup, hold }) => ({ paper: warmup, peak: warmup, linear: hold })[kind] ?? 1;
const largestOf = (schedule) => rateOf(schedule)(Math.min(turnOf(schedule), schedule.steps));

function render(context) {
  const w = widget(context, "lm-schedule", "Schedule explorer");
  const { get, put, root, say } = w;
  const shown = () => Object.fromEntries(SCHEDULE.map((name) => [name, get(name)]));
  const isFull = () => get("kept").length >= MOST_KEPT;
  const isOpen = () => !get("predict") || "step" in get("guess");
  const change = (values) => {
    const steps = values.steps ?? get("steps");
    put({
      guess: {},
      ...values,
      step: Math.min(get("step"), steps),
      hold: Math.min(values.hold ?? get("hold"), steps),
    });
  };

  // The cursor: a slider along the steps.
  const go = (step) => put({ step: Math.min(Math.max(Math.round(step), 1), get("steps")) });
  const by = (share) => () =>
    go(get("step") + Math.sign(share) * Math.max(1, Math.round(Math.abs(share) * get("steps"))));
  const follow = ({ clientX, buttons, type }) => {
    if (type === "pointermove" && !buttons) return;
    const { left, width } = plot.getBoundingClientRect();
    const share = (((clientX - left) / width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    go(1 + share * (get("steps") - 1));
  };
  const plot = h("div.lm-plot", {
    role: "slider",
    tabindex: 0,
    "aria-label": "Step",
    "data-key": "plot",
    onpointerdown: follow,
    onpointermove: follow,
  });
  moveByKeys(plot, () => ({
    ArrowLeft: by(-0.01),
    ArrowRight: by(0.01),
    ArrowDown: by(-0.01),
    ArrowUp: by(0.01),
    PageDown: by(-0.1),
    PageUp: by(0.1),
    Home: () => go(1),
    End: () => go(get("steps")),
  }));

  // The fields
  const kind = h(
    "label",
    "Schedule",
    w.bind(
      h(
        "select",
        { onchange: ({ target }) => change({ kind: target.value }) },
        Object.entries(NAMES).map(([value, name]) => h("option", { value }, name)),
      ),
      "kind",
    ),
  );
  const fields = {
    d_model: numberField(w, "d_model", "d_model", { min: 1, max: 1000000, change }),
    peak: numberField(w, "largest rate", "peak", { min: 0.000001, max: 10, step: "any", change }),
    warmup: numberField(w, "warm-up (steps)", "warmup", { min: 1, max: 10000000, change }),
    hold: numberField(w, "constant up to step", "hold", { min: 1, max: 10000000, change }),
  };
  const steps = numberField(w, "steps in all", "steps", { min: 1, max: 10000000, change });
  const step = numberField(w, "step", "step", { min: 1, max: 10000000, change: ({ step }) => go(step) });
  const at = h(
    "label",
    "steps in the table",
    w.bind(
      h("input", {
        type: "text",
        inputmode: "numeric",
        onchange: ({ target }) => {
          const asked = target.value
            .split(/[\s;]+|,\s+|,(?!\d{3}\b)/)
            .filter(Boolean)
            .map((text) => Number(text.replaceAll(",", "")));
          if (asked.length && asked.every((t) => Number.isInteger(t) && t >= 1)) put({ at: asked.slice(0, 12) });
          else target.value = get("at").join(", ");
        },
      }),
      "at",
      (name) => get(name).join(", "),
    ),
  );
  const keep = h(
    "button",
    { type: "button", onclick: () => isFull() || put({ kept: [...get("kept"), shown()] }) },
    "Keep to compare",
  );
  const forget = h("button", { type: "button", onclick: () => put({ kept: [] }) }, "Forget the kept");
  const told = h("div");
  const below = h("div");
  const reading = h("div.lm-fields", step, at, keep, forget);
  const content = [
    h("div.lm-fields", kind, Object.values(fields), steps, predictBox(w, { guess: {} })),
    told,
    plot,
    below,
    reading,
  ];

  function draw() {
    const now = shown();
    const t = get("step");
    const rate = rateOf(now);
    for (const [name, field] of Object.entries(fields)) field.hidden = !OWN[now.kind].includes(name);
    for (const part of [plot, below, reading]) part.hidden = !isOpen();
    keep.setAttribute("aria-disabled", isFull()); // not `disabled`: that would lose the focus
    forget.setAttribute("aria-disabled", !get("kept").length);
    redraw(root, () => {
      told.replaceChildren(...[drawQuestion(get, put, now)].filter(Boolean));
      plot.replaceChildren(drawCurves([now, ...get("kept")], t));
      below.replaceChildren(
        h("p.lm-formula", `Step ${whole(t)}: `, formulaOf(now, t), " = ", h("b", few(rate(t)))),
        drawTable(get, now),
      );
    });
    const value = `step ${whole(t)}, rate ${few(rate(t))}`;
    for (const [name, text] of [
      ["valuemin", 1],
      ["valuemax", now.steps],
      ["valuenow", t],
      ["valuetext", value],
    ])
      plot.setAttribute(`aria-${name}`, text);
    say(isOpen() ? `${NAMES[now.kind]}: ${value}.` : "");
  }

  return w.start(content, [...SCHEDULE, "step", "at", "kept", "predict", "guess"], draw);
}

// Where is the largest rate, and how large is it? And what became of the guess.
function drawQuestion(get, put, now) {
  if (!get("predict")) return null;
  const guess = get("guess");
  const turn = Math.min(turnOf(now), now.steps);
  const largest = largestOf(now);
  if (!("step" in guess))
    return question(
      "At which step is the rate largest, and how large is it there?",
      ["step ", "largest rate "],
      ([step, rate]) => put({ guess: { step, rate } }),
    );
  const isThere = guess.step >= 1 && guess.step <= now.steps;
  const first = isThere && rateOf(now)(guess.step) >= largest * (1 - 1e-9);
  const right = first && Math.abs(guess.rate / largest - 1) <= 0.02;
  return verdict(
    right,
    `You said ${few(guess.rate)} at step ${whole(guess.step)}. The largest rate is ${few(largest)}, `,
    { constant: "at every step", linear: `up to step ${whole(turn)}` }[now.kind] ?? `at step ${whole(turn)}`,
    now.kind === "paper" && turn === now.warmup ? `: 1 / √(${whole(now.d_model)} · ${whole(turn)}).` : ".",
  );
}

function formulaOf({ kind, d_model, warmup, peak, hold, steps }, t) {
  const [a, b, c] = [d_model ** -0.5, t ** -0.5, t * warmup ** -1.5].map(few);
  const up = (base, power) => [whole(base), h("sup", power)];
  return {
    paper: () => [
      up(d_model, "−0.5"),
      " · min(",
      up(t, "−0.5"),
      `, ${whole(t)} · `,
      up(warmup, "−1.5"),
      `) = ${a} · min(${b}, ${c})`,
    ],
    peak: () => [`${few(peak)} · min(${whole(t)} / ${whole(warmup)}, √(${whole(warmup)} / ${whole(t)}))`],
    constant: () => ["the same at every step"],
    linear: () =>
      t <= hold
        ? [`up to step ${whole(hold)}`]
        : [`${few(peak)} · (${whole(steps + 1)} − ${whole(t)}) / (${whole(steps + 1)} − ${whole(hold)})`],
  }[kind]();
}

function nameOf(schedule) {
  const called = { d_model: "d_model", warmup: "warm-up", peak: "rate", hold: "up to" };
  const written = (name) => (name === "peak" ? few(schedule[name]) : whole(schedule[name]));
  return [schedule.kind, ...OWN[schedule.kind].map((name) => `${called[name]} ${written(name)}`)].join(", ");
}

function drawTable(get, now) {
  const all = [now, ...get("kept")];
  const rates = all.map(rateOf);
  return h(
    "div.lm-scroll-x",
    { tabindex: 0, role: "region", "aria-label": "Rates", "data-key": "rates" },
    h(
      "table",
      h("caption", "The rate at the steps you ask for"),
      h(
        "thead",
        h(
          "tr",
          h("th", { scope: "col" }, "step"),
          h("th", { scope: "col" }, "rate"),
          h("th", { scope: "col" }, "share of the largest"),
          get("kept").map((one, k) => h("th", { scope: "col" }, `kept ${k + 1}: ${nameOf(one)}`)),
        ),
      ),
      h(
        "tbody",
        get("at").map((t) =>
          h(
            "tr",
            h("th", { scope: "row" }, whole(t)),
            h("td", few(rates[0](t))),
            h("td", few(rates[0](t) / largestOf(now))),
            rates.slice(1).map((rate) => h("td", few(rate(t)))),
          ),
        ),
      ),
    ),
  );
}

// Round numbers from 0 to `most`, about four of them.
function ticks(most) {
  const power = 10 ** Math.floor(Math.log10(most / 3));
  const unit = [1, 2, 5, 10].find((k) => most / (k * power) <= 5) * power;
  return Array.from({ length: Math.floor(most / unit + 1e-9) + 1 }, (_, k) => k * unit);
}

function drawCurves(schedules, t) {
  const { steps } = schedules[0];
  const most = Math.max(...schedules.map((one) => largestOf({ ...one, steps })));
  const x = (step) => LEFT + (WIDTH - LEFT - RIGHT) * (steps > 1 ? (step - 1) / (steps - 1) : 0);
  const y = (rate) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - rate / most);
  const text = (where, label) => svg("text", where, label);
  const along = Array.from({ length: 241 }, (_, k) => 1 + ((steps - 1) * k) / 240);
  const curve = (one, k) => {
    const places = [...along, Math.min(turnOf(one), steps)].sort((a, b) => a - b);
    const rate = rateOf(one);
    return svg(`polyline.lm-curve${k ? ".lm-kept" : ""}`, {
      "stroke-dasharray": DASHES[k],
      points: places.map((step) => `${x(step).toFixed(1)},${y(rate(step)).toFixed(1)}`).join(" "),
    });
  };
  const rate = rateOf(schedules[0])(t);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ticks(most).map((value) => [
      svg("line.lm-grid", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      text({ x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, few(value)),
    ]),
    ticks(steps)
      .slice(1)
      .map((value) =>
        text(
          { x: x(value), y: HEIGHT - BOTTOM + 17, "text-anchor": value > 0.96 * steps ? "end" : "middle" },
          whole(value),
        ),
      ),
    text({ x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "step"),
    schedules.map(curve).reverse(),
    svg("line.lm-cursor", { x1: x(t), x2: x(t), y1: TOP, y2: HEIGHT - BOTTOM }),
    svg("circle.lm-dot", { cx: x(t), cy: y(rate), r: 5 }),
  );
}

export default { render };
