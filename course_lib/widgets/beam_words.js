// What the beam tree and what stands around it have in common: names, formats, and what nodes write.

import { h } from "./base.js";

export const SETTINGS = ["text", "k", "finished", "stop", "normalise", "alpha", "max_length"];
export const CHOICES = {
  finished: { aside: "are set aside", in_beam: "stay in the beam" },
  stop: { count: "k outputs are finished", bound: "the best one is proved", length: "the length is reached" },
  normalise: { plain: "log p", gnmt: "log p / ((5 + |y|) / 6)^α", power: "log p / |y|^α" },
};
export const FATES = {
  open: "weighed",
  kept: "kept",
  finished: "finished",
  pruned: "pruned",
  gone: "finished, but no longer in the beam",
  greedy: "only greedy search goes here",
  revived: "revived: what would have followed",
};
export const CERTAIN = 0.995; // from here on a probability is 1.0, and not written
export const MARKS = { pruned: "✕", finished: "✓", gone: "✕" };

export const number = (value) =>
  value
    .toFixed(2)
    .replace(/^-(?!0\.00$)/, "−")
    .replace("-", "");
export const probability = (p) => (p >= CERTAIN ? "1.0" : p >= 0.01 ? p.toFixed(2).slice(1) : "<.01");
export const counted = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
export const lastStep = (get) => 2 * get("decisions").length;

// What log p of an output with so many pieces is divided by; "" without normalisation.
export const divisor = (get, length) =>
  ({ plain: "", gnmt: ` / ((5 + ${length}) / 6)^${get("alpha")}`, power: ` / ${length}^${get("alpha")}` })[
    get("normalise")
  ];

// What these nodes write, one after the other: the pieces of a word stand together.
export function textOf(nodes, path) {
  const written = path.map((n, k) => {
    const { piece, goes_on } = nodes[n];
    return goes_on && nodes[path[k + 1]]?.before ? piece.slice(0, -1) : `${piece} `;
  });
  return written.join("").trim();
}

// A node as the word that it belongs to, as far as that is written: what pieces before it wrote is pale.
export const wordOf = ({ before, piece }) => [before && h("small", before.replaceAll("·", "")), piece];
export const lettersOf = ({ before, piece }) => before.replaceAll("·", "").length + piece.length;
