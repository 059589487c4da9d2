// What may end the word, @class@, label or rule name in front of the caret: a list below it. Tab takes the first, the
// arrows choose, Enter takes what is chosen (without a choice it is a line end), Escape closes.
// completion_words.js puts the words of the project here, most frequent first, and those with capital letters as the
// texts have them, which case"..." asks for.
const OFFERED = 8, LOOKED_BACK = 80;
const NOTATIONS = [["case", "capitals as written"], ["lemma:", "forms of a word"], ["re", "regular expression on a word"],
  ["glob", "pattern on a word"]].map(([name, note]) => ({ name: `${name}"`, note }));
const LIKE = ":0.6@"; // the nearness that @~word:0.6@ begins with
const DEFINED = { class: /(@[^@\s]+@)\s*=/g, name: /^[ \t]*([\w+.\-/]+)[ \t]*:=/gm, label: /^[ \t]*\[([^^\[\]\n][^\[\]\n]*)\][ \t]*(?:\/\/.*)?$/gm };
const written = new Map();

function defined(kind, text) {
  const found = new Set();
  for (const match of text.matchAll(DEFINED[kind])) found.add(match[1].trim());
  return [...found];
}

// The word, or the end of an expression, behind a quote that is open in front of the caret; null where none is.
function quoted(line) {
  let open = -1;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === '"') open = open < 0 ? at : -1;
  }
  if (open < 0) return null;
  const [, kind] = /(?:^|[\s()|[^])(case|lemma:|glob|re|~)$/.exec(line.slice(0, open)) || [];
  const pattern = kind === "re" || kind === "glob";
  const [typed] = (pattern ? /[\p{L}\p{N}]*$/u : /[^"\\\s]*$/).exec(line.slice(open + 1));
  const words = globalThis.re2nnWords || [];
  return { typed, pattern, words: kind === "case" ? [...(globalThis.re2nnSpelt || []), ...words] : words };
}

// The first of what is offered that goes on from what is typed.
function going(typed, offered) {
  const small = typed.toLowerCase(), items = [];
  for (const item of offered) {
    if (item.name.length > typed.length && item.name.toLowerCase().startsWith(small)) items.push(item);
    if (items.length === OFFERED) break;
  }
  return items.length ? { typed, items } : null;
}

// What stands in front of the caret, and what it may become; null where nothing is offered.
function offersAt(text, caret, language, rules) {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  const before = text.slice(Math.max(from, caret - LOOKED_BACK), caret);
  const section = caret - from < LOOKED_BACK && /^\s*\[([^\]^]+)$/.exec(before);
  const named = caret - from < LOOKED_BACK && /^\s*[\w+.\-/]+$/.test(before);
  const comment = language === "toml" ? /(^|\s)#/ : /(^|\s)\/\//;
  if (/[\w@]/.test(text[caret] || "") || comment.test(before)) return null;
  const inside = language === "toml" ? null : quoted(text.slice(from, caret));
  if (inside) {
    const found = inside.typed ? going(inside.typed, inside.words) : null;
    return found && { ...found, closing: inside.pattern || text[caret] === '"' ? "" : '"' };
  }
  // An @ behind an odd number of them ends a class: what follows is a word.
  const sign = /@[^@\s]*$/.exec(before);
  const opens = sign && (text.slice(from, caret).match(/@/g) || []).length % 2;
  const typed = section ? section[1] : ((opens && sign) || /[^\s()|*+?$%&\[\]{}@"'\\<>!=,~]+$/.exec(before) || [""])[0];
  if (typed.length < (typed[0] === "@" || section ? 1 : 2)) return null;
  const names = (kind, note) => defined(kind, rules).map((name) => ({ name, note }));
  let offered;
  if (language === "toml") offered = [...names("name", "rule"), ...names("label", "label")];
  else if (section) offered = names("label", "label");
  else if (typed[0] === "@") offered = [...names("class", "class"), ...(typed.length > 2 && typed[1] === "~" ? like() : [])];
  else if (named) return null; // a new rule's name, or the start of one
  else offered = [...NOTATIONS.filter((one) => one.name.startsWith(typed)), ...(globalThis.re2nnWords || [])];
  return going(typed, offered);
}

// Words of like meaning with each word of the project.
function like() {
  return (globalThis.re2nnWords || []).map(({ name, note }) => ({ name: `@~${name}${LIKE}`, note }));
}

class Completion {
  constructor(editor) {
    this.editor = editor;
    this.area = editor.area;
    this.list = editor.root.querySelector(".completions");
    this.spoken = editor.root.querySelector(".spoken");
    this.area.setAttribute("aria-autocomplete", "list");
    this.area.setAttribute("aria-controls", "completions");
    this.area.addEventListener("blur", () => this.close());
    for (const name of ["click", "compositionstart"]) this.area.addEventListener(name, () => this.close());
    editor.scroll.addEventListener("scroll", () => this.close());
    // The caret stays in the text where an entry is clicked.
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const entry = event.target.closest("[role=option]");
      if (entry) this.accept([...this.list.children].indexOf(entry));
    });
  }

  get isOpen() { return !this.list.hidden; }

  // The editor of label logic offers what the one of rules defines.
  know() {
    if (this.editor.data.language !== "toml") written.set("rules", this.area);
  }

  offer(event) {
    const { area } = this;
    const { language } = this.editor.data;
    const typing = event && event.inputType === "insertText" && !event.isComposing;
    if (!typing || area.selectionStart !== area.selectionEnd) return this.close();
    const rules = language === "toml" ? (written.get("rules") || area).value : area.value;
    this.found = offersAt(area.value, area.selectionStart, language, rules);
    if (!this.found) return this.close();
    this.chosen = -1;
    this.list.replaceChildren(...this.found.items.map((item, index) => {
      const entry = document.createElement("div");
      entry.id = `completion${index}`;
      entry.setAttribute("role", "option");
      const [name, note] = [document.createElement("span"), document.createElement("small")];
      [name.textContent, note.textContent] = [item.name, item.note];
      entry.append(name, " ", note);
      return entry;
    }));
    this.list.hidden = false;
    this.choose(-1);
    this.put();
    const { items } = this.found;
    const count = items.length === 1 ? "1 completion" : `${items.length} completions`;
    this.spoken.textContent = `${count}: ${items[0].name}, ${items[0].note}. Tab accepts, arrow keys choose.`;
  }

  // Below the caret, or above it where the window ends.
  put() {
    const { line, column } = this.editor.place();
    const row = this.editor.lines.children[line - 1];
    let left = column - this.found.typed.length, box = row.getBoundingClientRect();
    for (const piece of row.querySelectorAll(":scope > span")) {
      const length = piece.textContent.length;
      if (left < length && piece.firstChild) {
        const range = document.createRange();
        range.setStart(piece.firstChild, left);
        range.setEnd(piece.firstChild, left + 1);
        box = range.getBoundingClientRect();
        break;
      }
      left -= length;
    }
    const { offsetWidth: width, offsetHeight: height } = this.list;
    const below = box.bottom + 4 + height < window.innerHeight;
    this.list.style.left = `${Math.max(4, Math.min(box.left, window.innerWidth - width - 8))}px`;
    this.list.style.top = `${below ? box.bottom + 4 : box.top - height - 4}px`;
  }

  choose(index) {
    const count = this.list.children.length;
    this.chosen = index < 0 ? -1 : index % count;
    [...this.list.children].forEach((entry, at) => entry.setAttribute("aria-selected", String(at === this.chosen)));
    if (this.chosen < 0) return this.area.removeAttribute("aria-activedescendant");
    this.area.setAttribute("aria-activedescendant", `completion${this.chosen}`);
    const item = this.found.items[this.chosen];
    this.spoken.textContent = `${item.name}, ${item.note}`;
  }

  // True where the key was meant for the list.
  pressed(event) {
    if (!this.isOpen) return false;
    const { key } = event;
    const last = this.list.children.length - 1;
    if (key === "Escape") this.close();
    else if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    else if (key === "ArrowDown") this.choose(this.chosen + 1);
    else if (key === "ArrowUp") this.choose(this.chosen > 0 ? this.chosen - 1 : last);
    else if (key === "Tab" || (key === "Enter" && this.chosen >= 0)) this.accept(Math.max(this.chosen, 0));
    else {
      if (["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Enter"].includes(key)) this.close();
      return false;
    }
    event.preventDefault();
    return true;
  }

  accept(index) {
    const { typed, items, closing = "" } = this.found;
    const caret = this.area.selectionStart;
    this.close();
    this.area.setSelectionRange(caret - typed.length, caret);
    // insertText keeps the browser's own undo.
    document.execCommand("insertText", false, items[index].name + closing);
    this.close();
    this.spoken.textContent = `${items[index].name} inserted`;
  }

  close() {
    this.list.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }
}

