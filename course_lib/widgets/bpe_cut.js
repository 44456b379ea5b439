// How a word is cut after some merges: each piece stands above the two that it is made of.

import { h } from "./base.js";
import "./bpe_cut.css";

// The end-of-word marker of a piece is drawn smaller; what cannot be seen where a piece begins or ends is named.
export const marked = (text) => text.split(/(<\/w>)/).map((part, i) => (i % 2 ? h("bdi.lm-end", part) : visible(part)));
const visible = (text) =>
  text
    .split(/(^[\p{DI}\p{C}\p{Z}]+|[\p{C}\p{Z}]+$)/u)
    .map((part, i) =>
      i % 2
        ? h(
            "bdi.lm-unseen",
            [...part].map((one) => `U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(" "),
          )
        : part,
    );

// A piece inside a sentence, whose own direction does not disturb the sentence's.
export const code = (text) => h("code", { dir: "auto" }, marked(text));

// `cut` has the word's symbols and its joins [merges done, start, end]; `k` merges are done, and `go(n)` does the n-th.
// Merges to come are outlines, which a reader who predicts does not see. `key` tells it from other words' trees.
export function drawTree({ k, predict, go }, { symbols, joins }, { key, label }) {
  const heights = symbols.map(() => 1); // of what stands above each symbol so far
  const rows = joins.map(([, start, end]) => {
    const row = Math.max(...heights.slice(start, end)) + 1;
    heights.fill(row, start, end);
    return row;
  });
  const deepest = Math.max(...heights);
  const box = (name, start, end, row, ...content) =>
    h(name, { style: `grid-column: ${start + 1} / ${end + 1}; grid-row: ${deepest - row + 1}` }, content);
  const piece = (start, end) => marked(symbols.slice(start, end).join(""));
  const covered = (start, end) =>
    joins.some(([n, from, to]) => n <= k && from <= start && end <= to && to - from > end - start);
  const name = (start, end) => `code.lm-piece${covered(start, end) ? "" : ".lm-top"}`;
  const made = joins.flatMap(([n, start, end], i) => {
    if (n > k && predict) return [];
    const there = {
      type: "button",
      title: `merge ${n}`,
      "data-key": `${key}:cut:${n}:${start}`,
      onclick: () => go(n),
    };
    const button = h("button.lm-n", there, `${n}`);
    const state = n > k ? "code.lm-piece.lm-later" : `${name(start, end)}${n === k ? ".lm-fresh" : ""}`;
    return [box(state, start, end, rows[i], piece(start, end), button)];
  });
  const letters = symbols.map((_, i) => box(name(i, i + 1), i, i + 1, 1, piece(i, i + 1)));
  return h(
    "div.lm-tree",
    { role: "group", "aria-label": label, dir: "auto", style: `--symbols: ${symbols.length}` },
    made,
    letters,
  );
}

// Into how many pieces a word is cut after `k` merges.
export const piecesOf = ({ symbols, joins }, k) => symbols.length - joins.filter(([n]) => n <= k).length;
