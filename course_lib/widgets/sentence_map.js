// The sentence map. Python says where a text lies, and which are nearest in all dimensions; here points are drawn, and
// the one that is pointed at, or reached by keys, is read. Points stay, so that they move from one plane to another.

import { asking, h, moveByKeys, redraw, scrollToRow, svg, widget } from "./base.js";
import "./sentence_map.css";

const [WIDE, HIGH, EDGE] = [660, 430, 26]; // pixels
const LABELLED = 14; // up to so many texts stand beside their points
// Of the groups, around (0, 0).
const MARKS = [
  "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z",
  "M-5-5h10v10h-10z",
  "M0-6.5 6.2 4.8h-12.4z",
  "M0-7 7 0 0 7-7 0z",
  "M0 6.5 6.2-4.8h-12.4z",
  "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
];
const YOURS = "M0-8 2.2-2.6 8-2.4 3.5 1.2 5 7 0 3.8-5 7-3.5 1.2-8-2.4-2.2-2.6z";

function render(context) {
  const w = widget(context, "lm-map", "Sentence map");
  const { get, put, live, root, say } = w;
  const { said, ask } = asking(w, { doing: "Placing …", done: "", refused: "Not placed" });
  let points = [];

  const choose = (at) => () => put({ at });
  const walk = (x, y) => () => {
    const next = inDirection(placesOf(get), get("at"), x, y);
    if (next !== null) put({ at: next });
  };
  moveByKeys(root, () => ({
    ArrowLeft: walk(-1, 0),
    ArrowRight: walk(1, 0),
    ArrowUp: walk(0, -1),
    ArrowDown: walk(0, 1),
  }));

  // What stays
  const lines = svg("g");
  const marks = svg("g");
  const labels = svg("g");
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, lines, marks, labels);
  const plot = h(
    "div.lm-plot",
    { role: "group", tabindex: 0, "aria-label": "Map; the arrow keys walk from point to point" },
    picture,
  );
  const planes = Object.keys(get("maps"));
  const plane =
    planes.length > 1 &&
    h(
      "label",
      "Plane",
      w.bind(
        h(
          "select",
          { onchange: ({ target }) => put({ plane: target.value }) },
          planes.map((name) => h("option", { value: name }, name)),
        ),
        "plane",
      ),
    );
  const legend = h("ul.lm-legend", { "aria-label": "Groups" });
  const reading = h("div.lm-reading");
  const list = h("div");
  const field = h("input", {
    type: "text",
    dir: "auto",
    spellcheck: "false",
    "aria-label": "Your sentence",
    placeholder: "Your sentence",
    onkeydown: ({ key }) => key === "Enter" && submit(),
  });
  const submit = () => ask({ text: field.value });
  const own =
    get("places") &&
    h(
      "div",
      h(
        "fieldset",
        { disabled: !live },
        h("legend.lm-hidden", "A sentence of your own"),
        field,
        h("button.lm-primary", { type: "button", onclick: submit }, "Place it"),
      ),
      live ? said : h("p.lm-note", "This page has no Python: open the notebook to place a sentence of your own."),
    );

  function build() {
    points = get("texts").map((text, k) =>
      svg(
        "g.lm-point",
        { onmouseenter: choose(k), onclick: choose(k) },
        svg("title", text),
        svg("circle.lm-hit", { r: 11 }),
        svg("path", { d: markOf(get, k) }),
      ),
    );
    marks.replaceChildren(...points);
    legend.replaceChildren(
      ...groupsOf(get)
        .filter(Boolean)
        .map((name) =>
          h(
            "li",
            svg(
              "svg",
              { viewBox: "-9 -9 18 18", width: 16, height: 16, "aria-hidden": "true" },
              svg(`path.lm-mark${styleOf(get, name)}`, { d: markOf(get, get("groups").indexOf(name)) }),
            ),
            name,
          ),
        ),
    );
  }

  function draw() {
    if (points.length !== get("texts").length) build();
    const at = get("at");
    const places = placesOf(get);
    const near = get("near")[at].map(([k]) => k);
    const stateOf = (k) => (k === at ? " lm-chosen" : near.includes(k) ? " lm-near" : "");
    points.forEach((point, k) => {
      point.style.transform = `translate(${places[k][0]}px, ${places[k][1]}px)`;
      point.setAttribute("class", `lm-point lm-mark${styleOf(get, get("groups")[k])}${stateOf(k)}`);
    });
    marks.append(points[at]); // above all others
    lines.replaceChildren(
      ...near.map((k) => svg("line", { x1: places[at][0], y1: places[at][1], x2: places[k][0], y2: places[k][1] })),
    );
    const named = points.length <= LABELLED ? [...new Set([at, ...points.keys()])] : [at];
    labels.replaceChildren(...drawLabels(get, named, places));
    redraw(root, () => {
      reading.replaceChildren(...drawReading(get));
      list.replaceChildren(drawList(get, choose));
    });
    scrollToRow(list.firstChild, list.querySelector("[aria-current]"));
    say(spokenOf(get));
  }

  const stage = h("div.lm-stage", h("div.lm-left", plane, plot, legend), h("div.lm-right", reading, list));
  return w.start([stage, own].filter(Boolean), ["texts", "maps", "at", "plane"], draw);
}

