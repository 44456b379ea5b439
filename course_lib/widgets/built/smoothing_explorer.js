// smoothing_explorer.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp babd5079836fdb08969f10fe926b8ff4
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
var groupName = () => `lm-${Math.random().toString(36).slice(2)}`;
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

// explorer.js
function few(value) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size === 0 || size >= 1e-4) return `${sign}${Number(size.toPrecision(3))}`;
  const [digits, power] = size.toExponential(2).split("e-");
  return `${sign}${digits} · 10⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}
function predictBox({ get, put, on }, forgotten) {
  const box = h("input", {
    type: "checkbox",
    onchange: ({ target }) => put({ predict: target.checked, ...forgotten })
  });
  const show = () => box.checked = get("predict");
  on("change:predict", show);
  show();
  return h("label.lm-predict", box, "Predict");
}
function question(text, labels, answer) {
  const fields = labels.map(
    (label) => h("input", {
      type: "number",
      step: "any",
      "data-key": `guess:${label}`,
      onkeydown: ({ key }) => key === "Enter" && send()
    })
  );
  const send = () => {
    const missing = fields.find(({ value }) => value === "");
    if (missing) missing.focus();
    else answer(fields.map(({ value }) => Number(value)));
  };
  return h(
    "div.lm-next.lm-question",
    h("p.lm-headline", text),
    h(
      "div.lm-fields",
      fields.map((field, k) => h("label", labels[k], field)),
      h("button.lm-primary", { type: "button", onclick: send }, "Show")
    )
  );
}
var verdict = (right, ...text) => h(
  "div.lm-next",
  h("p.lm-headline", right ? h("span.lm-right", "Right.") : h("span.lm-wrong", "Not quite."), h("span", text))
);

// smoothing_explorer.js
var WAYS = { others: "the other words: ε / (n − 1) each (Li)", all: "all words: ε / n each (torch)" };
var LARGEST = 12;
var BAR = 120;
function computed({ logits, right, epsilon, share }) {
  const n = logits.length;
  const top = Math.max(...logits);
  const log_sum = top + Math.log(logits.reduce((sum2, z) => sum2 + Math.exp(z - top), 0));
  const log_p = logits.map((z) => z - log_sum);
  const p = log_p.map(Math.exp);
  const other = share === "all" ? epsilon / n : epsilon / (n - 1);
  const q = logits.map((_, v) => v !== right ? other : share === "all" ? 1 - epsilon + other : 1 - epsilon);
  const terms = q.map((share2, v) => -share2 * log_p[v]);
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const floor = sum(q.map((share2) => share2 > 0 ? -share2 * Math.log(share2) : 0));
  return { p, q, terms, gradient: p.map((value, v) => value - q[v]), loss: sum(terms), plain: -log_p[right], floor };
}
function render(context) {
  const w = widget(context, "lm-smoothing", "Label-smoothing explorer");
  const { get, put, root, say } = w;
  const state = () => Object.fromEntries(["logits", "right", "epsilon", "share"].map((name) => [name, get(name)]));
  const isOpen = () => !get("predict") || "p" in get("guess");
  const inside = (z) => Math.min(Math.max(z, -LARGEST), LARGEST);
  const epsilon = h("input", {
    type: "range",
    min: 0,
    max: 0.9,
    step: 0.01,
    "data-key": "epsilon",
    "aria-label": "ε",
    oninput: ({ target }) => put({ epsilon: Number(target.value), guess: {} })
  });
  const slide = h("label", h("span"), w.bind(epsilon, "epsilon"));
  const share = h(
    "label",
    "ε is shared by",
    w.bind(
      h(
        "select",
        {
          onchange: ({ target }) => put({ share: target.value, guess: {} })
        },
        Object.entries(WAYS).map(([value, name]) => h("option", { value }, name))
      ),
      "share"
    )
  );
  const descend = (times) => () => {
    let { logits } = state();
    for (let k = 0; k < times; k++) {
      const { gradient } = computed({ ...state(), logits });
      logits = logits.map((z, v) => inside(z - gradient[v]));
    }
    put({ logits });
  };
  const atFloor = () => {
    const { q } = computed(state());
    const logs = q.map(Math.log);
    const middle = (Math.max(...logs) + Math.min(...logs)) / 2;
    put({ logits: logs.map((z) => inside(z - middle)) });
  };
  const lowest = h("button", { type: "button", onclick: atFloor }, "To the lowest loss");
  const buttons = h(
    "div.lm-fields",
    h("button", { type: "button", onclick: descend(1) }, "One step: z − (p − q)"),
    h("button", { type: "button", onclick: descend(100) }, "100 steps"),
    lowest,
    h("button", { type: "button", onclick: () => put({ logits: get("first") }) }, "Back to the first logits")
  );
  const told = h("div");
  const sums = h("div");
  const group = groupName();
  const made = get("words").map((word, v) => rowOf(w, group, word, v, inside));
  const rows = h(
    "div.lm-rows",
    { role: "group", "aria-label": "Words" },
    drawHead(),
    made.map(({ row }) => row)
  );
  function draw() {
    const now = state();
    const found = computed(now);
    slide.firstChild.textContent = `ε = ${now.epsilon.toFixed(2)}`;
    lowest.hidden = !isOpen();
    lowest.disabled = !now.epsilon;
    for (const { update } of made) update(now, found);
    redraw(root, () => {
      told.replaceChildren(...[drawQuestion(get, put, found)].filter(Boolean));
      sums.replaceChildren(drawSums(now, found, isOpen()));
    });
    const [word, p] = [get("words")[now.right], found.p[now.right]];
    say(`ε ${now.epsilon.toFixed(2)}, loss ${found.loss.toFixed(3)}, p of ${word} ${p.toFixed(3)}.`);
  }
  const content = [h("div.lm-fields", slide, share, predictBox(w, { guess: {} })), told, rows, sums, buttons];
  return w.start(content, ["logits", "right", "epsilon", "share", "predict", "guess"], draw);
}
function drawQuestion(get, put, { q }) {
  if (!get("predict")) return null;
  const guess = get("guess");
  const best = q[get("right")];
  if (!("p" in guess))
    return question(
      "For which probability p of the right word is the loss lowest, at this ε?",
      ["p "],
      ([p]) => put({ guess: { p } })
    );
  return verdict(
    Math.abs(guess.p - best) <= 5e-3,
    `You said ${few(guess.p)}. The loss is lowest where p = q, so at ${best.toFixed(3)} for the right word.`
  );
}
var drawHead = () => h(
  "div.lm-row.lm-head",
  ["right", "word", "logit z", "p, and q as a frame", "q", "p", "−q log p", "gradient p − q"].map(
    (name) => h("span", name)
  )
);
function rowOf({ get, put }, group, word, v, inside) {
  const set = (z) => put({ logits: get("logits").map((old, k) => k === v ? inside(z) : old) });
  const choose = h("input", {
    type: "radio",
    name: group,
    "aria-label": `${word} is right`,
    onchange: () => put({ right: v, guess: {} })
  });
  const slider = h("input", {
    type: "range",
    min: -LARGEST,
    max: LARGEST,
    step: 0.1,
    "aria-label": `logit of ${word}`,
    oninput: ({ target }) => set(Number(target.value))
  });
  const output = h("output");
  const bars = h("span");
  const numbers = ["q", "p", "term", "gradient"].map((name) => h("span.lm-n", { "data-number": name }));
  const row = h(
    "div.lm-row",
    { "data-word": v },
    h("span", choose),
    h("span", h("bdi", word)),
    h("span", slider, output),
    bars,
    numbers
  );
  const update = ({ logits, right }, { p, q, terms, gradient }) => {
    choose.checked = v === right;
    slider.value = logits[v];
    output.textContent = logits[v].toFixed(1).replace("-", "−");
    row.classList.toggle("lm-is-right", v === right);
    bars.replaceChildren(drawBars(p[v], q[v]));
    const arrow = gradient[v] < -5e-4 ? " ↑" : gradient[v] > 5e-4 ? " ↓" : "";
    const texts = [...[q[v], p[v], terms[v]].map((value) => value.toFixed(3)), `${signed(gradient[v])}${arrow}`];
    numbers.forEach((place, k) => place.textContent = texts[k]);
  };
  return { row, update };
}
var signed = (value) => value.toFixed(3).replace(/^-0\.000$/, "0.000").replace("-", "−");
var drawBars = (p, q) => svg(
  "svg.lm-bars",
  { viewBox: `0 0 ${BAR} 20`, preserveAspectRatio: "none", "aria-hidden": "true" },
  svg("rect.lm-p", { x: 0, y: 3, width: Math.max(p * BAR, 0.5), height: 14 }),
  svg("rect.lm-q", { x: 0.75, y: 0.75, width: Math.max(q * BAR - 1.5, 0.5), height: 18.5 })
);
function drawSums({ epsilon }, { loss, plain, floor }, open) {
  const one = (name, value, note) => h("li", { "data-sum": name }, `${name}: `, h("b", value.toFixed(3)), h("span", ` ${note}`));
  return h(
    "ul.lm-sums",
    one("smoothed loss", loss, "= −Σ q log p"),
    open && one(
      "its lowest value",
      floor,
      epsilon ? "= −Σ q log q, the entropy of the target; reached where p = q" : "never reached: p = 1 needs an infinite logit"
    ),
    open && one("above it by", loss - floor, "= Σ q log(q / p), the divergence of p from q"),
    one("plain loss", plain, `= −log p of the right word; perplexity ${Math.exp(plain).toFixed(2)}`)
  );
}
var smoothing_explorer_default = { render };
export {
  smoothing_explorer_default as default
};
