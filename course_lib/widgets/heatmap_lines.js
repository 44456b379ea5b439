// The attention heatmap as lines: the source above, the translation below, and for each weight a line as wide as it is
// large. With a `step` it is the movie: only so many words are written, the last one has all its lines and the weights
// as bars on the source, of those before the strongest lines stay, thin.

import { h } from "./base.js";
import { GOLD, lookedAt, looksAt, number, WRITTEN } from "./heatmap_said.js";
import { drawLinked } from "./links.js";
import "./heatmap_lines.css";

const WIDEST = 12; // pixels: a weight of 1
const GOLDEN = 17; // the outline of a gold link: a weight of 1 fills it
const DRAWN = 10; // thousandths from which on there is a line
const STAYS = 250; // thousandths from which on a line of the movie stays, thin

// As drawHeatmap (heatmap_grid.js), without `force`; `step` and `go(step)` are the movie's.
export function drawLines(map, { name, hard, marks, forced, say, share, step, go }) {
  const { source, target, weights } = map;
  const movie = step !== undefined;
  const now = movie ? Math.min(step, target.length) - 1 : target.length - 1; // the last row that is drawn
  const looks = h("p.lm-looks");
  const rest = () => {
    figure.select();
    looks.replaceChildren(...atRest(map, movie, now));
  };
  const select = (row, column, speak) => {
    if (column >= source.length) column = undefined; // of another translator, which cuts the sentence into more words
    if (row === undefined && column === undefined) return rest();
    figure.select(row === undefined ? 0 : 1, row ?? column);
    const note = forced.has(row) ? " Forced." : "";
    looks.replaceChildren(...(row === undefined ? lookedAt(map, column) : looksAt(map, row)), note);
    if (speak) say(`${name}: ${looks.textContent}`);
  };
  const point = (row, column, speak) => {
    select(row, column, speak);
    share(column);
  };

  const word = (text, side, at) => {
    const written = side === 1 && movie && at <= now;
    const choose = (speak) => () => (side ? point(at, undefined, speak) : point(undefined, at, speak));
    const style = [side && at > now && ".lm-unwritten", written && at === now && ".lm-now"];
    if (side && forced.has(at)) style.push(".lm-forced");
    const weight = movie && !side && now >= 0 && weights[now][at];
    const attributes = {
      type: "button",
      style: weight !== false && `--share:${weight / 1000}`,
      "data-key": `${name}:${side}:${at}`,
      "data-move": written && `word:${name}:${at}`,
      disabled: side === 1 && at > now,
      onclick: written ? () => go(at + 1) : choose(true),
      onfocus: choose(true),
      onmouseenter: choose(false),
      onblur: () => point(),
      onmouseleave: () => point(),
    };
    const bar = weight !== false && barOf(weight, `bar:${name}:${at}`);
    return h(`button.lm-word${style.filter(Boolean).join("")}`, attributes, h("bdi", text), bar);
  };
  const words = [source, target].map((list, side) => list.map((text, at) => word(text, side, at)));
  const links = linksOf(map, { movie, now, hard, marks });
  const figure = drawLinked(...words, links, ["Source", "Translation"], movie && `line:${name}`);
  for (const row of figure.element.querySelectorAll("ol"))
    Object.assign(row.dataset, { roving: `${name}:${row.dataset.side}`, axis: "x" });
  figure.element.classList.toggle("lm-movie", movie);
  rest();
  return { elements: [figure.element, looks], select, place: figure.place };
}

function atRest(map, movie, now) {
  if (!movie) return ["Point at a word, or go to it with the Tab and the arrow keys."];
  return now < 0 ? ["Nothing is written yet. Forward writes the first word."] : looksAt(map, now);
}

// The weight as a bar that stands on a source word.
const barOf = (weight, key) => [
  h("i", { "data-move": key, "data-tween": "height width" }),
  weight >= WRITTEN && h("small", { dir: "ltr" }, number(weight)),
];

function linksOf({ source, target, weights, best }, { movie, now, hard, marks }) {
  const lineOf = (row, column) => {
    const weight = weights[row][column];
    const past = movie && row < now;
    const kept = hard && best[row] === column;
    if (weight < (past ? STAYS : DRAWN) && !kept) return [];
    const share = kept ? 1 : weight / 1000;
    const strength = { width: Math.max(WIDEST * share, 0.8).toFixed(1), opacity: (0.35 + 0.65 * share).toFixed(2) };
    const dashed = { width: 1.5, style: "lm-soft" };
    const [how, key] = [hard && !kept ? dashed : strength, movie && !past ? `${column}` : `${column}-${row}`];
    const title = `${target[row]} – ${source[column]}: ${number(weight)}`;
    return [{ i: column, j: row, title, key, ...how, ...(past && { width: 1.5, style: "lm-past" }) }];
  };
  const goldOf = (row, column) => {
    const kind = (!movie || row === now) && marks[`${row}:${column}`];
    const title = `${target[row]} – ${source[column]}: ${GOLD[kind]}`;
    const link = { i: column, j: row, key: `gold${column}-${row}`, width: GOLDEN, style: `lm-${kind}`, title };
    return kind ? [link, { ...link, key: `case${column}-${row}`, width: GOLDEN - 3, style: "lm-case" }] : [];
  };
  const places = [...target.keys()].slice(0, now + 1).flatMap((row) => [...source.keys()].map((j) => [row, j]));
  return [goldOf, lineOf].flatMap((of) => places.flatMap(([row, column]) => of(row, column)));
}
