// A stepper: `export default { render: stepper({ … }) };` in a widget whose Python side (base.py, `Stepper`) has the
// traits `step`, `predict` and `predictions`. It draws the toolbar (Back, Play, Forward, a slider, "Predict first" with
// a score), which stays in view, steps by keyboard, and redraws with motion. What it takes:
//
//   root            the class that the widget's style is nested under
//   label           the widget's name for screen readers
//   unit            what is counted: "merges" gives "3 of 10 merges"
//   traits          the traits that make up the trace: when one changes, it is a new trace
//   last(get)       the last step
//   draw(view)      the elements to show at view.step
//   spoken(view)    the sentence for a screen reader after "3 of 10 merges."
//   right(get, key, guess)   whether a prediction is right; without it there is no "Predict first"
//   words           what is said of a request to Python (optional; see `asking`)
//   own(w, ask)     the reader's own input, an element (optional; see `ownInput`)
//   ownFirst        whether that stands above all else
//
// A view holds { get, put, live, step, last, farthest, predict, guessed(key), guess(key, value), go(step), say(text),
// ask(request), again() }: `again` draws the step anew; `farthest` is the last step that a reader who predicts has
// seen. A list with `data-scroll` scrolls by itself to what is new in it (`.lm-fresh` or `aria-current`).
//
// Motion: of two drawings, an element with the same `data-move` slides from where it was, and the properties that
// `data-tween` names ("width height") go from the values they had in the element with the same `data-move`.

import { asking, h, icon, moveByKeys, redraw, scrollToRow, suppressShortcuts, widget } from "./base.js";
import "./stepper.css";

const ICONS = {
  back: "M11 3 4 8l7 5z",
  play: "M4 3v10l9-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3l7 5-7 5z",
};
const PLAY_EVERY = 1400; // milliseconds
const MOVE_FOR = 420;

export function stepper(its) {
  return (context) => {
    const w = widget(context, its.root, its.label);
    const { get, put, live, root, say } = w;
    const last = () => its.last(get);
    const go = (step) => put({ step: Math.min(Math.max(step, 0), last()) });
    const { said, ask } = asking(w, its.words ?? { doing: "Learning …", done: "Learned.", refused: "Not learned" });
    let farthest = get("step");
    let shown = -1;

    const playOn = () => {
      const more = get("step") < last();
      if (more) go(get("step") + 1);
      return more;
    };
    const play = player(playOn, draw);
    const togglePlay = () => {
      if (!play.on() && get("step") === last()) go(0);
      play.toggle();
    };
    const buttons = stepButtons(() => get("step"), go, togglePlay);
    const slider = h("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": `${its.unit} done`,
      oninput: () => go(Number(slider.value)),
    });
    const progress = h("output.lm-progress");
    const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
    const score = h("span.lm-score");
    const stage = h("div.lm-stage");

    function draw() {
      const step = get("step");
      const view = viewNow();
      farthest = view.farthest = Math.max(farthest, step);
      slider.max = last();
      slider.value = step;
      slider.setAttribute("aria-valuetext", `${step} of ${last()} ${its.unit}`);
      progress.replaceChildren(h("b", `${step}`), ` of ${last()} ${its.unit}`);
      buttons.draw(step, last(), play.on());
      predict.checked = get("predict");
      score.textContent = its.right ? scoreOf(get, its.right) : "";
      redraw(stage, () => withMotion(stage, shown >= 0 && step !== shown, () => fill(stage, its.draw(view))));
      suppressShortcuts(root);
      if (step !== shown) revealNew(stage);
      shown = step;
      if (!play.on()) say(`${step} of ${last()} ${its.unit}. ${its.spoken(view)}`);
    }
    const viewNow = () => ({
      get,
      put,
      live,
      go,
      say,
      ask,
      farthest,
      again: draw,
      step: get("step"),
      last: last(),
      predict: get("predict"),
      guessed: (key) => get("predictions")[key],
      guess: (key, value) => put({ predictions: { ...get("predictions"), [key]: value } }),
    });

    const anew = () => {
      farthest = get("step");
      shown = -1;
    };
    for (const trait of its.traits) w.on(`change:${trait}`, anew);
    w.atEnd(play.stop);
    moveByKeys(root, () => ({
      ArrowLeft: () => go(get("step") - 1),
      ArrowRight: () => go(get("step") + 1),
      Home: () => go(0),
      End: () => go(last()),
    }));
    const asked = its.own ? [its.own(w, ask), said] : [];
    const first = its.ownFirst ? asked.splice(0) : [];
    const content = [
      ...first,
      h(
        "div.lm-toolbar",
        buttons.element,
        h("div.lm-slide", slider, progress),
        its.right && h("div.lm-predict", h("label", predict, h("span", "Predict first")), score),
      ),
      stage,
      ...asked,
    ];
    whenSized(root, w.atEnd, () => revealNew(stage));
    return w.start(content.filter(Boolean), ["step", "predict", "predictions", ...its.traits], draw);
  };
}

