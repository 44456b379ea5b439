// The search over all pages. The index is a script, so that it also loads from a disk, when the reader first asks.

const field = document.getElementById("search");
const found = document.getElementById("found");
const MOST = 20;
let loading;

const load = () =>
  (loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "search_index.js";
    script.onload = () => done();
    script.onerror = failed;
    document.head.append(script);
  }));

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// A letter of a formula is found by its name: "theta" finds θ, too.
const NAMES =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho final sigma tau upsilon " +
  "phi chi psi omega";
const LETTERS = Object.fromEntries(NAMES.split(" ").map((name, n) => [name, String.fromCodePoint(0x3b1 + n)]));
const forms = (word) => (LETTERS[word] ? `(?:${word}|${LETTERS[word]})` : escaped(word));

/** The sections that hold all words; a word in a title counts ten times, and the beginning of a word four times. */
function search(asked) {
  const words = plain(asked).match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  const scored = window.courseIndex.map((section) => {
    const [title, text] = [plain(section.title), plain(section.words)];
    let score = 0;
    for (const word of words) {
      const pattern = new RegExp(forms(word), "u");
      const here = (text.match(new RegExp(`(?<![\\p{L}\\p{N}])${forms(word)}`, "gu")) ?? []).length;
      const points = (pattern.test(title) ? 10 : 0) + 4 * Math.min(here, 5) + (pattern.test(text) ? 1 : 0);
      if (points === 0) return { section, score: 0 };
      score += points;
    }
    return { section, score };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return best.slice(0, MOST).map(({ section }) => ({ section, words }));
}

function element(tag, text = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** A line of the section's text around the first word, with the words marked. */
function excerpt(text, words) {
  const line = element("small");
  const near = plain(text).search(new RegExp(forms(words[0]), "u")) - 60;
  const first = near > 0 ? text.indexOf(" ", near) + 1 : 0; // a word is not cut
  const cut = text.slice(first, first + 180);
  const pattern = new RegExp(`(${words.map(forms).join("|")})`, "giu");
  if (first > 0) line.append("… ");
  for (const [n, part] of cut.split(pattern).entries()) line.append(n % 2 ? element("mark", part) : part);
  if (first + 180 < text.length) line.append(" …");
  return line;
}

async function show() {
  const asked = field.value.trim();
  found.hidden = asked === "";
  if (found.hidden) return;
  try {
    await load();
  } catch {
    found.replaceChildren(element("p", "The file search_index.js is not there, so nothing can be found."));
    return;
  }
  const list = element("ol");
  for (const { section, words } of search(asked)) {
    const link = element("a");
    link.href = `${section.page}#${section.at}`;
    link.append(element("b", section.title), excerpt(section.words, words));
    if (section.of !== section.title) link.append(element("small", section.of));
    const item = element("li");
    item.append(link);
    list.append(item);
  }
  found.replaceChildren(list.children.length ? list : element("p", "Nothing was found: try a single word."));
}

field.addEventListener("input", show);
field.addEventListener("focus", show);
document.addEventListener("click", ({ target }) => {
  if (!target.closest("search") || target.closest("#found a")) found.hidden = true;
});
document.querySelector("search").addEventListener("keydown", (event) => {
  const places = [field, ...found.querySelectorAll("a")];
  const next = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    field.focus();
    found.hidden = true;
  } else if (next) {
    event.preventDefault();
    places[places.indexOf(document.activeElement) + next]?.focus();
  }
});
