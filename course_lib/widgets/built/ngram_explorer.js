// ngram_explorer.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp f26e9cfcef513ce1b96876ec9a73399f
// base.js
var HTML = "http://www.w3.org/1999/xhtml";
var PATIENCE = 3e4;
var SILENT = "No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?";
var LOST = "Python does not know this widget any more: run its cell again.";
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

// ngram_rows.js
var SUB = ["₀", "₁", "₂", "₃", "₄"];
var STATES = {
  matched: ["✓", "matched: it counts"],
  clipped: ["⊘", "clipped: the output has it more often than any reference"],
  absent: ["×", "in no reference"]
};
var HINT = "Point at an n-gram, or move to it with Tab and the arrow keys, to see where it stands.";
var STAYS = 100;
function drawNgrams(view, { get, put, say }) {
  const line = (tokens2) => tokens2.map((token) => h("li", { dir: "auto" }, token));
  const output = line(view.hypothesis);
  const references = view.references.map(line);
  const told = h("p.lm-told");
  const chips = [];
  const light = (tokens2, from, n, kind) => {
    for (const token of tokens2.slice(from, from + n))
      if (!token.dataset.light?.includes("here")) token.dataset.light = kind;
  };
  const show = (n, at) => {
    for (const token of [output, ...references].flat()) delete token.dataset.light;
    const one = n && view.orders[n - 1].ngrams[at];
    told.replaceChildren(...one ? sentence(view, n, one) : [HINT]);
    told.classList.toggle("lm-quiet", !one);
    if (!one) return;
    light(output, at, n, `${one.state} here`);
    for (const other of view.orders[n - 1].ngrams)
      if (other.at !== at && other.ngram.join(" ") === one.ngram.join(" ")) light(output, other.at, n, other.state);
    if (one.match) light(references[one.match[0]], one.match[1], n, "matched here");
    for (const [r, i] of one.places) light(references[r], i, n, "place");
  };
  const mark = () => {
    const [n, at] = get("picked");
    for (const { button, n: order, at: place } of chips) {
      if (order === n && place === at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    show(n, at);
  };
  const pick = (n, one) => {
    const [order, at] = get("picked");
    if (order !== n || at !== one.at) put({ picked: [n, one.at] });
    mark();
    say(told.textContent);
  };
  const chip = (n, one) => {
    const [sign] = STATES[one.state];
    const button = h(
      `button.lm-gram.lm-${one.state}`,
      {
        type: "button",
        tabindex: -1,
        "data-key": `gram:${n}:${one.at}`,
        onfocus: () => pick(n, one),
        onclick: () => pick(n, one),
        onmouseenter: () => show(n, one.at),
        onmouseleave: mark
      },
      h("span", { "aria-hidden": "true" }, sign),
      h("bdi", one.ngram.join(" ")),
      h("span.lm-hidden", one.state === "absent" ? "in no reference" : one.state)
    );
    chips.push({ button, n, at: one.at });
    return button;
  };
  const rows = view.orders.map((order, k) => {
    const buttons = order.ngrams.map((one) => chip(k + 1, one));
    return { buttons, element: drawOrder(order, k + 1, buttons, view.factors[k + 1].weight > 0) };
  });
  const grams = h(
    "div.lm-orders",
    rows.map(({ element: element2 }) => element2)
  );
  const cells = rows.map(({ buttons }) => buttons).filter((buttons) => buttons.length);
  if (cells.length) moveInGrid(grams, cells);
  grams.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") put({ picked: [] });
  });
  const tokens = [output, ...references].flat().length;
  const element = h(
    "div",
    h(
      `div.lm-lit${tokens <= STAYS ? ".lm-stays" : ""}`,
      h(
        "div.lm-passages",
        drawLine("Output", `c = ${view.c}`, output),
        references.map((reference, k) => drawReference(view, reference, k))
      ),
      told
    ),
    grams,
    drawLegend()
  );
  return { element, mark };
}
var drawLine = (name, note, tokens) => h(
  "div.lm-line",
  h("p", h("b", name), h("small", note)),
  h("ol", { "aria-label": name, dir: "auto" }, tokens.length ? tokens : h("li.lm-nothing", "(empty)"))
);
var drawReference = (view, tokens, k) => drawLine(
  view.references.length > 1 ? `Reference ${k + 1}` : "Reference",
  k === view.closest ? `r = ${view.r}${view.references.length > 1 ? ", closest" : ""}` : `${tokens.length} tokens`,
  tokens
);
function drawOrder({ matches, total, p }, n, buttons, isCounted) {
  const smoothed = !total || Math.abs(p - matches / total) > 1e-12;
  const share = `p${SUB[n]} = ${matches} / ${total}`;
  const value = smoothed ? [share, h("br"), `smoothed: ${p.toFixed(3)}`] : `${share} = ${p.toFixed(3)}`;
  const none = `No ${n}-gram: the output has ${n === 1 ? "no token" : `fewer than ${n} tokens`}.`;
  return h(
    "div.lm-order",
    { role: "group", "aria-label": `${n}-grams`, "data-order": n },
    h("p", h("b", `${n}-grams`), h("small", isCounted ? value : "not counted")),
    h("div.lm-grams", buttons.length ? buttons : h("span.lm-nothing", none))
  );
}
var drawLegend = () => h(
  "ul.lm-legend",
  { "aria-label": "Marks" },
  Object.entries(STATES).map(
    ([state, [sign, said]]) => h("li", h(`span.lm-gram.lm-${state}`, { "aria-hidden": "true" }, sign), said)
  )
);
function sentence(view, n, one) {
  const { matches, total } = view.orders[n - 1];
  const where = one.match && (view.references.length > 1 ? `matched in reference ${one.match[0] + 1}` : "matched");
  const fate = { matched: where, clipped: "clipped", absent: "in no reference" }[one.state];
  const counts = `${one.counted} ${one.counted === 1 ? "counts" : "count"}`;
  const rule = `: ${fate}. ${one.count} in the output, at most ${one.most} in one reference: ${counts}. `;
  return [
    h("b", { dir: "auto" }, `“${one.ngram.join(" ")}”`),
    rule,
    `Its share of p${SUB[n]} = ${matches} / ${total} is ${one.counted} / ${total}.`
  ];
}

