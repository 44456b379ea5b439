// The beam tree. What is weighed, kept, finished and revived, and every number, is Python's; here it is drawn, walked
// and folded.

import { byData, h, moveByKeys } from "./base.js";
import { stepper, whenSized } from "./stepper.js";
import { drawCompared } from "./beam_compare.js";
import { bringIntoView, dragToScroll, layout } from "./beam_layout.js";
import { drawEdges, drawNode, formulaOf, sentenceOf } from "./beam_nodes.js";
import { drawLegend, drawNext, drawOutputs, drawRules, endingOf, right } from "./beam_panels.js";
import { own } from "./beam_settings.js";
import { treeOf } from "./beam_tree.js";
import { lastStep, lettersOf, number, SETTINGS } from "./beam_words.js";
import { walk } from "./motion.js";
import "./beam_stepper.css";

const SHOWN = { all: "all that was weighed", kept: "without the pruned", paths: "follow the winner" };
const [SMALLEST, LARGEST, TEXT, FINEST] = [0.4, 1.8, 13, 7]; // zoom; pixels of the text where it is 1, and the least
const [TALLEST, WHOLE] = [560, 900]; // pixels: the tree, and where it is shown as a whole
const LABELLED = { width: 70, height: 46 }; // ems: up to there the whole tree is shown with its numbers

