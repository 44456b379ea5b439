// What every widget is made with: elements, focus, keys, and the widget itself with its talk to Python.

import "./base.css";

const HTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";
const PATIENCE = 30000; // milliseconds until the reader is told that Python does not answer
const SILENT = "No answer from Python yet. Is the notebook’s kernel running, or busy with a cell?";
const LOST = "Python does not know this widget any more: run its cell again.";

// An element: h("button.lm-small", { onclick: f, "aria-label": "…" }, "text", child, [children]). The attributes may be
// left out; an attribute or a child that is null, undefined or false is. svg("line.lm-thin", { x1: 2 }) is one of SVG.
export const h = (name, ...rest) => elementOf(HTML, name, rest);
export const svg = (name, ...rest) => elementOf(SVG, name, rest);
const isNothing = (value) => value === undefined || value === null || value === false;

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

// A name for some radio buttons: those of one name exclude each other in a whole page. It is drawn by chance, as in a
// notebook each widget has this module for itself and could not count what others have.
export const groupName = () => `lm-${Math.random().toString(36).slice(2)}`;

// A 16 × 16 picture for a button; its text says what it means.
export const icon = (path) => svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path }));

// A widget without content yet; `rootClass` is the class that its style is nested under (see base.py).
// `start(content, traits, draw)` shows it, draws it, draws it again when one of the traits has changed (once for all
// that change together), and returns what ends it. `saves` puts a button below it that saves it as a page of its own.
export function widget({ model, el }, rootClass, label, { saves = true } = {}) {
  const get = (name) => model.get(name);
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const status = h("p.lm-hidden", { role: "status" });
  const root = h(`section.lm-widget.${rootClass}`, {
    "aria-label": label,
    tabindex: -1,
    "data-frame": get("frame_name"),
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
    send: (content, heard) =>
      model.send(content, { iopub: { status: ({ content }) => content.execution_state === "idle" && heard() } }),
    atEnd: (ending) => endings.push(ending),
    // What a screen reader hears.
    say: (text) => {
      if (status.textContent !== text) status.textContent = text;
    },
    // A field that shows a trait; what the reader types stays until Python changes the trait.
    bind(field, trait, value = get) {
      const fill = () => (field.value = value(trait));
      on(`change:${trait}`, fill);
      fill();
      return field;
    },
  };
  return w;
}

// A button that saves the widget, as it stands, as a page that steps without Python. Python makes the page (page.py);
// where there is no Python the page itself does (page.html).
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
      send({ id: "save", save: true }, () => waiting !== null && tell(LOST)); // it was heard, and not answered
    } catch {
      tell(LOST); // the kernel is shut down
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

// Asking Python: `ask(request)` calls the widget's `answer(**request)` there. `said` is the line that tells the reader
// what becomes of it, in the words { doing, done, refused } ("Learning …", "Learned.", "Not learned"). `unanswered()`
// are the requests that Python has yet to answer, the newest last: a further one builds on them, not on what is shown.
// `answered(error)` is called with the answer to the last request; nothing more is on its way then.
export function asking({ send, on, atEnd }, { doing, done, refused }, answered = () => {}) {
  const said = h("p.lm-said", { role: "status" });
  const open = new Map(); // from the number of a request to it, until it is answered
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
      send({ ask: request, id }, () => id === asked && waiting !== null && lost()); // it was heard, and not answered
    } catch {
      lost(); // the kernel is shut down
    }
  };
  on("comm_live_update", lost); // the kernel is restarted
  on("msg:custom", ({ id, error }) => {
    open.delete(id);
    if (id !== asked) return; // a newer request is under way
    stop();
    tell(error ? `${refused}: ${error}` : done, Boolean(error));
    answered(error);
  });
  atEnd(stop);
  return { said, ask, unanswered: () => [...open.values()] };
}

// The reader's own input, folded away. Ctrl+Enter in a text sends it, as the button called `action` does.
export function ownInput({ live }, { summary, legend, note, texts, fields, action, send }) {
  for (const text of texts)
    text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      send();
    });
  return h(
    "details.lm-form",
    h("summary", summary),
    !live &&
      h(
        "p.lm-note",
        "This page runs without Python, so it cannot learn anew. Open the notebook to use these controls.",
      ),
    h(
      "fieldset",
      { disabled: !live },
      h("legend.lm-hidden", legend),
      h(
        "div.lm-texts",
        texts.map((text) => h("label", text.dataset.label, text)),
      ),
      h("p.lm-note", note),
      h(
        "div.lm-fields",
        Object.entries(fields).map(([label, field]) => h("label", label, field)),
        h("button.lm-primary", { type: "button", onclick: send }, action),
      ),
    ),
  );
}

// The number in a field; null where the reader has emptied it.
export const wholeNumber = ({ value }) => (value === "" ? null : Math.round(Number(value)));

export const textArea = (label, rows) => h("textarea", { rows, dir: "auto", spellcheck: "false", "data-label": label });

// Keys that move: `ways(event)` maps a key to what it does. Fields keep their arrow keys.
export function moveByKeys(root, ways) {
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

// JupyterLab's single-key shortcuts (b inserts a cell, …) fire while a control in an output has the focus, unless that
// very control says not to. So after each redraw every one says so.
export function suppressShortcuts(root) {
  for (const control of [root, ...root.querySelectorAll("button, input, select, textarea, summary, [tabindex]")])
    control.setAttribute("data-lm-suppress-shortcuts", "true");
}

// Redraws a part of the page and gives the focus back to the control with the same data-key (or the nearest one left).
export function redraw(root, draw) {
  const focused = root.getRootNode().activeElement;
  const key = root.contains(focused) && focused.closest("[data-key]")?.dataset.key;
  const list = key && focused.closest("[data-roving]")?.dataset.roving;
  const scrolled = [...root.querySelectorAll("[data-scroll]")].map((e) => [
    e.dataset.scroll,
    e.scrollTop,
    e.scrollLeft,
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

export function byData(root, name, value) {
  return [...root.querySelectorAll(`[data-${name}]`)].find((element) => element.dataset[name] === value);
}

// A list of buttons is one stop of the Tab key; Up, Down, Home and End move within it, in a row (data-axis="x") Left
// and Right too.
function oneTabStop(list) {
  const items = [...list.querySelectorAll("button:not(:disabled)")];
  const home = items.find((item) => item.hasAttribute("aria-current")) ?? items[0];
  const stopAt = (chosen) => items.forEach((item) => (item.tabIndex = item === chosen ? 0 : -1));
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

// A list scrolls to one of its rows; the page stays where it is.
export function scrollToRow(list, row) {
  const above = row.offsetTop < list.scrollTop;
  const below = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
  if (above || below) list.scrollTop = row.offsetTop - list.clientHeight / 3;
}
