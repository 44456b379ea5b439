// Two sentences with lines between their words, for widgets that draw alignments. The words are laid out by the
// browser and the lines drawn where the words then are: one sentence above the other where both fit in a line,
// else two columns. A sentence is written in its own direction.

import { h, svg } from "./base.js";
import "./links.css";

// `source` and `target` are lists of elements. `links` are { i, j, width, opacity, style, mark, title, key }: `width`
// is in pixels, `style` a class, `mark` a character on the line. With `name` the lines move (see motion.js), each from
// the one that had its `key` before. Gives { element, select(side, index), place() }: `select` marks one
// word, its links and its partners, or with no side none; `place` draws the lines where the words are now, as happens
// by itself when the figure is shown.
export function drawLinked(source, target, links, names, name) {
  const row = (words, side) =>
    h(
      "ol.lm-row",
      { "data-side": side, dir: "auto", "aria-label": names[side] },
      words.map((word) => h("li", word)),
    );
  const rows = [row(source, 0), row(target, 1)];
  const drawn = links.map((link) => {
    const { i, j, width = 2, opacity, style, title, key = `${i}-${j}` } = link;
    const moves = name && { "data-move": `${name}:${key}`, "data-tween": "stroke-width" };
    const drawing = { "stroke-width": width, "stroke-opacity": opacity, ...moves };
    const line = svg("line", drawing, title && svg("title", title));
    const mark = link.mark && svg("text.lm-cross", link.mark);
    const group = svg(`g.lm-link${style ? `.${style}` : ""}`, { "data-link": `${i}-${j}` }, line, mark);
    return { ...link, line, mark, group };
  });
  const lines = svg(
    "svg.lm-lines",
    { "aria-hidden": "true" },
    drawn.map(({ group }) => group),
  );
  const element = h("div.lm-linked", rows, lines);

  const place = () => {
    element.classList.remove("lm-down");
    element.style.removeProperty("--gap");
    if (rows.some((list) => list.scrollWidth > element.clientWidth + 1)) element.classList.add("lm-down");
    const down = element.classList.contains("lm-down");
    if (!down) element.style.setProperty("--gap", `${gapFor(source, target, drawn)}px`);
    const frame = element.getBoundingClientRect();
    const ends = (word, first) => {
      const box = word.getBoundingClientRect();
      return down
        ? [first ? box.right - frame.left + 3 : box.left - frame.left - 3, (box.top + box.bottom) / 2 - frame.top]
        : [(box.left + box.right) / 2 - frame.left, first ? box.bottom - frame.top + 3 : box.top - frame.top - 3];
    };
    const marked = [];
    for (const { i, j, line, mark } of drawn) {
      const [x1, y1] = ends(source[i], true);
      const [x2, y2] = ends(target[j], false);
      for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(key, value.toFixed(1));
      if (!mark) continue;
      const [x, y] = farthest(
        [0.5, 0.35, 0.65, 0.2, 0.8].map((part) => [x1 + part * (x2 - x1), y1 + part * (y2 - y1)]),
        marked,
      );
      marked.push([x, y]);
      mark.setAttribute("x", x.toFixed(1));
      mark.setAttribute("y", (y + 5).toFixed(1));
    }
  };
  let width = -1;
  new ResizeObserver(() => {
    // Jupyter draws first, then shows
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    place();
  }).observe(element);
  const select = (side, index) => {
    const chosen = side === undefined ? [] : drawn.filter((link) => (side ? link.j : link.i) === index);
    element.classList.toggle("lm-selecting", side !== undefined);
    for (const { group } of drawn) group.classList.remove("lm-chosen");
    for (const word of [...source, ...target]) word.classList.remove("lm-here", "lm-partner");
    if (side !== undefined) [source, target][side][index].classList.add("lm-here");
    for (const { i, j, group } of chosen) {
      group.classList.add("lm-chosen");
      (side ? source[i] : target[j]).classList.add("lm-partner");
    }
  };
  return { element, select, place };
}

// Room between two sentences, in pixels, so that the flattest line still rises: a quarter of its width, from 46 to 150.
function gapFor(source, target, links) {
  const middle = (word) => (({ left, right }) => (left + right) / 2)(word.getBoundingClientRect());
  const widest = Math.max(0, ...links.map(({ i, j }) => Math.abs(middle(source[i]) - middle(target[j]))));
  return Math.round(Math.min(Math.max(46, widest / 4), 150));
}

// Of some places the first that is 18 pixels from all that are taken, or else the one farthest from them.
function farthest(places, taken) {
  const distance = ([x, y]) => Math.min(Infinity, ...taken.map(([a, b]) => Math.hypot(x - a, y - b)));
  return (
    places.find((place) => distance(place) >= 18) ??
    places.reduce((one, other) => (distance(other) > distance(one) ? other : one))
  );
}
