// The EM stepper draws the trace of course_lib.alignment.trace_em: t, the posteriors, the counts and the log likelihood
// are Python's. `step` counts the iterations that are done.

import { h, moveByKeys, ownInput, svg, textArea, wholeNumber } from "./base.js";
import { stepper } from "./stepper.js";
import { drawLinked } from "./links.js";
import "./em_stepper.css";

const THICKEST = 9; // pixels, for a posterior of 1

const exactly = (number) => number.toFixed(3).replace("-", "−");
const shortly = (number) => (number > 0 && number < 0.005 ? "<.01" : number.toFixed(2));
const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

const word = (text) => h("code", { dir: "auto" }, text);
const t = (y, x) => [h("i", "t"), "(", word(y), " | ", word(x), ")"];
const c = (y, x) => [h("i", "c"), "(", word(y), " | ", word(x), ")"];
const listed = (words) => words.flatMap((one, n) => [n ? (n === words.length - 1 ? " and " : ", ") : "", word(one)]);

// The trace at the stepper's view; `hidden` while the reader has yet to predict what comes next.
function viewOf(view) {
  const { source_words: xs, target_words: ys, steps } = view.get("trace");
  const k = view.step;
  const question = view.get("questions")[k];
  const mine = view.guessed(`${k}`);
  const hidden = view.predict && Boolean(question) && mine === undefined;
  return {
    ...view,
    k,
    xs,
    ys,
    steps,
    now: steps[k],
    after: steps[k + 1],
    pairs: view.get("pairs"),
    question,
    mine,
    hidden,
  };
}

function spoken({ now, question, hidden }) {
  const asked = hidden ? ` Which translation of ${question.word} will be the most probable one?` : "";
  return `Log likelihood ${exactly(now.log_likelihood)}.${asked}`;
}

function draw(view) {
  const { now, after, hidden, say } = view;
  const formula = h("p.lm-formula");
  const sentences = drawPairs(view);
  const select = (x, y, speak) => {
    sentences.mark(x, y);
    formula.replaceChildren(...formulaOf(view, x, y).flat(Infinity));
    if (speak) say(formula.textContent);
  };
  select(0, now.translation[0].indexOf(Math.max(...now.translation[0])), false);
  sentences.mark();
  const actions = { select, leave: () => sentences.mark() };
  return [
    drawNext(view),
    h(
      "div.lm-grid",
      h(
        "div.lm-column",
        h(
          "div",
          h(
            "h4",
            "Translation table ",
            h("small", "t(y | x): how likely y translates x. From iteration 1 on each row adds up to 1"),
          ),
          drawTable("t", view, now.translation, { ...actions, top: 1 }),
        ),
        drawLikelihood(view),
      ),
      h(
        "div.lm-column",
        h(
          "div",
          h("h4", "E step: posteriors ", h("small", "how likely each line is, given the table")),
          sentences.element,
        ),
        h(
          "div",
          h("h4", "E step: expected counts ", h("small", "c(y | x): the lines of x and y, added up")),
          hidden
            ? h("p.lm-note.lm-veil", "Hidden until you have predicted. Add up the lines yourself.")
            : drawTable("c", view, now.counts, { ...actions, top: Math.max(1, ...now.counts.flat()) }),
          !hidden && after && h("p.lm-note", "M step: each row divided by its sum is the next translation table."),
        ),
      ),
    ),
    formula,
  ];
}

// What happens next, or the question.
function drawNext(view) {
  const { k, now, after, question, mine, predict, hidden, guess } = view;
  const headline = (...text) =>
    h("p.lm-headline", h("span.lm-number", after ? `Next: iteration ${k + 1}` : "Done"), h("span", text));
  if (hidden)
    return h(
      "div.lm-next",
      headline("Which translation of ", word(question.word), " will be the most probable after it?"),
      h(
        "div.lm-options",
        { role: "group", "aria-label": `Translations of ${question.word}` },
        question.options.map((option) =>
          h(
            "button",
            { type: "button", dir: "auto", "data-key": `option:${option}`, onclick: () => guess(`${k}`, option) },
            option,
          ),
        ),
      ),
    );
  const [before, next] = [now, after].map((step) => step && exactly(step.log_likelihood));
  return h(
    "div.lm-next",
    headline(`log likelihood ${before}`, after && ` → ${next}`),
    predict && mine !== undefined ? drawVerdict(view) : h("p.lm-why", explanation(view)),
  );
}

function explanation({ k, after }) {
  if (k === 0) return "At the start every translation is as likely as any other.";
  if (after) return "The table explains the sentences; the lines say how; their sums make the next table.";
  return "These are all the iterations asked for. More would sharpen the table further.";
}

