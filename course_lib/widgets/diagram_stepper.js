// The diagram stepper. Picture and equations come drawn from Python; here they are shown up to a step, with the values
// of a token.

function render({ model, el }) {
  const get = (name) => model.get(name);
  const put = (name, value, least, most) => {
    model.set(name, Math.min(Math.max(value, least), most));
    model.save_changes();
  };
  const go = (step) => put("step", step, 1, get("steps").length);
  const read = (position) => put("position", position, 0, get("tokens").length - 1);
  const onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || usesArrows(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.target.closest(".lm-token")) return go(get("step") + by);
    read(get("position") + by);
    queueMicrotask(() => find(root, "key", `token${get("position")}`)?.focus()); // after the redraw
  };

  const canvas = { class: "lm-canvas", role: "region", tabindex: 0, "aria-label": "Picture" };
  const picture = drawn("div", get("svg"), canvas);
  const side = h("div.lm-side");
  const status = h("p.lm-hidden", { role: "status" });
  const root = h("section.lm-widget.lm-diagram", { "aria-label": get("name"), tabindex: -1, onkeydown },
    h("h3", get("name")), h("div.lm-both", h("div.lm-picture", picture, drawKey(get)), side), status);

  function draw() {
    const now = get("step");
    redraw(root, () => side.replaceChildren(drawBar(get, now, go), drawEquations(get, now, go), drawTokens(get, read)));
    for (const { dataset, classList } of root.querySelectorAll("[data-step]")) {
      classList.toggle("lm-later", dataset.step > now);
      classList.toggle("lm-now", Number(dataset.step) === now);
      classList.toggle("lm-gone", dataset.until <= now);
    }
    showValues(picture, get);
    const sentence = sentenceOf(get, now);
    if (status.textContent !== sentence) status.textContent = sentence;
  }
  model.on("change:step change:position", draw);
  draw();
  el.append(root);
  return () => model.off("change:step change:position", draw);
}

function drawn(tag, html, attributes = {}) {
  const element = h(tag, attributes);
  element.innerHTML = html;
  return element;
}

function drawKey(get) {
  const sign = (kind, text) => get("svg").includes(`class="lm-${kind}"`) && text;
  return h("p.lm-key",
    sign("layer", h("span", h("i.lm-learned"), "with learned weights")),
    sign("state", h("span", h("i"), "a vector")),
    sign("op", h("span", h("i.lm-circle"), "an operation")),
    sign("shape", h("span", "(…) a shape, without the batch")));
}

// The bars of the nodes, the numbers and line widths of the wires.
function showValues(picture, get) {
  for (const [id, rows] of Object.entries(get("values"))) {
    const row = rows[get("position")];
    picture.querySelectorAll(`[data-node="${id}"] .lm-bar`).forEach((bar, unit) => {
      bar.style.setProperty("--v", Math.min(Math.abs(row[unit] / get("scales")[id]), 1));
      bar.classList.toggle("lm-below", row[unit] < 0);
    });
    for (const carrier of picture.querySelectorAll(`[data-wire="${id}"]`))
      if (carrier.matches("text")) carrier.textContent = row[0].toFixed(2);
      else carrier.style.setProperty("--v", Math.min(Math.abs(row[0]), 1));
  }
}

function drawBar(get, now, go) {
  const last = get("steps").length;
  const button = (text, to, kind) => h("button", {
    type: "button", class: kind, "data-key": text, disabled: to < 1 || to > last, onclick: () => go(to),
  }, text);
  return h("div.lm-toolbar", button("Back", now - 1), button("Forward", now + 1, "lm-primary"),
    h("span", "step ", h("b", String(now)), ` of ${last}`));
}

function drawEquations(get, now, go) {
  return h("ol.lm-equations", { "data-roving": "equations" }, get("steps").map((step, k) => h("li",
    h("button", {
      type: "button", class: k >= now && "lm-ahead", onclick: () => go(k + 1), "data-key": `step${k}`,
      "aria-current": k + 1 === now && "step", "aria-label": `Step ${k + 1}: ${step.spoken[now - 1]}`,
    }, drawn("span", step.equation, { class: "lm-math" })),
    k + 1 === now && h("p", step.sentence))));
}

function drawTokens(get, read) {
  if (get("tokens").length < 2) return "";
  return h("div.lm-tokens", { role: "group", "aria-label": "Token", "data-roving": "tokens" },
    get("tokens").map((token, t) => h("button.lm-token", {
      type: "button", "data-key": `token${t}`, onclick: () => read(t),
      "aria-current": t === get("position") && "step",
    }, token === " " ? "␣" : token)));
}

// What a screen reader says: the step in words, the numbers behind the bars that it adds, what it changes above.
function sentenceOf(get, now) {
  const { spoken, sentence, adds, complete } = get("steps")[now - 1];
  const token = get("tokens")[get("position")];
  const names = (node, unit) => (get("names")[node] ? `${get("names")[node][unit]} ` : "");
  const number = (node) => (value, unit) => names(node, unit) + value.toFixed(1).replace("-", "−");
  const numbers = (node) => complete <= now && get("values")[node]?.[get("position")].map(number(node)).join(", ");
  const parts = Object.entries(adds).map(([node, words]) => words + (numbers(node) ? `: ${numbers(node)}` : ""));
  const changed = get("steps").slice(0, now - 1).map((step) => step.spoken).filter((at) => at[now - 1] !== at[now - 2]);
  return [`Step ${now}: ${spoken[now - 1]}`, sentence.slice(0, -1), ...changed.map((at) => `Now ${at[now - 1]}`),
    token && `At “${token}”`, parts.length && `New in the picture: ${parts.join("; ")}`].filter(Boolean).join(". ") + ".";
}

export default { render };
