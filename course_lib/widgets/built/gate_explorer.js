// gate_explorer.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp f3bb29af39dc1015f521e5f70f26a8c2
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

// gate_rows.js
var ROW = 24;
var FEW = 8;
var GATES = "fiorz";
var SYMBOLS = { candidate: { LSTMCell: "c̃", GRUCell: "h̃" } };
var HOLDS = { "": "free", 1: "open (1)", 0.5: "half (0.5)", 0: "shut (0)" };
var number = (thousandths) => (thousandths / 1e3).toFixed(2).replace("-", "−");
var visible = (token) => ({ " ": "␣", "\n": "⏎", "	": "⇥" })[token] ?? token;
var symbol = (get, name) => SYMBOLS[name]?.[get("kind")] ?? name;
var mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
var signed = (name) => !GATES.includes(name);
function valueAt(get, reading, name, t) {
  const values = reading.values[name][t];
  return get("unit") >= 0 ? values[get("unit")] : mean(signed(name) ? values.map(Math.abs) : values);
}
function drawHead(get, { go, position }) {
  const unit = get("unit");
  const token = (text, t) => h(
    "button.lm-token",
    {
      type: "button",
      onclick: () => go(t),
      "data-key": `token${t}`,
      "aria-current": t === position && "step",
      "aria-label": `token ${t + 1}: ${visible(text)}`
    },
    visible(text)
  );
  return h(
    "div.lm-row.lm-head",
    h("span.lm-label", unit < 0 ? `Mean of all ${get("units")} units` : `Unit ${unit}`),
    h("div.lm-tokens", { role: "group", "aria-label": "Tokens", "data-roving": "tokens" }, get("tokens").map(token)),
    h("span.lm-value", { title: "What the numbers below are read at" }, `token ${position + 1}`)
  );
}
function drawValue(get, name, view) {
  const called = get("names")[name];
  const clamp = get("clamps").find((one) => one.gate === name);
  const readings = [get("held"), get("reading")].filter(Boolean);
  const series = readings.map((reading) => get("tokens").map((_, t) => valueAt(get, reading, name, t)));
  const bars = get("unit") < 0 && signed(name) ? "|" : "";
  const choose = h(
    "button.lm-name",
    {
      type: "button",
      onclick: () => view.put({ gate: name }),
      title: `Show the ${called} of every unit`,
      "data-key": `name:${name}`,
      "aria-pressed": String(get("gate") === name)
    },
    h("i", `${bars}${symbol(get, name)}${bars}`),
    ` ${called}`
  );
  return h(
    `div.lm-row${clamp ? ".lm-held" : ""}`,
    { "data-name": name },
    h("span.lm-label", choose, !signed(name) && drawHold(get, name, called, clamp, view)),
    drawStrips(series, called, Math.max(1e3, ...series.flat().map(Math.abs)), view),
    drawNumbers(series.map((values) => number(values[view.position])))
  );
}
function drawHold(get, name, called, clamp, { hold }) {
  const now = clamp ? String(clamp.value) : "";
  const held = now in HOLDS ? HOLDS : { ...HOLDS, [now]: `at ${now}` };
  const options = ["", "1", "0.5", "0", now].filter((value, i, all) => all.indexOf(value) === i);
  return h(
    "select",
    {
      "data-key": `hold:${name}`,
      "aria-label": `Hold the ${called}`,
      onchange: ({ target }) => hold(name, target.value)
    },
    options.map(
      (value) => h("option", { value, selected: value === now, disabled: !get("live") && value === "0.5" }, held[value])
    )
  );
}
function drawProbability(get, view) {
  const series = [get("held"), get("reading")].filter(Boolean).map(({ given }) => given.map((p) => p ?? 0));
  return h(
    "div.lm-row.lm-given",
    { "data-name": "given" },
    h("span.lm-label", h("span.lm-name", h("i", "p"), " given what came before")),
    drawStrips(series, "probability of each token", 1e3, view),
    drawNumbers(series.map((values) => view.position ? number(values[view.position]) : "–"))
  );
}
function drawStrips(series, label, most, view) {
  const names = series.length > 1 ? [label, `${label}, free`] : [label];
  const strips = series.map((values, k) => drawStrip(values, most, { ...view, label: names[k], quiet: k > 0 }));
  return h("div.lm-strips", strips);
}
function drawNumbers(texts) {
  return h(
    "span.lm-value",
    texts.map((text, k) => h(k ? "span.lm-was" : "span", text))
  );
}
function drawUnits(get, ui, view) {
  const name = get("gate");
  const all = [...Array(get("units")).keys()];
  const over = (reading, unit) => reading.values[name].map((step) => step[unit]);
  const series = all.map((unit) => over(get("held") ?? get("reading"), unit));
  const most = Math.max(1e3, ...series.flat().map(Math.abs));
  const varied = all.map((unit) => variance(over(get("reading"), unit)));
  const follows = new Map(get("following").map((one, rank2) => [one.unit, { ...one, rank: rank2 }]));
  const rank = (unit) => ui.order === "following" ? follows.get(unit)?.rank ?? all.length : 0;
  const sorted = ui.order === "number" ? all : [...all].sort((a, b) => rank(a) - rank(b) || varied[b] - varied[a] || a - b);
  const shown = ui.all ? sorted : sorted.filter((unit, i) => i < FEW || unit === get("unit"));
  const choose = (unit) => h(
    "button.lm-unit",
    {
      type: "button",
      onclick: () => view.put({ unit }),
      "data-key": `unit${unit}`,
      "aria-current": unit === get("unit") && "true"
    },
    unit < 0 ? "mean of all" : `unit ${unit}`
  );
  const row = (unit) => h(
    "div.lm-row",
    { "data-unit": unit },
    h("span.lm-label", choose(unit), follows.has(unit) && drawFeature(follows.get(unit))),
    drawStrip(series[unit], most, { ...view, label: `unit ${unit}`, small: true }),
    drawNumbers([number(series[unit][view.position])])
  );
  const more = h(
    "button.lm-more",
    {
      type: "button",
      "data-key": "more",
      onclick: () => view.change({ all: !ui.all })
    },
    ui.all ? `Show ${FEW} units` : `Show all ${all.length} units`
  );
  return h(
    "div.lm-units",
    drawCaption(get, ui, view),
    h("div", { "data-roving": "units" }, h("div.lm-row", h("span.lm-label", choose(-1))), shown.map(row)),
    all.length > FEW && more
  );
}
function drawFeature({ feature, r }) {
  const text = `${feature} ${number(1e3 * r)}`;
  return h("span.lm-feature", { title: `Correlation with ${feature} in a longer text: ${number(1e3 * r)}` }, text);
}
function drawCaption(get, ui, { change }) {
  const unit = get("unit");
  const meaning = get("following").length ? { following: "what follows the text first" } : {};
  const orders = Object.entries({ ...meaning, varied: "most varied first", number: "by number" });
  const order = h(
    "select",
    { "data-key": "order", onchange: ({ target }) => change({ order: target.value }) },
    orders.map(([value, text]) => h("option", { value, selected: value === ui.order }, text))
  );
  const only = h("input", {
    type: "checkbox",
    "data-key": "only",
    checked: ui.only,
    disabled: unit < 0,
    onchange: ({ target }) => change({ only: target.checked })
  });
  const where = unit < 0 ? " choose a unit to hold gates in it alone" : ` hold gates in unit ${unit} alone`;
  return h(
    "div.lm-line.lm-caption",
    h("h4", h("i", symbol(get, get("gate"))), ` ${get("names")[get("gate")]}, unit by unit`),
    h("label", "Order ", order),
    get("live") && h("label", only, where)
  );
}
function variance(values) {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
}
function drawStrip(values, most, { width, position, go, label, quiet, small }) {
  const height = small ? 20 : ROW;
  const largest = Math.min(width, height) - (small ? 6 : 4);
  const squares = values.map((value, t) => {
    const inset = value < 0 ? 0.75 : 0;
    const side = largest * Math.sqrt(Math.abs(value) / most);
    const [x, y] = [t * width + (width - side) / 2 + inset, (height - side) / 2 + inset];
    const inner = Math.max(0, side - 2 * inset);
    return svg(
      `rect.${value < 0 ? "lm-below" : "lm-above"}`,
      { x, y, width: inner, height: inner },
      svg("title", number(value))
    );
  });
  const cursor = { x: position * width + 0.5, y: 0.5, width: width - 1, height: height - 1 };
  const range = `from ${number(Math.min(...values))} to ${number(Math.max(...values))}`;
  const picture = svg(
    `svg.lm-strip${quiet ? ".lm-quiet" : ""}`,
    {
      role: "img",
      "aria-label": `${label}: ${range}`,
      width: values.length * width,
      height,
      onclick: ({ clientX }) => go(Math.floor((clientX - picture.getBoundingClientRect().left) / width))
    },
    svg("rect.lm-cursor", cursor),
    squares
  );
  return picture;
}

