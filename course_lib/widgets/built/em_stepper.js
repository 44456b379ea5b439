// em_stepper.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp f5ab7928b85c7ff35aab0e99df5f75dd
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
function ownInput({ live }, { summary, legend, note, texts, fields, action, send }) {
  for (const text of texts)
    text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      send();
    });
  return h(
    "details.lm-form",
    h("summary", summary),
    !live && h(
      "p.lm-note",
      "This page runs without Python, so it cannot learn anew. Open the notebook to use these controls."
    ),
    h(
      "fieldset",
      { disabled: !live },
      h("legend.lm-hidden", legend),
      h(
        "div.lm-texts",
        texts.map((text) => h("label", text.dataset.label, text))
      ),
      h("p.lm-note", note),
      h(
        "div.lm-fields",
        Object.entries(fields).map(([label, field]) => h("label", label, field)),
        h("button.lm-primary", { type: "button", onclick: send }, action)
      )
    )
  );
}
var wholeNumber = ({ value }) => value === "" ? null : Math.round(Number(value));
var textArea = (label, rows) => h("textarea", { rows, dir: "auto", spellcheck: "false", "data-label": label });
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
    let farthest2 = get("step");
    let shown = -1;
    const time = timeline({ now: () => get("step"), last, go, unit: () => its.unit, draw: draw2, atEnd: w.atEnd });
    const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
    const score = h("span.lm-score");
    const stage = h("div.lm-stage");
    function draw2() {
      const step = get("step");
      const view = viewNow();
      farthest2 = view.farthest = Math.max(farthest2, step);
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
      farthest: farthest2,
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
      farthest2 = get("step");
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

// links.js
function drawLinked(source, target, links, names, name) {
  const row = (words, side) => h(
    "ol.lm-row",
    { "data-side": side, dir: "auto", "aria-label": names[side] },
    words.map((word2) => h("li", word2))
  );
  const rows = [row(source, 0), row(target, 1)];
  const drawn = links.map((link) => {
    const { i, j, width: width2 = 2, opacity, style, title, key = `${i}-${j}` } = link;
    const moves = name && { "data-move": `${name}:${key}`, "data-tween": "stroke-width" };
    const drawing = { "stroke-width": width2, "stroke-opacity": opacity, ...moves };
    const line = svg("line", drawing, title && svg("title", title));
    const mark = link.mark && svg("text.lm-cross", link.mark);
    const group = svg(`g.lm-link${style ? `.${style}` : ""}`, { "data-link": `${i}-${j}` }, line, mark);
    return { ...link, line, mark, group };
  });
  const lines = svg(
    "svg.lm-lines",
    { "aria-hidden": "true" },
    drawn.map(({ group }) => group)
  );
  const element = h("div.lm-linked", rows, lines);
  const place = () => {
    element.classList.remove("lm-down");
    element.style.removeProperty("--gap");
    if (rows.some((list) => list.scrollWidth > element.clientWidth + 1)) element.classList.add("lm-down");
    const down = element.classList.contains("lm-down");
    if (!down) element.style.setProperty("--gap", `${gapFor(source, target, drawn)}px`);
    const frame = element.getBoundingClientRect();
    const ends = (word2, first) => {
      const box = word2.getBoundingClientRect();
      return down ? [first ? box.right - frame.left + 3 : box.left - frame.left - 3, (box.top + box.bottom) / 2 - frame.top] : [(box.left + box.right) / 2 - frame.left, first ? box.bottom - frame.top + 3 : box.top - frame.top - 3];
    };
    const marked = [];
    for (const { i, j, line, mark } of drawn) {
      const [x1, y1] = ends(source[i], true);
      const [x2, y2] = ends(target[j], false);
      for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(key, value.toFixed(1));
      if (!mark) continue;
      const [x, y] = farthest(
        [0.5, 0.35, 0.65, 0.2, 0.8].map((part) => [x1 + part * (x2 - x1), y1 + part * (y2 - y1)]),
        marked
      );
      marked.push([x, y]);
      mark.setAttribute("x", x.toFixed(1));
      mark.setAttribute("y", (y + 5).toFixed(1));
    }
  };
  let width = -1;
  new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    place();
  }).observe(element);
  const select = (side, index) => {
    const chosen = side === void 0 ? [] : drawn.filter((link) => (side ? link.j : link.i) === index);
    element.classList.toggle("lm-selecting", side !== void 0);
    for (const { group } of drawn) group.classList.remove("lm-chosen");
    for (const word2 of [...source, ...target]) word2.classList.remove("lm-here", "lm-partner");
    if (side !== void 0) [source, target][side][index].classList.add("lm-here");
    for (const { i, j, group } of chosen) {
      group.classList.add("lm-chosen");
      (side ? source[i] : target[j]).classList.add("lm-partner");
    }
  };
  return { element, select, place };
}
function gapFor(source, target, links) {
  const middle = (word2) => (({ left, right }) => (left + right) / 2)(word2.getBoundingClientRect());
  const widest = Math.max(0, ...links.map(({ i, j }) => Math.abs(middle(source[i]) - middle(target[j]))));
  return Math.round(Math.min(Math.max(46, widest / 4), 150));
}
function farthest(places, taken) {
  const distance = ([x, y]) => Math.min(Infinity, ...taken.map(([a, b]) => Math.hypot(x - a, y - b)));
  return places.find((place) => distance(place) >= 18) ?? places.reduce((one, other) => distance(other) > distance(one) ? other : one);
}

