// The corpus explorer draws sentence pairs and their links; which links are right and each sentence's AER are Python's.
// `at` is an index into all pairs; a filter decides which of them are shown.

const ICONS = { back: "M11 3 4 8l7 5z", forward: "M5 3l7 5-7 5z" };
const LENGTHS = { "": "any length", "1-6": "up to 6 words", "7-12": "7 to 12 words", "13-20": "13 to 20 words", "21-999": "over 20 words" };
const LISTED = 200; // sentences in the list at a time
const KINDS = { // how a link is drawn, and what the legend says
  gold: { width: 2, said: "gold link" },
  found: { width: 3.5, said: "found" },
  missing: { width: 2, mark: "?", said: "missing" },
  spurious: { width: 2, mark: "×", said: "spurious" },
};

function render({ model, el }) {
  const get = (name) => model.get(name);
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const chosen = () => filtered(get);

  // Moving among the pairs that are shown
  const go = (place) => {
    const shown = chosen();
    if (shown.length) put({ at: shown[Math.min(Math.max(place, 0), shown.length - 1)] });
  };
  const here = () => chosen().indexOf(get("at"));
  const filter = (values) => {
    put(values);
    const shown = chosen();
    if (shown.length && !shown.includes(get("at"))) put({ at: shown[0] });
  };
  const onkeydown = (event) => {
    if (usesArrows(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = { ArrowLeft: here() - 1, ArrowRight: here() + 1, Home: 0, End: chosen().length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  };

  // What stays
  const button = (label, picture, onclick, style = "") => h("button", { type: "button", class: `lm-control ${style}`, onclick }, icon(ICONS[picture]), h("span", {}, label));
  const back = button("Back", "back", () => go(here() - 1));
  const forward = button("Forward", "forward", () => go(here() + 1), "lm-primary");
  const progress = h("output", { class: "lm-progress" });
  const choice = (name, act) => h("select", { onchange: (event) => act({ [name]: event.target.value }) });
  const tag = choice("tag", filter), length = choice("length", filter), overlay = choice("overlay", put);
  const word = h("input", { type: "search", spellcheck: "false", oninput: () => filter({ word: word.value }) });
  const stage = h("div", { class: "lm-stage" }), status = h("p", { role: "status", class: "lm-hidden" });
  const names = Object.keys(get("predicted"));
  const options = (select, entries, value) => {
    select.replaceChildren(...entries.map(([key, label]) => h("option", { value: key }, label)));
    select.value = value;
  };
  const root = h("section", { class: "lm-widget lm-explorer", "aria-label": "Corpus explorer", tabindex: -1, onkeydown },
    h("div", { class: "lm-toolbar" },
      h("div", { class: "lm-buttons", role: "group", "aria-label": "Sentences" }, back, forward), progress,
      h("label", {}, "Shows", tag), h("label", {}, "Length", length), h("label", {}, "Contains", word),
      names.length > 0 && h("label", {}, "Compare with", overlay)),
    stage, status);

  function draw() {
    const shown = chosen(), at = get("at"), place = shown.indexOf(at);
    const tags = new Map();
    for (const pair of get("pairs")) for (const one of pair.tags) tags.set(one, (tags.get(one) ?? 0) + 1);
    options(tag, [["", "anything"], ...[...tags].sort().map(([name, count]) => [name, `${name} (${count})`])], get("tag"));
    options(length, Object.entries(LENGTHS), get("length"));
    options(overlay, [["", "nothing"], ...names.map((name) => [name, name])], get("overlay"));
    if (word.value !== get("word")) word.value = get("word");
    progress.replaceChildren(h("b", {}, `${place + 1}`), ` of ${shown.length}`, shown.length < get("pairs").length && h("small", {}, ` (all: ${get("pairs").length})`) || "");
    back.setAttribute("aria-disabled", place <= 0);
    forward.setAttribute("aria-disabled", place === shown.length - 1);
    const view = viewOf(get, shown);
    redraw(stage, () => stage.replaceChildren(...(shown.length ? drawStage(view, { put, filter, say: (text) => (status.textContent = text) })
      : [h("p", { class: "lm-none" }, "No sentence passes this filter.")])));
    suppressShortcuts(root);
    status.textContent = shown.length ? spoken(view, place) : "No sentence passes this filter.";
    const list = stage.querySelector(".lm-list"), row = list?.querySelector("[aria-current]");
    if (row && (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight)) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }

  const listening = ["at", "tag", "length", "word", "overlay"].map((name) => `change:${name}`);
  for (const name of listening) model.on(name, draw);
  el.replaceChildren(root);
  draw();
  return () => {
    for (const name of listening) model.off(name, draw);
  };
}

// The indices of the pairs that pass the filter.
function filtered(get) {
  const [from, to] = (get("length") || "0-9999").split("-").map(Number);
  const part = get("word").trim().toLocaleLowerCase();
  return get("pairs").flatMap(({ source, target, tags }, k) =>
    (!get("tag") || tags.includes(get("tag"))) && source.length >= from && source.length <= to && (!part || [...source, ...target].some((one) => one.toLocaleLowerCase().includes(part))) ? [k] : []);
}

function viewOf(get, shown) {
  const at = get("at"), all = get("predicted")[get("overlay")];
  return { at, shown, languages: get("languages"), pairs: get("pairs"), pair: get("pairs")[at], name: get("overlay"), all, compared: all?.[at] };
}

function linksOf({ pair, compared }) {
  const drawn = (kind, links) => links.map(([i, j]) => ({ i, j, kind, style: `lm-${kind}`, ...KINDS[kind] }));
  return compared ? ["found", "missing", "spurious"].flatMap((kind) => drawn(kind, compared[kind])) : drawn("gold", pair.links);
}

const count = (links, what) => `${links.length} ${what}`;

function spoken({ pair, shown, compared }, place) {
  const overlaid = compared ? ` ${["found", "missing", "spurious"].map((kind) => count(compared[kind], kind)).join(", ")}; AER ${compared.aer.toFixed(2)}.` : "";
  return `Sentence ${place + 1} of ${shown.length}: ${pair.source.join(" ")} – ${pair.target.join(" ")}${overlaid}`;
}

function drawStage(view, { put, filter, say }) {
  const { pair, languages, compared, pairs, shown, at } = view, links = linksOf(view);
  const partners = (side, index) => {
    const found = links.filter((link) => (side ? link.j : link.i) === index);
    const other = side ? pair.source : pair.target;
    const named = found.map((link) => `${other[side ? link.i : link.j]}${compared ? ` (${KINDS[link.kind].said})` : ""}`);
    return `${(side ? pair.target : pair.source)[index]}: ${named.join(", ") || "no partner"}`;
  };
  const note = h("p", { class: "lm-partners" }, "Point at a word to see its partners.");
  const select = (side, index, speak) => {
    figure.select(side, index);
    note.textContent = partners(side, index);
    if (speak) say(note.textContent);
  };
  const words = (list, side) => list.map((text, index) => h("button", { type: "button", class: `lm-word${links.some((link) => (side ? link.j : link.i) === index) ? "" : " lm-alone"}`,
    "data-key": `word:${side}:${index}`, onfocus: () => select(side, index, true), onclick: () => select(side, index, true), onmouseenter: () => select(side, index, false),
    onmouseleave: () => figure.select(), onblur: () => figure.select() }, text));
  const [source, target] = [words(pair.source, 0), words(pair.target, 1)];
  const figure = drawLinked(source, target, links, languages);
  [source, target].forEach((row) => oneStop(row));
  const item = (k) => h("li", {}, h("button", { type: "button", class: "lm-item", "data-key": `item:${k}`, "aria-current": k === at ? "true" : null, onclick: () => put({ at: k }) },
    h("span", { class: "lm-n" }, `${k + 1}`), h("span", {}, pairs[k].source.join(" "), h("br"), h("small", {}, pairs[k].target.join(" ")))));
  const from = Math.max(0, Math.min(shown.indexOf(at) - LISTED / 2, shown.length - LISTED));
  return [
    h("div", { class: "lm-figure" },
      h("p", { class: "lm-languages" }, h("b", {}, languages[0]), " and ", h("b", {}, languages[1])), figure.element, note,
      h("ul", { class: "lm-legend", "aria-label": "Lines" }, (compared ? ["found", "missing", "spurious"] : ["gold"]).map((kind) => h("li", {}, sampleOf(kind), `${KINDS[kind].said}${compared ? ` (${compared[kind].length})` : ""}`))),
      compared && drawRate(view)),
    h("ul", { class: "lm-tags", "aria-label": "Tags of this sentence" }, pair.tags.map((name) => h("li", {}, h("button", { type: "button", class: "lm-tag", "data-key": `tag:${name}`, title: `only sentences with: ${name}`, onclick: () => filter({ tag: name }) }, name)))),
    h("ol", { class: "lm-list", "data-roving": "list", "data-scroll": "list" }, shown.slice(from, from + LISTED).map(item)),
  ];
}

// A sentence is one stop of the Tab key; Left and Right go from word to word.
function oneStop(words) {
  words.forEach((button, n) => {
    button.tabIndex = n ? -1 : 0;
    button.addEventListener("focus", () => words.forEach((other) => (other.tabIndex = other === button ? 0 : -1)));
    button.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: n - 1, ArrowRight: n + 1, ArrowUp: n - 1, ArrowDown: n + 1, Home: 0, End: words.length - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      words[Math.min(Math.max(to, 0), words.length - 1)].focus();
    });
  });
}

function sampleOf(kind) {
  const { width, mark } = KINDS[kind];
  const text = mark ? [shape("text", { x: 18, y: 12 })] : [];
  for (const one of text) one.textContent = mark;
  return shape("svg", { viewBox: "0 0 36 16", width: 36, height: 16, "aria-hidden": "true" }, shape("g", { class: `lm-link lm-${kind}` }, shape("line", { x1: 2, x2: 34, y1: 8, y2: 8, "stroke-width": width }), ...text));
}

// AER = 1 − 2 · found / (predicted + gold), of the sentence and of all that are shown.
function drawRate({ compared, all, shown, name }) {
  const sum = (kind) => shown.reduce((total, k) => total + all[k][kind].length, 0);
  const total = 2 * sum("found") + sum("missing") + sum("spurious");
  const [found, missing, spurious] = ["found", "missing", "spurious"].map((kind) => compared[kind].length);
  return h("p", { class: "lm-rate" }, h("b", {}, name), ": AER = 1 − 2 · found / (predicted + gold) = ",
    `1 − 2 · ${found} / (${found + spurious} + ${found + missing}) = `, h("b", { class: "lm-aer" }, compared.aer.toFixed(2)),
    "; over the ", `${shown.length} shown `, h("b", { class: "lm-aer-shown" }, (total ? 1 - (2 * sum("found")) / total : 0).toFixed(3)));
}

export default { render };
