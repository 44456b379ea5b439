// The beam tree. What is weighed, kept, finished and revived, and every number, is Python's; here it is drawn, walked and
// folded. Piece t of the output takes two steps: at 2t − 1 it is weighed, at 2t the beam is kept.

import { byData, h, moveByKeys, svg } from "./base.js";
import { stepper, whenSized } from "./stepper.js";
import { bringIntoView, dragToScroll, edgePath, layout } from "./beam_layout.js";
import { CERTAIN, counted, divisor, drawLegend, drawNext, drawOutputs, drawRules, endingOf, FATES, lastStep, MARKS, number, own, probability, right, SETTINGS } from "./beam_panels.js";
import "./beam_stepper.css";

const SHOWN = { all: "all that was weighed", kept: "without the pruned", paths: "follow the winner" };
const UNFOLDED = 4; // beam sizes up to this show what was pruned from the start
const [SMALLEST, LARGEST, TEXT] = [0.4, 1.8, 13]; // zoom; the size of the text in pixels where it is 1
const [TALLEST, WHOLE] = [480, 720]; // pixels: the tree, and where it is shown as a whole

// The tree as it is at the view's step: `children(n)` are drawn, `hidden(n)` counts what is folded away behind n; null is
// the start. `folds` maps a node to what is shown of its children ("all", "none").
function treeOf(view, ui) {
  const { get, step, last } = view, nodes = get("nodes"), outputs = get("outputs"), greedy = get("greedy");
  const t = Math.ceil(step / 2), weighing = step % 2 === 1, atEnd = step === last;
  const of = new Map();
  nodes.forEach(({ parent }, n) => of.set(parent, [...(of.get(parent) ?? []), n]));
  const fate = (n) => {
    if (n === null) return "kept";
    const { depth, fate, gone } = nodes[n];
    if (fate === "revived" || fate === "greedy") return fate;
    if (weighing && depth === t) return "open";
    return gone && gone <= (weighing ? t - 1 : t) ? "gone" : fate;
  };
  const isThere = (n) => nodes[n].fate === "revived" || nodes[n].depth <= t || atEnd;
  const pathTo = (n) => (n === null ? [] : [...pathTo(nodes[n].parent), n]);
  const followed = ui.followed ?? (atEnd || ui.shown === "paths" ? outputs[0].end : null);
  const winner = new Set(followed === null ? [] : pathTo(followed)), greedyPath = new Set(pathTo(greedy.end));
  const paths = new Set([...winner, ...greedyPath, ...Object.values(get("revived")).flatMap(({ end }) => pathTo(end))]);
  const all = (n) => (fate(n) === "open" ? [] : (of.get(n) ?? []).filter(isThere));
  const shown = ui.shown ?? (get("k") > UNFOLDED ? "kept" : "all");
  const shows = {
    all: () => true, none: () => false,
    kept: (n) => fate(n) !== "pruned" || paths.has(n),
    paths: (n) => paths.has(n),
  };
  const children = (n) => all(n).filter(shows[ui.folds.get(n) ?? shown]);
  const size = (n) => 1 + all(n).reduce((sum, child) => sum + size(child), 0);
  const hidden = (n) => {
    const drawn = new Set(children(n));
    return all(n).filter((child) => !drawn.has(child)).reduce((sum, child) => sum + size(child), 0);
  };
  const decision = get("decisions")[Math.floor(step / 2) - 1];
  const alive = get("decisions")[t - 1]?.alive ?? 0;
  const asks = view.predict && weighing && alive > 0 && view.guessed(`${t}`) === undefined;
  return { nodes, t, weighing, atEnd, fate, all, children, hidden, pathTo, followed, winner, greedyPath, shown, decision, alive, asks };
}

// What these nodes write, one after the other: the pieces of a word stand together.
function textOf(nodes, path) {
  const written = path.map((n, k) => {
    const { piece, goes_on } = nodes[n];
    return goes_on && nodes[path[k + 1]]?.before ? piece.slice(0, -1) : `${piece} `;
  });
  return written.join("").trim();
}

