// The n-gram explorer.

import { h, widget } from "./base.js";
import "./ngram_explorer.css";

function render(context) {
  const w = widget(context, "lm-ngrams", "N-gram explorer");
  return w.start([h("p", "…")], ["views"], () => {});
}

export default { render };
