// The BPE merge stepper: its controls, and its talk with Python, around the panels that bpe_panel.js draws.
// It learns nothing itself: what to merge, how often a pair occurs and why it wins all come from Python's trace.
// `step` counts the merges that are done.

const ICONS = {
  back: "M11 3 4 8l7 5z",
  play: "M4 3v10l9-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3l7 5-7 5z",
};
const RULES = { first: "first: the pair met first", largest: "largest: the last in the alphabet (subword-nmt)" };
const MARKERS = { attached: "attached: t</w>", separate: "separate: t ·" };
const PLAY_EVERY = 1400; // milliseconds
const PATIENCE = 30000;

function render({ model, el }) {
  const get = (name) => model.get(name);
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const last = () => Math.max(...get("panels").map((panel) => panel.merges.length));
  const ui = { playing: null, waiting: null, asked: 0, farthest: 0, drawn: 0 };

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

  // Asking Python to learn anew
  const learn = (changes) => {
    const choices = get("panels").map((panel) => panel.choices);
    const now = { texts: get("texts"), merges: get("merges"), tie: get("tie"), marker: get("marker"), choices };
    const noAnswer = () => form.say("No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?");
    clearTimeout(ui.waiting);
    ui.waiting = setTimeout(noAnswer, PATIENCE);
    form.say("Learning …");
    model.send({ learn: { ...now, ...changes }, id: ++ui.asked });
  };
  const answered = ({ id, error }) => {
    if (id !== ui.asked) return;
    clearTimeout(ui.waiting);
    form.say(error ? `Not learned: ${error}` : "Learned.", Boolean(error));
  };
  const chooseIn = (p, change) =>
    learn({ choices: get("panels").map(({ choices }, i) => (i === p ? change(choices) : choices)) });

  // What stays
  const button = (name, label, picture, onclick) =>
    h(name, { type: "button", onclick }, icon(ICONS[picture]), h("span", label));
  const back = button("button.lm-control", "Back", "back", () => go(get("step") - 1));
  const play = button("button.lm-control", "Play", "play", togglePlay);
  const forward = button("button.lm-control.lm-primary", "Forward", "forward", () => go(get("step") + 1));
  const slide = () => go(Number(slider.value));
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Merges done", oninput: slide });
  const progress = h("output.lm-progress");
  const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
  const score = h("span.lm-score");
  const panels = h("div.lm-panels");
  const status = h("p.lm-hidden", { role: "status" });
  const form = drawForm(get, learn);
  const root = h("section.lm-widget.lm-bpe", { "aria-label": "BPE merge stepper", tabindex: -1, onkeydown },
    h("div.lm-toolbar",
      h("div.lm-buttons", { role: "group", "aria-label": "Steps" }, back, play, forward),
      h("div.lm-slide", slider, progress),
      h("div.lm-predict", h("label", predict, h("span", "Predict first")), score)),
    panels, form.element, status);

  // What changes with each step
  function draw() {
    const step = get("step");
    const views = get("panels").map((panel, p) => viewOf(panel, p, get));
    ui.farthest = Math.max(ui.farthest, step);
    drawToolbar(step);
    redraw(panels, () => {
      panels.classList.toggle("lm-several", views.length > 1);
      panels.replaceChildren(...views.map((view) => drawPanel(view, actions(view))));
    });
    suppressShortcuts(root);
    if (ui.drawn !== step) reveal();
    ui.drawn = step;
    if (!ui.playing) status.textContent = [`${step} of ${last()} merges.`, ...views.map(spoken)].join(" ");
  }
  function drawToolbar(step) {
    slider.max = last();
    slider.value = step;
    slider.setAttribute("aria-valuetext", `${step} of ${last()} merges`);
    progress.replaceChildren(h("b", `${step}`), ` of ${last()} merges`);
    back.setAttribute("aria-disabled", step === 0); // not `disabled`: that would lose the focus
    forward.setAttribute("aria-disabled", step === last());
    play.replaceChildren(icon(ICONS[ui.playing ? "pause" : "play"]), h("span", ui.playing ? "Pause" : "Play"));
    predict.checked = get("predict");
    score.textContent = scoreOf(get);
  }
  const actions = ({ p, k, key }) => ({
    go,
    farthest: ui.farthest,
    live: get("live"),
    say: (text) => (status.textContent = text),
    guess: (pair) => put({ predictions: { ...get("predictions"), [key]: pair } }),
    choose: (pair) => chooseIn(p, (choices) => [...choices.filter(([step]) => step < k), [k, ...pair]]),
    follow: () => chooseIn(p, () => []),
  });
  const reveal = () => panels.querySelectorAll(".lm-words .lm-scroll, .lm-merges .lm-scroll").forEach(scrollToNew);
  // Jupyter draws a widget first and shows it later: then the lists have a height to scroll in.
  const sized = new ResizeObserver(() => root.offsetWidth && (sized.disconnect(), reveal()));

  const learned = () => {
    ui.farthest = get("step");
    form.fill();
    draw();
  };
  const listeners = {
    "change:step": draw,
    "change:predict": draw,
    "change:predictions": draw,
    "change:panels": learned,
    "msg:custom": answered,
  };
  for (const [name, listener] of Object.entries(listeners)) model.on(name, listener);
  el.replaceChildren(root);
  sized.observe(root);
  learned();
  return () => {
    clearInterval(ui.playing);
    clearTimeout(ui.waiting);
    sized.disconnect();
    for (const [name, listener] of Object.entries(listeners)) model.off(name, listener);
  };
}

