// diagram_stepper.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp d17c5cb9e8de06c097c0ee0d21e13382
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

// diagram_stepper.js
function render(context) {
  const { model } = context;
  const canvas = drawn("div.lm-canvas", model.get("svg"), { role: "region", tabindex: 0, "aria-label": "Picture" });
  canvas.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow") && canvas.scrollWidth > canvas.clientWidth) event.stopPropagation();
  });
  const numbers = h("p.lm-formula", { "aria-hidden": "true" });
  const picture = h("div.lm-picture", canvas, numbers, drawKey(model.get("svg")));
  const title = h("h3", model.get("name"));
  let pointed = null;
  const tell = () => numbers.replaceChildren(...numbersOf(pointed, model));
  const pointAt = (node) => {
    if (node === pointed) return;
    pointed = node;
    tell();
  };
  canvas.addEventListener("pointerover", ({ target }) => pointAt(target.closest("[data-node]")));
  canvas.addEventListener("pointerleave", () => pointAt(null));
  function draw(view) {
    const now = drawNow(view);
    const equations = drawEquations(view);
    for (const part of [now, picture, equations].flatMap((element) => [...element.querySelectorAll("[data-step]")])) {
      part.classList.toggle("lm-later", part.dataset.step > view.step);
      part.classList.toggle("lm-now", Number(part.dataset.step) === view.step);
      part.classList.toggle("lm-gone", part.dataset.until <= view.step);
    }
    showValues(picture, view);
    tell();
    return [title, now, drawQuestion(view), drawTokens(view), picture, equations].filter(Boolean);
  }
  const last = (get) => get("steps").length;
  const right = model.get("steps").some(({ choices }) => choices.length) && isRight;
  return stepper({
    root: "lm-diagram",
    label: model.get("name"),
    unit: "steps",
    traits: ["position"],
    last,
    draw,
    spoken,
    right
  })(context);
}
var isRight = (get, number, guess) => !get("steps")[number - 1].choices[guess].why;
var isHidden = ({ predict, farthest, guessed }, number) => predict && number > farthest && guessed(`${number}`) === void 0;
function drawn(name, html, attributes = {}) {
  const element = h(name, attributes);
  element.innerHTML = html;
  return element;
}
function numbersOf(node, model) {
  const values = node && model.get("values")[node.dataset.node]?.[model.get("position")];
  if (!node || node.closest(".lm-later") || !(values || node.querySelector(":scope > title")))
    return [Object.keys(model.get("values")).length ? "Point at a box to read its numbers." : ""];
  const names = model.get("names")[node.dataset.node] ?? [];
  const told = values?.map((value, unit) => `${names[unit] ?? ""} ${value.toFixed(2).replace("-", "−")}`.trim());
  return [h("b", node.querySelector(":scope > title")?.textContent ?? ""), told ? `: ${told.join(", ")}` : ""];
}
function drawKey(picture) {
  const sign = (kind, ...shown) => picture.includes(`class="lm-${kind}"`) && h("span", shown);
  return h(
    "p.lm-key",
    sign("layer", h("i.lm-learned"), "with learned weights"),
    sign("state", h("i"), "a vector"),
    sign("op", h("i.lm-circle"), "an operation"),
    sign("shape", "(…) a shape, without the batch"),
    h("span", h("i.lm-to-come"), "to come")
  );
}
function showValues(picture, { get }) {
  for (const [id, rows] of Object.entries(get("values"))) {
    const row = rows[get("position")];
    const size = (value) => Math.min(Math.abs(value / get("scales")[id]), 1);
    picture.querySelectorAll(`[data-node="${id}"] .lm-bar`).forEach((bar, unit) => {
      bar.style.setProperty("--v", size(row[unit]));
      bar.classList.toggle("lm-below", row[unit] < 0);
    });
    for (const carrier of picture.querySelectorAll(`[data-wire="${id}"]`))
      if (carrier.matches("text")) carrier.textContent = row[0].toFixed(2);
      else carrier.style.setProperty("--v", size(row[0]));
  }
}
function drawEquations(view) {
  const { get, step, go } = view;
  return h(
    "ol.lm-equations",
    { "data-roving": "equations" },
    get("steps").map(({ equation, spoken: spoken2 }, k) => {
      if (isHidden(view, k + 1)) return null;
      const now = k + 1 === step;
      const label = `Step ${k + 1}: ${spoken2[Math.max(step, 1) - 1]}`;
      const button = {
        type: "button",
        "data-key": `step${k}`,
        "aria-current": now && "step",
        "aria-label": label,
        onclick: () => go(k + 1)
      };
      return h("li", h(`button${k < step ? "" : ".lm-ahead"}`, button, drawn("span.lm-math", equation)));
    })
  );
}
function drawNow({ get, step }) {
  if (!step) return h("div.lm-next", h("p.lm-headline", "Nothing is drawn yet."));
  const { equation, sentence } = get("steps")[step - 1];
  return h(
    "div.lm-next",
    h("p.lm-headline", h("span.lm-number", `Step ${step}`), drawn("span.lm-math", equation)),
    h("p", sentence)
  );
}
function drawQuestion(view) {
  const { get, step, predict, guessed, guess } = view;
  const number = step + 1;
  const choices = get("steps")[step]?.choices ?? [];
  const mine = choices[guessed(`${number}`)];
  if (!predict || !choices.length || !(mine || isHidden(view, number))) return null;
  const headline = (...text) => h("p.lm-headline", h("span.lm-number", `Step ${number}`), h("span", text));
  if (mine)
    return h(
      "div.lm-next.lm-question",
      headline(mine.why ? h("span.lm-wrong", "Not this one") : h("span.lm-right", "Right")),
      drawn("p.lm-math", mine.equation),
      h("p", mine.why)
    );
  return h(
    "div.lm-next.lm-question",
    headline("Which equation comes next?"),
    h(
      "ul.lm-choices",
      choices.map(
        (one, k) => h(
          "li",
          h(
            "button",
            {
              type: "button",
              "data-key": `choice${k}`,
              "aria-label": one.spoken,
              onclick: () => guess(`${number}`, k)
            },
            drawn("span.lm-math", one.equation)
          )
        )
      )
    )
  );
}
function drawTokens({ get, put }) {
  if (get("tokens").length < 2) return null;
  const read = (position) => () => put({ position });
  return h(
    "div.lm-tokens",
    { role: "group", "aria-label": "Token", "data-roving": "tokens", "data-axis": "x" },
    h("span", { "aria-hidden": "true" }, "Numbers at"),
    get("tokens").map(
      (token, t) => h(
        "button.lm-token",
        {
          type: "button",
          "data-key": `token${t}`,
          onfocus: read(t),
          onclick: read(t),
          "aria-current": t === get("position") && "step"
        },
        token === " " ? "␣" : token
      )
    )
  );
}
function spoken(view) {
  const { get, step } = view;
  const question = drawQuestion(view)?.querySelectorAll(".lm-headline > :last-child, :scope > p:last-child") ?? [];
  const asked = [...new Set(question)].map((element) => ` ${element.textContent}`).join(".");
  if (!step) return `Nothing is drawn yet.${asked}`;
  const { spoken: spoken2, sentence, adds, complete } = get("steps")[step - 1];
  const token = get("tokens")[get("position")];
  const numberOf = (node) => (value, unit) => `${get("names")[node]?.[unit] ?? ""} ${value.toFixed(1).replace("-", "−")}`.trim();
  const numbers = (node) => complete <= step && get("values")[node]?.[get("position")].map(numberOf(node)).join(", ");
  const parts = Object.entries(adds).map(([node, words]) => words + (numbers(node) ? `: ${numbers(node)}` : ""));
  const above = get("steps").slice(0, step - 1).map((one) => one.spoken).filter((at) => at[step - 1] !== at[step - 2]);
  const said = [
    spoken2[step - 1],
    sentence.slice(0, -1),
    ...above.map((at) => `Now ${at[step - 1]}`),
    token && `At “${token}”`,
    `New in the picture: ${parts.join("; ")}`
  ];
  return `${said.filter(Boolean).join(". ")}.${asked}`;
}
var diagram_stepper_default = { render };
export {
  diagram_stepper_default as default
};
