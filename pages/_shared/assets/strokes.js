// The keys of a page that shows one text after the other. A key means the text that was on the screen when it was
// typed, and a digit is remembered here until Enter sends it with its text in one message: nobody has to wait for the
// server between two keys. Keys that are typed while a message is on its way are held, and are meant for the next text.
// Without a connection one message waits for it, and no key is held: nobody can have seen the text that it would be for.

const LOOK = 500;
const AGAIN = 5000; // of connection: a message without an answer is sent once more; the server does each number once
const WAIT = 20000; // of connection: then what was held is dropped
const GONE = 3000; // so long the connection may be away before the page says so
const MOST = 40; // held keys

const CHOOSE = "choose";
const WAITS = "is kept here and sent when the server is back. Other keys are not used.";
const WILL_WAIT = "Your next annotation is kept here until the server is back.";

const FIELDS = "textarea, select, [contenteditable=true], [contenteditable=''], [role=combobox], [role=dialog] *, "
  + "[role=grid], canvas, input:not([type=checkbox]):not([type=radio]):not([type=button])";
const CONTROLS = "button, a, input, [role=button], [role=radio], [role=option], [role=slider], [role=tab], summary";

const OWN = /st-key-(label_(\d+|accept|same|skip|flag|back|undo)(_|\b)|review_(label|side|take|later|undo)(_|\b))/;

// One for the window: a component may be taken away and put back while a message is on its way.
class Strokes {
  constructor() {
    this.choices = new Map(); // text id -> {label, number}: chosen here, not yet known to the server
    this.held = [];
    this.sent = null; // the message that waits for its answer
    this.number = 0;
    this.waited = 0;
    this.since = null; // when the connection was lost
    this.gone = false;
    this.note = "";
    window.addEventListener("keydown", (event) => this.press(event), true);
    setInterval(() => this.look(), LOOK);
  }

  // ---- what the server says

  update(component, root) {
    if (this.data && this.data.place !== component.data.place) this.forget();
    const anew = this.data && this.data.session !== component.data.session;
    Object.assign(this, { component, root, data: component.data });
    for (const [text, choice] of this.choices) {
      if (choice.number <= this.data.seen || text !== this.data.text_id) this.choices.delete(text);
    }
    if (this.sent && this.data.seen >= this.sent.number) this.answered();
    else if (anew) this.beginAnew();
    this.draw();
  }

  leave(root) {
    if (this.root === root) this.root = this.component = null;
  }

  answered() {
    const { text_id: before, does } = this.sent;
    this.sent = null;
    const next = this.data.text_id !== null && (this.data.text_id !== before || does === "undo");
    if (!this.held.length) return;
    if (!next) {
      this.drop("the next text was not shown yet");
      return;
    }
    while (this.held.length && !this.sent) {
      const { key, meant } = this.held.shift(), stroke = this.data.strokes[key];
      const same = stroke && meant === meaning(stroke);
      if (!same || stroke.sight || (stroke.gives && !this.choices.has(this.data.text_id))) {
        this.drop("they were typed before this text was shown");
        return;
      }
      this.apply(stroke);
    }
  }

  // The server knows nothing of what was typed before. A text that is there again has no answer yet; whether an undo was
  // done nobody can tell.
  beginAnew() {
    const { sent } = this;
    if (!sent || (sent.text_id === this.data.text_id && sent.does !== "undo")) {
      this.tellAgain();
      return;
    }
    this.sent = null;
    this.held = [];
    this.note = "The server was restarted. Check whether your last annotation was saved.";
  }

  tellAgain() {
    const text = this.data.text_id;
    if (this.sent) this.component?.setTriggerValue("typed", this.sent);
    else if (this.component && this.choices.has(text)) this.choose(text, this.choices.get(text).label);
  }

  forget() {
    this.sent = null;
    this.held = [];
    this.choices.clear();
    this.note = "";
  }

  drop(why) {
    this.held = [];
    this.note = `Your last keys were not used: ${why}.`;
    this.draw();
  }

  // ---- keys

  press(event) {
    if (!this.data || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!this.root ? !this.sent : !this.root.isConnected && !this.sent) return;
    const key = keyOf(event), stroke = this.data.strokes[key];
    if (key === "Enter" && this.flagFromNote(event)) return;
    if (!stroke || (elsewhere(event, key) && !(key === "Enter" && this.follows()))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat) return; // a key that is held down decides once
    if (this.sent) {
      if (this.held.length < MOST) this.held.push({ key, meant: meaning(stroke) });
      if (this.since) this.loseSight();
      return;
    }
    this.note = "";
    this.apply(stroke);
  }

