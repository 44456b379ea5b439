// The attention stepper: which attention, head and word are shown, the grid of numbers that grows step by step, and the
// line that tells how the chosen number is computed.

import { h, svg } from "./base.js";
import { stepper } from "./stepper.js";
import { clamped, moveInGrid } from "./grid.js";
import { NOTHING_MASKED, number, quoted, rowsOf, STEPS } from "./attention_formulas.js";
import "./attention_stepper.css";

const NO_PYTHON = "This page has no Python. It shows the sentence that it holds; for your own, open the notebook.";
const ANSWERED = 5; // the step that shows the weights

function render(context) {
  const ui = { row: null, column: 0, step: null };
  const formula = h("p.lm-formula");
  let chosen = null;

  const look = (cell, place, speak, say) => {
    formula.replaceChildren(...[cell.formula()].flat(Infinity));
    chosen?.classList.remove("lm-here");
    chosen = place;
    chosen.classList.add("lm-here");
    if (speak) say(`${cell.name}: ${formula.textContent}.`);
  };

  function draw(view) {
    const shown = shownOf(view);
    const rows = rowsOf(shown).filter(({ step }) => step <= view.step);
    const grid = h("div.lm-grid", {
      role: "grid",
      "aria-label": "Numbers",
      style: `--n:${shown.attention.asked.length}`,
    });
    const cells = rows.map(({ id, cells }) =>
      cells.map((cell, j) => {
        const place = drawCell(cell, `${id}:${j}`);
        const choose = (speak) => () => {
          Object.assign(ui, { row: id, column: j });
          look(cell, place, speak, view.say);
        };
        place.addEventListener("focus", choose(true));
        place.addEventListener("mouseenter", choose(false));
        return place;
      }),
    );
    const head = h(
      "div.lm-row.lm-head",
      { role: "row" },
      h("span.lm-label", { role: "columnheader" }, "looks at"),
      shown.attention.asked.map((word) => h("span.lm-word", { role: "columnheader" }, h("bdi", word))),
    );
    const isWhole = ([first]) => first.kind === "part";
    // a word that asks among those that it looks at has its query above its own key
    const { asked, asking } = shown.attention;
    const among = asked.length === asking.length && asked.every((word, j) => word === asking[j]);
    if (rows.length) cells[0][0].style.gridColumn = `${(among ? shown.i : 0) + 1}`;
    grid.append(
      ...(rows.length ? [head] : []),
      ...rows.map(({ id, step, label, cells: own }, r) =>
        h(
          `div.lm-row${isWhole(own) ? ".lm-whole" : ""}${step === view.step ? ".lm-fresh" : ""}`,
          { role: "row", "data-row": id },
          h("span.lm-label", { role: "rowheader" }, label),
          h("div.lm-cells", { role: "presentation" }, cells[r]),
        ),
      ),
    );
    if (rows.length) {
      // the newest row, unless the reader has chosen a number since the step
      const wanted =
        view.step === ui.step && rows.some(({ id }) => id === ui.row) ? ui.row : STEPS[Math.max(view.step, 1) - 1][0];
      const r = rows.findIndex(({ id }) => id === wanted);
      const column = clamped(ui.column, cells[r].length);
      Object.assign(ui, { row: wanted, step: view.step });
      cells[r][column].setAttribute("aria-current", "true");
      moveInGrid(grid, cells);
      look(rows[r].cells[column], cells[r][column], false);
    } else formula.replaceChildren();
    const area = h("div.lm-area", { "data-scroll": "grid" }, grid);
    return [drawChoices(view, shown), drawQuestion(view, shown), drawStep(view, shown), area, formula].filter(Boolean);
  }

  const own = ({ live, bind, get }, ask) => {
    if (!get("reads")) return null;
    const submit = () => ask({ text: field.value });
    const field = bind(
      h("input", {
        type: "text",
        dir: "auto",
        spellcheck: "false",
        "aria-label": "Your sentence",
        onkeydown: ({ key }) => key === "Enter" && submit(),
      }),
      "text",
    );
    return h(
      "div.lm-own",
      h(
        "fieldset.lm-read",
        { disabled: !live },
        h("legend.lm-hidden", "What is read"),
        field,
        h("button.lm-primary", { type: "button", onclick: submit }, "Read"),
      ),
      !live && h("p.lm-note", NO_PYTHON),
    );
  };

  return stepper({
    root: "lm-attention",
    label: "Attention stepper",
    unit: "steps",
    last: () => STEPS.length,
    draw,
    right,
    own,
    ownFirst: true,
    traits: ["attentions", "at", "head", "word"],
    words: { doing: "Reading …", done: "", refused: "Not read" },
    spoken: (view) => spoken(view, formula),
  })(context);
}

const sentenceOf = (step, { allowed }) =>
  STEPS[step - 1][0] === "mask" && !allowed ? NOTHING_MASKED : STEPS[step - 1][3];

function shownOf({ get }) {
  const attention = get("attentions")[get("at")];
  const n = clamped(get("head"), attention.heads.length);
  const i = clamped(get("word"), attention.asking.length);
  return { attention, n, i, head: attention.heads[n] };
}

// What the predictions are named by.
const keyOf = (get, { n, i }) => `${get("at")}:${n}:${i}`;

