// One panel of the BPE merge stepper, drawn from what bpe_panel.py prepared: the next merge and why, the words, the
// ranked pairs, the merges, the vocabulary. Nothing is learned or counted here.

import { h } from "./base.js";
import { code, drawTree, marked, piecesOf } from "./bpe_cut.js";

// A panel as it stands at the stepper's view: `k` merges are done; `hidden` while the reader has yet to predict the
// next.
export function viewOf(view, panel, p, several) {
  const k = Math.min(view.step, panel.merges.length);
  const key = `${p}:${k}`;
  const position = panel.positions[k];
  const mine = view.guessed(key);
  const hidden = view.predict && position.chosen !== null && !mine;
  return { ...view, panel, p, several, k, key, position, mine, hidden };
}

export function drawPanel(view) {
  const { panel, p, several } = view;
  const words = drawWords(view);
  return h(
    "div.lm-panel",
    { role: "group", "aria-label": panel.label, "data-panel": p },
    several && h("h3", panel.label),
    drawNext(view),
    h(
      "div.lm-grid",
      h("div.lm-column", words.element, drawMerges(view)),
      h("div.lm-column", drawPairs(view, words.mark), drawVocabulary(view)),
    ),
    drawCut(view),
  );
}

// What a screen reader hears of a panel after a step.
export function spoken({ panel, k, several, hidden, position }) {
  const label = several ? `${panel.label}: ` : "";
  const done = k ? `${panel.merges[k - 1].pair.join(" ")} became ${panel.merges[k - 1].symbol}. ` : "";
  return label + done + (hidden ? "Which pair comes next?" : `Next: ${position.why.join("")}`);
}

export const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const number = (n) => n.toLocaleString("en");

// A long word by its beginning and its end.
function shortened(word) {
  const letters = [...word];
  return letters.length > 24 ? `${letters.slice(0, 14).join("")}…${letters.slice(-8).join("")}` : word;
}

// The next merge and the reason for it; or the question, and then the verdict.
function drawNext(view) {
  const { panel, k, hidden, predict, mine, position, live, follow } = view;
  const [a, b] = position.chosen ?? [];
  const merge = a && [code(a), h("span.lm-op", " + "), code(b), h("span.lm-op", " → "), code(a + b)];
  const why = position.why.map((part, i) => (i % 2 ? code(part) : part));
  const chose = panel.choices.length > 0 && live && !predict;
  return h(
    "div.lm-next",
    h(
      "p.lm-headline",
      h("span.lm-number", a ? `Merge ${k + 1}` : "Done"),
      hidden ? h("span", "Which pair occurs most often?") : merge,
    ),
    h(
      "p.lm-why",
      hidden ? "Count in the words, then pick a pair from the list." : [predict && mine && verdict(view), why],
      chose && h("button.lm-small", { type: "button", "data-key": "follow", onclick: follow }, "Follow the rule again"),
    ),
  );
}

function verdict({ mine, position }) {
  if (same(mine, position.chosen)) return h("b.lm-right", "✓ Right. ");
  const { tied, count } = position.pairs.find(({ pair }) => same(pair, mine));
  const pair = code(mine.join(" "));
  if (tied) return [h("b.lm-right", "✓ Right: "), pair, " is one of the most frequent. "];
  return [h("b.lm-wrong", "✗ Not this time: "), pair, ` occurs ${count === 1 ? "once" : `${number(count)} times`}. `];
}

