// beam_stepper.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp abb737cf8d58b957137905655447eebe
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
var wholeNumber = ({ value }) => value === "" ? null : Math.round(Number(value));
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
function scrollToRow(list, row) {
  const above = row.offsetTop < list.scrollTop;
  const below = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
  if (above || below) list.scrollTop = row.offsetTop - list.clientHeight / 3;
}

// motion.js
var MOVE_FOR = 420;
var WALK_FOR = 150;
var isWelcome = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
function walk(lines) {
  if (!isWelcome()) return;
  lines.forEach(
    (line, k) => line.animate([{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }], {
      duration: WALK_FOR,
      delay: WALK_FOR * k,
      fill: "backwards"
    })
  );
}
function withMotion(stage, moves, draw) {
  if (!moves || !isWelcome()) return draw();
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
  draw();
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
function timeline({ now, last, go, unit, draw, atEnd }) {
  const clampedGo = (step) => go(Math.min(Math.max(step, 0), last()));
  const play = player(() => {
    const more = now() < last();
    if (more) clampedGo(now() + 1);
    return more;
  }, draw);
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
  const draw = (step, last, playing = false) => {
    back.setAttribute("aria-disabled", step <= 0);
    forward.setAttribute("aria-disabled", step >= last);
    play?.replaceChildren(icon(ICONS[playing ? "pause" : "play"]), h("span", playing ? "Pause" : "Play"));
  };
  return { element: h("div.lm-buttons", { role: "group", "aria-label": "Steps" }, back, play, forward), draw };
}
function player(step, draw) {
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
  };
  const tick = () => {
    if (step()) return;
    stop();
    draw();
  };
  const toggle = () => {
    if (timer) stop();
    else timer = setInterval(tick, PLAY_EVERY);
    draw();
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
    const time = timeline({ now: () => get("step"), last, go, unit: () => its.unit, draw, atEnd: w.atEnd });
    const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
    const score = h("span.lm-score");
    const stage = h("div.lm-stage");
    function draw() {
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
      again: draw,
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
    return w.start(content.filter(Boolean), ["step", "predict", "predictions", ...its.traits], draw);
  };
}
function scoreOf(get, right2) {
  const guesses = Object.entries(get("predictions"));
  if (!get("predict") || !guesses.length) return "";
  return `${guesses.filter(([key, guess]) => right2(get, key, guess)).length} of ${guesses.length} right`;
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

// beam_words.js
var SETTINGS = ["text", "k", "finished", "stop", "normalise", "alpha", "max_length"];
var CHOICES = {
  finished: { aside: "are set aside", in_beam: "stay in the beam" },
  stop: { count: "k outputs are finished", bound: "the best one is proved", length: "the length is reached" },
  normalise: { plain: "log p", gnmt: "log p / ((5 + |y|) / 6)^α", power: "log p / |y|^α" }
};
var FATES = {
  open: "weighed",
  kept: "kept",
  finished: "finished",
  pruned: "pruned",
  gone: "finished, but no longer in the beam",
  greedy: "only greedy search goes here",
  revived: "revived: what would have followed"
};
var CERTAIN = 0.995;
var MARKS = { pruned: "✕", finished: "✓", gone: "✕" };
var number = (value) => value.toFixed(2).replace(/^-(?!0\.00$)/, "−").replace("-", "");
var probability = (p) => p >= CERTAIN ? "1.0" : p >= 0.01 ? p.toFixed(2).slice(1) : "<.01";
var counted = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;
var lastStep = (get) => 2 * get("decisions").length;
var divisor = (get, length) => ({ plain: "", gnmt: ` / ((5 + ${length}) / 6)^${get("alpha")}`, power: ` / ${length}^${get("alpha")}` })[get("normalise")];
function textOf(nodes, path) {
  const written = path.map((n, k) => {
    const { piece, goes_on } = nodes[n];
    return goes_on && nodes[path[k + 1]]?.before ? piece.slice(0, -1) : `${piece} `;
  });
  return written.join("").trim();
}
var wordOf = ({ before, piece }) => [before && h("small", before.replaceAll("·", "")), piece];
var lettersOf = ({ before, piece }) => before.replaceAll("·", "").length + piece.length;

// beam_compare.js
var SIZES = [1, 5, 50];
var [WIDE, HIGH] = [300, 150];
function drawCompared({ get, live, ask }) {
  const rows = get("compared");
  const about = "the outputs that each search found, as paths; the best one is thick";
  const heading = h("h4", "Beam sizes side by side ", h("small", about));
  if (rows.length)
    return h(
      "div.lm-compared",
      heading,
      h(
        "ol.lm-cards",
        rows.map((row) => drawCard(row, rows, get))
      )
    );
  const names = SIZES.join(", ").replace(/, (\d+)$/, " and $1");
  const button = { type: "button", "data-key": "compare", onclick: () => ask({ compare: SIZES }) };
  return live && h("div.lm-compared", h("button", button, `Compare k = ${names}`));
}
function drawCard({ k, text, log_p, score, length, finished, found, paths }, rows, get) {
  const highest = number(score) === number(Math.max(...rows.map((row) => row.score)));
  const same = rows.find((row) => row.k < k && row.text === text && row.length === length);
  const notes = [
    counted(found, "output"),
    !finished && "not finished",
    highest && "✓ the highest score",
    same && `the same as k = ${same.k}`
  ];
  return h(
    `li.lm-card${highest ? ".lm-on" : ""}`,
    h("h5", `k = ${k}`),
    drawPaths(paths),
    h("p.lm-best", { dir: "auto" }, text || "(empty)"),
    h("p", `log p ${number(log_p)}, |y| ${length}`, get("normalise") === "plain" ? "" : `, score ${number(score)}`),
    h("p.lm-note", notes.filter(Boolean).join("; "))
  );
}
function drawPaths(paths) {
  const below = paths.map(() => []);
  const roots = [];
  paths.forEach(([parent], n) => (parent === null ? roots : below[parent]).push(n));
  const [depths, heights] = [[], []];
  let lines = 0;
  const place = (n, depth) => {
    depths[n] = depth;
    for (const child of below[n]) place(child, depth + 1);
    heights[n] = below[n].length ? heights[below[n][0]] : lines++;
  };
  for (const root of roots) place(root, 1);
  const across = (depth) => 4 + depth * (WIDE - 8) / Math.max(...depths);
  const down = (line) => lines > 1 ? 6 + line * (HIGH - 12) / (lines - 1) : HIGH / 2;
  const edges = paths.map(([parent, best], n) => {
    const [x1, x2] = [depths[n] - 1, depths[n]].map(across);
    const [y1, y2] = [parent === null ? 0 : heights[parent], heights[n]].map(down);
    return svg(`path.lm-path${best ? ".lm-best-path" : ""}`, { d: `M${x1} ${y1}C${x2} ${y1} ${x1} ${y2} ${x2} ${y2}` });
  });
  return svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, edges.reverse());
}

// beam_layout.js
var BOX = 1.7;
var BETWEEN = 0.7;
var MARGIN = 0.8;
var START = 4;
var EDGE = { labelled: 3.2, bare: 1.3 };
function layout(childrenOf, widthOf2, roomOf, edges) {
  const rows = [[null]];
  for (let next = childrenOf(null); next.length; next = next.flatMap(childrenOf)) rows.push(next);
  const places = /* @__PURE__ */ new Map();
  rows.forEach((_row, depth) => {
    const y = MARGIN + BOX / 2 + depth * (BOX + EDGE[edges]);
    let free = MARGIN;
    const put = (node, wanted) => {
      const place = { x: Math.max(wanted, free), y, w: widthOf2(node) };
      places.set(node, place);
      free = place.x + place.w + roomOf(node) + BETWEEN;
    };
    if (!depth) return put(null, START);
    for (const parent of rows[depth - 1]) {
      const { x, w } = places.get(parent);
      childrenOf(parent).forEach((node, rank) => put(node, rank ? 0 : x + (w - widthOf2(node)) / 2));
    }
  });
  const width = Math.max(...[...places].map(([node, { x, w }]) => x + w + roomOf(node))) + MARGIN;
  return { places, rows, width, height: MARGIN * 2 + rows.length * (BOX + EDGE[edges]) - EDGE[edges] };
}
function edgePath(from, to) {
  const [x1, y1, x2, y2] = [from.x + from.w / 2, from.y + BOX / 2, to.x + to.w / 2, to.y - BOX / 2];
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
}
function bringIntoView(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const by = (low, high, from, to) => from < low ? from - low : to > high ? to - high : 0;
  box.scrollLeft += by(outer.left + 30, outer.right - 30, inner.left, inner.right);
  box.scrollTop += by(outer.top + 50, outer.bottom - 24, inner.top, inner.bottom);
}
function dragToScroll(box) {
  let from = null;
  box.addEventListener("pointerdown", ({ button, clientX, clientY, target, pointerType }) => {
    if (button === 0 && pointerType === "mouse" && !target.closest("[role=treeitem]"))
      from = { x: clientX + box.scrollLeft, y: clientY + box.scrollTop };
  });
  box.addEventListener("pointermove", ({ clientX, clientY, buttons }) => {
    if (!buttons) from = null;
    if (from) Object.assign(box, { scrollLeft: from.x - clientX, scrollTop: from.y - clientY });
  });
}

// beam_nodes.js
function sentenceOf(tree, n) {
  const said = textOf(tree.nodes, tree.pathTo(n)).replace(/…$/, "");
  const whole = tree.bestBehind(n) ?? "";
  return h(
    "span.lm-so-far",
    h("bdi", h("b", said || "<s>"), whole.startsWith(said) && h("span.lm-rest", whole.slice(said.length)))
  );
}
function formulaOf(get, { nodes, pathTo, fate }, n) {
  if (n === null) return ["Nothing is written yet: log p = 0."];
  const path = pathTo(n).map((one) => nodes[one]);
  const node = nodes[n];
  const terms = path.map(({ log_prob }, k) => k ? ` − ${number(Math.abs(log_prob))}` : number(log_prob));
  return [
    "log p(",
    h("code", { dir: "auto" }, textOf(nodes, pathTo(n))),
    ") = ",
    path.length > 1 ? `${terms.join("")} = ` : "",
    h("b", number(node.total)),
    node.ends && get("normalise") !== "plain" ? [`, score ${number(node.total)}${divisor(get, node.depth)} = `, h("b", number(node.score))] : "",
    ". ",
    h("code", { dir: "auto" }, node.piece),
    `: p = ${node.p}; ${FATES[fate(n)]}.`
  ].flat();
}
var spokenNode = ({ before, piece, log_prob, p, total, score, ends }, fate) => `${before}${piece}: log probability ${number(log_prob)}, probability ${p}, sum ${number(total)}${ends ? `, score ${number(score)}` : ""}, ${FATES[fate]}`;
function drawNode(tree, place, n, { here, chosen, whole, act, look }) {
  const { nodes, fate, children, hidden, all, winner, asks, pathTo } = tree;
  const node = nodes[n];
  const now = fate(n);
  const siblings = n === null ? [null] : children(node.parent);
  const folded = hidden(n);
  const within = whole && tree.within(n);
  const mark = chosen.has(n) ? "☑" : MARKS[now];
  const attributes = {
    role: "treeitem",
    tabindex: n === here ? 0 : -1,
    "data-key": `node${n}`,
    style: `left:${place.x.toFixed(2)}em;top:${place.y.toFixed(2)}em;width:${place.w.toFixed(2)}em`,
    "aria-level": n === null ? 1 : node.depth + 1,
    "aria-posinset": siblings.indexOf(n) + 1,
    "aria-setsize": siblings.length,
    "aria-expanded": all(n).length ? String(!folded) : null,
    "aria-selected": asks && now === "open" ? String(chosen.has(n)) : null,
    title: n === null ? null : textOf(nodes, pathTo(n)),
    "aria-label": (n === null ? "The start" : spokenNode(node, now)) + (folded ? `, ${counted(folded, "node")} folded away` : ""),
    onclick: () => act(n),
    onfocus: () => look(n, true),
    onmouseenter: () => look(n, false)
  };
  const style = [`.lm-${now}`, winner.has(n) && ".lm-on", chosen.has(n) && ".lm-chosen", within && ".lm-within"];
  return h(
    `div.lm-node${style.filter(Boolean).join("")}`,
    attributes,
    n !== null && !whole && node.p < CERTAIN && h("span.lm-edge", number(node.log_prob), " ", h("i", probability(node.p))),
    h(
      "span.lm-box",
      !within && h("span.lm-word", { dir: "auto" }, n === null ? "<s>" : wordOf(node)),
      n !== null && !whole && h("span.lm-sum", number(node.total)),
      mark && (!whole || chosen.has(n)) && h("span.lm-mark", mark)
    ),
    folded > 0 && h("span.lm-fold", `+${folded}`)
  );
}
function drawEdges({ nodes, fate, winner, greedyPath }, { places, width, height }, walks) {
  const [bands, plain, above] = [[], [], []];
  for (const [n, place] of places) {
    if (n === null) continue;
    const d = edgePath(places.get(nodes[n].parent), place);
    const line = (name, more) => svg(`path.lm-line.${name}`, { d, ...more });
    plain.push(
      line(`lm-to-${fate(n)}${winner.has(n) ? ".lm-followed" : ""}${winner.has(n) && walks ? ".lm-walks" : ""}`, {
        style: `stroke-width:${widthOf(nodes[n].p)}`,
        pathLength: winner.has(n) && walks && 1,
        "data-edge": n
      })
    );
    if (winner.has(n)) bands.push(line("lm-band"));
    if (greedyPath.has(n)) above.push(line("lm-by-greedy", { transform: "translate(.45 0)" }));
  }
  const size = { viewBox: `0 0 ${width} ${height}`, style: `width:${width}em;height:${height}em` };
  return svg("svg", { ...size, "aria-hidden": "true" }, bands, plain, above);
}
var widthOf = (p) => (0.07 + 0.43 * p).toFixed(3);

// beam_panels.js
var sortedTotals = (get, chosen) => chosen.map((n) => get("nodes")[n].total).sort((a, b) => a - b);
function right(get, key, guess) {
  const kept = [...get("nodes").keys()].filter(
    (n) => get("nodes")[n].depth === Number(key) && get("nodes")[n].fate === "kept"
  );
  return String(sortedTotals(get, kept)) === String(sortedTotals(get, guess));
}
function drawNext(view, tree, chosen, check) {
  const { get, guessed, step } = view;
  const { t, weighing, atEnd, alive, asks, nodes } = tree;
  const now = [...nodes.keys()].filter((n) => nodes[n].depth === t && !["greedy", "revived"].includes(nodes[n].fate));
  const headline = (...text) => h("p.lm-headline", h("span.lm-number", step ? `Piece ${t}` : "Start"), h("span", text));
  if (!step)
    return h(
      "div.lm-next",
      headline("One hypothesis: nothing is written yet"),
      h("p.lm-why", "Forward weighs what may come first.")
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
        h("button.lm-primary", button, `Check: ${chosen.size} of ${alive} chosen`)
      )
    );
  }
  if (weighing)
    return h(
      "div.lm-next",
      headline(`${counted(now.length, "continuation")} weighed`),
      h(
        "p.lm-why",
        "At an edge stand log p of the piece and its probability, if that is below 1; ",
        "in a box stands the sum of log p. Where the tree is large, + shows them."
      )
    );
  const had = (name) => now.filter((n) => nodes[n].fate === name).length;
  const became = `${had("kept")} kept, ${had("pruned")} pruned, ${had("finished")} finished`;
  const guess = guessed(`${t}`);
  const verdict = view.predict && guess && (right(get, `${t}`, guess) ? h("b.lm-right", "✓ Right. ") : h("b.lm-wrong", "✗ Not these. "));
  const policy = {
    aside: "The best k that do not end are kept. What ends among the best k is finished and set aside. ",
    in_beam: "The best k make the beam. What is finished keeps its place among them. "
  }[get("finished")];
  return h(
    "div.lm-next",
    headline(atEnd ? endingOf(get, tree.decision) : became),
    h("p.lm-why", verdict, policy, atEnd && `${became}.`)
  );
}
function endingOf(get, { done, best, bound }) {
  const reasons = {
    count: () => `${counted(done, "output is", "outputs are")} finished, and ${get("k")} end the search.`,
    bound: () => `the best finished score, ${number(best)}, is not below the bound, ${number(bound)}, which nothing that lives can pass.`,
    length: () => `an output may have ${get("max_length")} pieces, and here are as many.`,
    nothing: () => "no hypothesis is left to go on with."
  };
  return `It ends: ${reasons[get("ending")]()}`;
}
function drawRules({ get }, { t, decision }) {
  const { done = 0, best = null, top = null, bound = null, proved = false } = decision ?? {};
  const reached = top !== null && [`${number(top)}${divisor(get, get("max_length"))}`, number(bound)];
  const reach = reached && `what lives reaches at best ${[...new Set(reached)].join(" = ")}`;
  const rules = {
    count: ["Count", `${done} finished; ${get("k")} end the search.`],
    bound: [
      "Bound",
      [best === null ? "nothing is finished" : `best finished score ${number(best)}`, reach || "nothing lives"].join(
        "; "
      ) + (decision ? proved ? ". The best is proved." : ". Not proved." : ".")
    ],
    length: ["Length", `piece ${t} of at most ${get("max_length")}.`]
  };
  return h(
    "div.lm-rules",
    h("h4", "When to stop"),
    h(
      "ul",
      Object.entries(rules).map(
        ([rule, [name, text]]) => h(
          `li${rule === get("stop") ? ".lm-force" : ""}`,
          h("b", name),
          rule === get("stop") ? " (in force): " : ": ",
          text
        )
      )
    )
  );
}
function drawOutputs(view, tree, follow) {
  const { get, step } = view;
  const { atEnd, nodes, winner } = tree;
  const best = get("outputs")[0];
  const greedy = get("greedy");
  const found = get("outputs").filter(
    ({ end }) => atEnd || nodes[end].fate === "finished" && nodes[end].depth <= step / 2
  );
  const against = ({ score, end }) => atEnd && (end === best.end ? "the winner" : score > best.score ? "above the winner" : "not above the winner");
  const listed = found.map((row, k) => [
    row,
    row.kept ? atEnd && k + 1 : "–",
    [
      !row.kept && "left the beam",
      !row.finished && "not finished",
      row.end === greedy.end && "greedy search finds it too"
    ]
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
    ...get("normalise") === "plain" ? [] : ["score", "place by log p"]
  ];
  const drawRow = ([{ end, text, log_p, length, score, plain_rank }, place, notes], n) => {
    const pressed = String(winner.has(end));
    const note = notes.filter(Boolean).join("; ");
    const button = {
      type: "button",
      dir: "auto",
      "data-key": `row${n}`,
      "aria-pressed": pressed,
      onclick: () => follow(end)
    };
    return h(
      `tr${winner.has(end) ? ".lm-on" : ""}`,
      h("td", place || ""),
      h("td", h("button.lm-output", button, text || "(empty)"), note && h("small", note)),
      [number(log_p), length, number(score), atEnd && plain_rank || ""].slice(0, columns.length - 2).map((value) => h("td.lm-count", value))
    );
  };
  return h(
    "div.lm-outputs",
    h("h4", "Outputs ", h("small", `ranked by ${CHOICES.normalise[get("normalise")].replace("α", get("alpha"))}`)),
    listed.length ? h(
      "div.lm-sideways",
      { role: "group", tabindex: 0, "aria-label": "Outputs" },
      h(
        "table",
        h(
          "thead",
          h(
            "tr",
            columns.map((name) => h("th", { scope: "col" }, name))
          )
        ),
        h("tbody", listed.map(drawRow))
      )
    ) : h("p.lm-note", "None is finished yet.")
  );
}
var wedge = () => svg("svg", { viewBox: "0 0 3 1", "aria-hidden": "true" }, svg("path.lm-wedge", { d: "M0 .46V.54L3 .8V.2z" }));
function drawLegend() {
  const line = (kind) => svg("svg", { viewBox: "0 0 3 1", "aria-hidden": "true" }, svg(`path.lm-line${kind}`, { d: "M0 .5H3" }));
  const box = (kind) => h(
    `span.lm-node.lm-${kind}`,
    { "aria-hidden": "true" },
    h("span.lm-box", h("span.lm-word", "word"), MARKS[kind] && h("span.lm-mark", MARKS[kind]))
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
      "n and p are the next and the previous step; +, − and 0 zoom."
    )
  );
}