// Right is any of the most frequent pairs.
function scoreOf(get) {
  const guesses = Object.entries(get("predictions"));
  if (!get("predict") || !guesses.length) return "";
  const right = guesses.filter(([key, guess]) => {
    const [p, k] = key.split(":").map(Number);
    return get("panels")[p].positions[k].pairs.some(({ pair, tied }) => tied && same(pair, guess));
  });
  return `${right.length} of ${guesses.length} right`;
}

// A list scrolls to what is new in it; the page stays where it is.
function scrollToNew(list) {
  const row = list.querySelector(".lm-fresh, [aria-current]")?.closest("tr, li");
  if (!row) return;
  const above = row.offsetTop < list.scrollTop;
  const below = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
  if (above || below) list.scrollTop = row.offsetTop - list.clientHeight / 3;
}

// The reader's own text and rules.
function drawForm(get, learn) {
  const live = get("live");
  const labels = get("panels").map(({ label }, _, all) => (all.length > 1 ? label : "Text"));
  const send = () =>
    learn({
      texts: texts.map(({ value }) => value),
      merges: Math.round(Number(merges.value)),
      tie: tie.value,
      marker: marker.value,
      choices: texts.map(() => []),
    });
  const onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  const select = (options) =>
    h("select", { onchange: send }, Object.entries(options).map(([value, label]) => h("option", { value }, label)));
  const texts = labels.map(() => h("textarea", { rows: 5, spellcheck: "false", onkeydown }));
  const tie = select(RULES);
  const marker = select(MARKERS);
  const merges = h("input", { type: "number", min: 0, max: 300 });
  const said = h("p.lm-said", { role: "status" });
  const element = h("details.lm-form",
    h("summary", "Your own text, tie rule and end marker"),
    !live && h("p.lm-note", "This page runs without Python, so it cannot learn anew. Open the notebook to use these controls."),
    h("fieldset", { disabled: !live },
      h("legend.lm-hidden", "What to learn from"),
      h("div.lm-texts", texts.map((text, p) => h("label", labels[p], text))),
      h("p.lm-note", "Any text, or a dictionary: on each line a word and how often it occurs."),
      h("div.lm-fields",
        h("label", "Of tied pairs take", tie),
        h("label", "End of word", marker),
        h("label", "Merges", merges),
        h("button.lm-primary", { type: "button", onclick: send }, "Learn"))),
    said);
  const fill = () => {
    texts.forEach((text, p) => (text.value = get("texts")[p]));
    [tie.value, marker.value, merges.value] = [get("tie"), get("marker"), get("merges")];
  };
  const say = (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("lm-bad", bad);
    if (bad) element.open = true;
  };
  return { element, fill, say };
}

export default { render };
