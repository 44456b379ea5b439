// What else might have been written: of each piece of a word the likeliest ones with their probabilities, as bars.

import { h } from "./base.js";
import { chance, quoted } from "./heatmap_said.js";

// `pieces` are { written, p, best: [[piece, p]] }, in thousandths; `name` is the model's, `word` what they make up.
export function drawNext(pieces, name, word) {
  const product = pieces.map(({ p }) => chance(p)).join(" × ");
  const together = pieces.reduce((p, one) => (p * one.p) / 1000, 1000);
  return h(
    "div.lm-nexts",
    pieces.map((piece, k) => {
      const title = pieces.length > 1 ? `The likeliest as piece ${k + 1}` : "The likeliest here";
      return h("div.lm-next-words", h("h5", title), drawBars(piece, `${name}:${k}`));
    }),
    pieces.length > 1 && h("p.lm-note", "p(", quoted(word), `) = ${product} = ${chance(Math.round(together))}`),
  );
}

// The piece that is written stands below the others where it is none of them: it was given, or another was forced.
function drawBars({ written, p, best }, key) {
  const rows = best.some(([piece]) => piece === written) ? best : [...best, [written, p]];
  return h(
    "ol.lm-bars",
    rows.map(([piece, share], rank) =>
      h(
        `li${piece === written ? ".lm-written" : ""}`,
        h("span.lm-piece", h("bdi", piece), piece === written && h("span", { title: "written" }, " ✓")),
        h(
          "span.lm-track",
          h("i", { style: `width:${share / 10}%`, "data-move": `next:${key}:${rank}`, "data-tween": "width" }),
        ),
        h("span", chance(share)),
      ),
    ),
  );
}

// “likeliest: Katze .93, Hund .04”, for a screen reader.
export const spokenNext = (pieces) =>
  pieces.map(({ best }) => ` Likeliest: ${best.map(([piece, p]) => `${piece} ${chance(p)}`).join(", ")}.`).join("");
