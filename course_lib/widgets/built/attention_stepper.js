// attention_stepper.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp 37a1103b1ae1df32602a5c1e484ee721
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
var isWelcome = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
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

// grid.js
function moveInGrid(table, cells, act) {
  const all = cells.flat();
  let stop = all.find((cell) => cell.hasAttribute("aria-current")) ?? all[0];
  stop.tabIndex = 0;
  table.addEventListener("focusin", ({ target }) => {
    if (!all.includes(target)) return;
    stop.tabIndex = -1;
    stop = target;
    stop.tabIndex = 0;
  });
  moveByKeys(table, ({ target }) => {
    const row = cells.findIndex((line) => line.includes(target));
    if (row < 0) return {};
    const column = cells[row].indexOf(target);
    const to = (i, j) => () => {
      const line = cells[clamped(i, cells.length)];
      line[clamped(j, line.length)].focus();
    };
    const right2 = getComputedStyle(table).direction === "rtl" ? -1 : 1;
    const press = act && { Enter: () => act(target), " ": () => act(target) };
    return {
      ArrowLeft: to(row, column - right2),
      ArrowRight: to(row, column + right2),
      ArrowUp: to(row - 1, column),
      ArrowDown: to(row + 1, column),
      Home: to(row, 0),
      End: to(row, Infinity),
      ...press
    };
  });
}
var clamped = (value, length) => Math.min(Math.max(value, 0), length - 1);

