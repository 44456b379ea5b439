// sentence_map.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp cb00d395b3a4b3a3f882e9ca3993bfca
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
function scrollToRow(list, row) {
  const above = row.offsetTop < list.scrollTop;
  const below = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
  if (above || below) list.scrollTop = row.offsetTop - list.clientHeight / 3;
}

// sentence_map.js
var [WIDE, HIGH, EDGE] = [660, 430, 26];
var LABELLED = 14;
var MARKS = [
  "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z",
  "M-5-5h10v10h-10z",
  "M0-6.5 6.2 4.8h-12.4z",
  "M0-7 7 0 0 7-7 0z",
  "M0 6.5 6.2-4.8h-12.4z",
  "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z"
];
var YOURS = "M0-8 2.2-2.6 8-2.4 3.5 1.2 5 7 0 3.8-5 7-3.5 1.2-8-2.4-2.2-2.6z";
function render(context) {
  const w = widget(context, "lm-map", "Sentence map");
  const { get, put, live, root, say } = w;
  const { said, ask } = asking(w, { doing: "Placing …", done: "", refused: "Not placed" });
  let points = [];
  const choose = (at) => () => put({ at });
  const walk = (x, y) => () => {
    const next = inDirection(placesOf(get), get("at"), x, y);
    if (next !== null) put({ at: next });
  };
  moveByKeys(root, () => ({
    ArrowLeft: walk(-1, 0),
    ArrowRight: walk(1, 0),
    ArrowUp: walk(0, -1),
    ArrowDown: walk(0, 1)
  }));
  const lines = svg("g");
  const marks = svg("g");
  const labels = svg("g");
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, lines, marks, labels);
  const plot = h(
    "div.lm-plot",
    { role: "group", tabindex: 0, "aria-label": "Map; the arrow keys walk from point to point" },
    picture
  );
  const planes = Object.keys(get("maps"));
  const plane = planes.length > 1 && h(
    "label",
    "Plane",
    w.bind(
      h(
        "select",
        { onchange: ({ target }) => put({ plane: target.value }) },
        planes.map((name) => h("option", { value: name }, name))
      ),
      "plane"
    )
  );
  const legend = h("ul.lm-legend", { "aria-label": "Groups" });
  const reading = h("div.lm-reading");
  const list = h("div");
  const field = h("input", {
    type: "text",
    dir: "auto",
    spellcheck: "false",
    "aria-label": "Your sentence",
    placeholder: "Your sentence",
    onkeydown: ({ key }) => key === "Enter" && submit()
  });
  const submit = () => ask({ text: field.value });
  const own = get("places") && h(
    "div",
    h(
      "fieldset",
      { disabled: !live },
      h("legend.lm-hidden", "A sentence of your own"),
      field,
      h("button.lm-primary", { type: "button", onclick: submit }, "Place it")
    ),
    live ? said : h("p.lm-note", "This page has no Python: open the notebook to place a sentence of your own.")
  );
  function build() {
    points = get("texts").map(
      (text, k) => svg(
        "g.lm-point",
        { onmouseenter: choose(k), onclick: choose(k) },
        svg("title", text),
        svg("circle.lm-hit", { r: 11 }),
        svg("path", { d: markOf(get, k) })
      )
    );
    marks.replaceChildren(...points);
    legend.replaceChildren(
      ...groupsOf(get).filter(Boolean).map(
        (name) => h(
          "li",
          svg(
            "svg",
            { viewBox: "-9 -9 18 18", width: 16, height: 16, "aria-hidden": "true" },
            svg(`path.lm-mark${styleOf(get, name)}`, { d: markOf(get, get("groups").indexOf(name)) })
          ),
          name
        )
      )
    );
  }
  function draw() {
    if (points.length !== get("texts").length) build();
    const at = get("at");
    const places = placesOf(get);
    const near = get("near")[at].map(([k]) => k);
    const stateOf = (k) => k === at ? " lm-chosen" : near.includes(k) ? " lm-near" : "";
    points.forEach((point, k) => {
      point.style.transform = `translate(${places[k][0]}px, ${places[k][1]}px)`;
      point.setAttribute("class", `lm-point lm-mark${styleOf(get, get("groups")[k])}${stateOf(k)}`);
    });
    marks.append(points[at]);
    lines.replaceChildren(
      ...near.map((k) => svg("line", { x1: places[at][0], y1: places[at][1], x2: places[k][0], y2: places[k][1] }))
    );
    const named = points.length <= LABELLED ? [.../* @__PURE__ */ new Set([at, ...points.keys()])] : [at];
    labels.replaceChildren(...drawLabels(get, named, places));
    redraw(root, () => {
      reading.replaceChildren(...drawReading(get));
      list.replaceChildren(drawList(get, choose));
    });
    scrollToRow(list.firstChild, list.querySelector("[aria-current]"));
    say(spokenOf(get));
  }
  const stage = h("div.lm-stage", h("div.lm-left", plane, plot, legend), h("div.lm-right", reading, list));
  return w.start([stage, own].filter(Boolean), ["texts", "maps", "at", "plane"], draw);
}
var groupsOf = (get) => [...new Set(get("groups"))];
var styleOf = (get, group) => ` lm-group${groupsOf(get).indexOf(group) % MARKS.length}`;
var markOf = (get, k) => get("groups")[k] === "yours" ? YOURS : MARKS[groupsOf(get).indexOf(get("groups")[k])];
function placesOf(get) {
  const all = get("maps")[get("plane")];
  const range = (axis) => [Math.min(...all.map((p) => p[axis])), Math.max(...all.map((p) => p[axis]))];
  const [[left, right], [low, high]] = [range(0), range(1)];
  const scale = Math.min((WIDE - 2 * EDGE) / (right - left || 1), (HIGH - 2 * EDGE) / (high - low || 1));
  return all.map(([x, y]) => [WIDE / 2 + (x - (left + right) / 2) * scale, HIGH / 2 - (y - (low + high) / 2) * scale]);
}
function inDirection(places, at, x, y) {
  const [x0, y0] = places[at];
  const ahead = places.map(([px, py], k) => ({ k, along: (px - x0) * x + (py - y0) * y, size: Math.hypot(px - x0, py - y0) })).filter(({ k, along }) => k !== at && along > 1e-6);
  const straight = ahead.filter(({ along, size }) => along >= size * Math.SQRT1_2);
  const best = (straight.length ? straight : ahead).sort((a, b) => a.size - b.size)[0];
  return best ? best.k : null;
}
function drawLabels(get, named, places) {
  const taken = [];
  return named.map((k) => {
    const [x, y] = places[k];
    const right = x < WIDE / 2;
    const text = get("texts")[k];
    const short = text.length > 46 ? `${text.slice(0, 45)}…` : text;
    const width = 6.7 * short.length;
    const left = right ? x + 10 : x - 10 - width;
    const free = (top) => taken.every(([l, t, w]) => left > l + w || l > left + width || Math.abs(t - top) > 14);
    const by = [0, -9, 9].find((shift) => free(y + shift));
    if (by === void 0) return null;
    taken.push([left, y + by, width]);
    const at = { x: x + (right ? 10 : -10), y: y + by + 4, "text-anchor": right ? "start" : "end" };
    return svg(`text.lm-label${k === get("at") ? ".lm-bold" : ""}`, at, short);
  }).filter(Boolean);
}
function drawReading(get) {
  const at = get("at");
  const group = get("groups")[at];
  return [
    h("p.lm-text", { dir: "auto" }, get("texts")[at]),
    group ? h("p.lm-note", group) : "",
    h("h4", `Nearest in all ${get("dimensions")} dimensions`, h("small", "distance")),
    h(
      "ol.lm-nearest",
      get("near")[at].map(
        ([k, distance]) => h("li", h("span", { dir: "auto" }, get("texts")[k]), h("b", distance.toFixed(2)))
      )
    )
  ];
}
function drawList(get, choose) {
  return h(
    "ol.lm-list",
    { "aria-label": "All texts", "data-roving": "list", "data-scroll": "list" },
    get("texts").map(
      (text, k) => h(
        "li",
        h(
          "button.lm-item",
          {
            type: "button",
            dir: "auto",
            "data-key": k === get("at") ? "chosen" : `item${k}`,
            "aria-current": k === get("at") && "true",
            onclick: choose(k),
            onfocus: choose(k)
          },
          text
        )
      )
    )
  );
}
function spokenOf(get) {
  const at = get("at");
  const group = get("groups")[at];
  const near = get("near")[at].map(([k, distance]) => `${get("texts")[k]} (${distance.toFixed(2)})`);
  return `${get("texts")[at]}${group ? `, group ${group}` : ""}. Nearest: ${near.join("; ")}.`;
}
var sentence_map_default = { render };
export {
  sentence_map_default as default
};
