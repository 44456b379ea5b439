// The beam tree as it is at a step: what has become of each node, which are drawn, which are folded away. Piece t of
// the output takes two steps: at 2t − 1 it is weighed, at 2t the beam is kept.

import { textOf } from "./beam_words.js";

const UNFOLDED = 3; // beam sizes up to this show what was pruned from the start

// The tree at the view's step. null is the start of the output and the parent of its first pieces. Gives
//
//   nodes                     as Python sends them
//   t, weighing, atEnd        the piece that the step is about, whether it is being weighed, whether the search is over
//   fate(n), pathTo(n)        what has become of a node by then; the nodes from the first piece to it
//   followed, winner, greedyPath   the output that is followed, the nodes on its path, those on greedy search's
//   all(n), children(n)       what a node has below it by then, and what of it is drawn
//   hidden(n)                 how many nodes are folded away behind it
//   within(n)                 whether a node is a part of a word whose rest is drawn
//   bestBehind(n)             the text of the best output found by then that begins as this node does; else undefined
//   shown                     what is drawn where nothing was folded: "all", "kept" or "paths"
//   decision, alive, asks     the last decision, how many hypotheses will go on, whether the reader is asked which
//
// `ui` is the reader's: `shown` and `followed` (null: not chosen), and `folds`, from a node to what is shown of its
// children ("all", "none").
export function treeOf(view, ui) {
  const { get, step, last } = view;
  const nodes = get("nodes");
  const time = { t: Math.ceil(step / 2), weighing: step % 2 === 1, atEnd: step === last };
  const tree = {
    nodes,
    ...time,
    fate: (n) => fateOf(nodes, n, time),
    pathTo: (n) => (n === null ? [] : [...tree.pathTo(nodes[n].parent), n]),
  };
  Object.assign(tree, pathsOf(get, tree, ui), decisionOf(view, time));
  return Object.assign(tree, branchesOf(get, tree, ui));
}

function fateOf(nodes, n, { t, weighing }) {
  if (n === null) return "kept";
  const { depth, fate, gone } = nodes[n];
  if (fate === "revived" || fate === "greedy") return fate;
  if (weighing && depth === t) return "open";
  return gone && gone <= (weighing ? t - 1 : t) ? "gone" : fate;
}

function pathsOf(get, { atEnd, pathTo }, ui) {
  const followed = ui.followed ?? (atEnd || ui.shown === "paths" ? get("outputs")[0].end : null);
  const winner = new Set(followed === null ? [] : pathTo(followed));
  return { followed, winner, greedyPath: new Set(pathTo(get("greedy").end)) };
}

function decisionOf({ get, step, predict, guessed }, { t, weighing }) {
  const alive = get("decisions")[t - 1]?.alive ?? 0;
  return {
    decision: get("decisions")[Math.floor(step / 2) - 1],
    alive,
    asks: predict && weighing && alive > 0 && guessed(`${t}`) === undefined,
  };
}

function branchesOf(get, { nodes, t, atEnd, fate, pathTo, winner, greedyPath }, ui) {
  const below = new Map();
  nodes.forEach(({ parent }, n) => below.set(parent, [...(below.get(parent) ?? []), n]));
  const isThere = (n) => nodes[n].fate === "revived" || nodes[n].depth <= t || atEnd;
  const all = (n) => (fate(n) === "open" ? [] : (below.get(n) ?? []).filter(isThere));

  const revived = Object.values(get("revived")).flatMap(({ end }) => pathTo(end));
  const paths = new Set([...winner, ...greedyPath, ...revived]);
  const shows = {
    all: () => true,
    none: () => false,
    kept: (n) => fate(n) !== "pruned" || paths.has(n),
    paths: (n) => paths.has(n),
  };
  const shown = ui.shown ?? (get("k") > UNFOLDED ? "kept" : "all");
  const children = (n) => all(n).filter(shows[ui.folds.get(n) ?? shown]);

  const size = (n) => 1 + sizes(all(n));
  const sizes = (some) => some.reduce((sum, n) => sum + size(n), 0);
  const hidden = (n) => {
    const drawn = new Set(children(n));
    return sizes(all(n).filter((child) => !drawn.has(child)));
  };
  const within = (n) => n !== null && nodes[n].goes_on && children(n).some((child) => nodes[child].before);
  const bestBehind = (n) => {
    const rows = [...get("outputs"), ...(atEnd ? [get("greedy")] : []), ...Object.values(get("revived"))];
    const found = rows.filter(({ end }) => atEnd || nodes[end].depth <= t);
    const row = found.find(({ end }) => n === null || pathTo(end).includes(n));
    return (
      row &&
      textOf(
        nodes,
        pathTo(row.end).filter((one) => !nodes[one].ends),
      )
    );
  };
  return { all, children, hidden, shown, within, bestBehind };
}
