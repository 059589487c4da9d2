// A table of results: each cell is a button that asks Python for its runs. Texts are only ever written with textContent.
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

class ResultTable {
  constructor(root) {
    this.root = root;
    this.table = root.querySelector("table");
    this.key = null;
    this.table.addEventListener("keydown", (event) => this.step(event));
  }

  update(component) {
    this.component = component;
    this.data = component.data;
    this.root.style.maxHeight = `${this.data.height}px`;
    const key = JSON.stringify([this.data.rows, this.data.columns, this.data.label]);
    if (key !== this.key) {
      this.key = key;
      this.table.replaceChildren(make("caption", "", this.data.label), this.head(), this.body());
    }
    this.mark(this.data.chosen);
  }

  head() {
    const head = make("thead");
    const named = this.data.columns.some((column) => column.group);
    if (named) {
      const line = make("tr");
      line.appendChild(make("th", "corner"));
      for (let at = 0; at < this.data.columns.length; ) {
        const group = this.data.columns[at].group;
        let span = 1;
        while (at + span < this.data.columns.length && this.data.columns[at + span].group === group) span += 1;
        const cell = make("th", "group", group);
        cell.colSpan = span;
        cell.scope = "colgroup";
        line.appendChild(cell);
        at += span;
      }
      head.appendChild(line);
    }
    const line = make("tr");
    line.appendChild(make("th", "corner", this.data.corner));
    this.data.columns.forEach((column, at) => {
      const cell = make("th", this.first(at) ? "first" : "", column.name);
      cell.scope = "col";
      if (!named) cell.style.top = "0";
      line.appendChild(cell);
    });
    head.appendChild(line);
    return head;
  }

  first(at) {
    return at > 0 && this.data.columns[at].group !== this.data.columns[at - 1].group;
  }

  body() {
    const body = make("tbody");
    for (const row of this.data.rows) {
      const line = make("tr");
      const name = make("th", "", row.name);
      name.scope = "row";
      name.title = row.name;
      line.appendChild(name);
      row.cells.forEach((cell, at) => {
        const place = make("td", this.first(at) ? "first" : "");
        if (cell) place.appendChild(this.button(row, cell, at));
        line.appendChild(place);
      });
      body.appendChild(line);
    }
    return body;
  }

  button(row, cell, at) {
    const button = make("button", cell.run ? "" : "none");
    button.type = "button";
    button.title = cell.title;
    button.dataset.place = cell.place;
    button.appendChild(make("b", "", cell.lines[0]));
    for (const line of cell.lines.slice(1)) button.appendChild(make("small", "", line));
    const column = this.data.columns[at];
    button.setAttribute("aria-label", `${row.name}, ${column.group} ${column.name}: ${cell.title}`);
    button.addEventListener("click", () => this.choose(cell.place));
    return button;
  }

  choose(place) {
    this.mark(place);
    this.component.setStateValue("chosen", place);
  }

  mark(place) {
    for (const button of this.table.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.place) === place));
    }
  }

  step(event) {
    const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
    const move = moves[event.key];
    const active = this.root.getRootNode().activeElement;
    if (!move || !active || !active.dataset.place) return;
    const cell = active.closest("td");
    const line = cell.parentElement;
    const rows = [...line.parentElement.children];
    const next = rows[rows.indexOf(line) + move[0]];
    const target = next && next.children[cell.cellIndex + move[1]];
    const button = target && target.querySelector("button");
    event.stopPropagation();
    event.preventDefault();
    if (button) { button.focus(); button.scrollIntoView({ block: "nearest", inline: "nearest" }); }
  }
}

const tables = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".frame");
  if (!tables.has(root)) tables.set(root, new ResultTable(root));
  tables.get(root).update(component);
}
