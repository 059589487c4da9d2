// Mouse and keyboard of the editor.

const OTHERS = "input, textarea, select, button, a, canvas, [contenteditable=true], [role=button], [role=radio], [role=option], "
  + "[role=slider], [role=combobox], [role=dialog] *, [role=grid]";

// Whether somebody is writing or choosing in another part of the page, so that a new text must not take the focus. A
// closed list or a pressed button is done with.
function busyElsewhere() {
  const active = document.activeElement;
  const fields = "input[type=text]:not([role=combobox]), textarea, [contenteditable=true], [aria-expanded=true]";
  return Boolean(active) && active.matches(`${fields}, [role=dialog] *`);
}

class Mouse {
  constructor(editor) {
    this.editor = editor;
    this.held = null; // {from, moved} while words are selected, {side, mark, before} while a border is dragged
    const { box } = editor;
    box.addEventListener("pointerdown", (event) => this.press(event));
    box.addEventListener("pointermove", (event) => this.drag(event));
    box.addEventListener("pointerup", () => this.release());
    box.addEventListener("pointercancel", () => this.release());
  }

  press(event) {
    const { editor } = this, target = event.composedPath()[0];
    if (event.button !== 0 || editor.waiting || target === editor.box && event.offsetX > editor.box.clientWidth) return;
    editor.box.focus({ preventScroll: true });
    event.preventDefault();
    const mark = target.closest(".mark") && editor.marks[Number(target.closest(".mark").dataset.mark)];
    if (target.closest(".x")) {
      editor.change(withoutMarks(editor.marks, mark.first, mark.behind));
      return;
    }
    const name = target.closest("rt"), grip = target.closest(".grip");
    // Words move a little while a mark grows below the name of its slot: all that follows is measured as it is now.
    this.frames = framesOf(editor.box);
    const word = name ? mark.first : wordNear(this.frames, event.clientX, event.clientY);
    if (word < 0) return;
    editor.box.setPointerCapture(event.pointerId);
    this.held = grip ? { side: grip.dataset.side, mark: editor.marks.indexOf(mark), before: editor.marks } : { from: word, moved: false };
  }

  drag(event) {
    if (!this.held) return;
    const word = wordNear(this.frames, event.clientX, event.clientY);
    if (this.held.side) this.dragBorder(word);
    else if (word !== this.held.from || this.held.moved) {
      this.held.moved = true;
      Object.assign(this.editor, { anchor: this.held.from, cursor: word, ranged: true });
      this.editor.paint();
    }
  }

  // The border follows the word under the pointer; each move begins from the marks as they were when it was taken.
  dragBorder(word) {
    const { side, mark, before } = this.held, { first, behind } = before[mark], { editor } = this;
    const marks = withBorder(before, mark, side, side === "start" ? word : word + 1, editor.data.words.length);
    editor.cursor = side === "start" ? Math.min(word, behind - 1) : Math.max(word, first);
    if (this.held.marks && sameMarks(marks, this.held.marks)) return;
    this.held.marks = marks;
    editor.preview(marks);
  }

  release() {
    const { held, editor } = this;
    this.held = null;
    if (!held) return;
    if (held.side) editor.change(held.marks || held.before);
    else if (!held.moved) this.click(held.from);
    else editor.drawActs();
  }

  // A click chooses the word, or the mark that it is in; a second one narrows that down to the word.
  click(word) {
    const { editor } = this;
    editor.ranged = !editor.ranged && editor.cursor === word && this.clicked === word && markAt(editor.marks, word) >= 0;
    this.clicked = word;
    editor.anchor = editor.cursor = word;
    editor.paint();
    editor.drawActs();
  }
}

class Keyboard {
  constructor(editor) {
    this.editor = editor;
    this.listener = (event) => this.press(event);
    // Keys work wherever the focus is, unless it is in a field or on a button; before the page's own shortcuts.
    window.addEventListener("keydown", this.listener, true);
  }

  leave() {
    window.removeEventListener("keydown", this.listener, true);
  }

