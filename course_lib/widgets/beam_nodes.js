// The nodes and edges of the beam tree as they are drawn, and what is said of a node.

import { h, svg } from "./base.js";
import { edgePath } from "./beam_layout.js";
import { CERTAIN, counted, divisor, FATES, MARKS, number, probability, textOf, wordOf } from "./beam_words.js";

// What a hypothesis says, and in pale letters how the best output that begins so goes on.
export function sentenceOf(tree, n) {
  const said = textOf(tree.nodes, tree.pathTo(n)).replace(/…$/, "");
  const whole = tree.bestBehind(n) ?? "";
  return h(
    "span.lm-so-far",
    h("bdi", h("b", said || "<s>"), whole.startsWith(said) && h("span.lm-rest", whole.slice(said.length))),
  );
}

// log p(he hit) = −0.70 − 1.00 = −1.70
export function formulaOf(get, { nodes, pathTo, fate }, n) {
  if (n === null) return ["Nothing is written yet: log p = 0."];
  const path = pathTo(n).map((one) => nodes[one]);
  const node = nodes[n];
  const terms = path.map(({ log_prob }, k) => (k ? ` − ${number(Math.abs(log_prob))}` : number(log_prob)));
  return [
    "log p(",
    h("code", { dir: "auto" }, textOf(nodes, pathTo(n))),
    ") = ",
    path.length > 1 ? `${terms.join("")} = ` : "",
    h("b", number(node.total)),
    node.ends && get("normalise") !== "plain"
      ? [`, score ${number(node.total)}${divisor(get, node.depth)} = `, h("b", number(node.score))]
      : "",
    ". ",
    h("code", { dir: "auto" }, node.piece),
    `: p = ${node.p}; ${FATES[fate(n)]}.`,
  ].flat();
}

const spokenNode = ({ before, piece, log_prob, p, total, score, ends }, fate) =>
  `${before}${piece}: log probability ${number(log_prob)}, probability ${p}, sum ${number(total)}` +
  `${ends ? `, score ${number(score)}` : ""}, ${FATES[fate]}`;

// `tree` is treeOf's, `place` the layout's; `whole`: words and edges alone, without numbers.
export function drawNode(tree, place, n, { here, chosen, whole, act, look }) {
  const { nodes, fate, children, hidden, all, winner, asks, pathTo } = tree;
  const node = nodes[n];
  const now = fate(n);
  const siblings = n === null ? [null] : children(node.parent);
  const folded = hidden(n);
  const within = whole && tree.within(n);
  const mark = chosen.has(n) ? "☑" : MARKS[now];
  const attributes = {
    role: "treeitem",
    tabindex: n === here ? 0 : -1,
    "data-key": `node${n}`,
    style: `left:${place.x.toFixed(2)}em;top:${place.y.toFixed(2)}em;width:${place.w.toFixed(2)}em`,
    "aria-level": n === null ? 1 : node.depth + 1,
    "aria-posinset": siblings.indexOf(n) + 1,
    "aria-setsize": siblings.length,
    "aria-expanded": all(n).length ? String(!folded) : null,
    "aria-selected": asks && now === "open" ? String(chosen.has(n)) : null,
    title: n === null ? null : textOf(nodes, pathTo(n)),
    "aria-label":
      (n === null ? "The start" : spokenNode(node, now)) + (folded ? `, ${counted(folded, "node")} folded away` : ""),
    onclick: () => act(n),
    onfocus: () => look(n, true),
    onmouseenter: () => look(n, false),
  };
  const style = [`.lm-${now}`, winner.has(n) && ".lm-on", chosen.has(n) && ".lm-chosen", within && ".lm-within"];
  return h(
    `div.lm-node${style.filter(Boolean).join("")}`,
    attributes,
    n !== null &&
      !whole &&
      node.p < CERTAIN &&
      h("span.lm-edge", number(node.log_prob), " ", h("i", probability(node.p))),
    h(
      "span.lm-box",
      !within && h("span.lm-word", { dir: "auto" }, n === null ? "<s>" : wordOf(node)),
      n !== null && !whole && h("span.lm-sum", number(node.total)),
      mark && (!whole || chosen.has(n)) && h("span.lm-mark", mark),
    ),
    folded > 0 && h("span.lm-fold", `+${folded}`),
  );
}

// The width of an edge is the probability of what stands at its end. Where the path that is followed is a new one it is
// drawn edge by edge (`walks`).
export function drawEdges({ nodes, fate, winner, greedyPath }, { places, width, height }, walks) {
  const [bands, plain, above] = [[], [], []];
  for (const [n, place] of places) {
    if (n === null) continue;
    const d = edgePath(places.get(nodes[n].parent), place);
    const line = (name, more) => svg(`path.lm-line.${name}`, { d, ...more });
    plain.push(
      line(`lm-to-${fate(n)}${winner.has(n) ? ".lm-followed" : ""}${winner.has(n) && walks ? ".lm-walks" : ""}`, {
        style: `stroke-width:${widthOf(nodes[n].p)}`,
        pathLength: winner.has(n) && walks && 1,
        "data-edge": n,
      }),
    );
    if (winner.has(n)) bands.push(line("lm-band"));
    if (greedyPath.has(n)) above.push(line("lm-by-greedy", { transform: "translate(.45 0)" }));
  }
  const size = { viewBox: `0 0 ${width} ${height}`, style: `width:${width}em;height:${height}em` };
  return svg("svg", { ...size, "aria-hidden": "true" }, bands, plain, above);
}

const widthOf = (p) => (0.07 + 0.43 * p).toFixed(3); // ems
