// What may end the word, @class@, label or rule name in front of the caret: a list beside it. Enter and Tab take the
// first, the arrows choose, Escape closes. What is one of them already is whole: then Enter is a line end. Ctrl+Space
// asks for the list; on an empty line it has whole rules and classes to fill in.
// completion_words.js puts the words of the project here, most frequent first, and those with capital letters as the
// texts have them, which case"..." asks for.
const OFFERED = 8, LOOKED_BACK = 80;
const NOTATIONS = [["case", "capitals as written"], ["lemma:", "forms of a word"], ["re", "regular expression on a word"],
  ["glob", "pattern on a word"]].map(([name, note]) => ({ name: `${name}"`, note }));
// Texts to fill in: `part` is selected once they stand there.
const BUT_NOT = { name: "but not ( $* word $* )", note: "leave texts out", part: "word" };
const CLASS = { name: "@name@=( one | two )", note: "word class", part: "name" };
const CAPTURE = { name: "[ $ ]<slot>", note: "capture", part: "slot" };
const STARTS = [{ name: "[label]", note: "section", part: "label" }, { name: "name := $* word $*", note: "rule", part: "name" },
  { name: "name := $* word $* but not ( $* other $* )", note: "rule with an exception", part: "name" }, CLASS];
const SLOT_STARTS = [{ name: "name := $* to [ $ ]<slot> $*", note: "rule with a capture", part: "name" },
  { name: "name := $* to [ $ ]<slot> $* but not ( $* other $* )", note: "rule with an exception", part: "name" }, CLASS];
const LOGIC_STARTS = [{ name: 'default = "label"', note: "label of all other texts", part: "label" },
  { name: 'priorities = ["label > other"]', note: "which label wins", part: "label" },
  { name: 'logic = ["rule & !other -> label"]', note: "formula of a label", part: "rule" }];
const SLOT_LOGIC_STARTS = [{ name: 'priorities = ["slot > other"]', note: "which slot wins", part: "slot" },
  { name: "longest = true", note: "longer spans win" }];
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
  if (!items.length) return null;
  return { typed, items, whole: !typed || offered.some((item) => item.name.toLowerCase() === small) };
}

// What a line may begin with.
function starts(language, slots) {
  if (language === "toml") return slots ? SLOT_LOGIC_STARTS : LOGIC_STARTS;
  return slots ? SLOT_STARTS : STARTS;
}

// What stands in front of the caret, and what it may become; null where nothing is offered. `asked`: by a key, so that
// nothing has to stand there.
function offersAt(text, caret, { language, slots }, rules, asked = false) {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  const before = text.slice(Math.max(from, caret - LOOKED_BACK), caret);
  const section = caret - from < LOOKED_BACK && /^\s*\[([^\]^]+)$/.exec(before);
  const named = caret - from < LOOKED_BACK && /^\s*[\w+.\-/]+$/.test(before);
  const comment = language === "toml" ? /(^|\s)#/ : /(^|\s)\/\//;
  if (/[\w@]/.test(text[caret] || "") || comment.test(before)) return null;
  const bare = !before.trim();
  if (bare) return asked && /^[^\S\n]*(\n|$)/.test(text.slice(caret)) ? going("", starts(language, slots)) : null;
  const inside = language === "toml" ? null : quoted(text.slice(from, caret));
  if (inside) {
    const found = inside.typed ? going(inside.typed, inside.words) : null;
    return found && { ...found, closing: inside.pattern || text[caret] === '"' ? "" : '"' };
  }
  // An @ behind an odd number of them ends a class: what follows is a word.
  const sign = /@[^@\s]*$/.exec(before);
  const opens = sign && (text.slice(from, caret).match(/@/g) || []).length % 2;
  const typed = section ? section[1] : ((opens && sign) || /[^\s()|*+?$%&\[\]{}@"'\\<>!=,~]+$/.exec(before) || [""])[0];
  if (typed.length < (asked ? 0 : typed[0] === "@" || section ? 1 : 2)) return null;
  const names = (kind, note) => defined(kind, rules).map((name) => ({ name, note }));
  let offered;
  if (language === "toml") offered = [...names("name", "rule"), ...names("label", "label")];
  else if (section) {
    const found = going(typed, names("label", "label"));
    return found && { ...found, closing: text[caret] === "]" ? "" : "]" };
  } else if (typed[0] === "@") {
    offered = [...names("class", "class"), ...(typed.length > 2 && typed[1] === "~" ? like() : [])];
    if (before.trim() === typed) offered.push(CLASS);
  } else if (named) return null; // a new rule's name, or the start of one
  else if (!typed) offered = [BUT_NOT, ...(slots ? [CAPTURE] : []), ...names("class", "class"), ...NOTATIONS];
  else offered = [...[BUT_NOT, ...NOTATIONS].filter((one) => one.name.startsWith(typed)), ...(globalThis.re2nnWords || [])];
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

  offer(event, asked = false) {
    const { area } = this;
    const { data } = this.editor;
    const typing = asked || (event && event.inputType === "insertText" && !event.isComposing);
    if (!typing || area.selectionStart !== area.selectionEnd) return this.close();
    const rules = data.language === "toml" ? (written.get("rules") || area).value : area.value;
    this.found = offersAt(area.value, area.selectionStart, data, rules, asked);
    if (!this.found) return this.close();
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
    const { items, whole } = this.found;
    this.choose(whole && !asked ? -1 : 0);
    this.put();
    const count = items.length === 1 ? "1 completion" : `${items.length} completions`;
    const keys = this.chosen < 0 ? "Tab accepts" : "Enter accepts";
    this.spoken.textContent = `${count}: ${items[0].name}, ${items[0].note}. ${keys}, arrow keys choose.`;
  }

  // Below the caret, or above it where it would cover the line of errors, if there is room.
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
    const end = Math.min(window.innerHeight, this.editor.status.getBoundingClientRect().top);
    const below = box.bottom + 4 + height < end || box.top - height - 4 < 0;
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
    const { name, part } = items[index];
    document.execCommand("insertText", false, name + closing);
    this.close();
    if (part) {
      const from = caret - typed.length + name.indexOf(part);
      this.area.setSelectionRange(from, from + part.length);
    }
    this.spoken.textContent = `${name} inserted`;
  }

  close() {
    this.list.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }
}

