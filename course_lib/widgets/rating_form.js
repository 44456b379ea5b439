// The rating form: a screen for each task, whose systems only Python knows. What the reader has chosen and not saved
// yet is kept here, for each screen.

import { asking, h, redraw, suppressShortcuts, widget } from "./base.js";
import { scaleOf } from "./rating_scales.js";
import { stepButtons } from "./timeline.js";
import "./stepper.css";
import "./rating_form.css";

const WITHOUT = "This page runs without Python: it cannot save answers. Run the cell in the notebook to rate.";

function render(context) {
  const w = widget(context, "lm-rating", "Rating form", { saves: false });
  const { get, put, live, root, say, on } = w;
  const { said, ask } = asking(w, { doing: "Saving …", done: "Saved.", refused: "Not saved" });
  const last = () => get("tasks").length - 1;
  const go = (at) => put({ at: Math.min(Math.max(at, 0), last()) });
  const scale = scaleOf(get("scale"));
  const drafts = {};
  const scoresOf = (at) => drafts[at] ?? get("given")[at] ?? get("tasks")[at].outputs.map(() => ({}));
  const isWhole = (scores) => scores.every((one) => scale.aspects.every((aspect) => aspect in one));

  const buttons = stepButtons(() => get("at"), go);
  buttons.element.lastChild.classList.remove("lm-primary"); // to save is what matters here
  const progress = h("output.lm-progress");
  const bar = h("progress", { max: last() + 1, "aria-label": "Saved answers" });
  const about = h("span.lm-about", `rater: ${get("rater")}, round ${get("round")}`);
  const toolbar = h("div.lm-toolbar", buttons.element, progress, live && bar, about);
  const stage = h("div");
  const file = h(
    "p.lm-note",
    live
      ? ["Answers go to ", h("code", get("file")), ", each as soon as you save it: by the button or the Enter key."]
      : WITHOUT,
  );

  const isSame = (some, others) =>
    some.every((one, k) => scale.aspects.every((aspect) => one[aspect] === others?.[k][aspect]));
  let saved = false;
  const save = () => {
    const at = get("at");
    const scores = scoresOf(at);
    if (!isWhole(scores)) return say(scale.missing);
    ask({ task: at, scores });
  };
  on("change:given", () => {
    for (const [at, scores] of Object.entries(drafts)) {
      if (!isSame(scores, get("given")[at])) continue; // an answer to another screen, or it was changed meanwhile
      delete drafts[at];
      saved = true;
    }
  });

  function draw() {
    const at = get("at");
    const given = Object.keys(get("given")).length;
    const all = last() + 1;
    // Without Python it stands as it was when its cell was run, and cannot say how many are saved by now.
    progress.replaceChildren(h("b", `${at + 1}`), ` of ${all}`, live ? h("small", ` (saved: ${given})`) : "");
    bar.value = given;
    buttons.draw(at, last());
    const button = h("button.lm-primary", { type: "button", "data-key": "save", onclick: save }, "Save and go on");
    const note = h("span.lm-quiet");
    const tell = () => {
      const isReady = isWhole(scoresOf(at));
      button.setAttribute("aria-disabled", !isReady); // not `disabled`: that would lose the focus
      note.textContent = isReady ? "" : scale.missing;
    };
    const change = (place, values) => {
      drafts[at] = scoresOf(at).map((one, k) => (k === place ? { ...one, ...values } : one));
      tell();
    };
    const done = live && given === all && h("p.lm-done", `All ${all} are saved. You can still change an answer.`);
    const ending = h("div.lm-ending", live && [button, note], done);
    redraw(root, () => stage.replaceChildren(...drawTask(get("tasks")[at], scale, scoresOf(at), change, live), ending));
    tell();
    suppressShortcuts(root);
    if (saved) stage.querySelector("input")?.focus({ preventScroll: true }); // to go on by keyboard
    saved = false;
    say(`Screen ${at + 1} of ${all}${live ? `, ${given} saved` : ""}.`);
  }

  stage.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input")) return;
    event.preventDefault();
    save();
  });
  return w.start([toolbar, stage, said, file], ["at", "given"], draw);
}

// What is judged by, and each output with its questions.
function drawTask({ source, reference, outputs }, scale, scores, change, live) {
  const text = (name, value) => value && [h("dt", name), h("dd", { dir: "auto" }, value)];
  const judged = outputs.map((output, k) =>
    h(
      `div.lm-output${outputs.length > 1 ? ".lm-ranked" : ""}`,
      h("p.lm-text", { dir: "auto" }, output || h("i", "(empty output)")),
      scale.questions({
        output,
        of: outputs.length,
        scores: scores[k],
        change: (values) => change(k, values),
      }),
    ),
  );
  return [
    h("dl.lm-given", text("Source", source), text("Reference", reference)),
    h("fieldset.lm-judged", { disabled: !live }, h("legend", scale.legend(outputs.length)), judged),
  ];
}

export default { render };
