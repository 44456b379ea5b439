// The EM stepper draws the trace of course_lib.alignment.em: t, the posteriors, the counts and the log likelihood are
// Python's. `step` counts the iterations that are done.

const ICONS = { back: "M11 3 4 8l7 5z", play: "M4 3v10l9-5z", pause: "M4 3h3v10H4zM9 3h3v10H9z", forward: "M5 3l7 5-7 5z" };
const PLAY_EVERY = 1600, PATIENCE = 30000; // milliseconds
const THICKEST = 9; // pixels, for a posterior of 1

const exactly = (number) => number.toFixed(3).replace("-", "−");
const shortly = (number) => (number > 0 && number < 0.005 ? "<.01" : number.toFixed(2));

function render({ model, el }) {
  const get = (name) => model.get(name);
  const last = () => get("steps").length - 1;
  const ui = { playing: null, farthest: 0, waiting: null, asked: 0 };
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
  const learn = (text, iterations) => {
    clearTimeout(ui.waiting);
    ui.waiting = setTimeout(() => form.say("No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?"), PATIENCE);
    form.say("Learning …");
    model.send({ learn: { text, iterations }, id: ++ui.asked });
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
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Iterations done", oninput: () => go(Number(slider.value)) });
  const progress = h("output", { class: "lm-progress" });
  const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
  const score = h("span", { class: "lm-score" });
  const stage = h("div", { class: "lm-stage" });
  const status = h("p", { role: "status", class: "lm-hidden" });
  const form = drawForm(model, learn);
  const root = h("section", { class: "lm-widget lm-em", "aria-label": "EM alignment stepper", tabindex: -1, onkeydown },
    h("div", { class: "lm-toolbar" },
      h("div", { class: "lm-buttons", role: "group", "aria-label": "Steps" }, back, play, forward),
      h("div", { class: "lm-slide" }, slider, progress),
      h("div", { class: "lm-predict" }, h("label", {}, predict, h("span", {}, "Predict first")), score)),
    stage, form.element, status);

  // What changes with each step
  function draw() {
    const k = get("step"), view = viewOf(get, k);
    ui.farthest = Math.max(ui.farthest, k);
    slider.max = last();
    slider.value = k;
    slider.setAttribute("aria-valuetext", `${k} of ${last()} iterations`);
    progress.replaceChildren(h("b", {}, `${k}`), ` of ${last()} iterations`);
    back.setAttribute("aria-disabled", k === 0);
    forward.setAttribute("aria-disabled", k === last());
    play.replaceChildren(icon(ICONS[ui.playing ? "pause" : "play"]), h("span", {}, ui.playing ? "Pause" : "Play"));
    predict.checked = get("predict");
    score.textContent = scoreOf(get);
    const shown = get("predict") ? get("steps").slice(0, ui.farthest + 1) : get("steps");
    redraw(stage, () => stage.replaceChildren(...drawStage(view, shown, {
      guess: (word) => put({ predictions: { ...get("predictions"), [k]: word } }),
      say: (text) => (status.textContent = text),
    })));
    suppressShortcuts(root);
    if (!ui.playing) status.textContent = spoken(view, last());
  }

  const learned = () => {
    ui.farthest = get("step");
    form.fill();
    draw();
  };
  const listening = { "change:step": draw, "change:predict": draw, "change:predictions": draw, "change:steps": learned, "msg:custom": onAnswer };
  for (const [name, listener] of Object.entries(listening)) model.on(name, listener);
  el.replaceChildren(root);
  learned();
  return () => {
    clearInterval(ui.playing);
    clearTimeout(ui.waiting);
    for (const [name, listener] of Object.entries(listening)) model.off(name, listener);
  };
}

// The trace at step k; `hidden` while the reader has yet to predict what comes next.
function viewOf(get, k) {
  const question = get("questions")[k], guess = get("predictions")[k];
  return { k, now: get("steps")[k], after: get("steps")[k + 1], pairs: get("pairs"), question, guess, predict: get("predict"), hidden: get("predict") && Boolean(question) && guess === undefined };
}

function scoreOf(get) {
  const guesses = Object.entries(get("predictions"));
  if (!get("predict") || !guesses.length) return "";
  return `${guesses.filter(([k, word]) => get("questions")[k].best.includes(word)).length} of ${guesses.length} right`;
}

function spoken({ k, now, question, hidden }, last) {
  const likelihood = `Log likelihood ${exactly(now.log_likelihood)}.`;
  return `${k} of ${last} iterations. ${likelihood}` + (hidden ? ` Which translation of ${question.word} will be the most probable one?` : "");
}

const word = (text) => h("code", {}, text);
const t = (y, x) => [h("i", {}, "t"), "(", word(y), " | ", word(x), ")"];
const c = (y, x) => [h("i", {}, "c"), "(", word(y), " | ", word(x), ")"];
const listed = (words) => words.flatMap((one, n) => [n ? (n === words.length - 1 ? " and " : ", ") : "", word(one)]);

function drawStage(view, shown, act) {
  const { now, after, hidden } = view;
  const formula = h("p", { class: "lm-formula" });
  const sentences = drawPairs(view);
  const select = (x, y, speak) => {
    sentences.mark(x, y);
    formula.replaceChildren(...formulaOf(view, x, y).flat(Infinity));
    if (speak) act.say(formula.textContent);
  };
  const best = now.translation[0].indexOf(Math.max(...now.translation[0]));
  select(0, best, false);
  sentences.mark();
  const leave = () => sentences.mark();
  return [
    drawNext(view, act),
    h("div", { class: "lm-grid" },
      h("div", { class: "lm-column" },
        h("div", {}, h("h4", {}, "Translation table ", h("small", {}, "t(y | x): how likely y translates x. Each row adds up to 1")),
          drawTable("t", now, now.translation, { select, leave, top: 1 })),
        drawLikelihood(view, shown)),
      h("div", { class: "lm-column" },
        h("div", {}, h("h4", {}, "E step: posteriors ", h("small", {}, "how likely each line is, given the table")), sentences.element),
        h("div", {}, h("h4", {}, "E step: expected counts ", h("small", {}, "c(y | x): the lines of x and y, added up")),
          hidden ? h("p", { class: "lm-note lm-veil" }, "Hidden until you have predicted. Add up the lines yourself.")
            : drawTable("c", now, now.counts, { select, leave, top: Math.max(1, ...now.counts.flat()) }),
          !hidden && after && h("p", { class: "lm-note" }, "M step: each row divided by its sum is the next translation table.")))),
    formula,
  ];
}

// What happens next, or the question.
function drawNext({ k, now, after, question, guess, predict, hidden }, { guess: choose }) {
  const headline = (text) => h("p", { class: "lm-headline" }, h("span", { class: "lm-number" }, after ? `Iteration ${k + 1}` : "Done"), h("span", {}, text));
  if (hidden)
    return h("div", { class: "lm-next" }, headline(["Which translation of ", word(question.word), " will be the most probable after it?"]),
      h("div", { class: "lm-options", role: "group", "aria-label": `Translations of ${question.word}` },
        question.options.map((option) => h("button", { type: "button", "data-key": `option:${option}`, onclick: () => choose(option) }, option))));
  const row = (words, name) => after[name][now.source_words.indexOf(words)];
  const verdict = () => {
    const of = (y) => row(question.word, "translation")[now.target_words.indexOf(y)];
    const right = question.best.includes(guess);
    return h("p", { class: "lm-why" }, h("b", { class: right ? "lm-right" : "lm-wrong" }, right ? "✓ Right. " : "✗ Not this time. "),
      "After it, ", t(question.best[0], question.word), ` = ${shortly(of(question.best[0]))}`, question.best.length > 1 && [", as likely as ", listed(question.best.slice(1))],
      !right && [", and ", t(guess, question.word), ` = ${shortly(of(guess))}`], ".");
  };
  return h("div", { class: "lm-next" },
    headline(after ? `log likelihood ${exactly(now.log_likelihood)} → ${exactly(after.log_likelihood)}` : `log likelihood ${exactly(now.log_likelihood)}`),
    predict && guess !== undefined ? verdict()
      : h("p", { class: "lm-why" }, k === 0 ? "At the start every translation is as likely as any other." : after ? "The table explains the sentences; the lines say how; their sums make the next table." : "These are all the iterations asked for. More would sharpen the table further."));
}

// A table of source words by target words: a square's area is the number, which stands beside it.
function drawTable(kind, { source_words: xs, target_words: ys, counts }, values, { select, leave, top }) {
  const cell = (x, y) => {
    if (!(counts[x][y] > 0 || values[x][y] > 0)) return h("td", {}, h("span", { class: "lm-never", title: `${xs[x]} and ${ys[y]} never meet` }, "–"));
    const value = values[x][y], side = `${(22 * Math.sqrt(value / top)).toFixed(1)}px`;
    return h("td", {}, h("button", { type: "button", class: "lm-cell", "data-key": `${kind}:${x}:${y}`, "data-x": x, "data-y": y, "data-value": value,
      "aria-label": `${kind}(${ys[y]} | ${xs[x]}) = ${shortly(value)}`, onfocus: () => select(x, y, true), onclick: () => select(x, y, true), onmouseenter: () => select(x, y, false), onmouseleave: leave },
      h("span", { class: "lm-box" }, h("span", { class: "lm-square", style: `width:${side};height:${side}` })), h("span", {}, shortly(value))));
  };
  const table = h("table", { class: `lm-table lm-table-${kind}`, onkeydown: moveInTable },
    h("thead", {}, h("tr", {}, h("td", {}), ys.map((y) => h("th", { scope: "col" }, word(y))), kind === "c" && h("th", { scope: "col" }, "sum"))),
    h("tbody", {}, xs.map((x, i) => h("tr", {}, h("th", { scope: "row" }, word(x)), ys.map((_, j) => cell(i, j)),
      kind === "c" && h("td", { class: "lm-total" }, shortly(values[i].reduce((one, other) => one + other, 0)))))));
  const cells = [...table.querySelectorAll("button")];
  cells.forEach((button, n) => (button.tabIndex = n ? -1 : 0));
  table.addEventListener("focusin", ({ target }) => cells.forEach((button) => (button.tabIndex = button === target ? 0 : -1)));
  return h("div", { class: "lm-sideways", role: "group", "aria-label": kind === "t" ? "Translation table" : "Expected counts" }, table);
}

// Arrow keys go from cell to cell; a table is one stop of the Tab key.
function moveInTable(event) {
  const at = event.target.closest(".lm-cell");
  const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!at || !way || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  let [x, y] = [Number(at.dataset.x), Number(at.dataset.y)];
  for (let n = 0; n < 12; n++) {
    [x, y] = [x + way[0], y + way[1]];
    const found = event.currentTarget.querySelector(`[data-x="${x}"][data-y="${y}"]`);
    if (found) return found.focus();
  }
}

// The sentence pairs, a line's thickness its posterior.
function drawPairs({ now, pairs }) {
  const drawn = pairs.map(([source, target], k) => {
    const words = (side) => side.map((text) => h("span", { class: "lm-word" }, text));
    const links = target.flatMap((y, j) => source.map((x, i) => ({ i, j, x, y, p: now.posteriors[k][j][i] })));
    const lines = links.map(({ i, j, p }) => ({ i, j, width: Math.max(THICKEST * p, 0.4), style: p < 0.005 ? "lm-thread" : "" }));
    const said = target.map((y, j) => `${y}: ${source.map((x, i) => `${x} ${shortly(now.posteriors[k][j][i])}`).join(", ")}`).join("; ");
    return { ...drawLinked(words(source), words(target), lines, ["Source", "Target"]), links, said };
  });
  const mark = (x, y) => drawn.forEach(({ element, links }) => {
    const groups = element.querySelectorAll(".lm-link");
    element.classList.toggle("lm-selecting", x !== undefined);
    links.forEach((link, n) => groups[n].classList.toggle("lm-chosen", x !== undefined && link.x === now.source_words[x] && link.y === now.target_words[y]));
  });
  const element = h("ul", { class: "lm-pairs" }, drawn.map(({ element: figure, said }) => h("li", {}, figure, h("p", { class: "lm-hidden lm-said-links" }, said))));
  return { element, mark };
}

// c(the | das) = 0.50 + 0.50 = 1.00; t(the | das) becomes 1.00 / 2.00 = 0.50
function formulaOf({ now, after, hidden, pairs }, x, y) {
  const [one, other] = [now.source_words[x], now.target_words[y]];
  const found = pairs.flatMap(([source, target], k) => target.flatMap((word, j) => source.flatMap((from, i) => (from === one && word === other ? [{ k, p: now.posteriors[k][j][i] }] : []))));
  const here = [t(other, one), ` = ${shortly(now.translation[x][y])}`];
  if (hidden) return [...here, `. Its lines: ${found.map(({ k, p }) => `${shortly(p)} in pair ${k + 1}`).join(", ")}.`];
  const sum = now.counts[x].reduce((a, b) => a + b, 0);
  const counted = [c(other, one), " = ", found.map(({ p }) => shortly(p)).join(" + "), found.length > 1 && ` = ${shortly(now.counts[x][y])}`].filter(Boolean);
  if (!after) return [...here, ". ", counted, "."];
  return [...here, ". ", counted, `; ${shortly(now.counts[x][y])} / ${shortly(sum)} = `, h("b", {}, shortly(after.translation[x][y])), " in the next table."];
}

// Log likelihood against iterations, as far as it is shown.
function drawLikelihood({ k }, shown) {
  const values = shown.map((step) => step.log_likelihood), low = Math.min(...values), span = Math.max(...values) - low || 1;
  const at = (n) => [14 + (292 * n) / Math.max(shown.length - 1, 1), 66 - (52 * (values[n] - low)) / span];
  const chart = shape("svg", { viewBox: "0 0 320 80", class: "lm-chart", role: "img", "aria-label": `Log likelihood after each iteration: ${values.map((value) => value.toFixed(2)).join(", ")}` },
    shape("polyline", { points: values.map((_, n) => at(n).map((number) => number.toFixed(1)).join(",")).join(" ") }),
    ...values.map((value, n) => {
      const [cx, cy] = at(n), dot = shape("circle", { cx, cy, r: n === k ? 6 : 3, class: n === k ? "lm-now" : "" }, shape("title"));
      dot.firstChild.textContent = `after ${n} iterations: ${exactly(value)}`;
      return dot;
    }));
  return h("div", {}, h("h4", {}, "Log likelihood ", h("small", {}, "of the target sentences; no iteration makes it smaller")), chart);
}

// The reader's own sentences.
function drawForm(model, learn) {
  const get = (name) => model.get(name), live = get("live");
  const send = () => learn(area.value, Math.round(Number(count.value)));
  const area = h("textarea", { rows: 4, spellcheck: "false", onkeydown: (event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && (event.preventDefault(), send()) });
  const count = h("input", { type: "number", min: 1, max: 30, required: true });
  const said = h("p", { class: "lm-said", role: "status" });
  const fill = () => ([area.value, count.value] = [get("text"), get("iterations")]);
  const element = h("details", { class: "lm-form" }, h("summary", {}, "Your own sentences"),
    !live && h("p", { class: "lm-note" }, "This page runs without Python, so it cannot learn anew. Open the notebook to use these controls."),
    h("fieldset", { disabled: !live }, h("legend", { class: "lm-hidden" }, "What to learn from"),
      h("label", {}, "Sentence pairs", area),
      h("p", { class: "lm-note" }, "On each line a sentence, “=” and its translation. Put NULL before a sentence for words that translate none."),
      h("div", { class: "lm-fields" }, h("label", {}, "Iterations", count), h("button", { type: "button", class: "lm-primary", onclick: send }, "Learn"))),
    said);
  return { element, fill, say: (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("lm-bad", bad);
    if (bad) element.open = true;
  } };
}

export default { render };
