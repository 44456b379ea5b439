// bpe_stepper.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp c2d07914980df4137157e551ff9fb89c
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
  for (const [element, old, now2] of changes) {
    const [from, to] = old ? frames(old, now2, element.hasAttribute("data-tween")) : [{ opacity: 0 }, { opacity: 1 }];
    const same2 = Object.keys(to).every((name) => from[name] === to[name]);
    if (!same2) element.animate([from, to], { duration: MOVE_FOR, easing: "ease-in-out" });
  }
}
function frames(old, now2, tweens) {
  if (tweens) return [old.values, now2.values];
  const by = (side) => `${(old.box[side] - now2.box[side]).toFixed(1)}px`;
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
function timeline({ now: now2, last, go, unit, draw: draw2, atEnd }) {
  const clampedGo = (step) => go(Math.min(Math.max(step, 0), last()));
  const play = player(() => {
    const more = now2() < last();
    if (more) clampedGo(now2() + 1);
    return more;
  }, draw2);
  const togglePlay = () => {
    if (!play.on() && now2() === last()) clampedGo(0);
    play.toggle();
  };
  const buttons = stepButtons(now2, clampedGo, togglePlay);
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
    slider.value = now2();
    slider.setAttribute("aria-label", `${unit()} done`);
    slider.setAttribute("aria-valuetext", `${now2()} of ${last()} ${unit()}`);
    progress.replaceChildren(h("b", `${now2()}`), ` of ${last()} ${unit()}`);
    buttons.draw(now2(), last(), play.on());
  };
  atEnd(play.stop);
  return {
    elements: [buttons.element, h("div.lm-slide", slider, progress)],
    draw: show,
    playing: play.on,
    stop: play.stop,
    keys: {
      ArrowLeft: () => clampedGo(now2() - 1),
      ArrowRight: () => clampedGo(now2() + 1),
      Home: () => clampedGo(0),
      End: () => clampedGo(last())
    }
  };
}
function stepButtons(now2, go, togglePlay) {
  const control = (name, label, picture, onclick) => h(`button.lm-control${name}`, { type: "button", onclick }, icon(ICONS[picture]), h("span", label));
  const back = control("", "Back", "back", () => go(now2() - 1));
  const play = togglePlay && control("", "Play", "play", togglePlay);
  const forward = control(".lm-primary.lm-forward", "Forward", "forward", () => go(now2() + 1));
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

// bpe_panel.js
function viewOf(view, panel, p, several) {
  const k = Math.min(view.step, panel.merges.length);
  const key = `${p}:${k}`;
  const position = panel.positions[k];
  const mine = view.guessed(key);
  const hidden = view.predict && position.chosen !== null && !mine;
  return { ...view, panel, p, several, k, key, position, mine, hidden };
}
function drawPanel(view) {
  const { panel, p, several } = view;
  const words = drawWords(view);
  return h(
    "div.lm-panel",
    { role: "group", "aria-label": panel.label, "data-panel": p },
    several && h("h3", panel.label),
    drawNext(view),
    h(
      "div.lm-grid",
      h("div.lm-column", words.element, drawMerges(view)),
      h("div.lm-column", drawPairs(view, words.mark), drawVocabulary(view))
    ),
    drawCut(view)
  );
}
function spoken({ panel, k, several, hidden, position }) {
  const label = several ? `${panel.label}: ` : "";
  const done = k ? `${panel.merges[k - 1].pair.join(" ")} became ${panel.merges[k - 1].symbol}. ` : "";
  return label + done + (hidden ? "Which pair comes next?" : `Next: ${position.why.join("")}`);
}
var same = (one, other) => one[0] === other[0] && one[1] === other[1];
var number = (n) => n.toLocaleString("en");
function shortened(word) {
  const letters = [...word];
  return letters.length > 24 ? `${letters.slice(0, 14).join("")}…${letters.slice(-8).join("")}` : word;
}
function drawNext(view) {
  const { panel, k, hidden, predict, mine, position, live, follow } = view;
  const [a, b] = position.chosen ?? [];
  const merge = a && [code(a), h("span.lm-op", " + "), code(b), h("span.lm-op", " → "), code(a + b)];
  const why = position.why.map((part, i) => i % 2 ? code(part) : part);
  const chose = panel.choices.length > 0 && live && !predict;
  return h(
    "div.lm-next",
    h(
      "p.lm-headline",
      h("span.lm-number", a ? `Merge ${k + 1}` : "Done"),
      hidden ? h("span", "Which pair occurs most often?") : merge
    ),
    h(
      "p.lm-why",
      hidden ? "Count in the words, then pick a pair from the list." : [predict && mine && verdict(view), why],
      chose && h("button.lm-small", { type: "button", "data-key": "follow", onclick: follow }, "Follow the rule again")
    )
  );
}
function verdict({ mine, position }) {
  if (same(mine, position.chosen)) return h("b.lm-right", "✓ Right. ");
  const { tied, count } = position.pairs.find(({ pair: pair2 }) => same(pair2, mine));
  const pair = code(mine.join(" "));
  if (tied) return [h("b.lm-right", "✓ Right: "), pair, " is one of the most frequent. "];
  return [h("b.lm-wrong", "✗ Not this time: "), pair, ` occurs ${count === 1 ? "once" : `${number(count)} times`}. `];
}
function drawWords({ panel, p, k, position }) {
  const { pair, symbol } = k ? panel.merges[k - 1] : {};
  const half = (row, at, text) => h("span", { "data-move": `${p}:${row}:${at}` }, marked(text));
  const rows = position.shown.map((row) => {
    const { word, count, history } = panel.words[row];
    const [when, pieces] = history.findLast(([from]) => from <= k);
    let at = 0;
    const spans = pieces.map((piece) => {
      const start = at;
      at += piece.length;
      if (when !== k || piece !== symbol) return h("code.lm-piece", half(row, start, piece));
      return h("code.lm-piece.lm-fresh", half(row, start, pair[0]), half(row, start + pair[0].length, pair[1]));
    });
    return { word, count, pieces, spans };
  });
  const mark = (pair2) => {
    for (const { pieces, spans } of rows) {
      const starts = (i) => pair2 !== null && i + 1 < pieces.length && same([pieces[i], pieces[i + 1]], pair2);
      spans.forEach((span, i) => {
        span.classList.toggle("lm-left", starts(i));
        span.classList.toggle("lm-right-half", i > 0 && starts(i - 1));
      });
    }
  };
  const some = rows.length < panel.total_words;
  const element = h(
    "div.lm-words",
    h("h4", "Words ", h("small", some ? "the last changed, then the most frequent" : "frequency and pieces")),
    region(
      `Words of ${panel.label}`,
      `words${p}`,
      h(
        "table",
        h("thead.lm-hidden", h("tr", h("th", { scope: "col" }, "Frequency"), h("th", { scope: "col" }, "Pieces"))),
        h(
          "tbody",
          rows.map(
            ({ word, count, spans }) => h(
              "tr",
              { "data-word": word },
              h("td.lm-count", number(count)),
              h(
                "td.lm-pieces",
                { dir: "auto" },
                spans.flatMap((span) => [span, " "])
              )
            )
          )
        )
      )
    ),
    some && h("p.lm-note", `${rows.length} of ${number(panel.total_words)} words`)
  );
  return { element, mark };
}
function drawPairs(view, mark) {
  const { position, hidden, p, predict, key, mine, guess, choose, say, live } = view;
  const { chosen, pairs } = position;
  const ties = pairs.filter(({ tied }) => tied).length > 1;
  const choosing = ties && live && chosen && !predict;
  const most = Math.max(1, ...pairs.map(({ count }) => count));
  const formula = h("p.lm-formula");
  const select = (one, speak) => {
    mark(one.pair);
    if (!hidden) formula.replaceChildren(...formulaOf(one));
    if (!hidden && speak) say(formula.textContent);
  };
  const row = (one) => {
    const { pair, count, tied } = one;
    const name = pair.join(" ");
    const winner = chosen !== null && same(pair, chosen);
    const guessed = predict && mine && same(pair, mine);
    const [sign, meaning] = winner ? ["▶", "next merge: "] : tied && ties ? ["=", "as frequent: "] : ["", ""];
    const handlers = {
      onclick: () => hidden ? guess(key, pair) : select(one, true),
      onfocus: () => select(one, true),
      onmouseenter: () => select(one, false)
    };
    return h(
      "li",
      h(
        !hidden && winner ? "button.lm-pair.lm-winner" : "button.lm-pair",
        { type: "button", "data-key": `${p}:pair:${name}`, "data-count": hidden ? null : count, ...handlers },
        h("span.lm-mark", !hidden && [sign, h("span.lm-hidden", meaning)]),
        h("span.lm-two", code(pair[0]), " ", code(pair[1]), guessed && h("small.lm-mine", " your guess")),
        !hidden && h(
          "span.lm-bar",
          { "aria-hidden": "true" },
          h("span", {
            style: `width:${100 * count / most}%`,
            "data-move": `${p}:bar:${name}`,
            "data-tween": "width"
          })
        ),
        !hidden && h("span.lm-times", number(count)),
        !hidden && changed(one)
      ),
      choosing && tied && !winner && h(
        "button.lm-small",
        {
          type: "button",
          "data-key": `${p}:take:${name}`,
          "aria-label": `Merge ${name} instead`,
          onclick: () => choose(pair)
        },
        "merge this"
      )
    );
  };
  const byName = (one, other) => one.pair.join(" ") < other.pair.join(" ") ? -1 : 1;
  const rows = (hidden ? [...pairs].sort(byName) : pairs).map(row);
  const rest = () => {
    if (pairs.length) select(pairs.find(({ pair }) => chosen && same(pair, chosen)) ?? pairs[0], false);
    mark(null);
  };
  rest();
  return h(
    "div.lm-ranking",
    h("h4", "Pairs ", h("small", hidden ? "in alphabetical order" : "by count")),
    h(choosing ? "ol.lm-choosing" : "ol", { "data-roving": `pairs${p}`, onmouseleave: rest }, rows),
    !pairs.length && h("p.lm-note", "none"),
    !hidden && position.more > 0 && h("p.lm-note", `and ${number(position.more)} more as frequent`),
    formula,
    !hidden && ties && chosen && !live && h("p.lm-note", "To merge another of the tied pairs, open the notebook: this page has no Python.")
  );
}
function changed({ change, new: isNew }) {
  if (!change) return null;
  if (isNew) return h("small.lm-rise", "new");
  const [kind, sign, word] = change > 0 ? ["rise", "▲", "more"] : ["fall", "▼", "fewer"];
  const size = number(Math.abs(change));
  return h(`small.lm-${kind}`, `${sign}${size}`, h("span.lm-hidden", ` ${word} than before the merge`));
}
function formulaOf({ pair, count, terms, rest }) {
  const parts = terms.map(
    ([frequency, occurrences, word]) => h("span.lm-term", `${number(frequency)} × ${occurrences} `, h("i", { title: word }, shortened(word)))
  );
  if (rest > 0) parts.push(`${number(rest)} elsewhere`);
  const sum = parts.flatMap((part, i) => i ? [" + ", part] : [part]);
  return [
    "c(",
    code(pair[0]),
    ", ",
    code(pair[1]),
    ") = Σ frequency × occurrences = ",
    ...sum,
    " = ",
    h("b", number(count))
  ];
}
function drawMerges({ panel, p, k, predict, go, farthest }) {
  const shown = predict ? panel.merges.slice(0, farthest) : panel.merges;
  const item = (n, title, ...text) => h(
    "li",
    h(
      n > k ? "button.lm-merge.lm-later" : "button.lm-merge",
      {
        type: "button",
        title,
        "data-key": `${p}:merge:${n}`,
        "aria-current": n === k && "step",
        onclick: () => go(n)
      },
      h("span.lm-n", `${n}`),
      text
    )
  );
  return h(
    "div.lm-merges",
    h("h4", "Merges ", h("small", "in the order learned")),
    h(
      "ol.lm-scroll",
      { "data-roving": `merges${p}`, "data-scroll": `merges${p}` },
      item(0, "characters only", "start"),
      shown.map(
        ({ pair: [a, b], symbol }, i) => item(i + 1, `merge ${i + 1}: ${a} + ${b} → ${symbol}`, h("span.lm-sum", code(a), " ", code(b)))
      )
    )
  );
}
function drawVocabulary({ panel, p, k }) {
  const { symbol: newest, vocabulary_size: size } = k ? panel.merges[k - 1] : { vocabulary_size: panel.vocabulary.length };
  const characters = panel.vocabulary;
  const symbols = new Set(panel.merges.slice(0, k).map(({ symbol }) => symbol));
  const made = [...symbols].filter((symbol) => !characters.includes(symbol)).reverse();
  const chip = (piece) => piece === newest ? h("li", h("code.lm-piece.lm-fresh", { dir: "auto" }, marked(piece)), h("span.lm-hidden", " (new)")) : h("li", h("code.lm-piece", { dir: "auto" }, marked(piece)));
  return h(
    "div.lm-vocabulary",
    { "data-size": size },
    h(
      "h4",
      "Vocabulary ",
      h("small", `${characters.length} characters + ${size - characters.length} merged = `, h("b", `${size}`))
    ),
    region(
      `Vocabulary of ${panel.label}`,
      `vocabulary${p}`,
      h("ul.lm-chips.lm-made-list", made.map(chip)),
      h("ul.lm-chips", characters.map(chip))
    )
  );
}
function drawCut(view) {
  const { panel, p, k } = view;
  if (!panel.cut) return null;
  const one = (n, what) => n === 1 ? `one ${what}` : `${n} ${what}s`;
  const said = `${one(piecesOf(panel.cut, k), "piece")} after ${one(k, "merge")}`;
  return h(
    "div.lm-cut",
    h("h4", "The word ", code(panel.cut.symbols.join("")), " ", h("small", said)),
    drawTree(view, panel.cut, { key: `${p}`, label: `Pieces of the word, ${panel.label}` })
  );
}
function region(label, key, ...content) {
  return h(
    "div.lm-scroll",
    { role: "region", tabindex: 0, "aria-label": label, "data-scroll": key, "data-key": key },
    content
  );
}

// bpe_stepper.js
var RULES = { first: "first: the pair met first", largest: "largest: the last in the alphabet (subword-nmt)" };
var MARKERS = { attached: "attached: t</w>", separate: "separate: t ·" };
var panelsOf = (view) => view.get("panels").map((panel, p, all) => viewOf(view, panel, p, all.length > 1));
function draw(view) {
  const choicesOf = (p, change) => view.ask({
    ...now(view),
    choices: now(view).choices.map((choices, i) => i === p ? change(choices) : choices)
  });
  const panels = panelsOf(view).map(
    (panel) => drawPanel({
      ...panel,
      choose: (pair) => choicesOf(panel.p, (choices) => [...choices.filter(([step]) => step < panel.k), [panel.k, ...pair]]),
      follow: () => choicesOf(panel.p, () => [])
    })
  );
  return [h(`div.lm-panels${panels.length > 1 ? ".lm-several" : ""}`, panels), ...wordField(view)];
}
function wordField(view) {
  const word = view.get("word");
  if (!word && !view.live) return [];
  const cut = () => view.ask({ ...now(view), word: field.value });
  const field = h("input", {
    type: "text",
    value: word,
    maxlength: 24,
    dir: "auto",
    spellcheck: "false",
    disabled: !view.live,
    "data-key": "word",
    onkeydown: ({ key }) => key === "Enter" && cut()
  });
  const button = view.live && h("button.lm-small", { type: "button", "data-key": "cut", onclick: cut }, "Cut");
  return [h("p.lm-word", h("label", "Cut a word, of the text or not: ", field), button)];
}
var now = ({ get, unanswered }) => unanswered().at(-1) ?? {
  texts: get("texts"),
  merges: get("merges"),
  tie: get("tie"),
  marker: get("marker"),
  word: get("word"),
  choices: get("panels").map((panel) => panel.choices)
};
function right(get, key, guess) {
  const [p, k] = key.split(":").map(Number);
  return get("panels")[p].positions[k].pairs.some(({ pair, tied }) => tied && same(pair, guess));
}
function own(w, ask, unanswered) {
  const texts = w.get("panels").map(
    ({ label }, p, all) => w.bind(textArea(all.length > 1 ? label : "Text", 5), "texts", (trait) => w.get(trait)[p])
  );
  const send = () => ask({
    texts: texts.map(({ value }) => value),
    merges: wholeNumber(merges),
    tie: tie.value,
    marker: marker.value,
    word: now({ ...w, unanswered }).word,
    choices: texts.map(() => [])
  });
  const select = (trait, options) => w.bind(
    h(
      "select",
      { onchange: send },
      Object.entries(options).map(([value, label]) => h("option", { value }, label))
    ),
    trait
  );
  const tie = select("tie", RULES);
  const marker = select("marker", MARKERS);
  const merges = w.bind(h("input", { type: "number", min: 0, max: 300 }), "merges");
  return ownInput(w, {
    summary: "Your own text, tie rule and end marker",
    legend: "What to learn from",
    note: "Any text, or a dictionary: on each line a word and how often it occurs.",
    texts,
    fields: { "Of tied pairs take": tie, "End of word": marker, Merges: merges },
    action: "Learn",
    send
  });
}
var bpe_stepper_default = {
  render: stepper({
    root: "lm-bpe",
    label: "BPE merge stepper",
    unit: "merges",
    traits: ["panels"],
    last: (get) => Math.max(...get("panels").map((panel) => panel.merges.length)),
    draw,
    spoken: (view) => panelsOf(view).map(spoken).join(" "),
    right,
    own
  })
};
export {
  bpe_stepper_default as default
};