// log p(he hit) = −0.70 − 1.00 = −1.70
function formulaOf(get, { nodes, pathTo, fate }, n) {
  if (n === null) return ["Nothing is written yet: log p = 0."];
  const path = pathTo(n).map((one) => nodes[one]), node = nodes[n];
  const terms = path.map(({ log_prob }, k) => (k ? ` − ${number(Math.abs(log_prob))}` : number(log_prob)));
  return [
    "log p(", h("code", { dir: "auto" }, textOf(nodes, pathTo(n))), ") = ",
    path.length > 1 ? `${terms.join("")} = ` : "", h("b", number(node.total)),
    node.ends && get("normalise") !== "plain" ? [`, score ${number(node.total)}${divisor(get, node.depth)} = `, h("b", number(node.score))] : "",
    ". ", h("code", { dir: "auto" }, node.piece), `: p = ${node.p}; ${FATES[fate(n)]}.`,
  ].flat();
}

const spokenNode = ({ before, piece, log_prob, p, total, score, ends }, fate) =>
  `${before}${piece}: log probability ${number(log_prob)}, probability ${p}, sum ${number(total)}${ends ? `, score ${number(score)}` : ""}, ${FATES[fate]}`;

function drawNode(view, tree, place, n, { here, chosen, whole, act, look }) {
  const { nodes, fate, children, hidden, all, winner, asks, pathTo } = tree, node = nodes[n], now = fate(n);
  const siblings = n === null ? [null] : children(node.parent), folded = hidden(n), mark = chosen.has(n) ? "☑" : MARKS[now];
  const attributes = {
    role: "treeitem", tabindex: n === here ? 0 : -1, "data-key": `node${n}`,
    style: `left:${place.x.toFixed(2)}em;top:${place.y.toFixed(2)}em;width:${place.w.toFixed(2)}em`,
    "aria-level": n === null ? 1 : node.depth + 1, "aria-posinset": siblings.indexOf(n) + 1, "aria-setsize": siblings.length,
    "aria-expanded": all(n).length ? String(!folded) : null,
    "aria-selected": asks && now === "open" ? String(chosen.has(n)) : null,
    title: n === null ? null : textOf(nodes, pathTo(n)),
    "aria-label": (n === null ? "The start" : spokenNode(node, now)) + (folded ? `, ${counted(folded, "node")} folded away` : ""),
    onclick: () => act(n), onfocus: () => look(n, true), onmouseenter: () => look(n, false),
  };
  return h(`div.lm-node.lm-${now}${winner.has(n) ? ".lm-on" : ""}${chosen.has(n) ? ".lm-chosen" : ""}`, attributes,
    n !== null && !whole && node.p < CERTAIN && h("span.lm-edge", number(node.log_prob), " ", h("i", probability(node.p))),
    h("span.lm-box", h("span.lm-word", { dir: "auto" }, n === null ? "<s>" : whole ? node.piece : [node.before && h("small", node.before), node.piece]),
      n !== null && !whole && h("span.lm-sum", number(node.total)), mark && !whole && h("span.lm-mark", mark)),
    folded > 0 && h("span.lm-fold", `+${folded}`));
}

function drawEdges({ nodes, fate, winner, greedyPath }, { places, width, height, edges }) {
  const [plain, above] = [[], []];
  for (const [n, place] of places) {
    if (n === null) continue;
    const d = edgePath(places.get(nodes[n].parent), place, edges);
    plain.push(svg(`path.lm-line.lm-to-${fate(n)}`, { d }));
    if (winner.has(n)) above.unshift(svg("path.lm-line.lm-followed", { d }));
    if (greedyPath.has(n)) above.push(svg("path.lm-line.lm-by-greedy", { d, transform: "translate(0 .35)" }));
  }
  const size = { viewBox: `0 0 ${width} ${height}`, style: `width:${width}em;height:${height}em` };
  return svg("svg", { ...size, "aria-hidden": "true" }, plain, above);
}