// Back and Forward, and Play between them where there is a `togglePlay`.
export function stepButtons(now, go, togglePlay) {
  const control = (name, label, picture, onclick) =>
    h(`button.lm-control${name}`, { type: "button", onclick }, icon(ICONS[picture]), h("span", label));
  const back = control("", "Back", "back", () => go(now() - 1));
  const play = togglePlay && control("", "Play", "play", togglePlay);
  const forward = control(".lm-primary.lm-forward", "Forward", "forward", () => go(now() + 1));
  const draw = (step, last, playing = false) => {
    back.setAttribute("aria-disabled", step <= 0); // not `disabled`: that would lose the focus
    forward.setAttribute("aria-disabled", step >= last);
    play?.replaceChildren(icon(ICONS[playing ? "pause" : "play"]), h("span", playing ? "Pause" : "Play"));
  };
  return { element: h("div.lm-buttons", { role: "group", "aria-label": "Steps" }, back, play, forward), draw };
}

// Calls `step` again and again until it gives false; `draw` shows whether it plays.
function player(step, draw) {
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
  };
  const tick = () => {
    if (step()) return;
    stop();
    draw();
  };
  const toggle = () => {
    if (timer) stop();
    else timer = setInterval(tick, PLAY_EVERY);
    draw();
  };
  return { on: () => timer !== null, toggle, stop };
}

function scoreOf(get, right) {
  const guesses = Object.entries(get("predictions"));
  if (!get("predict") || !guesses.length) return "";
  return `${guesses.filter(([key, guess]) => right(get, key, guess)).length} of ${guesses.length} right`;
}

// Puts the elements into the stage; one that is there already stays where it is, and so keeps its focus and its motion.
function fill(stage, elements) {
  for (const old of [...stage.children]) if (!elements.includes(old)) old.remove();
  elements.forEach(
    (element, k) => stage.children[k] !== element && stage.insertBefore(element, stage.children[k] ?? null),
  );
}

// Draws, and lets what was there before move to its new place and size, unless the reader asked for less motion.
function withMotion(stage, moves, draw) {
  if (!moves || matchMedia("(prefers-reduced-motion: reduce)").matches) return draw();
  const state = (element) => {
    const style = getComputedStyle(element);
    const properties = element.dataset.tween?.split(" ") ?? [];
    return {
      box: element.getBoundingClientRect(),
      values: Object.fromEntries(properties.map((name) => [name, style.getPropertyValue(name)])),
    };
  };
  const all = () => [...stage.querySelectorAll("[data-move]")];
  const before = new Map(all().map((element) => [element.dataset.move, state(element)]));
  draw();
  const changes = all().map((element) => [element, before.get(element.dataset.move), state(element)]);
  for (const [element, old, now] of changes) {
    const [from, to] = old ? frames(old, now, element.hasAttribute("data-tween")) : [{ opacity: 0 }, { opacity: 1 }];
    const same = Object.keys(to).every((name) => from[name] === to[name]);
    if (!same) element.animate([from, to], { duration: MOVE_FOR, easing: "ease-in-out" });
  }
}

// From the old values to the new ones, or from the old place to the new one.
function frames(old, now, tweens) {
  if (tweens) return [old.values, now.values];
  const by = (side) => `${(old.box[side] - now.box[side]).toFixed(1)}px`;
  return [
    { position: "relative", left: by("left"), top: by("top") },
    { position: "relative", left: "0.0px", top: "0.0px" },
  ];
}

// Each list that scrolls by itself shows what is new in it.
export function revealNew(stage) {
  for (const list of stage.querySelectorAll("[data-scroll]")) {
    const row = list.querySelector(".lm-fresh, [aria-current]")?.closest("tr, li");
    if (row) scrollToRow(list, row);
  }
}

// Jupyter draws a widget first and shows it later: only then lists have a height to scroll in.
export function whenSized(root, atEnd, then) {
  const sized = new ResizeObserver(() => {
    if (!root.offsetWidth) return;
    sized.disconnect();
    then();
  });
  sized.observe(root);
  atEnd(() => sized.disconnect());
}
