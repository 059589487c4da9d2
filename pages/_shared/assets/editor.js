// A textarea over a coloured copy of its text. The person's text is only ever written with textContent.
// A key is sent when the hand rests: soon where it rested before, later within a word.
const RESTED = 500, SOON = 50, LATER = 150;
// A longer line is shown without colours, and the offer is made to break it over several lines.
const LONG_LINE = 3000;
const BROKEN_AT = 100;

// The same tokens as re2nn_core/rules/lexer.py; here they only choose colours.
const WORD = String.raw`(?:[^\s()|*+?$%&\[\]{}@"\\<]|\\\S|<(?!:>))+`;
const RULE_TOKEN = new RegExp(
  String.raw`(?<comment>\/\/.*)|(?<excluded>but\s+not(?=\s*\())|(?<except>\[\^)|(?<inside>(?:re|glob|~|case|lemma(?:\.[a-z]+)?:)"[^"\\]*(?:\\.[^"\\]*)*"|file\s*\(\s*"[^"]*"(?:\s*,\s*column\s*=\s*"[^"]*")?\s*\))|(?<word>${WORD})|(?<repeat>[*+?]|\{[^{}()|\s]*\}?)|(?<operator>[()|])` +
    String.raw`|(?<wild>[$%&])|(?<class>@[^@\s]*@)|(?<tag><:>[\w.:\/'\-]*|\[|\](?:<(?!:>)[^<>]*>)?)` +
    String.raw`|(?<quoted>"[^"\\]*(?:\\.[^"\\]*)*"?)|(?<other>\S)`,
  "g",
);
const TOML_TOKEN = /(?<comment>#.*)|(?<quoted>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<name>^\s*[\w.-]+(?=\s*=))|(?<operator>[[\]{}=,])|(?<word>[^\s#"'[\]{}=,]+)/g;

function ruleSegments(text, data) {
  const section = /^(\s*)\[(?!\^)([^[\]]*)\]\s*(\/\/.*)?$/.exec(text);
  if (section) {
    const start = section[1].length, end = text.indexOf("]") + 1;
    const colour = (data.colours || {})[section[2].trim()];
    const segments = [{ start, end, kind: "section", colour }];
    if (section[3]) segments.push({ start: text.length - section[3].length, end: text.length, kind: "comment" });
    return segments;
  }
  const segments = [];
  let from = 0;
  const named = /^(\s*)([\w+.\-/]+)(\s*)(:=)/.exec(text);
  if (named) {
    const start = named[1].length;
    segments.push({ start, end: start + named[2].length, kind: "name" });
    segments.push({ start: named[0].length - 2, end: named[0].length, kind: "define" });
    from = named[0].length;
  }
  return segments.concat(tokens(text, from, RULE_TOKEN));
}

function tokens(text, from, pattern) {
  const found = [];
  pattern.lastIndex = from;
  let match, except = false;
  while ((match = pattern.exec(text)) !== null) {
    if (match[0] === "") { pattern.lastIndex += 1; continue; }
    let kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (kind === "word" && (match[0] === "BOS" || match[0] === "EOS")) kind = "wild";
    // The ] of [^ a b ] is of its colour.
    if (except && match[0][0] === "]") [kind, except] = ["except", false];
    if (match[0] === "[^") except = true;
    found.push({ start: match.index, end: match.index + match[0].length, kind });
  }
  return found;
}

// What rules capture, line by line: [ ... ]<slot>, which may go on over lines that end with a backslash, and <:>slot.
function capturesOf(texts, colours) {
  const found = texts.map(() => []);
  const mark = (line, start, end, slot) => { if (colours[slot]) found[line].push({ start, end, colour: colours[slot] }); };
  let open = null;
  texts.forEach((text, line) => {
    if (text.length > LONG_LINE) { open = null; return; }
    if (open || (/[\]<]|\[.*\S/.test(text) && !/^\s*\[(?!\^)[^[\]]*\]\s*(\/\/.*)?$/.test(text))) {
      for (const token of tokens(text, 0, RULE_TOKEN)) {
        const written = text.slice(token.start, token.end);
        const tag = /^(?:@[^@]*)?<:>(?:[BIbi]-)?(.*?)@?$/.exec(written);
        if (written === "[" && token.kind === "tag") open = { line, start: token.start };
        else if (open && /^\]<.*>$/.test(written)) {
          const slot = written.slice(2, -1).trim();
          for (let at = open.line; at <= line; at += 1) {
            mark(at, at === open.line ? open.start : 0, at === line ? token.end : texts[at].length, slot);
          }
          open = null;
        } else if (tag) mark(line, token.start, token.end, tag[1]);
      }
    }
    if (!text.endsWith("\\")) open = null;
  });
  return found;
}

