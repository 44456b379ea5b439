// What a page does: it draws its formulas, keeps the reader's guesses, and makes itself ready for paper.
"use strict";

for (const formula of document.querySelectorAll(".formula")) {
  const displayMode = formula.classList.contains("displayed");
  window.katex.render(formula.textContent, formula, { displayMode, throwOnError: false });
  // What may scroll sideways is reached by keys.
  if (displayMode && formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
}

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

// Widgets are drawn when they come near; on paper all of them.
addEventListener("beforeprint", () => {
  for (const frame of document.querySelectorAll("iframe[loading]")) frame.loading = "eager";
});

// Formulas have moved the place that was asked for.
const asked = decodeURIComponent(location.hash.slice(1));
if (asked) document.getElementById(asked)?.scrollIntoView();