// bleu_factors.js
var signed = (value, digits = 3) => value.toFixed(digits).replace(/^-?0\.0+$/, (zero) => zero.replace("-", "")).replace("-", "−");
var nameOf = (name) => name === "BP" ? name : `p${SUB[name[1]]}`;
var logOf = (log) => log === null ? "−∞" : signed(log);
function drawFactors(view, smoothing) {
  const { factors, bleu } = view;
  const sizes = factors.map(({ log }) => log === null ? Infinity : -log);
  const finite = sizes.filter(Number.isFinite).reduce((a, b) => a + b, 0);
  const infinite = sizes.includes(Infinity);
  const width = infinite ? Math.max(finite * 1.5, 1) : Math.max(finite, 1e-9);
  const most = Math.max(...sizes);
  const worst = most > 0 ? factors.filter((_, k) => sizes[k] === most).map(({ name }) => nameOf(name)) : [];
  let from = 0;
  const rows = factors.map((factor, k) => {
    const to = Math.min(from + sizes[k], width);
    const bar = drawBar(from, to, width, sizes[k] === Infinity);
    if (Number.isFinite(sizes[k])) from = to;
    return drawRow(view, factor, bar, worst);
  });
  const total = infinite ? null : -finite;
  const last = h(
    "tr.lm-sum",
    h("th", { scope: "row" }, "sum"),
    h("td"),
    h("td", logOf(total)),
    h("td.lm-track", drawBar(0, width, width, infinite, finite === 0)),
    h("td", h("b", `BLEU ${bleu.toFixed(1)}`))
  );
  const counted = factors.filter(({ name, weight }) => name !== "BP" && weight > 0).length;
  return h(
    "div.lm-factors",
    h("h4", "BLEU as a sum of logs ", h("small", "the longer a bar, the more its factor takes away")),
    h("p.lm-formula", formulaOf(counted)),
    h(
      "div.lm-scroll-x",
      { tabindex: 0, role: "group", "aria-label": "BLEU as a sum of logs" },
      h(
        "table",
        h(
          "thead",
          h(
            "tr",
            ["factor", "value", "log", "takes away", "BLEU so far"].map((name) => h("th", { scope: "col" }, name))
          )
        ),
        h("tbody", rows, last)
      )
    ),
    h("p.lm-note", noteOf(worst, infinite, smoothing))
  );
}
function formulaOf(counted) {
  const logs = Array.from({ length: counted }, (_, k) => `log p${SUB[k + 1]}`).join(" + ");
  const mean = counted > 1 ? ` + 1/${counted} · (${logs})` : counted ? ` + ${logs}` : "";
  return `log (BLEU / 100) = log BP${mean}`;
}
function penaltyOf({ c, r }, value) {
  if (c >= r) return `1, as c = ${c} ≥ r = ${r}`;
  return c ? `exp(1 − ${r}/${c}) = ${value.toFixed(3)}` : "0, as c = 0";
}
function drawRow(view, { name, value, weight, log, after }, bar, worst) {
  const counted = weight ? value.toFixed(3) : "no n-grams";
  const share = weight === 1 ? "" : `1/${Math.round(1 / weight)} · `;
  return h(
    `tr${worst.includes(nameOf(name)) ? ".lm-worst" : ""}`,
    { "data-factor": name },
    h("th", { scope: "row" }, nameOf(name)),
    h("td", name === "BP" ? penaltyOf(view, value) : counted),
    h("td", weight ? [h("span", `${share}log ${nameOf(name)} = `), logOf(log)] : "–"),
    h("td.lm-track", bar),
    h("td", after.toFixed(1))
  );
}
function drawBar(from, to, width, endless, none = false) {
  const percent = (value) => `${(100 * value / width).toFixed(2)}%`;
  if (none || to <= from) return h("span.lm-bar.lm-none", { style: `left:${percent(from)}` });
  return h(`span.lm-bar${endless ? ".lm-endless" : ""}`, {
    style: `left:${percent(from)};width:${percent(to - from)}`
  });
}
function noteOf(worst, infinite, smoothing) {
  const names = worst.join(" and ");
  const are = worst.length > 1 ? "are" : "is";
  if (infinite && smoothing === "none") return `${names} ${are} 0, and log 0 is −∞: BLEU is 0, whatever the rest is.`;
  if (infinite) return "Nothing matches: BLEU is 0.";
  if (!worst.length) return "No factor takes anything away: all n-grams match, and the output is long enough.";
  return `Most is taken away by ${names}. The logs are natural ones.`;
}

