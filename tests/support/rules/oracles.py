"""Slow plain twins of what the package computes quickly: by definition, by enumeration, in plain loops.

Nothing here is meant to be fast or clever; what is right about it must be plain to a reader.
"""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.symbols import ANY, END, NUMBER, PUNCTUATION, START, Complement, Symbol, reads
from re2nn_core.rules.tree import (
    Any,
    ButNot,
    Capture,
    Choice,
    Concat,
    Empty,
    Except,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    WordPattern,
)
from re2nn_core.tensors.factors import Factors

Sentence = tuple[str, ...]
Items = tuple[Symbol, ...]  # the words of a sentence, perhaps START in front and END behind


def is_number(word: str) -> bool:
    """Digits with at most one dot."""
    digits = word.replace(".", "", 1)
    return digits != "" and all(unicodedata.category(sign) == "Nd" for sign in digits)


def is_punctuation(word: str) -> bool:
    """Nothing but punctuation and symbols."""
    return word != "" and all(unicodedata.category(sign).startswith(("P", "S")) for sign in word)


def leaf_reads(leaf: Node, item: Symbol) -> bool:
    """Whether a leaf of a tree reads one item. `$`, `%` and `&` read words only, BOS and EOS none."""
    if isinstance(leaf, SentenceStart):
        return item is START
    if isinstance(leaf, SentenceEnd):
        return item is END
    if not isinstance(item, str):
        return False
    if isinstance(leaf, Word):
        return leaf.text == item
    if isinstance(leaf, Number):
        return is_number(item)
    if isinstance(leaf, Punctuation):
        return is_punctuation(item)
    if isinstance(leaf, Any):
        return True
    if isinstance(leaf, WordPattern):
        return pattern_reads(leaf.text, item)
    if isinstance(leaf, Except):
        return not any(leaf_reads(member, item) for member in leaf.members)
    raise TypeError(f"no leaf: {leaf!r}")


def pattern_reads(pattern: str, word: str) -> bool:
    """Whether a pattern holds for a word, or for the words of a class: by Python's own regular expressions, and for
    typing errors by all words that one error less makes."""
    if word.startswith("like "):
        return pattern in word.split(" ")[2:]
    if word.startswith("case "):
        word = word[len("case ") :].lower()
    sign, _, body = pattern[:-1].partition('"')
    if sign == "re":
        return re.fullmatch(body, word) is not None
    if sign == "glob":
        return fnmatch.fnmatchcase(word, body)
    return distance(body, word) <= (2 if len(body) >= 8 else 1)


def distance(one: str, other: str) -> int:
    """Characters too much, too few, wrong, or exchanged with the next one: the table of optimal string alignment."""
    table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
    for i, j in product(range(1, len(one) + 1), range(1, len(other) + 1)):
        steps = [table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one[i - 1] != other[j - 1])]
        if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
            steps.append(table[i - 2, j - 2] + 1)
        table[i, j] = min(steps)
    return table[len(one), len(other)]


def framed(sentence: Sequence[str]) -> list[Items]:
    """The sentence with or without BOS in front and EOS behind: what a rule may read it as."""
    words = tuple(sentence)
    return [(*front, *words, *behind) for front in ((), (START,)) for behind in ((), (END,))]


def accepts(tree: Node, sentence: Sequence[str]) -> bool:
    """Whether the rule accepts the sentence, by the definition of the rule language."""
    if isinstance(tree, ButNot):
        return accepts(tree.inner, sentence) and not accepts(tree.excluded, sentence)
    if isinstance(tree, Choice) and any(isinstance(option, ButNot) for option in tree.options):
        return any(accepts(option, sentence) for option in tree.options)
    return any(len(items) in ends(tree, items, 0) for items in framed(sentence))


def ends(tree: Node, items: Items, begin: int) -> frozenset[int]:
    """The places at which a match of the tree that begins at `begin` may end."""

    @cache
    def of(node: Node, place: int) -> frozenset[int]:
        if isinstance(node, Empty):
            return frozenset({place})
        if isinstance(node, Concat):
            places = frozenset({place})
            for part in node.parts:
                places = behind(part, places)
            return places
        if isinstance(node, Choice):
            return frozenset().union(*(of(option, place) for option in node.options))
        if isinstance(node, Repeat):
            return repeated(node, frozenset({place}))
        if isinstance(node, Capture | Tagged):
            return of(node.inner, place)
        if place and isinstance(node, SentenceStart | SentenceEnd) and leaf_reads(node, items[place - 1]):
            return frozenset({place})  # twice is once
        return frozenset({place + 1} if place < len(items) and leaf_reads(node, items[place]) else ())

    def behind(node: Node, places: frozenset[int]) -> frozenset[int]:
        return frozenset().union(*(of(node, place) for place in places))

    def repeated(node: Repeat, places: frozenset[int]) -> frozenset[int]:
        for _ in range(node.least):
            places = behind(node.inner, places)
        found = places
        # Every further time that matters reads an item, so as many times as there are items are enough.
        further = len(items) if node.most is None else node.most - node.least
        for _ in range(further):
            places = behind(node.inner, places)
            found |= places
        return found

    return of(tree, begin)


def all_sentences(words: Sequence[str], longest: int) -> Iterator[Sentence]:
    """Every sentence of up to `longest` of the words, shortest first."""
    for length in range(longest + 1):
        yield from product(words, repeat=length)


def language(tree: Node, words: Sequence[str], longest: int) -> frozenset[Sentence]:
    """Every sentence of up to `longest` of the words that the tree accepts: built up from its parts' languages."""
    if isinstance(tree, ButNot):
        return language(tree.inner, words, longest) - language(tree.excluded, words, longest)
    readings = _readings(tree, tuple(words), longest)
    return frozenset(tuple(item for item in items if isinstance(item, str)) for items in readings)


