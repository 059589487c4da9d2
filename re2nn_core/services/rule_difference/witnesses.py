"""Sentences that tell two rules apart: a shortest one that only one side says, and what the other makes of it.

Of rules that mark words a sentence counts together with its tags, and one in which something is marked comes before a
shorter one in which nothing is. It is shown as rules write captures (`to [oslo]<city>`), for either side; where that
looks the same on both, as for words that one side calls O and the other says nothing about, each word carries its tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from re2nn_core.automata.inclusion import PAIR_BUDGET, shortest_escape
from re2nn_core.automata.positions import PositionAutomaton, bits
from re2nn_core.automata.tagged_inclusion import TaggedSentence, shortest_tagged_escape
from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.marked_text import write_marked
from re2nn_core.rules.tagging import WILDCARD, slot_of
from re2nn_core.text.spans import OUTSIDE, spans_of
from re2nn_core.text.tokenization import Token

NO_WORDS = "(the empty sentence)"
NOT_READ = "(does not match)"
MARKS_NOTHING = "(no span)"
MOST_TAGGINGS = 3  # of one sentence that are reported
Tags = tuple[str, ...]


class Source(Enum):
    """Where a sentence comes from."""

    TEXTS = "texts"
    LIKELY_WORDS = "likely words"
    SHORTEST = "shortest"


FROM_TEXTS = "from your texts: "


@dataclass(frozen=True)
class Witness:
    """A sentence; `tags` has the tag of each word where rules tag words (empty: the rule says nothing). `other` is what
    the other side may give the same words, at most MOST_TAGGINGS of it; none where it does not read them. `shortest` is
    a shortest such sentence, where this one is not it."""

    words: tuple[str, ...]
    tags: Tags = ()
    other: tuple[Tags, ...] = ()
    source: Source = Source.SHORTEST
    shortest: Witness | None = None

    @property
    def shortest_form(self) -> Witness:
        """A shortest sentence of this kind."""
        return self.shortest or self

    @property
    def shown(self) -> str:
        """As people read it, with where it comes from."""
        return (FROM_TEXTS if self.source is Source.TEXTS else "") + self.text

    @property
    def text(self) -> str:
        """As people read it: `to [oslo]<city>`; of rules that tag nothing the words alone."""
        return self.in_words[0] if self.tags else " ".join(self.words) or NO_WORDS

    @property
    def in_words(self) -> tuple[str, str]:
        """What the side that says it makes of the sentence, and what the other does."""
        own, others = marked(self.words, self.tags), [marked(self.words, tags) for tags in self.other]
        if own in others:
            own, others = with_tags(self.words, self.tags), [with_tags(self.words, tags) for tags in self.other]
        return own, " or ".join(dict.fromkeys(others)) or NOT_READ


def marked(words: Sequence[str], tags: Sequence[str]) -> str:
    """A sentence with its marks as rules write them."""
    if not words:
        return NO_WORDS
    text = " ".join(words)
    tokens: list[Token] = []
    for word in words:
        start = tokens[-1].end + 1 if tokens else 0
        tokens.append(Token(word, start, start + len(word)))
    spans = spans_of([tag or OUTSIDE for tag in tags] or [OUTSIDE] * len(words), tokens)
    return write_marked(text, spans) + ("" if spans else f" {MARKS_NOTHING}")


def with_tags(words: Sequence[str], tags: Sequence[str]) -> str:
    """A sentence with each tag behind its word: `to/O oslo/B-city`; a word that nothing is said about is bare."""
    return " ".join(f"{word}/{tag}" if tag else word for word, tag in zip(words, tags, strict=True)) or NO_WORDS


def both_sides(only_left: Witness | None, only_right: Witness | None) -> tuple[tuple[str, str], ...]:
    """What either side makes of the witnesses, the left one first; one line where both are the same sentence and each
    gives what the other does not."""
    left = () if only_left is None else (_sides(only_left),)
    right = () if only_right is None else (_sides(only_right)[::-1],)
    return tuple(dict.fromkeys((*left, *right)))


def _sides(witness: Witness) -> tuple[str, str]:
    first = FROM_TEXTS if witness.source is Source.TEXTS else ""
    own, other = witness.in_words
    return first + own, other if other == NOT_READ else first + other


_NO_SENTENCE = PositionTransducer(PositionAutomaton((frozenset(),), (0,), 0), (None,))


def find_witness(
    left: PositionTransducer | None, right: PositionTransducer | None, *, marking: bool, budget: int = PAIR_BUDGET
) -> Witness | None:
    """A shortest sentence that only the left says; None (a machine that says nothing) for either is allowed. `marking`:
    only sentences in which the left fills a slot count. StateBudgetError."""
    if left is None:
        return None
    other = right or _NO_SENTENCE
    if not marking and says_nothing(left) and says_nothing(other):
        words = shortest_escape(left.automaton, other.automaton, budget=budget)
        return None if words is None else Witness(words)
    found = shortest_tagged_escape(left, other, marking=marking, budget=budget)
    if found is None:
        return None
    if not any(slot_of(tag) for tag in found.tags):
        found = _marking_one(left, other, budget) or found
    others = tuple(islice(taggings(other, found.words), MOST_TAGGINGS))
    return Witness(found.words, tuple(map(_shown, found.tags)), others)


def says_nothing(machine: PositionTransducer) -> bool:
    """Whether it tags no word, as of rules for labels."""
    return all(output in (None, WILDCARD) for output in machine.outputs)


def _marking_one(left: PositionTransducer, right: PositionTransducer, budget: int) -> TaggedSentence | None:
    """A witness that shows more; what cannot be found in time is done without."""
    try:
        return shortest_tagged_escape(left, right, marking=True, budget=budget)
    except StateBudgetError:
        return None


def taggings(machine: PositionTransducer, words: Sequence[str]) -> Iterator[Tags]:
    """All that a machine may give the words of a sentence, each once, where it says most first."""
    alive = [machine.sentence_start]
    for word in words:
        alive.append(machine.step(alive[-1], word))
    useful = [0] * len(alive)
    useful[-1] = alive[-1] & machine.sentence_final
    for place in reversed(range(len(words))):
        useful[place] = machine.step_back(alive[place], useful[place + 1], words[place])[0]
    waiting: list[tuple[int, Tags]] = [(useful[0], ())] if useful[0] else []
    while waiting:
        states, given = waiting.pop()
        if len(given) == len(words):
            yield tuple(map(_shown, given))
            continue
        place = len(given)
        by_tag: dict[str, int] = {}
        for state in bits(machine.step(states, words[place]) & useful[place + 1]):
            tag = machine.outputs[state] or WILDCARD
            by_tag[tag] = by_tag.get(tag, 0) | 1 << state
        # What comes last is taken first.
        for tag in sorted(by_tag, key=lambda tag: (slot_of(tag) is not None, tag != WILDCARD, tag)):
            waiting.append((by_tag[tag], (*given, tag)))


def _shown(tag: str) -> str:
    return "" if tag == WILDCARD else tag
