// What the explorers of lecture 08 share: fields for numbers, and a question that keeps the answer back.

import { h } from "./base.js";
import "./explorer.css";

// A number with three digits that matter.
export function few(value) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size === 0 || size >= 1e-4) return `${sign}${Number(size.toPrecision(3))}`;
  const [digits, power] = size.toExponential(2).split("e-");
  return `${sign}${digits} · 10⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}
export const whole = (value) => value.toLocaleString("en");

// A field for one trait that is a number. What will not do is put back, and said.
export function numberField(w, label, trait, { min, max, step = 1, change }) {
  const take = ({ target }) => {
    if (target.value !== "" && target.checkValidity()) return change({ [trait]: Number(target.value) });
    target.value = w.get(trait);
    w.say(`${label} must be ${step === 1 ? "a whole number" : "a number"} from ${min} to ${max}.`);
  };
  return h("label", label, w.bind(h("input", { type: "number", min, max, step, onchange: take }), trait));
}

// The box to switch predicting on and off; `forgotten` is what a new question takes back.
export function predictBox({ get, put, on }, forgotten) {
  const box = h("input", {
    type: "checkbox",
    onchange: ({ target }) => put({ predict: target.checked, ...forgotten }),
  });
  const show = () => (box.checked = get("predict"));
  on("change:predict", show);
  show();
  return h("label.lm-predict", box, "Predict");
}

// A question with a field for each number asked; `answer` gets the numbers once all are there.
export function question(text, labels, answer) {
  const fields = labels.map((label) =>
    h("input", {
      type: "number",
      step: "any",
      "data-key": `guess:${label}`,
      onkeydown: ({ key }) => key === "Enter" && send(),
    }),
  );
  const send = () => {
    const missing = fields.find(({ value }) => value === "");
    if (missing) missing.focus();
    else answer(fields.map(({ value }) => Number(value)));
  };
  return h(
    "div.lm-next.lm-question",
    h("p.lm-headline", text),
    h(
      "div.lm-fields",
      fields.map((field, k) => h("label", labels[k], field)),
      h("button.lm-primary", { type: "button", onclick: send }, "Show"),
    ),
  );
}

export const verdict = (right, ...text) =>
  h(
    "div.lm-next",
    h("p.lm-headline", right ? h("span.lm-right", "Right.") : h("span.lm-wrong", "Not quite."), h("span", text)),
  );
