// BertViz's own code, `drawView`, draws one attention at a time into the place that it expects, a layer's (and a
// head's) menu and an empty box; it is drawn anew for another attention, and for the other theme where its colours are
// fixed. It is not imported: bertviz.py adds it to this module, with d3 and jQuery, from the BertViz that is installed.

import { h, suppressShortcuts, svg, widget } from "./base.js";
import "./bertviz.css";

const MENUS = { head: { layer: "Layer" }, model: {}, neuron: { layer: "Layer", att_head: "Head" } };
const NOTES = {
  head:
    "A line is a weight, the stronger the larger; a colour is a head. Point at a piece to see its weights alone. " +
    "Click on a coloured square to hide its head, double-click to see it alone.",
  model: "A row is a layer, a column is a head; left the queries, right the keys. Click on one to enlarge it.",
  neuron:
    "Point at a piece on the left, and click on its plus sign to see its query, the keys, their products q × k, " +
    "and q · k / √dₖ.",
};
const WIDTHS = { model: 970, neuron: 1025 }; // of a drawing, which shrinks where there is less room
const PLACE = "bertviz";

function render({ model, el }) {
  const w = widget({ model, el }, "lm-bertviz", model.get("title"));
  const [view, attentions] = [model.get("view"), model.get("attentions")];
  const chosen = { layer: model.get("layer"), att_head: model.get("head") };
  const place = h(`div.lm-place.lm-${view}`, { id: PLACE });
  const attention = h(
    "select",
    { onchange: draw },
    attentions.map(({ name }, n) => h("option", { value: n }, name)),
  );
  attention.value = model.get("first");

  function draw() {
    const data = attentions[attention.value];
    const counts = { layer: data.attn.length, att_head: data.attn[0].length };
    const first = Number(attention.value) === model.get("first");
    for (const menu of place.querySelectorAll("select")) chosen[menu.id] = Number(menu.value);
    for (const name in chosen) chosen[name] = Math.min(chosen[name], counts[name] - 1);
    place.replaceChildren(
      h(
        "span",
        Object.entries(MENUS[view]).map(([id, label]) => h("label", label, h("select", { id }))),
      ),
      h("div", { id: "vis" }),
    );
    const from = view === "model" ? 1 : 0; // the others choose by it
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
      total_heads: counts.att_head,
    };
    drawView();
    suppressShortcuts(w.root);
    finish();
  }

  function finish() {
    const picture = place.querySelector("#vis > svg");
    for (const option of place.querySelectorAll("option")) option.textContent = Number(option.value) + 1; // from 1
    if (view in WIDTHS) {
      picture.setAttribute("viewBox", `0 0 ${WIDTHS[view]} ${parseFloat(picture.getAttribute("height"))}`);
      picture.style.maxWidth = `${WIDTHS[view]}px`;
    } else {
      const heads = picture.querySelectorAll(":scope > g:last-of-type > rect");
      heads.forEach((square, n) => square.append(svg("title", `head ${n + 1}`)));
    }
  }

  place.addEventListener("change", finish); // BertViz has drawn another layer or head
  onTheme(() => view !== "head" && draw()); // the head view has no colours of its own for text and paper
  const menu = h("div.lm-toolbar", h("label", "Attention", attention));
  const note = h("p.lm-note", NOTES[view]);
  return w.start(
    [menu, note, h("div.lm-view", { tabindex: 0, role: "group", "aria-label": "Drawing" }, place)],
    [],
    draw,
  );
}

// The theme of the page that the frame stands in (see page.html), or the system's.
const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.body.dataset.jpThemeLight ?? String(!dark.matches)) === "false";

function onTheme(draw) {
  let before = isDark();
  const changed = () => {
    if (isDark() === before) return; // the page around tells it again at each new height
    before = isDark();
    draw();
  };
  new MutationObserver(changed).observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  dark.addEventListener("change", changed);
}

export default { render };
