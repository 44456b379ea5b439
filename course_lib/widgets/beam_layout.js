// Where the nodes of a tree stand, in ems: a row for each depth, the children of a node below it, side by side in the
// order of their parents. So no edges cross, and nothing moves when the tree grows. The likeliest child, which is the
// first, stands straight below its parent, unless others are in its way.

const BOX = 1.7; // all in ems
const BETWEEN = 0.7;
const MARGIN = 0.8;
const START = 4; // so that wider boxes can stand straight below it
const EDGE = { labelled: 3.2, bare: 1.3 }; // from one row of boxes to the next

// { places: Map(node -> { x, y, w }), rows: [nodes], width, height }, x at the left and y at the middle of a box.
// `childrenOf(node)` gives the nodes to draw, `widthOf(node)` how wide a box is, `roomOf(node)` what stands beside it,
// `edges` is "labelled" or "bare". The first row is [null], the start.
export function layout(childrenOf, widthOf, roomOf, edges) {
  const rows = [[null]];
  for (let next = childrenOf(null); next.length; next = next.flatMap(childrenOf)) rows.push(next);
  const places = new Map();
  rows.forEach((_row, depth) => {
    const y = MARGIN + BOX / 2 + depth * (BOX + EDGE[edges]);
    let free = MARGIN; // what stands further left is taken
    const put = (node, wanted) => {
      const place = { x: Math.max(wanted, free), y, w: widthOf(node) };
      places.set(node, place);
      free = place.x + place.w + roomOf(node) + BETWEEN;
    };
    if (!depth) return put(null, START);
    for (const parent of rows[depth - 1]) {
      const { x, w } = places.get(parent);
      childrenOf(parent).forEach((node, rank) => put(node, rank ? 0 : x + (w - widthOf(node)) / 2));
    }
  });
  const width = Math.max(...[...places].map(([node, { x, w }]) => x + w + roomOf(node))) + MARGIN;
  return { places, rows, width, height: MARGIN * 2 + rows.length * (BOX + EDGE[edges]) - EDGE[edges] };
}

// From the middle below one box to the middle above the other.
export function edgePath(from, to) {
  const [x1, y1, x2, y2] = [from.x + from.w / 2, from.y + BOX / 2, to.x + to.w / 2, to.y - BOX / 2];
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
}

// Scrolls a box, not the page, so that an element in it can be seen.
export function bringIntoView(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const by = (low, high, from, to) => (from < low ? from - low : to > high ? to - high : 0);
  box.scrollLeft += by(outer.left + 30, outer.right - 30, inner.left, inner.right);
  box.scrollTop += by(outer.top + 50, outer.bottom - 24, inner.top, inner.bottom);
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
