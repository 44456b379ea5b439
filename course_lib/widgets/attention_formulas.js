// The rows of the attention stepper, each with its numbers and the formula behind every one. Numbers are Python's.

import { h } from "./base.js";

const TERMS = 6; // of a long sum the largest terms are written, the others together

export const STEPS = [
  [
    "q",
    "Vectors",
    () => [
      v("q", "i"),
      " = ",
      v("x", "i"),
      " W",
      h("sup", "Q"),
      ", ",
      v("k", "j"),
      " = ",
      v("x", "j"),
      " W",
      h("sup", "K"),
      ", ",
      v("v", "j"),
      " = ",
      v("x", "j"),
      " W",
      h("sup", "V"),
    ],
    "The word that asks has a query. Every word has a key, and a value.",
  ],
  ["products", "Products", () => [v("q", "i"), " · ", v("k", "j")], "How well does each key fit the query?"],
  [
    "scaled",
    "Scores",
    () => [v("e", "ij"), " = ", v("q", "i"), " · ", v("k", "j"), " / √", v("d", "k")],
    "Divided by the root of the width, the scores of wide vectors are no larger than those of narrow ones.",
  ],
  [
    "mask",
    "Mask",
    () => [v("e", "ij"), " = −∞ where j may not be seen"],
    "What may not be seen will get the weight 0.",
  ],
  [
    "weights",
    "Weights",
    () => [v("α", "ij"), " = exp(", v("e", "ij"), ") / Σ", h("sub", "k"), " exp(", v("e", "ik"), ")"],
    "Softmax: the weights are above 0, or 0 where masked, and their sum is 1.",
  ],
  [
    "z",
    "New vector",
    () => [v("z", "i"), " = Σ", h("sub", "j"), " ", v("α", "ij"), " ", v("v", "j")],
    "The mean of the values, each with its weight: this is what the word takes from the others.",
  ],
];

// A letter with its index, a number as it is written, and a number as a factor.
const ROLES = { q: "query", k: "key", v: "value" }; // each has a colour, the same in all pictures
const v = (letter, index) => [h(ROLES[letter] ? `i.lm-is-${ROLES[letter]}` : "i", letter), h("sub", `${index}`)];
export const number = (value) =>
  (Number.isInteger(value) ? `${value}` : value.toFixed(2)).replace(/^-0\.00$/, "0.00").replace("-", "−");
const factor = (value) => number(value).replace(/^−.*/, "($&)");
export const NOTHING_MASKED = "Nothing is masked here: every word may be seen.";
const vector = (values) => `(${values.map(number).join(", ")})`;
const joined = (parts, sign) => parts.flatMap((part, k) => (k ? [sign, part] : [part]));
export const quoted = (word) => h("bdi", `“${word}”`);

// 0.90 × 1.20 + 0.31 × (−0.52) + 26 more terms: 0.40; the largest first. `pairs` may be some of `all` terms.
function sum(pairs, result, all = pairs.length) {
  const ranked = [...pairs].sort((a, b) => Math.abs(b[0] * b[1]) - Math.abs(a[0] * a[1]));
  const shown = ranked.length > TERMS + 1 ? ranked.slice(0, TERMS) : pairs;
  const rest = result - shown.reduce((total, [a, b]) => total + a * b, 0);
  const others =
    shown.length < all ? [`${all - shown.length} more terms: ${factor(Math.round(1000 * rest) / 1000)}`] : [];
  return joined([...shown.map(([a, b]) => `${factor(a)} × ${factor(b)}`), ...others], " + ");
}

