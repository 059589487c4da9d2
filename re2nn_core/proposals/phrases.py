"""Short phrases of texts: what a new rule may look for.

    a, a b, a b c, a b c d      words in a row, anywhere in the text or at its beginning (BOS a b)
    a $ b                       two words with one between them
    h $* b, h a $* b            a word that many texts begin with, perhaps the word behind it, and one that follows
                                anywhere later
    re"..."                     a word of some shape, such as a long number (word_shapes.py)

Which texts hold which phrase is kept in both directions, so that a change of one text costs only its own phrases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.word_shapes import SHAPE, every_shape, pattern_of
from re2nn_core.rules.tree import Any, Node, Punctuation, Repeat, SentenceEnd, SentenceStart, Word, WordPattern, concat

START, ONE, SOME, END = "\x02", "\x01", "\x00", "\x03"  # no word holds these: the two ends of a text, `$` and `$*`
LONGEST = 4
HEAD_SHARE = 0.005  # a word that begins at least this share of the texts may stand before a gap
Phrase = tuple[str, ...]
Integers = NDArray[np.int64]
_NODES: dict[str, Node] = {
    START: SentenceStart(),
    ONE: Any(),
    SOME: Repeat(Any(), 0, None),
    END: concat([Repeat(Punctuation(), 0, None), SentenceEnd()]),
}


@dataclass(frozen=True, eq=False)
class Phrases:
    """Phrases and the texts that hold them. Those of a phrase are `texts[begins[p] : begins[p + 1]]`; the phrases of a
    text are `phrases[text_begins[t] : text_begins[t + 1]]`."""

    all: tuple[Phrase, ...]
    begins: Integers
    texts: Integers
    text_begins: Integers
    phrases: Integers

    def texts_of(self, phrase: int) -> Integers:
        """The texts that hold a phrase, by their places. [texts]."""
        return self.texts[self.begins[phrase] : self.begins[phrase + 1]]


def phrase_node(phrase: Phrase) -> Node:
    """A phrase as an expression; what may stand before and behind it is not part of it."""
    return concat([_NODES.get(part) or _word_node(part) for part in phrase])


def _word_node(part: str) -> Node:
    return WordPattern(pattern_of(part)) if part.startswith(SHAPE) else Word(part)


def words_of_phrase(phrase: Phrase) -> tuple[str, ...]:
    """The words of a phrase, and the names of its shapes of words."""
    return tuple(part.removeprefix(SHAPE) for part in phrase if part not in _NODES)


def without_covered(phrases: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The phrases without those whose every text holds another of them."""
    every = tuple(dict.fromkeys(phrases))
    return tuple(one for one in every if not any(_covers(other, one) for other in every if other != one))


def _covers(general: Phrase, special: Phrase) -> bool:
    """Whether every text that holds the special phrase holds the general one."""
    return any(_begins(general, special[begin:]) for begin in range(len(special)))


def _begins(general: Phrase, special: Phrase) -> bool:
    """Whether whatever a special phrase matches begins with what the general one matches."""
    if not general:
        return True
    head, rest = general[0], general[1:]
    if head == SOME:
        return any(_begins(rest, special[skipped:]) for skipped in range(len(special) + 1))
    if not special or (head != special[0] and (head != ONE or special[0] in (START, SOME, END))):
        return False
    return _begins(rest, special[1:])


def phrases_of(sentence: Sequence[str], heads: frozenset[str]) -> set[Phrase]:
    """Every phrase that a sentence holds."""
    words = (START, *sentence)
    found: set[Phrase] = set()
    for begin in range(len(words)):
        row = (words[begin : begin + length] for length in range(1, LONGEST + 1) if begin + length <= len(words))
        found.update(row)
    found.discard((START,))
    found.update((a, ONE, b) for a, b in zip(words, words[2:], strict=False))
    found.update(_gapped(sentence, heads))
    found.update((shape,) for shape in every_shape(sentence))
    return found


def _gapped(sentence: Sequence[str], heads: frozenset[str]) -> Iterator[Phrase]:
    """Heads and a later word: from the first place of a head on, all that follows."""
    seen: set[Phrase] = set()
    for place, word in enumerate(sentence):
        if word not in heads:
            continue
        for head in ((word,), (word, *sentence[place + 1 : place + 2])):
            if head not in seen:
                seen.add(head)
                yield from ((*head, SOME, later) for later in sentence[place + len(head) :])


def find_phrases(sentences: Sequence[Sequence[str]], *, least: int) -> Phrases:
    """The phrases that at least so many sentences hold."""
    begun = Counter(sentence[0] for sentence in sentences if sentence)
    heads = frozenset(word for word, count in begun.items() if count >= max(least, HEAD_SHARE * len(sentences)))
    held = [phrases_of(sentence, heads) for sentence in sentences]
    counts = Counter(phrase for phrases in held for phrase in phrases)
    kept = sorted((p for p, count in counts.items() if count >= least), key=lambda p: (len(p), p))
    number = {phrase: place for place, phrase in enumerate(kept)}
    rows = [sorted(number[p] for p in phrases if p in number) for phrases in held]
    by_text = np.asarray([phrase for row in rows for phrase in row], dtype=np.int64)
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    order = np.argsort(by_text, kind="stable")
    return Phrases(
        tuple(kept),
        np.concatenate([[0], np.cumsum(np.bincount(by_text, minlength=len(kept)))]),
        owner[order],
        np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64),
        by_text,
    )
