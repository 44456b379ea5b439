// The diagram stepper. Picture and equations come drawn from Python; here they are shown up to a step, with the values
// of a token. The picture stays one element throughout, so that its parts and bars move by the drawing's own style.

import { h } from "./base.js";
import { stepper } from "./stepper.js";
import "./diagram_stepper.css";

function render(context) {
  const { model } = context;
  const canvas = drawn("div.lm-canvas", model.get("svg"), { role: "region", tabindex: 0, "aria-label": "Picture" });
  canvas.addEventListener("keydown", (event) => {
    // where it scrolls sideways, the arrow keys do that
    if (event.key.startsWith("Arrow") && canvas.scrollWidth > canvas.clientWidth) event.stopPropagation();
  });
  const numbers = h("p.lm-formula", { "aria-hidden": "true" }); // a screen reader hears them with each step
  const picture = h("div.lm-picture", canvas, numbers, drawKey(model.get("svg")));
  const title = h("h3", model.get("name"));
  let pointed = null;
  const tell = () => numbers.replaceChildren(...numbersOf(pointed, model));
  const pointAt = (node) => {
    if (node === pointed) return;
    pointed = node;
    tell();
  };
  canvas.addEventListener("pointerover", ({ target }) => pointAt(target.closest("[data-node]")));
  canvas.addEventListener("pointerleave", () => pointAt(null));

  function draw(view) {
    const now = drawNow(view);
    const equations = drawEquations(view);
    for (const part of [now, picture, equations].flatMap((element) => [...element.querySelectorAll("[data-step]")])) {
      part.classList.toggle("lm-later", part.dataset.step > view.step);
      part.classList.toggle("lm-now", Number(part.dataset.step) === view.step);
      part.classList.toggle("lm-gone", part.dataset.until <= view.step);
    }
    showValues(picture, view);
    tell();
    return [title, now, drawQuestion(view), drawTokens(view), picture, equations].filter(Boolean);
  }

  const last = (get) => get("steps").length;
  const right = model.get("steps").some(({ choices }) => choices.length) && isRight;
  return stepper({
    root: "lm-diagram",
    label: model.get("name"),
    unit: "steps",
    traits: ["position"],
    last,
    draw,
    spoken,
    right,
  })(context);
}

const isRight = (get, number, guess) => !get("steps")[number - 1].choices[guess].why;
// A reader who predicts does not see equations to come, but the next one once it has been chosen.
const isHidden = ({ predict, farthest, guessed }, number) =>
  predict && number > farthest && guessed(`${number}`) === undefined;

function drawn(name, html, attributes = {}) {
  const element = h(name, attributes);
  element.innerHTML = html;
  return element;
}

// The name of the node that is pointed at, and the numbers behind its bars.
function numbersOf(node, model) {
  const values = node && model.get("values")[node.dataset.node]?.[model.get("position")];
  if (!node || node.closest(".lm-later") || !(values || node.querySelector(":scope > title")))
    return [Object.keys(model.get("values")).length ? "Point at a box to read its numbers." : ""];
  const names = model.get("names")[node.dataset.node] ?? [];
  const told = values?.map((value, unit) => `${names[unit] ?? ""} ${value.toFixed(2).replace("-", "−")}`.trim());
  return [h("b", node.querySelector(":scope > title")?.textContent ?? ""), told ? `: ${told.join(", ")}` : ""];
}

function drawKey(picture) {
  const sign = (kind, ...shown) => picture.includes(`class="lm-${kind}"`) && h("span", shown);
  return h(
    "p.lm-key",
    sign("layer", h("i.lm-learned"), "with learned weights"),
    sign("state", h("i"), "a vector"),
    sign("op", h("i.lm-circle"), "an operation"),
    sign("shape", "(…) a shape, without the batch"),
    h("span", h("i.lm-to-come"), "to come"),
  );
}

// The bars of the nodes, the numbers and line widths of the wires.
function showValues(picture, { get }) {
  for (const [id, rows] of Object.entries(get("values"))) {
    const row = rows[get("position")];
    const size = (value) => Math.min(Math.abs(value / get("scales")[id]), 1);
    picture.querySelectorAll(`[data-node="${id}"] .lm-bar`).forEach((bar, unit) => {
      bar.style.setProperty("--v", size(row[unit]));
      bar.classList.toggle("lm-below", row[unit] < 0);
    });
    for (const carrier of picture.querySelectorAll(`[data-wire="${id}"]`))
      if (carrier.matches("text")) carrier.textContent = row[0].toFixed(2);
      else carrier.style.setProperty("--v", size(row[0]));
  }
}