// Where the bracket beside the caret has its partner, both within one line.
function pairAt(text, segments, column) {
  const steps = new Map();
  for (const s of segments.filter((one) => ["operator", "tag", "except"].includes(one.kind))) {
    const sign = text[s.start];
    if (s.end - s.start <= 2 && "([{".includes(sign)) steps.set(s, 1);
    else if (")]}".includes(sign)) steps.set(s, -1);
  }
  const brackets = [...steps.keys()];
  const at = brackets.find((s) => s.end === column) || brackets.find((s) => s.start === column);
  if (!at) return [];
  const order = steps.get(at) > 0 ? brackets : [...brackets].reverse();
  let depth = 0;
  for (const other of order.slice(order.indexOf(at))) {
    depth += steps.get(other);
    if (depth === 0) return ["()", "[]", "{}"].some((pair) => pair.includes(text[at.start]) && pair.includes(text[other.start]))
      ? [at.start, other.start] : [];
  }
  return [];
}

// The line with a backslash and a line end in front of a | now and then; of one in quotes none.
function brokenLine(text) {
  const pieces = [];
  let from = 0;
  for (const token of tokens(text, 0, RULE_TOKEN)) {
    if (token.kind !== "operator" || text[token.start] !== "|" || token.start - from < BROKEN_AT) continue;
    pieces.push(text.slice(from, token.start).trimEnd());
    from = token.start;
  }
  return [...pieces, text.slice(from)].join(" \\\n    ");
}

class Editor {
  constructor(root) {
    this.root = root;
    this.area = root.querySelector("textarea");
    this.lines = root.querySelector(".lines");
    this.status = root.querySelector(".status");
    this.scroll = root.querySelector(".scroll");
    this.revision = null;
    this.sequence = 0;
    this.faults = [];
    this.notes = [];
    this.keys = [];
    this.revealed = null;
    this.accepted = 0; // texts that Ctrl+Z takes back wherever the focus is
    this.completion = new Completion(this);
    this.area.addEventListener("input", (event) => {
      if (this.replacing) return;
      this.accepted = 0;
      this.edited();
      this.completion.offer(event);
    });
    this.area.addEventListener("keydown", (event) => this.pressed(event));
    for (const name of ["keyup", "click", "focus"]) this.area.addEventListener(name, () => { if (!this.replacing) this.moved(); });
    this.area.addEventListener("blur", () => { if (!this.replacing) this.flush(); });
    this.undo = (event) => this.pressedAnywhere(event);
    document.addEventListener("keydown", this.undo);
    this.status.addEventListener("click", () => this.toFault());
    this.offer = root.querySelector(".offer");
    this.offer.addEventListener("click", () => this.breakLine(this.place().line));
  }

  update(component) {
    const data = component.data;
    this.component = component;
    this.data = data;
    this.area.setAttribute("aria-label", data.label);
    this.area.placeholder = data.example || "";
    this.scroll.style.height = `clamp(220px, calc(100vh - ${data.below}px), 1200px)`;
    window.onbeforeunload = data.dirty ? (event) => event.preventDefault() : null;
    if (data.revision !== this.revision) {
      const fresh = this.revision === null;
      this.revision = data.revision;
      const replaced = !fresh && this.base === data.base && this.replaceWith(data.text);
      if (replaced) this.accepted += 1;
      else if (this.area.value !== data.text) [this.area.value, this.accepted] = [data.text, 0];
      this.area.setSelectionRange(0, 0);
      this.sequence = data.sequence;
      this.sent = this.state();
      this.faults = data.faults;
      this.notes = data.notes;
      this.completion.close();
      if (!fresh || !this.restore()) this.remember();
    } else if (data.sequence === this.sequence) {
      // Marks that belong to an older text wait until Python has seen this one.
      this.faults = data.faults;
      this.notes = data.notes;
    }
    if (this.base !== undefined && this.base !== data.base) this.remember(); // saved: what is kept belongs to the new version
    this.base = data.base;
    this.completion.know();
    this.draw();
    if (data.reveal && data.reveal.nonce !== this.revealed) {
      if (this.revealed !== null || data.reveal.nonce > 0) this.goTo(data.reveal.line, 0, false);
      this.revealed = data.reveal.nonce;
    }
  }

