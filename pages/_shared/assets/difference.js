// Two machines in the same places: pan, zoom and search move both sides; a click on an arc chooses it.
// Words come from people: they are only ever written with textContent.
const LISTED = 400;

class Difference extends Viewport {
  constructor(root) {
    super(root.querySelector(".panes"));
    this.root = root;
    this.search = root.querySelector("input");
    this.found = root.querySelector(".found");
    this.inside = root.querySelector(".inside");
    this.inside.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    this.search.addEventListener("input", () => this.find(0));
    this.search.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") this.next(1);
    });
    for (const button of root.querySelectorAll("button")) button.addEventListener("click", () => this.act(button));
  }

  update(component) {
    this.component = component;
    const stamp = component.data.stamp;
    const fresh = stamp !== this.stamp;
    this.data = component.data;
    if (fresh) {
      this.stamp = stamp;
      this.chosen = null;
      this.draw();
    }
    this.mark();
  }

  act(button) {
    const what = button.dataset.do;
    if (what === "stack") {
      const on = this.panes.classList.toggle("stacked");
      button.setAttribute("aria-pressed", String(on));
      this.size();
    }
    if (what === "fit") this.fit(true);
    if (what === "in") this.zoom(1.3);
    if (what === "out") this.zoom(1 / 1.3);
    if (what === "next") this.next(1);
    if (what === "close") this.close();
  }

  draw() {
    this.panes.replaceChildren(...[0, 1].map((side) => this.pane(side)));
    this.legend();
    this.changes = this.data.changes.map(([kind, number]) => ({ kind, number, at: kind === "arc" ? this.data.arcs[number].at : this.data.nodes[number].at }));
    this.step = -1;
    this.search.value = "";
    this.close();
    this.find(0);
    const wide = this.data.width > 1.6 * this.data.height && this.data.width > 620;
    this.panes.classList.toggle("stacked", wide);
    this.root.querySelector("[data-do=stack]").setAttribute("aria-pressed", String(wide));
    this.size();
  }

  pane(side) {
    const figure = html("figure");
    figure.appendChild(html("figcaption", this.data.titles[side]));
    const svg = make("svg", { role: this.data.nodes.some((node) => node.inside) ? "group" : "img", tabindex: "0", "aria-label": this.data.told[side] });
    const world = make("g", {});
    this.data.arcs.forEach((arc, number) => { if (arc.labels[side]) world.appendChild(this.arc(arc, number, side)); });
    this.data.nodes.forEach((node, number) => { if (node.names[side]) world.appendChild(this.state(node, number, side)); });
    // Last, so that neither a line nor a state covers what is to be read.
    this.data.nodes.forEach((node) => { if (node.names[side] && node.letter !== "=") world.appendChild(this.letter(node)); });
    this.data.arcs.forEach((arc, number) => { if (arc.labels[side]) world.appendChild(this.words(arc, number, side)); });
    svg.appendChild(world);
    this.listen(svg);
    figure.appendChild(svg);
    return figure;
  }

  arc(arc, number, side) {
    const group = named(drawnLine(arc, arc.told[side]), `arc ${arc.mark}`, "arc", number);
    group.addEventListener("click", () => this.choose(number));
    return group;
  }

  words(arc, number, side) {
    return named(drawnWords(arc, arc.labels[side]), `words ${arc.mark}${arc.shown ? "" : " quiet"}`, "arc", number);
  }

  letter(node) {
    const [x, y] = node.at;
    return make("text", { class: `letter ${node.mark}`, x, y: y + RADIUS + 13 }, node.letter);
  }

  state(node, number, side) {
    const title = `state ${node.names[side]}, ${node.mark}${node.final[side] ? ", final" : ""}`;
    const drawn = drawnState(node, node.names[side], title, { final: node.final[side], start: number === 0 });
    const group = named(drawn, `state ${node.mark}`, "state", number);
    if (node.inside) this.opens(group, number, `${node.names[side]} folded into one`);
    return group;
  }

  opens(group, number, told) {
    group.classList.add("fold");
    for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", `${told}; press Enter to list its content`]]) group.setAttribute(name, value);
    group.querySelector("title").textContent = `${told}; click to list its content`;
    group.addEventListener("click", () => { if (!this.panes.querySelector("svg.moving")) this.open(number, ""); });
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.open(number, "");
      this.opener = group;
      this.inside.querySelector("button").focus();
    });
  }

  // What a fold stands for; with a word, only that of it which has the word.
  open(number, wanted) {
    const { states, arcs } = this.data.nodes[number].inside;
    const own = wanted && !states.includes(wanted) ? arcs.filter((arc) => has(arc, wanted)) : arcs;
    const which = own.length < arcs.length ? ` Transitions inside with “${wanted}”: ${own.length} of ${arcs.length}.` : ` Transitions inside: ${arcs.length}.`;
    this.inside.querySelector(".what").textContent = `Folded, all unchanged: ${states.length} states, numbers ${ranges(states)}.${which}`;
    this.inside.querySelector("ol").replaceChildren(...own.slice(0, LISTED).map((arc) => html("li", arc.told)),
      ...(own.length > LISTED ? [html("li", `and ${own.length - LISTED} more in the table`)] : []));
    this.opener = null;
    this.inside.hidden = false;
    this.light("open", [{ kind: "state", number }]);
  }

  close() {
    this.inside.hidden = true;
    this.light("open", []);
    if (this.opener?.isConnected) this.opener.focus();
    this.opener = null;
  }

  legend() {
    const key = this.root.querySelector(".key");
    key.replaceChildren(...this.data.key.map(([mark, thick, text]) => {
      const cell = html("span");
      const svg = make("svg", { viewBox: "0 0 30 8", class: mark, "aria-hidden": "true" });
      svg.appendChild(make("path", { class: "line", d: "M0 4H30", "stroke-width": thick }));
      const holder = make("g", { class: mark });
      holder.appendChild(svg.firstChild);
      svg.appendChild(holder);
      cell.append(svg, text);
      return cell;
    }));
    for (const told of this.data.notes) {
      const note = html("span", told);
      note.className = "note";
      key.appendChild(note);
    }
  }

  columns() { return this.panes.classList.contains("stacked") ? 1 : 2; }
  heights() { return { lowest: LOWEST * (this.columns() === 1 ? 0.6 : 1), highest: HIGHEST }; }

  // What is too large to be read at once opens at what changed.
  tooLarge() {
    if (this.changes.length && !this.search.value.trim()) this.change(Math.max(0, this.step));
  }

  key(key) {
    if (key !== "n" && key !== "p") return false;
    this.next(key === "n" ? 1 : -1);
    return true;
  }

  // The next hit where a word is searched, else the next change.
  next(by) {
    if (this.search.value.trim()) this.find(this.at + by);
    else if (this.changes.length) {
      this.change(this.step < 0 && by < 0 ? this.changes.length - 1 : this.step + by);
      // What stands beside the drawing tells of the arrow that it stands at.
      const at = this.changes[this.step];
      if (at.kind === "arc") this.choose(at.number);
    }
  }

  change(step) {
    const count = this.changes.length;
    this.step = (step + count) % count;
    const change = this.changes[this.step];
    this.found.textContent = `${this.noun()} ${this.step + 1} of ${count}`;
    this.light("at-change", [change]);
    if (this.scale < this.readable()) this.scale = Math.max(NEAR, this.readable());
    if (!this.seen(change.at)) this.middle = this.within(change.at);
    this.look();
  }

  light(name, lit) {
    for (const [kind, drawn] of [["arc", ".arc, .words"], ["state", ".state"]]) {
      const numbers = new Set(lit.filter((one) => one.kind === kind).map((one) => one.number));
      for (const element of this.panes.querySelectorAll(drawn)) {
        element.classList.toggle(name, numbers.has(Number(element.dataset[kind])));
      }
    }
  }

  choose(number) {
    if (this.panes.querySelector("svg.moving")) return;
    this.chosen = number;
    this.mark();
    this.component.setStateValue("chosen", { place: this.data.arcs[number].members[0], stamp: this.stamp });
  }

  mark() {
    const { alive, walked, chosen } = this.data;
    const picked = this.chosen !== null && this.data.arcs[this.chosen].members.includes(chosen) ? this.chosen
      : this.data.arcs.findIndex((arc) => arc.members.includes(chosen));
    [...this.panes.querySelectorAll("svg")].forEach((svg, side) => {
      for (const arc of svg.querySelectorAll(".arc")) {
        const number = Number(arc.dataset.arc);
        arc.classList.toggle("chosen", number === picked);
        arc.classList.toggle("walked", walked[side].includes(number));
      }
      for (const words of svg.querySelectorAll(".words")) words.classList.toggle("chosen", Number(words.dataset.arc) === picked);
      for (const state of svg.querySelectorAll(".state")) {
        state.classList.toggle("alive", alive[side].includes(Number(state.dataset.state)));
      }
    });
  }

  find(at) {
    const wanted = this.search.value.trim().toLowerCase();
    const hits = wanted ? this.hits(wanted) : [];
    this.panes.classList.toggle("hits", hits.length > 0);
    this.light("hit-found", hits);
    this.light("at-change", []);
    this.root.querySelector("[data-do=next]").textContent = wanted ? "Next" : `Next ${this.noun()}`;
    this.root.querySelector("[data-do=next]").disabled = !wanted && !this.changes.length;
    this.at = hits.length ? (at + hits.length) % hits.length : 0;
    const hit = hits[this.at], fold = hit && this.data.nodes[hit.number].inside && hit.kind === "state";
    this.found.textContent = !wanted ? this.counted() : !hit ? "not found" : `${this.at + 1} of ${hits.length}${fold ? ", in a fold" : ""}`;
    if (fold) this.open(hit.number, wanted);
    else this.close();
    if (hit) {
      this.middle = [...hit.at];
      this.scale = Math.max(this.scale, NEAR);
      this.look();
    }
  }

  // States and arrows that have the word; of a fold once, whatever is inside.
  hits(wanted) {
    const nodes = this.data.nodes.map((node, number) => ({ kind: "state", number, at: node.at }))
      .filter(({ number }) => found(this.data.nodes[number], wanted));
    const arcs = this.data.arcs.map((arc, number) => ({ kind: "arc", number, at: arc.at }))
      .filter(({ number }) => has(this.data.arcs[number], wanted));
    return [...nodes, ...arcs];
  }

  noun() { return "change"; }

  counted() {
    const count = this.changes.length;
    return `${count || "no"} ${this.noun()}${count === 1 ? "" : "s"} in the drawing`;
  }
}

function has(arc, wanted) {
  return arc.words.some((word) => word.includes(wanted));
}

function found(node, wanted) {
  if (!node.inside) return node.names.includes(wanted);
  return node.inside.states.includes(wanted) || node.inside.arcs.some((arc) => has(arc, wanted));
}

// "1-3, 7": numbers in order as ranges.
function ranges(numbers) {
  const runs = [];
  for (const number of numbers.map(Number)) {
    if (runs.length && runs[runs.length - 1][1] === number - 1) runs[runs.length - 1][1] = number;
    else runs.push([number, number]);
  }
  const told = runs.slice(0, 8).map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(", ");
  return runs.length > 8 ? `${told} and more` : told;
}
