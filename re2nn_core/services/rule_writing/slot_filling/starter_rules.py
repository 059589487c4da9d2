"""First rules for a new project with slots, from what fills them in its texts: something to change, not a blank page.

What nearly always fills one slot wherever it stands gets a rule without context. What fills several slots, as cities
do, gets rules with the words that stand before it where it fills this one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from re2nn_core.rules.leaves import SLOT
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import Node, Number, Word, choice, concat
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.function_words import is_function_word
from re2nn_core.text.kinds import is_number
from re2nn_core.text.spans import tags_of, token_spans
from re2nn_core.text.tokenization import Tokenization, tokenize

LEAST_SHARE = 0.8  # of the places where words stand that fill the slot
MOST_FILLERS = 30
MOST_BEFORE = 6
MOST_WORDS = 5
LEAST_TIMES = 2  # of a filler of a slot that has more than FEW spans, and of a word before it
FEW = 12
NUMBER = "\0"  # stands for any number; no word of a text can be this

HEAD = """\
// A rule matches the WHOLE text, so most begin and end with $* (any words, or none).
// [ words ]<slot>   makes the words it matches a span of the slot; everything around the brackets is only context.
//     $  any one word      %  a number      &  a punctuation sign      *  +  ?  {1,3}  how often
//     ( a | b )  either    BOS  EOS  the two ends of the text           @name@=( ... )  a word class
"""
TO_WRITE_OVER = """
// {why}
@my_words@=( yourword | anotherword )
my_rule := $* [ @my_words@ ]<{slot}> $*
"""
SUGGESTED = "suggested from the texts"  # stands in a comment above each of these rules
Phrase = tuple[str, ...]


@dataclass
class _Slot:
    """What fills a slot, and each word that stands before it with what it stands before."""

    fillers: Counter[Phrase] = field(default_factory=Counter)
    before: dict[str, Counter[Phrase]] = field(default_factory=lambda: defaultdict(Counter))


def suggested_slots_in(rules_text: str) -> tuple[str, ...]:
    """The slots for which `slot_starter_rules` suggested rules."""
    return tuple(re.findall(rf"^// (.+): {SUGGESTED};", rules_text, re.MULTILINE))


def slot_starter_rules(corpus: Corpus, tokenization: Tokenization, *, suggest: bool = True) -> str:
    """Rules text with a word class and a rule or two for each slot, the most frequent slot first.

    Texts of the splits dev and test are not looked at, so that they can still judge the rules.
    """
    if not suggest:
        return HEAD + _to_write_over(corpus)
    examples = [e for e in corpus if e.spans is not None and e.split in (None, "train")]
    slots: dict[str, _Slot] = defaultdict(_Slot)
    sentences = []
    for example in examples:
        tokens = tokenize(example.text, tokenization)
        words = tuple(NUMBER if is_number(token.text) else token.text for token in tokens)
        sentences.append(words)
        for span in token_spans(tags_of(example.spans or (), tokens, example.text)):
            phrase = words[span.start : span.end]
            slots[span.slot].fillers[phrase] += 1
            if span.start:
                slots[span.slot].before[words[span.start - 1]][phrase] += 1
    if not slots:
        return HEAD + _to_write_over(corpus)
    places = _Places(sentences, {len(phrase) for slot in slots.values() for phrase in slot.fillers})
    ordered = sorted(slots, key=lambda name: (-slots[name].fillers.total(), name))
    taken: set[str] = set()
    sections = [_section(name, slots[name], places, taken) for name in ordered]
    # A rule system without any rule that marks something could not be read.
    end = "" if any("]<" in section for section in sections) else _to_write_over(corpus)
    return HEAD + "".join(sections) + end


def _to_write_over(corpus: Corpus) -> str:
    """A rule that no text meets, for the first slot, so that nobody is offered a slot that the texts do not have."""
    slot = next((name for name in corpus.slots if SLOT.fullmatch(name)), "my_slot")
    why = "Use words of your texts:"
    if not corpus.slots:
        why = "No text is annotated yet. Name your own slots, and use words of your texts:"
    return TO_WRITE_OVER.format(why=why, slot=slot)


class _Places:
    """How often phrases stand anywhere, by themselves and behind a word."""

    def __init__(self, sentences: Sequence[Phrase], lengths: set[int]) -> None:
        self.anywhere: Counter[Phrase] = Counter()
        self.behind: Counter[tuple[str, Phrase]] = Counter()
        for words in sentences:
            for start, phrase in _phrases(words, lengths):
                self.anywhere[phrase] += 1
                if start:
                    self.behind[words[start - 1], phrase] += 1


def _phrases(words: Phrase, lengths: set[int]) -> Iterator[tuple[int, Phrase]]:
    for length in lengths:
        if length <= MOST_WORDS:
            for start in range(len(words) - length + 1):
                yield start, words[start : start + length]


def _section(name: str, slot: _Slot, places: _Places, taken: set[str]) -> str:
    if not SLOT.fullmatch(name):
        return f"\n// {_in_comment(name)}: a rule cannot name this slot, as its name has other signs than . _ - / : '\n"
    least = 1 if slot.fillers.total() <= FEW else LEAST_TIMES
    known = [phrase for phrase, times in slot.fillers.items() if times >= least and len(phrase) <= MOST_WORDS]
    known = sorted(known, key=lambda phrase: (-slot.fillers[phrase], phrase))[:MOST_FILLERS]
    known = [phrase for phrase in known if not (len(phrase) == 1 and is_function_word(phrase[0]))]
    sure = [phrase for phrase in known if slot.fillers[phrase] >= LEAST_SHARE * places.anywhere[phrase]]
    unsure = [phrase for phrase in known if phrase not in sure]
    before = _telling_before(slot, known, places)
    if len(unsure) > len(sure) and _marked_behind(slot, known, before) > sum(slot.fillers[phrase] for phrase in sure):
        # Most of what fills it fills others as well; that the rest does not is chance.
        sure, unsure = [], known
    else:
        before = _telling_before(slot, unsure, places)
    rules = []
    if sure:
        rules.append(_rule(_free(name, taken), name, sure))
    if before:
        rules.append(_rule(_free(f"{name}_behind" if sure else name, taken), name, unsure, before))
    if not rules:
        return f"\n// {name}\n// $* [ ... ]<{name}> $*     // nothing fills this slot again and again\n"
    return f"\n// {name}: {SUGGESTED}; make it your own\n" + "".join(rules)


def _telling_before(slot: _Slot, phrases: Sequence[Phrase], places: _Places) -> list[str]:
    """The words behind which these phrases nearly always fill the slot."""
    wanted = frozenset(phrases)
    right = {word: sum(times for p, times in found.items() if p in wanted) for word, found in slot.before.items()}
    good = [
        word
        for word, times in right.items()
        if times >= LEAST_TIMES and times >= LEAST_SHARE * sum(places.behind[word, phrase] for phrase in wanted)
    ]
    return sorted(good, key=lambda word: (-right[word], word))[:MOST_BEFORE]


def _marked_behind(slot: _Slot, phrases: Sequence[Phrase], before: Sequence[str]) -> int:
    """How many spans of the slot a rule marks that knows these phrases behind these words."""
    return sum(slot.before[word][phrase] for word in before for phrase in phrases)


def _rule(name: str, slot: str, phrases: Sequence[Phrase], before: Sequence[str] = ()) -> str:
    """A word class of the phrases, and the rule that marks them, behind one of the words before."""
    either = _either([(word,) for word in before])
    context = f"( {either} ) " if len(before) > 1 else f"{either} " if before else ""
    return f"@{name}@=( {_either(phrases)} )\n{name} := $* {context}[ @{name}@ ]<{slot}> $*\n"


def _free(wanted: str, taken: set[str]) -> str:
    """A name for a class and a rule that no other has."""
    stem = re.sub(r"[^\w.\-]+", "_", wanted)
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    taken.add(name)
    return name


def _either(phrases: Sequence[Phrase]) -> str:
    if not phrases:
        return ""
    sequences: list[Node] = [concat([Number() if w == NUMBER else Word(w) for w in phrase]) for phrase in phrases]
    return print_expression(choice(sequences))


def _in_comment(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