  // Another text of the same version, such as one with an accepted proposal, is an edit that Ctrl+Z takes back; true where
  // there is one. What has the focus keeps it.
  replaceWith(text) {
    const old = this.area.value;
    if (old === text) return false;
    const shorter = Math.min(old.length, text.length);
    let start = 0, end = 0;
    while (start < shorter && old[start] === text[start]) start += 1;
    while (end < shorter - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    return this.focused(() => {
      this.area.setSelectionRange(start, old.length - end);
      const added = text.slice(start, text.length - end);
      document.execCommand(added ? "insertText" : "delete", false, added);
      return this.area.value === text;
    });
  }

  // What the browser does to the text alone is done; false where the editor is not on the screen.
  focused(act) {
    const before = document.activeElement, scrolled = this.scroll.scrollTop;
    const inside = this.root.getRootNode().activeElement === this.area;
    this.replacing = true;
    try {
      this.area.focus({ preventScroll: true });
      if (this.root.getRootNode().activeElement !== this.area) return false;
      return act();
    } finally {
      if (!inside) this.area.blur();
      if (!inside && before && before !== document.body) before.focus({ preventScroll: true });
      this.scroll.scrollTop = scrolled;
      this.replacing = false;
    }
  }

  // Behind a click on Accept the focus is not in the editor: Ctrl+Z takes back what came into it by the click.
  pressedAnywhere(event) {
    if (!this.root.isConnected) { document.removeEventListener("keydown", this.undo); return; }
    const at = event.composedPath()[0], typed = /^(input|textarea|select)$/i.test(at.tagName ?? "") || at.isContentEditable;
    if (!this.accepted || typed || event.shiftKey || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    this.accepted -= 1;
    this.focused(() => document.execCommand("undo"));
    this.edited();
  }

  // What was typed in the last moment before another page or a reload is in the tab's own storage. An edit of another
  // version than is shown is handed over, and kept until then; true where it is.
  restore() {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(this.data.storage)); } catch { return false; }
    if (!kept || kept.text === this.data.text) return false;
    const same = kept.token === this.data.token;
    if (kept.base !== this.data.base) {
      if (same || !kept.base) return false;
      this.component.setTriggerValue("kept", { text: kept.text, base: kept.base });
      return true;
    }
    if (same ? kept.revision !== this.revision || kept.sequence <= this.sequence : this.data.dirty) return false;
    this.area.value = kept.text;
    this.sequence = Math.max(kept.sequence, this.sequence) + 1;
    this.later();
    return false;
  }

  remember() {
    const { text, sequence, revision } = this.state();
    const kept = { text, sequence, revision, base: this.data.base, token: this.data.token };
    try { sessionStorage.setItem(this.data.storage, JSON.stringify(kept)); } catch { /* storage is full or barred */ }
  }

  state() {
    return { text: this.area.value, line: this.place().line, sequence: this.sequence, revision: this.revision };
  }

  place() {
    const before = this.area.value.slice(0, this.area.selectionStart);
    const line = before.split("\n").length;
    return { line, column: before.length - before.lastIndexOf("\n") - 1 };
  }

  edited() {
    this.sequence += 1;
    // Faults of the line in hand are out of date; those of other lines still stand.
    const { line } = this.place();
    this.faults = this.faults.filter((fault) => fault.line !== line);
    this.draw();
    this.keepInSight();
    this.remember();
    this.later();
  }