  // A link that was clicked keeps the focus. Enter behind a digit is for the label all the same, if nobody has gone to
  // another place meanwhile.
  follows() {
    return this.chose?.text === this.data.text_id && this.chose.focus === document.activeElement;
  }

  // Enter in the note of a flag flags, with the note as it stands in its field.
  flagFromNote(event) {
    const field = event.composedPath()[0];
    if (this.sent || !this.data.strokes.f || !field.matches || !field.matches("[class*=st-key-label_note_] input")) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.send("flag", field.value);
    return true;
  }

  apply(stroke) {
    if (!stroke.chooses && !stroke.gives) {
      this.send(stroke.does, stroke.value);
      return;
    }
    const text = this.data.text_id;
    if (stroke.chooses) {
      this.choose(text, stroke.value);
      this.waited = 0; // a choice that got lost on its way is told again as well
      this.chose = { text, focus: document.activeElement };
      return;
    }
    const label = this.choices.has(text) ? this.choices.get(text).label : this.data.chosen;
    if (label) this.send(stroke.does, label);
    else this.note = "Choose a label first.";
    this.draw();
  }

  choose(text, label) {
    this.choices.set(text, { label, number: this.tell(CHOOSE, label).number });
    this.draw();
  }

  // A message that says all there is to say: which text, what, and with which label.
  tell(does, value) {
    this.number = Math.max(this.number + 1, Date.now());
    const message = { number: this.number, text_id: this.data.text_id, does, value };
    this.component.setTriggerValue("typed", message);
    return message;
  }

  send(does, value) {
    this.sent = this.tell(does, value);
    this.waited = 0;
    this.draw();
  }

  // ---- the line below the buttons

  look() {
    const app = document.querySelector("[data-test-connection-state]");
    const there = !app || app.dataset.testConnectionState === "CONNECTED";
    // The line below says more than Streamlit's own box, which would lie over the text.
    document.documentElement.classList.toggle("re2-gone", !there && Boolean(this.root));
    if (there) this.waitOn();
    else this.loseSight();
    const gone = !there && (this.gone || Date.now() - this.since > GONE);
    if (gone === this.gone) return;
    this.gone = gone;
    this.draw();
  }

  // Only the time with a connection counts, and anew after each break.
  waitOn() {
    this.waited = this.since ? 0 : this.waited + LOOK;
    this.since = null;
    if (this.waited === AGAIN) this.tellAgain();
    if (this.waited !== WAIT || !this.sent) return;
    this.sent = null;
    this.held = [];
    this.note = "The server did not respond. Your last keys were not used; check whether the last annotation was saved.";
    this.draw();
  }

  loseSight() {
    this.since ??= Date.now();
    if (!this.held.length) return;
    this.gone = true;
    this.drop("there was no connection");
  }

  waiting() {
    if (!this.sent) return WILL_WAIT;
    const label = Object.values(this.data.strokes).find((one) => one.chooses && one.value === this.sent.value)?.value;
    return `Your last annotation${label ? ` (${label})` : ""} ${WAITS}`;
  }

  draw() {
    // What was said last is of an answer before this one.
    const unsaid = this.gone || this.sent || this.choices.size > 0;
    document.documentElement.classList.toggle("re2-unsaid", Boolean(unsaid));
    const line = this.root;
    if (!line) return;
    line.textContent = this.gone ? `No connection. ${this.waiting()}` : this.note;
    line.hidden = !line.textContent;
    line.classList.toggle("gone", this.gone);
  }
}

function meaning(stroke) {
  return `${stroke.does} ${stroke.value}`;
}

function keyOf(event) {
  const digit = /^Numpad(\d)$/.exec(event.code);
  if (digit) return digit[1];
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

// Whether the key is meant for a field, or works the control that has the focus. A label's own button is done with when
// it was pressed: Enter then accepts.
function elsewhere(event, key) {
  const target = event.composedPath()[0];
  if (!target.matches) return false;
  if (target.matches(FIELDS)) return true;
  if (key.length === 1) return false;
  const control = target.closest(CONTROLS);
  const named = control?.closest("[class*=st-key-]");
  return Boolean(control) && !(named && OWN.test(named.className));
}

window.re2nnStrokes ??= new Strokes();
(window.re2nnScripts ??= {}).strokes = (component) => {
  const strokes = window.re2nnStrokes, root = component.parentElement.querySelector(".strokes");
  strokes.update(component, root);
  return () => strokes.leave(root);
};
window.dispatchEvent(new Event("re2nn-strokes"));

export default () => {};
