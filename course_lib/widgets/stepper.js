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
//   own(w, ask, unanswered)  the reader's own input, an element (optional; see `ownInput` and `asking`)
//   ownFirst        whether that stands above all else
//
// A view holds { get, put, live, step, last, farthest, predict, guessed(key), guess(key, value), go(step), say(text),
// ask(request), unanswered(), again() }: `again` draws the step anew; `farthest` is the last step that a reader who
// predicts has seen. A list with `data-scroll` scrolls by itself to what is new in it (`.lm-fresh` or `aria-current`).
// Motion: see motion.js.

import { asking, h, moveByKeys, redraw, scrollToRow, suppressShortcuts, widget } from "./base.js";
import { withMotion } from "./motion.js";
import { timeline } from "./timeline.js";
import "./stepper.css";

export function stepper(its) {
  return (context) => {
    const w = widget(context, its.root, its.label);
    const { get, put, live, root, say } = w;
    const last = () => its.last(get);
    const go = (step) => put({ step: Math.min(Math.max(step, 0), last()) });
    const words = its.words ?? { doing: "Learning …", done: "Learned.", refused: "Not learned" };
    const { said, ask, unanswered } = asking(w, words);
    let farthest = get("step");
    let shown = -1;

    const time = timeline({ now: () => get("step"), last, go, unit: () => its.unit, draw, atEnd: w.atEnd });
    const predict = h("input", { type: "checkbox", onchange: () => put({ predict: predict.checked }) });
    const score = h("span.lm-score");
    const stage = h("div.lm-stage");

    function draw() {
      const step = get("step");
      const view = viewNow();
      farthest = view.farthest = Math.max(farthest, step);
      time.draw();
      predict.checked = get("predict");
      score.textContent = its.right ? scoreOf(get, its.right) : "";
      redraw(stage, () => withMotion(stage, shown >= 0 && step !== shown, () => fill(stage, its.draw(view))));
      suppressShortcuts(root);
      if (step !== shown) revealNew(stage);
      shown = step;
      if (!time.playing()) say(`${step} of ${last()} ${its.unit}. ${its.spoken(view)}`);
    }
    const viewNow = () => ({
      get,
      put,
      live,
      go,
      say,
      ask,
      unanswered,
      farthest,
      again: draw,
      step: get("step"),
      last: last(),
      predict: get("predict"),
      guessed: (key) => get("predictions")[key],
      guess: (key, value) => {
        put({ predictions: { ...get("predictions"), [key]: value } });
        queueMicrotask(() => revealVerdict(stage)); // it is drawn by then
      },
    });

    const anew = () => {
      farthest = get("step");
      shown = -1;
    };
    for (const trait of its.traits) w.on(`change:${trait}`, anew);
    moveByKeys(root, () => time.keys);
    const asked = its.own ? [its.own(w, ask, unanswered), said] : [];
    const first = its.ownFirst ? asked.splice(0) : [];
    const content = [
      ...first,
      h(
        "div.lm-toolbar",
        time.elements,
        its.right && h("div.lm-predict", h("label", predict, h("span", "Predict first")), score),
      ),
      stage,
      ...asked,
    ];
    whenSized(root, w.atEnd, () => revealNew(stage));
    return w.start(content.filter(Boolean), ["step", "predict", "predictions", ...its.traits], draw);
  };
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

// What is said of a guess comes into the window, where it is beyond its edge.
function revealVerdict(stage) {
  const panel = stage.getRootNode().activeElement?.closest(".lm-panel") ?? stage;
  panel.querySelector(":is(.lm-right, .lm-wrong)")?.closest(".lm-next")?.scrollIntoView({ block: "nearest" });
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
