// Rules grouped by label, with their figures. Every figure is a button that asks Python for the texts behind it.
function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

class RuleList {
  constructor(root) {
    this.root = root;
    this.rows = root.querySelector(".rows");
    this.search = root.querySelector("input");
    this.held = this.late = false;
    this.search.addEventListener("input", () => this.draw());
    this.search.addEventListener("keydown", (event) => event.stopPropagation());
    this.rows.addEventListener("keydown", (event) => this.step(event));
    // A row that is replaced between press and release loses the click: what comes meanwhile is drawn afterwards.
    this.rows.addEventListener("pointerdown", () => this.hold());
  }

  hold() {
    const ends = ["pointerup", "pointercancel"];
    const release = () => {
      for (const name of ends) window.removeEventListener(name, release);
      this.held = false;
      setTimeout(() => { if (this.late) this.draw(); });  // the click comes first
    };
    this.held = true;
    for (const name of ends) window.addEventListener(name, release);
  }

  update(component) {
    this.component = component;
    this.data = component.data;
    if (this.data.search) {
      this.search.placeholder = this.data.search;
      this.search.setAttribute("aria-label", this.data.search);
    }
    this.rows.style.height = `min(${this.data.height}px, 26vh)`;
    this.rows.classList.toggle("stale", this.data.stale);
    this.draw();
  }

  pick(row, view) {
    this.component.setTriggerValue("pick", { rule: row.rule, label: row.label, line: row.line, view });
  }

  step(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = [...this.rows.querySelectorAll("button.name")];
    const root = this.root.getRootNode();
    const at = all.indexOf(root.activeElement);
    const next = all[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) { event.preventDefault(); next.focus(); }
  }

  draw() {
    this.late = this.held;
    if (this.late) return;
    const wanted = this.search.value.trim().toLowerCase();
    const active = this.root.getRootNode().activeElement;
    const focused = active && active.dataset ? active.dataset.focus : undefined;
    this.rows.replaceChildren(this.head());
    for (const group of this.data.groups) {
      const all = !wanted || group.label.toLowerCase().includes(wanted);
      const rules = group.rules.filter((row) => all || row.rule.toLowerCase().includes(wanted));
      if (!all && rules.length === 0) continue;
      this.rows.appendChild(this.row({ ...group.total, label: group.label, rule: null }, group.colour, "label"));
      for (const row of rules) this.rows.appendChild(this.row({ ...row, label: group.label }, group.colour, "rule"));
    }
    if (this.rows.children.length === 1) this.rows.appendChild(make("div", "none", "No rule has this name."));
    const chosen = this.rows.querySelector(".chosen");
    const name = chosen ? chosen.querySelector(".name").title : null;
    if (chosen && name !== this.seen) this.bringIntoSight(chosen);
    this.seen = name;
    if (focused) {
      const again = [...this.rows.querySelectorAll("button")].find((other) => other.dataset.focus === focused);
      if (again) again.focus({ preventScroll: true });
    }
  }

  bringIntoSight(row) {
    const top = row.offsetTop - this.rows.offsetTop;
    const head = this.rows.firstChild.offsetHeight;
    if (top < this.rows.scrollTop + head || top + row.offsetHeight > this.rows.scrollTop + this.rows.clientHeight) {
      this.rows.scrollTop = top - this.rows.clientHeight / 3;
    }
  }

  head() {
    const head = make("div", "row head");
    const titles = [
      ["", ""],
      [this.data.stale ? "Rules, as last read without errors" : "Rule", "Rules by label"],
      ["matches", "Texts that the rule matches"],
      ["precision", "Share of the labelled matches that have the label of the rule"],
      ["incorrect", "Labelled matches that have another label"],
      ["missed", "Texts of the label that none of its rules matches"],
      ["conflicts", "Matches that rules of another label match, too"],
    ];
    const others = this.data.titles || {};
    for (const [known, meaning] of titles) {
      const [text, title] = others[known] || [known, meaning];
      const cell = make("div", "", text);
      cell.title = title;
      head.appendChild(cell);
    }
    head.children[1].style.textAlign = "left";
    return head;
  }

  row(row, colour, kind) {
    const line = make("div", `row ${kind}${row.chosen ? " chosen" : ""}${row.on === false ? " off" : ""}`);
    line.setAttribute("role", "listitem");
    line.style.setProperty("--label", colour);
    line.appendChild(kind === "rule" ? this.toggle(row) : make("span", ""));
    line.appendChild(this.button(row, "name", kind === "label" ? row.label : row.rule, "matches"));
    line.children[1].title = kind === "label" ? `All rules of ${row.label}` : `${row.rule}, line ${row.line}`;
    if (kind === "label") line.children[1].prepend(make("span", "dot"));
    if (row.note) {
      line.children[1].appendChild(make("span", "note", row.note));
      line.children[1].title += `: ${row.note}`;
    }
    if (row.on === false) {
      line.appendChild(make("span", "number", "off"));
      return line;
    }
    line.appendChild(this.button(row, "number", row.matches, "matches"));
    line.appendChild(this.share(row));
    line.appendChild(this.button(row, `number${row.wrong ? " bad" : ""}`, row.wrong, "wrong"));
    line.appendChild(kind === "label" ? this.button(row, "number", row.missed, "missed") : make("span", ""));
    line.appendChild(this.button(row, `number${row.conflicts ? " clash" : ""}`, row.conflicts, "conflicts"));
    return line;
  }

  button(row, className, text, view) {
    const button = make("button", className, text.toLocaleString("en"));
    button.type = "button";
    button.dataset.focus = JSON.stringify([row.label, row.rule, className.split(" ")[0], view]);
    if (className.startsWith("number") && !text) button.disabled = true;
    button.addEventListener("click", () => this.pick(row, view));
    return button;
  }

  share(row) {
    const cell = make("div", "share");
    if (row.precision === null) {
      cell.append(make("span", ""), make("span", "number", "–"));
      return cell;
    }
    cell.title = row.measured;
    const bar = make("div", "bar"), filled = make("i", "");
    filled.style.width = `${Math.round(row.precision * 100)}%`;
    bar.appendChild(filled);
    cell.append(bar, make("span", "number", `${Math.round(row.precision * 100)}%`));
    return cell;
  }

  toggle(row) {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = row.on !== false;
    box.style.accentColor = "var(--label)";
    box.title = box.checked ? "Switch this rule off" : "Switch this rule on";
    box.setAttribute("aria-label", `${box.title}: ${row.rule}`);
    box.addEventListener("change", () => this.component.setTriggerValue("toggle", { line: row.line, on: box.checked }));
    return box;
  }
}

const lists = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".list");
  if (!lists.has(root)) lists.set(root, new RuleList(root));
  lists.get(root).update(component);
}
