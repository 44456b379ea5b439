// corpus_explorer.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp dee4407bb1f2530cdcdf5c3e75eb14a6
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

// stepper.js
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
    words.map((word) => h("li", word))
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
    const ends = (word, first) => {
      const box = word.getBoundingClientRect();
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
    for (const word of [...source, ...target]) word.classList.remove("lm-here", "lm-partner");
    if (side !== void 0) [source, target][side][index].classList.add("lm-here");
    for (const { i, j, group } of chosen) {
      group.classList.add("lm-chosen");
      (side ? source[i] : target[j]).classList.add("lm-partner");
    }
  };
  return { element, select, place };
}
function gapFor(source, target, links) {
  const middle = (word) => (({ left, right }) => (left + right) / 2)(word.getBoundingClientRect());
  const widest = Math.max(0, ...links.map(({ i, j }) => Math.abs(middle(source[i]) - middle(target[j]))));
  return Math.round(Math.min(Math.max(46, widest / 4), 150));
}
function farthest(places, taken) {
  const distance = ([x, y]) => Math.min(Infinity, ...taken.map(([a, b]) => Math.hypot(x - a, y - b)));
  return places.find((place) => distance(place) >= 18) ?? places.reduce((one, other) => distance(other) > distance(one) ? other : one);
}

