// The scales of the rating form: what each asks of an output, and the fields for it.

import { groupName, h } from "./base.js";

// The words are those of the Linguistic Data Consortium's scales (2005), as Koehn and Monz (2006) used them.
const LIKERT = {
  adequacy: ["How much of the meaning is there?", ["none", "little", "much", "most", "all"]],
  fluency: ["How good is the language?", ["incomprehensible", "disfluent", "non-native", "good", "flawless"]],
};

const SCALES = {
  likert: {
    aspects: ["adequacy", "fluency"],
    missing: "Choose a step for both.",
    legend: () => "Rate the output",
    questions: ({ scores, change }) =>
      Object.entries(LIKERT).map(([aspect, [question, steps]]) =>
        choice({
          legend: [h("b", aspect), ` ${question}`],
          options: steps.map((name, k) => ({ value: k + 1, text: `${k + 1}`, note: name })),
          chosen: scores[aspect],
          change: (value) => change({ [aspect]: value }),
        }),
      ),
  },
  direct: {
    aspects: ["quality"],
    missing: "Move the slider, or write a number.",
    legend: () => "How well does the output say what it should say, in good language?",
    questions: ({ scores, change }) => slider(scores.quality, (quality) => change({ quality })),
  },
  ranking: {
    aspects: ["preference"],
    missing: "Give each output a place.",
    legend: (of) => `Give each output a place, 1 the best, ${of} the worst. Equals get the same place.`,
    questions: ({ output, of, scores, change }) =>
      choice({
        legend: h("span.lm-hidden", `Place of “${output}”`),
        options: Array.from({ length: of }, (_, k) => ({ value: of - k, text: `${k + 1}` })),
        chosen: scores.preference,
        change: (preference) => change({ preference }),
      }),
  },
};

export const scaleOf = (name) => SCALES[name];

// One of some steps: radio buttons, which have the arrow keys.
function choice({ legend, options, chosen, change }) {
  const group = groupName();
  const option = ({ value, text, note }) => {
    const button = h("input", {
      type: "radio",
      name: group,
      value,
      checked: value === chosen,
      onchange: () => change(value),
    });
    return h("label.lm-step", button, h("span", text), note && h("small", note));
  };
  return h("fieldset.lm-choice", h("legend", legend), h("div.lm-steps", options.map(option)));
}

// 0 to 100. Where nothing is chosen yet the slider stands in the middle, which is no answer.
function slider(chosen, change) {
  let now = chosen;
  const range = h("input", { type: "range", min: 0, max: 100, step: 1, value: chosen ?? 50, "aria-label": "Quality" });
  const number = h("input", {
    type: "number",
    min: 0,
    max: 100,
    step: 1,
    value: chosen,
    "aria-label": "Quality as a number",
  });
  const element = h(
    `div.lm-quality${now === undefined ? ".lm-unset" : ""}`,
    h("span", "0 worst"),
    range,
    h("span", "100 perfect"),
    number,
  );
  const take = (value) => {
    element.classList.remove("lm-unset");
    range.value = value;
    number.value = value;
    now = Number(value);
    change(now);
  };
  range.addEventListener("input", () => take(range.value));
  range.addEventListener("pointerup", () => take(range.value)); // also where it was clicked in the middle
  number.addEventListener("input", () => {
    if (number.value !== "" && number.checkValidity()) take(number.value);
  });
  number.addEventListener("change", () => {
    if (number.value === "" || !number.checkValidity()) number.value = now ?? "";
  });
  return element;
}
