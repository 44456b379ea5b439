// bertviz.js and what it imports, joined by python -m course_lib.maintain.widgets.
// stamp 802312cf98700c3dc66569f3a7450a34
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
function suppressShortcuts(root) {
  for (const control of [root, ...root.querySelectorAll("button, input, select, textarea, summary, [tabindex]")])
    control.setAttribute("data-lm-suppress-shortcuts", "true");
}

// bertviz.js
var MENUS = { head: { layer: "Layer" }, model: {}, neuron: { layer: "Layer", att_head: "Head" } };
var NOTES = {
  head: "A line is a weight, the stronger the larger; a colour is a head. Point at a piece to see its weights alone. Click on a coloured square to hide its head, double-click to see it alone.",
  model: "A row is a layer, a column is a head; left the queries, right the keys. Click on one to enlarge it.",
  neuron: "Point at a piece on the left, and click on its plus sign to see its query, the keys, their products q × k, and q · k / √dₖ."
};
var WIDTHS = { model: 970, neuron: 1025 };
var PLACE = "bertviz";
function render({ model, el }) {
  const w = widget({ model, el }, "lm-bertviz", model.get("title"));
  const [view, attentions] = [model.get("view"), model.get("attentions")];
  const chosen = { layer: model.get("layer"), att_head: model.get("head") };
  const place = h(`div.lm-place.lm-${view}`, { id: PLACE });
  const attention = h(
    "select",
    { onchange: draw },
    attentions.map(({ name }, n) => h("option", { value: n }, name))
  );
  attention.value = model.get("first");
  function draw() {
    const data = attentions[attention.value];
    const counts = { layer: data.attn.length, att_head: data.attn[0].length };
    const first = Number(attention.value) === model.get("first");
    for (const menu2 of place.querySelectorAll("select")) chosen[menu2.id] = Number(menu2.value);
    for (const name in chosen) chosen[name] = Math.min(chosen[name], counts[name] - 1);
    place.replaceChildren(
      h(
        "span",
        Object.entries(MENUS[view]).map(([id, label]) => h("label", label, h("select", { id })))
      ),
      h("div", { id: "vis" })
    );
    const from = view === "model" ? 1 : 0;
    const names = (count) => Array.from({ length: count }, (_, n) => from + n);
    window.bertviz_params = {
      attention: [data],
      default_filter: 0,
      root_div_id: PLACE,
      display_mode: isDark() ? "dark" : "light",
      layer: chosen.layer,
      head: chosen.att_head,
      heads: first ? model.get("heads") : null,
      bidirectional: data.bidirectional,
      include_layers: names(counts.layer),
      include_heads: names(counts.att_head),
      total_heads: counts.att_head
    };
    drawView();
    suppressShortcuts(w.root);
    finish();
  }
  function finish() {
    const picture = place.querySelector("#vis > svg");
    for (const option of place.querySelectorAll("option")) option.textContent = Number(option.value) + 1;
    if (view in WIDTHS) {
      picture.setAttribute("viewBox", `0 0 ${WIDTHS[view]} ${parseFloat(picture.getAttribute("height"))}`);
      picture.style.maxWidth = `${WIDTHS[view]}px`;
    } else {
      const heads = picture.querySelectorAll(":scope > g:last-of-type > rect");
      heads.forEach((square, n) => square.append(svg("title", `head ${n + 1}`)));
    }
  }
  place.addEventListener("change", finish);
  onTheme(() => view !== "head" && draw());
  const menu = h("div.lm-toolbar", h("label", "Attention", attention));
  const note = h("p.lm-note", NOTES[view]);
  return w.start(
    [menu, note, h("div.lm-view", { tabindex: 0, role: "group", "aria-label": "Drawing" }, place)],
    [],
    draw
  );
}
var dark = matchMedia("(prefers-color-scheme: dark)");
var isDark = () => (document.body.dataset.jpThemeLight ?? String(!dark.matches)) === "false";
function onTheme(draw) {
  let before = isDark();
  const changed = () => {
    if (isDark() === before) return;
    before = isDark();
    draw();
  };
  new MutationObserver(changed).observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  dark.addEventListener("change", changed);
}
var bertviz_default = { render };
export {
  bertviz_default as default
};