function drawEquations(view) {
  const { get, step, go } = view;
  return h(
    "ol.lm-equations",
    { "data-roving": "equations" },
    get("steps").map(({ equation, spoken }, k) => {
      if (isHidden(view, k + 1)) return null;
      const now = k + 1 === step;
      const label = `Step ${k + 1}: ${spoken[Math.max(step, 1) - 1]}`;
      const button = {
        type: "button",
        "data-key": `step${k}`,
        "aria-current": now && "step",
        "aria-label": label,
        onclick: () => go(k + 1),
      };
      return h("li", h(`button${k < step ? "" : ".lm-ahead"}`, button, drawn("span.lm-math", equation)));
    }),
  );
}

// The equation of the step, and what it says.
function drawNow({ get, step }) {
  if (!step) return h("div.lm-next", h("p.lm-headline", "Nothing is drawn yet."));
  const { equation, sentence } = get("steps")[step - 1];
  return h(
    "div.lm-next",
    h("p.lm-headline", h("span.lm-number", `Step ${step}`), drawn("span.lm-math", equation)),
    h("p", sentence),
  );
}

// Which equation comes next? And what became of the choice.
function drawQuestion(view) {
  const { get, step, predict, guessed, guess } = view;
  const number = step + 1;
  const choices = get("steps")[step]?.choices ?? [];
  const mine = choices[guessed(`${number}`)];
  if (!predict || !choices.length || !(mine || isHidden(view, number))) return null;
  const headline = (...text) => h("p.lm-headline", h("span.lm-number", `Step ${number}`), h("span", text));
  if (mine)
    return h(
      "div.lm-next.lm-question",
      headline(mine.why ? h("span.lm-wrong", "Not this one") : h("span.lm-right", "Right")),
      drawn("p.lm-math", mine.equation),
      h("p", mine.why),
    );
  return h(
    "div.lm-next.lm-question",
    headline("Which equation comes next?"),
    h(
      "ul.lm-choices",
      choices.map((one, k) =>
        h(
          "li",
          h(
            "button",
            {
              type: "button",
              "data-key": `choice${k}`,
              "aria-label": one.spoken,
              onclick: () => guess(`${number}`, k),
            },
            drawn("span.lm-math", one.equation),
          ),
        ),
      ),
    ),
  );
}

function drawTokens({ get, put }) {
  if (get("tokens").length < 2) return null;
  const read = (position) => () => put({ position });
  return h(
    "div.lm-tokens",
    { role: "group", "aria-label": "Token", "data-roving": "tokens", "data-axis": "x" },
    h("span", { "aria-hidden": "true" }, "Numbers at"),
    get("tokens").map((token, t) =>
      h(
        "button.lm-token",
        {
          type: "button",
          "data-key": `token${t}`,
          onfocus: read(t),
          onclick: read(t),
          "aria-current": t === get("position") && "step",
        },
        token === " " ? "␣" : token,
      ),
    ),
  );
}

// What a screen reader hears: the step in words, what it changes above, and the numbers behind the bars that it adds.
function spoken(view) {
  const { get, step } = view;
  const question = drawQuestion(view)?.querySelectorAll(".lm-headline > :last-child, :scope > p:last-child") ?? [];
  const asked = [...new Set(question)].map((element) => ` ${element.textContent}`).join(".");
  if (!step) return `Nothing is drawn yet.${asked}`;
  const { spoken, sentence, adds, complete } = get("steps")[step - 1];
  const token = get("tokens")[get("position")];
  const numberOf = (node) => (value, unit) =>
    `${get("names")[node]?.[unit] ?? ""} ${value.toFixed(1).replace("-", "−")}`.trim();
  const numbers = (node) => complete <= step && get("values")[node]?.[get("position")].map(numberOf(node)).join(", ");
  const parts = Object.entries(adds).map(([node, words]) => words + (numbers(node) ? `: ${numbers(node)}` : ""));
  const above = get("steps")
    .slice(0, step - 1)
    .map((one) => one.spoken)
    .filter((at) => at[step - 1] !== at[step - 2]);
  const said = [
    spoken[step - 1],
    sentence.slice(0, -1),
    ...above.map((at) => `Now ${at[step - 1]}`),
    token && `At “${token}”`,
    `New in the picture: ${parts.join("; ")}`,
  ];
  return `${said.filter(Boolean).join(". ")}.${asked}`;
}

export default { render };
