// The review: a queue, one change, its evidence. All cards are here, so that the next one is shown at once; what is
// decided goes to the server, which answers with the states of everybody. HTML comes escaped from the server.
const BELOW = 160;  // pixels that what is below may take of the window; more is reached by scrolling
const BEGINS = 250;  // milliseconds until a run has begun
const DOUBLE = 400;  // milliseconds between the clicks of a double click
const KEPT_ACTS = 20;
const unheardActs = (window.re2nnReviewActs ??= new Map());  // by review, for as long as the page is open
const BLANK = /[^\p{L}\p{N}'’-]+/u;

class ReviewDrawing extends Difference {
  constructor(root, most) {
    super(root);
    this.most = most;
    // There is little room beside the titles of the drawings.
    for (const [what, title] of [["fit", "Fit"], ["stack", "Stack"]]) {
      const button = root.querySelector(`[data-do=${what}]`);
      button.title = button.textContent;
      button.textContent = title;
    }
  }
  // The changes of the queue are other ones than those of a drawing.
  noun() { return "difference"; }
  counted() { return ""; }
  find(at) {
    super.find(at);
    const next = this.root.querySelector("[data-do=next]");
    next.textContent = "Next difference";
    next.title = "In the drawing";
  }
  // The words on the transitions are what is reviewed: a large drawing shows a part of itself before they get too small.
  readable() { return 0.55; }
  part() { return 0.8; }
  // A part of what is too large begins at the start.
  tooLarge() { this.found.textContent = "Shown from the start"; }
  heights() {
    return { lowest: 70, highest: Math.max(70, this.room(this.columns() === 1 && !this.alone ? 2 : 1)) };
  }
  // What is left for each of so many panes below one another, without their titles.
  room(panes) {
    return (this.most() - 26 * panes - 4) / panes;
  }
  // Whether both drawings are larger below one another than side by side.
  largerStacked() {
    const across = this.panes.clientWidth / (this.data.width + 2 * MARGIN), high = this.data.height + 2 * MARGIN;
    const [stacked, beside] = [[across, 2], [across / 2, 1]].map(([wide, panes]) => Math.min(wide, this.room(panes) / high, 1));
    return stacked > beside && this.room(2) >= 76;
  }
  columns() { return this.alone ? 1 : super.columns(); }
  draw() {
    super.draw();
    if (this.alone) this.panes.firstElementChild.remove();
    this.panes.classList.toggle("stacked", this.alone || this.largerStacked());
    const stack = this.root.querySelector("[data-do=stack]");
    stack.hidden = this.alone;
    stack.setAttribute("aria-pressed", String(this.panes.classList.contains("stacked")));
    this.size();
  }
  choose(number) {
    if (this.panes.querySelector("svg.moving")) return;
    this.chosen = number;
    this.mark();
    this.picked?.(this.data.arcs[number].words);
  }
}

class Review {
  constructor(root, drawing) {
    this.root = root;
    this.template = drawing;
    this.find = (selector) => root.querySelector(selector);
    this.list = this.find("nav ol");
    this.drawings = new Map();
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("li");
      if (row) this.turnTo(row.dataset.rule);
    });
    this.find(".all").addEventListener("change", () => this.queue());
    this.find("[data-tab=rule]").setAttribute("aria-pressed", "true");
    root.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-act], [data-form], [data-tab], [data-drop], [data-pattern], [data-refused], [data-go]");
      const { act, form, tab, drop, pattern, refused, go } = pressed?.dataset ?? {};
      if (this.cards.has(go)) this.turnTo(go);
      if (act && !this.again(act)) this.act(act);
      if (form) this.see(form === "learned");
      if (tab) this.turn(tab);
      if (drop || pattern || refused) {
        this.find(".remark").textContent = "Measuring without it …";
        this.dropped = { rule: this.rule, verdict: this.cards.get(this.rule)?.verdict };
        const what = drop ? { words: JSON.parse(drop) } : refused ? { refused: JSON.parse(refused) } : { pattern };
        // A pattern is dropped from the form that is shown.
        const card = this.cards.get(this.rule), recommended = pattern && card?.state !== "edited" ? card?.better?.text : "";
        this.send({ kind: "drop", rule: this.rule, ...what, ...(recommended ? { recommended } : {}) });
      }
    });
    const form = this.find(".editing"), field = form.querySelector("textarea");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.editing(false);
      if (field.value.trim() === this.cards.get(this.rule).text) return;
      this.learned = false;
      this.edit = field.value;
      this.find(".remark").textContent = "Measuring the edit …";
      this.send({ kind: "edited", rule: this.rule, text: field.value });
    });
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.editing(false);
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    for (const part of [this.find(".rule"), this.find(".evidence")]) {
      part.addEventListener("pointerover", (event) => this.light(wordsAt(event.target)));
      part.addEventListener("pointerleave", () => this.light([]));
    }
    this.find(".drawing").addEventListener("pointerover", (event) => this.light(this.wordsOfArc(event.target)));
    this.find(".drawing").addEventListener("pointerleave", () => this.light([]));
    this.heard = (event) => this.key(event);
    document.addEventListener("keydown", this.heard, true);  // before the keys of the application itself
    new ResizeObserver(() => this.place()).observe(root);
  }

  update(component) {
    this.component = component;
    const first = !this.data;
    this.data = component.data;
    this.sendAgain(first);
    const before = this.cards?.get(this.rule);
    this.cards = new Map(this.data.cards.map((card) => [card.rule, card]));
    // Another view was open in between: the review goes on where it was left.
    if (!this.rule && this.cards.has(this.data.at)) {
      this.rule = this.data.at;
      this.went = String(this.data.go);  // it was there before
    }
    const was = this.rule;
    if (this.data.go && String(this.data.go) !== this.went) {
      this.went = String(this.data.go);
      if (this.cards.has(this.data.go[0]) && this.stepping !== "left") this.rule = this.data.go[0];
      this.stepping = "";
    }
    const left = before && !before.closed && this.cards.get(this.rule)?.closed;  // it has just been saved
    if (left || !this.cards.has(this.rule)) this.rule = (this.data.cards.find((card) => card.state === "open") ?? this.data.cards[0])?.rule;
    if (was && was !== this.rule) this.rests();
    this.find(".keys").textContent = this.data.keys;
    this.root.classList.toggle("reading", Boolean(this.data.reading));
    this.queue();
    this.place();
    this.show();
    const refused = this.data.refused?.[this.rule];
    if (refused && refused === this.edit) {  // to go on with what could not be read
      this.editing(true, refused);
      this.edit = null;
    }
    // What stands around may still be on its way.
    clearTimeout(this.placing);
    this.placing = setTimeout(() => { this.place(); this.placing = setTimeout(() => this.place(), 1600); }, 400);
  }

  // The review takes what is left of the window between what is above and what is below it.
  place() {
    const own = this.root.getBoundingClientRect();
    const top = own.top + (document.querySelector("[data-testid=stMain]")?.scrollTop || 0);
    const block = this.root.getRootNode().host?.closest("[data-testid=stVerticalBlock]") ?? this.root;
    const below = Math.min(BELOW, Math.max(0, block.getBoundingClientRect().bottom - own.bottom));
    this.root.style.setProperty("--around", `${Math.round(top + below) + 12}px`);
  }

  shown() {
    const all = this.find(".all").checked;
    return this.data.cards.filter((card) => all || !card.closed || card.rule === this.rule);
  }

  queue() {
    const cards = this.shown(), hidden = this.data.cards.length - cards.length;
    const open = this.data.cards.filter((card) => card.state === "open").length;
    this.find(".count").textContent = this.data.reading ? `${this.data.cards.length} change${this.data.cards.length === 1 ? "" : "s"}` : `${open} of ${this.data.cards.length} open`;
    this.find(".on").textContent = this.data.measured;
    this.find(".by").textContent = this.data.reading || !this.data.held ? "" : "gain most first";
    this.find(".all").parentElement.hidden = !hidden && !this.find(".all").checked;
    this.list.replaceChildren(...cards.map((card) => this.row(card)));
    this.select();
  }

  row(card) {
    const row = document.createElement("li");
    row.dataset.rule = card.rule;
    row.setAttribute("role", "option");
    row.classList.toggle("closed", card.closed);
    const fresh = card.fresh ? [["fresh", "new"]] : [];
    const state = this.standing(card);
    const lines = [[["who", card.rule], ...fresh, ["of", ""]], [[`is ${state.replaceAll(" ", "-")}`, ""], ["net", ""]]];
    row.append(...lines.map((parts) => {
      const line = html("div");
      line.append(...parts.map(([name, text]) => {
        const part = html("span", text);
        part.className = name;
        return part;
      }));
      return line;
    }));
    const [won, lost] = card.effect, net = row.querySelector(".net"), is = row.querySelector(".is");
    row.querySelector(".of").innerHTML = card.chips;
    if (card.words) {
      const words = html("div", card.words);
      words.className = "words";
      row.firstElementChild.after(words);
    }
    // What was decided stands where the advice stood.
    const open = card.state === "open" || this.data.reading;
    is.textContent = open ? card.verdict || card.state : state === "edited" ? "Edited, accepted" : capital(state);
    if (open && card.tone) is.classList.add(`re2-${card.tone}`);
    if (!this.data.held) return row;
    net.textContent = `${won} fixed, ${lost} broken`;
    net.title = `of ${this.data.held}${this.data.counts}`;
    const { fixed, broken, texts } = card.elsewhere;
    if (fixed || broken) {
      const beyond = html("div", `elsewhere ${fixed} fixed${broken ? ",\u00a0" : ""}`), lost = html("span", `${broken} broken`);
      beyond.className = "beyond";
      lost.className = "re2-down";
      if (broken) beyond.append(lost);
      beyond.title = texts;
      row.append(beyond);
    }
    return row;
  }

  select() {
    for (const row of this.list.children) {
      const own = row.dataset.rule === this.rule;
      row.setAttribute("aria-selected", String(own));
      if (own) row.scrollIntoView({ block: "nearest" });
    }
  }

  // Somebody who turns to another change while a step back is on its way stays there.
  turnTo(rule) {
    if (this.stepping) this.stepping = "left";
    this.choose(rule);
  }

  choose(rule) {
    if (!rule || rule === this.rule) return;
    this.rule = rule;
    this.learned = false;
    this.editing(false);
    this.queue();
    this.show();
    this.find(".change").scrollTop = 0;
    this.rests();
  }

  // The address and the other views of the page follow when the reviewer rests on a change.
  rests() {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.follow(), 500);
  }

  // A run of the page that the next one cuts off may leave it in pieces that the browser cannot put together: to follow
  // can wait for the run before.
  follow() {
    const now = performance.now(), runs = document.querySelector("[data-test-script-state]:not([data-test-script-state=notRunning])");
    if ((runs || now - this.sent < BEGINS) && this.root.isConnected) this.rest = setTimeout(() => this.follow(), 60);
    else this.component.setStateValue("chosen", this.rule);
  }

  // An edited change as it is, or as it was learned.
  see(learned) {
    this.learned = learned;
    this.show();
  }

  // In a small window the rule and its drawing have the place one at a time.
  turn(tab) {
    this.root.classList.toggle("drawn", tab === "drawing");
    for (const button of this.root.querySelectorAll("[data-tab]")) button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
    this.find(".drawing").dataset.stamp = "";
    this.show();
  }

  // An edited change is accepted as it was edited; as it was learned it can be accepted instead.
  keepsEdit(card) {
    return card.state === "edited" && !this.learned;
  }

  // A change that was accepted without what is not recommended of it is accepted; nobody edited it.
  standing(card) {
    return card.state === "edited" && card.leaner ? "accepted" : card.state;
  }

  show() {
    const decided = this.cards.get(this.rule);
    this.root.classList.toggle("empty", !decided);
    if (!decided) return;
    const learned = Boolean(this.learned && decided.former);
    const { summary, html, evidence, drawing, refusal } = learned ? decided.former : decided;
    const card = { ...decided, summary, html, evidence, drawing, refusal };
    this.find(".forms").hidden = !decided.former;
    this.find("[data-form=edited]").textContent = decided.form;
    for (const button of this.root.querySelectorAll("[data-form]")) button.setAttribute("aria-pressed", String(learned === (button.dataset.form === "learned")));
    this.root.classList.toggle("taken", ["accepted", "edited"].includes(card.state));
    this.root.classList.toggle("settled", learned || card.closed || Boolean(this.data.whyNot));
    this.find(".name").replaceChildren(ruleLink(card.rule));
    this.find(".chips").innerHTML = card.chips;
    this.find(".state").textContent = card.by || (card.state === "open" ? "" : card.state);
    if (this.brief !== card.summary) this.retell(card);
    this.find(".remark").innerHTML = this.data.said?.[card.rule] ?? card.note;
    if (!this.find(".remark").textContent) this.find(".remark").textContent = this.turned(card);
    if (this.drawn !== card.html) this.find(".rule").innerHTML = this.drawn = card.html;
    if (this.told !== card.evidence) {
      this.find(".evidence").innerHTML = this.told = card.evidence;
      this.find("aside").scrollTop = 0;
    }
    for (const [act, state] of [["accept", "accepted"], ["reject", "rejected"], ["edit", "edited"]]) {
      const button = this.find(`[data-act=${act}]`);
      const shown = learned && card.leaner ? "" : learned ? card.state : this.standing(card);
      const on = shown === state || (act === "accept" && this.keepsEdit(card));
      button.classList.toggle("on", on);
      button.setAttribute("aria-pressed", String(on));
      button.disabled = card.closed || !!this.data.whyNot;
      if (this.data.whyNot) button.title = this.data.whyNot;
    }
    for (const [act, title, key] of [["undo", "Undo", "key U"], ["redo", "Redo", "Shift and U"]]) {
      const button = this.find(`[data-act=${act}]`), what = this.data[act];
      button.hidden = !what;
      button.textContent = act === "undo" ? `${title}: ${what}` : title;
      button.title = `${title}: ${what} (${key})`;
    }
    this.draw(card);
    this.legend(card);
    if (this.lit?.rule === this.rule) this.light(this.lit.words);  // drawn anew under the pointer
  }

  // The lists that somebody has opened stay open where a word of the change was dropped.
  retell(card) {
    const lists = () => [...this.find(".summary").querySelectorAll("details")];
    const open = this.briefOf === card.rule ? lists().map((list) => list.open) : [];
    this.find(".summary").innerHTML = this.brief = card.summary;
    this.briefOf = card.rule;
    lists().forEach((list, place) => { list.open = open[place] ?? false; });
  }

  // Other advice than before something was dropped.
  turned(card) {
    const { rule, verdict } = this.dropped ?? {};
    if (rule !== card.rule || card.state !== "edited" || !verdict || !card.verdict || verdict === card.verdict) return "";
    return `Without it: ${card.verdict} (before: ${verdict}).`;
  }

  // What the marks mean that this change is drawn with, and no others.
  legend(card) {
    const key = card.drawing ? this.find(".drawing .key").cloneNode(true) : html("span");
    for (const note of key.querySelectorAll(".note")) note.remove();
    for (const entry of key.children) entry.lastChild.data = entry.lastChild.data.split(/[:,]/)[0];
    this.find(".foot .key").replaceChildren(...key.childNodes);
    const text = this.find(".rule").textContent.split(/\s+/);
    const drawn = ([needle]) => (needle.startsWith(".") ? this.find(needle) : text.some((token) => token.includes(needle)));
    this.find(".legend").textContent = this.data.legend.filter(drawn).map(([, meaning]) => meaning).join(", ");
  }

  draw(card) {
    const place = this.find(".drawing"), key = card.drawing?.stamp ?? "";
    if (place.dataset.stamp === `${card.rule} ${key}`) return;
    place.dataset.stamp = `${card.rule} ${key}`;
    if (!card.drawing) {
      const told = html("div", card.refusal);
      told.className = "refusal";
      place.replaceChildren(told);
      return;
    }
    const holder = document.createElement("div");
    holder.innerHTML = this.template;
    place.replaceChildren(holder.firstElementChild);
    this.picture = new ReviewDrawing(place.firstElementChild, () => {
      const change = this.find(".change"), box = change.getBoundingClientRect(), at = place.getBoundingClientRect();
      return Math.max(180, box.bottom - at.top + change.scrollTop - 14);
    });
    this.picture.alone = card.fresh;
    this.picture.picked = (words) => this.light(words);
    this.picture.update({ data: card.drawing, setStateValue() {} });
  }

  // The second click of a double click is not meant for the change that the first one led to.
  again(kind) {
    const now = performance.now(), soon = now - (this.decided ?? -DOUBLE) < DOUBLE;
    if (["accept", "reject"].includes(kind) && !soon) this.decided = now;
    return soon;
  }

  // What is accepted of a change is the form that is shown.
  act(kind) {
    const card = this.cards.get(this.rule);
    if (kind === "leave") this.editing(false);
    else if (kind === "undo" || kind === "redo") { if (this.data[kind]) this.send({ kind }); }
    else if (!card || card.closed || this.data.whyNot || this.data.reading) return;
    else if (kind === "edit") this.editing(true);
    else {
      const state = kind === "accept" ? "accepted" : "rejected";
      const back = card.state === state || (kind === "accept" && this.keepsEdit(card));
      const fewer = kind === "accept" && !back && !this.learned ? card.better : null;
      const next = back ? "open" : fewer ? "edited" : state;
      card.state = next;
      card.leaner = Boolean(fewer);
      card.by = "";
      this.send({ kind: next, rule: this.rule, ...fewer });
      if (next !== "open") this.walk(1, true);
      else { this.queue(); this.show(); }
    }
  }

  // To the next change; with `open` to the next that waits for a decision, and nowhere where none does.
  walk(by, open = false) {
    const cards = this.shown(), at = cards.findIndex((card) => card.rule === this.rule);
    if (!open) return this.turnTo(cards[Math.min(cards.length - 1, Math.max(0, at + by))]?.rule);
    const order = [...cards.slice(at + 1), ...cards.slice(0, at)];
    const next = order.find((card) => card.state === "open");
    if (next) this.choose(next.rule);
    else { this.queue(); this.show(); }
  }

  editing(on, text = this.cards.get(this.rule).text) {
    const form = this.find(".editing"), field = form.querySelector("textarea");
    form.hidden = !on;
    if (!on) return;
    field.value = text;
    field.focus();
  }

  // The last acts together, each with a number: where somebody turns to another part of the page at once, or decides
  // again, the run that heard of an act may be cut off before it began, and the next one hears of it still.
  send(act) {
    this.stepping = ["undo", "redo"].includes(act.kind) ? act.kind : this.stepping;
    this.sent = performance.now();
    this.count = Math.max((this.count ?? 0) + 1, Date.now());
    const numbered = { ...act, number: this.count };
    this.acts = [...(this.acts ?? []), numbered].slice(-KEPT_ACTS);
    unheardActs.set(this.data.stamp, [...(unheardActs.get(this.data.stamp) ?? []), numbered]);
    this.component.setStateValue("acts", this.acts);
  }

  // A view that was opened at the same moment takes this one away, and the server may not hear what was sent last: the
  // review that comes next sends it again, `again` because the same value would be no news. What was heard once is
  // forgotten here, so that a server that has begun anew does not hear it twice.
  sendAgain(first) {
    const unheard = (unheardActs.get(this.data.stamp) ?? []).filter((act) => act.number > this.data.heard);
    unheardActs.set(this.data.stamp, unheard);
    if (!first || !unheard.length) return;
    this.count = unheard.at(-1).number;
    this.acts = unheard.map((act) => ({ ...act, again: this.count }));
    this.component.setStateValue("acts", this.acts);
  }

  key(event) {
    if (!this.root.isConnected) return document.removeEventListener("keydown", this.heard, true);
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
    const steps = { j: 1, k: -1 }, moves = { ArrowDown: 1, ArrowUp: -1 }, acts = { a: "accept", r: "reject", e: "edit", u: event.shiftKey ? "redo" : "undo" };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const inside = this.root.getRootNode().activeElement?.closest?.("svg, .difference");
    if (steps[key]) this.walk(steps[key]);
    else if (moves[key] && !inside && this.hasFocus()) this.walk(moves[key]);
    else if (acts[key] && !inside) this.act(acts[key]);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  hasFocus() {
    const active = this.root.getRootNode().activeElement;
    return Boolean(active && this.root.contains(active));
  }

  // The transitions and the texts of some words.
  light(words) {
    this.lit = { rule: this.rule, words };
    const wanted = new Set(words.map((word) => word.toLowerCase()));
    const some = wanted.size > 0;
    if (this.picture) {
      const arcs = this.picture.data.arcs;
      for (const part of this.find(".drawing").querySelectorAll(".arc, .words")) {
        part.classList.toggle("lit", some && arcs[Number(part.dataset.arc)].words.some((word) => wanted.has(word)));
      }
    }
    for (const text of this.find(".evidence").querySelectorAll(".re2-text")) {
      text.classList.toggle("lit", some && wanted.size < 60 && text.textContent.toLowerCase().split(BLANK).some((word) => wanted.has(word)));
    }
  }

  wordsOfArc(element) {
    const arc = element.closest?.("[data-arc]");
    return arc && this.picture ? this.picture.data.arcs[Number(arc.dataset.arc)].words : [];
  }
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function typing(event) {
  const target = event.composedPath()[0];
  if (target instanceof HTMLInputElement && ["checkbox", "radio", "button"].includes(target.type)) return false;
  return target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
}

// The words that a pointer is on: of a mark in a rule or in a text.
function wordsAt(element) {
  const mark = element.closest?.(".re2-new, .re2-gone, .re2-hit, .re2-span");
  return mark ? mark.textContent.split(/[\s|()]+/).filter(Boolean) : [];
}

const reviews = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".review");
  if (!reviews.has(root)) reviews.set(root, new Review(root, component.data.template));
  reviews.get(root).update(component);
}