// corpus_explorer.js
var LENGTHS = {
  "": "any length",
  "1-6": "up to 6 words",
  "7-12": "7 to 12 words",
  "13-20": "13 to 20 words",
  "21-999": "over 20 words"
};
var LISTED = 200;
var NONE = "No sentence passes this filter.";
var KINDS = {
  // how a link is drawn, and what the legend says; those drawn later lie above
  possible: { width: 2, said: "possible" },
  sure: { width: 2, said: "sure" },
  allowed: { width: 3.5, said: "allowed" },
  found: { width: 3.5, said: "found" },
  spurious: { width: 2.5, mark: "×", said: "spurious" },
  missing: { width: 3, mark: "?", said: "missing" }
};
var GOLD = ["sure", "possible"];
var COMPARED = ["found", "allowed", "missing", "spurious"];
function render(context) {
  const w = widget(context, "lm-explorer", "Corpus explorer");
  const { get, put, root, say } = w;
  const chosen = () => filtered(get);
  const here = () => chosen().indexOf(get("at"));
  const go = (place) => {
    const shown = chosen();
    if (shown.length) put({ at: shown[Math.min(Math.max(place, 0), shown.length - 1)] });
  };
  const filter = (values) => {
    put(values);
    const shown = chosen();
    if (shown.length && !shown.includes(get("at"))) put({ at: shown[0] });
  };
  moveByKeys(root, () => ({
    ArrowLeft: () => go(here() - 1),
    ArrowRight: () => go(here() + 1),
    Home: () => go(0),
    End: () => go(Infinity)
  }));
  const buttons = stepButtons(here, go);
  const progress = h("output.lm-progress");
  const names = Object.keys(get("predicted"));
  const choice = (name, options, act) => w.bind(
    h(
      "select",
      { onchange: ({ target }) => act({ [name]: target.value }) },
      options.map(([value, label]) => h("option", { value }, label))
    ),
    name
  );
  const tag = choice("tag", [["", "anything"], ...tagsOf(get("pairs"))], filter);
  const length = choice("length", Object.entries(LENGTHS), filter);
  const overlay = choice("overlay", [["", "nothing"], ...names.map((name) => [name, name])], put);
  const word = w.bind(
    h("input", { type: "search", dir: "auto", spellcheck: "false", oninput: () => filter({ word: word.value }) }),
    "word"
  );
  const stage = h("div.lm-stage");
  const toolbar = h(
    "div.lm-toolbar",
    buttons.element,
    progress,
    h("label", "Shows", tag),
    h("label", "Length", length),
    h("label", "Contains", word),
    names.length > 0 && h("label", "Compare with", overlay)
  );
  function draw() {
    const shown = chosen();
    const place = shown.indexOf(get("at"));
    const all = get("pairs").length;
    progress.replaceChildren(
      h("b", `${place + 1}`),
      ` of ${shown.length}`,
      shown.length < all ? h("small", ` (all: ${all})`) : ""
    );
    buttons.draw(place, shown.length - 1);
    const view = { ...viewOf(get, shown), put, filter, say };
    redraw(stage, () => stage.replaceChildren(...shown.length ? drawStage(view) : [h("p.lm-none", NONE)]));
    suppressShortcuts(root);
    revealNew(stage);
    say(shown.length ? spoken(view, place) : NONE);
  }
  whenSized(root, w.atEnd, () => revealNew(stage));
  return w.start([toolbar, stage], ["at", "tag", "length", "word", "overlay"], draw);
}
function tagsOf(pairs) {
  const counts = /* @__PURE__ */ new Map();
  for (const tag of pairs.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort().map(([name, count]) => [name, `${name} (${count})`]);
}
function filtered(get) {
  const [from, to] = (get("length") || "0-9999").split("-").map(Number);
  const part = get("word").trim().toLocaleLowerCase();
  const passes = ({ source, target, tags }) => (!get("tag") || tags.includes(get("tag"))) && source.length >= from && source.length <= to && (!part || [...source, ...target].some((one) => one.toLocaleLowerCase().includes(part)));
  return get("pairs").flatMap((pair, k) => passes(pair) ? [k] : []);
}
function viewOf(get, shown) {
  const at = get("at");
  const all = get("predicted")[get("overlay")];
  return {
    at,
    shown,
    languages: get("languages"),
    pairs: get("pairs"),
    pair: get("pairs")[at],
    name: get("overlay"),
    all,
    compared: all?.[at]
  };
}
var partsOf = ({ pair, compared }) => compared ?? { sure: pair.links, possible: pair.possible };
function linksOf(view) {
  const links = partsOf(view);
  return Object.entries(KINDS).flatMap(
    ([kind, look]) => (links[kind] ?? []).map(([i, j]) => ({ i, j, kind, style: `lm-${kind}`, ...look }))
  );
}
function spoken(view, place) {
  const { pair, shown, compared } = view;
  const parts = partsOf(view);
  const counts = (compared ? COMPARED : GOLD).map((kind) => `${parts[kind].length} ${kind}`).join(", ");
  const rate = compared ? `; AER ${compared.aer.toFixed(2)}` : "";
  const [source, target] = [pair.source.join(" "), pair.target.join(" ")];
  return `Sentence ${place + 1} of ${shown.length}: ${source} – ${target} Links: ${counts}${rate}.`;
}
function drawStage(view) {
  const { pair, languages, compared, filter, say } = view;
  const links = linksOf(view);
  const ofWord = (side, index) => links.filter((link) => (side ? link.j : link.i) === index);
  const partners = (side, index) => {
    const [mine, other] = side ? [pair.target, pair.source] : [pair.source, pair.target];
    const named = ofWord(side, index).map(
      (link) => `${other[side ? link.i : link.j]}${link.kind === "sure" ? "" : ` (${KINDS[link.kind].said})`}`
    );
    return `${mine[index]}: ${named.join(", ") || "no partner"}`;
  };
  const note = h("p.lm-partners", { dir: "auto" }, "Point at a word to see its partners.");
  const select = (side, index, speak) => {
    figure.select(side, index);
    note.textContent = partners(side, index);
    if (speak) say(note.textContent);
  };
  const words = (list, side) => list.map(
    (text, index) => h(
      `button.lm-word${ofWord(side, index).length ? "" : ".lm-alone"}`,
      {
        type: "button",
        "data-key": `word:${side}:${index}`,
        onfocus: () => select(side, index, true),
        onclick: () => select(side, index, true),
        onblur: () => figure.select(),
        onmouseenter: () => select(side, index, false),
        onmouseleave: () => figure.select()
      },
      text
    )
  );
  const figure = drawLinked(words(pair.source, 0), words(pair.target, 1), links, languages);
  for (const row of figure.element.querySelectorAll("ol"))
    Object.assign(row.dataset, { roving: `side${row.dataset.side}`, axis: "x" });
  const kinds = compared ? COMPARED : GOLD;
  const parts = partsOf(view);
  return [
    h(
      "div.lm-figure",
      h("p.lm-languages", h("b", languages[0]), " and ", h("b", languages[1])),
      figure.element,
      note,
      h(
        "ul.lm-legend",
        { "aria-label": "Lines" },
        kinds.map((kind) => h("li", sampleOf(kind), `${KINDS[kind].said} (${parts[kind].length})`))
      ),
      compared && drawRate(view)
    ),
    h(
      "ul.lm-tags",
      { "aria-label": "Tags of this sentence" },
      pair.tags.map(
        (name) => h(
          "li",
          h(
            "button.lm-tag",
            {
              type: "button",
              "data-key": `tag:${name}`,
              title: `only sentences with: ${name}`,
              onclick: () => filter({ tag: name })
            },
            name
          )
        )
      )
    ),
    drawList(view)
  ];
}
function drawList({ pairs, shown, at, put }) {
  const item = (k) => h(
    "li",
    h(
      "button.lm-item",
      { type: "button", "data-key": `item:${k}`, "aria-current": k === at && "true", onclick: () => put({ at: k }) },
      h("span.lm-n", `${k + 1}`),
      h(
        "span",
        h("span.lm-sentence", { dir: "auto" }, pairs[k].source.join(" ")),
        h("small.lm-sentence", { dir: "auto" }, pairs[k].target.join(" "))
      )
    )
  );
  const from = Math.max(0, Math.min(shown.indexOf(at) - LISTED / 2, shown.length - LISTED));
  return h("ol.lm-list", { "data-roving": "list", "data-scroll": "list" }, shown.slice(from, from + LISTED).map(item));
}
function sampleOf(kind) {
  const { width, mark } = KINDS[kind];
  return svg(
    "svg",
    { viewBox: "0 0 36 16", width: 36, height: 16, "aria-hidden": "true" },
    svg(
      `g.lm-link.lm-${kind}`,
      svg("line", { x1: 2, x2: 34, y1: 8, y2: 8, "stroke-width": width }),
      mark && svg("text", { x: 18, y: 13 }, mark)
    )
  );
}
function drawRate({ compared, all, shown, name }) {
  const total = (kind) => shown.reduce((sum, k) => sum + all[k][kind].length, 0);
  const counted = (count) => {
    const [found2, allowed2, missing, spurious] = COMPARED.map(count);
    return { hits: 2 * found2 + allowed2, predicted: found2 + allowed2 + spurious, sure: found2 + missing, found: found2, allowed: allowed2 };
  };
  const { found, allowed, predicted, sure } = counted((kind) => compared[kind].length);
  const every = counted(total);
  const links = every.predicted + every.sure;
  return h(
    "p.lm-rate",
    h("b", name),
    ": AER = 1 − (2 · found + allowed) / (predicted + sure) = ",
    `1 − (2 · ${found} + ${allowed}) / (${predicted} + ${sure}) = `,
    h("b.lm-aer", compared.aer.toFixed(2)),
    `; over the ${shown.length} shown `,
    h("b.lm-aer-shown", (links ? 1 - every.hits / links : 0).toFixed(3))
  );
}
var corpus_explorer_default = { render };
export {
  corpus_explorer_default as default
};
