// The marks of one text: [{first, behind, slot}], in numbers of words, in order, none over another. Nothing here draws,
// and nothing changes a list: every function gives a new one.

function marksOf(triples) {
  return triples.map(([first, behind, slot]) => ({ first, behind, slot }));
}

function triplesOf(marks) {
  return marks.map(({ first, behind, slot }) => [first, behind, slot]);
}

function sameMarks(left, right) {
  return JSON.stringify(triplesOf(left)) === JSON.stringify(triplesOf(right));
}

// The first word of the first mark that only one of two lists has.
function firstDifference(left, right) {
  const alike = (one, other) => one.first === other.first && one.behind === other.behind && one.slot === other.slot;
  const missing = (marks, others) => marks.filter((mark) => !others.some((other) => alike(mark, other)));
  const alone = [...missing(left, right), ...missing(right, left)];
  return alone.length ? Math.min(...alone.map((mark) => mark.first)) : 0;
}

function markAt(marks, word) {
  return marks.findIndex((mark) => mark.first <= word && word < mark.behind);
}

function touching(marks, first, behind) {
  return marks.filter((mark) => mark.first < behind && first < mark.behind);
}

// What is left of the marks where the words [first, behind) belong to none of them.
function cutOut(marks, first, behind) {
  return marks.flatMap((mark) => {
    if (mark.behind <= first || behind <= mark.first) return [mark];
    return [
      { ...mark, behind: Math.min(mark.behind, first) },
      { ...mark, first: Math.max(mark.first, behind) },
    ].filter((part) => part.first < part.behind);
  });
}

// A new mark takes its words away from the marks that had them.
function withMark(marks, first, behind, slot) {
  return [...cutOut(marks, first, behind), { first, behind, slot }].sort((left, right) => left.first - right.first);
}

function withoutMarks(marks, first, behind) {
  return marks.filter((mark) => mark.behind <= first || behind <= mark.first);
}

// One border of a mark put to another place between words; at least one word stays inside.
function withBorder(marks, index, side, place, words) {
  const { first, behind, slot } = marks[index];
  const others = marks.filter((_, number) => number !== index);
  if (side === "start") return withMark(others, Math.max(0, Math.min(place, behind - 1)), behind, slot);
  return withMark(others, first, Math.min(words, Math.max(place, first + 1)), slot);
}

// Every other place of the same words gets the same slot, unless some of it is marked already.
function markedAlike(marks, words, first, behind) {
  const slot = marks[markAt(marks, first)].slot;
  const phrase = words.slice(first, behind);
  let found = marks;
  for (let start = 0; start + phrase.length <= words.length; start += 1) {
    const same = phrase.every((word, offset) => words[start + offset] === word);
    if (same && touching(found, start, start + phrase.length).length === 0) {
      found = withMark(found, start, start + phrase.length, slot);
    }
  }
  return found;
}
