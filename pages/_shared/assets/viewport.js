// Automata in the browser: drawn in the places that the server computed, moved by pan and zoom. Panes look at the same
// place. What draws gives `data` (width, height, nodes) and may say more in the methods that are empty here.
const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 15, MARGIN = 26, READABLE = 0.5, NEAR = 0.75, LOWEST = 200, HIGHEST = 460;

function make(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (text !== undefined) element.textContent = text;
  return element;
}

function html(tag, text) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  return element;
}

function named(group, classes, kind, number) {
  group.setAttribute("class", classes);
  group.dataset[kind] = number;
  return group;
}

// A rule's name as a link to it in the editor, as drawing/rule_link.py makes them.
function ruleLink(name) {
  const link = html("a", name), project = new URLSearchParams(window.location.search).get("project") ?? "";
  link.className = "re2-rule-link";
  link.title = "Open in Write rules";
  link.href = `rules?${new URLSearchParams({ project, rule: name })}`;
  return link;
}

// The line of a transition, with the wider one that a pointer finds, and its head.
function drawnLine(arc, title) {
  const group = make("g", {});
  group.appendChild(make("title", {}, title));
  group.appendChild(make("path", { class: "hit", d: arc.path }));
  group.appendChild(make("path", { class: "line", d: arc.path, "stroke-width": arc.thickness }));
  group.appendChild(make("path", { class: "head", d: "M0 0L-9 4L-9 -4z", transform: `translate(${arc.tip[0]} ${arc.tip[1]}) rotate(${arc.tip[2]}) scale(${arc.head})` }));
  return group;
}

function drawnWords(arc, label) {
  const group = make("g", {});
  group.appendChild(make("text", { x: arc.at[0], y: arc.at[1] + 3.5 }, label));
  return group;
}

function drawnState(node, name, title, { final, start }) {
  const group = make("g", {}), [x, y] = node.at;
  group.appendChild(make("title", {}, title));
  if (start) {
    const begin = x - node.half;
    group.appendChild(make("path", { class: "line", d: `M${begin - 20} ${y}H${begin - 8}`, "stroke-width": 1.2 }));
    group.appendChild(make("path", { class: "head", d: "M0 0L-9 4L-9 -4z", transform: `translate(${begin - 1} ${y})` }));
  }
  group.appendChild(make("ellipse", { cx: x, cy: y, rx: node.half, ry: RADIUS }));
  if (final) group.appendChild(make("ellipse", { cx: x, cy: y, rx: node.half - 3, ry: RADIUS - 3 }));
  group.appendChild(make("text", { class: "name", x, y: y + 4 }, name));
  return group;
}

class Viewport {
  constructor(panes) {
    this.panes = panes;
    new ResizeObserver(() => { if (this.data && this.panes.clientWidth !== this.width) this.size(); }).observe(this.panes);
  }

  columns() { return 1; }
  heights() { return { lowest: LOWEST, highest: HIGHEST }; }
  readable() { return READABLE; }
  legible() { return this.readable(); }
  most(usual) { return usual; }
  // A part that is shown alone may as well be large.
  part() { return 1.15 * this.readable(); }
  fits() {}
  tooLarge() {}
  key() { return false; }

  // Where all panes look: the middle of the view, and pixels a point.
  size() {
    this.width = this.panes.clientWidth;
    this.fit(false);
  }

  fit(whole) {
    const { lowest, highest } = this.heights();
    this.across = Math.max(120, this.panes.clientWidth / this.columns());
    const width = this.data.width + 2 * MARGIN, height = this.data.height + 2 * MARGIN;
    const within = (most) => Math.min(this.across / width, most / height, 1.35);
    // A drawing that is too high for its usual place gets more of the window, and smaller letters, before a part is shown.
    const room = within(highest) >= this.readable() ? highest : this.most(highest), all = within(room);
    const fits = whole || all >= (room > highest ? this.legible() : this.readable());
    this.scale = fits ? all : this.part();
    const high = fits ? room : highest;
    this.high = Math.min(high, Math.max(lowest, height * this.scale));
    this.middle = fits ? [this.data.width / 2, this.data.height / 2] : this.within([0, this.data.nodes[0].at[1]]);
    this.look();
    if (fits) this.fits();
    else this.tooLarge();
  }

  // Whether a point is in view, and not at its very edge.
  seen(at) {
    const room = [this.across, this.high].map((pixels) => pixels / this.scale / 2 - MARGIN);
    return at.every((value, axis) => Math.abs(value - this.middle[axis]) <= room[axis]);
  }

  // Where to look so that a point is seen with as much of the drawing around it as there is.
  within(at) {
    return at.map((value, axis) => {
      const half = [this.across, this.high][axis] / this.scale / 2 - MARGIN, whole = [this.data.width, this.data.height][axis];
      return whole <= 2 * half ? whole / 2 : Math.min(Math.max(value, half), whole - half);
    });
  }

  look() {
    const [x, y] = this.middle, width = this.across / this.scale, height = this.high / this.scale;
    for (const svg of this.panes.querySelectorAll("svg")) {
      svg.setAttribute("viewBox", `${x - width / 2} ${y - height / 2} ${width} ${height}`);
      svg.style.height = `${this.high}px`;
    }
    this.panes.classList.toggle("near", this.scale >= NEAR);
    this.panes.classList.toggle("continues", x + width / 2 < this.data.width - 1);
  }

  zoom(times, at) {
    const before = this.scale;
    this.scale = Math.min(4, Math.max(0.02, this.scale * times));
    if (at) {
      const held = 1 - before / this.scale;
      this.middle = this.middle.map((middle, axis) => middle + (at[axis] - middle) * held);
    }
    this.look();
  }

  listen(svg) {
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.root.getRootNode().host && !svg.matches(":focus")) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const at = [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2]
        .map((pixels, axis) => this.middle[axis] + pixels / this.scale);
      this.zoom(Math.exp(-event.deltaY / 400), at);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      const from = [event.clientX, event.clientY], middle = [...this.middle];
      const move = (moved) => {
        const by = [moved.clientX - from[0], moved.clientY - from[1]];
        if (Math.hypot(...by) < 4 && !svg.classList.contains("moving")) return;
        svg.classList.add("moving");
        this.middle = [middle[0] - by[0] / this.scale, middle[1] - by[1] / this.scale];
        this.look();
      };
      const end = () => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", end);
        setTimeout(() => svg.classList.remove("moving"));
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
    });
    svg.addEventListener("keydown", (event) => {
      const step = 60 / this.scale;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (by) this.middle = [this.middle[0] + by[0], this.middle[1] + by[1]];
      else if (event.key === "+" || event.key === "=") this.zoom(1.2);
      else if (event.key === "-") this.zoom(1 / 1.2);
      else if (event.key === "0") this.fit(true);
      else if (!this.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      this.look();
    });
  }
}
