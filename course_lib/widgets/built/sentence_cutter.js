// sentence_cutter.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp 43d38616fe2f7ce9f81cc59819acc9f2
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
  const start = (content, traits, draw2) => {
    let scheduled = false;
    const drawSoon = () => {
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(() => {
        scheduled = false;
        draw2();
      });
    };
    for (const trait of traits) on(`change:${trait}`, drawSoon);
    root.append(...content, status);
    if (saves) root.append(saveButton(w, model, label));
    el.replaceChildren(root);
    draw2();
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
      const fill2 = () => field.value = value(trait);
      on(`change:${trait}`, fill2);
      fill2();
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
function asking({ send, on, atEnd }, { doing, done: done2, refused }, answered = () => {
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
    tell(error ? `${refused}: ${error}` : done2, Boolean(error));
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
function redraw(root, draw2) {
  const focused = root.getRootNode().activeElement;
  const key = root.contains(focused) && focused.closest("[data-key]")?.dataset.key;
  const list = key && focused.closest("[data-roving]")?.dataset.roving;
  const scrolled = [...root.querySelectorAll("[data-scroll]")].map((e) => [
    e.dataset.scroll,
    e.scrollTop,
    e.scrollLeft
  ]);
  draw2();
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
function scrollToRow(list, row) {
  const above = row.offsetTop < list.scrollTop;
  const below = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
  if (above || below) list.scrollTop = row.offsetTop - list.clientHeight / 3;
}

// bpe_cut.js
var marked = (text) => text.split(/(<\/w>)/).map((part, i) => i % 2 ? h("bdi.lm-end", part) : visible(part));
var visible = (text) => text.split(/(^[\p{DI}\p{C}\p{Z}]+|[\p{C}\p{Z}]+$)/u).map(
  (part, i) => i % 2 ? h(
    "bdi.lm-unseen",
    [...part].map((one) => `U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(" ")
  ) : part
);
var code = (text) => h("code", { dir: "auto" }, marked(text));
function drawTree({ k, predict, go }, { symbols, joins }, { key, label }) {
  const heights = symbols.map(() => 1);
  const rows = joins.map(([, start, end]) => {
    const row = Math.max(...heights.slice(start, end)) + 1;
    heights.fill(row, start, end);
    return row;
  });
  const deepest = Math.max(...heights);
  const box = (name2, start, end, row, ...content) => h(name2, { style: `grid-column: ${start + 1} / ${end + 1}; grid-row: ${deepest - row + 1}` }, content);
  const piece = (start, end) => marked(symbols.slice(start, end).join(""));
  const covered = (start, end) => joins.some(([n, from, to]) => n <= k && from <= start && end <= to && to - from > end - start);
  const name = (start, end) => `code.lm-piece${covered(start, end) ? "" : ".lm-top"}`;
  const made = joins.flatMap(([n, start, end], i) => {
    if (n > k && predict) return [];
    const there = {
      type: "button",
      title: `merge ${n}`,
      "data-key": `${key}:cut:${n}:${start}`,
      onclick: () => go(n)
    };
    const button = h("button.lm-n", there, `${n}`);
    const state = n > k ? "code.lm-piece.lm-later" : `${name(start, end)}${n === k ? ".lm-fresh" : ""}`;
    return [box(state, start, end, rows[i], piece(start, end), button)];
  });
  const letters = symbols.map((_, i) => box(name(i, i + 1), i, i + 1, 1, piece(i, i + 1)));
  return h(
    "div.lm-tree",
    { role: "group", "aria-label": label, dir: "auto", style: `--symbols: ${symbols.length}` },
    made,
    letters
  );
}
var piecesOf = ({ symbols, joins }, k) => symbols.length - joins.filter(([n]) => n <= k).length;

// motion.js
var MOVE_FOR = 420;
var isWelcome = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
function withMotion(stage, moves, draw2) {
  if (!moves || !isWelcome()) return draw2();
  const state = (element) => {
    const style = getComputedStyle(element);
    const properties = element.dataset.tween?.split(" ") ?? [];
    return {
      box: element.getBoundingClientRect(),
      values: Object.fromEntries(properties.map((name) => [name, style.getPropertyValue(name)]))
    };
  };
  const all = () => [...stage.querySelectorAll("[data-move]")];
  const before = new Map(all().map((element) => [element.dataset.move, state(element)]));
  draw2();
  const changes = all().map((element) => [element, before.get(element.dataset.move), state(element)]);
  for (const [element, old, now] of changes) {
    const [from, to] = old ? frames(old, now, element.hasAttribute("data-tween")) : [{ opacity: 0 }, { opacity: 1 }];
    const same = Object.keys(to).every((name) => from[name] === to[name]);
    if (!same) element.animate([from, to], { duration: MOVE_FOR, easing: "ease-in-out" });
  }
}
function frames(old, now, tweens) {
  if (tweens) return [old.values, now.values];
  const by = (side) => `${(old.box[side] - now.box[side]).toFixed(1)}px`;
  return [
    { position: "relative", left: by("left"), top: by("top") },
    { position: "relative", left: "0.0px", top: "0.0px" }
  ];
}

// timeline.js
var ICONS = {
  back: "M11 3 4 8l7 5z",
  play: "M4 3v10l9-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3l7 5-7 5z"
};
var PLAY_EVERY = 1400;
function timeline({ now, last, go, unit, draw: draw2, atEnd }) {
  const clampedGo = (step) => go(Math.min(Math.max(step, 0), last()));
  const play = player(() => {
    const more = now() < last();
    if (more) clampedGo(now() + 1);
    return more;
  }, draw2);
  const togglePlay = () => {
    if (!play.on() && now() === last()) clampedGo(0);
    play.toggle();
  };
  const buttons = stepButtons(now, clampedGo, togglePlay);
  const slider = h("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": `${unit()} done`,
    oninput: () => clampedGo(Number(slider.value))
  });
  const progress = h("output.lm-progress");
  const show = () => {
    slider.max = last();
    slider.value = now();
    slider.setAttribute("aria-label", `${unit()} done`);
    slider.setAttribute("aria-valuetext", `${now()} of ${last()} ${unit()}`);
    progress.replaceChildren(h("b", `${now()}`), ` of ${last()} ${unit()}`);
    buttons.draw(now(), last(), play.on());
  };
  atEnd(play.stop);
  return {
    elements: [buttons.element, h("div.lm-slide", slider, progress)],
    draw: show,
    playing: play.on,
    stop: play.stop,
    keys: {
      ArrowLeft: () => clampedGo(now() - 1),
      ArrowRight: () => clampedGo(now() + 1),
      Home: () => clampedGo(0),
      End: () => clampedGo(last())
    }
  };
}
function stepButtons(now, go, togglePlay) {
  const control = (name, label, picture, onclick) => h(`button.lm-control${name}`, { type: "button", onclick }, icon(ICONS[picture]), h("span", label));
  const back = control("", "Back", "back", () => go(now() - 1));
  const play = togglePlay && control("", "Play", "play", togglePlay);
  const forward = control(".lm-primary.lm-forward", "Forward", "forward", () => go(now() + 1));
  const draw2 = (step, last, playing = false) => {
    back.setAttribute("aria-disabled", step <= 0);
    forward.setAttribute("aria-disabled", step >= last);
    play?.replaceChildren(icon(ICONS[playing ? "pause" : "play"]), h("span", playing ? "Pause" : "Play"));
  };
  return { element: h("div.lm-buttons", { role: "group", "aria-label": "Steps" }, back, play, forward), draw: draw2 };
}
function player(step, draw2) {
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
  };
  const tick = () => {
    if (step()) return;
    stop();
    draw2();
  };
  const toggle = () => {
    if (timer) stop();
    else timer = setInterval(tick, PLAY_EVERY);
    draw2();
  };
  return { on: () => timer !== null, toggle, stop };
}

// stepper.js
function stepper(its) {
  return (context) => {
    const w = widget(context, its.root, its.label);
    const { get, put, live, root, say } = w;
    const last = () => its.last(get);
    const go = (step) => put({ step: Math.min(Math.max(step, 0), last()) });
    const words = its.words ?? { doing: "Learning …", done: "Learned.", refused: "Not learned" };
    const { said, ask, unanswered } = asking(w, words);
    let farthest = get("step");
    let shown = -1;
    const time = timeline({ now: () => get("step"), last, go, unit: () => its.unit, draw: draw2, atEnd: w.atEnd });
    const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
    const score = h("span.lm-score");
    const stage = h("div.lm-stage");
    function draw2() {
      const step = get("step");
      const view = viewNow();
      farthest = view.farthest = Math.max(farthest, step);
      time.draw();
      predict.checked = get("predict");
      score.textContent = its.right ? scoreOf(get, its.right) : "";
      redraw(stage, () => withMotion(stage, shown >= 0 && step !== shown, () => fill(stage, its.draw(view))));
      suppressShortcuts(root);
      if (step !== shown) revealNew(stage);
      shown = step;
      if (!time.playing()) say(`${step} of ${last()} ${its.unit}. ${its.spoken(view)}`);
    }
    const viewNow = () => ({
      get,
      put,
      live,
      go,
      say,
      ask,
      unanswered,
      farthest,
      again: draw2,
      step: get("step"),
      last: last(),
      predict: get("predict"),
      guessed: (key) => get("predictions")[key],
      guess: (key, value) => {
        put({ predictions: { ...get("predictions"), [key]: value } });
        queueMicrotask(() => revealVerdict(stage));
      }
    });
    const anew = () => {
      farthest = get("step");
      shown = -1;
    };
    for (const trait of its.traits) w.on(`change:${trait}`, anew);
    moveByKeys(root, () => time.keys);
    const asked = its.own ? [its.own(w, ask, unanswered), said] : [];
    const first = its.ownFirst ? asked.splice(0) : [];
    const content = [
      ...first,
      h(
        "div.lm-toolbar",
        time.elements,
        its.right && h("div.lm-predict", h("label", predict, h("span", "Predict first")), score)
      ),
      stage,
      ...asked
    ];
    whenSized(root, w.atEnd, () => revealNew(stage));
    return w.start(content.filter(Boolean), ["step", "predict", "predictions", ...its.traits], draw2);
  };
}
function scoreOf(get, right) {
  const guesses = Object.entries(get("predictions"));
  if (!get("predict") || !guesses.length) return "";
  return `${guesses.filter(([key, guess]) => right(get, key, guess)).length} of ${guesses.length} right`;
}
function fill(stage, elements) {
  for (const old of [...stage.children]) if (!elements.includes(old)) old.remove();
  elements.forEach(
    (element, k) => stage.children[k] !== element && stage.insertBefore(element, stage.children[k] ?? null)
  );
}
function revealVerdict(stage) {
  const panel = stage.getRootNode().activeElement?.closest(".lm-panel") ?? stage;
  panel.querySelector(":is(.lm-right, .lm-wrong)")?.closest(".lm-next")?.scrollIntoView({ block: "nearest" });
}
function revealNew(stage) {
  for (const list of stage.querySelectorAll("[data-scroll]")) {
    const row = list.querySelector(".lm-fresh, [aria-current]")?.closest("tr, li");
    if (row) scrollToRow(list, row);
  }
}
function whenSized(root, atEnd, then) {
  const sized = new ResizeObserver(() => {
    if (!root.offsetWidth) return;
    sized.disconnect();
    then();
  });
  sized.observe(root);
  atEnd(() => sized.disconnect());
}

// sentence_cutter.js
var done = ({ get, step }) => step ? get("ranks")[step - 1] : 0;
var pieces = (view) => view.get("words").reduce((sum, word) => sum + piecesOf(word, done(view)), 0);
var count = (n, what) => n === 1 ? `one ${what}` : `${n.toLocaleString("en")} ${what}s`;
var labelOf = (word, k) => `“${word.symbols.join("").replace("</w>", "")}”: ${count(piecesOf(word, k), "piece")}`;
function draw(view) {
  const { get, step, go } = view;
  const [a, b] = step ? get("pairs")[step - 1] : [];
  const k = done(view);
  const next = step ? ["Merge ", h("b", k.toLocaleString("en")), ` of ${get("merges").toLocaleString("en")}: `, code(a), " ", code(b)] : ["Before the first merge: letters alone, and the end of each word."];
  const shown = { k, predict: false, go: (n) => go(get("ranks").indexOf(n) + 1) };
  return [
    h(
      "p.lm-counted",
      h("span", next),
      h("span.lm-sum", `${count(get("words").length, "word")}, ${count(pieces(view), "piece")}`)
    ),
    h(
      "div.lm-words",
      get("words").map((word, i) => drawTree(shown, word, { key: `${i}`, label: labelOf(word, k) }))
    )
  ];
}
function spoken(view) {
  const { get, step } = view;
  const made = step ? `${get("pairs")[step - 1].join(" and ")} became one piece. ` : "";
  return `${made}${count(get("words").length, "word")}, ${count(pieces(view), "piece")}.`;
}
function own(w, ask) {
  const send = () => ask({ read: field.value });
  const field = w.bind(
    h("input", {
      type: "text",
      dir: "auto",
      spellcheck: "false",
      "aria-label": "Your sentence",
      onkeydown: ({ key }) => key === "Enter" && send()
    }),
    "text"
  );
  return h(
    "fieldset.lm-read",
    { disabled: !w.live },
    h("legend.lm-hidden", "What is cut"),
    field,
    h("button.lm-primary", { type: "button", onclick: send }, "Cut")
  );
}
var sentence_cutter_default = {
  render: stepper({
    root: "lm-cutter",
    label: "Sentence cutter",
    unit: "merges",
    traits: ["words"],
    words: { doing: "Cutting …", done: "", refused: "Not cut" },
    last: (get) => get("ranks").length,
    draw,
    spoken,
    own,
    ownFirst: true
  })
};
export {
  sentence_cutter_default as default
};
