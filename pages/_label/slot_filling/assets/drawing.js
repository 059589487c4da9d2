// What is drawn. Texts, slots and names of people only ever enter as textContent.

function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function push(title, key, className, run, tip) {
  const button = make("button", `push ${className}`, title);
  button.type = "button";
  if (key) button.appendChild(make("kbd", "", key));
  if (tip) button.title = tip;
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the keys stay with the text
  button.addEventListener("click", run);
  return button;
}

// The words with the blanks between them, those of a mark inside it with the slot's name above.
function drawText(box, data, marks, colourOf) {
  const words = data.words.map((word, number) => {
    const element = make("span", "word", word);
    element.dataset.word = number;
    if (data.doubts[number]) {
      element.classList.add("doubt");
      element.title = data.doubts[number];
    }
    return element;
  });
  const nodes = [document.createTextNode(data.gaps[0])];
  let number = 0;
  while (number < words.length) {
    const index = markAt(marks, number);
    const behind = index < 0 ? number + 1 : marks[index].behind;
    const inside = [];
    for (let word = number; word < behind; word += 1) {
      inside.push(words[word]);
      if (word + 1 < behind) inside.push(document.createTextNode(data.gaps[word + 1]));
    }
    nodes.push(...(index < 0 ? inside : [drawMark(inside, marks[index], index, colourOf)]));
    nodes.push(document.createTextNode(data.gaps[behind]));
    number = behind;
  }
  box.replaceChildren(...nodes);
}

function drawMark(inside, mark, index, colourOf) {
  const letters = inside.reduce((sum, node) => sum + node.textContent.length, 0);
  const element = make("ruby", letters < 30 ? "mark short" : "mark");
  element.dataset.mark = index;
  element.style.setProperty("--slot", colourOf(mark.slot));
  const grips = ["start", "end"].map((side) => {
    const grip = make("i", "grip");
    grip.dataset.side = side;
    grip.title = "Drag to change the span";
    return grip;
  });
  const name = make("rt", "", mark.slot);
  const cross = make("button", "x", "×");
  cross.type = "button";
  cross.tabIndex = -1;
  cross.setAttribute("aria-label", `Remove ${mark.slot}`);
  name.appendChild(cross);
  element.append(grips[0], ...inside, grips[1], name);
  return element;
}

// What somebody else says: marks that are not among those of the text stand out.
function drawOpinion(opinion, data, marks, colourOf, take) {
  const same = sameMarks(marksOf(opinion.marks), marks);
  const row = make("div", "opinion");
  row.appendChild(make("span", "who", opinion.who));
  for (const [first, behind, slot] of opinion.marks) {
    const mark = marks[markAt(marks, first)];
    const known = mark && mark.first === first && mark.behind === behind && mark.slot === slot;
    const chip = make("span", known ? "chip same" : "chip");
    chip.style.setProperty("--slot", colourOf(slot));
    chip.append(make("b", "", slot), document.createTextNode(wordsOf(data, first, behind)));
    row.appendChild(chip);
  }
  if (opinion.marks.length === 0) row.appendChild(make("span", "quiet", "nothing"));
  row.appendChild(same ? make("span", "quiet", "✓ same") : take);
  return row;
}

// A text that would be saved: a box to tick, the text with all its marks, the new ones framed.
function drawProposal(proposal, colourOf, tick) {
  const row = make("label", "proposal"), box = make("input", ""), text = make("span", "proposed");
  row.addEventListener("mousedown", (event) => event.preventDefault()); // the keys stay with the text
  box.type = "checkbox";
  box.checked = true;
  box.addEventListener("change", () => tick(box.checked));
  const marks = marksOf(proposal.marks);
  drawText(text, proposal, marks, colourOf);
  for (const element of text.querySelectorAll(".mark")) {
    const mark = marks[Number(element.dataset.mark)];
    element.classList.toggle("chosen", proposal.new.some(([first]) => first === mark.first));
    for (const part of element.querySelectorAll(".grip, .x")) part.remove();
  }
  row.append(box, text, make("span", "quiet", proposal.where));
  return row;
}

// Words as they stand in the text, blanks and all.
function wordsOf(data, first, behind) {
  return data.words.slice(first, behind).map((word, at) => (at ? data.gaps[first + at] : "") + word).join("");
}

// Where the words stand in the window; a word that goes on in the next line has two frames.
function framesOf(box) {
  return [...box.querySelectorAll(".word")].flatMap((element) =>
    [...element.getClientRects()].map((frame) => ({ word: Number(element.dataset.word), frame })));
}

// The word at a point; beside and between words the nearest one, the same line first.
function wordNear(frames, x, y) {
  let best = -1, least = Infinity;
  for (const { word, frame } of frames) {
    const down = Math.max(frame.top - y, y - frame.bottom, 0), aside = Math.max(frame.left - x, x - frame.right, 0);
    if (down * 50 + aside < least) {
      least = down * 50 + aside;
      best = word;
    }
  }
  return best;
}

// The word above or below another one, at about the same place of its line.
function wordOnLine(box, from, down) {
  const frames = [...box.querySelectorAll(".word")].map((element) => element.getBoundingClientRect());
  const here = frames[from], middle = (here.left + here.right) / 2;
  const beyond = (frame) => (down ? frame.top >= here.bottom : frame.bottom <= here.top);
  const tops = frames.filter(beyond).map((frame) => frame.top);
  if (tops.length === 0) return from;
  const line = down ? Math.min(...tops) : Math.max(...tops);
  const numbered = frames.map((frame, number) => ({ frame, number }));
  const onLine = numbered.filter(({ frame }) => beyond(frame) && Math.abs(frame.top - line) < here.height / 2);
  const away = ({ frame }) => Math.abs((frame.left + frame.right) / 2 - middle);
  return onLine.reduce((near, one) => (away(one) < away(near) ? one : near)).number;
}
