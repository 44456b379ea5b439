// The rating form.

import { h, widget } from "./base.js";
import "./rating_form.css";

function render(context) {
  const w = widget(context, "lm-rating", "Rating form");
  return w.start([h("p", "…")], ["tasks"], () => {});
}

export default { render };
