// attention_heatmap.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp 99924f9aba79d7b30a752d876b3e9340
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
    const right = getComputedStyle(table).direction === "rtl" ? -1 : 1;
    const press = act && { Enter: () => act(target), " ": () => act(target) };
    return {
      ArrowLeft: to(row, column - right),
      ArrowRight: to(row, column + right),
      ArrowUp: to(row - 1, column),
      ArrowDown: to(row + 1, column),
      Home: to(row, 0),
      End: to(row, Infinity),
      ...press
    };
  });
}
var clamped = (value, length) => Math.min(Math.max(value, 0), length - 1);

// heatmap_said.js
var WRITTEN = 50;
var NAMED = 3;
var GOLD = { sure: "sure gold link", possible: "possible gold link" };
var number = (thousandths) => (thousandths / 1e3).toFixed(2).replace(/^0/, "");
var chance = (thousandths) => {
  if (thousandths >= 10) return number(thousandths);
  return thousandths ? `.00${thousandths}` : "<.001";
};
var named = (words, weightOf) => words.flatMap((n, k) => [k ? ", " : "", quoted(weightOf(n)[0]), ` ${number(weightOf(n)[1])}`]);
var quoted = (word) => h("bdi", `“${word}”`);
function looksAt({ source, target, p, weights }, row, column) {
  const ranked = [...source.keys()].sort((a, b) => weights[row][b] - weights[row][a] || a - b).slice(0, NAMED);
  const shown = ranked.filter((j, rank) => !rank || weights[row][j] >= 10);
  if (column !== void 0 && !shown.includes(column)) shown.push(column);
  return [
    quoted(target[row]),
    ` (probability ${number(p[row])}) looks at `,
    ...named(shown, (j) => [source[j], weights[row][j]]),
    "."
  ];
}
function lookedAt({ source, target, weights }, column) {
  const shown = [...target.keys()].filter((i) => weights[i][column] >= WRITTEN);
  return [
    quoted(source[column]),
    " is looked at by ",
    ...shown.length ? named(shown, (i) => [target[i], weights[i][column]]) : ["no word"],
    "."
  ];
}
function noteOf(marks, row, column) {
  const gold = marks[`${row}:${column}`];
  return gold ? ` A ${GOLD[gold]}.` : "";
}

