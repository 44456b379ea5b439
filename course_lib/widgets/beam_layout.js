// Where the nodes of a tree stand, in ems: a column for each depth, in it the children of the first parent, then those
// of the second. A column depends only on those to its left, so nothing moves when the tree grows, and no edges cross.

// All in ems.
const ROW = 2.1;
const LETTER = 0.6;
const MARGIN = 0.6; // the border
const EDGE = { labelled: 8, bare: 1.4 };
const LABEL = { labelled: 5, bare: 0 }; // the room for an edge's label

// { places: Map(node -> { x, y, w }), columns: [nodes], width, height }, y at the middle of a row. `childrenOf(node)`
// gives the nodes to draw, `lettersOf(node)` how long its text is, `edges` is "labelled" or "bare". The first column is
// [null], the start.
export function layout(childrenOf, lettersOf, edges) {
  const columns = [[null]];
  for (let next = childrenOf(null); next.length; next = next.flatMap(childrenOf)) columns.push(next);
  const places = new Map();
  let x = MARGIN;
  columns.forEach((column, depth) => {
    const w = LETTER * Math.max(...column.map(lettersOf)) + 1.2;
    if (depth) x += EDGE[edges];
    column.forEach((node, row) => places.set(node, { x, y: (row + 0.5) * ROW + MARGIN, w }));
    x += w;
  });
  const height = Math.max(...columns.map((column) => column.length)) * ROW + 2 * MARGIN;
  return { places, columns, width: x + MARGIN + 1.6, height };
}

// An edge: along the row of its label, then to the box.
export function edgePath(from, to, edges) {
  const left = from.x + from.w;
  const bend = to.x - LABEL[edges];
  const middle = (left + bend) / 2;
  return `M${left} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${bend} ${to.y}H${to.x}`;
}

// Scrolls a box, not the page, so that an element in it can be seen.
export function bringIntoView(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const by = (low, high, from, to) => (from < low ? from - low : to > high ? to - high : 0);
  box.scrollLeft += by(outer.left + 90, outer.right - 30, inner.left, inner.right);
  box.scrollTop += by(outer.top + 12, outer.bottom - 24, inner.top, inner.bottom);
}

// A mouse that draws the picture moves it.
export function dragToScroll(box) {
  let from = null;
  box.addEventListener("pointerdown", ({ button, clientX, clientY, target, pointerType }) => {
    if (button === 0 && pointerType === "mouse" && !target.closest("[role=treeitem]"))
      from = { x: clientX + box.scrollLeft, y: clientY + box.scrollTop };
  });
  box.addEventListener("pointermove", ({ clientX, clientY, buttons }) => {
    if (!buttons) from = null;
    if (from) Object.assign(box, { scrollLeft: from.x - clientX, scrollTop: from.y - clientY });
  });
}
