// What stands around the beam tree: the reader's settings, what happened at a step, the rules that end a search, the
// outputs, the legend. Names and formats that the tree needs too stand here.

const SETTINGS = ["text", "k", "finished", "stop", "normalise", "alpha", "max_length"];
const CHOICES = {
  finished: { aside: "are set aside", in_beam: "stay in the beam" },
  stop: { count: "k outputs are finished", bound: "the best one is proved", length: "the length is reached" },
  normalise: { plain: "log p", gnmt: "log p / ((5 + |y|) / 6)^α", power: "log p / |y|^α" },
};
const FATES = {
  open: "weighed", kept: "kept", finished: "finished", pruned: "pruned", gone: "finished, but no longer in the beam",
  greedy: "only greedy search goes here", revived: "revived: what would have followed",
};
const MARKS = { pruned: "✕", finished: "✓", gone: "✕" };

const number = (value) => value.toFixed(2).replace(/^-(?!0\.00$)/, "−").replace("-", "");
const probability = (p) => (p >= 0.995 ? "1.0" : p >= 0.01 ? p.toFixed(2).slice(1) : "<.01");
const counted = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
const lastStep = (get) => 2 * get("decisions").length;
const sortedTotals = (get, chosen) => chosen.map((n) => get("nodes")[n].total).sort((a, b) => a - b);

function right(get, key, guess) {
  const kept = [...get("nodes").keys()].filter((n) => get("nodes")[n].depth === Number(key) && get("nodes")[n].fate === "kept");
  return String(sortedTotals(get, kept)) === String(sortedTotals(get, guess));
}

// What happened at this step; or the question which hypotheses go on.
function drawNext(view, tree, chosen, check) {
  const { get, guessed, step } = view, { t, weighing, atEnd, alive, asks, nodes, fate } = tree;
  const now = [...nodes.keys()].filter((n) => nodes[n].depth === t && !["greedy", "revived"].includes(nodes[n].fate));
  const headline = (...text) => h("p.lm-headline", h("span.lm-number", step ? `Piece ${t}` : "Start"), h("span", text));
  if (!step) return h("div.lm-next", headline("One hypothesis: nothing is written yet"), h("p.lm-why", "Forward weighs what may come first."));
  if (asks)
    return h("div.lm-next", headline(`Which ${counted(alive, "hypothesis", "hypotheses")} of these ${now.length} will go on?`),
      h("p.lm-why", "Choose in the tree, by a click or with Enter.", " ",
        h("button.lm-primary", { type: "button", "data-key": "check", disabled: chosen.size !== alive, onclick: check }, `Check: ${chosen.size} of ${alive} chosen`)));
  if (weighing)
    return h("div.lm-next", headline(`${counted(now.length, "continuation")} weighed`),
      h("p.lm-why", "On an edge stand log p of the piece and its probability, in a box the sum of log p."));
  const had = (name) => now.filter((n) => nodes[n].fate === name).length;
  const became = `${had("kept")} kept, ${had("pruned")} pruned, ${had("finished")} finished`, guess = guessed(`${t}`);
  return h("div.lm-next",
    headline(atEnd ? endingOf(get, tree.decision) : became),
    h("p.lm-why",
      view.predict && guess && (right(get, `${t}`, guess) ? h("b.lm-right", "✓ Right. ") : h("b.lm-wrong", "✗ Not these. ")),
      had("finished") > 0 && (get("finished") === "aside" ? "What is finished is set aside; the next best fill the beam up. " : "What is finished keeps its place in the beam. "),
      atEnd && `${became}.`));
}

function endingOf(get, { best, bound }) {
  return "It ends: " + {
    count: `${counted(get("k"), "output is", "outputs are")} finished.`,
    bound: `the best finished score, ${best === null ? "" : number(best)}, is not below the bound, ${bound === null ? "" : number(bound)}, which nothing that lives can pass.`,
    length: `an output may have ${get("max_length")} pieces, and here are as many.`,
    nothing: "no hypothesis is left to go on with.",
  }[get("ending")];
}

// The three rules and how far each of them is; the one in force is marked.
function drawRules({ get }, { t, decision }) {
  const { done = 0, best = null, bound = null, proved = false } = decision ?? {};
  const said = {
    count: `${done} finished; ${get("k")} end the search.`,
    bound: [
      best === null ? "nothing is finished" : `best finished score ${number(best)}`,
      bound === null ? "; nothing lives." : `; what lives can reach ${number(bound)} at best.`,
      decision ? (proved ? " Proved." : " Not proved.") : "",
    ].join(""),
    length: `piece ${t} of at most ${get("max_length")}.`,
  };
  const names = { count: "Count", bound: "Bound", length: "Length" };
  return h("div.lm-rules", h("h4", "When to stop"), h("ul", Object.entries(said).map(([rule, text]) =>
    h(`li${rule === get("stop") ? ".lm-force" : ""}`, h("b", names[rule]), rule === get("stop") ? " (in force): " : ": ", text))));
}