function right(get, key, guess) {
  const [at, head, word] = key.split(":").map(Number);
  const weights = get("attentions")[at].heads[head].weights[word];
  return weights[guess] === Math.max(...weights);
}

// Which attention, which head, which word asks.
function drawChoices({ get, put }, { attention, n, i }) {
  const choice = (label, trait, texts, now, also = {}) =>
    texts.length > 1 &&
    h(
      "label",
      label,
      h(
        "select",
        {
          "data-key": trait,
          onchange: ({ target }) => put({ [trait]: Number(target.value), ...also }),
        },
        texts.map((text, value) => h("option", { value, selected: value === now }, text)),
      ),
    );
  const read = (word) => () => put({ word });
  return h(
    "div.lm-choices",
    choice(
      "Attention",
      "at",
      get("attentions").map(({ name }) => name),
      get("at"),
      { word: 0 },
    ),
    choice(
      "Head",
      "head",
      attention.heads.map((_, k) => `${k + 1}`),
      n,
    ),
    h(
      "div.lm-asking",
      h("span", "Asks"),
      h(
        "div.lm-tokens",
        { role: "group", "aria-label": "The word that asks", "data-roving": "asking", "data-axis": "x" },
        attention.asking.map((word, k) =>
          h(
            "button.lm-token",
            {
              type: "button",
              "data-key": `asking${k}`,
              onclick: read(k),
              "aria-current": k === i && "true",
            },
            h("bdi", word),
          ),
        ),
      ),
    ),
  );
}

function drawStep({ step }, { attention }) {
  if (!step) return h("div.lm-next", h("p.lm-headline", "Nothing is computed yet."));
  const [, name, formula] = STEPS[step - 1];
  return h(
    "div.lm-next",
    h("p.lm-headline", h("span.lm-number", `Step ${step}`), h("span", `${name}: `, formula())),
    h("p", sentenceOf(step, attention)),
  );
}

// Which word is looked at most? And what became of the guess.
function drawQuestion({ get, step, predict, guessed, guess }, shown) {
  const { attention, i, head } = shown;
  const key = keyOf(get, shown);
  const mine = guessed(key);
  const { asked, asking } = attention;
  if (!predict || (mine === undefined && step >= ANSWERED)) return null;
  const headline = (...text) => h("p.lm-headline", text);
  if (mine === undefined)
    return h(
      "div.lm-next.lm-question",
      headline(h("span", "Which word will ", quoted(asking[i]), " look at most?")),
      h(
        "div.lm-tokens",
        asked.map((word, j) =>
          h(
            "button.lm-token",
            { type: "button", "data-key": `guess${j}`, onclick: () => guess(key, j) },
            h("bdi", word),
          ),
        ),
      ),
    );
  if (step < ANSWERED) return h("div.lm-next.lm-question", headline(h("span", "You said ", quoted(asked[mine]), ".")));
  const largest = Math.max(...head.weights[i]);
  return h(
    "div.lm-next.lm-question",
    headline(
      right(get, key, mine) ? h("span.lm-right", "Right") : h("span.lm-wrong", "Not this one"),
      h(
        "span",
        "You said ",
        quoted(asked[mine]),
        `, weight ${number(head.weights[i][mine])}; the largest is ${number(largest)}, at `,
        quoted(asked[head.weights[i].indexOf(largest)]),
        ".",
      ),
    ),
  );
}

function drawCell(cell, key) {
  const content = {
    vector: () => drawVector(cell),
    number: () => cell.value,
    mask: () => cell.value,
    weight: () => [
      h("span.lm-square", { style: `--side:${(26 * Math.sqrt(cell.size)).toFixed(1)}px` }),
      h("span", cell.value),
    ],
    part: () => [
      h(`span.lm-bar${cell.size < 0 ? ".lm-below" : ""}`, { style: `--v:${Math.abs(cell.size)}` }),
      h("span", cell.value),
    ],
  }[cell.kind]();
  const label = cell.kind === "vector" ? cell.name : `${cell.name}: ${cell.value}`;
  return h(
    `div.lm-cell.lm-a-${cell.kind}${cell.best ? ".lm-best" : ""}`,
    { role: "gridcell", tabindex: -1, "aria-label": label, "data-key": key },
    content,
  );
}

// A bar for each component, above or below zero; the largest of its kind reaches the edge.
function drawVector({ value: values, most }) {
  const bars = values.map((value, c) =>
    svg(`rect${value < 0 ? ".lm-below" : ""}`, {
      x: c + 0.1,
      y: value < 0 ? 1 : 1 - value / (most || 1),
      width: 0.8,
      height: Math.abs(value) / (most || 1),
    }),
  );
  const size = { viewBox: `0 0 ${values.length} 2`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return svg("svg", size, bars, svg("path.lm-zero", { d: `M0 1h${values.length}` }));
}

// What a screen reader hears of a step.
function spoken(view, formula) {
  const shown = shownOf(view);
  const { attention, n, i } = shown;
  const question = drawQuestion(view, shown);
  const where = `${attention.name}, head ${n + 1}, “${attention.asking[i]}” asks.`;
  const [, name] = STEPS[view.step - 1] ?? [];
  return [
    where,
    name && `${name}. ${sentenceOf(view.step, attention)} ${formula.textContent}.`,
    question?.querySelector(".lm-headline").textContent,
  ]
    .filter(Boolean)
    .join(" ");
}

export default { render };