// What is shown: { attention, head, i } as `shownOf` gives them. Each row { id, step, label, cells }; a cell has a
// `kind` ("vector", "number", "weight", "mask", "part"), its value, a name for screen readers, and its formula.
export function rowsOf({ attention: { asked, asking, allowed, width, inputs }, head, i }) {
  const n = i + 1;
  const open = (j) => !allowed || allowed[i][j];
  const root = Math.sqrt(width);
  const places = [...asked.keys()];
  const e = (j) => v("e", `${n}${j + 1}`);
  const α = (j) => v("α", `${n}${j + 1}`);
  const fits = (j) => [v("q", n), " · ", v("k", j + 1)];
  const about = (j, text) => `${text}, “${asked[j]}”`;
  // k2 = x2 WK = (0.31, …), of which k2,5 = 0.12 × 0.90 + …
  const projected = (letter, word) => {
    const values = head[letter][word];
    const W = [" W", h("sup", letter.toUpperCase())];
    const one = head.largest[letter]?.[word];
    const n = word + 1;
    const c = one && one.component + 1;
    const result = one && values[one.component];
    return [
      v(letter, n),
      " = ",
      v("x", n),
      W,
      " = ",
      vector(values),
      one
        ? [
            ". The largest: ",
            v(letter, `${n},${c}`),
            " = Σ",
            h("sub", "d"),
            " ",
            v("x", `${n},d`),
            " ",
            W[0].trim(),
            W[1].cloneNode(true),
            h("sub", `d,${c}`),
            " = ",
            sum(one.terms, result, inputs),
            " = ",
            h("b", number(result)),
          ]
        : "",
    ];
  };
  const vectors = (letter) =>
    places.map((j) => ({
      kind: "vector",
      value: head[letter][j],
      most: largest(head[letter]),
      name: about(j, { k: "key", v: "value" }[letter]),
      formula: () => projected(letter, j),
    }));
  const seen = places.filter(open);
  const most = number(Math.max(...seen.map((k) => head.scaled[i][k])));
  const share = (of, j) => [of(j), " / (", joined(seen.map(of), " + "), ")"];
  const softmax = (j) => [
    seen.length > TERMS ? "" : [share((k) => `exp(${number(head.scaled[i][k])})`, j), " = "],
    share((k) => number(head.exps[i][k]), j),
    " = ",
    h("b", number(head.weights[i][j])),
    ` (above and below divided by exp(${most}), the largest)`,
  ];
  const largest = (vectors) => Math.max(...vectors.flat().map(Math.abs));
  const best = places.reduce((one, j) => (head.weights[i][j] > head.weights[i][one] ? j : one), 0);
  return [
    {
      id: "q",
      step: 1,
      label: [v("q", n), " query"],
      cells: [
        {
          kind: "vector",
          value: head.q[i],
          most: largest(head.q),
          name: `query of “${asking[i]}”`,
          formula: () => projected("q", i),
        },
      ],
    },
    { id: "k", step: 1, label: [v("k", "j"), " keys"], cells: vectors("k") },
    {
      id: "products",
      step: 2,
      label: [v("q", n), " · ", v("k", "j")],
      cells: places.map((j) => ({
        kind: "number",
        value: number(head.products[i][j]),
        name: about(j, "product"),
        formula: () => [
          fits(j),
          " = ",
          sum(
            head.q[i].map((a, c) => [a, head.k[j][c]]),
            head.products[i][j],
          ),
          " = ",
          h("b", number(head.products[i][j])),
        ],
      })),
    },
    {
      id: "scaled",
      step: 3,
      label: ["÷ √", v("d", "k"), ` = ${number(root)}`],
      cells: places.map((j) => ({
        kind: "number",
        value: number(head.scaled[i][j]),
        name: about(j, "score"),
        formula: () => [
          e(j),
          " = ",
          fits(j),
          " / √",
          v("d", "k"),
          ` = ${number(head.products[i][j])} / √${width} = ${number(head.products[i][j])} / ${number(root)} = `,
          h("b", number(head.scaled[i][j])),
        ],
      })),
    },
    {
      id: "mask",
      step: 4,
      label: "mask",
      cells: places.map((j) => ({
        kind: "mask",
        value: open(j) ? number(head.scaled[i][j]) : "−∞",
        name: about(j, open(j) ? "may be seen" : "masked"),
        formula: () =>
          open(j)
            ? [
                quoted(asking[i]),
                " may look at ",
                quoted(asked[j]),
                ": ",
                e(j),
                " stays ",
                h("b", number(head.scaled[i][j])),
              ]
            : [
                quoted(asked[j]),
                " may not be seen from ",
                quoted(asking[i]),
                j > i ? ", it comes later: " : ": ",
                e(j),
                " becomes ",
                h("b", "−∞"),
              ],
      })),
    },
    {
      id: "weights",
      step: 5,
      label: [v("α", `${n}j`), " weights"],
      cells: places.map((j) => ({
        kind: "weight",
        value: number(head.weights[i][j]),
        size: head.weights[i][j],
        best: j === best,
        name: about(j, "weight"),
        formula: () =>
          open(j)
            ? [α(j), " = exp(", e(j), ") / Σ", h("sub", "k"), " exp(", v("e", `${n}k`), ") = ", softmax(j)]
            : [α(j), " = exp(−∞) / Σ", h("sub", "k"), " exp(", v("e", `${n}k`), ") = ", h("b", "0")],
      })),
    },
    { id: "v", step: 1, label: [v("v", "j"), " values"], cells: vectors("v") },
    {
      id: "z",
      step: 6,
      label: [v("z", n), " new vector"],
      cells: head.z[i].map((value, c) => ({
        kind: "part",
        value: number(value),
        size: value / (largest(head.z) || 1),
        name: `component ${c + 1}`,
        formula: () => [
          v("z", `${n},${c + 1}`),
          " = Σ",
          h("sub", "j"),
          " ",
          v("α", `${n}j`),
          " ",
          v("v", `j,${c + 1}`),
          " = ",
          sum(
            seen.map((j) => [head.weights[i][j], head.v[j][c]]),
            value,
          ),
          " = ",
          h("b", number(value)),
        ],
      })),
    },
  ];
}
