// One automaton: pan, zoom, search, and a text that is stepped through it. A word lights its transition, and a
// transition the words that take it. Words come from people: they are only ever written with textContent.
const LEGIBLE = 0.4, ABOVE = 170;

class Automaton extends Viewport {
  constructor(root) {
    super(root.querySelector(".panes"));
    this.root = root;
    this.text = root.querySelector(".text");
    this.told = root.querySelector(".told");
    this.inside = root.querySelector(".inside");
    this.search = root.querySelector("input");
    for (const button of root.querySelectorAll("button[data-do]")) button.addEventListener("click", () => this.act(button.dataset.do));
    this.text.addEventListener("keydown", (event) => this.pressed(event));
    this.inside.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    this.search.addEventListener("input", () => this.find(0));
    this.search.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") this.find(this.hit + 1);
    });
    window.addEventListener("resize", () => { if (this.data && this.root.isConnected) this.size(); });
  }

  heights() {
    const { below, high } = this.data;
    return { lowest: below ? 180 : 90, highest: below ? Math.max(220, window.innerHeight - below) : Math.min(high, Math.max(110, 0.22 * window.innerHeight)) };
  }

  // All of a drawing is shown at first, unless nobody could tell its letters, 10 points high, from one another.
  readable() { return 0.55; }
  part() { return 1; }

  // The page that shows nothing but this drawing shows all of it, as long as its shape can be made out.
  legible() { return LEGIBLE; }
  most(usual) { return this.data.below ? Math.max(usual, window.innerHeight - ABOVE) : usual; }

  update(component) {
    const fresh = component.data.stamp !== this.data?.stamp, texts = JSON.stringify(component.data.texts);
    this.data = component.data;
    if (fresh) this.draw();
    if (fresh || texts !== this.texts) this.choose(0);
    this.texts = texts;
    this.mark();
    this.root.querySelector(".links").replaceChildren(...this.data.links.map(([title, address]) => {
      const link = html("a", title);
      link.className = "re2-rule-link";
      link.href = address;
      return link;
    }));
    this.legend();
  }

  // What each mark in the drawing means, of those that are drawn; on the page of the automaton alone.
  legend() {
    const notes = this.root.querySelector(".notes"), { below, nodes, texts, arcs, marked } = this.data;
    const labels = arcs.map((arc) => arc.label).join(" "), stepped = texts.some((text) => text.steps.length);
    const marks = !below ? [] : [
      ["start", "start", true],
      ["final", "final state", nodes.some((node) => node.final)],
      ["active", "state after the chosen word", stepped],
      ["step", "transition of the chosen word", stepped],
      ["way", "path that accepts the sentence", texts.some((text) => text.path.length)],
      ["slot", "tags words for a slot", arcs.some((arc) => arc.colour)],
      ["found", "chosen in the table, or found", marked.length > 0 || this.search.value.trim() !== ""],
    ].filter((mark) => mark[2]);
    const signs = !below ? [] : [
      ["$", "any word"], ["%", "any number"], ["&", "any punctuation sign"], ["BOS", "begin"], ["EOS", "end"],
    ].filter(([sign]) => labels.split(/[\s|()/]+/).includes(sign));
    const more = below && / and \d+ more/.test(labels) ? ["Click a transition to list all its words."] : [];
    const items = marks.map(([kind, meaning]) => {
      const item = html("span"), swatch = html("i");
      swatch.className = `swatch of-${kind}`;
      if (kind === "slot") swatch.style.setProperty("--slot", arcs.find((arc) => arc.colour).colour);
      item.append(swatch, meaning);
      return item;
    });
    for (const [sign, meaning] of signs) {
      const item = html("span"), code = html("b", sign);
      item.append(code, ` ${meaning}`);
      items.push(item);
    }
    items.push(...[...this.data.notes, ...more].map((note) => html("span", note)));
    notes.hidden = !items.length;
    notes.replaceChildren(...items);
  }

  fits() {
    this.root.querySelector(".size").textContent = this.data.size;
  }

  tooLarge() {
    this.root.querySelector(".size").textContent = `${this.data.size}; part of it: drag, or Fit`;
  }

  act(what) {
    if (what === "fit") this.fit(true);
    if (what === "in") this.zoom(1.3);
    if (what === "out") this.zoom(1 / 1.3);
    if (what === "back") this.choose(this.at - 1);
    if (what === "on") this.choose(this.at + 1);
    if (what === "earlier") this.go(this.step - 1);
    if (what === "later") this.go(this.step + 1);
    if (what === "close") this.close();
  }

  draw() {
    const { data } = this;
    this.root.querySelector(".name").textContent = data.title;
    this.root.querySelector(".size").textContent = data.size;
    const svg = make("svg", { role: "group", tabindex: "0", "aria-label": `${data.title}: ${data.size}` }), world = make("g", {});
    data.arcs.forEach((arc, number) => world.appendChild(this.arc(arc, number)));
    data.nodes.forEach((node, number) => world.appendChild(this.state(node, number)));
    data.arcs.forEach((arc, number) => world.appendChild(named(drawnWords(arc, arc.label), "words", "arc", number)));
    svg.appendChild(world);
    this.listen(svg);
    this.panes.replaceChildren(svg);
    this.search.value = "";
    this.search.hidden = !data.below;
    this.root.querySelector(".found").textContent = "";
    this.close();
    this.size();
  }

  arc(arc, number) {
    const group = named(drawnLine(arc, arc.inside.map(listed).join("\n").slice(0, 400)), `arc${arc.colour ? " tagged" : ""}`, "arc", number);
    if (arc.colour) group.style.setProperty("--slot", arc.colour);
    group.addEventListener("pointerenter", () => this.light(this.placesOf(number), [number]));
    group.addEventListener("pointerleave", () => this.rest());
    group.addEventListener("click", () => { if (!this.panes.querySelector("svg.moving")) this.open(number); });
    return group;
  }

  state(node, number) {
    const { name, back, colour } = node;
    const title = `state ${name}${node.final ? ", final" : ""}${back ? `; reads any other word as state ${back.slice(1)}` : ""}`;
    const group = named(drawnState(node, name, title, { final: node.final, start: number === 0 }), `state${colour ? " tagged" : ""}`, "state", number);
    if (colour) group.style.setProperty("--slot", colour);
    if (back) group.appendChild(make("text", { class: "back", x: node.at[0], y: node.at[1] + RADIUS + 10 }, back));
    return group;
  }

  // All words of a transition, or of those that are drawn as one.
  open(number) {
    const { inside } = this.data.arcs[number];
    this.inside.querySelector("ol").replaceChildren(...inside.map((one) => html("li", listed(one))));
    this.inside.hidden = false;
  }

  close() {
    this.inside.hidden = true;
  }

  mark() {
    const marked = new Set(this.data.marked);
    for (const element of this.panes.querySelectorAll("[data-arc]")) element.classList.toggle("marked", marked.has(Number(element.dataset.arc)));
    const [first] = this.data.marked;
    if (first !== undefined) this.show(this.data.arcs[first].at);
  }

  show(at) {
    if (this.seen(at)) return;
    this.middle = this.within(at);
    this.look();
  }

  get chosen() {
    return this.data.texts[this.at];
  }

  // Show a text, and mark the way that accepts it.
  choose(at) {
    const { texts, arcs } = this.data;
    this.at = texts.length ? (at + texts.length) % texts.length : 0;
    const text = this.chosen, [which, steps] = this.root.querySelectorAll(".which");
    this.root.querySelector(".sentence").hidden = !text;
    which.hidden = texts.length < 2;
    steps.hidden = !text?.steps.length;
    this.root.querySelector(".count").textContent = `example ${this.at + 1} of ${texts.length}`;
    this.text.replaceChildren(...(text ? text.words.map((word, place) => this.word(word, place, text)) : []));
    const taken = new Set(text?.path);
    for (const element of this.panes.querySelectorAll("[data-arc]")) element.classList.toggle("path", taken.has(Number(element.dataset.arc)));
    this.step = text?.steps.length ? text.steps.length - 1 : -1;
    this.rest();
    if (text?.path.length) this.panes.querySelector("svg").setAttribute("aria-description", `Accepts: ${text.words.join(" ")}. ${arcs.length} transitions.`);
  }

  word(word, place, text) {
    const button = html("button", word), tag = text.tags[place];
    button.type = "button";
    button.tabIndex = place ? -1 : 0;
    button.classList.toggle("named", text.named[place]);
    button.classList.toggle("died", text.died === place);
    if (tag) {
      button.appendChild(html("small", tag));
      button.style.setProperty("--slot", text.colours[place] || "inherit");
    }
    for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, () => this.lightWord(place));
    button.addEventListener("click", () => this.go(place + 1));
    for (const kind of ["pointerleave", "blur"]) button.addEventListener(kind, () => this.rest());
    return button;
  }

  placesOf(number) {
    const text = this.chosen;
    if (!text) return [];
    const takes = (place) => (text.path.length ? text.path[place] === number : text.steps[place + 1]?.arcs.includes(number));
    return text.words.map((_, place) => place).filter(takes);
  }

  lightWord(place) {
    const text = this.chosen;
    if (text.steps.length) this.stepLit(Math.min(place + 1, text.steps.length - 1));
    else {
      this.light([place], [text.path[place]]);
      if (text.path[place] >= 0) this.show(this.data.arcs[text.path[place]].at);
    }
  }

  // Behind so many words; it stays until another word is looked at.
  go(step) {
    const text = this.chosen;
    if (!text?.steps.length) return;
    this.step = Math.min(Math.max(step, 0), text.steps.length - 1);
    this.stepLit(this.step);
    const { arcs } = text.steps[this.step];
    if (arcs.length) this.show(this.data.arcs[arcs.at(-1)].at);
  }

  stepLit(number) {
    const text = this.chosen, step = text.steps[number];
    const died = text.died !== null && number === text.steps.length - 1;
    // Where no state could read the word, those are lit that were active before it.
    const alive = died ? text.steps[number - 1].alive : step.alive, arcs = died ? [] : step.arcs;
    this.light(number ? [number - 1] : [], arcs, alive);
    [...this.text.children].forEach((word, place) => word.classList.toggle("after", place >= number));
    this.told.hidden = false;
    this.told.textContent = step.told;
  }

  rest() {
    if (this.step >= 0) this.stepLit(this.step);
    else {
      this.told.hidden = true;
      this.light([], []);
    }
  }

  pressed(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const words = [...this.text.children], place = words.indexOf(this.root.getRootNode().activeElement);
    const next = (place + by + words.length) % words.length;
    words[next]?.focus();
    this.go(next + 1);
  }

  light(places, arcs, states = arcs.filter((number) => number >= 0).map((number) => this.data.arcs[number].target)) {
    [...this.text.children].forEach((word, place) => {
      word.classList.toggle("lit", places.includes(place));
      word.classList.remove("after");
    });
    for (const element of this.panes.querySelectorAll("[data-arc]")) element.classList.toggle("lit", arcs.includes(Number(element.dataset.arc)));
    for (const element of this.panes.querySelectorAll("[data-state]")) element.classList.toggle("lit", states.includes(Number(element.dataset.state)));
  }

  find(at) {
    const wanted = this.search.value.trim().toLowerCase();
    const hits = wanted ? this.hits(wanted) : [];
    this.hit = hits.length ? (at + hits.length) % hits.length : 0;
    for (const [kind, drawn] of [["arc", "[data-arc]"], ["state", "[data-state]"]]) {
      const numbers = new Set(hits.filter((one) => one.kind === kind).map((one) => one.number));
      for (const element of this.panes.querySelectorAll(drawn)) element.classList.toggle("hit-found", numbers.has(Number(element.dataset[kind])));
    }
    this.root.querySelector(".found").textContent = !wanted ? "" : hits.length ? `${this.hit + 1} of ${hits.length}` : "not found";
    this.legend();
    const hit = hits[this.hit];
    if (!hit) return;
    this.scale = Math.max(this.scale, NEAR);
    this.middle = this.within(hit.at);
    this.look();
  }

  hits(wanted) {
    const states = this.data.nodes.flatMap(({ name, at }, number) => (name.toLowerCase() === wanted ? [{ kind: "state", number, at }] : []));
    const has = (arc) => arc.inside.some((one) => one.words.some((word) => word.toLowerCase().includes(wanted)));
    return [...states, ...this.data.arcs.flatMap((arc, number) => (has(arc) ? [{ kind: "arc", number, at: arc.at }] : []))];
  }
}

function listed({ told, words, more }) {
  return `${told}: ${words.join(" | ")}${more ? ` and ${more} more` : ""}`;
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
