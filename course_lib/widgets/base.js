// Helpers that stand before every widget's own module (see base.py): elements, focus, keys.

// An element: h("button.lm-small", { onclick: f, "aria-label": "…" }, "text", child, [children]). The attributes may be
// left out; an attribute or a child that is null, undefined or false is.
function h(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const attributes = rest[0]?.constructor === Object ? rest.shift() : {};
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...rest.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

// JupyterLab's single-key shortcuts (b inserts a cell, …) fire while a control in an output has the focus, unless that
// very control says not to. So after each redraw every one says so.
function suppressShortcuts(root) {
  for (const control of [root, ...root.querySelectorAll("button, input, select, textarea, summary, [tabindex]")])
    control.setAttribute("data-lm-suppress-shortcuts", "true");
}

// Redraws a part of the page and gives the focus back to the control with the same data-key (or the nearest one left).
function redraw(root, draw) {
  const focused = root.getRootNode().activeElement;
  const key = root.contains(focused) && focused.closest("[data-key]")?.dataset.key;
  const list = key && focused.closest("[data-roving]")?.dataset.roving;
  const scrolled = [...root.querySelectorAll("[data-scroll]")].map((e) => [e.dataset.scroll, e.scrollTop]);
  draw();
  for (const name of root.querySelectorAll("[data-roving]")) oneTabStop(name);
  suppressShortcuts(root);
  for (const [name, top] of scrolled) {
    const element = root.querySelector(`[data-scroll="${name}"]`);
    if (element) element.scrollTop = top;
  }
  if (!key) return;
  const again = find(root, "key", key) ?? (list && find(root, "roving", list)?.querySelector("[tabindex='0']"));
  if (again && !again.disabled) again.focus({ preventScroll: true });
  else root.closest(".lm-widget")?.focus({ preventScroll: true });
}

function find(root, name, value) {
  return [...root.querySelectorAll(`[data-${name}]`)].find((element) => element.dataset[name] === value);
}

// A list of buttons is one stop of the Tab key; Up, Down, Home and End move within it.
function oneTabStop(list) {
  const items = [...list.querySelectorAll("button:not(:disabled)")];
  const home = items.find((item) => item.hasAttribute("aria-current")) ?? items[0];
  for (const item of items) item.tabIndex = item === home ? 0 : -1;
  list.addEventListener("focusin", ({ target }) => {
    if (items.includes(target)) for (const item of items) item.tabIndex = item === target ? 0 : -1;
  });
  list.addEventListener("keydown", (event) => {
    const at = items.indexOf(event.target);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    items[Math.min(Math.max(to, 0), items.length - 1)].focus();
  });
}

// True where the arrow keys have a meaning of their own.
function usesArrows(element) {
  return element.matches("input, select, textarea");
}

// A 16 × 16 picture for a button; its text says what it means.
function icon(path) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("aria-hidden", "true");
  picture.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  picture.firstChild.setAttribute("d", path);
  return picture;
}
