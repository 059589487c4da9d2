// Texts with their spans, one a row; a click or the arrow keys choose one. Texts are only ever written with textContent.
const WAIT = 120;

function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

class SpanRows {
  constructor(root) {
    this.root = root;
    this.key = null;
    root.addEventListener("keydown", (event) => this.step(event));
  }

  update(component) {
    this.component = component;
    this.root.style.maxHeight = `${component.data.height}px`;
    this.root.setAttribute("aria-label", component.data.label);
    const key = JSON.stringify(component.data.rows);
    if (key !== this.key) {
      this.key = key;
      this.root.replaceChildren(...component.data.rows.map((row) => this.row(row)));
      this.root.scrollTop = 0;
    }
    this.mark(component.data.chosen, false);
  }

  row(row) {
    const line = make("div", "row");
    line.setAttribute("role", "option");
    line.dataset.place = row.place;
    line.appendChild(make("span", "number", row.number.toLocaleString("en")));
    const text = make("span", "text");
    for (const piece of row.pieces) {
      if (!piece.slot) { text.append(piece.text); continue; }
      const mark = make("mark", piece.wrong ? "wrong" : "", piece.text);
      mark.style.setProperty("--chip", piece.colour);
      mark.appendChild(make("small", "", piece.slot + (piece.wrong ? " ✗" : "")));
      text.appendChild(mark);
    }
    line.appendChild(text);
    const meta = make("span", "meta");
    for (const note of row.notes) {
      const cell = make("span", note.kind, note.text);
      cell.title = note.title;
      meta.appendChild(cell);
    }
    line.appendChild(meta);
    line.addEventListener("click", () => this.choose(row.place));
    return line;
  }

  choose(place) {
    this.mark(place, true);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.component.setStateValue("chosen", place), WAIT);
  }

  mark(place, show) {
    this.chosen = place;
    for (const line of this.root.children) {
      const chosen = Number(line.dataset.place) === place;
      line.classList.toggle("chosen", chosen);
      line.setAttribute("aria-selected", String(chosen));
      if (chosen && show) line.scrollIntoView({ block: "nearest" });
    }
  }

  step(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const places = this.component.data.rows.map((row) => row.place);
    const next = places[places.indexOf(this.chosen) + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    event.stopPropagation();
    if (next !== undefined) this.choose(next);
  }
}

const lists = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".rows");
  if (!lists.has(root)) lists.set(root, new SpanRows(root));
  lists.get(root).update(component);
}
