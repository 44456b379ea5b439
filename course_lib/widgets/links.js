// Two sentences with lines between their words, for widgets that draw alignments. The words are laid out by the
// browser and the lines drawn where the words then are: one sentence above the other where both fit in a line,
// else two columns.

const SVG = "http://www.w3.org/2000/svg";

function shape(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// `source` and `target` are lists of elements. `links` are { i, j, width, style, mark, title }: `width` in pixels, `style`
// a class, `mark` a character that stands in the middle. Gives { element, select(side, index), place() }; `select` marks
// one word, its links and its partners, or with no side none.
function drawLinked(source, target, links, names) {
  const row = (words, side) => h("ol", { class: "lm-row", "data-side": side, "aria-label": names[side] }, words.map((word) => h("li", {}, word)));
  const lines = shape("svg", { class: "lm-lines", "aria-hidden": "true" });
  const rows = [row(source, 0), row(target, 1)];
  const element = h("div", { class: "lm-linked" }, ...rows, lines);
  const drawn = links.map((link) => {
    const line = shape("line", { "stroke-width": link.width ?? 2 }, ...(link.title ? [shape("title")] : []));
    if (link.title) line.firstChild.textContent = link.title;
    const mark = link.mark ? shape("text", { class: "lm-cross" }) : null;
    if (mark) mark.textContent = link.mark;
    const group = shape("g", { class: `lm-link ${link.style ?? ""}`, "data-link": `${link.i}-${link.j}` }, line, ...(mark ? [mark] : []));
    lines.append(group);
    return { ...link, line, mark, group };
  });
  const place = () => {
    element.classList.remove("lm-down");
    if (rows.some((list) => list.scrollWidth > element.clientWidth + 1)) element.classList.add("lm-down");
    const down = element.classList.contains("lm-down"), frame = element.getBoundingClientRect();
    const ends = (word, first) => {
      const box = word.getBoundingClientRect();
      return down ? [first ? box.right - frame.left + 3 : box.left - frame.left - 3, (box.top + box.bottom) / 2 - frame.top]
        : [(box.left + box.right) / 2 - frame.left, first ? box.bottom - frame.top + 3 : box.top - frame.top - 3];
    };
    for (const { i, j, line, mark } of drawn) {
      const [x1, y1] = ends(source[i], true), [x2, y2] = ends(target[j], false);
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(1));
      mark?.setAttribute("x", ((x1 + x2) / 2).toFixed(1));
      mark?.setAttribute("y", ((y1 + y2) / 2 + 5).toFixed(1));
    }
  };
  let width = -1;
  new ResizeObserver(() => { // Jupyter draws first, then shows
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