function render(context) {
  const ui = { shown: null, folds: new Map(), followed: null, here: null, chosen: new Set(), zoom: 1, whole: false, search: null, step: -1 };
  let view, tree, plan; // as they were drawn last

  // What stays
  const box = h("div.lm-box-of-tree", { role: "group", "aria-label": "Tree" });
  const formula = h("p.lm-formula");
  const shown = h("select", { onchange: () => ((ui.shown = shown.value), ui.folds.clear(), view.again(), toNewest()) },
    Object.entries(SHOWN).map(([value, text]) => h("option", { value }, text)));
  const show = (changes) => {
    Object.assign(ui, changes);
    view.again();
    if (!ui.whole) toNewest();
  };
  const zoom = (factor) => () => show({ whole: false, zoom: Math.min(Math.max(ui.zoom * factor, SMALLEST), LARGEST) });
  const [closer, wider, whole] = [zoom(1.2), zoom(1 / 1.2), () => show({ whole: !ui.whole })];
  const button = (label, text, onclick) => h("button", { type: "button", "aria-label": label, onclick }, text);
  const wholeTree = button("Whole tree", "Whole tree", whole);
  const bar = h("div.lm-bar", h("label", "Show", shown),
    h("div", { role: "group", "aria-label": "Zoom" },
      button("Smaller", "−", wider), button("Larger", "+", closer), wholeTree));

  const elementOfNode = (n) => byData(box, "key", `node${n}`);
  const look = (n, focused) => {
    formula.replaceChildren(...formulaOf(view.get, tree, n));
    if (focused) ui.here = n;
  };
  const go = (n) => {
    const element = elementOfNode(n);
    if (!element) return;
    box.querySelectorAll("[tabindex='0']").forEach((one) => (one.tabIndex = -1));
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
    bringIntoView(box, element);
  };
  const newest = () => { // the node that a step is about
    if (tree.atEnd && plan.places.has(tree.followed)) return tree.followed;
    const column = plan.columns[Math.min(tree.t, plan.columns.length - 1)];
    return column.find((n) => tree.winner.has(n)) ?? column.find((n) => ["kept", "open"].includes(tree.fate(n))) ?? column[0];
  };
  const toNewest = () => bringIntoView(box, elementOfNode(newest()));
  const follow = (end) => {
    ui.followed = end;
    for (const n of [null, ...tree.pathTo(end)]) if (tree.hidden(n)) ui.folds.set(n, "all");
    view.again();
    go(end);
  };
  const act = (n) => {
    const node = tree.nodes[n], now = tree.fate(n);
    if (now === "open") {
      if (tree.asks) ui.chosen.delete(n) || ui.chosen.add(n);
      view.again();
    } else if (tree.all(n).length) {
      ui.folds.set(n, tree.hidden(n) ? "all" : "none");
      view.again();
    } else if (!node.ends && (now === "pruned" || (now === "kept" && tree.atEnd))) {
      if (view.live) view.ask({ revive: n });
      else formula.textContent = "To revive a branch needs Python: open the notebook.";
    }
  };
  moveByKeys(box, ({ target }) => {
    if (!target.matches("[role=treeitem]")) return {};
    const n = ui.here, column = plan.columns.find((nodes) => nodes.includes(n)), at = column.indexOf(n);
    const into = () => (tree.children(n).length ? go(tree.children(n)[0]) : tree.hidden(n) && act(n));
    const press = () => act(n);
    return {
      ArrowRight: into, ArrowLeft: () => n !== null && go(tree.nodes[n].parent),
      ArrowUp: () => go(column[Math.max(at - 1, 0)]), ArrowDown: () => go(column[Math.min(at + 1, column.length - 1)]),
      Home: () => go(null), End: () => go(plan.columns.at(-1)[0]), Enter: press, " ": press,
      n: () => view.go(view.step + 1), p: () => view.go(view.step - 1), "+": closer, "=": closer, "-": wider, 0: whole,
    };
  });
  dragToScroll(box);

  // Of the whole tree only the words are drawn, and small enough that all of it is seen.
  function planOf({ nodes, children }) {
    const edges = ui.whole ? "bare" : "labelled";
    const letters = ({ before, piece }) => (ui.whole ? piece.length : before.length + piece.length + 9);
    return { ...layout(children, (n) => (n === null ? 3 : letters(nodes[n])), edges), edges };
  }

  function drawTree() {
    tree = treeOf(view, ui);
    plan = planOf(tree);
    const atEnd = planOf(treeOf({ ...view, step: view.last }, ui)); // the box has that height from the start: the page stays
    box.style.fontSize = ui.whole ? `min(${TEXT}px, (100cqw - 4px) / ${plan.width}, ${WHOLE - 4}px / ${plan.height})` : `${TEXT * ui.zoom}px`;
    Object.assign(box.style, { maxHeight: `${ui.whole ? WHOLE : TALLEST}px`, minHeight: ui.whole ? "" : `min(${TALLEST}px, ${atEnd.height}em + 20px)` });
    box.classList.toggle("lm-whole", ui.whole);
    wholeTree.setAttribute("aria-pressed", ui.whole);
    while (!plan.places.has(ui.here)) ui.here = tree.nodes[ui.here].parent;
    const inOrder = (n) => [n, ...tree.children(n).flatMap(inOrder)];
    const its = { here: ui.here, chosen: ui.chosen, whole: ui.whole, act, look };
    box.replaceChildren(h("div.lm-tree", {
      role: "tree", "aria-label": "Beam tree", "aria-multiselectable": tree.asks && "true", "data-roving": "tree",
      style: `width:${plan.width.toFixed(2)}em;height:${plan.height.toFixed(2)}em`,
    }, drawEdges(tree, plan), inOrder(null).map((n) => drawNode(view, tree, plan.places.get(n), n, its))));
  }

  function draw(now) {
    view = now;
    const search = JSON.stringify(SETTINGS.map(view.get));
    if (search !== ui.search) Object.assign(ui, { search, folds: new Map(), followed: null, here: null, chosen: new Set() });
    if (view.step !== ui.step) ui.chosen.clear();
    drawTree();
    shown.value = tree.shown;
    look(ui.here ?? newest(), false);
    if (view.step !== ui.step) toNewest();
    ui.step = view.step;
    const check = () => {
      view.guess(`${tree.t}`, [...ui.chosen]);
      view.go(view.step + 1);
    };
    return [drawNext(view, tree, ui.chosen, check), bar, box, formula,
      h("div.lm-below", drawOutputs(view, tree, follow), drawRules(view, tree)), legend];
  }

  const legend = drawLegend();
  return stepper({
    root: "lm-beam", label: "Beam tree", unit: "steps", last: lastStep, draw, right, ownFirst: true,
    own: (w, ask) => {
      whenSized(box, w.atEnd, toNewest);
      return own(w, ask);
    },
    traits: [...SETTINGS, "nodes", "outputs", "decisions", "ending", "greedy", "revived"],
    words: { doing: "Searching …", done: "", refused: "Not searched" },
    spoken: () => spoken(view, tree),
  })(context);
}

// What a screen reader hears of a step.
function spoken({ get }, { atEnd, decision }) {
  const revived = Object.values(get("revived")).at(-1);
  return [
    atEnd && `${endingOf(get, decision)} The winner: ${get("outputs")[0].text}, score ${number(get("outputs")[0].score)}.`,
    revived && `Revived: ${revived.text}, score ${number(revived.score)}.`,
  ].filter(Boolean).join(" ");
}

export default { render };