function drawVerdict({ xs, ys, after, question, mine }) {
  const of = (y) => shortly(after.translation[xs.indexOf(question.word)][ys.indexOf(y)]);
  const [best, ...equal] = question.best;
  const right = question.best.includes(mine);
  return h(
    "p.lm-why",
    right ? h("b.lm-right", "✓ Right. ") : h("b.lm-wrong", "✗ Not this time. "),
    "After it, ",
    t(best, question.word),
    ` = ${of(best)}`,
    equal.length > 0 && [", as likely as ", listed(equal)],
    !right && [", and ", t(mine, question.word), ` = ${of(mine)}`],
    ".",
  );
}

// A table of source words by target words: a square's area is the number, which stands beside it.
function drawTable(kind, { xs, ys, now }, values, { select, leave, top }) {
  const cell = (x, y) => {
    if (!(now.counts[x][y] > 0 || values[x][y] > 0))
      return h("td", h("span.lm-never", { title: `${xs[x]} and ${ys[y]} never meet` }, "–"));
    const value = values[x][y];
    const side = `${(22 * Math.sqrt(value / top)).toFixed(1)}px`;
    const square = {
      style: `width:${side};height:${side}`,
      "data-move": `${kind}:${x}:${y}`,
      "data-tween": "width height",
    };
    const name = `${kind}:${x}:${y}`;
    return h(
      "td",
      h(
        "button.lm-cell",
        {
          type: "button",
          "data-key": name,
          "data-x": x,
          "data-y": y,
          "data-value": value,
          "aria-label": `${kind}(${ys[y]} | ${xs[x]}) = ${shortly(value)}`,
          onfocus: () => select(x, y, true),
          onclick: () => select(x, y, true),
          onmouseenter: () => select(x, y, false),
          onmouseleave: leave,
        },
        h("span.lm-box", h("span.lm-square", square)),
        h("span", shortly(value)),
      ),
    );
  };
  const head = h(
    "tr",
    h("td"),
    ys.map((y) => h("th", { scope: "col" }, word(y))),
    kind === "c" && h("th", { scope: "col" }, "sum"),
  );
  const rows = xs.map((x, i) =>
    h(
      "tr",
      h("th", { scope: "row" }, word(x)),
      ys.map((_, j) => cell(i, j)),
      kind === "c" && h("td.lm-total", shortly(sum(values[i]))),
    ),
  );
  const table = h(`table.lm-table.lm-table-${kind}`, h("thead", head), h("tbody", rows));
  moveInTable(table);
  return h(
    "div.lm-sideways",
    { role: "group", "aria-label": kind === "t" ? "Translation table" : "Expected counts" },
    table,
  );
}

// Arrow keys go from cell to cell; a table is one stop of the Tab key.
function moveInTable(table) {
  const cells = [...table.querySelectorAll("button")];
  const stopAt = (chosen) => cells.forEach((cell) => (cell.tabIndex = cell === chosen ? 0 : -1));
  stopAt(cells[0]);
  table.addEventListener("focusin", ({ target }) => stopAt(target));
  moveByKeys(table, ({ target }) => {
    const [x, y] = [Number(target.dataset.x), Number(target.dataset.y)];
    const along = (down, right) => () => {
      // to the next cell on the way that is not empty
      for (let n = 1; n < 12; n++) {
        const found = table.querySelector(`[data-x="${x + n * down}"][data-y="${y + n * right}"]`);
        if (found) return found.focus();
      }
    };
    return { ArrowUp: along(-1, 0), ArrowDown: along(1, 0), ArrowLeft: along(0, -1), ArrowRight: along(0, 1) };
  });
}

// The sentence pairs, a line's thickness its posterior.
function drawPairs({ xs, ys, now, pairs }) {
  const drawn = pairs.map(([source, target], k) => {
    const words = (side) => side.map((text) => h("span.lm-word", text));
    const links = target.flatMap((y, j) => source.map((x, i) => ({ i, j, x, y, p: now.posteriors[k][j][i] })));
    const lines = links.map(({ i, j, p }) => ({
      i,
      j,
      width: Math.max(THICKEST * p, 0.4),
      style: p < 0.005 && "lm-thread",
    }));
    const said = target
      .map((y, j) => `${y}: ${source.map((x, i) => `${x} ${shortly(now.posteriors[k][j][i])}`).join(", ")}`)
      .join("; ");
    return { ...drawLinked(words(source), words(target), lines, ["Source", "Target"], `pair${k}`), links, said };
  });
  const mark = (x, y) =>
    drawn.forEach(({ element, links }) => {
      const groups = element.querySelectorAll(".lm-link");
      element.classList.toggle("lm-selecting", x !== undefined);
      links.forEach((link, n) =>
        groups[n].classList.toggle("lm-chosen", x !== undefined && link.x === xs[x] && link.y === ys[y]),
      );
    });
  const element = h(
    "ul.lm-pairs",
    drawn.map(({ element: figure, said }) => h("li", figure, h("p.lm-hidden", said))),
  );
  return { element, mark };
}