// Outputs as far as they are found, those of greedy search and of revived branches beside them.
function drawOutputs(view, tree, follow) {
  const { get, step } = view, { atEnd, nodes, winner } = tree;
  const found = get("outputs").filter(({ end }) => atEnd || (nodes[end].fate === "finished" && nodes[end].depth <= step / 2));
  const best = get("outputs")[0], greedy = get("greedy");
  const against = ({ score, end }) => atEnd && (end === best.end ? " It is the winner." : score > best.score ? " Above the winner." : " Not above the winner.");
  const places = found.map((row, k) => [row, row.kept ? (atEnd ? k + 1 : "") : "–",
    [!row.kept && "left the beam", !row.finished && "not finished", row.end === greedy.end && "greedy search finds it too"]]);
  const others = [
    ...(!found.some(({ end }) => end === greedy.end) && atEnd ? [[greedy, "", ["greedy search", against(greedy)]]] : []),
    ...Object.entries(get("revived")).map(([from, row]) => [row, "", [`revived from “${nodes[from].piece}”`, against(row)]]),
  ];
  const row = ([{ end, text, log_p, length, score, plain_rank }, place, notes]) =>
    h(`tr${winner.has(end) ? ".lm-on" : ""}`, h("td", place),
      h("td", h("button.lm-output", { type: "button", dir: "auto", "data-key": `row${end}:${notes[0]}`, "aria-pressed": String(winner.has(end)), onclick: () => follow(end) }, text || "(empty)"),
        notes.some(Boolean) && h("small", notes.filter(Boolean).join(";").replace(";;", ";").replaceAll("; ", ": "))),
      [number(log_p), length, number(score), (atEnd && plain_rank) || ""].map((value) => h("td.lm-count", value)));
  const rows = [...places, ...others];
  return h("div.lm-outputs", h("h4", "Outputs ", h("small", `ranked by ${CHOICES.normalise[get("normalise")].replace("α", get("alpha"))}`)),
    rows.length ? h("div.lm-sideways", { role: "group", tabindex: 0, "aria-label": "Outputs" }, h("table",
      h("thead", h("tr", ["place", "output", "log p", "|y|", "score", "place by log p"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", rows.map(row)))) : h("p.lm-note", "None is finished yet."));
}

function drawLegend() {
  const line = (kind) => svg("svg", { viewBox: "0 0 3 1", "aria-hidden": "true" }, svg(`path.lm-line${kind}`, { d: "M0 .5H3" }));
  const box = (kind) => h(`span.lm-node.lm-${kind}`, { "aria-hidden": "true" }, h("span.lm-box", h("span.lm-word", "word"), MARKS[kind] && h("span.lm-mark", MARKS[kind])));
  return h("ul.lm-legend", { "aria-label": "Legend" },
    h("li", box("kept"), "kept"), h("li", box("pruned"), "pruned"), h("li", box("finished"), "finished"), h("li", box("revived"), "revived"),
    h("li", line(".lm-followed"), "the output followed: the winner, or the one you chose"), h("li", line(".lm-by-greedy"), "greedy search"),
    h("li", "… the word goes on in the next piece"),
    h("li", "In the tree: arrow keys go to parent, child and neighbours; Enter folds, unfolds, or revives a pruned branch; n and p are the next and the previous step; +, − and 0 zoom."));
}

// The reader's own sentence, and what the search is to do.
function own(w, ask) {
  const { get, live } = w;
  const search = (changes) => ask({ search: {
    ...Object.fromEntries(SETTINGS.map((name) => [name, get(name)])), ...changes,
  } });
  const submit = () => search({ text: sentence.value, max_length: null });
  const sentence = w.bind(h("input", { type: "text", dir: "auto", spellcheck: "false", maxlength: 1000, "aria-label": "Your sentence",
    onkeydown: ({ key }) => key === "Enter" && submit() }), "text");
  const choice = (label, trait, options) =>
    h("label", label, w.bind(h("select", { onchange: ({ target }) => search({ [trait]: trait === "k" ? Number(target.value) : target.value }) },
      Object.entries(options).map(([value, text]) => h("option", { value }, text))), trait));
  const said = h("output");
  const show = () => (said.value = Number(alpha.value).toFixed(1));
  const alpha = w.bind(h("input", { type: "range", min: 0, max: 2, step: 0.1, oninput: show, onchange: () => search({ alpha: Number(alpha.value) }) }), "alpha");
  const longest = w.bind(h("input", { type: "number", min: 1, max: 60, onchange: () => search({ max_length: Math.round(Number(longest.value)) }) }), "max_length");
  const grey = () => (show(), (alpha.disabled = get("normalise") === "plain"));
  w.on("change:normalise", grey);
  w.on("change:alpha", show);
  grey();
  return h("fieldset.lm-settings", { disabled: !live },
    h("legend.lm-hidden", "What is searched, and how"),
    h("div.lm-read", sentence, h("button.lm-primary", { type: "button", onclick: submit }, "Translate")),
    !live && h("p.lm-note", "This page has no Python: step through the search that it holds, or open the notebook for another one."),
    h("div.lm-fields",
      choice("Beam size k", "k", Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((k) => [k, k]))),
      choice("Finished outputs", "finished", CHOICES.finished), choice("Stop when", "stop", CHOICES.stop),
      choice("Rank by", "normalise", CHOICES.normalise), h("label", h("span", "α = ", said), alpha), h("label", "Longest output", longest)));
}