  keepInSight() {
    const line = this.lines.children[this.place().line - 1];
    if (!line) return;
    const bottom = line.offsetTop + line.offsetHeight + 26 - this.scroll.clientHeight;
    if (this.scroll.scrollTop < bottom) this.scroll.scrollTop = bottom;
  }

  moved() {
    this.draw();
    if (this.sent && this.sent.line !== this.place().line) this.later();
  }

  later() {
    clearTimeout(this.timer);
    const now = performance.now(), rested = now - (this.last ?? 0) > RESTED;
    this.last = now;
    this.timer = setTimeout(() => this.flush(), rested ? SOON : LATER);
  }

  flush() {
    clearTimeout(this.timer);
    const state = this.state();
    const old = this.sent;
    if (old && old.text === state.text && old.line === state.line && old.revision === state.revision) return;
    this.sent = state;
    this.component.setStateValue("draft", state);
  }

  pressed(event) {
    const command = event.ctrlKey || event.metaKey;
    if (this.completion.pressed(event)) {
      event.stopPropagation();
    } else if (command && event.key.toLowerCase() === "s") {
      event.preventDefault();
      event.stopPropagation();
      this.flush();
      this.component.setTriggerValue("save", true);
    } else if (event.ctrlKey && event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.completion.offer(event, true);
    } else if (command && event.key === "/") {
      event.preventDefault();
      event.stopPropagation();
      this.toggleComment();
    } else if (!command) {
      // Letters typed here are text, not shortcuts of the page around it.
      event.stopPropagation();
    }
  }

  toggleComment() {
    const mark = this.data.language === "toml" ? "# " : "// ";
    const text = this.area.value;
    const start = text.lastIndexOf("\n", this.area.selectionStart - 1) + 1;
    let end = text.indexOf("\n", Math.max(this.area.selectionEnd - 1, start));
    if (end < 0) end = text.length;
    const lines = text.slice(start, end).split("\n");
    const bare = mark.trim();
    const on = lines.every((line) => !line.trim() || line.trimStart().startsWith(bare));
    const changed = lines.map((line) => {
      if (!line.trim()) return line;
      if (!on) return mark + line;
      const at = line.indexOf(bare);
      return line.slice(0, at) + line.slice(at + bare.length).replace(/^-? /, "");
    });
    this.area.setSelectionRange(start, end);
    // insertText keeps the browser's own undo.
    document.execCommand("insertText", false, changed.join("\n"));
    const length = changed.join("\n").length;
    this.area.setSelectionRange(lines.length > 1 ? start : start + length, start + length);
  }

  draw() {
    const texts = this.area.value.split("\n");
    const here = this.place();
    const focused = this.root.getRootNode().activeElement === this.area;
    const captures = this.data.language === "toml" ? [] : capturesOf(texts, this.data.colours || {});
    texts.forEach((text, index) => {
      const number = index + 1;
      const faults = this.faults.filter((fault) => fault.line === number);
      const note = this.notes.find((other) => other.line === number);
      const caret = focused && here.line === number ? here.column : -1;
      const captured = captures[index] || [];
      const section = (this.data.colours || {})[text.trim().slice(1, -1)];
      // Where the caret stands within a long line changes nothing that is shown of it.
      const place = text.length > LONG_LINE ? Math.min(caret, 0) : caret;
      const key = `${JSON.stringify([faults, note, place, section, captured])}${text}`;
      if (this.keys[index] === key) return;
      this.keys[index] = key;
      const line = this.drawLine(text, number, faults, note, caret, captured);
      const old = this.lines.children[index];
      if (old) old.replaceWith(line); else this.lines.appendChild(line);
    });
    while (this.lines.children.length > texts.length) this.lines.lastChild.remove();
    this.keys.length = texts.length;
    this.drawStatus(here);
  }

