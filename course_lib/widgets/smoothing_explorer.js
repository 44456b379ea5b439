// The label-smoothing explorer: a row for each word, sums below. Its numbers are torch's, as a test says.

import { groupName, h, redraw, svg, widget } from "./base.js";
import { few, predictBox, question, verdict } from "./explorer.js";
import "./smoothing_explorer.css";

const WAYS = { others: "the other words: ε / (n − 1) each (Li)", all: "all words: ε / n each (torch)" };
const LARGEST = 12; // a logit's size
const BAR = 120; // units of a probability of 1

// Everything that is shown, from the logits.
function computed({ logits, right, epsilon, share }) {
  const n = logits.length;
  const top = Math.max(...logits);
  const log_sum = top + Math.log(logits.reduce((sum, z) => sum + Math.exp(z - top), 0));
  const log_p = logits.map((z) => z - log_sum);
  const p = log_p.map(Math.exp);
  const other = share === "all" ? epsilon / n : epsilon / (n - 1);
  const q = logits.map((_, v) => (v !== right ? other : share === "all" ? 1 - epsilon + other : 1 - epsilon));
  const terms = q.map((share, v) => -share * log_p[v]);
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const floor = sum(q.map((share) => (share > 0 ? -share * Math.log(share) : 0)));
  return { p, q, terms, gradient: p.map((value, v) => value - q[v]), loss: sum(terms), plain: -log_p[right], floor };
}

function render(context) {
  const w = widget(context, "lm-smoothing", "Label-smoothing explorer");
  const { get, put, root, say } = w;
  const state = () => Object.fromEntries(["logits", "right", "epsilon", "share"].map((name) => [name, get(name)]));
  const isOpen = () => !get("predict") || "p" in get("guess");
  const inside = (z) => Math.min(Math.max(z, -LARGEST), LARGEST);

  const epsilon = h("input", {
    type: "range",
    min: 0,
    max: 0.9,
    step: 0.01,
    "data-key": "epsilon",
    "aria-label": "ε",
    oninput: ({ target }) => put({ epsilon: Number(target.value), guess: {} }),
  });
  const slide = h("label", h("span"), w.bind(epsilon, "epsilon"));
  const share = h(
    "label",
    "ε is shared by",
    w.bind(
      h(
        "select",
        {
          onchange: ({ target }) => put({ share: target.value, guess: {} }),
        },
        Object.entries(WAYS).map(([value, name]) => h("option", { value }, name)),
      ),
      "share",
    ),
  );

  // What moves the logits
  const descend = (times) => () => {
    let { logits } = state();
    for (let k = 0; k < times; k++) {
      const { gradient } = computed({ ...state(), logits });
      logits = logits.map((z, v) => inside(z - gradient[v]));
    }
    put({ logits });
  };
  const atFloor = () => {
    const { q } = computed(state());
    const logs = q.map(Math.log);
    const middle = (Math.max(...logs) + Math.min(...logs)) / 2;
    put({ logits: logs.map((z) => inside(z - middle)) });
  };
  const lowest = h("button", { type: "button", onclick: atFloor }, "To the lowest loss");
  const buttons = h(
    "div.lm-fields",
    h("button", { type: "button", onclick: descend(1) }, "One step: z − (p − q)"),
    h("button", { type: "button", onclick: descend(100) }, "100 steps"),
    lowest,
    h("button", { type: "button", onclick: () => put({ logits: get("first") }) }, "Back to the first logits"),
  );
  const told = h("div");
  const sums = h("div");
  const group = groupName();
  const made = get("words").map((word, v) => rowOf(w, group, word, v, inside));
  const rows = h(
    "div.lm-rows",
    { role: "group", "aria-label": "Words" },
    drawHead(),
    made.map(({ row }) => row),
  );

  function draw() {
    const now = state();
    const found = computed(now);
    slide.firstChild.textContent = `ε = ${now.epsilon.toFixed(2)}`;
    lowest.hidden = !isOpen();
    lowest.disabled = !now.epsilon;
    for (const { update } of made) update(now, found);
    redraw(root, () => {
      told.replaceChildren(...[drawQuestion(get, put, found)].filter(Boolean));
      sums.replaceChildren(drawSums(now, found, isOpen()));
    });
    const [word, p] = [get("words")[now.right], found.p[now.right]];
    say(`ε ${now.epsilon.toFixed(2)}, loss ${found.loss.toFixed(3)}, p of ${word} ${p.toFixed(3)}.`);
  }

  const content = [h("div.lm-fields", slide, share, predictBox(w, { guess: {} })), told, rows, sums, buttons];
  return w.start(content, ["logits", "right", "epsilon", "share", "predict", "guess"], draw);
}