function render(context) {
  const ui = {
    shown: null,
    folds: new Map(),
    followed: null,
    here: null,
    chosen: new Set(),
    zoom: 1,
    whole: true,
    search: null,
    length: 0,
    step: -1,
  };
  // As they were drawn last
  let view;
  let tree;
  let plan;

  // What stays
  const box = h("div.lm-box-of-tree", { role: "group", "aria-label": "Tree" });
  const formula = h("p.lm-formula");
  const shown = h(
    "select",
    { onchange: showOther },
    Object.entries(SHOWN).map(([value, text]) => h("option", { value }, text)),
  );
  function showOther() {
    ui.shown = shown.value;
    ui.folds.clear();
    view.again();
    toNewest();
  }
  const show = (changes) => {
    Object.assign(ui, changes);
    view.again();
    if (!ui.whole) toNewest();
  };
  const zoom = (factor) => () => show({ whole: false, zoom: Math.min(Math.max(ui.zoom * factor, SMALLEST), LARGEST) });
  const [closer, wider, whole] = [zoom(1.2), zoom(1 / 1.2), () => show({ whole: !ui.whole })];
  const button = (label, text, onclick) => h("button", { type: "button", "aria-label": label, onclick }, text);
  const wholeTree = button("Whole tree", "Whole tree", whole);
  const bar = h(
    "div.lm-bar",
    h("label", "Show", shown),
    h(
      "div",
      { role: "group", "aria-label": "Zoom" },
      button("Smaller", "−", wider),
      button("Larger", "+", closer),
      wholeTree,
    ),
  );

  const elementOfNode = (n) => byData(box, "key", `node${n}`);
  const tell = (n) => formula.replaceChildren(sentenceOf(tree, n), " ", ...formulaOf(view.get, tree, n));
  const look = (n, focused) => {
    tell(n);
    const path = new Set(tree.pathTo(n).map((one) => `node${one}`));
    for (const node of box.querySelectorAll(".lm-node")) node.classList.toggle("lm-looked", path.has(node.dataset.key));
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
  const newest = () => {
    // the node that a step is about
    if (tree.atEnd && plan.places.has(tree.followed)) return tree.followed;
    const row = plan.rows[Math.min(tree.t, plan.rows.length - 1)];
    return row.find((n) => tree.winner.has(n)) ?? row.find((n) => ["kept", "open"].includes(tree.fate(n))) ?? row[0];
  };
  const toNewest = () => bringIntoView(box, elementOfNode(newest()));
  const follow = (end) => {
    ui.followed = end;
    for (const n of [null, ...tree.pathTo(end)]) if (tree.hidden(n)) ui.folds.set(n, "all");
    view.again();
    go(end);
  };
  const act = (n) => {
    const node = tree.nodes[n];
    const now = tree.fate(n);
    if (now === "open") {
      if (tree.asks) ui.chosen.delete(n) || ui.chosen.add(n);
      view.again();
    } else if (tree.all(n).length) {
      ui.folds.set(n, tree.hidden(n) ? "all" : "none");
      view.again();
    } else if (!node.ends && (now === "pruned" || (now === "kept" && tree.atEnd))) {
      const shown = Object.fromEntries(SETTINGS.map((name) => [name, view.get(name)])); // Python may have searched anew
      if (view.live) view.ask({ revive: n, shown });
      else formula.textContent = "To revive a branch needs Python: open the notebook.";
    }
  };
  moveByKeys(box, ({ target }) => {
    if (!target.matches("[role=treeitem]")) return {};
    const n = ui.here;
    const row = plan.rows.find((nodes) => nodes.includes(n));
    const at = row.indexOf(n);
    const into = () => (tree.children(n).length ? go(tree.children(n)[0]) : tree.hidden(n) && act(n));
    const press = () => act(n);
    return {
      ArrowDown: into,
      ArrowUp: () => n !== null && go(tree.nodes[n].parent),
      ArrowLeft: () => go(row[Math.max(at - 1, 0)]),
      ArrowRight: () => go(row[Math.min(at + 1, row.length - 1)]),
      Home: () => go(null),
      End: () => go(plan.rows.at(-1)[0]),
      Enter: press,
      " ": press,
      n: () => view.go(view.step + 1),
      p: () => view.go(view.step - 1),
      "+": closer,
      "=": closer,
      "-": wider,
      0: whole,
    };
  });
  dragToScroll(box);

  function planOf(its, edges) {
    const width = (n) => {
      if (edges === "bare" && its.within(n)) return 1;
      const letters = n === null ? 3 : lettersOf(its.nodes[n]);
      return edges === "bare" ? 0.62 * letters + 1.1 : Math.max(0.62 * letters + 6.2, 7);
    };
    const room = (n) => (its.hidden(n) ? 2 : 0);
    return { ...layout(its.children, width, room, edges), edges };
  }

  // The picture keeps the size that it will have at the end. A whole tree that is large has words alone, no numbers.
  function drawTree() {
    tree = treeOf(view, ui);
    const whole = treeOf({ ...view, step: view.last }, ui);
    let atEnd = planOf(whole, "labelled");
    if (ui.whole && (atEnd.width > LABELLED.width || atEnd.height > LABELLED.height)) atEnd = planOf(whole, "bare");
    plan = planOf(tree, atEnd.edges);
    const [width, height] = [Math.max(plan.width, atEnd.width), Math.max(plan.height, atEnd.height)];
    const fits = `min(${TEXT}px, (100cqw - 38px) / ${width}, ${WHOLE}px / ${height})`;
    box.style.fontSize = ui.whole ? `max(${FINEST}px, ${fits})` : `${TEXT * ui.zoom}px`;
    Object.assign(box.style, {
      maxHeight: ui.whole ? "" : `${TALLEST}px`,
      minHeight: ui.whole ? `calc(${height}em + 2px)` : `min(${TALLEST}px, ${height}em + 20px)`,
    });
    box.classList.toggle("lm-bare", plan.edges === "bare");
    wholeTree.setAttribute("aria-pressed", ui.whole);
    while (!plan.places.has(ui.here)) ui.here = tree.nodes[ui.here].parent;
    const inOrder = (n) => [n, ...tree.children(n).flatMap(inOrder)];
    const its = { here: ui.here, chosen: ui.chosen, whole: plan.edges === "bare", act, look };
    const walks = ui.walked !== undefined && tree.followed !== null && tree.followed !== ui.walked;
    ui.walked = tree.followed;
    box.replaceChildren(
      h(
        "div.lm-tree",
        {
          role: "tree",
          "aria-label": "Beam tree",
          "aria-multiselectable": tree.asks && "true",
          "data-roving": "tree",
          style: `width:${plan.width.toFixed(2)}em;height:${plan.height.toFixed(2)}em`,
        },
        drawEdges(tree, plan, walks),
        inOrder(null).map((n) => drawNode(tree, plan.places.get(n), n, its)),
      ),
    );
    walk([...box.querySelectorAll(".lm-walks")]);
  }

  function draw(now) {
    view = now;
    const search = JSON.stringify(SETTINGS.map(view.get));
    const { length } = view.get("nodes"); // the same search asked again has none of the nodes that were revived
    if (search !== ui.search || length < ui.length)
      Object.assign(ui, { search, folds: new Map(), followed: null, here: null, chosen: new Set() });
    ui.length = length;
    if (view.step !== ui.step) ui.chosen.clear();
    drawTree();
    shown.value = tree.shown;
    tell(ui.here ?? newest());
    if (view.step !== ui.step) toNewest();
    ui.step = view.step;
    const check = () => {
      view.guess(`${tree.t}`, [...ui.chosen]);
      view.go(view.step + 1);
    };
    return [
      drawNext(view, tree, ui.chosen, check),
      bar,
      box,
      formula,
      h("div.lm-below", drawOutputs(view, tree, follow), drawRules(view, tree)),
      drawCompared(view),
      legend,
    ].filter(Boolean);
  }

  const legend = drawLegend();
  return stepper({
    root: "lm-beam",
    label: "Beam tree",
    unit: "steps",
    last: lastStep,
    draw,
    right,
    ownFirst: true,
    own: (w, ...asking) => {
      whenSized(box, w.atEnd, toNewest);
      return own(w, ...asking);
    },
    traits: [...SETTINGS, "nodes", "outputs", "decisions", "ending", "greedy", "revived", "compared"],
    words: { doing: "Searching …", done: "", refused: "Not searched" },
    spoken: () => spoken(view, tree),
  })(context);
}

// What a screen reader hears of a step.
function spoken({ get }, { atEnd, decision }) {
  const revived = Object.values(get("revived")).at(-1);
  return [
    atEnd &&
      `${endingOf(get, decision)} The winner: ${get("outputs")[0].text}, score ${number(get("outputs")[0].score)}.`,
    revived && `Revived: ${revived.text}, score ${number(revived.score)}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

export default { render };