// gate_explorer.js
var TRAITS = ["text", "tokens", "reading", "held", "variants", "clamps", "unit", "gate", "position"];
var NO_PYTHON = "This page has no Python. It holds one gate at a time, open or shut, in all units; for your own text, several gates or a single unit, open the notebook.";
function render(context) {
  const w = widget(context, "lm-gates", "Gate explorer");
  const { get, put, live, root, say } = w;
  const ui = { all: false, order: get("following").length ? "following" : "varied", only: false };
  const change = (values) => {
    Object.assign(ui, values);
    draw();
  };
  const go = (position) => put({ position: Math.min(Math.max(position, 0), get("tokens").length - 1) });
  const step = (by, { target }) => () => {
    const follow = target.closest(".lm-token");
    go(get("position") + by);
    if (follow) queueMicrotask(() => byData(grid, "key", `token${get("position")}`)?.focus());
  };
  moveByKeys(root, (event) => ({ ArrowLeft: step(-1, event), ArrowRight: step(1, event) }));
  const { said, ask, unanswered } = asking(w, { doing: "Reading …", done: "", refused: "Not read" });
  const latest = () => unanswered().at(-1) ?? { text: get("text"), clamps: get("clamps") };
  const request = (changes) => ask({ ...latest(), ...changes });
  const hold = (gate, value) => {
    const units = ui.only && get("unit") >= 0 ? [get("unit")] : null;
    const clamp = value === "" ? [] : [{ gate, value: Number(value), units }];
    if (live) request({ clamps: [...latest().clamps.filter((one) => one.gate !== gate), ...clamp] });
    else put({ clamps: clamp, held: get("variants")[`${gate}=${value}`] ?? null });
  };
  const release = () => latest().clamps.length && (live ? request({ clamps: [] }) : put({ clamps: [], held: null }));
  const submit = () => request({ text: field.value });
  const field = w.bind(
    h("input", {
      type: "text",
      dir: "auto",
      spellcheck: "false",
      "aria-label": "Your text",
      onkeydown: ({ key }) => key === "Enter" && submit()
    }),
    "text"
  );
  const free = h("button", { type: "button", onclick: release }, "Let all gates go");
  const summary = h("p.lm-summary");
  const grid = h("div");
  const now = h("div.lm-now");
  const content = [
    h(
      "fieldset.lm-read",
      { disabled: !live },
      h("legend.lm-hidden", "What the cell reads"),
      field,
      h("button.lm-primary", { type: "button", onclick: submit }, "Read")
    ),
    live ? said : h("p.lm-note", NO_PYTHON),
    h("div.lm-line", summary, free),
    grid,
    now
  ];
  function draw() {
    const tokens = get("tokens");
    const longest = Math.max(...tokens.map((token) => visible(token).length));
    const width = Math.min(120, Math.max(24, 12 + 8 * longest));
    const view = { width, position: get("position"), go, put, hold, change };
    summary.replaceChildren(...drawSummary(get));
    free.setAttribute("aria-disabled", !get("clamps").length);
    redraw(root, () => {
      const style = `--strip:${tokens.length * width}px;--token:${width}px`;
      const scroll = {
        role: "region",
        tabindex: 0,
        "aria-label": "Values over time",
        "data-key": "grid",
        "data-scroll": "grid"
      };
      grid.replaceChildren(
        h(
          "div.lm-scroll-x",
          scroll,
          h(
            "div.lm-table",
            { style },
            drawHead(get, view),
            Object.keys(get("names")).map((name) => drawValue(get, name, view)),
            get("reading").given && drawProbability(get, view),
            drawUnits(get, ui, view)
          )
        )
      );
    });
    now.replaceChildren(drawArithmetic(get), ...get("reading").best ? [drawExpectation(get)] : []);
    say(sentenceOf(get));
  }
  return w.start(content, TRAITS, draw);
}
function drawSummary(get) {
  const told = ({ gate, value, units }) => `the ${get("names")[gate]} ${{ 1: "open", 0: "shut" }[value] ?? `at ${value}`}` + (units ? ` in unit ${units.join(", ")}` : "");
  const holding = get("held") && `with ${get("clamps").map(told).join(" and ")}`;
  if (get("reading").translation !== void 0) {
    const line = (how, { translation }) => h("span.lm-written", `${how}: `, h("b", { dir: "auto" }, translation || "–"));
    const held2 = holding && line(`Translated ${holding}`, get("held"));
    const where = h("span.lm-written", get("where"));
    return [where, line(holding ? "Translated freely" : "Translated", get("reading")), held2].filter(Boolean);
  }
  const bits = (reading) => h("b", `${reading.bits.toFixed(2)} bits`);
  const held = holding && [" reading freely, by ", bits(get("held")), ` ${holding}`];
  return ["The model is surprised by ", bits(get("reading")), " a token", ...held || [], "."];
}
function drawArithmetic(get) {
  const unit = get("unit");
  const t = get("position");
  const hint = "Choose a unit to see its arithmetic. Means of states and candidates are means of their sizes, without the sign.";
  if (unit < 0) return h("p.lm-note", hint);
  const { values } = get("held") ?? get("reading");
  const at = (name) => values[name][t][unit];
  const factor = (value) => value < 0 ? `(${number(value)})` : number(value);
  const sum = (a, b, c, d) => `${factor(a)} × ${factor(b)} + ${factor(c)} × ${factor(d)}`;
  const before = (name) => values[name][t + (get("reverse") ? 1 : -1)]?.[unit] ?? 0;
  const past = h("sub", get("reverse") ? "t+1" : "t−1");
  const lines = {
    LSTMCell: () => [
      ["c", ["f c", past, " + i c̃"], sum(at("f"), before("c"), at("i"), at("candidate"))],
      ["h", ["o tanh(c)"], `${factor(at("o"))} × tanh ${factor(at("c"))}`]
    ],
    GRUCell: () => [
      get("reset") === "before" ? ["h", ["(1 − z) h", past, " + z h̃"], sum(1e3 - at("z"), before("h"), at("z"), at("candidate"))] : ["h", ["z h", past, " + (1 − z) h̃"], sum(at("z"), before("h"), 1e3 - at("z"), at("candidate"))]
    ],
    RNNCell: () => []
  }[get("kind")]();
  const isHeld = (name) => get("clamps").some(({ gate, units }) => gate === name && (!units || units.includes(unit)));
  return h(
    "ul.lm-equations",
    lines.map(
      ([name, formula, numbers]) => h(
        "li",
        h("i", name),
        isHeld(name) ? " is held at " : [" = ", formula, ` = ${numbers} = `],
        h("b", number(at(name)))
      )
    )
  );
}
function drawExpectation(get) {
  const tokens = get("tokens");
  const t = get("position");
  const code = (text) => h("code", { dir: "auto" }, text);
  const guess = ([token, p], k) => [k ? ", " : "", code(visible(token)), ` ${number(p)}`];
  const guesses = ({ best }) => best[t].flatMap(guess);
  const read = tokens.slice(Math.max(0, t - 11), t + 1).map(visible);
  return h(
    "p.lm-expects",
    "After ",
    code(read.join(tokens.some((token) => token.length > 1) ? " " : "")),
    " it expects ",
    guesses(get("held") ?? get("reading")),
    get("held") && [" (free: ", guesses(get("reading")), ")"],
    t + 1 < tokens.length ? ["; the text goes on with ", code(visible(tokens[t + 1]))] : "",
    "."
  );
}
function sentenceOf(get) {
  const t = get("position");
  const names = Object.entries(get("names"));
  const whose = get("unit") < 0 ? "mean of all units" : `unit ${get("unit")}`;
  const current = get("held") ?? get("reading");
  const values = names.map(([name, called]) => `${called} ${number(valueAt(get, current, name, t))}`);
  return `Token ${t + 1}, ${visible(get("tokens")[t])}, ${whose}: ${values.join(", ")}.`;
}
var gate_explorer_default = { render };
export {
  gate_explorer_default as default
};
