// attention_heatmap.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp 126352264a88e5584315b9e33e9d7319
// base.js
var HTML = "http://www.w3.org/1999/xhtml";
var PATIENCE = 3e4;
var h = (name, ...rest) => elementOf(HTML, name, rest);
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
    if (saves) root.append(saveButton(model, label, on));
    el.replaceChildren(root);
    draw();
    return () => endings.forEach((end) => end());
  };
  return {
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
}
function saveButton(model, label, on) {
  const button = h("button.lm-save", { type: "button", onclick: save }, "Save as HTML");
  function save() {
    if (!model.get("live")) return keep(model.page());
    button.textContent = "Saving … (Python makes the page)";
    try {
      model.send({ save: true });
    } catch {
      button.textContent = "Not saved: Python does not know this widget any more. Run its cell again.";
    }
  }
  function keep(page) {
    const href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    h("a", { href, download: `${label.toLowerCase().replaceAll(" ", "-")}.html` }).click();
    setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
    button.textContent = "Save as HTML";
  }
  on("msg:custom", ({ page }) => page && keep(page));
  return button;
}
function asking({ send, on, atEnd }, { doing, done, refused }) {
  const said = h("p.lm-said", { role: "status" });
  let asked = 0;
  let waiting = null;
  const tell = (text, bad = false) => {
    said.textContent = text;
    said.classList.toggle("lm-bad", bad);
  };
  const silent = () => tell("No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?");
  const lost = () => {
    stop();
    tell("Python does not know this widget any more: run its cell again.", true);
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
    try {
      send({ ask: request, id }, () => id === asked && waiting !== null && lost());
    } catch {
      lost();
    }
  };
  on("comm_live_update", lost);
  on("msg:custom", ({ id, error }) => {
    if (id !== asked) return;
    stop();
    tell(error ? `${refused}: ${error}` : done, Boolean(error));
  });
  atEnd(stop);
  return { said, ask };
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

// heatmap_grid.js
var WRITTEN = 50;
var NAMED = 3;
var GOLD = { sure: "sure gold link", possible: "possible gold link" };
var number = (thousandths) => (thousandths / 1e3).toFixed(2).replace(/^0/, "");
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

// attention_heatmap.js
var TRAITS = ["views", "at", "level", "hard", "reference"];
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
    onchange: () => put({ at: Number(sentence.value), text: get("views")[sentence.value].text })
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
  function draw() {
    const view = viewNow();
    chosen.hidden = get("views").length < 2;
    sentence.replaceChildren(
      ...get("views").map(({ text }, value) => h("option", { value, selected: value === get("at") }, text))
    );
    writes.hidden = !view.gold;
    const selects = /* @__PURE__ */ new Map();
    const share = (from, column) => get("level") === "words" && selects.forEach((select, name) => name !== from && select(void 0, column));
    redraw(root, () => {
      panels.replaceChildren(
        ...view.models.map((model) => drawModel(get, view, model, { live, ask, say, share, selects }))
      );
      legend.replaceChildren(...drawLegend(get, view));
    });
    say(view.models.map((model) => `${model.name}: ${readingOf(get, model).translation.join(" ")}.`).join(" "));
  }
  return w.start(content, TRAITS, draw);
}
var given = (get, model) => get("reference") && model.reference;
var readingOf = (get, model) => given(get, model) || model.held || model.free;
function drawModel(get, view, model, { live, ask, say, share, selects }) {
  const reading = readingOf(get, model);
  const { name } = model;
  const told = h("p.lm-told", { role: "status" });
  const force = (row, column) => {
    if (!live) told.textContent = "To force a word’s attention needs Python: open the notebook.";
    else if (given(get, model))
      told.textContent = "Here the words are given. Let the translators write their own words to force one.";
    else ask({ force: { model: name, row, column, level: get("level") } });
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
  const { elements, select } = drawHeatmap(map, {
    name,
    hard: get("hard"),
    marks,
    forced,
    force,
    say,
    share: (column) => share(name, column)
  });
  selects.set(name, select);
  return h(
    "section.lm-panel",
    { "aria-label": name },
    heading,
    elements,
    told,
    !given(get, model) && model.forced.length > 0 && drawForced(model, live, ask),
    view.gold && drawRates(view.gold, reading)
  );
}
function marksOf({ sure, possible }) {
  const places = (links, kind) => links.map(([column, row]) => [`${row}:${column}`, kind]);
  return Object.fromEntries([...places(possible, "possible"), ...places(sure, "sure")]);
}
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
function drawLegend(get, view) {
  const sample = (name, share) => h(`span.lm-cell.${name}`, { "aria-hidden": "true" }, share && h("i", { style: `--share:${share}` }));
  const gold = get("level") === "words" && view.models.some((model) => readingOf(get, model).rate);
  return [
    h("li", sample("lm-plain", 1), get("hard") ? "the largest weight of its row, taken as 1" : "area: the weight"),
    get("hard") && h("li", sample("lm-soft", 0.7), "a weight that the hard alignment drops"),
    gold && h("li", sample("lm-sure"), GOLD.sure),
    gold && view.gold.possible.length > 0 && h("li", sample("lm-possible"), GOLD.possible),
    get("live") && h("li", "Click a cell, or press Enter on it, to force this word to look there alone.")
  ].filter(Boolean);
}
var attention_heatmap_default = { render };
export {
  attention_heatmap_default as default
};
