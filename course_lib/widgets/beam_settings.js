import { h, wholeNumber } from "./base.js";
import { CHOICES } from "./beam_words.js";

// The reader's own sentence, and what the search is to do. What the fields say is asked for, not what Python last did:
// a second change may come before the answer to the first. The sentence is the one that was submitted last.
export function own(w, ask, unanswered) {
  const { get, live } = w;
  const search = (changes) => {
    const submitted = unanswered().findLast((request) => request.search)?.search;
    ask({
      search: {
        text: get("text"),
        max_length: wholeNumber(longest),
        ...submitted,
        k: Number(k.value),
        finished: finished.value,
        stop: stop.value,
        normalise: normalise.value,
        alpha: Number(alpha.value),
        ...changes,
      },
    });
  };
  const onchange = () => search({});
  const lengthen = () => search({ max_length: wholeNumber(longest) });
  const submit = () => search({ text: sentence.value, max_length: null });
  const field = (trait, attributes) => w.bind(h("input", attributes), trait);
  const select = (trait, options) =>
    w.bind(
      h(
        "select",
        { onchange },
        Object.entries(options).map(([value, text]) => h("option", { value }, text)),
      ),
      trait,
    );
  const sentence = field("text", {
    type: "text",
    dir: "auto",
    spellcheck: "false",
    "aria-label": "Your sentence",
    onkeydown: ({ key }) => key === "Enter" && submit(),
  });
  const k = select("k", Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((size) => [size, size])));
  const [finished, stop, normalise] = ["finished", "stop", "normalise"].map((trait) => select(trait, CHOICES[trait]));
  const said = h("span");
  const showAlpha = () => {
    alpha.disabled = get("normalise") === "plain";
    said.textContent = alpha.disabled ? "α (log p has none)" : `α = ${Number(alpha.value).toFixed(1)}`;
  };
  const alpha = field("alpha", { type: "range", min: 0, max: 2, step: 0.1, oninput: showAlpha, onchange });
  const longest = field("max_length", { type: "number", min: 1, max: 60, onchange: lengthen });
  for (const trait of ["normalise", "alpha"]) w.on(`change:${trait}`, showAlpha);
  showAlpha();
  return h(
    "fieldset.lm-settings",
    { disabled: !live },
    h("legend.lm-hidden", "What is searched, and how"),
    h("div.lm-read", sentence, h("button.lm-primary", { type: "button", onclick: submit }, "Translate")),
    !live &&
      h(
        "p.lm-note",
        "This page has no Python: step through the search that it holds, or open the notebook for another one.",
      ),
    h(
      "div.lm-fields",
      h("label", "Beam size k", k),
      h("label", "Finished outputs", finished),
      h("label", "Stop when", stop),
      h("label", "Rank by", normalise),
      h("label", said, alpha),
      h("label", "Longest output", longest),
    ),
  );
}