// heatmap_grid.js
function drawHeatmap(map, { name, hard, marks, forced, force, say, share }) {
  const { source, target, weights, best } = map;
  const looks = h("p.lm-looks", "Point at a cell, or use the arrow keys.");
  const heads = { row: [], column: [] };
  const lines = { row: [], column: [] };
  const cells = [];
  const titleOf = (row, column) => {
    const gold = marks[`${row}:${column}`];
    const notes = [gold && GOLD[gold], hard && best[row] === column && "hard link", forced.has(row) && "forced"];
    return [`${target[row]} – ${source[column]}: ${number(weights[row][column])}`, ...notes.filter(Boolean)].join(", ");
  };
  let marked = [];
  const mark = (name2, ...elements) => {
    for (const element of elements) element.classList.add(name2);
    marked.push(...elements);
  };
  const select = (row, column, speak) => {
    for (const element of marked) element.classList.remove("lm-here", "lm-partner");
    marked = [];
    if (column >= source.length) column = void 0;
    if (row === void 0 && column === void 0) return;
    if (row === void 0) mark("lm-partner", ...lines.row.filter((_, i) => weights[i][column] >= WRITTEN));
    else {
      mark("lm-partner", ...lines.column.filter((_, j) => weights[row][j] >= WRITTEN));
      mark("lm-here", heads.row[row], lines.row[row]);
    }
    if (column !== void 0) mark("lm-here", heads.column[column], lines.column[column]);
    if (row !== void 0 && column !== void 0) mark("lm-here", cells[row][column]);
    looks.replaceChildren(
      ...row === void 0 ? lookedAt(map, column) : looksAt(map, row, column),
      forced.has(row) ? " Forced." : ""
    );
    if (speak) say(`${name}: ${looks.textContent}${noteOf(marks, row, column)}`);
  };
  const point = (row, column, speak) => {
    select(row, column, speak);
    share(column);
  };
  const cell = (row, column) => {
    const weight = weights[row][column];
    const kept = hard && best[row] === column;
    const share2 = Math.sqrt((kept ? 1e3 : weight) / 1e3);
    const style = [
      hard && !kept ? ".lm-soft" : "",
      marks[`${row}:${column}`] ? `.lm-${marks[`${row}:${column}`]}` : "",
      forced.has(row) ? ".lm-forced" : ""
    ].join("");
    return h(
      `td.lm-cell${style}`,
      {
        role: "gridcell",
        tabindex: -1,
        title: titleOf(row, column),
        "data-key": `${name}:${row}:${column}`,
        onclick: () => force(row, column),
        onfocus: () => point(row, column, true),
        onmouseenter: () => point(row, column)
      },
      weight > 2 && h("i", { style: `--share:${share2.toFixed(3)}` }),
      weight >= WRITTEN && h("span", { dir: "ltr" }, number(weight))
    );
  };
  const pointing = { row: (at) => () => point(at), column: (at) => () => point(void 0, at) };
  const head = (side, text, at) => {
    const element = h(
      "th",
      { scope: side === "row" ? "row" : "col", onmouseenter: pointing[side](at) },
      h("span", text)
    );
    heads[side].push(element);
    return element;
  };
  const line = (label, words, side) => {
    const spans = words.map((text, at) => h("span", { onmouseenter: pointing[side](at) }, text));
    lines[side].push(...spans);
    return h(
      "p.lm-sentence",
      h("small", label),
      " ",
      h(
        "bdi",
        spans.flatMap((span) => [span, " "])
      )
    );
  };
  const sentences = [line("source", source, "column"), line("translation", target, "row")];
  for (const row of target.keys()) cells.push([...source.keys()].map((column) => cell(row, column)));
  const size = `--columns:${source.length};--rows:${target.length}`;
  const table = h(
    "table",
    { role: "grid", "aria-label": `${name}: attention`, style: size },
    h(
      "thead",
      h(
        "tr",
        h("td.lm-corner"),
        source.map((text, at) => head("column", text, at))
      )
    ),
    h(
      "tbody",
      target.map((text, row) => h("tr", head("row", text, row), cells[row]))
    )
  );
  moveInGrid(table, cells, (cell2) => cell2.click());
  const area = h("div.lm-area", { dir: "auto", "data-scroll": `grid:${name}`, onmouseleave: () => point() }, table);
  return { elements: [...sentences, area, looks], select };
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

// heatmap_lines.js
var WIDEST = 12;
var GOLDEN = 17;
var DRAWN = 10;
var STAYS = 250;
function drawLines(map, { name, hard, marks, forced, say, share, step, go }) {
  const { source, target, weights } = map;
  const movie = step !== void 0;
  const now = movie ? Math.min(step, target.length) - 1 : target.length - 1;
  const looks = h("p.lm-looks");
  const rest = () => {
    figure.select();
    looks.replaceChildren(...atRest(map, movie, now));
  };
  const select = (row, column, speak) => {
    if (column >= source.length) column = void 0;
    if (row === void 0 && column === void 0) return rest();
    figure.select(row === void 0 ? 0 : 1, row ?? column);
    const note = forced.has(row) ? " Forced." : "";
    looks.replaceChildren(...row === void 0 ? lookedAt(map, column) : looksAt(map, row), note);
    if (speak) say(`${name}: ${looks.textContent}`);
  };
  const point = (row, column, speak) => {
    select(row, column, speak);
    share(column);
  };
  const word = (text, side, at) => {
    const written = side === 1 && movie && at <= now;
    const choose = (speak) => () => side ? point(at, void 0, speak) : point(void 0, at, speak);
    const style = [side && at > now && ".lm-unwritten", written && at === now && ".lm-now"];
    if (side && forced.has(at)) style.push(".lm-forced");
    const weight = movie && !side && now >= 0 && weights[now][at];
    const attributes = {
      type: "button",
      style: weight !== false && `--share:${weight / 1e3}`,
      "data-key": `${name}:${side}:${at}`,
      "data-move": written && `word:${name}:${at}`,
      disabled: side === 1 && at > now,
      onclick: written ? () => go(at + 1) : choose(true),
      onfocus: choose(true),
      onmouseenter: choose(false),
      onblur: () => point(),
      onmouseleave: () => point()
    };
    const bar = weight !== false && barOf(weight, `bar:${name}:${at}`);
    return h(`button.lm-word${style.filter(Boolean).join("")}`, attributes, h("bdi", text), bar);
  };
  const words = [source, target].map((list, side) => list.map((text, at) => word(text, side, at)));
  const links = linksOf(map, { movie, now, hard, marks });
  const figure = drawLinked(...words, links, ["Source", "Translation"], movie && `line:${name}`);
  for (const row of figure.element.querySelectorAll("ol"))
    Object.assign(row.dataset, { roving: `${name}:${row.dataset.side}`, axis: "x" });
  figure.element.classList.toggle("lm-movie", movie);
  rest();
  return { elements: [figure.element, looks], select, place: figure.place };
}
function atRest(map, movie, now) {
  if (!movie) return ["Point at a word, or go to it with the Tab and the arrow keys."];
  return now < 0 ? ["Nothing is written yet. Forward writes the first word."] : looksAt(map, now);
}
var barOf = (weight, key) => [
  h("i", { "data-move": key, "data-tween": "height width" }),
  weight >= WRITTEN && h("small", { dir: "ltr" }, number(weight))
];
function linksOf({ source, target, weights, best }, { movie, now, hard, marks }) {
  const lineOf = (row, column) => {
    const weight = weights[row][column];
    const past = movie && row < now;
    const kept = hard && best[row] === column;
    if (weight < (past ? STAYS : DRAWN) && !kept) return [];
    const share = kept ? 1 : weight / 1e3;
    const strength = { width: Math.max(WIDEST * share, 0.8).toFixed(1), opacity: (0.35 + 0.65 * share).toFixed(2) };
    const dashed = { width: 1.5, style: "lm-soft" };
    const [how, key] = [hard && !kept ? dashed : strength, movie && !past ? `${column}` : `${column}-${row}`];
    const title = `${target[row]} – ${source[column]}: ${number(weight)}`;
    return [{ i: column, j: row, title, key, ...how, ...past && { width: 1.5, style: "lm-past" } }];
  };
  const goldOf = (row, column) => {
    const kind = (!movie || row === now) && marks[`${row}:${column}`];
    const title = `${target[row]} – ${source[column]}: ${GOLD[kind]}`;
    const link = { i: column, j: row, key: `gold${column}-${row}`, width: GOLDEN, style: `lm-${kind}`, title };
    return kind ? [link, { ...link, key: `case${column}-${row}`, width: GOLDEN - 3, style: "lm-case" }] : [];
  };
  const places = [...target.keys()].slice(0, now + 1).flatMap((row) => [...source.keys()].map((j) => [row, j]));
  return [goldOf, lineOf].flatMap((of) => places.flatMap(([row, column]) => of(row, column)));
}

// heatmap_next.js
function drawNext(pieces, name, word) {
  const product = pieces.map(({ p }) => chance(p)).join(" × ");
  const together = pieces.reduce((p, one) => p * one.p / 1e3, 1e3);
  return h(
    "div.lm-nexts",
    pieces.map((piece, k) => {
      const title = pieces.length > 1 ? `The likeliest as piece ${k + 1}` : "The likeliest here";
      return h("div.lm-next-words", h("h5", title), drawBars(piece, `${name}:${k}`));
    }),
    pieces.length > 1 && h("p.lm-note", "p(", quoted(word), `) = ${product} = ${chance(Math.round(together))}`)
  );
}
function drawBars({ written, p, best }, key) {
  const rows = best.some(([piece]) => piece === written) ? best : [...best, [written, p]];
  return h(
    "ol.lm-bars",
    rows.map(
      ([piece, share], rank) => h(
        `li${piece === written ? ".lm-written" : ""}`,
        h("span.lm-piece", h("bdi", piece), piece === written && h("span", { title: "written" }, " ✓")),
        h(
          "span.lm-track",
          h("i", { style: `width:${share / 10}%`, "data-move": `next:${key}:${rank}`, "data-tween": "width" })
        ),
        h("span", chance(share))
      )
    )
  );
}
var spokenNext = (pieces) => pieces.map(({ best }) => ` Likeliest: ${best.map(([piece, p]) => `${piece} ${chance(p)}`).join(", ")}.`).join("");

// heatmap_notes.js
function drawForced({ name, forced, differences }, live, ask) {
  const marked = (words, tag) => words.flatMap(([word, kept]) => [" ", kept ? word : h(tag, word)]);
  const same = [...differences.before, ...differences.after].every(([, kept]) => kept);
  return h(
    "div.lm-intervention",
    h(
      "p",
      forced.map(({ target, source }, k) => [
        k ? "; where" : "Where",
        " it wrote ",
        h("b", h("bdi", target)),
        " it looks only at ",
        h("b", h("bdi", source))
      ]),
      "."
    ),
    h("p", h("small", "before"), " ", h("bdi", marked(differences.before, "del"))),
    h("p", h("small", "after"), " ", h("bdi", marked(differences.after, "ins"))),
    same && h("p.lm-note", "The translation stays the same."),
    live && h("button", { type: "button", "data-key": `undo:${name}`, onclick: () => ask({ undo: name }) }, "Undo the last")
  );
}
function drawRates({ others }, { rate }) {
  if (!rate)
    return h(
      "p.lm-note",
      "It writes other words than the gold translation, so the gold links do not fit. ",
      "Let the translators write the gold translation to compare."
    );
  const formula = ({ aer, found, links }) => [
    `1 − (${found.join(" + ")}) / (${links.join(" + ")}) = `,
    h("b", aer.toFixed(2))
  ];
  return h(
    "ul.lm-rates",
    { "aria-label": "Alignment error rates" },
    h("li", h("span", "AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) = "), h("span.lm-aer", formula(rate))),
    others.map((other) => h("li", h("span", `${other.name}: `), h("span.lm-aer", formula(other))))
  );
}
function drawLegend({ form, hard, gold, possible, next, live }) {
  const square = (name, share) => h(`span.lm-cell.${name}`, { "aria-hidden": "true" }, share && h("i", { style: `--share:${share}` }));
  const line = (name, width) => svg(`g.lm-link.${name}`, svg("line", { x1: 3, x2: 33, y1: 8, y2: 8, "stroke-width": width }));
  const stroke = (...lines) => svg("svg", { viewBox: "0 0 36 16", "aria-hidden": "true" }, lines);
  const grid = form === "grid";
  const strokes = { "lm-plain": [["lm-plain", 8]], "lm-soft": [["lm-soft", 2]], "lm-past": [["lm-past", 2]] };
  const drawn = (name) => (strokes[name] ?? [
    [name, 13],
    ["lm-case", 10]
  ]).map((one) => line(...one));
  const sample = (name, size) => grid ? square(name, size) : stroke(drawn(name));
  const measure = grid ? "area" : "width";
  return [
    h("li", sample("lm-plain", 1), hard ? "the largest weight of its row, taken as 1" : `${measure}: the weight`),
    hard && h("li", sample("lm-soft", 0.7), "a weight that the hard alignment drops"),
    form === "movie" && h("li", sample("lm-past"), "where words before looked"),
    gold && h("li", sample("lm-sure"), GOLD.sure),
    gold && possible && h("li", sample("lm-possible"), GOLD.possible),
    next && h("li", "✓ what is written; a piece ends with … where its word goes on"),
    grid && live && h("li", "Click a cell, or press Enter on it, to force this word to look there alone.")
  ].filter(Boolean);
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

// attention_heatmap.js
var TRAITS = ["views", "at", "level", "hard", "reference", "form", "step"];
var FORMS = { grid: "Grid", lines: "Lines", movie: "Movie" };
var NO_PYTHON = "This page has no Python. It shows the sentences that it holds; to translate your own, or to force a word’s attention, open the notebook.";
function render(context) {
  const w = widget(context, "lm-heatmap", "Attention heatmap");
  const { get, put, live, root, say } = w;
  const { said, ask } = asking(w, { doing: "Translating …", done: "", refused: "Not translated" });
  const viewNow = () => get("views")[get("at")];
  const submit = () => ask({ read: field.value });
  const field = w.bind(
    h("input", {
      type: "text",
      dir: "auto",
      spellcheck: "false",
      "aria-label": "Your sentence",
      onkeydown: ({ key }) => key === "Enter" && submit()
    }),
    "text"
  );
  const sentence = h("select", {
    onchange: () => put({ at: Number(sentence.value), text: get("views")[sentence.value].text, step: 1 })
  });
  const option = (trait, label, values) => h(
    "label",
    label,
    w.bind(
      h(
        "select",
        { onchange: ({ target }) => put({ [trait]: values[target.value][0] }) },
        values.map(([, text], value) => h("option", { value }, text))
      ),
      trait,
      () => values.findIndex(([value]) => value === get(trait))
    )
  );
  const chosen = h("label.lm-chosen", "Sentence", sentence);
  const writes = option("reference", "The translators write", [
    [false, "their own words"],
    [true, "the gold translation"]
  ]);
  const choose = (form) => put({ form, step: get("step") < last() ? Math.max(get("step"), 1) : 1 });
  const forms = Object.entries(FORMS).map(
    ([form, text]) => h("button", { type: "button", "data-form": form, onclick: () => choose(form) }, text)
  );
  const last = () => Math.max(0, ...viewNow().models.map((model) => mapOf(get, model)?.target.length ?? 0));
  const time = timeline({
    now: () => Math.min(get("step"), last()),
    last,
    go: (step) => put({ step }),
    unit: () => get("level"),
    draw: () => draw(),
    atEnd: w.atEnd
  });
  const player2 = h("div.lm-time", time.elements);
  moveByKeys(root, () => get("form") === "movie" ? time.keys : {});
  const panels = h("div.lm-panels");
  const legend = h("ul.lm-legend", { "aria-label": "Legend" });
  const content = [
    h(
      "fieldset.lm-read",
      { disabled: !live },
      h("legend.lm-hidden", "What is translated"),
      field,
      h("button.lm-primary", { type: "button", onclick: submit }, "Translate")
    ),
    live ? said : h("p.lm-note", NO_PYTHON),
    h(
      "div.lm-toolbar",
      h("div.lm-forms", { role: "group", "aria-label": "Form" }, forms),
      chosen,
      option("level", "Units", [
        ["words", "words"],
        ["pieces", "subword pieces"]
      ]),
      option("hard", "Alignment", [
        [false, "soft: all weights"],
        [true, "hard: the largest weight of each row"]
      ]),
      writes
    ),
    panels,
    legend
  ];
  let shown;
  function draw() {
    const view = viewNow();
    const movie = get("form") === "movie";
    const step = Math.min(get("step"), last());
    if (!movie) time.stop();
    chosen.hidden = get("views").length < 2;
    sentence.replaceChildren(
      ...get("views").map(({ text }, value) => h("option", { value, selected: value === get("at") }, text))
    );
    writes.hidden = !view.gold;
    for (const button of forms) button.setAttribute("aria-pressed", button.dataset.form === get("form"));
    if (!movie) player2.remove();
    else if (!player2.parentNode) panels.before(player2);
    time.draw();
    const selects = /* @__PURE__ */ new Map();
    const share = (from, column) => get("level") === "words" && selects.forEach((select, name) => name !== from && select(void 0, column));
    const places = [];
    const its = {
      live,
      ask,
      say,
      share,
      selects,
      places,
      step: movie ? step : void 0,
      go: (to) => put({ step: to })
    };
    const before = shown;
    shown = JSON.stringify(TRAITS.map((trait) => trait !== "step" && get(trait)));
    redraw(root, () => {
      panels.classList.toggle("lm-wide", get("form") !== "grid");
      withMotion(panels, movie && before === shown, () => {
        panels.replaceChildren(...view.models.map((model) => drawModel(get, view, model, its)));
        for (const place of places) place();
      });
      legend.replaceChildren(...drawLegend(legendOf(get, view)));
    });
    if (!time.playing()) say(view.models.map((model) => spoken(get, model, its.step)).join(" "));
  }
  return w.start(content, TRAITS, draw);
}
var given = (get, model) => get("reference") && model.reference;
var readingOf = (get, model) => given(get, model) || model.held || model.free;
var mapOf = (get, model) => readingOf(get, model).levels?.[get("level")];
function nextOf(get, model, step) {
  const [reading, map] = [readingOf(get, model), mapOf(get, model)];
  if (!step || !map || !reading.likeliest) return null;
  return map.steps[Math.min(step, map.target.length) - 1].map((t) => reading.likeliest[t]);
}
function spoken(get, model, step) {
  const map = mapOf(get, model);
  if (step === void 0 || !map) return `${model.name}: ${readingOf(get, model).translation.join(" ")}.`;
  if (!step) return `${model.name}: nothing is written yet.`;
  const looks = h("p", looksAt(map, Math.min(step, map.target.length) - 1)).textContent;
  return `${model.name}: ${looks}${spokenNext(nextOf(get, model, step) ?? [])}`;
}
function legendOf(get, view) {
  const readings = view.models.map((model) => readingOf(get, model));
  return {
    form: get("form"),
    hard: get("hard"),
    gold: get("level") === "words" && readings.some(({ rate }) => rate),
    possible: view.gold?.possible.length > 0,
    next: get("form") === "movie" && readings.some(({ likeliest }) => likeliest),
    live: get("live")
  };
}
function drawModel(get, view, model, { live, ask, say, share, selects, places, step, go }) {
  const askOfShown = (request) => ask({ ...request, shown: view.text });
  const reading = readingOf(get, model);
  const { name } = model;
  const told = h("p.lm-told", { role: "status" });
  const force = (row, column) => {
    if (!live) told.textContent = "To force a word’s attention needs Python: open the notebook.";
    else if (given(get, model))
      told.textContent = "Here the words are given. Let the translators write their own words to force one.";
    else askOfShown({ force: { model: name, row, column, level: get("level") } });
  };
  const heading = h("h4", name);
  if (!reading.levels)
    return h(
      "section.lm-panel.lm-bare",
      { "aria-label": name },
      heading,
      h("p.lm-sentence", h("bdi", reading.translation.join(" "))),
      h("p.lm-note", "This translator has no attention: all it knows of the source stands in one vector.")
    );
  const map = reading.levels[get("level")];
  const marks = reading.rate && get("level") === "words" ? marksOf(view.gold) : {};
  const forced = new Set(!given(get, model) && model.rows?.[get("level")] || []);
  const drawn = get("form") === "grid" ? drawHeatmap : drawLines;
  const { elements, select, place } = drawn(map, {
    name,
    hard: get("hard"),
    marks,
    forced,
    force,
    say,
    share: (column) => share(name, column),
    step,
    go
  });
  const next = nextOf(get, model, step);
  selects.set(name, select);
  if (place) places.push(place);
  return h(
    "section.lm-panel",
    { "aria-label": name },
    heading,
    elements,
    next && drawNext(next, name, map.target[Math.min(step, map.target.length) - 1]),
    told,
    !given(get, model) && model.forced.length > 0 && drawForced(model, live, askOfShown),
    view.gold && drawRates(view.gold, reading)
  );
}
function marksOf({ sure, possible }) {
  const places = (links, kind) => links.map(([column, row]) => [`${row}:${column}`, kind]);
  return Object.fromEntries([...places(possible, "possible"), ...places(sure, "sure")]);
}
var attention_heatmap_default = { render };
export {
  attention_heatmap_default as default
};