// em_stepper.js
var THICKEST = 9;
var exactly = (number) => number.toFixed(3).replace("-", "−");
var shortly = (number) => number > 0 && number < 5e-3 ? "<.01" : number.toFixed(2);
var sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
var word = (text) => h("code", { dir: "auto" }, text);
var t = (y, x) => [h("i", "t"), "(", word(y), " | ", word(x), ")"];
var c = (y, x) => [h("i", "c"), "(", word(y), " | ", word(x), ")"];
var listed = (words) => words.flatMap((one, n) => [n ? n === words.length - 1 ? " and " : ", " : "", word(one)]);
function viewOf(view) {
  const { source_words: xs, target_words: ys, steps } = view.get("trace");
  const k = view.step;
  const question = view.get("questions")[k];
  const mine = view.guessed(`${k}`);
  const hidden = view.predict && Boolean(question) && mine === void 0;
  return {
    ...view,
    k,
    xs,
    ys,
    steps,
    now: steps[k],
    after: steps[k + 1],
    pairs: view.get("pairs"),
    question,
    mine,
    hidden
  };
}
function spoken({ now, question, hidden }) {
  const asked = hidden ? ` Which translation of ${question.word} will be the most probable one?` : "";
  return `Log likelihood ${exactly(now.log_likelihood)}.${asked}`;
}
function draw(view) {
  const { now, after, hidden, say } = view;
  const formula = h("p.lm-formula");
  const sentences = drawPairs(view);
  const select = (x, y, speak) => {
    sentences.mark(x, y);
    formula.replaceChildren(...formulaOf(view, x, y).flat(Infinity));
    if (speak) say(formula.textContent);
  };
  select(0, now.translation[0].indexOf(Math.max(...now.translation[0])), false);
  sentences.mark();
  const actions = { select, leave: () => sentences.mark() };
  return [
    drawNext(view),
    h(
      "div.lm-grid",
      h(
        "div.lm-column",
        h(
          "div",
          h(
            "h4",
            "Translation table ",
            h("small", "t(y | x): how likely y translates x. From iteration 1 on each row adds up to 1")
          ),
          drawTable("t", view, now.translation, { ...actions, top: 1 })
        ),
        drawLikelihood(view)
      ),
      h(
        "div.lm-column",
        h(
          "div",
          h("h4", "E step: posteriors ", h("small", "how likely each line is, given the table")),
          sentences.element
        ),
        h(
          "div",
          h("h4", "E step: expected counts ", h("small", "c(y | x): the lines of x and y, added up")),
          hidden ? h("p.lm-note.lm-veil", "Hidden until you have predicted. Add up the lines yourself.") : drawTable("c", view, now.counts, { ...actions, top: Math.max(1, ...now.counts.flat()) }),
          !hidden && after && h("p.lm-note", "M step: each row divided by its sum is the next translation table.")
        )
      )
    ),
    formula
  ];
}
function drawNext(view) {
  const { k, now, after, question, mine, predict, hidden, guess } = view;
  const headline = (...text) => h("p.lm-headline", h("span.lm-number", after ? `Next: iteration ${k + 1}` : "Done"), h("span", text));
  if (hidden)
    return h(
      "div.lm-next",
      headline("Which translation of ", word(question.word), " will be the most probable after it?"),
      h(
        "div.lm-options",
        { role: "group", "aria-label": `Translations of ${question.word}` },
        question.options.map(
          (option) => h(
            "button",
            { type: "button", dir: "auto", "data-key": `option:${option}`, onclick: () => guess(`${k}`, option) },
            option
          )
        )
      )
    );
  const [before, next] = [now, after].map((step) => step && exactly(step.log_likelihood));
  return h(
    "div.lm-next",
    headline(`log likelihood ${before}`, after && ` → ${next}`),
    predict && mine !== void 0 ? drawVerdict(view) : h("p.lm-why", explanation(view))
  );
}
function explanation({ k, after }) {
  if (k === 0) return "At the start every translation is as likely as any other.";
  if (after) return "The table explains the sentences; the lines say how; their sums make the next table.";
  return "These are all the iterations asked for. More would sharpen the table further.";
}
function drawVerdict({ xs, ys, after, question, mine }) {
  const of = (y) => shortly(after.translation[xs.indexOf(question.word)][ys.indexOf(y)]);
  const [best, ...equal] = question.best;
  const right = question.best.includes(mine);
  return h(
    "p.lm-why",
    right ? h("b.lm-right", "✓ Right. ") : h("b.lm-wrong", "✗ Not this time. "),
    "After it, ",
    t(best, question.word),
    ` = ${of(best)}`,
    equal.length > 0 && [", as likely as ", listed(equal)],
    !right && [", and ", t(mine, question.word), ` = ${of(mine)}`],
    "."
  );
}
function drawTable(kind, { xs, ys, now }, values, { select, leave, top }) {
  const cell = (x, y) => {
    if (!(now.counts[x][y] > 0 || values[x][y] > 0))
      return h("td", h("span.lm-never", { title: `${xs[x]} and ${ys[y]} never meet` }, "–"));
    const value = values[x][y];
    const side = `${(22 * Math.sqrt(value / top)).toFixed(1)}px`;
    const square = {
      style: `width:${side};height:${side}`,
      "data-move": `${kind}:${x}:${y}`,
      "data-tween": "width height"
    };
    const name = `${kind}:${x}:${y}`;
    return h(
      "td",
      h(
        "button.lm-cell",
        {
          type: "button",
          "data-key": name,
          "data-x": x,
          "data-y": y,
          "data-value": value,
          "aria-label": `${kind}(${ys[y]} | ${xs[x]}) = ${shortly(value)}`,
          onfocus: () => select(x, y, true),
          onclick: () => select(x, y, true),
          onmouseenter: () => select(x, y, false),
          onmouseleave: leave
        },
        h("span.lm-box", h("span.lm-square", square)),
        h("span", shortly(value))
      )
    );
  };
  const head = h(
    "tr",
    h("td"),
    ys.map((y) => h("th", { scope: "col" }, word(y))),
    kind === "c" && h("th", { scope: "col" }, "sum")
  );
  const rows = xs.map(
    (x, i) => h(
      "tr",
      h("th", { scope: "row" }, word(x)),
      ys.map((_, j) => cell(i, j)),
      kind === "c" && h("td.lm-total", shortly(sum(values[i])))
    )
  );
  const table = h(`table.lm-table.lm-table-${kind}`, h("thead", head), h("tbody", rows));
  moveInTable(table);
  return h(
    "div.lm-sideways",
    { role: "group", "aria-label": kind === "t" ? "Translation table" : "Expected counts" },
    table
  );
}
function moveInTable(table) {
  const cells = [...table.querySelectorAll("button")];
  const stopAt = (chosen) => cells.forEach((cell) => cell.tabIndex = cell === chosen ? 0 : -1);
  stopAt(cells[0]);
  table.addEventListener("focusin", ({ target }) => stopAt(target));
  moveByKeys(table, ({ target }) => {
    const [x, y] = [Number(target.dataset.x), Number(target.dataset.y)];
    const along = (down, right) => () => {
      for (let n = 1; n < 12; n++) {
        const found = table.querySelector(`[data-x="${x + n * down}"][data-y="${y + n * right}"]`);
        if (found) return found.focus();
      }
    };
    return { ArrowUp: along(-1, 0), ArrowDown: along(1, 0), ArrowLeft: along(0, -1), ArrowRight: along(0, 1) };
  });
}
function drawPairs({ xs, ys, now, pairs }) {
  const drawn = pairs.map(([source, target], k) => {
    const words = (side) => side.map((text) => h("span.lm-word", text));
    const links = target.flatMap((y, j) => source.map((x, i) => ({ i, j, x, y, p: now.posteriors[k][j][i] })));
    const lines = links.map(({ i, j, p }) => ({
      i,
      j,
      width: Math.max(THICKEST * p, 0.4),
      style: p < 5e-3 && "lm-thread"
    }));
    const said = target.map((y, j) => `${y}: ${source.map((x, i) => `${x} ${shortly(now.posteriors[k][j][i])}`).join(", ")}`).join("; ");
    return { ...drawLinked(words(source), words(target), lines, ["Source", "Target"], `pair${k}`), links, said };
  });
  const mark = (x, y) => drawn.forEach(({ element: element2, links }) => {
    const groups = element2.querySelectorAll(".lm-link");
    element2.classList.toggle("lm-selecting", x !== void 0);
    links.forEach(
      (link, n) => groups[n].classList.toggle("lm-chosen", x !== void 0 && link.x === xs[x] && link.y === ys[y])
    );
  });
  const element = h(
    "ul.lm-pairs",
    drawn.map(({ element: figure, said }) => h("li", figure, h("p.lm-hidden", said)))
  );
  return { element, mark };
}
function formulaOf({ xs, ys, now, after, hidden, pairs }, x, y) {
  const [one, other] = [xs[x], ys[y]];
  const meetings = ([source, target], k) => target.flatMap(
    (to, j) => source.flatMap((from, i) => from === one && to === other ? [{ k, p: now.posteriors[k][j][i] }] : [])
  );
  const found = pairs.flatMap(meetings);
  const here = [t(other, one), ` = ${shortly(now.translation[x][y])}`];
  if (hidden) return [...here, `. Its lines: ${found.map(({ k, p }) => `${shortly(p)} in pair ${k + 1}`).join(", ")}.`];
  const total = shortly(now.counts[x][y]);
  const counted = [
    c(other, one),
    " = ",
    found.map(({ p }) => shortly(p)).join(" + "),
    found.length > 1 ? ` = ${total}` : ""
  ];
  if (!after) return [...here, ". ", counted, "."];
  return [
    ...here,
    ". ",
    counted,
    `; ${total} / ${shortly(sum(now.counts[x]))} = `,
    h("b", shortly(after.translation[x][y])),
    " in the next table."
  ];
}
function drawLikelihood({ k, steps, predict, farthest: farthest2, last }) {
  const values = steps.map((step) => step.log_likelihood);
  const [low, high] = [Math.floor(values[0] - 0.3), Math.ceil(values.at(-1) + 0.1)];
  const [left, right, top, bottom] = [44, 350, 10, 104];
  const x = (n) => left + 10 + (right - left - 10) * n / last;
  const y = (value) => bottom - (bottom - top) * (value - low) / (high - low);
  const place = (n) => `${x(n).toFixed(1)},${y(values[n]).toFixed(1)}`;
  const shown = values.slice(0, predict ? farthest2 + 1 : void 0);
  const ticks = (from, to) => {
    const every = [1, 2, 5, 10, 20, 50, 100].find((one) => (to - from) / one <= 5) ?? 200;
    return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, n) => from + n * every);
  };
  const label = `Log likelihood after each iteration: ${shown.map((value) => value.toFixed(2)).join(", ")}`;
  const chart = svg(
    "svg.lm-chart",
    { viewBox: "0 0 360 136", role: "img", "aria-label": label },
    svg("path.lm-axes", { d: `M${left} ${top}V${bottom}H${right}` }),
    ticks(low, high).map((value) => [
      svg("path.lm-tick", { d: `M${left} ${y(value)}H${right}` }),
      svg("text.lm-y", { x: left - 6, y: y(value) + 4 }, `${value}`.replace("-", "−"))
    ]),
    ticks(0, last).map((n) => svg("text.lm-x", { x: x(n), y: bottom + 15 }, `${n}`)),
    svg("text.lm-x", { x: (left + right) / 2, y: bottom + 30 }, "iterations"),
    svg("polyline", { points: shown.map((_, n) => place(n)).join(" ") }),
    shown.map(
      (value, n) => svg(
        `circle${n === k ? ".lm-now" : ""}`,
        { cx: x(n), cy: y(value), r: n === k ? 6 : 3 },
        svg("title", `after ${n} iterations: ${exactly(value)}`)
      )
    )
  );
  return h(
    "div",
    h("h4", "Log likelihood ", h("small", "of the target sentences; no iteration makes it smaller")),
    chart
  );
}
function own(w, ask) {
  const area = w.bind(textArea("Sentence pairs", 4), "text");
  const count = w.bind(h("input", { type: "number", min: 1, max: 30 }), "iterations");
  return ownInput(w, {
    summary: "Your own sentences",
    legend: "What to learn from",
    note: "On each line a sentence, “=” and its translation. Put NULL before a sentence for words that translate none.",
    texts: [area],
    fields: { Iterations: count },
    action: "Learn",
    send: () => ask({ text: area.value, iterations: wholeNumber(count) })
  });
}
var em_stepper_default = {
  render: stepper({
    root: "lm-em",
    label: "EM alignment stepper",
    unit: "iterations",
    traits: ["trace"],
    last: (get) => get("trace").steps.length - 1,
    draw: (view) => draw(viewOf(view)),
    spoken: (view) => spoken(viewOf(view)),
    right: (get, k, guess) => get("questions")[k].best.includes(guess),
    own
  })
};
export {
  em_stepper_default as default
};
