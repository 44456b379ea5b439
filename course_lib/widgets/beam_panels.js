// What stands around the beam tree: what happened at a step, the rules that end a search, the outputs, the legend.

import { h, svg } from "./base.js";
import { CHOICES, counted, divisor, MARKS, number } from "./beam_words.js";

const sortedTotals = (get, chosen) => chosen.map((n) => get("nodes")[n].total).sort((a, b) => a - b);

export function right(get, key, guess) {
  const kept = [...get("nodes").keys()].filter(
    (n) => get("nodes")[n].depth === Number(key) && get("nodes")[n].fate === "kept",
  );
  return String(sortedTotals(get, kept)) === String(sortedTotals(get, guess));
}

// What happened at this step; or the question which hypotheses go on.
export function drawNext(view, tree, chosen, check) {
  const { get, guessed, step } = view;
  const { t, weighing, atEnd, alive, asks, nodes } = tree;
  const now = [...nodes.keys()].filter((n) => nodes[n].depth === t && !["greedy", "revived"].includes(nodes[n].fate));
  const headline = (...text) => h("p.lm-headline", h("span.lm-number", step ? `Piece ${t}` : "Start"), h("span", text));
  if (!step)
    return h(
      "div.lm-next",
      headline("One hypothesis: nothing is written yet"),
      h("p.lm-why", "Forward weighs what may come first."),
    );
  if (asks) {
    const button = { type: "button", "data-key": "check", disabled: chosen.size !== alive, onclick: check };
    return h(
      "div.lm-next",
      headline(`Which ${counted(alive, "hypothesis", "hypotheses")} of these ${now.length} will go on?`),
      h(
        "p.lm-why",
        "Choose in the tree, by a click or with Enter.",
        " ",
        h("button.lm-primary", button, `Check: ${chosen.size} of ${alive} chosen`),
      ),
    );
  }
  if (weighing)
    return h(
      "div.lm-next",
      headline(`${counted(now.length, "continuation")} weighed`),
      h(
        "p.lm-why",
        "At an edge stand log p of the piece and its probability, if that is below 1; ",
        "in a box stands the sum of log p. Where the tree is large, + shows them.",
      ),
    );
  const had = (name) => now.filter((n) => nodes[n].fate === name).length;
  const became = `${had("kept")} kept, ${had("pruned")} pruned, ${had("finished")} finished`;
  const guess = guessed(`${t}`);
  const verdict =
    view.predict &&
    guess &&
    (right(get, `${t}`, guess) ? h("b.lm-right", "✓ Right. ") : h("b.lm-wrong", "✗ Not these. "));
  const policy = {
    aside: "The best k that do not end are kept. What ends among the best k is finished and set aside. ",
    in_beam: "The best k make the beam. What is finished keeps its place among them. ",
  }[get("finished")];
  return h(
    "div.lm-next",
    headline(atEnd ? endingOf(get, tree.decision) : became),
    h("p.lm-why", verdict, policy, atEnd && `${became}.`),
  );
}

export function endingOf(get, { done, best, bound }) {
  const reasons = {
    count: () => `${counted(done, "output is", "outputs are")} finished, and ${get("k")} end the search.`,
    bound: () =>
      `the best finished score, ${number(best)}, is not below the bound, ${number(bound)}, ` +
      "which nothing that lives can pass.",
    length: () => `an output may have ${get("max_length")} pieces, and here are as many.`,
    nothing: () => "no hypothesis is left to go on with.",
  };
  return `It ends: ${reasons[get("ending")]()}`;
}

// The three rules and how far each of them is; the one in force is marked.
export function drawRules({ get }, { t, decision }) {
  const { done = 0, best = null, top = null, bound = null, proved = false } = decision ?? {};
  const reached = top !== null && [`${number(top)}${divisor(get, get("max_length"))}`, number(bound)];
  const reach = reached && `what lives reaches at best ${[...new Set(reached)].join(" = ")}`;
  const rules = {
    count: ["Count", `${done} finished; ${get("k")} end the search.`],
    bound: [
      "Bound",
      [best === null ? "nothing is finished" : `best finished score ${number(best)}`, reach || "nothing lives"].join(
        "; ",
      ) + (decision ? (proved ? ". The best is proved." : ". Not proved.") : "."),
    ],
    length: ["Length", `piece ${t} of at most ${get("max_length")}.`],
  };
  return h(
    "div.lm-rules",
    h("h4", "When to stop"),
    h(
      "ul",
      Object.entries(rules).map(([rule, [name, text]]) =>
        h(
          `li${rule === get("stop") ? ".lm-force" : ""}`,
          h("b", name),
          rule === get("stop") ? " (in force): " : ": ",
          text,
        ),
      ),
    ),
  );
}