// beam_settings.js
function own(w, ask, unanswered) {
  const { get, live } = w;
  const search = (changes) => {
    const submitted = unanswered().findLast((request) => request.search)?.search;
    ask({
      search: {
        text: get("text"),
        max_length: wholeNumber(longest),
        ...submitted,
        k: Number(k.value),
        finished: finished.value,
        stop: stop.value,
        normalise: normalise.value,
        alpha: Number(alpha.value),
        ...changes
      }
    });
  };
  const onchange = () => search({});
  const lengthen = () => search({ max_length: wholeNumber(longest) });
  const submit = () => search({ text: sentence.value, max_length: null });
  const field = (trait, attributes) => w.bind(h("input", attributes), trait);
  const select = (trait, options) => w.bind(
    h(
      "select",
      { onchange },
      Object.entries(options).map(([value, text]) => h("option", { value }, text))
    ),
    trait
  );
  const sentence = field("text", {
    type: "text",
    dir: "auto",
    spellcheck: "false",
    "aria-label": "Your sentence",
    onkeydown: ({ key }) => key === "Enter" && submit()
  });
  const k = select("k", Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((size) => [size, size])));
  const [finished, stop, normalise] = ["finished", "stop", "normalise"].map((trait) => select(trait, CHOICES[trait]));
  const said = h("span");
  const showAlpha = () => {
    alpha.disabled = get("normalise") === "plain";
    said.textContent = alpha.disabled ? "α (log p has none)" : `α = ${Number(alpha.value).toFixed(1)}`;
  };
  const alpha = field("alpha", { type: "range", min: 0, max: 2, step: 0.1, oninput: showAlpha, onchange });
  const longest = field("max_length", { type: "number", min: 1, max: 60, onchange: lengthen });
  for (const trait of ["normalise", "alpha"]) w.on(`change:${trait}`, showAlpha);
  showAlpha();
  return h(
    "fieldset.lm-settings",
    { disabled: !live },
    h("legend.lm-hidden", "What is searched, and how"),
    h("div.lm-read", sentence, h("button.lm-primary", { type: "button", onclick: submit }, "Translate")),
    !live && h(
      "p.lm-note",
      "This page has no Python: step through the search that it holds, or open the notebook for another one."
    ),
    h(
      "div.lm-fields",
      h("label", "Beam size k", k),
      h("label", "Finished outputs", finished),
      h("label", "Stop when", stop),
      h("label", "Rank by", normalise),
      h("label", said, alpha),
      h("label", "Longest output", longest)
    )
  );
}

