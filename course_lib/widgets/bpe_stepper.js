// The BPE merge stepper: the panels that bpe_panel.js draws, in step with each other, and what the reader can ask for.
// What to merge, how often a pair occurs and why it wins all come from Python's trace. `step` counts the merges that
// are done.

import { h, ownInput, textArea, wholeNumber } from "./base.js";
import { stepper } from "./stepper.js";
import { drawPanel, same, spoken, viewOf } from "./bpe_panel.js";
import "./bpe_stepper.css";

const RULES = { first: "first: the pair met first", largest: "largest: the last in the alphabet (subword-nmt)" };
const MARKERS = { attached: "attached: t</w>", separate: "separate: t ·" };

const panelsOf = (view) => view.get("panels").map((panel, p, all) => viewOf(view, panel, p, all.length > 1));

function draw(view) {
  const choicesOf = (p, change) =>
    view.ask({
      ...now(view),
      choices: now(view).choices.map((choices, i) => (i === p ? change(choices) : choices)),
    });
  const panels = panelsOf(view).map((panel) =>
    drawPanel({
      ...panel,
      choose: (pair) =>
        choicesOf(panel.p, (choices) => [...choices.filter(([step]) => step < panel.k), [panel.k, ...pair]]),
      follow: () => choicesOf(panel.p, () => []),
    }),
  );
  return [h(`div.lm-panels${panels.length > 1 ? ".lm-several" : ""}`, panels), ...wordField(view)];
}

// The word to cut; where no Python answers it stays the one it is.
function wordField(view) {
  const word = view.get("word");
  if (!word && !view.live) return [];
  const cut = () => view.ask({ ...now(view), word: field.value });
  const field = h("input", {
    type: "text",
    value: word,
    maxlength: 24,
    dir: "auto",
    spellcheck: "false",
    disabled: !view.live,
    "data-key": "word",
    onkeydown: ({ key }) => key === "Enter" && cut(),
  });
  const button = view.live && h("button.lm-small", { type: "button", "data-key": "cut", onclick: cut }, "Cut");
  return [h("p.lm-word", h("label", "Cut a word, of the text or not: ", field), button)];
}

// What is learned, or was asked for last and is still being learned.
const now = ({ get, unanswered }) =>
  unanswered().at(-1) ?? {
    texts: get("texts"),
    merges: get("merges"),
    tie: get("tie"),
    marker: get("marker"),
    word: get("word"),
    choices: get("panels").map((panel) => panel.choices),
  };

// Right is any of the most frequent pairs.
function right(get, key, guess) {
  const [p, k] = key.split(":").map(Number);
  return get("panels")[p].positions[k].pairs.some(({ pair, tied }) => tied && same(pair, guess));
}

// The reader's own text and rules.
function own(w, ask, unanswered) {
  const texts = w
    .get("panels")
    .map(({ label }, p, all) =>
      w.bind(textArea(all.length > 1 ? label : "Text", 5), "texts", (trait) => w.get(trait)[p]),
    );
  const send = () =>
    ask({
      texts: texts.map(({ value }) => value),
      merges: wholeNumber(merges),
      tie: tie.value,
      marker: marker.value,
      word: now({ ...w, unanswered }).word,
      choices: texts.map(() => []),
    });
  const select = (trait, options) =>
    w.bind(
      h(
        "select",
        { onchange: send },
        Object.entries(options).map(([value, label]) => h("option", { value }, label)),
      ),
      trait,
    );
  const tie = select("tie", RULES);
  const marker = select("marker", MARKERS);
  const merges = w.bind(h("input", { type: "number", min: 0, max: 300 }), "merges");
  return ownInput(w, {
    summary: "Your own text, tie rule and end marker",
    legend: "What to learn from",
    note: "Any text, or a dictionary: on each line a word and how often it occurs.",
    texts,
    fields: { "Of tied pairs take": tie, "End of word": marker, Merges: merges },
    action: "Learn",
    send,
  });
}

export default {
  render: stepper({
    root: "lm-bpe",
    label: "BPE merge stepper",
    unit: "merges",
    traits: ["panels"],
    last: (get) => Math.max(...get("panels").map((panel) => panel.merges.length)),
    draw,
    spoken: (view) => panelsOf(view).map(spoken).join(" "),
    right,
    own,
  }),
};