// c(the | das) = 0.50 + 0.50 = 1.00; t(the | das) becomes 1.00 / 2.00 = 0.50
function formulaOf({ xs, ys, now, after, hidden, pairs }, x, y) {
  const [one, other] = [xs[x], ys[y]];
  const meetings = ([source, target], k) =>
    target.flatMap((to, j) =>
      source.flatMap((from, i) => (from === one && to === other ? [{ k, p: now.posteriors[k][j][i] }] : [])),
    );
  const found = pairs.flatMap(meetings);
  const here = [t(other, one), ` = ${shortly(now.translation[x][y])}`];
  if (hidden) return [...here, `. Its lines: ${found.map(({ k, p }) => `${shortly(p)} in pair ${k + 1}`).join(", ")}.`];
  const total = shortly(now.counts[x][y]);
  const counted = [
    c(other, one),
    " = ",
    found.map(({ p }) => shortly(p)).join(" + "),
    found.length > 1 ? ` = ${total}` : "",
  ];
  if (!after) return [...here, ". ", counted, "."];
  return [
    ...here,
    ". ",
    counted,
    `; ${total} / ${shortly(sum(now.counts[x]))} = `,
    h("b", shortly(after.translation[x][y])),
    " in the next table.",
  ];
}

// Log likelihood against iterations. A reader who predicts sees it as far as they have come, on the axes of the whole.
function drawLikelihood({ k, steps, predict, farthest, last }) {
  const values = steps.map((step) => step.log_likelihood);
  const [low, high] = [Math.floor(values[0] - 0.3), Math.ceil(values.at(-1) + 0.1)];
  const [left, right, top, bottom] = [44, 350, 10, 104];
  const x = (n) => left + 10 + ((right - left - 10) * n) / last;
  const y = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
  const place = (n) => `${x(n).toFixed(1)},${y(values[n]).toFixed(1)}`;
  const shown = values.slice(0, predict ? farthest + 1 : undefined);
  const ticks = (from, to) => {
    const every = [1, 2, 5, 10, 20, 50, 100].find((one) => (to - from) / one <= 5) ?? 200;
    return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, n) => from + n * every);
  };
  const label = `Log likelihood after each iteration: ${shown.map((value) => value.toFixed(2)).join(", ")}`;
  const chart = svg(
    "svg.lm-chart",
    { viewBox: "0 0 360 136", role: "img", "aria-label": label },
    svg("path.lm-axes", { d: `M${left} ${top}V${bottom}H${right}` }),
    ticks(low, high).map((value) => [
      svg("path.lm-tick", { d: `M${left} ${y(value)}H${right}` }),
      svg("text.lm-y", { x: left - 6, y: y(value) + 4 }, `${value}`.replace("-", "−")),
    ]),
    ticks(0, last).map((n) => svg("text.lm-x", { x: x(n), y: bottom + 15 }, `${n}`)),
    svg("text.lm-x", { x: (left + right) / 2, y: bottom + 30 }, "iterations"),
    svg("polyline", { points: shown.map((_, n) => place(n)).join(" ") }),
    shown.map((value, n) =>
      svg(
        `circle${n === k ? ".lm-now" : ""}`,
        { cx: x(n), cy: y(value), r: n === k ? 6 : 3 },
        svg("title", `after ${n} iterations: ${exactly(value)}`),
      ),
    ),
  );
  return h(
    "div",
    h("h4", "Log likelihood ", h("small", "of the target sentences; no iteration makes it smaller")),
    chart,
  );
}

// The reader's own sentences.
function own(w, ask) {
  const area = w.bind(textArea("Sentence pairs", 4), "text");
  const count = w.bind(h("input", { type: "number", min: 1, max: 30 }), "iterations");
  return ownInput(w, {
    summary: "Your own sentences",
    legend: "What to learn from",
    note: "On each line a sentence, “=” and its translation. Put NULL before a sentence for words that translate none.",
    texts: [area],
    fields: { Iterations: count },
    action: "Learn",
    send: () => ask({ text: area.value, iterations: wholeNumber(count) }),
  });
}

export default {
  render: stepper({
    root: "lm-em",
    label: "EM alignment stepper",
    unit: "iterations",
    traits: ["trace"],
    last: (get) => get("trace").steps.length - 1,
    draw: (view) => draw(viewOf(view)),
    spoken: (view) => spoken(viewOf(view)),
    right: (get, k, guess) => get("questions")[k].best.includes(guess),
    own,
  }),
};