// attention_formulas.js
var TERMS = 6;
var STEPS = [
  [
    "q",
    "Vectors",
    () => [
      v("q", "i"),
      " = ",
      v("x", "i"),
      " W",
      h("sup", "Q"),
      ", ",
      v("k", "j"),
      " = ",
      v("x", "j"),
      " W",
      h("sup", "K"),
      ", ",
      v("v", "j"),
      " = ",
      v("x", "j"),
      " W",
      h("sup", "V")
    ],
    "The word that asks has a query. Every word has a key, and a value."
  ],
  ["products", "Products", () => [v("q", "i"), " · ", v("k", "j")], "How well does each key fit the query?"],
  [
    "scaled",
    "Scores",
    () => [v("e", "ij"), " = ", v("q", "i"), " · ", v("k", "j"), " / √", v("d", "k")],
    "Divided by the root of the width, the scores of wide vectors are no larger than those of narrow ones."
  ],
  [
    "mask",
    "Mask",
    () => [v("e", "ij"), " = −∞ where j may not be seen"],
    "What may not be seen will get the weight 0."
  ],
  [
    "weights",
    "Weights",
    () => [v("α", "ij"), " = exp(", v("e", "ij"), ") / Σ", h("sub", "k"), " exp(", v("e", "ik"), ")"],
    "Softmax: the weights are above 0, or 0 where masked, and their sum is 1."
  ],
  [
    "z",
    "New vector",
    () => [v("z", "i"), " = Σ", h("sub", "j"), " ", v("α", "ij"), " ", v("v", "j")],
    "The mean of the values, each with its weight: this is what the word takes from the others."
  ]
];
var ROLES = { q: "query", k: "key", v: "value" };
var v = (letter, index) => [h(ROLES[letter] ? `i.lm-is-${ROLES[letter]}` : "i", letter), h("sub", `${index}`)];
var number = (value) => (Number.isInteger(value) ? `${value}` : value.toFixed(2)).replace(/^-0\.00$/, "0.00").replace("-", "−");
var factor = (value) => number(value).replace(/^−.*/, "($&)");
var NOTHING_MASKED = "Nothing is masked here: every word may be seen.";
var vector = (values) => `(${values.map(number).join(", ")})`;
var joined = (parts, sign) => parts.flatMap((part, k) => k ? [sign, part] : [part]);
var quoted = (word) => h("bdi", `“${word}”`);
function sum(pairs, result, all = pairs.length) {
  const ranked = [...pairs].sort((a, b) => Math.abs(b[0] * b[1]) - Math.abs(a[0] * a[1]));
  const shown = ranked.length > TERMS + 1 ? ranked.slice(0, TERMS) : pairs;
  const rest = result - shown.reduce((total, [a, b]) => total + a * b, 0);
  const others = shown.length < all ? [`${all - shown.length} more terms: ${factor(Math.round(1e3 * rest) / 1e3)}`] : [];
  return joined([...shown.map(([a, b]) => `${factor(a)} × ${factor(b)}`), ...others], " + ");
}
function rowsOf({ attention: { asked, asking: asking2, allowed, width, inputs }, head, i }) {
  const n = i + 1;
  const open = (j) => !allowed || allowed[i][j];
  const root = Math.sqrt(width);
  const places = [...asked.keys()];
  const e = (j) => v("e", `${n}${j + 1}`);
  const α = (j) => v("α", `${n}${j + 1}`);
  const fits = (j) => [v("q", n), " · ", v("k", j + 1)];
  const about = (j, text) => `${text}, “${asked[j]}”`;
  const projected = (letter, word) => {
    const values = head[letter][word];
    const W = [" W", h("sup", letter.toUpperCase())];
    const one = head.largest[letter]?.[word];
    const n2 = word + 1;
    const c = one && one.component + 1;
    const result = one && values[one.component];
    return [
      v(letter, n2),
      " = ",
      v("x", n2),
      W,
      " = ",
      vector(values),
      one ? [
        ". The largest: ",
        v(letter, `${n2},${c}`),
        " = Σ",
        h("sub", "d"),
        " ",
        v("x", `${n2},d`),
        " ",
        W[0].trim(),
        W[1].cloneNode(true),
        h("sub", `d,${c}`),
        " = ",
        sum(one.terms, result, inputs),
        " = ",
        h("b", number(result))
      ] : ""
    ];
  };
  const vectors = (letter) => places.map((j) => ({
    kind: "vector",
    value: head[letter][j],
    most: largest(head[letter]),
    name: about(j, { k: "key", v: "value" }[letter]),
    formula: () => projected(letter, j)
  }));
  const seen = places.filter(open);
  const most = number(Math.max(...seen.map((k) => head.scaled[i][k])));
  const share = (of, j) => [of(j), " / (", joined(seen.map(of), " + "), ")"];
  const softmax = (j) => [
    seen.length > TERMS ? "" : [share((k) => `exp(${number(head.scaled[i][k])})`, j), " = "],
    share((k) => number(head.exps[i][k]), j),
    " = ",
    h("b", number(head.weights[i][j])),
    ` (above and below divided by exp(${most}), the largest)`
  ];
  const largest = (vectors2) => Math.max(...vectors2.flat().map(Math.abs));
  const best = places.reduce((one, j) => head.weights[i][j] > head.weights[i][one] ? j : one, 0);
  return [
    {
      id: "q",
      step: 1,
      label: [v("q", n), " query"],
      cells: [
        {
          kind: "vector",
          value: head.q[i],
          most: largest(head.q),
          name: `query of “${asking2[i]}”`,
          formula: () => projected("q", i)
        }
      ]
    },
    { id: "k", step: 1, label: [v("k", "j"), " keys"], cells: vectors("k") },
    {
      id: "products",
      step: 2,
      label: [v("q", n), " · ", v("k", "j")],
      cells: places.map((j) => ({
        kind: "number",
        value: number(head.products[i][j]),
        name: about(j, "product"),
        formula: () => [
          fits(j),
          " = ",
          sum(
            head.q[i].map((a, c) => [a, head.k[j][c]]),
            head.products[i][j]
          ),
          " = ",
          h("b", number(head.products[i][j]))
        ]
      }))
    },
    {
      id: "scaled",
      step: 3,
      label: ["÷ √", v("d", "k"), ` = ${number(root)}`],
      cells: places.map((j) => ({
        kind: "number",
        value: number(head.scaled[i][j]),
        name: about(j, "score"),
        formula: () => [
          e(j),
          " = ",
          fits(j),
          " / √",
          v("d", "k"),
          ` = ${number(head.products[i][j])} / √${width} = ${number(head.products[i][j])} / ${number(root)} = `,
          h("b", number(head.scaled[i][j]))
        ]
      }))
    },
    {
      id: "mask",
      step: 4,
      label: "mask",
      cells: places.map((j) => ({
        kind: "mask",
        value: open(j) ? number(head.scaled[i][j]) : "−∞",
        name: about(j, open(j) ? "may be seen" : "masked"),
        formula: () => open(j) ? [
          quoted(asking2[i]),
          " may look at ",
          quoted(asked[j]),
          ": ",
          e(j),
          " stays ",
          h("b", number(head.scaled[i][j]))
        ] : [
          quoted(asked[j]),
          " may not be seen from ",
          quoted(asking2[i]),
          j > i ? ", it comes later: " : ": ",
          e(j),
          " becomes ",
          h("b", "−∞")
        ]
      }))
    },
    {
      id: "weights",
      step: 5,
      label: [v("α", `${n}j`), " weights"],
      cells: places.map((j) => ({
        kind: "weight",
        value: number(head.weights[i][j]),
        size: head.weights[i][j],
        best: j === best,
        name: about(j, "weight"),
        formula: () => open(j) ? [α(j), " = exp(", e(j), ") / Σ", h("sub", "k"), " exp(", v("e", `${n}k`), ") = ", softmax(j)] : [α(j), " = exp(−∞) / Σ", h("sub", "k"), " exp(", v("e", `${n}k`), ") = ", h("b", "0")]
      }))
    },
    { id: "v", step: 1, label: [v("v", "j"), " values"], cells: vectors("v") },
    {
      id: "z",
      step: 6,
      label: [v("z", n), " new vector"],
      cells: head.z[i].map((value, c) => ({
        kind: "part",
        value: number(value),
        size: value / (largest(head.z) || 1),
        name: `component ${c + 1}`,
        formula: () => [
          v("z", `${n},${c + 1}`),
          " = Σ",
          h("sub", "j"),
          " ",
          v("α", `${n}j`),
          " ",
          v("v", `j,${c + 1}`),
          " = ",
          sum(
            seen.map((j) => [head.weights[i][j], head.v[j][c]]),
            value
          ),
          " = ",
          h("b", number(value))
        ]
      }))
    }
  ];
}