  press(event) {
    const { editor } = this, target = event.composedPath()[0];
    if (!editor.root.isConnected) {
      this.leave();
      return;
    }
    if (event.isComposing || event.metaKey || editor.mouse.held) return;
    if (target === editor.field) {
      this.pressInField(event);
      return;
    }
    if (event.key === "Enter" && target.matches && target.matches("[class*=st-key-label_note_] input")) {
      // Enter in the note flags, with the note as it stands there.
      event.preventDefault();
      event.stopImmediatePropagation();
      editor.flag(target.value);
      return;
    }
    const mine = editor.root.contains(target);
    if (!mine && target.matches && target.matches(OTHERS)) return;
    if (mine && target.closest("button") && (event.key === "Enter" || event.key === " ")) return;
    const run = this.meaning(event);
    if (!run) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (editor.waiting) this.hold(event);
    else {
      this.forgive();
      run();
    }
  }

  // The text that a key was typed for is being saved, and a mark needs a text to look at: only an undo means something.
  hold(event) {
    const { editor } = this;
    if (event.repeat || /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (event.key.toLowerCase() === "u") editor.undoHeld = true;
    else editor.early = true;
  }

  forgive() {
    if (!this.editor.early) return;
    this.editor.early = false;
    this.editor.draw();
  }

  // Letters are text in the field. Enter gives the slot, Escape goes back to the text.
  pressInField(event) {
    event.stopImmediatePropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    const { editor } = this, name = editor.field.value;
    editor.field.value = "";
    editor.box.focus({ preventScroll: true });
    if (event.key === "Enter") editor.give(name);
  }

  // What a key does; null where it is none of the editor's.
  meaning(event) {
    const { editor } = this, { key, repeat } = event;
    const signs = { "[": ["start", -1], "]": ["end", 1], "{": ["start", 1], "}": ["end", -1] };
    if (signs[key]) return () => editor.border(...signs[key]);
    if (event.ctrlKey) return this.control(event);
    if (/^(Arrow|Home|End)/.test(key)) return () => this.arrow(event);
    if (event.altKey) return null;
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code) || /^(\d)$/.exec(key);
    if (digit) return () => editor.give(editor.digits[(Number(digit[1]) + 9) % 10]);
    const found = {
      Enter: () => repeat || (event.shiftKey && editor.data.team ? editor.saveSame() : editor.save()),
      PageUp: () => repeat || editor.move(-1),
      PageDown: () => repeat || editor.move(1),
      Backspace: () => editor.remove(),
      Delete: () => editor.remove(),
      x: () => editor.remove(),
      u: () => editor.undo(),
      n: () => editor.nothing(),
      t: () => editor.take(editor.others[0]),
      s: () => (event.shiftKey && editor.data.team ? editor.skip() : editor.field.focus()),
      f: () => editor.flag(),
      g: () => editor.giveBack(),
      a: () => (event.shiftKey ? editor.everywhere() : editor.alike()),
    };
    return found[key.length === 1 ? key.toLowerCase() : key] || null;
  }

  control(event) {
    const key = event.key.toLowerCase();
    if (key === "z") return () => (event.shiftKey ? this.editor.go(1) : this.editor.undo());
    return key === "y" ? () => this.editor.go(1) : null;
  }

  arrow(event) {
    const { editor } = this, { key, shiftKey } = event;
    const by = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    if (event.altKey) {
      if (by) editor.border(shiftKey ? "start" : "end", by);
      return;
    }
    const last = editor.data.words.length - 1, to = this.target(key, by);
    if (!shiftKey && (to < 0 || to > last)) {
      if (!event.repeat) editor.move(by, true); // a key that is held down stays in its text
      return;
    }
    editor.walk(Math.max(0, Math.min(last, to)), shiftKey);
  }

  target(key, by) {
    const { editor } = this;
    if (key === "Home") return 0;
    if (key === "End") return editor.data.words.length - 1;
    return by ? editor.cursor + by : wordOnLine(editor.box, editor.cursor, key === "ArrowDown");
  }
}