const groupsOf = (get) => [...new Set(get("groups"))];
const styleOf = (get, group) => ` lm-group${groupsOf(get).indexOf(group) % MARKS.length}`; // a second class
const markOf = (get, k) => (get("groups")[k] === "yours" ? YOURS : MARKS[groupsOf(get).indexOf(get("groups")[k])]);

// Where the points of the shown plane lie in the picture: both axes at one scale.
function placesOf(get) {
  const all = get("maps")[get("plane")];
  const range = (axis) => [Math.min(...all.map((p) => p[axis])), Math.max(...all.map((p) => p[axis]))];
  const [[left, right], [low, high]] = [range(0), range(1)];
  const scale = Math.min((WIDE - 2 * EDGE) / (right - left || 1), (HIGH - 2 * EDGE) / (high - low || 1));
  return all.map(([x, y]) => [WIDE / 2 + (x - (left + right) / 2) * scale, HIGH / 2 - (y - (low + high) / 2) * scale]);
}

// The nearest point to one side: within 45 degrees of the direction, else the nearest on that side; null if none is.
function inDirection(places, at, x, y) {
  const [x0, y0] = places[at];
  const ahead = places
    .map(([px, py], k) => ({ k, along: (px - x0) * x + (py - y0) * y, size: Math.hypot(px - x0, py - y0) }))
    .filter(({ k, along }) => k !== at && along > 1e-6);
  const straight = ahead.filter(({ along, size }) => along >= size * Math.SQRT1_2);
  const best = (straight.length ? straight : ahead).sort((a, b) => a.size - b.size)[0];
  return best ? best.k : null;
}

// Texts beside their points, a little higher or lower where another one stands; where there is no room, none.
function drawLabels(get, named, places) {
  const taken = [];
  return named
    .map((k) => {
      const [x, y] = places[k];
      const right = x < WIDE / 2;
      const text = get("texts")[k];
      const short = text.length > 46 ? `${text.slice(0, 45)}…` : text;
      const width = 6.7 * short.length;
      const left = right ? x + 10 : x - 10 - width;
      const free = (top) => taken.every(([l, t, w]) => left > l + w || l > left + width || Math.abs(t - top) > 14);
      const by = [0, -9, 9].find((shift) => free(y + shift));
      if (by === undefined) return null;
      taken.push([left, y + by, width]);
      const at = { x: x + (right ? 10 : -10), y: y + by + 4, "text-anchor": right ? "start" : "end" };
      return svg(`text.lm-label${k === get("at") ? ".lm-bold" : ""}`, at, short);
    })
    .filter(Boolean);
}

function drawReading(get) {
  const at = get("at");
  const group = get("groups")[at];
  return [
    h("p.lm-text", { dir: "auto" }, get("texts")[at]),
    group ? h("p.lm-note", group) : "",
    h("h4", `Nearest in all ${get("dimensions")} dimensions`, h("small", "distance")),
    h(
      "ol.lm-nearest",
      get("near")[at].map(([k, distance]) =>
        h("li", h("span", { dir: "auto" }, get("texts")[k]), h("b", distance.toFixed(2))),
      ),
    ),
  ];
}

// The focus goes with the chosen text: one that stayed behind would choose its own text again.
function drawList(get, choose) {
  return h(
    "ol.lm-list",
    { "aria-label": "All texts", "data-roving": "list", "data-scroll": "list" },
    get("texts").map((text, k) =>
      h(
        "li",
        h(
          "button.lm-item",
          {
            type: "button",
            dir: "auto",
            "data-key": k === get("at") ? "chosen" : `item${k}`,
            "aria-current": k === get("at") && "true",
            onclick: choose(k),
            onfocus: choose(k),
          },
          text,
        ),
      ),
    ),
  );
}

function spokenOf(get) {
  const at = get("at");
  const group = get("groups")[at];
  const near = get("near")[at].map(([k, distance]) => `${get("texts")[k]} (${distance.toFixed(2)})`);
  return `${get("texts")[at]}${group ? `, group ${group}` : ""}. Nearest: ${near.join("; ")}.`;
}

export default { render };
