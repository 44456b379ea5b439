// An output above its references, and below them its n-grams, a row for each order. To point at an n-gram lights up
// where it stands. A mark and a border tell what became of it, beside its colour.

import { h } from "./base.js";
import { moveInGrid } from "./grid.js";

export const SUB = ["₀", "₁", "₂", "₃", "₄"];
const STATES = {
  matched: ["✓", "matched: it counts"],
  clipped: ["⊘", "clipped: the output has it more often than any reference"],
  absent: ["×", "in no reference"],
};
const HINT = "Point at an n-gram, or move to it with Tab and the arrow keys, to see where it stands.";
const STAYS = 100; // tokens that are few enough to stay in view above the n-grams

// { element, mark() }: `mark` lights up the n-gram that is picked.
export function drawNgrams(view, { get, put, say }) {
  const line = (tokens) => tokens.map((token) => h("li", { dir: "auto" }, token));
  const output = line(view.hypothesis);
  const references = view.references.map(line);
  const told = h("p.lm-told");
  const chips = [];

  const light = (tokens, from, n, kind) => {
    for (const token of tokens.slice(from, from + n))
      if (!token.dataset.light?.includes("here")) token.dataset.light = kind;
  };
  // Lights up the n-gram of order n at a place of the output; all dark without one.
  const show = (n, at) => {
    for (const token of [output, ...references].flat()) delete token.dataset.light;
    const one = n && view.orders[n - 1].ngrams[at];
    told.replaceChildren(...(one ? sentence(view, n, one) : [HINT]));
    told.classList.toggle("lm-quiet", !one);
    if (!one) return;
    light(output, at, n, `${one.state} here`);
    for (const other of view.orders[n - 1].ngrams)
      if (other.at !== at && other.ngram.join(" ") === one.ngram.join(" ")) light(output, other.at, n, other.state);
    if (one.match) light(references[one.match[0]], one.match[1], n, "matched here");
    for (const [r, i] of one.places) light(references[r], i, n, "place");
  };
  const mark = () => {
    const [n, at] = get("picked");
    for (const { button, n: order, at: place } of chips) {
      if (order === n && place === at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    show(n, at);
  };
  const pick = (n, one) => {
    const [order, at] = get("picked");
    if (order !== n || at !== one.at) put({ picked: [n, one.at] });
    mark();
    say(told.textContent);
  };

  const chip = (n, one) => {
    const [sign] = STATES[one.state];
    const button = h(
      `button.lm-gram.lm-${one.state}`,
      {
        type: "button",
        tabindex: -1,
        "data-key": `gram:${n}:${one.at}`,
        onfocus: () => pick(n, one),
        onclick: () => pick(n, one),
        onmouseenter: () => show(n, one.at),
        onmouseleave: mark,
      },
      h("span", { "aria-hidden": "true" }, sign),
      h("bdi", one.ngram.join(" ")),
      h("span.lm-hidden", one.state === "absent" ? "in no reference" : one.state),
    );
    chips.push({ button, n, at: one.at });
    return button;
  };
  const rows = view.orders.map((order, k) => {
    const buttons = order.ngrams.map((one) => chip(k + 1, one));
    return { buttons, element: drawOrder(order, k + 1, buttons, view.factors[k + 1].weight > 0) };
  });
  const grams = h(
    "div.lm-orders",
    rows.map(({ element }) => element),
  );
  const cells = rows.map(({ buttons }) => buttons).filter((buttons) => buttons.length);
  if (cells.length) moveInGrid(grams, cells);
  grams.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") put({ picked: [] });
  });
  const tokens = [output, ...references].flat().length;
  const element = h(
    "div",
    h(
      `div.lm-lit${tokens <= STAYS ? ".lm-stays" : ""}`,
      h(
        "div.lm-passages",
        drawLine("Output", `c = ${view.c}`, output),
        references.map((reference, k) => drawReference(view, reference, k)),
      ),
      told,
    ),
    grams,
    drawLegend(),
  );
  return { element, mark };
}

const drawLine = (name, note, tokens) =>
  h(
    "div.lm-line",
    h("p", h("b", name), h("small", note)),
    h("ol", { "aria-label": name, dir: "auto" }, tokens.length ? tokens : h("li.lm-nothing", "(empty)")),
  );

const drawReference = (view, tokens, k) =>
  drawLine(
    view.references.length > 1 ? `Reference ${k + 1}` : "Reference",
    k === view.closest ? `r = ${view.r}${view.references.length > 1 ? ", closest" : ""}` : `${tokens.length} tokens`,
    tokens,
  );

function drawOrder({ matches, total, p }, n, buttons, isCounted) {
  const smoothed = !total || Math.abs(p - matches / total) > 1e-12;
  const share = `p${SUB[n]} = ${matches} / ${total}`;
  const value = smoothed ? [share, h("br"), `smoothed: ${p.toFixed(3)}`] : `${share} = ${p.toFixed(3)}`;
  const none = `No ${n}-gram: the output has ${n === 1 ? "no token" : `fewer than ${n} tokens`}.`;
  return h(
    "div.lm-order",
    { role: "group", "aria-label": `${n}-grams`, "data-order": n },
    h("p", h("b", `${n}-grams`), h("small", isCounted ? value : "not counted")),
    h("div.lm-grams", buttons.length ? buttons : h("span.lm-nothing", none)),
  );
}

const drawLegend = () =>
  h(
    "ul.lm-legend",
    { "aria-label": "Marks" },
    Object.entries(STATES).map(([state, [sign, said]]) =>
      h("li", h(`span.lm-gram.lm-${state}`, { "aria-hidden": "true" }, sign), said),
    ),
  );

// “the cat”: matched in reference 1. 3 in the output, at most 2 in one reference: 2 count. Its share of p₂ = 4 / 9 is
// 2 / 9.
function sentence(view, n, one) {
  const { matches, total } = view.orders[n - 1];
  const where = one.match && (view.references.length > 1 ? `matched in reference ${one.match[0] + 1}` : "matched");
  const fate = { matched: where, clipped: "clipped", absent: "in no reference" }[one.state];
  const counts = `${one.counted} ${one.counted === 1 ? "counts" : "count"}`;
  const rule = `: ${fate}. ${one.count} in the output, at most ${one.most} in one reference: ${counts}. `;
  return [
    h("b", { dir: "auto" }, `“${one.ngram.join(" ")}”`),
    rule,
    `Its share of p${SUB[n]} = ${matches} / ${total} is ${one.counted} / ${total}.`,
  ];
}
