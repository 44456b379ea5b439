// The BPE merge stepper draws what bpe_panel.py prepared. It learns nothing itself: what to merge, how often a pair
// occurs and why it wins all come from Python's trace. `step` counts the merges that are done.

const ICONS = { back: "M11 3 4 8l7 5z", play: "M4 3v10l9-5z", pause: "M4 3h3v10H4zM9 3h3v10H9z", forward: "M5 3l7 5-7 5z" };
const RULES = { first: "first: the pair met first (the seeds’ tables)", largest: "largest: the last in the alphabet (subword-nmt)" };
const MARKERS = { attached: "attached: t</w>", separate: "separate: t ·" };
const PLAY_EVERY = 1400, PATIENCE = 30000; // milliseconds

function render({ model, el }) {
  const get = (name) => model.get(name);
  const last = () => Math.max(...get("panels").map((panel) => panel.merges.length));
  const ui = { playing: null, farthest: 0, drawn: 0, waiting: null, asked: 0 };
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };

  // Moving
  const go = (step) => put({ step: Math.min(Math.max(step, 0), last()) });
  const pause = () => {
    clearInterval(ui.playing);
    ui.playing = null;
    draw();
  };
  const togglePlay = () => {
    if (ui.playing) return pause();
    if (get("step") === last()) go(0);
    ui.playing = setInterval(() => (get("step") < last() ? go(get("step") + 1) : pause()), PLAY_EVERY);
    draw();
  };
  const onkeydown = (event) => {
    if (usesArrows(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = { ArrowLeft: get("step") - 1, ArrowRight: get("step") + 1, Home: 0, End: last() }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  };

  // Asking Python
  const learn = (changes) => {
    const same = { texts: get("texts"), merges: get("merges"), tie: get("tie"), marker: get("marker"), choices: get("panels").map((p) => p.choices) };
    clearTimeout(ui.waiting);
    ui.waiting = setTimeout(() => form.say("No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?"), PATIENCE);
    form.say("Learning …");
    model.send({ learn: { ...same, ...changes }, id: ++ui.asked });
  };
  const onAnswer = ({ id, error }) => {
    if (id !== ui.asked) return;
    clearTimeout(ui.waiting);
    form.say(error ? `Not learned: ${error}` : "Learned.", Boolean(error));
  };

  // What stays
  const button = (label, picture, onclick, style = "") => h("button", { type: "button", class: `lm-control ${style}`, onclick }, icon(ICONS[picture]), h("span", {}, label));
  const back = button("Back", "back", () => go(get("step") - 1));
  const play = button("Play", "play", togglePlay);
  const forward = button("Forward", "forward", () => go(get("step") + 1), "lm-primary");
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Merges done", oninput: () => go(Number(slider.value)) });
  const progress = h("output", { class: "lm-progress" });
  const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
  const score = h("span", { class: "lm-score" });
  const panels = h("div", { class: "lm-panels" });
  const status = h("p", { role: "status", class: "lm-hidden" });
  const form = drawForm(model, learn);
  const root = h("section", { class: "lm-widget lm-bpe", "aria-label": "BPE merge stepper", tabindex: -1, onkeydown },
    h("div", { class: "lm-toolbar" },
      h("div", { class: "lm-buttons", role: "group", "aria-label": "Steps" }, back, play, forward),
      h("div", { class: "lm-slide" }, slider, progress),
      h("div", { class: "lm-predict" }, h("label", {}, predict, h("span", {}, "Predict first")), score)),
    panels, form.element, status);

  // What changes with each step
  function draw() {
    const step = get("step"), views = get("panels").map((panel, p) => viewOf(panel, p, get));
    ui.farthest = Math.max(ui.farthest, step);
    slider.max = last();
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${last()} merges`);
    progress.replaceChildren(h("b", {}, `${step}`), ` of ${last()} merges`);
    back.setAttribute("aria-disabled", step === 0);
    forward.setAttribute("aria-disabled", step === last());
    play.replaceChildren(icon(ICONS[ui.playing ? "pause" : "play"]), h("span", {}, ui.playing ? "Pause" : "Play"));
    predict.checked = get("predict");
    score.textContent = scoreOf(get);
    redraw(panels, () => {
      panels.classList.toggle("lm-several", views.length > 1);
      panels.replaceChildren(...views.map((view) => drawPanel(view, {
        go, farthest: ui.farthest, live: get("live"), say: (text) => (status.textContent = text),
        guess: (pair) => put({ predictions: { ...get("predictions"), [view.key]: pair } }),
        choose: (pair) => learn({ choices: get("panels").map(({ choices }, p) => (p === view.p ? [...choices.filter(([k]) => k < view.k), [view.k, ...pair]] : choices)) }),
        follow: () => learn({ choices: get("panels").map(({ choices }, p) => (p === view.p ? [] : choices)) }),
      })));
    });
    suppressShortcuts(root);
    if (ui.drawn !== step) reveal();
    ui.drawn = step;
    if (!ui.playing) status.textContent = [`${step} of ${last()} merges.`, ...views.map(spoken)].join(" ");
  }

  // Each list scrolls to what is new; the page stays where it is.
  const reveal = () => {
    for (const list of panels.querySelectorAll(".lm-words .lm-scroll, .lm-merges .lm-scroll")) scrollTo(list);
  };
  const sized = new ResizeObserver(() => root.offsetWidth && (sized.disconnect(), reveal())); // Jupyter draws first, then shows

  const learned = () => {
    ui.farthest = get("step");
    form.fill();
    draw();
  };
  const listening = { "change:step": draw, "change:predict": draw, "change:predictions": draw, "change:panels": learned, "msg:custom": onAnswer };
  for (const [name, listener] of Object.entries(listening)) model.on(name, listener);
  el.replaceChildren(root);
  sized.observe(root);
  learned();
  return () => {
    clearInterval(ui.playing);
    clearTimeout(ui.waiting);
    sized.disconnect();
    for (const [name, listener] of Object.entries(listening)) model.off(name, listener);
  };
}

function scrollTo(list) {
  const row = list.querySelector(".lm-fresh, [aria-current]")?.closest("tr, li");
  if (row && (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight))
    list.scrollTop = row.offsetTop - list.clientHeight / 3;
}

// One panel as it stands after `k` merges; `hidden` while the reader has yet to predict the next one.
function viewOf(panel, p, get) {
  const k = Math.min(get("step"), panel.merges.length), position = panel.positions[k], key = `${p}:${k}`;
  const guess = get("predictions")[key];
  return { panel, p, k, key, position, guess, several: get("panels").length > 1, predict: get("predict"), hidden: get("predict") && position.chosen !== null && !guess };
}

function scoreOf(get) {
  const guesses = Object.entries(get("predictions"));
  if (!get("predict") || !guesses.length) return "";
  const right = guesses.filter(([key, guess]) => {
    const [p, k] = key.split(":").map(Number);
    return get("panels")[p].positions[k].pairs.some(({ pair, tied }) => tied && same(pair, guess));
  });
  return `${right.length} of ${guesses.length} right`;
}

function spoken({ panel, k, several, hidden, position }) {
  const done = k ? `${panel.merges[k - 1].pair.join(" ")} became ${panel.merges[k - 1].symbol}. ` : "";
  return (several ? `${panel.label}: ` : "") + done + (hidden ? "Which pair comes next?" : `Next: ${position.why.join("")}`);
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];

// A piece, its end-of-word marker drawn smaller.
function code(text, style = "") {
  return h("code", { class: style }, ...text.split(/(<\/w>)/).map((part, i) => (i % 2 ? h("span", { class: "lm-end" }, part) : part)));
}
const sum = ([a, b], symbol) => [code(a), h("span", { class: "lm-op" }, " + "), code(b), symbol && [h("span", { class: "lm-op" }, " → "), code(symbol, "lm-made")]];

function drawPanel(view, act) {
  const { panel, p, several } = view;
  const id = `lm-${Math.random().toString(36).slice(2)}`;
  const words = drawWords(view, id);
  const pairs = drawPairs(view, { ...act, mark: words.mark }, id);
  return h("div", { class: "lm-panel", role: "group", "aria-label": panel.label, "data-panel": p },
    several && h("h3", { class: "lm-label" }, panel.label),
    drawNext(view, act), h("div", { class: "lm-grid" },
      h("div", { class: "lm-column" }, words.element, drawMerges(view, act)), h("div", { class: "lm-column" }, pairs, drawVocabulary(view))));
}

// The next merge and the reason for it, or the question.
function drawNext({ panel, k, hidden, guess, predict, position }, { live, follow }) {
  const sentence = (parts) => parts.map((part, i) => (i % 2 ? code(part) : part));
  const number = h("span", { class: "lm-number" }, hidden || position.chosen ? `Merge ${k + 1}` : "Done");
  const verdict = () => {
    const mine = position.pairs.find(({ pair }) => same(pair, guess));
    if (same(guess, position.chosen)) return h("b", { class: "lm-right" }, "✓ Right. ");
    if (mine.tied) return [h("b", { class: "lm-right" }, "✓ Right: "), code(guess.join(" ")), " is one of the most frequent. "];
    return [h("b", { class: "lm-wrong" }, "✗ Not this time: "), code(guess.join(" ")), ` occurs ${mine.count === 1 ? "once" : `${mine.count} times`}. `];
  };
  const chose = panel.choices.length > 0 && live && !predict;
  return h("div", { class: "lm-next" },
    h("p", { class: "lm-headline" }, number, hidden ? h("span", {}, "Which pair occurs most often?") : position.chosen && sum(position.chosen, position.chosen.join(""))),
    h("p", { class: "lm-why" }, hidden ? "Count in the words, then pick a pair from the list." : [predict && guess && verdict(), sentence(position.why)],
      chose && h("button", { type: "button", class: "lm-small", "data-key": "follow", onclick: follow }, "Follow the rule again")));
}

function drawWords({ panel, k, position }, id) {
  const made = k ? panel.merges[k - 1].symbol : null;
  const some = position.shown.length < panel.total_words;
  const rows = position.shown.map((i) => panel.words[i]).map(({ word, count, history }) => {
    const [when, pieces] = history.findLast(([from]) => from <= k);
    const spans = pieces.map((piece) => {
      const fresh = when === k && piece === made;
      const span = code(piece, fresh ? "lm-piece lm-fresh" : "lm-piece");
      if (fresh) span.title = `made by merge ${k}`;
      return span;
    });
    return { spans, pieces, row: h("tr", { "data-word": word }, h("td", { class: "lm-count" }, count.toLocaleString("en")), h("td", { class: "lm-pieces" }, spans.flatMap((span) => [span, " "]))) };
  });
  const mark = (pair) => {
    for (const { spans } of rows) for (const span of spans) span.classList.remove("lm-left", "lm-right-half");
    if (pair) for (const { spans, pieces } of rows) spans.forEach((span, i) => {
      if (i + 1 < spans.length && same([pieces[i], pieces[i + 1]], pair)) {
        span.classList.add("lm-left");
        spans[i + 1].classList.add("lm-right-half");
      }
    });
  };
  const table = h("table", {}, h("thead", { class: "lm-hidden" }, h("tr", {}, h("th", { scope: "col" }, "Frequency"), h("th", { scope: "col" }, "Pieces"))), h("tbody", {}, rows.map(({ row }) => row)));
  const element = h("div", { class: "lm-words" }, h("h4", { id: `${id}-words` }, "Words ", h("small", {}, some ? "the last changed, then the most frequent" : "frequency and pieces")),
    h("div", { class: "lm-scroll", role: "region", tabindex: 0, "aria-labelledby": `${id}-words`, "data-scroll": `words${panel.label}`, "data-key": `words${panel.label}` }, table),
    some && h("p", { class: "lm-note" }, `${position.shown.length} of ${panel.total_words.toLocaleString("en")} words`));
  return { element, mark };
}

function drawPairs(view, { guess, choose, mark, say, live }, id) {
  const { position, hidden, p, predict } = view;
  const formula = h("p", { class: "lm-formula", id: `${id}-formula` });
  const shown = hidden ? [...position.pairs].sort((one, other) => (one.pair.join(" ") < other.pair.join(" ") ? -1 : 1)) : position.pairs;
  const most = Math.max(1, ...position.pairs.map(({ count }) => count));
  const ties = position.pairs.filter(({ tied }) => tied).length > 1;
  const choosing = ties && live && !hidden && !predict && position.chosen;
  const select = (one, speak) => {
    mark(one.pair);
    if (hidden) return;
    formula.replaceChildren(...formulaOf(one));
    if (speak) say(formula.textContent);
  };
  const rows = shown.map((one) => {
    const { pair, count, tied } = one, winner = !hidden && position.chosen && same(pair, position.chosen), mine = view.guess && predict && same(pair, view.guess);
    const row = h("button", { type: "button", class: `lm-pair${winner ? " lm-winner" : ""}`, "data-key": `${p}:pair:${pair.join(" ")}`, "data-count": hidden ? null : count,
      onclick: () => (hidden ? guess(pair) : select(one, true)), onfocus: () => select(one, !hidden), onmouseenter: () => select(one, false) },
      h("span", { class: "lm-mark" }, hidden ? "" : winner ? "▶" : tied && ties ? "=" : "", h("span", { class: "lm-hidden" }, winner ? "next merge: " : !hidden && tied && ties ? "as frequent: " : "")),
      h("span", { class: "lm-two" }, code(pair[0]), " ", code(pair[1]), mine && h("small", { class: "lm-mine" }, " your guess")),
      !hidden && h("span", { class: "lm-bar", "aria-hidden": "true" }, h("span", { style: `width:${(100 * count) / most}%` })),
      !hidden && h("span", { class: "lm-times" }, count.toLocaleString("en")));
    const takes = choosing && tied && !winner;
    return h("li", {}, row, takes && h("button", { type: "button", class: "lm-small", "data-key": `${p}:take:${pair.join(" ")}`, "aria-label": `Merge ${pair.join(" ")} instead`, onclick: () => choose(pair) }, "merge this"));
  });
  const first = position.pairs.find(({ pair }) => position.chosen && same(pair, position.chosen)) ?? position.pairs[0];
  if (!hidden && first) select(first, false);
  mark(null);
  return h("div", { class: "lm-ranking" }, h("h4", {}, "Pairs ", h("small", {}, hidden ? "in alphabetical order" : "by count")),
    rows.length ? h("ol", { class: choosing && "lm-choosing", "data-roving": `pairs${p}`, onmouseleave: () => mark(null) }, rows) : h("p", { class: "lm-note" }, "none"),
    position.more > 0 && !hidden && h("p", { class: "lm-note" }, `and ${position.more.toLocaleString("en")} more as frequent`),
    formula,
    ties && !live && !hidden && position.chosen && h("p", { class: "lm-note" }, "To merge another of the tied pairs, open the notebook: this page has no Python."));
}

// c(a, b) = 6 × 1 newest + 3 × 1 widest = 9
function formulaOf({ pair, count, terms, rest }) {
  const parts = terms.flatMap(([frequency, occurrences, word], i) => [i ? " + " : "", h("span", { class: "lm-term" }, `${frequency} × ${occurrences} `, h("i", {}, word))]);
  if (rest > 0) parts.push(terms.length ? " + " : "", `${rest.toLocaleString("en")} `, "elsewhere");
  return ["c(", code(pair[0]), ", ", code(pair[1]), ") = Σ frequency × occurrences = ", ...parts, " = ", h("b", {}, count.toLocaleString("en"))];
}

function drawMerges({ panel, p, k, predict }, { go, farthest }) {
  const shown = predict ? panel.merges.slice(0, farthest) : panel.merges;
  const items = [h("li", {}, h("button", { type: "button", class: "lm-merge lm-start", "data-key": `${p}:merge:0`, "aria-current": k === 0 ? "step" : null, onclick: () => go(0) }, h("span", { class: "lm-n" }, "0"), "start")),
    ...shown.map(({ pair, symbol }, i) => h("li", {}, h("button", { type: "button", class: `lm-merge${i < k ? "" : " lm-later"}`, "data-key": `${p}:merge:${i + 1}`, "aria-current": i + 1 === k ? "step" : null, title: `merge ${i + 1}: ${pair.join(" + ")} → ${symbol}`, onclick: () => go(i + 1) },
      h("span", { class: "lm-n" }, `${i + 1}`), h("span", { class: "lm-sum" }, code(pair[0]), " ", code(pair[1])))))];
  return h("div", { class: "lm-merges" }, h("h4", {}, "Merges ", h("small", {}, "in the order learned")), h("ol", { class: "lm-scroll", "data-roving": `merges${p}`, "data-scroll": `merges${p}` }, items));
}

function drawVocabulary({ panel, p, k }) {
  const made = [...new Set(panel.merges.slice(0, k).map(({ symbol }) => symbol))].filter((symbol) => !panel.vocabulary.includes(symbol));
  const size = k ? panel.merges[k - 1].vocabulary_size : panel.vocabulary.length, newest = k ? panel.merges[k - 1].symbol : null;
  const chip = (piece) => h("li", {}, code(piece, piece === newest ? "lm-piece lm-fresh" : "lm-piece"), piece === newest && h("span", { class: "lm-hidden" }, " (new)"));
  return h("div", { class: "lm-vocabulary", "data-size": size }, h("h4", { id: `lm-vocabulary-${p}` }, `Vocabulary `, h("small", {}, `${panel.vocabulary.length} characters + ${size - panel.vocabulary.length} merged = `, h("b", {}, `${size}`))),
    h("div", { class: "lm-scroll", role: "region", tabindex: 0, "aria-label": `Vocabulary of ${panel.label}`, "data-scroll": `vocabulary${p}`, "data-key": `vocabulary${p}` },
      h("ul", { class: "lm-chips lm-made-list" }, made.reverse().map(chip)), h("ul", { class: "lm-chips" }, panel.vocabulary.map(chip))));
}

// The reader's own text and rules.
function drawForm(model, learn) {
  const get = (name) => model.get(name);
  const choice = (name, options) => h("select", { onchange: () => send() }, Object.entries(options).map(([value, label]) => h("option", { value }, label)));
  const texts = get("panels").map(() => h("textarea", { rows: 5, spellcheck: "false", onkeydown: (event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && (event.preventDefault(), send()) }));
  const tie = choice("tie", RULES), marker = choice("marker", MARKERS);
  const merges = h("input", { type: "number", min: 0, max: 300, required: true });
  const said = h("p", { class: "lm-said", role: "status" });
  const send = () => learn({ texts: texts.map(({ value }) => value), merges: Math.round(Number(merges.value)), tie: tie.value, marker: marker.value, choices: texts.map(() => []) });
  const fill = () => {
    texts.forEach((area, p) => (area.value = get("texts")[p]));
    [tie.value, marker.value, merges.value] = [get("tie"), get("marker"), get("merges")];
  };
  const live = get("live");
  const element = h("details", { class: "lm-form" }, h("summary", {}, "Your own text, tie rule and end marker"),
    !live && h("p", { class: "lm-note" }, "This page runs without Python, so it cannot learn anew. Open the notebook to use these controls."),
    h("fieldset", { disabled: !live }, h("legend", { class: "lm-hidden" }, "What to learn from"),
      h("div", { class: "lm-texts" }, texts.map((area, p) => h("label", {}, texts.length > 1 ? get("panels")[p].label : "Text", area))),
      h("p", { class: "lm-note" }, "Any text, or a dictionary: on each line a word and how often it occurs."),
      h("div", { class: "lm-fields" }, h("label", {}, "Of tied pairs take", tie), h("label", {}, "End of word", marker), h("label", {}, "Merges", merges),
        h("button", { type: "button", class: "lm-primary", onclick: send }, "Learn"))),
    said);
  return { element, fill, say: (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("lm-bad", bad);
    if (bad) element.open = true;
  } };
}

export default { render };