// The words as they are segmented; `mark(pair)` outlines every place where the pair stands. A letter is known by its
// place in its word, so that the halves of a new piece come together from where they stood.
function drawWords({ panel, p, k, position }) {
  const { pair, symbol } = k ? panel.merges[k - 1] : {};
  const half = (row, at, text) => h("span", { "data-move": `${p}:${row}:${at}` }, marked(text));
  const rows = position.shown.map((row) => {
    const { word, count, history } = panel.words[row];
    const [when, pieces] = history.findLast(([from]) => from <= k);
    let at = 0;
    const spans = pieces.map((piece) => {
      const start = at;
      at += piece.length;
      if (when !== k || piece !== symbol) return h("code.lm-piece", half(row, start, piece));
      return h("code.lm-piece.lm-fresh", half(row, start, pair[0]), half(row, start + pair[0].length, pair[1]));
    });
    return { word, count, pieces, spans };
  });
  const mark = (pair) => {
    for (const { pieces, spans } of rows) {
      const starts = (i) => pair !== null && i + 1 < pieces.length && same([pieces[i], pieces[i + 1]], pair);
      spans.forEach((span, i) => {
        span.classList.toggle("lm-left", starts(i));
        span.classList.toggle("lm-right-half", i > 0 && starts(i - 1));
      });
    }
  };
  const some = rows.length < panel.total_words;
  const element = h(
    "div.lm-words",
    h("h4", "Words ", h("small", some ? "the last changed, then the most frequent" : "frequency and pieces")),
    region(
      `Words of ${panel.label}`,
      `words${p}`,
      h(
        "table",
        h("thead.lm-hidden", h("tr", h("th", { scope: "col" }, "Frequency"), h("th", { scope: "col" }, "Pieces"))),
        h(
          "tbody",
          rows.map(({ word, count, spans }) =>
            h(
              "tr",
              { "data-word": word },
              h("td.lm-count", number(count)),
              h(
                "td.lm-pieces",
                { dir: "auto" },
                spans.flatMap((span) => [span, " "]),
              ),
            ),
          ),
        ),
      ),
    ),
    some && h("p.lm-note", `${rows.length} of ${number(panel.total_words)} words`),
  );
  return { element, mark };
}

// The most frequent pairs. One that is pointed at shows its formula and its places in the words.
function drawPairs(view, mark) {
  const { position, hidden, p, predict, key, mine, guess, choose, say, live } = view;
  const { chosen, pairs } = position;
  const ties = pairs.filter(({ tied }) => tied).length > 1;
  const choosing = ties && live && chosen && !predict;
  const most = Math.max(1, ...pairs.map(({ count }) => count));
  const formula = h("p.lm-formula");
  const select = (one, speak) => {
    mark(one.pair);
    if (!hidden) formula.replaceChildren(...formulaOf(one));
    if (!hidden && speak) say(formula.textContent);
  };

  const row = (one) => {
    const { pair, count, tied } = one;
    const name = pair.join(" ");
    const winner = chosen !== null && same(pair, chosen);
    const guessed = predict && mine && same(pair, mine);
    const [sign, meaning] = winner ? ["▶", "next merge: "] : tied && ties ? ["=", "as frequent: "] : ["", ""];
    const handlers = {
      onclick: () => (hidden ? guess(key, pair) : select(one, true)),
      onfocus: () => select(one, true),
      onmouseenter: () => select(one, false),
    };
    return h(
      "li",
      h(
        !hidden && winner ? "button.lm-pair.lm-winner" : "button.lm-pair",
        { type: "button", "data-key": `${p}:pair:${name}`, "data-count": hidden ? null : count, ...handlers },
        h("span.lm-mark", !hidden && [sign, h("span.lm-hidden", meaning)]),
        h("span.lm-two", code(pair[0]), " ", code(pair[1]), guessed && h("small.lm-mine", " your guess")),
        !hidden &&
          h(
            "span.lm-bar",
            { "aria-hidden": "true" },
            h("span", {
              style: `width:${(100 * count) / most}%`,
              "data-move": `${p}:bar:${name}`,
              "data-tween": "width",
            }),
          ),
        !hidden && h("span.lm-times", number(count)),
        !hidden && changed(one),
      ),
      choosing &&
        tied &&
        !winner &&
        h(
          "button.lm-small",
          {
            type: "button",
            "data-key": `${p}:take:${name}`,
            "aria-label": `Merge ${name} instead`,
            onclick: () => choose(pair),
          },
          "merge this",
        ),
    );
  };

  const byName = (one, other) => (one.pair.join(" ") < other.pair.join(" ") ? -1 : 1);
  const rows = (hidden ? [...pairs].sort(byName) : pairs).map(row);
  const rest = () => {
    if (pairs.length) select(pairs.find(({ pair }) => chosen && same(pair, chosen)) ?? pairs[0], false);
    mark(null);
  };
  rest();
  return h(
    "div.lm-ranking",
    h("h4", "Pairs ", h("small", hidden ? "in alphabetical order" : "by count")),
    h(choosing ? "ol.lm-choosing" : "ol", { "data-roving": `pairs${p}`, onmouseleave: rest }, rows),
    !pairs.length && h("p.lm-note", "none"),
    !hidden && position.more > 0 && h("p.lm-note", `and ${number(position.more)} more as frequent`),
    formula,
    !hidden &&
      ties &&
      chosen &&
      !live &&
      h("p.lm-note", "To merge another of the tied pairs, open the notebook: this page has no Python."),
  );
}

