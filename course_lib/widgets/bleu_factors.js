// BLEU as a sum of logs: a row for each factor, whose bar begins where the one above ends; the last bar is as long as
// all together. A factor of 0 takes away everything: its bar is hatched and runs to the end.

import { h } from "./base.js";
import { SUB } from "./ngram_rows.js";

const signed = (value, digits = 3) =>
  value
    .toFixed(digits)
    .replace(/^-?0\.0+$/, (zero) => zero.replace("-", ""))
    .replace("-", "−");
const nameOf = (name) => (name === "BP" ? name : `p${SUB[name[1]]}`);
const logOf = (log) => (log === null ? "−∞" : signed(log));

export function drawFactors(view, smoothing) {
  const { factors, bleu } = view;
  const sizes = factors.map(({ log }) => (log === null ? Infinity : -log));
  const finite = sizes.filter(Number.isFinite).reduce((a, b) => a + b, 0);
  const infinite = sizes.includes(Infinity);
  const width = infinite ? Math.max(finite * 1.5, 1) : Math.max(finite, 1e-9);
  const most = Math.max(...sizes);
  const worst = most > 0 ? factors.filter((_, k) => sizes[k] === most).map(({ name }) => nameOf(name)) : [];
  let from = 0;
  const rows = factors.map((factor, k) => {
    const to = Math.min(from + sizes[k], width);
    const bar = drawBar(from, to, width, sizes[k] === Infinity);
    if (Number.isFinite(sizes[k])) from = to;
    return drawRow(view, factor, bar, worst);
  });
  const total = infinite ? null : -finite;
  const last = h(
    "tr.lm-sum",
    h("th", { scope: "row" }, "sum"),
    h("td"),
    h("td", logOf(total)),
    h("td.lm-track", drawBar(0, width, width, infinite, finite === 0)),
    h("td", h("b", `BLEU ${bleu.toFixed(1)}`)),
  );
  const counted = factors.filter(({ name, weight }) => name !== "BP" && weight > 0).length;
  return h(
    "div.lm-factors",
    h("h4", "BLEU as a sum of logs ", h("small", "the longer a bar, the more its factor takes away")),
    h("p.lm-formula", formulaOf(counted)),
    h(
      "div.lm-scroll-x",
      { tabindex: 0, role: "group", "aria-label": "BLEU as a sum of logs" },
      h(
        "table",
        h(
          "thead",
          h(
            "tr",
            ["factor", "value", "log", "takes away", "BLEU so far"].map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h("tbody", rows, last),
      ),
    ),
    h("p.lm-note", noteOf(worst, infinite, smoothing)),
  );
}

// log (BLEU / 100) = log BP + 1/2 · (log p₁ + log p₂)
function formulaOf(counted) {
  const logs = Array.from({ length: counted }, (_, k) => `log p${SUB[k + 1]}`).join(" + ");
  const mean = counted > 1 ? ` + 1/${counted} · (${logs})` : counted ? ` + ${logs}` : "";
  return `log (BLEU / 100) = log BP${mean}`;
}

function penaltyOf({ c, r }, value) {
  if (c >= r) return `1, as c = ${c} ≥ r = ${r}`;
  return c ? `exp(1 − ${r}/${c}) = ${value.toFixed(3)}` : "0, as c = 0";
}

function drawRow(view, { name, value, weight, log, after }, bar, worst) {
  const counted = weight ? value.toFixed(3) : "no n-grams";
  const share = weight === 1 ? "" : `1/${Math.round(1 / weight)} · `;
  return h(
    `tr${worst.includes(nameOf(name)) ? ".lm-worst" : ""}`,
    { "data-factor": name },
    h("th", { scope: "row" }, nameOf(name)),
    h("td", name === "BP" ? penaltyOf(view, value) : counted),
    h("td", weight ? [h("span", `${share}log ${nameOf(name)} = `), logOf(log)] : "–"),
    h("td.lm-track", bar),
    h("td", after.toFixed(1)),
  );
}

function drawBar(from, to, width, endless, none = false) {
  const percent = (value) => `${((100 * value) / width).toFixed(2)}%`;
  if (none || to <= from) return h("span.lm-bar.lm-none", { style: `left:${percent(from)}` });
  return h(`span.lm-bar${endless ? ".lm-endless" : ""}`, {
    style: `left:${percent(from)};width:${percent(to - from)}`,
  });
}

function noteOf(worst, infinite, smoothing) {
  const names = worst.join(" and ");
  const are = worst.length > 1 ? "are" : "is";
  if (infinite && smoothing === "none") return `${names} ${are} 0, and log 0 is −∞: BLEU is 0, whatever the rest is.`;
  if (infinite) return "Nothing matches: BLEU is 0.";
  if (!worst.length) return "No factor takes anything away: all n-grams match, and the output is long enough.";
  return `Most is taken away by ${names}. The logs are natural ones.`;
}
