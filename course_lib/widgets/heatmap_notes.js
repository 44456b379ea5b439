// What stands around the pictures of the attention heatmap: what was forced, error rates, the legend.

import { h, svg } from "./base.js";
import { GOLD } from "./heatmap_said.js";

// What was forced, and both translations with what differs.
export function drawForced({ name, forced, differences }, live, ask) {
  const marked = (words, tag) => words.flatMap(([word, kept]) => [" ", kept ? word : h(tag, word)]);
  const same = [...differences.before, ...differences.after].every(([, kept]) => kept);
  return h(
    "div.lm-intervention",
    h(
      "p",
      forced.map(({ target, source }, k) => [
        k ? "; where" : "Where",
        " it wrote ",
        h("b", h("bdi", target)),
        " it looks only at ",
        h("b", h("bdi", source)),
      ]),
      ".",
    ),
    h("p", h("small", "before"), " ", h("bdi", marked(differences.before, "del"))),
    h("p", h("small", "after"), " ", h("bdi", marked(differences.after, "ins"))),
    same && h("p.lm-note", "The translation stays the same."),
    live &&
      h("button", { type: "button", "data-key": `undo:${name}`, onclick: () => ask({ undo: name }) }, "Undo the last"),
  );
}

// AER of this translator and of others on the same words.
export function drawRates({ others }, { rate }) {
  if (!rate)
    return h(
      "p.lm-note",
      "It writes other words than the gold translation, so the gold links do not fit. ",
      "Let the translators write the gold translation to compare.",
    );
  const formula = ({ aer, found, links }) => [
    `1 − (${found.join(" + ")}) / (${links.join(" + ")}) = `,
    h("b", aer.toFixed(2)),
  ];
  return h(
    "ul.lm-rates",
    { "aria-label": "Alignment error rates" },
    h("li", h("span", "AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) = "), h("span.lm-aer", formula(rate))),
    others.map((other) => h("li", h("span", `${other.name}: `), h("span.lm-aer", formula(other)))),
  );
}

// `gold`: whether gold links are drawn, `possible`: some that are only possible; `next`: bars of what else was likely.
export function drawLegend({ form, hard, gold, possible, next, live }) {
  const square = (name, share) =>
    h(`span.lm-cell.${name}`, { "aria-hidden": "true" }, share && h("i", { style: `--share:${share}` }));
  const line = (name, width) =>
    svg(`g.lm-link.${name}`, svg("line", { x1: 3, x2: 33, y1: 8, y2: 8, "stroke-width": width }));
  const stroke = (...lines) => svg("svg", { viewBox: "0 0 36 16", "aria-hidden": "true" }, lines);
  const grid = form === "grid";
  const strokes = { "lm-plain": [["lm-plain", 8]], "lm-soft": [["lm-soft", 2]], "lm-past": [["lm-past", 2]] };
  const drawn = (name) =>
    (
      strokes[name] ?? [
        [name, 13],
        ["lm-case", 10],
      ]
    ).map((one) => line(...one));
  const sample = (name, size) => (grid ? square(name, size) : stroke(drawn(name)));
  const measure = grid ? "area" : "width";
  return [
    h("li", sample("lm-plain", 1), hard ? "the largest weight of its row, taken as 1" : `${measure}: the weight`),
    hard && h("li", sample("lm-soft", 0.7), "a weight that the hard alignment drops"),
    form === "movie" && h("li", sample("lm-past"), "where words before looked"),
    gold && h("li", sample("lm-sure"), GOLD.sure),
    gold && possible && h("li", sample("lm-possible"), GOLD.possible),
    next && h("li", "✓ what is written; a piece ends with … where its word goes on"),
    grid && live && h("li", "Click a cell, or press Enter on it, to force this word to look there alone."),
  ].filter(Boolean);
}