// What the last merge did to a count.
function changed({ change, new: isNew }) {
  if (!change) return null;
  if (isNew) return h("small.lm-rise", "new");
  const [kind, sign, word] = change > 0 ? ["rise", "▲", "more"] : ["fall", "▼", "fewer"];
  const size = number(Math.abs(change));
  return h(`small.lm-${kind}`, `${sign}${size}`, h("span.lm-hidden", ` ${word} than before the merge`));
}

// c(a, b) = Σ frequency × occurrences = 6 × 1 newest + 3 × 1 widest = 9
function formulaOf({ pair, count, terms, rest }) {
  const parts = terms.map(([frequency, occurrences, word]) =>
    h("span.lm-term", `${number(frequency)} × ${occurrences} `, h("i", { title: word }, shortened(word))),
  );
  if (rest > 0) parts.push(`${number(rest)} elsewhere`);
  const sum = parts.flatMap((part, i) => (i ? [" + ", part] : [part]));
  return [
    "c(",
    code(pair[0]),
    ", ",
    code(pair[1]),
    ") = Σ frequency × occurrences = ",
    ...sum,
    " = ",
    h("b", number(count)),
  ];
}

// The merges in order, each a way to jump there. A reader who predicts sees only those already reached.
function drawMerges({ panel, p, k, predict, go, farthest }) {
  const shown = predict ? panel.merges.slice(0, farthest) : panel.merges;
  const item = (n, title, ...text) =>
    h(
      "li",
      h(
        n > k ? "button.lm-merge.lm-later" : "button.lm-merge",
        {
          type: "button",
          title,
          "data-key": `${p}:merge:${n}`,
          "aria-current": n === k && "step",
          onclick: () => go(n),
        },
        h("span.lm-n", `${n}`),
        text,
      ),
    );
  return h(
    "div.lm-merges",
    h("h4", "Merges ", h("small", "in the order learned")),
    h(
      "ol.lm-scroll",
      { "data-roving": `merges${p}`, "data-scroll": `merges${p}` },
      item(0, "characters only", "start"),
      shown.map(({ pair: [a, b], symbol }, i) =>
        item(i + 1, `merge ${i + 1}: ${a} + ${b} → ${symbol}`, h("span.lm-sum", code(a), " ", code(b))),
      ),
    ),
  );
}

// All pieces after `k` merges, the newest first, then the characters.
function drawVocabulary({ panel, p, k }) {
  const { symbol: newest, vocabulary_size: size } = k
    ? panel.merges[k - 1]
    : { vocabulary_size: panel.vocabulary.length };
  const characters = panel.vocabulary;
  const symbols = new Set(panel.merges.slice(0, k).map(({ symbol }) => symbol));
  const made = [...symbols].filter((symbol) => !characters.includes(symbol)).reverse();
  const chip = (piece) =>
    piece === newest
      ? h("li", h("code.lm-piece.lm-fresh", { dir: "auto" }, marked(piece)), h("span.lm-hidden", " (new)"))
      : h("li", h("code.lm-piece", { dir: "auto" }, marked(piece)));
  return h(
    "div.lm-vocabulary",
    { "data-size": size },
    h(
      "h4",
      "Vocabulary ",
      h("small", `${characters.length} characters + ${size - characters.length} merged = `, h("b", `${size}`)),
    ),
    region(
      `Vocabulary of ${panel.label}`,
      `vocabulary${p}`,
      h("ul.lm-chips.lm-made-list", made.map(chip)),
      h("ul.lm-chips", characters.map(chip)),
    ),
  );
}

// The word that the reader asked for.
function drawCut(view) {
  const { panel, p, k } = view;
  if (!panel.cut) return null;
  const one = (n, what) => (n === 1 ? `one ${what}` : `${n} ${what}s`);
  const said = `${one(piecesOf(panel.cut, k), "piece")} after ${one(k, "merge")}`;
  return h(
    "div.lm-cut",
    h("h4", "The word ", code(panel.cut.symbols.join("")), " ", h("small", said)),
    drawTree(view, panel.cut, { key: `${p}`, label: `Pieces of the word, ${panel.label}` }),
  );
}

// A part that scrolls by itself, so the keyboard must reach it.
function region(label, key, ...content) {
  return h(
    "div.lm-scroll",
    { role: "region", tabindex: 0, "aria-label": label, "data-scroll": key, "data-key": key },
    content,
  );
}
