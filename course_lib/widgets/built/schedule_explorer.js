// schedule_explorer.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp 2fe242eaf4beb5b33cf328df14bc52a2
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
var whole = (value) => value.toLocaleString("en");
function numberField(w, label, trait, { min, max, step = 1, change }) {
  const take = ({ target }) => {
    if (target.value !== "" && target.checkValidity()) return change({ [trait]: Number(target.value) });
    target.value = w.get(trait);
    w.say(`${label} must be ${step === 1 ? "a whole number" : "a number"} from ${min} to ${max}.`);
  };
  return h("label", label, w.bind(h("input", { type: "number", min, max, step, onchange: take }), trait));
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

// schedule_explorer.js
var NAMES = {
  paper: "as the paper, from d_model",
  peak: "the largest rate given, warm-up, 1/√step",
  constant: "constant",
  linear: "constant, then linear to 0"
};
var OWN = { paper: ["d_model", "warmup"], peak: ["peak", "warmup"], constant: ["peak"], linear: ["peak", "hold"] };
var SCHEDULE = ["kind", "d_model", "warmup", "peak", "hold", "steps"];
var MOST_KEPT = 3;
var [WIDTH, HEIGHT] = [720, 250];
var [LEFT, RIGHT, TOP, BOTTOM] = [68, 16, 12, 38];
var DASHES = ["", "8 5", "2 4", "10 4 2 4"];
var RATES = {
  paper: ({ d_model, warmup }) => (t) => Math.min(t ** -0.5, t * warmup ** -1.5) / Math.sqrt(d_model),
  peak: ({ peak, warmup }) => (t) => peak * Math.min(t / warmup, Math.sqrt(warmup / t)),
  constant: ({ peak }) => () => peak,
  linear: ({ peak, hold, steps }) => (t) => t <= hold ? peak : peak * Math.max(0, (steps + 1 - t) / (steps + 1 - hold))
};
var rateOf = (schedule) => RATES[schedule.kind](schedule);
var turnOf = ({ kind, warmup, hold }) => ({ paper: warmup, peak: warmup, linear: hold })[kind] ?? 1;
var largestOf = (schedule) => rateOf(schedule)(Math.min(turnOf(schedule), schedule.steps));
function render(context) {
  const w = widget(context, "lm-schedule", "Schedule explorer");
  const { get, put, root, say } = w;
  const shown = () => Object.fromEntries(SCHEDULE.map((name) => [name, get(name)]));
  const isFull = () => get("kept").length >= MOST_KEPT;
  const isOpen = () => !get("predict") || "step" in get("guess");
  const change = (values) => {
    const steps2 = values.steps ?? get("steps");
    put({
      guess: {},
      ...values,
      step: Math.min(get("step"), steps2),
      hold: Math.min(values.hold ?? get("hold"), steps2)
    });
  };
  const go = (step2) => put({ step: Math.min(Math.max(Math.round(step2), 1), get("steps")) });
  const by = (share) => () => go(get("step") + Math.sign(share) * Math.max(1, Math.round(Math.abs(share) * get("steps"))));
  const follow = ({ clientX, buttons, type }) => {
    if (type === "pointermove" && !buttons) return;
    const { left, width } = plot.getBoundingClientRect();
    const share = ((clientX - left) / width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    go(1 + share * (get("steps") - 1));
  };
  const plot = h("div.lm-plot", {
    role: "slider",
    tabindex: 0,
    "aria-label": "Step",
    "data-key": "plot",
    onpointerdown: follow,
    onpointermove: follow
  });
  moveByKeys(plot, () => ({
    ArrowLeft: by(-0.01),
    ArrowRight: by(0.01),
    ArrowDown: by(-0.01),
    ArrowUp: by(0.01),
    PageDown: by(-0.1),
    PageUp: by(0.1),
    Home: () => go(1),
    End: () => go(get("steps"))
  }));
  const kind = h(
    "label",
    "Schedule",
    w.bind(
      h(
        "select",
        { onchange: ({ target }) => change({ kind: target.value }) },
        Object.entries(NAMES).map(([value, name]) => h("option", { value }, name))
      ),
      "kind"
    )
  );
  const fields = {
    d_model: numberField(w, "d_model", "d_model", { min: 1, max: 1e6, change }),
    peak: numberField(w, "largest rate", "peak", { min: 1e-6, max: 10, step: "any", change }),
    warmup: numberField(w, "warm-up (steps)", "warmup", { min: 1, max: 1e7, change }),
    hold: numberField(w, "constant up to step", "hold", { min: 1, max: 1e7, change })
  };
  const steps = numberField(w, "steps in all", "steps", { min: 1, max: 1e7, change });
  const step = numberField(w, "step", "step", { min: 1, max: 1e7, change: ({ step: step2 }) => go(step2) });
  const at = h(
    "label",
    "steps in the table",
    w.bind(
      h("input", {
        type: "text",
        inputmode: "numeric",
        onchange: ({ target }) => {
          const asked = target.value.split(/[\s;]+|,\s+|,(?!\d{3}\b)/).filter(Boolean).map((text) => Number(text.replaceAll(",", "")));
          if (asked.length && asked.every((t) => Number.isInteger(t) && t >= 1)) put({ at: asked.slice(0, 12) });
          else target.value = get("at").join(", ");
        }
      }),
      "at",
      (name) => get(name).join(", ")
    )
  );
  const keep = h(
    "button",
    { type: "button", onclick: () => isFull() || put({ kept: [...get("kept"), shown()] }) },
    "Keep to compare"
  );
  const forget = h("button", { type: "button", onclick: () => put({ kept: [] }) }, "Forget the kept");
  const told = h("div");
  const below = h("div");
  const reading = h("div.lm-fields", step, at, keep, forget);
  const content = [
    h("div.lm-fields", kind, Object.values(fields), steps, predictBox(w, { guess: {} })),
    told,
    plot,
    below,
    reading
  ];
  function draw() {
    const now = shown();
    const t = get("step");
    const rate = rateOf(now);
    for (const [name, field] of Object.entries(fields)) field.hidden = !OWN[now.kind].includes(name);
    for (const part of [plot, below, reading]) part.hidden = !isOpen();
    keep.setAttribute("aria-disabled", isFull());
    forget.setAttribute("aria-disabled", !get("kept").length);
    redraw(root, () => {
      told.replaceChildren(...[drawQuestion(get, put, now)].filter(Boolean));
      plot.replaceChildren(drawCurves([now, ...get("kept")], t));
      below.replaceChildren(
        h("p.lm-formula", `Step ${whole(t)}: `, formulaOf(now, t), " = ", h("b", few(rate(t)))),
        drawTable(get, now)
      );
    });
    const value = `step ${whole(t)}, rate ${few(rate(t))}`;
    for (const [name, text] of [
      ["valuemin", 1],
      ["valuemax", now.steps],
      ["valuenow", t],
      ["valuetext", value]
    ])
      plot.setAttribute(`aria-${name}`, text);
    say(isOpen() ? `${NAMES[now.kind]}: ${value}.` : "");
  }
  return w.start(content, [...SCHEDULE, "step", "at", "kept", "predict", "guess"], draw);
}
function drawQuestion(get, put, now) {
  if (!get("predict")) return null;
  const guess = get("guess");
  const turn = Math.min(turnOf(now), now.steps);
  const largest = largestOf(now);
  if (!("step" in guess))
    return question(
      "At which step is the rate largest, and how large is it there?",
      ["step ", "largest rate "],
      ([step, rate]) => put({ guess: { step, rate } })
    );
  const isThere = guess.step >= 1 && guess.step <= now.steps;
  const first = isThere && rateOf(now)(guess.step) >= largest * (1 - 1e-9);
  const right = first && Math.abs(guess.rate / largest - 1) <= 0.02;
  return verdict(
    right,
    `You said ${few(guess.rate)} at step ${whole(guess.step)}. The largest rate is ${few(largest)}, `,
    { constant: "at every step", linear: `up to step ${whole(turn)}` }[now.kind] ?? `at step ${whole(turn)}`,
    now.kind === "paper" && turn === now.warmup ? `: 1 / √(${whole(now.d_model)} · ${whole(turn)}).` : "."
  );
}
function formulaOf({ kind, d_model, warmup, peak, hold, steps }, t) {
  const [a, b, c] = [d_model ** -0.5, t ** -0.5, t * warmup ** -1.5].map(few);
  const up = (base, power) => [whole(base), h("sup", power)];
  return {
    paper: () => [
      up(d_model, "−0.5"),
      " · min(",
      up(t, "−0.5"),
      `, ${whole(t)} · `,
      up(warmup, "−1.5"),
      `) = ${a} · min(${b}, ${c})`
    ],
    peak: () => [`${few(peak)} · min(${whole(t)} / ${whole(warmup)}, √(${whole(warmup)} / ${whole(t)}))`],
    constant: () => ["the same at every step"],
    linear: () => t <= hold ? [`up to step ${whole(hold)}`] : [`${few(peak)} · (${whole(steps + 1)} − ${whole(t)}) / (${whole(steps + 1)} − ${whole(hold)})`]
  }[kind]();
}
function nameOf(schedule) {
  const called = { d_model: "d_model", warmup: "warm-up", peak: "rate", hold: "up to" };
  const written = (name) => name === "peak" ? few(schedule[name]) : whole(schedule[name]);
  return [schedule.kind, ...OWN[schedule.kind].map((name) => `${called[name]} ${written(name)}`)].join(", ");
}
function drawTable(get, now) {
  const all = [now, ...get("kept")];
  const rates = all.map(rateOf);
  return h(
    "div.lm-scroll-x",
    { tabindex: 0, role: "region", "aria-label": "Rates", "data-key": "rates" },
    h(
      "table",
      h("caption", "The rate at the steps you ask for"),
      h(
        "thead",
        h(
          "tr",
          h("th", { scope: "col" }, "step"),
          h("th", { scope: "col" }, "rate"),
          h("th", { scope: "col" }, "share of the largest"),
          get("kept").map((one, k) => h("th", { scope: "col" }, `kept ${k + 1}: ${nameOf(one)}`))
        )
      ),
      h(
        "tbody",
        get("at").map(
          (t) => h(
            "tr",
            h("th", { scope: "row" }, whole(t)),
            h("td", few(rates[0](t))),
            h("td", few(rates[0](t) / largestOf(now))),
            rates.slice(1).map((rate) => h("td", few(rate(t))))
          )
        )
      )
    )
  );
}
function ticks(most) {
  const power = 10 ** Math.floor(Math.log10(most / 3));
  const unit = [1, 2, 5, 10].find((k) => most / (k * power) <= 5) * power;
  return Array.from({ length: Math.floor(most / unit + 1e-9) + 1 }, (_, k) => k * unit);
}
function drawCurves(schedules, t) {
  const { steps } = schedules[0];
  const most = Math.max(...schedules.map((one) => largestOf({ ...one, steps })));
  const x = (step) => LEFT + (WIDTH - LEFT - RIGHT) * (steps > 1 ? (step - 1) / (steps - 1) : 0);
  const y = (rate2) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - rate2 / most);
  const text = (where, label) => svg("text", where, label);
  const along = Array.from({ length: 241 }, (_, k) => 1 + (steps - 1) * k / 240);
  const curve = (one, k) => {
    const places = [...along, Math.min(turnOf(one), steps)].sort((a, b) => a - b);
    const rate2 = rateOf(one);
    return svg(`polyline.lm-curve${k ? ".lm-kept" : ""}`, {
      "stroke-dasharray": DASHES[k],
      points: places.map((step) => `${x(step).toFixed(1)},${y(rate2(step)).toFixed(1)}`).join(" ")
    });
  };
  const rate = rateOf(schedules[0])(t);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    ticks(most).map((value) => [
      svg("line.lm-grid", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      text({ x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, few(value))
    ]),
    ticks(steps).slice(1).map(
      (value) => text(
        { x: x(value), y: HEIGHT - BOTTOM + 17, "text-anchor": value > 0.96 * steps ? "end" : "middle" },
        whole(value)
      )
    ),
    text({ x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "step"),
    schedules.map(curve).reverse(),
    svg("line.lm-cursor", { x1: x(t), x2: x(t), y1: TOP, y2: HEIGHT - BOTTOM }),
    svg("circle.lm-dot", { cx: x(t), cy: y(rate), r: 5 })
  );
}
var schedule_explorer_default = { render };
export {
  schedule_explorer_default as default
};
