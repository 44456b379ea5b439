// What is said of a weight, a word or a row of the attention heatmap, whatever form it has.

import { h } from "./base.js";

export const WRITTEN = 50; // thousandths from which on a number is written
const NAMED = 3; // source words in the sentence below the picture
export const GOLD = { sure: "sure gold link", possible: "possible gold link" };

export const number = (thousandths) => (thousandths / 1000).toFixed(2).replace(/^0/, "");
// A small probability with three places, as small as they are.
export const chance = (thousandths) => {
  if (thousandths >= 10) return number(thousandths);
  return thousandths ? `.00${thousandths}` : "<.001";
};

const named = (words, weightOf) =>
  words.flatMap((n, k) => [k ? ", " : "", quoted(weightOf(n)[0]), ` ${number(weightOf(n)[1])}`]);
export const quoted = (word) => h("bdi", `“${word}”`);

// “Katze” (probability .98) looks at “cat” .93, “the” .04.
export function looksAt({ source, target, p, weights }, row, column) {
  const ranked = [...source.keys()].sort((a, b) => weights[row][b] - weights[row][a] || a - b).slice(0, NAMED);
  const shown = ranked.filter((j, rank) => !rank || weights[row][j] >= 10);
  if (column !== undefined && !shown.includes(column)) shown.push(column);
  return [
    quoted(target[row]),
    ` (probability ${number(p[row])}) looks at `,
    ...named(shown, (j) => [source[j], weights[row][j]]),
    ".",
  ];
}

// “cat” is looked at by “Katze” .93.
export function lookedAt({ source, target, weights }, column) {
  const shown = [...target.keys()].filter((i) => weights[i][column] >= WRITTEN);
  return [
    quoted(source[column]),
    " is looked at by ",
    ...(shown.length ? named(shown, (i) => [target[i], weights[i][column]]) : ["no word"]),
    ".",
  ];
}

export function noteOf(marks, row, column) {
  const gold = marks[`${row}:${column}`];
  return gold ? ` A ${GOLD[gold]}.` : "";
}
