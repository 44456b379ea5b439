// rating_form.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp ea69f67f5e510197a1e39708cd3086eb
// base.js
var HTML = "http://www.w3.org/1999/xhtml";
var SVG = "http://www.w3.org/2000/svg";
var PATIENCE = 3e4;
var SILENT = "No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?";
var LOST = "Python does not know this widget any more: run its cell again.";
var h = (name, ...rest) => elementOf(HTML, name, rest);
var svg = (name, ...rest) => elementOf(SVG, name, rest);
var isNothing = (value) => value === void 0 || value === null || value === false;
function elementOf(space, name, rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElementNS(space, tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const attributes = rest[0]?.constructor === Object ? rest[0] : {};
  for (const [key, value] of Object.entries(attributes)) {
    if (isNothing(value)) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  const children = rest[0] === attributes ? rest.slice(1) : rest;
  element.append(...children.flat(Infinity).filter((child) => !isNothing(child)));
  return element;
}
var groupName = () => `lm-${Math.random().toString(36).slice(2)}`;
var icon = (path) => svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path }));
function widget({ model, el }, rootClass, label, { saves = true } = {}) {
  const get = (name) => model.get(name);
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const status = h("p.lm-hidden", { role: "status" });
  const root = h(`section.lm-widget.${rootClass}`, {
    "aria-label": label,
    tabindex: -1,
    "data-frame": get("frame_name")
  });
  const endings = [];
  const on = (event, listener) => {
    model.on(event, listener);
    endings.push(() => model.off(event, listener));
  };
  const start = (content, traits, draw) => {
    let scheduled = false;
    const drawSoon = () => {
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(() => {
        scheduled = false;
        draw();
      });
    };
    for (const trait of traits) on(`change:${trait}`, drawSoon);
    root.append(...content, status);
    if (saves) root.append(saveButton(w, model, label));
    el.replaceChildren(root);
    draw();
    return () => endings.forEach((end) => end());
  };
  const w = {
    get,
    put,
    root,
    on,
    start,
    live: get("live"),
    // `heard` is called when Python has worked through the message.
    send: (content, heard) => model.send(content, { iopub: { status: ({ content: content2 }) => content2.execution_state === "idle" && heard() } }),
    atEnd: (ending) => endings.push(ending),
    // What a screen reader hears.
    say: (text) => {
      if (status.textContent !== text) status.textContent = text;
    },
    // A field that shows a trait; what the reader types stays until Python changes the trait.
    bind(field, trait, value = get) {
      const fill = () => field.value = value(trait);
      on(`change:${trait}`, fill);
      fill();
      return field;
    }
  };
  return w;
}
function saveButton({ live, send, on, atEnd }, model, label) {
  const button = h("button.lm-save", { type: "button", onclick: save }, "Save as HTML");
  let waiting = null;
  const stop = () => {
    clearTimeout(waiting);
    waiting = null;
  };
  const tell = (text) => {
    stop();
    button.textContent = text;
  };
  function save() {
    if (!live) return keep(model.page());
    tell("Saving … (Python makes the page)");
    waiting = setTimeout(() => tell(SILENT), PATIENCE);
    try {
      send({ id: "save", save: true }, () => waiting !== null && tell(LOST));
    } catch {
      tell(LOST);
    }
  }
  function keep(page) {
    const href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    h("a", { href, download: `${label.toLowerCase().replaceAll(" ", "-")}.html` }).click();
    setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
    tell("Save as HTML");
  }
  on("msg:custom", ({ id, page, error }) => {
    if (id !== "save") return;
    if (error) tell(`Not saved: ${error}`);
    else keep(page);
  });
  atEnd(stop);
  return button;
}
function asking({ send, on, atEnd }, { doing, done, refused }, answered = () => {
}) {
  const said = h("p.lm-said", { role: "status" });
  const open = /* @__PURE__ */ new Map();
  let asked = 0;
  let waiting = null;
  const tell = (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("lm-bad", bad);
  };
  const silent = () => tell(SILENT);
  const lost = () => {
    stop();
    open.clear();
    tell(LOST, true);
  };
  const stop = () => {
    clearTimeout(waiting);
    waiting = null;
  };
  const ask = (request) => {
    const id = ++asked;
    stop();
    waiting = setTimeout(silent, PATIENCE);
    tell(doing);
    open.set(id, request);
    try {
      send({ ask: request, id }, () => id === asked && waiting !== null && lost());
    } catch {
      lost();
    }
  };
  on("comm_live_update", lost);
  on("msg:custom", ({ id, error }) => {
    open.delete(id);
    if (id !== asked) return;
    stop();
    tell(error ? `${refused}: ${error}` : done, Boolean(error));
    answered(error);
  });
  atEnd(stop);
  return { said, ask, unanswered: () => [...open.values()] };
}
function moveByKeys(root, ways) {
  root.addEventListener("keydown", (event) => {
    const { target, key, ctrlKey, altKey, metaKey } = event;
    if (target.matches("input, select, textarea") || ctrlKey || altKey || metaKey) return;
    const move = ways(event)[key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  });
}
function suppressShortcuts(root) {
  for (const control of [root, ...root.querySelectorAll("button, input, select, textarea, summary, [tabindex]")])
    control.setAttribute("data-lm-suppress-shortcuts", "true");
}
function redraw(root, draw) {
  const focused = root.getRootNode().activeElement;
  const key = root.contains(focused) && focused.closest("[data-key]")?.dataset.key;
  const list = key && focused.closest("[data-roving]")?.dataset.roving;
  const scrolled = [...root.querySelectorAll("[data-scroll]")].map((e) => [
    e.dataset.scroll,
    e.scrollTop,
    e.scrollLeft
  ]);
  draw();
  for (const name of root.querySelectorAll("[data-roving]")) oneTabStop(name);
  suppressShortcuts(root);
  for (const [name, scrollTop, scrollLeft] of scrolled)
    Object.assign(byData(root, "scroll", name) ?? {}, { scrollTop, scrollLeft });
  if (!key) return;
  const again = byData(root, "key", key) ?? (list && byData(root, "roving", list)?.querySelector("[tabindex='0']"));
  if (again && !again.disabled) again.focus({ preventScroll: true });
  else root.closest(".lm-widget")?.focus({ preventScroll: true });
}
function byData(root, name, value) {
  return [...root.querySelectorAll(`[data-${name}]`)].find((element) => element.dataset[name] === value);
}
function oneTabStop(list) {
  const items = [...list.querySelectorAll("button:not(:disabled)")];
  const home = items.find((item) => item.hasAttribute("aria-current")) ?? items[0];
  const stopAt = (chosen) => items.forEach((item) => item.tabIndex = item === chosen ? 0 : -1);
  stopAt(home);
  list.addEventListener("focusin", ({ target }) => items.includes(target) && stopAt(target));
  const to = (n) => () => items[Math.min(Math.max(n, 0), items.length - 1)].focus();
  moveByKeys(list, ({ target }) => {
    const at = items.indexOf(target);
    if (at < 0) return {};
    const ways = { ArrowUp: to(at - 1), ArrowDown: to(at + 1), Home: to(0), End: to(items.length - 1) };
    return list.dataset.axis === "x" ? { ...ways, ArrowLeft: to(at - 1), ArrowRight: to(at + 1) } : ways;
  });
}

// rating_scales.js
var LIKERT = {
  adequacy: ["How much of the meaning is there?", ["none", "little", "much", "most", "all"]],
  fluency: ["How good is the language?", ["incomprehensible", "disfluent", "non-native", "good", "flawless"]]
};
var SCALES = {
  likert: {
    aspects: ["adequacy", "fluency"],
    missing: "Choose a step for both.",
    legend: () => "Rate the output",
    questions: ({ scores, change }) => Object.entries(LIKERT).map(
      ([aspect, [question, steps]]) => choice({
        legend: [h("b", aspect), ` ${question}`],
        options: steps.map((name, k) => ({ value: k + 1, text: `${k + 1}`, note: name })),
        chosen: scores[aspect],
        change: (value) => change({ [aspect]: value })
      })
    )
  },
  direct: {
    aspects: ["quality"],
    missing: "Move the slider, or write a number.",
    legend: () => "How well does the output say what it should say, in good language?",
    questions: ({ scores, change }) => slider(scores.quality, (quality) => change({ quality }))
  },
  ranking: {
    aspects: ["preference"],
    missing: "Give each output a place.",
    legend: (of) => `Give each output a place, 1 the best, ${of} the worst. Equals get the same place.`,
    questions: ({ output, of, scores, change }) => choice({
      legend: h("span.lm-hidden", `Place of “${output}”`),
      options: Array.from({ length: of }, (_, k) => ({ value: of - k, text: `${k + 1}` })),
      chosen: scores.preference,
      change: (preference) => change({ preference })
    })
  }
};
var scaleOf = (name) => SCALES[name];
function choice({ legend, options, chosen, change }) {
  const group = groupName();
  const option = ({ value, text, note }) => {
    const button = h("input", {
      type: "radio",
      name: group,
      value,
      checked: value === chosen,
      onchange: () => change(value)
    });
    return h("label.lm-step", button, h("span", text), note && h("small", note));
  };
  return h("fieldset.lm-choice", h("legend", legend), h("div.lm-steps", options.map(option)));
}
function slider(chosen, change) {
  let now = chosen;
  const range = h("input", { type: "range", min: 0, max: 100, step: 1, value: chosen ?? 50, "aria-label": "Quality" });
  const number = h("input", {
    type: "number",
    min: 0,
    max: 100,
    step: 1,
    value: chosen,
    "aria-label": "Quality as a number"
  });
  const element = h(
    `div.lm-quality${now === void 0 ? ".lm-unset" : ""}`,
    h("span", "0 worst"),
    range,
    h("span", "100 perfect"),
    number
  );
  const take = (value) => {
    element.classList.remove("lm-unset");
    range.value = value;
    number.value = value;
    now = Number(value);
    change(now);
  };
  range.addEventListener("input", () => take(range.value));
  range.addEventListener("pointerup", () => take(range.value));
  number.addEventListener("input", () => {
    if (number.value !== "" && number.checkValidity()) take(number.value);
  });
  number.addEventListener("change", () => {
    if (number.value === "" || !number.checkValidity()) number.value = now ?? "";
  });
  return element;
}

// timeline.js
var ICONS = {
  back: "M11 3 4 8l7 5z",
  play: "M4 3v10l9-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3l7 5-7 5z"
};
function stepButtons(now, go, togglePlay) {
  const control = (name, label, picture, onclick) => h(`button.lm-control${name}`, { type: "button", onclick }, icon(ICONS[picture]), h("span", label));
  const back = control("", "Back", "back", () => go(now() - 1));
  const play = togglePlay && control("", "Play", "play", togglePlay);
  const forward = control(".lm-primary.lm-forward", "Forward", "forward", () => go(now() + 1));
  const draw = (step, last, playing = false) => {
    back.setAttribute("aria-disabled", step <= 0);
    forward.setAttribute("aria-disabled", step >= last);
    play?.replaceChildren(icon(ICONS[playing ? "pause" : "play"]), h("span", playing ? "Pause" : "Play"));
  };
  return { element: h("div.lm-buttons", { role: "group", "aria-label": "Steps" }, back, play, forward), draw };
}

// rating_form.js
var WITHOUT = "This page runs without Python: it cannot save answers. Run the cell in the notebook to rate.";
function render(context) {
  const w = widget(context, "lm-rating", "Rating form", { saves: false });
  const { get, put, live, root, say, on } = w;
  const { said, ask } = asking(w, { doing: "Saving …", done: "Saved.", refused: "Not saved" });
  const last = () => get("tasks").length - 1;
  const go = (at) => put({ at: Math.min(Math.max(at, 0), last()) });
  const scale = scaleOf(get("scale"));
  const drafts = {};
  const scoresOf = (at) => drafts[at] ?? get("given")[at] ?? get("tasks")[at].outputs.map(() => ({}));
  const isWhole = (scores) => scores.every((one) => scale.aspects.every((aspect) => aspect in one));
  const buttons = stepButtons(() => get("at"), go);
  buttons.element.lastChild.classList.remove("lm-primary");
  const progress = h("output.lm-progress");
  const bar = h("progress", { max: last() + 1, "aria-label": "Saved answers" });
  const about = h("span.lm-about", `rater: ${get("rater")}, round ${get("round")}`);
  const toolbar = h("div.lm-toolbar", buttons.element, progress, live && bar, about);
  const stage = h("div");
  const file = h(
    "p.lm-note",
    live ? ["Answers go to ", h("code", get("file")), ", each as soon as you save it: by the button or the Enter key."] : WITHOUT
  );
  const isSame = (some, others) => some.every((one, k) => scale.aspects.every((aspect) => one[aspect] === others?.[k][aspect]));
  let saved = false;
  const save = () => {
    const at = get("at");
    const scores = scoresOf(at);
    if (!isWhole(scores)) return say(scale.missing);
    ask({ task: at, scores });
  };
  on("change:given", () => {
    for (const [at, scores] of Object.entries(drafts)) {
      if (!isSame(scores, get("given")[at])) continue;
      delete drafts[at];
      saved = true;
    }
  });
  function draw() {
    const at = get("at");
    const given = Object.keys(get("given")).length;
    const all = last() + 1;
    progress.replaceChildren(h("b", `${at + 1}`), ` of ${all}`, live ? h("small", ` (saved: ${given})`) : "");
    bar.value = given;
    buttons.draw(at, last());
    const button = h("button.lm-primary", { type: "button", "data-key": "save", onclick: save }, "Save and go on");
    const note = h("span.lm-quiet");
    const tell = () => {
      const isReady = isWhole(scoresOf(at));
      button.setAttribute("aria-disabled", !isReady);
      note.textContent = isReady ? "" : scale.missing;
    };
    const change = (place, values) => {
      drafts[at] = scoresOf(at).map((one, k) => k === place ? { ...one, ...values } : one);
      tell();
    };
    const done = live && given === all && h("p.lm-done", `All ${all} are saved. You can still change an answer.`);
    const ending = h("div.lm-ending", live && [button, note], done);
    redraw(root, () => stage.replaceChildren(...drawTask(get("tasks")[at], scale, scoresOf(at), change, live), ending));
    tell();
    suppressShortcuts(root);
    if (saved) stage.querySelector("input")?.focus({ preventScroll: true });
    saved = false;
    say(`Screen ${at + 1} of ${all}${live ? `, ${given} saved` : ""}.`);
  }
  stage.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    save();
  });
  return w.start([toolbar, stage, said, file], ["at", "given"], draw);
}
function drawTask({ source, reference, outputs }, scale, scores, change, live) {
  const text = (name, value) => value && [h("dt", name), h("dd", { dir: "auto" }, value)];
  const judged = outputs.map(
    (output, k) => h(
      `div.lm-output${outputs.length > 1 ? ".lm-ranked" : ""}`,
      h("p.lm-text", { dir: "auto" }, output || h("i", "(empty output)")),
      scale.questions({
        output,
        of: outputs.length,
        scores: scores[k],
        change: (values) => change(k, values)
      })
    )
  );
  return [
    h("dl.lm-given", text("Source", source), text("Reference", reference)),
    h("fieldset.lm-judged", { disabled: !live }, h("legend", scale.legend(outputs.length)), judged)
  ];
}
var rating_form_default = { render };
export {
  rating_form_default as default
};
