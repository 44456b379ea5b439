// One heatmap: a row for each word of the translation, a column for each word of the source. A weight is a square by
// its area, with its number below; gold links are outlines. Below it stands in words what the chosen cell shows.

import { h } from "./base.js";
import { moveInGrid } from "./grid.js";
import { GOLD, lookedAt, looksAt, noteOf, number, WRITTEN } from "./heatmap_said.js";

// `map` is { source, target, p, weights, best }; `marks` maps "row:column" to "sure" or "possible", `forced` is the set
// of rows that are. `name` is the model's. `force(row, column)` is called for a cell, `say(text)` when a cell is
// chosen, `share(column)` when a source word is pointed at, and without one when none is. Gives
// { elements, select(row, column) }: both sentences, the heatmap and the line that tells what is chosen.
export function drawHeatmap(map, { name, hard, marks, forced, force, say, share }) {
  const { source, target, weights, best } = map;
  const looks = h("p.lm-looks", "Point at a cell, or use the arrow keys.");
  const heads = { row: [], column: [] };
  const lines = { row: [], column: [] };
  const cells = [];

  const titleOf = (row, column) => {
    const gold = marks[`${row}:${column}`];
    const notes = [gold && GOLD[gold], hard && best[row] === column && "hard link", forced.has(row) && "forced"];
    return [`${target[row]} – ${source[column]}: ${number(weights[row][column])}`, ...notes.filter(Boolean)].join(", ");
  };
  let marked = [];
  const mark = (name, ...elements) => {
    for (const element of elements) element.classList.add(name);
    marked.push(...elements);
  };
  // Marks a row, a column, or the cell where they meet; without either, nothing.
  const select = (row, column, speak) => {
    for (const element of marked) element.classList.remove("lm-here", "lm-partner");
    marked = [];
    if (column >= source.length) column = undefined; // of another translator, which cuts the sentence into more words
    if (row === undefined && column === undefined) return;
    if (row === undefined) mark("lm-partner", ...lines.row.filter((_, i) => weights[i][column] >= WRITTEN));
    else {
      mark("lm-partner", ...lines.column.filter((_, j) => weights[row][j] >= WRITTEN));
      mark("lm-here", heads.row[row], lines.row[row]);
    }
    if (column !== undefined) mark("lm-here", heads.column[column], lines.column[column]);
    if (row !== undefined && column !== undefined) mark("lm-here", cells[row][column]);
    looks.replaceChildren(
      ...(row === undefined ? lookedAt(map, column) : looksAt(map, row, column)),
      forced.has(row) ? " Forced." : "",
    );
    if (speak) say(`${name}: ${looks.textContent}${noteOf(marks, row, column)}`);
  };

  const point = (row, column, speak) => {
    select(row, column, speak);
    share(column);
  };

  const cell = (row, column) => {
    const weight = weights[row][column];
    const kept = hard && best[row] === column;
    const share = Math.sqrt((kept ? 1000 : weight) / 1000); // of the side of a square of weight 1
    const style = [
      hard && !kept ? ".lm-soft" : "",
      marks[`${row}:${column}`] ? `.lm-${marks[`${row}:${column}`]}` : "",
      forced.has(row) ? ".lm-forced" : "",
    ].join("");
    return h(
      `td.lm-cell${style}`,
      {
        role: "gridcell",
        tabindex: -1,
        title: titleOf(row, column),
        "data-key": `${name}:${row}:${column}`,
        onclick: () => force(row, column),
        onfocus: () => point(row, column, true),
        onmouseenter: () => point(row, column),
      },
      weight > 2 && h("i", { style: `--share:${share.toFixed(3)}` }),
      weight >= WRITTEN && h("span", { dir: "ltr" }, number(weight)),
    );
  };
  const pointing = { row: (at) => () => point(at), column: (at) => () => point(undefined, at) };
  const head = (side, text, at) => {
    const element = h(
      "th",
      { scope: side === "row" ? "row" : "col", onmouseenter: pointing[side](at) },
      h("span", text),
    );
    heads[side].push(element);
    return element;
  };
  const line = (label, words, side) => {
    const spans = words.map((text, at) => h("span", { onmouseenter: pointing[side](at) }, text));
    lines[side].push(...spans);
    return h(
      "p.lm-sentence",
      h("small", label),
      " ",
      h(
        "bdi",
        spans.flatMap((span) => [span, " "]),
      ),
    );
  };

  const sentences = [line("source", source, "column"), line("translation", target, "row")];
  for (const row of target.keys()) cells.push([...source.keys()].map((column) => cell(row, column)));
  const size = `--columns:${source.length};--rows:${target.length}`;
  const table = h(
    "table",
    { role: "grid", "aria-label": `${name}: attention`, style: size },
    h(
      "thead",
      h(
        "tr",
        h("td.lm-corner"),
        source.map((text, at) => head("column", text, at)),
      ),
    ),
    h(
      "tbody",
      target.map((text, row) => h("tr", head("row", text, row), cells[row])),
    ),
  );
  moveInGrid(table, cells, (cell) => cell.click());
  const area = h("div.lm-area", { dir: "auto", "data-scroll": `grid:${name}`, onmouseleave: () => point() }, table);
  return { elements: [...sentences, area, looks], select };
}
