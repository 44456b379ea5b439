// The guess box: a field for one's own guess, which Python keeps on disk while one types.

import { h, suppressShortcuts, textArea, widget } from "./base.js";
import "./guess_box.css";

const PAUSE = 400; // milliseconds without a key until the guess is kept

function render(context) {
  const w = widget(context, "lm-guess", "My guess", { saves: false });
  const field = w.bind(textArea("My guess", 1), "guess");
  field.placeholder = "your guess, before you look";
  const said = h("span.lm-said", { role: "status" });
  let waiting = null;
  const keep = () => {
    clearTimeout(waiting);
    waiting = null;
    if (field.value !== w.get("guess")) w.put({ guess: field.value });
  };
  const tell = () => {
    said.textContent = { kept: "kept", refused: "not kept: the folder cannot be written to" }[w.get("kept")] ?? "";
  };
  field.addEventListener("input", () => {
    said.textContent = "";
    field.rows = Math.min(6, field.value.split("\n").length);
    clearTimeout(waiting);
    waiting = setTimeout(keep, PAUSE);
  });
  field.addEventListener("blur", keep);
  w.on("change:kept", tell);
  w.atEnd(keep);
  const end = w.start([h("label", h("span", "My guess"), field), said], ["guess"], () => suppressShortcuts(w.root));
  tell();
  return end;
}

export default { render };