def _readings(node: Node, words: Sentence, longest: int) -> frozenset[Items]:
    """What the node can read, BOS and EOS among it, as far as it may be a piece of a sentence."""

    def joined(lefts: frozenset[Items], rights: frozenset[Items]) -> frozenset[Items]:
        room = {left: longest - _words_in(left) for left in lefts}
        sizes = [(right, _words_in(right)) for right in rights]
        pairs = (_in_a_row(left, right) for left in lefts for right, size in sizes if size <= room[left])
        return frozenset(filter(_may_be_a_piece, pairs))

    if isinstance(node, Empty):
        return frozenset({()})
    if isinstance(node, ButNot):
        raise TypeError("'but not' stands around a whole rule")
    if isinstance(node, Choice):
        return frozenset().union(*(_readings(option, words, longest) for option in node.options))
    if isinstance(node, Capture | Tagged):
        return _readings(node.inner, words, longest)
    if isinstance(node, Concat):
        found = frozenset[Items]({()})
        for part in node.parts:
            found = joined(found, _readings(part, words, longest))
        return found
    if isinstance(node, Repeat):
        inner = _readings(node.inner, words, longest)
        found = frozenset[Items]({()})
        for _ in range(node.least):
            found = joined(found, inner)
        added = found
        for _ in range(longest + 2 if node.most is None else node.most - node.least):
            added = joined(added, inner) - found
            found |= added
        return found
    items: tuple[Symbol, ...] = (START, END, *words)
    return frozenset((item,) for item in items if leaf_reads(node, item))


def _in_a_row(left: Items, right: Items) -> Items:
    """One behind the other; BOS twice is once, and so is EOS."""
    again = left and right and left[-1] is right[0] and not isinstance(right[0], str)
    return (*left, *(right[1:] if again else right))


def _words_in(items: Items) -> int:
    return sum(isinstance(item, str) for item in items)


def _may_be_a_piece(items: Items) -> bool:
    """BOS comes first and EOS last."""
    return START not in items[1:] and END not in items[:-1]


def dense_tensor(factors: Factors) -> np.ndarray:
    """[vocabulary, states, states], the wildcard put in, entry by entry from the factors."""
    tensor = np.zeros((len(factors.vocabulary), factors.states, factors.states))
    for word in range(len(factors.vocabulary)):
        for source in range(factors.states):
            for target in range(factors.states):
                total = float(factors.wildcard[source, target])
                for term in range(factors.rank):
                    total += float(
                        factors.words[word, term] * factors.sources[source, term] * factors.targets[target, term]
                    )
                tensor[word, source, target] = total
    return tensor


def dense_scores(factors: Factors, tensor: np.ndarray, sentence: Sequence[str]) -> list[float]:
    """The score of each machine by matrix products written out; `tensor` is that of `dense_tensor`."""
    state = [float(value) for value in factors.start]
    for word in factors.vocabulary.encode(sentence):
        following = []
        for target in range(factors.states):
            total = 0.0
            for source in range(factors.states):
                total += state[source] * float(tensor[word, source, target])
            following.append(min(1.0, max(0.0, total)))
        state = following
    return [
        min(1.0, max(0.0, sum(float(final) * value for final, value in zip(row, state, strict=True))))
        for row in factors.final
    ]


def count_paths(machine: PseudoDfa, sentence: Sequence[str]) -> int:
    """The accepting paths of a sentence, walked one by one.

    A path is a starting state and one move a word. An arc that names the word (or its kind) is one move, an arc
    that carries `$` is one more, even where both join the same two states.
    """
    arcs = list(machine.arcs())
    start_targets = [t for s, t, symbols in arcs if s == 0 and START in symbols]
    closing = {s for s, t, symbols in arcs if END in symbols and t in machine.finals}

    def from_state(state: int, place: int) -> int:
        if place == len(sentence):
            return int(state in machine.finals or state in closing)
        total = 0
        for source, target, symbols in arcs:
            if source == state:
                for _ in moves(symbols, sentence[place]):
                    total += from_state(target, place + 1)
        return total

    def moves(symbols: frozenset[Symbol], word: str) -> Iterator[str]:
        if (
            word in symbols
            or (NUMBER in symbols and is_number(word))
            or (PUNCTUATION in symbols and is_punctuation(word))
            or any(isinstance(symbol, Complement) and reads(symbol, word) for symbol in symbols)
        ):
            yield "named"
        if ANY in symbols:
            yield "any"

    return sum(from_state(state, 0) for state in {0, *start_targets})


# Words of the unknown kinds that no test names.
_OF_KIND = {"any word": "otherwise", "any number": "987654321", "any punctuation": "‽"}


def arc_tensor(machine: PseudoDfa, words: Sequence[str], kinds: Sequence[int]) -> np.ndarray:
    """[words, states, states]: 1 where an arc names the word or its kind, read off the arcs one by one.

    `kinds` tells whether each word counts as a plain one (0), a number (1) or a sign (2).
    """
    tensor = np.zeros((len(words), len(machine), len(machine)))
    for source, target, symbols in machine.arcs():
        for place, (word, kind) in enumerate(zip(words, kinds, strict=True)):
            by_kind = (kind == 1 and NUMBER in symbols) or (kind == 2 and PUNCTUATION in symbols)
            others = [symbol for symbol in symbols if isinstance(symbol, Complement)]
            text = _OF_KIND.get(word, word)
            tensor[place, source, target] = word in symbols or by_kind or any(reads(one, text) for one in others)
    return tensor
