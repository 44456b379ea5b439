// The same search with several beam sizes, side by side: of each the outputs that it found as one small tree, and the
// best of them.

import { h, svg } from "./base.js";
import { counted, number } from "./beam_words.js";

const SIZES = [1, 5, 50];
const [WIDE, HIGH] = [300, 150]; // of a picture

// The cards, or the button that asks for them; without Python and without cards, nothing.
export function drawCompared({ get, live, ask }) {
  const rows = get("compared");
  const about = "the outputs that each search found, as paths; the best one is thick";
  const heading = h("h4", "Beam sizes side by side ", h("small", about));
  if (rows.length)
    return h(
      "div.lm-compared",
      heading,
      h(
        "ol.lm-cards",
        rows.map((row) => drawCard(row, rows, get)),
      ),
    );
  const names = SIZES.join(", ").replace(/, (\d+)$/, " and $1");
  const button = { type: "button", "data-key": "compare", onclick: () => ask({ compare: SIZES }) };
  return live && h("div.lm-compared", h("button", button, `Compare k = ${names}`));
}

function drawCard({ k, text, log_p, score, length, finished, found, paths }, rows, get) {
  const highest = number(score) === number(Math.max(...rows.map((row) => row.score)));
  const same = rows.find((row) => row.k < k && row.text === text && row.length === length);
  const notes = [
    counted(found, "output"),
    !finished && "not finished",
    highest && "✓ the highest score",
    same && `the same as k = ${same.k}`,
  ];
  return h(
    `li.lm-card${highest ? ".lm-on" : ""}`,
    h("h5", `k = ${k}`),
    drawPaths(paths),
    h("p.lm-best", { dir: "auto" }, text || "(empty)"),
    h("p", `log p ${number(log_p)}, |y| ${length}`, get("normalise") === "plain" ? "" : `, score ${number(score)}`),
    h("p.lm-note", notes.filter(Boolean).join("; ")),
  );
}

// From the left to the right; each output ends on a line of its own, the best one uppermost.
function drawPaths(paths) {
  const below = paths.map(() => []);
  const roots = [];
  paths.forEach(([parent], n) => (parent === null ? roots : below[parent]).push(n));
  const [depths, heights] = [[], []];
  let lines = 0;
  const place = (n, depth) => {
    depths[n] = depth;
    for (const child of below[n]) place(child, depth + 1);
    heights[n] = below[n].length ? heights[below[n][0]] : lines++;
  };
  for (const root of roots) place(root, 1);
  const across = (depth) => 4 + (depth * (WIDE - 8)) / Math.max(...depths);
  const down = (line) => (lines > 1 ? 6 + (line * (HIGH - 12)) / (lines - 1) : HIGH / 2);
  const edges = paths.map(([parent, best], n) => {
    const [x1, x2] = [depths[n] - 1, depths[n]].map(across);
    const [y1, y2] = [parent === null ? 0 : heights[parent], heights[n]].map(down);
    return svg(`path.lm-path${best ? ".lm-best-path" : ""}`, { d: `M${x1} ${y1}C${x2} ${y1} ${x1} ${y2} ${x2} ${y2}` });
  });
  return svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, edges.reverse());
}