// beam_tree.js
var UNFOLDED = 3;
function treeOf(view, ui) {
  const { get, step, last } = view;
  const nodes = get("nodes");
  const time = { t: Math.ceil(step / 2), weighing: step % 2 === 1, atEnd: step === last };
  const tree = {
    nodes,
    ...time,
    fate: (n) => fateOf(nodes, n, time),
    pathTo: (n) => n === null ? [] : [...tree.pathTo(nodes[n].parent), n]
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
    asks: predict && weighing && alive > 0 && guessed(`${t}`) === void 0
  };
}
function branchesOf(get, { nodes, t, atEnd, fate, pathTo, winner, greedyPath }, ui) {
  const below = /* @__PURE__ */ new Map();
  nodes.forEach(({ parent }, n) => below.set(parent, [...below.get(parent) ?? [], n]));
  const isThere = (n) => nodes[n].fate === "revived" || nodes[n].depth <= t || atEnd;
  const all = (n) => fate(n) === "open" ? [] : (below.get(n) ?? []).filter(isThere);
  const revived = Object.values(get("revived")).flatMap(({ end }) => pathTo(end));
  const paths = /* @__PURE__ */ new Set([...winner, ...greedyPath, ...revived]);
  const shows = {
    all: () => true,
    none: () => false,
    kept: (n) => fate(n) !== "pruned" || paths.has(n),
    paths: (n) => paths.has(n)
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
    const rows = [...get("outputs"), ...atEnd ? [get("greedy")] : [], ...Object.values(get("revived"))];
    const found = rows.filter(({ end }) => atEnd || nodes[end].depth <= t);
    const row = found.find(({ end }) => n === null || pathTo(end).includes(n));
    return row && textOf(
      nodes,
      pathTo(row.end).filter((one) => !nodes[one].ends)
    );
  };
  return { all, children, hidden, shown, within, bestBehind };
}