function drawQuestion(get, put, { q }) {
  if (!get("predict")) return null;
  const guess = get("guess");
  const best = q[get("right")];
  if (!("p" in guess))
    return question("For which probability p of the right word is the loss lowest, at this ε?", ["p "], ([p]) =>
      put({ guess: { p } }),
    );
  return verdict(
    Math.abs(guess.p - best) <= 0.005,
    `You said ${few(guess.p)}. The loss is lowest where p = q, so at ${best.toFixed(3)} for the right word.`,
  );
}

const drawHead = () =>
  h(
    "div.lm-row.lm-head",
    ["right", "word", "logit z", "p, and q as a frame", "q", "p", "−q log p", "gradient p − q"].map((name) =>
      h("span", name),
    ),
  );

// A word's row. Its controls stay while they are held; `update` writes the numbers beside them.
function rowOf({ get, put }, group, word, v, inside) {
  const set = (z) => put({ logits: get("logits").map((old, k) => (k === v ? inside(z) : old)) });
  const choose = h("input", {
    type: "radio",
    name: group,
    "aria-label": `${word} is right`,
    onchange: () => put({ right: v, guess: {} }),
  });
  const slider = h("input", {
    type: "range",
    min: -LARGEST,
    max: LARGEST,
    step: 0.1,
    "aria-label": `logit of ${word}`,
    oninput: ({ target }) => set(Number(target.value)),
  });
  const output = h("output");
  const bars = h("span");
  const numbers = ["q", "p", "term", "gradient"].map((name) => h("span.lm-n", { "data-number": name }));
  const row = h(
    "div.lm-row",
    { "data-word": v },
    h("span", choose),
    h("span", h("bdi", word)),
    h("span", slider, output),
    bars,
    numbers,
  );
  const update = ({ logits, right }, { p, q, terms, gradient }) => {
    choose.checked = v === right;
    slider.value = logits[v];
    output.textContent = logits[v].toFixed(1).replace("-", "−");
    row.classList.toggle("lm-is-right", v === right);
    bars.replaceChildren(drawBars(p[v], q[v]));
    const arrow = gradient[v] < -5e-4 ? " ↑" : gradient[v] > 5e-4 ? " ↓" : "";
    const texts = [...[q[v], p[v], terms[v]].map((value) => value.toFixed(3)), `${signed(gradient[v])}${arrow}`];
    numbers.forEach((place, k) => (place.textContent = texts[k]));
  };
  return { row, update };
}

const signed = (value) =>
  value
    .toFixed(3)
    .replace(/^-0\.000$/, "0.000")
    .replace("-", "−");

// p as a filled bar, q as a frame.
const drawBars = (p, q) =>
  svg(
    "svg.lm-bars",
    { viewBox: `0 0 ${BAR} 20`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect.lm-p", { x: 0, y: 3, width: Math.max(p * BAR, 0.5), height: 14 }),
    svg("rect.lm-q", { x: 0.75, y: 0.75, width: Math.max(q * BAR - 1.5, 0.5), height: 18.5 }),
  );

function drawSums({ epsilon }, { loss, plain, floor }, open) {
  const one = (name, value, note) =>
    h("li", { "data-sum": name }, `${name}: `, h("b", value.toFixed(3)), h("span", ` ${note}`));
  return h(
    "ul.lm-sums",
    one("smoothed loss", loss, "= −Σ q log p"),
    open &&
      one(
        "its lowest value",
        floor,
        epsilon
          ? "= −Σ q log q, the entropy of the target; reached where p = q"
          : "never reached: p = 1 needs an infinite logit",
      ),
    open && one("above it by", loss - floor, "= Σ q log(q / p), the divergence of p from q"),
    one("plain loss", plain, `= −log p of the right word; perplexity ${Math.exp(plain).toFixed(2)}`),
  );
}

export default { render };