// attention_stepper.js
var NO_PYTHON = "This page has no Python. It shows the sentence that it holds; for your own, open the notebook.";
var ANSWERED = 5;
function render(context) {
  const ui = { row: null, column: 0, step: null };
  const formula = h("p.lm-formula");
  let chosen = null;
  const look = (cell, place, speak, say) => {
    formula.replaceChildren(...[cell.formula()].flat(Infinity));
    chosen?.classList.remove("lm-here");
    chosen = place;
    chosen.classList.add("lm-here");
    if (speak) say(`${cell.name}: ${formula.textContent}.`);
  };
  function draw(view) {
    const shown = shownOf(view);
    const rows = rowsOf(shown).filter(({ step }) => step <= view.step);
    const grid = h("div.lm-grid", {
      role: "grid",
      "aria-label": "Numbers",
      style: `--n:${shown.attention.asked.length}`
    });
    const cells = rows.map(
      ({ id, cells: cells2 }) => cells2.map((cell, j) => {
        const place = drawCell(cell, `${id}:${j}`);
        const choose = (speak) => () => {
          Object.assign(ui, { row: id, column: j });
          look(cell, place, speak, view.say);
        };
        place.addEventListener("focus", choose(true));
        place.addEventListener("mouseenter", choose(false));
        return place;
      })
    );
    const head = h(
      "div.lm-row.lm-head",
      { role: "row" },
      h("span.lm-label", { role: "columnheader" }, "looks at"),
      shown.attention.asked.map((word) => h("span.lm-word", { role: "columnheader" }, h("bdi", word)))
    );
    const isWhole = ([first]) => first.kind === "part";
    const { asked, asking: asking2 } = shown.attention;
    const among = asked.length === asking2.length && asked.every((word, j) => word === asking2[j]);
    if (rows.length) cells[0][0].style.gridColumn = `${(among ? shown.i : 0) + 1}`;
    grid.append(
      ...rows.length ? [head] : [],
      ...rows.map(
        ({ id, step, label, cells: own2 }, r) => h(
          `div.lm-row${isWhole(own2) ? ".lm-whole" : ""}${step === view.step ? ".lm-fresh" : ""}`,
          { role: "row", "data-row": id },
          h("span.lm-label", { role: "rowheader" }, label),
          h("div.lm-cells", { role: "presentation" }, cells[r])
        )
      )
    );
    if (rows.length) {
      const wanted = view.step === ui.step && rows.some(({ id }) => id === ui.row) ? ui.row : STEPS[Math.max(view.step, 1) - 1][0];
      const r = rows.findIndex(({ id }) => id === wanted);
      const column = clamped(ui.column, cells[r].length);
      Object.assign(ui, { row: wanted, step: view.step });
      cells[r][column].setAttribute("aria-current", "true");
      moveInGrid(grid, cells);
      look(rows[r].cells[column], cells[r][column], false);
    } else formula.replaceChildren();
    const area = h("div.lm-area", { "data-scroll": "grid" }, grid);
    return [drawChoices(view, shown), drawQuestion(view, shown), drawStep(view, shown), area, formula].filter(Boolean);
  }
  const own = ({ live, bind, get }, ask) => {
    if (!get("reads")) return null;
    const submit = () => ask({ text: field.value });
    const field = bind(
      h("input", {
        type: "text",
        dir: "auto",
        spellcheck: "false",
        "aria-label": "Your sentence",
        onkeydown: ({ key }) => key === "Enter" && submit()
      }),
      "text"
    );
    return h(
      "div.lm-own",
      h(
        "fieldset.lm-read",
        { disabled: !live },
        h("legend.lm-hidden", "What is read"),
        field,
        h("button.lm-primary", { type: "button", onclick: submit }, "Read")
      ),
      !live && h("p.lm-note", NO_PYTHON)
    );
  };
  return stepper({
    root: "lm-attention",
    label: "Attention stepper",
    unit: "steps",
    last: () => STEPS.length,
    draw,
    right,
    own,
    ownFirst: true,
    traits: ["attentions", "at", "head", "word"],
    words: { doing: "Reading …", done: "", refused: "Not read" },
    spoken: (view) => spoken(view, formula)
  })(context);
}
var sentenceOf = (step, { allowed }) => STEPS[step - 1][0] === "mask" && !allowed ? NOTHING_MASKED : STEPS[step - 1][3];
function shownOf({ get }) {
  const attention = get("attentions")[get("at")];
  const n = clamped(get("head"), attention.heads.length);
  const i = clamped(get("word"), attention.asking.length);
  return { attention, n, i, head: attention.heads[n] };
}
var keyOf = (get, { n, i }) => `${get("at")}:${n}:${i}`;
function right(get, key, guess) {
  const [at, head, word] = key.split(":").map(Number);
  const weights = get("attentions")[at].heads[head].weights[word];
  return weights[guess] === Math.max(...weights);
}
function drawChoices({ get, put }, { attention, n, i }) {
  const choice = (label, trait, texts, now, also = {}) => texts.length > 1 && h(
    "label",
    label,
    h(
      "select",
      {
        "data-key": trait,
        onchange: ({ target }) => put({ [trait]: Number(target.value), ...also })
      },
      texts.map((text, value) => h("option", { value, selected: value === now }, text))
    )
  );
  const read = (word) => () => put({ word });
  return h(
    "div.lm-choices",
    choice(
      "Attention",
      "at",
      get("attentions").map(({ name }) => name),
      get("at"),
      { word: 0 }
    ),
    choice(
      "Head",
      "head",
      attention.heads.map((_, k) => `${k + 1}`),
      n
    ),
    h(
      "div.lm-asking",
      h("span", "Asks"),
      h(
        "div.lm-tokens",
        { role: "group", "aria-label": "The word that asks", "data-roving": "asking", "data-axis": "x" },
        attention.asking.map(
          (word, k) => h(
            "button.lm-token",
            {
              type: "button",
              "data-key": `asking${k}`,
              onclick: read(k),
              "aria-current": k === i && "true"
            },
            h("bdi", word)
          )
        )
      )
    )
  );
}
function drawStep({ step }, { attention }) {
  if (!step) return h("div.lm-next", h("p.lm-headline", "Nothing is computed yet."));
  const [, name, formula] = STEPS[step - 1];
  return h(
    "div.lm-next",
    h("p.lm-headline", h("span.lm-number", `Step ${step}`), h("span", `${name}: `, formula())),
    h("p", sentenceOf(step, attention))
  );
}
function drawQuestion({ get, step, predict, guessed, guess }, shown) {
  const { attention, i, head } = shown;
  const key = keyOf(get, shown);
  const mine = guessed(key);
  const { asked, asking: asking2 } = attention;
  if (!predict || mine === void 0 && step >= ANSWERED) return null;
  const headline = (...text) => h("p.lm-headline", text);
  if (mine === void 0)
    return h(
      "div.lm-next.lm-question",
      headline(h("span", "Which word will ", quoted(asking2[i]), " look at most?")),
      h(
        "div.lm-tokens",
        asked.map(
          (word, j) => h(
            "button.lm-token",
            { type: "button", "data-key": `guess${j}`, onclick: () => guess(key, j) },
            h("bdi", word)
          )
        )
      )
    );
  if (step < ANSWERED) return h("div.lm-next.lm-question", headline(h("span", "You said ", quoted(asked[mine]), ".")));
  const largest = Math.max(...head.weights[i]);
  return h(
    "div.lm-next.lm-question",
    headline(
      right(get, key, mine) ? h("span.lm-right", "Right") : h("span.lm-wrong", "Not this one"),
      h(
        "span",
        "You said ",
        quoted(asked[mine]),
        `, weight ${number(head.weights[i][mine])}; the largest is ${number(largest)}, at `,
        quoted(asked[head.weights[i].indexOf(largest)]),
        "."
      )
    )
  );
}
function drawCell(cell, key) {
  const content = {
    vector: () => drawVector(cell),
    number: () => cell.value,
    mask: () => cell.value,
    weight: () => [
      h("span.lm-square", { style: `--side:${(26 * Math.sqrt(cell.size)).toFixed(1)}px` }),
      h("span", cell.value)
    ],
    part: () => [
      h(`span.lm-bar${cell.size < 0 ? ".lm-below" : ""}`, { style: `--v:${Math.abs(cell.size)}` }),
      h("span", cell.value)
    ]
  }[cell.kind]();
  const label = cell.kind === "vector" ? cell.name : `${cell.name}: ${cell.value}`;
  return h(
    `div.lm-cell.lm-a-${cell.kind}${cell.best ? ".lm-best" : ""}`,
    { role: "gridcell", tabindex: -1, "aria-label": label, "data-key": key },
    content
  );
}
function drawVector({ value: values, most }) {
  const bars = values.map(
    (value, c) => svg(`rect${value < 0 ? ".lm-below" : ""}`, {
      x: c + 0.1,
      y: value < 0 ? 1 : 1 - value / (most || 1),
      width: 0.8,
      height: Math.abs(value) / (most || 1)
    })
  );
  const size = { viewBox: `0 0 ${values.length} 2`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return svg("svg", size, bars, svg("path.lm-zero", { d: `M0 1h${values.length}` }));
}
function spoken(view, formula) {
  const shown = shownOf(view);
  const { attention, n, i } = shown;
  const question = drawQuestion(view, shown);
  const where = `${attention.name}, head ${n + 1}, “${attention.asking[i]}” asks.`;
  const [, name] = STEPS[view.step - 1] ?? [];
  return [
    where,
    name && `${name}. ${sentenceOf(view.step, attention)} ${formula.textContent}.`,
    question?.querySelector(".lm-headline").textContent
  ].filter(Boolean).join(" ");
}
var attention_stepper_default = { render };
export {
  attention_stepper_default as default
};
