// Motion between two drawings: an element with the same `data-move` slides from where it was, and the properties that
// `data-tween` names ("width height") go from the values they had in the element with the same `data-move`.

const MOVE_FOR = 420; // milliseconds
const WALK_FOR = 150; // along one line
const isWelcome = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

// Draws lines one after another, from their beginning to their end; each has pathLength 1.
export function walk(lines) {
  if (!isWelcome()) return;
  lines.forEach((line, k) =>
    line.animate([{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }], {
      duration: WALK_FOR,
      delay: WALK_FOR * k,
      fill: "backwards",
    }),
  );
}

// Draws, and lets what was there before move to its new place and size, unless the reader asked for less motion.
export function withMotion(stage, moves, draw) {
  if (!moves || !isWelcome()) return draw();
  const state = (element) => {
    const style = getComputedStyle(element);
    const properties = element.dataset.tween?.split(" ") ?? [];
    return {
      box: element.getBoundingClientRect(),
      values: Object.fromEntries(properties.map((name) => [name, style.getPropertyValue(name)])),
    };
  };
  const all = () => [...stage.querySelectorAll("[data-move]")];
  const before = new Map(all().map((element) => [element.dataset.move, state(element)]));
  draw();
  const changes = all().map((element) => [element, before.get(element.dataset.move), state(element)]);
  for (const [element, old, now] of changes) {
    const [from, to] = old ? frames(old, now, element.hasAttribute("data-tween")) : [{ opacity: 0 }, { opacity: 1 }];
    const same = Object.keys(to).every((name) => from[name] === to[name]);
    if (!same) element.animate([from, to], { duration: MOVE_FOR, easing: "ease-in-out" });
  }
}

// From the old values to the new ones, or from the old place to the new one.
function frames(old, now, tweens) {
  if (tweens) return [old.values, now.values];
  const by = (side) => `${(old.box[side] - now.box[side]).toFixed(1)}px`;
  return [
    { position: "relative", left: by("left"), top: by("top") },
    { position: "relative", left: "0.0px", top: "0.0px" },
  ];
}