// Outputs as far as they are found, those of greedy search and of revived branches beside them.
export function drawOutputs(view, tree, follow) {
  const { get, step } = view;
  const { atEnd, nodes, winner } = tree;
  const best = get("outputs")[0];
  const greedy = get("greedy");
  const found = get("outputs").filter(
    ({ end }) => atEnd || (nodes[end].fate === "finished" && nodes[end].depth <= step / 2),
  );
  const against = ({ score, end }) =>
    atEnd && (end === best.end ? "the winner" : score > best.score ? "above the winner" : "not above the winner");
  const listed = found.map((row, k) => [
    row,
    row.kept ? atEnd && k + 1 : "–",
    [
      !row.kept && "left the beam",
      !row.finished && "not finished",
      row.end === greedy.end && "greedy search finds it too",
    ],
  ]);
  if (atEnd && !found.some(({ end }) => end === greedy.end))
    listed.push([greedy, "", ["greedy search", against(greedy)]]);
  for (const [from, row] of Object.entries(get("revived")))
    if (nodes[from].depth <= step / 2) listed.push([row, "", [`revived from “${nodes[from].piece}”`, against(row)]]);
  const columns = [
    "place",
    "output",
    "log p",
    "|y|",
    ...(get("normalise") === "plain" ? [] : ["score", "place by log p"]),
  ];
  const drawRow = ([{ end, text, log_p, length, score, plain_rank }, place, notes], n) => {
    const pressed = String(winner.has(end));
    const note = notes.filter(Boolean).join("; ");
    const button = {
      type: "button",
      dir: "auto",
      "data-key": `row${n}`,
      "aria-pressed": pressed,
      onclick: () => follow(end),
    };
    return h(
      `tr${winner.has(end) ? ".lm-on" : ""}`,
      h("td", place || ""),
      h("td", h("button.lm-output", button, text || "(empty)"), note && h("small", note)),
      [number(log_p), length, number(score), (atEnd && plain_rank) || ""]
        .slice(0, columns.length - 2)
        .map((value) => h("td.lm-count", value)),
    );
  };
  return h(
    "div.lm-outputs",
    h("h4", "Outputs ", h("small", `ranked by ${CHOICES.normalise[get("normalise")].replace("α", get("alpha"))}`)),
    listed.length
      ? h(
          "div.lm-sideways",
          { role: "group", tabindex: 0, "aria-label": "Outputs" },
          h(
            "table",
            h(
              "thead",
              h(
                "tr",
                columns.map((name) => h("th", { scope: "col" }, name)),
              ),
            ),
            h("tbody", listed.map(drawRow)),
          ),
        )
      : h("p.lm-note", "None is finished yet."),
  );
}

const wedge = () =>
  svg("svg", { viewBox: "0 0 3 1", "aria-hidden": "true" }, svg("path.lm-wedge", { d: "M0 .46V.54L3 .8V.2z" }));

export function drawLegend() {
  const line = (kind) =>
    svg("svg", { viewBox: "0 0 3 1", "aria-hidden": "true" }, svg(`path.lm-line${kind}`, { d: "M0 .5H3" }));
  const box = (kind) =>
    h(
      `span.lm-node.lm-${kind}`,
      { "aria-hidden": "true" },
      h("span.lm-box", h("span.lm-word", "word"), MARKS[kind] && h("span.lm-mark", MARKS[kind])),
    );
  return h(
    "ul.lm-legend",
    { "aria-label": "Legend" },
    h("li", box("kept"), "kept"),
    h("li", box("pruned"), "pruned"),
    h("li", box("finished"), "finished"),
    h("li", box("revived"), "revived"),
    h("li", line(".lm-followed"), "the output followed: the winner, or the one you chose"),
    h("li", line(".lm-by-greedy"), "greedy search"),
    h("li", wedge(), "the width of an edge: the probability p of the piece below it"),
    h("li", "… the word goes on in the next piece; pale: written by earlier pieces; a dot: a piece within a word"),
    h(
      "li",
      "In the tree: arrow keys go to parent, child and neighbours; Enter folds, unfolds, or revives a pruned branch; ",
      "n and p are the next and the previous step; +, − and 0 zoom.",
    ),
  );
}
