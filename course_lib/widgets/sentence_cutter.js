// The sentence cutter: how a translator's tokenizer cuts a sentence, merge by merge. A step is a merge that this
// sentence needs; `ranks` says which one of the tokenizer's it is.

import { h } from "./base.js";
import { code, drawTree, piecesOf } from "./bpe_cut.js";
import { stepper } from "./stepper.js";
import "./sentence_cutter.css";

const done = ({ get, step }) => (step ? get("ranks")[step - 1] : 0);
const pieces = (view) => view.get("words").reduce((sum, word) => sum + piecesOf(word, done(view)), 0);
const count = (n, what) => (n === 1 ? `one ${what}` : `${n.toLocaleString("en")} ${what}s`);
const labelOf = (word, k) => `“${word.symbols.join("").replace("</w>", "")}”: ${count(piecesOf(word, k), "piece")}`;

function draw(view) {
  const { get, step, go } = view;
  const [a, b] = step ? get("pairs")[step - 1] : [];
  const k = done(view);
  const next = step
    ? ["Merge ", h("b", k.toLocaleString("en")), ` of ${get("merges").toLocaleString("en")}: `, code(a), " ", code(b)]
    : ["Before the first merge: letters alone, and the end of each word."];
  const shown = { k, predict: false, go: (n) => go(get("ranks").indexOf(n) + 1) };
  return [
    h(
      "p.lm-counted",
      h("span", next),
      h("span.lm-sum", `${count(get("words").length, "word")}, ${count(pieces(view), "piece")}`),
    ),
    h(
      "div.lm-words",
      get("words").map((word, i) => drawTree(shown, word, { key: `${i}`, label: labelOf(word, k) })),
    ),
  ];
}

function spoken(view) {
  const { get, step } = view;
  const made = step ? `${get("pairs")[step - 1].join(" and ")} became one piece. ` : "";
  return `${made}${count(get("words").length, "word")}, ${count(pieces(view), "piece")}.`;
}

// The reader's own sentence.
function own(w, ask) {
  const send = () => ask({ read: field.value });
  const field = w.bind(
    h("input", {
      type: "text",
      dir: "auto",
      spellcheck: "false",
      "aria-label": "Your sentence",
      onkeydown: ({ key }) => key === "Enter" && send(),
    }),
    "text",
  );
  return h(
    "fieldset.lm-read",
    { disabled: !w.live },
    h("legend.lm-hidden", "What is cut"),
    field,
    h("button.lm-primary", { type: "button", onclick: send }, "Cut"),
  );
}

export default {
  render: stepper({
    root: "lm-cutter",
    label: "Sentence cutter",
    unit: "merges",
    traits: ["words"],
    words: { doing: "Cutting …", done: "", refused: "Not cut" },
    last: (get) => get("ranks").length,
    draw,
    spoken,
    own,
    ownFirst: true,
  }),
};