// beam_stepper.js
var SHOWN = { all: "all that was weighed", kept: "without the pruned", paths: "follow the winner" };
var [SMALLEST, LARGEST, TEXT, FINEST] = [0.4, 1.8, 13, 7];
var [TALLEST, WHOLE] = [560, 900];
var LABELLED = { width: 70, height: 46 };
function render(context) {
  const ui = {
    shown: null,
    folds: /* @__PURE__ */ new Map(),
    followed: null,
    here: null,
    chosen: /* @__PURE__ */ new Set(),
    zoom: 1,
    whole: true,
    search: null,
    length: 0,
    step: -1
  };
  let view;
  let tree;
  let plan;
  const box = h("div.lm-box-of-tree", { role: "group", "aria-label": "Tree" });
  const formula = h("p.lm-formula");
  const shown = h(
    "select",
    { onchange: showOther },
    Object.entries(SHOWN).map(([value, text]) => h("option", { value }, text))
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
      wholeTree
    )
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
    box.querySelectorAll("[tabindex='0']").forEach((one) => one.tabIndex = -1);
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
    bringIntoView(box, element);
  };
  const newest = () => {
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
    } else if (!node.ends && (now === "pruned" || now === "kept" && tree.atEnd)) {
      const shown2 = Object.fromEntries(SETTINGS.map((name) => [name, view.get(name)]));
      if (view.live) view.ask({ revive: n, shown: shown2 });
      else formula.textContent = "To revive a branch needs Python: open the notebook.";
    }
  };
  moveByKeys(box, ({ target }) => {
    if (!target.matches("[role=treeitem]")) return {};
    const n = ui.here;
    const row = plan.rows.find((nodes) => nodes.includes(n));
    const at = row.indexOf(n);
    const into = () => tree.children(n).length ? go(tree.children(n)[0]) : tree.hidden(n) && act(n);
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
      0: whole
    };
  });
  dragToScroll(box);
  function planOf(its, edges) {
    const width = (n) => {
      if (edges === "bare" && its.within(n)) return 1;
      const letters = n === null ? 3 : lettersOf(its.nodes[n]);
      return edges === "bare" ? 0.62 * letters + 1.1 : Math.max(0.62 * letters + 6.2, 7);
    };
    const room = (n) => its.hidden(n) ? 2 : 0;
    return { ...layout(its.children, width, room, edges), edges };
  }
  function drawTree() {
    tree = treeOf(view, ui);
    const whole2 = treeOf({ ...view, step: view.last }, ui);
    let atEnd = planOf(whole2, "labelled");
    if (ui.whole && (atEnd.width > LABELLED.width || atEnd.height > LABELLED.height)) atEnd = planOf(whole2, "bare");
    plan = planOf(tree, atEnd.edges);
    const [width, height] = [Math.max(plan.width, atEnd.width), Math.max(plan.height, atEnd.height)];
    const fits = `min(${TEXT}px, (100cqw - 38px) / ${width}, ${WHOLE}px / ${height})`;
    box.style.fontSize = ui.whole ? `max(${FINEST}px, ${fits})` : `${TEXT * ui.zoom}px`;
    Object.assign(box.style, {
      maxHeight: ui.whole ? "" : `${TALLEST}px`,
      minHeight: ui.whole ? `calc(${height}em + 2px)` : `min(${TALLEST}px, ${height}em + 20px)`
    });
    box.classList.toggle("lm-bare", plan.edges === "bare");
    wholeTree.setAttribute("aria-pressed", ui.whole);
    while (!plan.places.has(ui.here)) ui.here = tree.nodes[ui.here].parent;
    const inOrder = (n) => [n, ...tree.children(n).flatMap(inOrder)];
    const its = { here: ui.here, chosen: ui.chosen, whole: plan.edges === "bare", act, look };
    const walks = ui.walked !== void 0 && tree.followed !== null && tree.followed !== ui.walked;
    ui.walked = tree.followed;
    box.replaceChildren(
      h(
        "div.lm-tree",
        {
          role: "tree",
          "aria-label": "Beam tree",
          "aria-multiselectable": tree.asks && "true",
          "data-roving": "tree",
          style: `width:${plan.width.toFixed(2)}em;height:${plan.height.toFixed(2)}em`
        },
        drawEdges(tree, plan, walks),
        inOrder(null).map((n) => drawNode(tree, plan.places.get(n), n, its))
      )
    );
    walk([...box.querySelectorAll(".lm-walks")]);
  }
  function draw(now) {
    view = now;
    const search = JSON.stringify(SETTINGS.map(view.get));
    const { length } = view.get("nodes");
    if (search !== ui.search || length < ui.length)
      Object.assign(ui, { search, folds: /* @__PURE__ */ new Map(), followed: null, here: null, chosen: /* @__PURE__ */ new Set() });
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
      legend
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
    own: (w, ...asking2) => {
      whenSized(box, w.atEnd, toNewest);
      return own(w, ...asking2);
    },
    traits: [...SETTINGS, "nodes", "outputs", "decisions", "ending", "greedy", "revived", "compared"],
    words: { doing: "Searching …", done: "", refused: "Not searched" },
    spoken: () => spoken(view, tree)
  })(context);
}
function spoken({ get }, { atEnd, decision }) {
  const revived = Object.values(get("revived")).at(-1);
  return [
    atEnd && `${endingOf(get, decision)} The winner: ${get("outputs")[0].text}, score ${number(get("outputs")[0].score)}.`,
    revived && `Revived: ${revived.text}, score ${number(revived.score)}.`
  ].filter(Boolean).join(" ");
}
var beam_stepper_default = { render };
export {
  beam_stepper_default as default
};
