// A grid of cells is one stop of the Tab key; arrow keys, Home and End move among them, Enter or Space calls
// `act(cell)` where there is one. `cells` are rows, which may differ in length.

import { moveByKeys } from "./base.js";

export function moveInGrid(table, cells, act) {
  const all = cells.flat();
  let stop = all.find((cell) => cell.hasAttribute("aria-current")) ?? all[0];
  stop.tabIndex = 0;
  table.addEventListener("focusin", ({ target }) => {
    if (!all.includes(target)) return;
    stop.tabIndex = -1;
    stop = target;
    stop.tabIndex = 0;
  });
  moveByKeys(table, ({ target }) => {
    const row = cells.findIndex((line) => line.includes(target));
    if (row < 0) return {};
    const column = cells[row].indexOf(target);
    const to = (i, j) => () => {
      const line = cells[clamped(i, cells.length)];
      line[clamped(j, line.length)].focus();
    };
    const right = getComputedStyle(table).direction === "rtl" ? -1 : 1;
    const press = act && { Enter: () => act(target), " ": () => act(target) };
    return {
      ArrowLeft: to(row, column - right),
      ArrowRight: to(row, column + right),
      ArrowUp: to(row - 1, column),
      ArrowDown: to(row + 1, column),
      Home: to(row, 0),
      End: to(row, Infinity),
      ...press,
    };
  });
}

export const clamped = (value, length) => Math.min(Math.max(value, 0), length - 1);
