// One automaton: pan, zoom, and a text that is stepped through it. A word lights its transition, and a transition the
// words that take it. Words come from people: they are only ever written with textContent.
class Automaton extends Viewport {
  constructor(root) {
    super(root.querySelector(".panes"));
    this.root = root;
    this.text = root.querySelector(".text");
    for (const button of root.querySelectorAll("button[data-do]")) button.addEventListener("click", () => this.act(button.dataset.do));
    this.text.addEventListener("keydown", (event) => this.step(event));
  }

  heights() {
    return { lowest: 90, highest: this.data.high };
  }

  update(component) {
    const fresh = component.data.stamp !== this.data?.stamp, texts = JSON.stringify(component.data.texts);
    this.data = component.data;
    if (fresh) this.draw();
    if (fresh || texts !== this.texts) this.choose(0);
    this.texts = texts;
  }

  act(what) {
    if (what === "fit") this.fit(true);
    if (what === "in") this.zoom(1.3);
    if (what === "out") this.zoom(1 / 1.3);
    if (what === "back") this.choose(this.at - 1);
    if (what === "on") this.choose(this.at + 1);
  }

  draw() {
    const { data } = this;
    this.root.querySelector(".name").textContent = data.title;
    this.root.querySelector(".size").textContent = data.size;
    const svg = make("svg", { role: "img", tabindex: "0", "aria-label": `${data.title}: ${data.size}` }), world = make("g", {});
    data.arcs.forEach((arc, number) => world.appendChild(this.arc(arc, number)));
    data.nodes.forEach((node, number) => world.appendChild(this.state(node, number)));
    data.arcs.forEach((arc, number) => world.appendChild(named(drawnWords(arc, arc.label), "words", "arc", number)));
    svg.appendChild(world);
    this.listen(svg);
    this.panes.replaceChildren(svg);
    this.size();
  }

  arc(arc, number) {
    const group = named(drawnLine(arc, arc.told), `arc${arc.colour ? " tagged" : ""}`, "arc", number);
    if (arc.colour) group.style.setProperty("--slot", arc.colour);
    group.addEventListener("pointerenter", () => this.light(this.path().flatMap((taken, place) => (taken === number ? [place] : [])), [number]));
    group.addEventListener("pointerleave", () => this.light([], []));
    return group;
  }

  state(node, number) {
    const title = `state ${node.name}${node.final ? ", final" : ""}`;
    return named(drawnState(node, node.name, title, { final: node.final, start: number === 0 }), "state", "state", number);
  }

  path() {
    return this.data.texts[this.at]?.path ?? [];
  }

  // Show a text, and mark the way that accepts it.
  choose(at) {
    const { texts, arcs } = this.data;
    this.at = texts.length ? (at + texts.length) % texts.length : 0;
    const text = texts[this.at];
    this.root.querySelector(".sentence").hidden = !text;
    this.root.querySelector(".which").hidden = texts.length < 2;
    this.root.querySelector(".count").textContent = `${this.at + 1} of ${texts.length}`;
    this.text.replaceChildren(...(text ? text.words.map((word, place) => this.word(word, place, text)) : []));
    const taken = new Set(this.path());
    for (const element of this.panes.querySelectorAll("[data-arc]")) element.classList.toggle("path", taken.has(Number(element.dataset.arc)));
    this.light([], []);
    if (text) this.panes.querySelector("svg").setAttribute("aria-description", `Accepts: ${text.words.join(" ")}. ${arcs.length} transitions.`);
  }

  word(word, place, text) {
    const button = html("button", word), tag = text.tags[place];
    button.type = "button";
    button.tabIndex = place ? -1 : 0;
    button.classList.toggle("named", text.named[place]);
    if (tag) {
      button.appendChild(html("small", tag));
      button.style.setProperty("--slot", this.data.arcs[text.path[place]]?.colour ?? "inherit");
    }
    const lit = () => this.light([place], [text.path[place]]);
    for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, lit);
    for (const kind of ["pointerleave", "blur"]) button.addEventListener(kind, () => this.light([], []));
    return button;
  }

  step(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const words = [...this.text.children], place = words.indexOf(this.root.getRootNode().activeElement);
    words[(place + by + words.length) % words.length]?.focus();
  }

  light(places, arcs) {
    [...this.text.children].forEach((word, place) => word.classList.toggle("lit", places.includes(place)));
    const states = new Set(arcs.filter((number) => number >= 0).map((number) => this.data.arcs[number].target));
    for (const element of this.panes.querySelectorAll("[data-arc]")) element.classList.toggle("lit", arcs.includes(Number(element.dataset.arc)));
    for (const element of this.panes.querySelectorAll("[data-state]")) {
      element.classList.toggle("lit", states.has(this.data.nodes[element.dataset.state].number));
    }
    const at = arcs.length === 1 && places.length === 1 && arcs[0] >= 0 ? this.data.arcs[arcs[0]].at : null;
    if (at && !this.seen(at)) {
      this.middle = this.within(at);
      this.look();
    }
  }
}

const automata = new WeakMap();

window.re2nnScripts ??= {};
window.re2nnScripts.automaton = (component) => {
  const root = component.parentElement.querySelector(".automaton");
  if (!automata.has(root)) automata.set(root, new Automaton(root));
  automata.get(root).update(component);
};
window.dispatchEvent(new Event("re2nn-automaton"));

export default function () {}
