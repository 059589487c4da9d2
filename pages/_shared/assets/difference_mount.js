// The drawing of two automata as a component of its own.
const drawings = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".difference");
  if (!drawings.has(root)) drawings.set(root, new Difference(root));
  drawings.get(root).update(component);
}
