// guess_box.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp 4774e9d1a3a2e0689d53b3d1aaebdbf5
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
var textArea = (label, rows) => h("textarea", { rows, dir: "auto", spellcheck: "false", "data-label": label });
function suppressShortcuts(root) {
  for (const control of [root, ...root.querySelectorAll("button, input, select, textarea, summary, [tabindex]")])
    control.setAttribute("data-lm-suppress-shortcuts", "true");
}

// guess_box.js
var PAUSE = 400;
function render(context) {
  const w = widget(context, "lm-guess", "My guess", { saves: false });
  const field = w.bind(textArea("My guess", 1), "guess");
  field.placeholder = "your guess, before you look";
  const said = h("span.lm-said", { role: "status" });
  let waiting = null;
  const keep = () => {
    clearTimeout(waiting);
    waiting = null;
    if (field.value !== w.get("guess")) w.put({ guess: field.value });
  };
  const tell = () => {
    said.textContent = { kept: "kept", refused: "not kept: the folder cannot be written to" }[w.get("kept")] ?? "";
  };
  field.addEventListener("input", () => {
    said.textContent = "";
    field.rows = Math.min(6, field.value.split("\n").length);
    clearTimeout(waiting);
    waiting = setTimeout(keep, PAUSE);
  });
  field.addEventListener("blur", keep);
  w.on("change:kept", tell);
  w.atEnd(keep);
  const end = w.start([h("label", h("span", "My guess"), field), said], ["guess"], () => suppressShortcuts(w.root));
  tell();
  return end;
}
var guess_box_default = { render };
export {
  guess_box_default as default
};