// ngram_explorer.js
var TYPED = 150;
var PAUSE = 500;
var SMOOTHINGS = {
  none: "none: p may be 0",
  floor: "floor: 0.1 match in place of 0",
  "add-k": "add-k: 1 more match from p₂ on",
  exp: "exp: 1/2, 1/4, … match in place of 0"
};
var MORE = "more is better";
var SCORES = [
  ["bleu", "BLEU", MORE],
  ["chrf", "chrF", MORE],
  ["ter", "TER", "less is better"]
];
var same = (one, other) => one.trim().split(/\s+/).join(" ") === other.trim().split(/\s+/).join(" ");
function render(context) {
  const w = widget(context, "lm-ngrams", "N-gram explorer");
  const { get, put, on, live, root, say, atEnd } = w;
  const isEdited = () => "orders" in get("edited");
  const view = () => isEdited() ? get("edited") : get("views")[get("at")];
  const field = textArea("Output", 2);
  let typed = null;
  const { said, ask } = asking(w, { doing: "", done: "", refused: "Not scored" }, (error) => {
    if (error) typed = null;
  });
  const waiting = {};
  const forget = () => Object.values(waiting).forEach(clearTimeout);
  const editSoon = () => {
    typed = field.value;
    forget();
    waiting.typed = setTimeout(() => ask({ edit: field.value }), TYPED);
  };
  atEnd(forget);
  field.addEventListener("input", editSoon);
  field.readOnly = !live;
  const fill = () => {
    if (typed !== null && !same(typed, get("text"))) return;
    if (!same(field.value, get("text"))) field.value = get("text");
    typed = null;
  };
  on("change:text", fill);
  fill();
  const choose = (at) => {
    forget();
    typed = null;
    put({ at, picked: [], edited: {}, text: get("outputs")[at] });
    fill();
  };
  const options = get("names").map((name, k) => h("option", { value: k }, name));
  const chosen = w.bind(h("select", { onchange: ({ target }) => choose(Number(target.value)) }, options), "at");
  const smoothing = w.bind(
    h(
      "select",
      { disabled: !live, onchange: ({ target }) => ask({ smooth: target.value }) },
      Object.entries(SMOOTHINGS).map(([value, name]) => h("option", { value }, name))
    ),
    "smoothing"
  );
  const giveBack = () => {
    choose(get("at"));
    field.focus();
  };
  const back = h("button", { type: "button", onclick: giveBack }, "Back to the given output");
  const toolbar = h(
    "div.lm-fields",
    options.length > 1 && h("label", "Given outputs", chosen),
    h("label", "Smoothing of BLEU", smoothing),
    back
  );
  const edit = h(
    "div.lm-edit",
    h("label", h("span", live ? "Output: edit it, and every number follows" : "Output"), field),
    !live && h(
      "p.lm-note",
      "This page runs without Python: the output cannot be edited. Run the cell in the notebook for that."
    ),
    said
  );
  const scores = h("ul.lm-scores", { "aria-label": "Scores" });
  const stage = h("div");
  let ngrams = null;
  function draw() {
    const now = view();
    const given = get("views")[get("at")];
    back.hidden = !isEdited();
    redraw(root, () => {
      scores.replaceChildren(
        ...SCORES.map(([key, ...about]) => drawScore(now[key], isEdited() && given[key], ...about))
      );
      ngrams = drawNgrams(now, { get, put, say });
      stage.replaceChildren(ngrams.element, drawFactors(now, get("smoothing")));
    });
    suppressShortcuts(root);
    ngrams.mark();
    if (now.ter === null && live) {
      clearTimeout(waiting.pause);
      waiting.pause = setTimeout(() => ask({ add_ter: true }), PAUSE);
    }
    say(SCORES.map(([key, name]) => `${name} ${now[key]?.toFixed(1) ?? "follows"}`).join(", "));
  }
  on("change:picked", () => ngrams.mark());
  return w.start([toolbar, edit, scores, stage], ["views", "at", "edited", "smoothing"], draw);
}
function drawScore(value, given, name, note) {
  if (value === null) return h("li", { "data-score": name }, h("span", name), h("b", "…"), h("small", "follows"));
  const change = Number(value.toFixed(1)) - (given === false ? 0 : Number(given.toFixed(1)));
  const size = Math.abs(change).toFixed(1);
  const better = change > 0 === (note === MORE);
  const moved = size === "0.0" ? "as before" : `${change > 0 ? "+" : "−"}${size}, ${better ? "better" : "worse"}`;
  const beside = given === false ? note : `${moved} (given: ${given.toFixed(1)})`;
  return h("li", { "data-score": name }, h("span", name), h("b", value.toFixed(1)), h("small", beside));
}
var ngram_explorer_default = { render };
export {
  ngram_explorer_default as default
};
