// What a page does: it draws its formulas, keeps the reader's guesses, and makes itself ready for paper.

const formulas = [...document.querySelectorAll(".formula")];
for (const formula of formulas) {
  const displayMode = formula.classList.contains("displayed");
  window.katex.render(formula.textContent, formula, { displayMode, throwOnError: false });
}
// A formula that is held together with the sign behind it breaks where KaTeX lets it.
for (const base of document.querySelectorAll(".held .katex-html > .base:not(:last-child)")) {
  base.after(document.createElement("wbr"));
}
// What is wider than the page scrolls sideways, and is reached by keys: also what was folded, or got its font later.
const main = document.querySelector("main");
const isWide = (formula) =>
  formula.classList.contains("displayed")
    ? formula.scrollWidth > formula.clientWidth
    : formula.getBoundingClientRect().width > main.clientWidth;
const reach = () => {
  for (const formula of formulas.filter(isWide)) {
    formula.classList.add("too-wide");
    formula.tabIndex = 0;
  }
};
reach();
document.fonts.ready.then(reach);
addEventListener("resize", reach);
document.addEventListener("toggle", reach, true);

// A guess stays in this browser, where the browser allows it.
const kept = {
  get(key) {
    try {
      return localStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  },
  set(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch {}
  },
};
for (const field of document.querySelectorAll("textarea[data-question]")) {
  const key = `guess ${field.dataset.question}`;
  field.value = kept.get(key);
  field.addEventListener("input", () => kept.set(key, field.value));
}

const contents = document.querySelector(".contents details");
if (contents) contents.open = matchMedia("(min-width: 1180px)").matches;

// Widgets are drawn when they come near, and all of them a little later, so that paper has them, too.
const drawAll = () => {
  for (const frame of document.querySelectorAll("iframe[loading]")) frame.loading = "eager";
};
addEventListener("load", () => setTimeout(drawAll, 1500));
addEventListener("beforeprint", drawAll);

// Formulas have moved the place that was asked for.
const asked = decodeURIComponent(location.hash.slice(1));
if (asked) document.getElementById(asked)?.scrollIntoView();
