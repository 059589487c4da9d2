// Letters that lead to a place of the page, and the focus that goes on when what had it is gone (jumps.py).
const LOOK = 80, LONGEST = 20000, QUIET = 6; // milliseconds; the longest wait for a place; looks in a row
const FIELDS = "textarea, select, [contenteditable=true], [contenteditable=''], [role=combobox], [role=dialog] *, "
  + "input:not([type=checkbox]):not([type=radio]):not([type=button])";
const TARGETS = ["canvas[data-testid=data-grid-canvas]", ".re2-landing", "button:not([disabled])"];

function target(place) {
  const holder = place && document.querySelector(`.st-key-${CSS.escape(place)}`);
  if (!holder) return null;
  for (const kind of TARGETS) {
    const found = holder.querySelector(kind);
    if (found) return found;
  }
  return null;
}

function go(element) {
  element.focus({ preventScroll: true });
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 70 || bottom > window.innerHeight) element.scrollIntoView({ block: "center" }); // the bar at the top hides 70
}

// One for the window: a component may be taken away and put back.
class Jumps {
  constructor() {
    this.byKeys = false;
    this.landed = 0;
    window.addEventListener("keydown", (event) => this.press(event), true);
    window.addEventListener("pointerdown", () => { this.byKeys = false; this.stop(); }, true);
  }

  update(component) {
    this.owner = component.parentElement;
    this.data = component.data;
    const { number, place } = this.data;
    if (!number || number === this.landed) return;
    this.landed = number;
    if (this.byKeys) this.chase(place);
  }

  leave(owner) {
    if (this.owner === owner) this.owner = this.data = null;
  }

  press(event) {
    this.byKeys = true;
    if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) this.stop();
    if (!this.data || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const places = this.data.letters[event.key.toLowerCase()];
    if (!places || event.composedPath()[0].matches?.(FIELDS)) return;
    const found = places.map(target).find((element) => element);
    const there = found && found.contains(document.activeElement); // a cell of a table lies in its canvas
    if (!found || (there && !event.repeat)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!there) go(found); // a letter that is held down leads there, and presses nothing
  }

  // The page is drawn anew piece by piece, and may replace what has the focus: it is set until nothing moves any more.
  chase(place) {
    this.stop();
    const began = Date.now();
    let quiet = 0;
    this.chased = setInterval(() => {
      const found = target(place);
      const runs = !document.querySelector("[data-test-script-state=notRunning]");
      if (found && !found.contains(document.activeElement)) go(found);
      quiet = found && !runs ? quiet + 1 : 0;
      if (quiet > QUIET || Date.now() - began > LONGEST) this.stop();
    }, LOOK);
  }

  stop() {
    clearInterval(this.chased);
  }
}

window.re2nnJumps ??= new Jumps();

export default function (component) {
  const jumps = window.re2nnJumps;
  jumps.update(component);
  const owner = component.parentElement;
  return () => jumps.leave(owner);
}