  drawLine(text, number, faults, note, caret, captured) {
    const line = document.createElement("div");
    const bad = faults.some((fault) => fault.kind === "fault");
    line.className = "line" + (caret >= 0 ? " here" : "") + (bad ? " faulty" : faults.length ? " odd" : "");
    line.dataset.number = number;
    const long = text.length > LONG_LINE;
    const segments = long ? [] : this.data.language === "toml" ? tokens(text, 0, TOML_TOKEN) : ruleSegments(text, this.data);
    const pair = caret >= 0 ? pairAt(text, segments, caret) : [];
    const cuts = new Set([0, text.length]);
    for (const s of [...segments, ...captured]) { cuts.add(s.start); cuts.add(s.end); }
    const shown = long ? faults.slice(0, 20) : faults;
    for (const f of shown) {
      cuts.add(Math.min(f.column - 1, text.length));
      cuts.add(Math.min(f.column - 1 + f.width, text.length));
    }
    const sorted = [...cuts].sort((a, b) => a - b);
    let at = 0;
    for (let i = 0; i + 1 < sorted.length; i += 1) {
      const [start, end] = [sorted[i], sorted[i + 1]];
      const piece = document.createElement("span");
      while (at < segments.length && segments[at].end <= start) at += 1;
      const segment = at < segments.length && segments[at].start <= start && end <= segments[at].end ? segments[at] : null;
      const fault = shown.find((f) => f.column - 1 <= start && end <= f.column - 1 + f.width);
      piece.textContent = text.slice(start, end);
      if (segment) piece.classList.add(segment.kind);
      if (segment && segment.colour) piece.style.setProperty("--label", segment.colour);
      const capture = captured.find((c) => c.start <= start && end <= c.end);
      if (capture) {
        piece.classList.add("captured");
        piece.style.setProperty("--slot", capture.colour);
      }
      if (fault) piece.classList.add(fault.kind);
      if (pair.includes(start)) piece.classList.add("pair");
      line.appendChild(piece);
    }
    if (!text) line.appendChild(document.createElement("br"));
    if (note) line.appendChild(this.drawNote(note));
    return line;
  }

  drawNote(note) {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.className = "note" + (note.bad ? " bad" : "");
    button.textContent = note.text;
    button.title = note.title;
    button.addEventListener("click", () => this.component.setTriggerValue("pick", note.rule));
    return button;
  }

  drawStatus(here) {
    const fault = this.faults.find((other) => other.line === here.line) || this.faults[0];
    this.status.className = "status" + (!fault ? "" : fault.kind === "fault" ? " bad" : " odd");
    this.status.textContent = fault
      ? `Line ${fault.line}: ${fault.message}. ${fault.advice}`
      : `Line ${here.line}, column ${here.column + 1}${this.lineAt(here.line).trim() ? "" : ". Ctrl+Space: what can stand here"}`;
    this.status.title = fault ? "Go to this place" : "";
    // A long line, such as a pasted list, has no colours; over several lines it has.
    this.offer.hidden = this.data.language === "toml" || this.lineAt(here.line).length <= LONG_LINE;
    this.offer.title = `Line ${here.line} is too long for colours. A backslash at the end of a line continues the rule.`;
  }

  lineAt(line) {
    return this.area.value.split("\n")[line - 1] || "";
  }

  breakLine(line) {
    const text = this.lineAt(line);
    const start = this.area.value.split("\n").slice(0, line - 1).reduce((sum, other) => sum + other.length + 1, 0);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, start + text.length);
    document.execCommand("insertText", false, brokenLine(text));
  }

  toFault() {
    const here = this.place();
    const fault = this.faults.find((other) => other.line === here.line) || this.faults[0];
    if (fault) this.goTo(fault.line, fault.column - 1, true);
  }

  goTo(line, column, focus) {
    const texts = this.area.value.split("\n");
    const start = texts.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.area.setSelectionRange(start + column, start + column);
    if (this.sent) this.sent = { ...this.sent, line };
    const target = this.lines.children[line - 1];
    if (target) {
      const top = target.offsetTop - this.scroll.clientHeight / 3;
      this.scroll.scrollTo({ top: Math.max(0, top) });
    }
    if (focus) this.area.focus({ preventScroll: true });
    this.draw();
  }
}

const editors = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".editor");
  if (!editors.has(root)) editors.set(root, new Editor(root));
  editors.get(root).update(component);
  return () => {
    if (!root.isConnected) window.onbeforeunload = null;
  };
}
