"""Witnesses that people recognize: a text of the project in which two rules differ, else a sentence of likely words.

A text is taken where one side alone matches it; of rules that tag words, where one side gives it tags that the other
does not. Where there is none, the words of a shortest sentence are replaced by words that neither side can tell from
them: those that follow the word before most often in the texts, else the most frequent ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, pairwise

from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.language_difference import LanguageVerdict, RuleSide, positions_of
from re2nn_core.services.rule_difference.rule_set_difference import RuleSetDifference
from re2nn_core.services.rule_difference.witnesses import MOST_TAGGINGS, Source, Tags, Witness, says_nothing, taggings
from re2nn_core.text.tokenization import Tokenization, words_of_all

_MOST_TEXTS = 20_000  # the shortest ones are looked through
_OWN_TAGGINGS, _OTHER_TAGGINGS = 20, 500  # of one text that are compared
Sentence = tuple[str, ...]


@dataclass(frozen=True)
class KnownTexts:
    """Tokenized texts, each once, the shortest first; `counts` is how often each word comes in them."""

    sentences: tuple[Sentence, ...]
    counts: Counter[str]

    @staticmethod
    def of(sentences: Iterable[Sequence[str]]) -> KnownTexts:
        """Of any number of tokenized texts."""
        different = Counter(map(tuple, sentences))
        counts: Counter[str] = Counter()
        for sentence, times in different.items():
            for word in sentence:
                counts[word] += times
        # Of texts of one length the most frequent first.
        ordered = sorted(different, key=lambda sentence: (len(sentence), -different[sentence]))
        return KnownTexts(tuple(ordered), counts)

    @cached_property
    def following(self) -> dict[str, Counter[str]]:
        """For each word how often each other one comes next."""
        found: dict[str, Counter[str]] = {}
        for sentence in self.sentences:
            for word, after in pairwise(sentence):
                found.setdefault(word, Counter())[after] += 1
        return found

    @cached_property
    def frequent(self) -> tuple[str, ...]:
        """All words, the most frequent first."""
        return tuple(word for word, _ in self.counts.most_common())


def word_counts(texts: Sequence[str], tokenization: Tokenization) -> Counter[str]:
    """How often each word comes in texts not yet tokenized; drawings name the most frequent ones first."""
    return KnownTexts.of(words_of_all(texts, tokenization)).counts


def recognized_difference(
    found: RuleSetDifference, left: RuleSide, right: RuleSide, texts: Sequence[str], tokenization: Tokenization
) -> RuleSetDifference:
    """A comparison of two sides with witnesses that people recognize, from texts not yet tokenized."""
    known = KnownTexts.of(words_of_all(texts, tokenization))
    rules = [recognized_verdict(one, left.tree_of(one.name), right.tree_of(one.name), known) for one in found.rules]
    groups = []
    for group in found.groups:
        trees = left.tree_of_group(group.name), right.tree_of_group(group.name)
        groups.append(recognized_verdict(group, *trees, known, marking=left.tagging))
    return replace(found, groups=tuple(groups), rules=tuple(rules))


def recognized_verdict(
    verdict: LanguageVerdict, left: Node | None, right: Node | None, known: KnownTexts, *, marking: bool = False
) -> LanguageVerdict:
    """A verdict of two trees with other witnesses. `marking`: only sentences in which a slot is filled count.
    StateBudgetError where a tree passes the budget, which the verdict would have told."""
    if verdict.only_left is None and verdict.only_right is None:
        return verdict
    sides = [None if tree is None else _Side(positions_of(tree)) for tree in (left, right)]
    return replace(
        verdict,
        only_left=_recognized(verdict.only_left, sides[0], sides[1], known, marking=marking),
        only_right=_recognized(verdict.only_right, sides[1], sides[0], known, marking=marking),
    )


def sentences_of_one_side(
    left: Node | None, right: Node | None, sentences: Iterable[Sentence]
) -> tuple[int | None, int | None]:
    """The place of the first sentence that only the left tree accepts, and of the first that only the right one does;
    None where there is none. StateBudgetError where a tree passes the budget."""
    sides = [None if tree is None else _Side(positions_of(tree)) for tree in (left, right)]
    found: list[int | None] = [None, None]
    for place, sentence in enumerate(sentences):
        accepts = [side is not None and side.accepts(sentence) for side in sides]
        if accepts[0] != accepts[1] and found[accepts[1]] is None:
            found[accepts[1]] = place
        if None not in found:
            break
    return found[0], found[1]


class _Side:
    """A rule as positions, with the states behind a word remembered: many texts are read."""

    def __init__(self, machine: PositionTransducer) -> None:
        self.machine = machine
        self.says_nothing = says_nothing(machine)
        self._behind: dict[tuple[int, str], int] = {}

    def accepts(self, sentence: Sentence) -> bool:
        states = self.machine.sentence_start
        for word in sentence:
            known = self._behind.get((states, word))
            if known is None:
                known = self._behind[states, word] = self.machine.step(states, word)
            states = known
            if not states:
                return False
        return bool(states & self.machine.sentence_final)

    def kind_of(self, word: str) -> int:
        """The states that a word enters, whatever came before it."""
        return self.machine.automaton.entered_by(word)


def _recognized(
    witness: Witness | None, own: _Side | None, other: _Side | None, known: KnownTexts, *, marking: bool
) -> Witness | None:
    if witness is None or own is None:
        return witness
    return _from_texts(witness, own, other, known, marking=marking) or _of_likely_words(witness, own, other, known)


def _from_texts(
    witness: Witness, own: _Side, other: _Side | None, known: KnownTexts, *, marking: bool
) -> Witness | None:
    for sentence in known.sentences[:_MOST_TEXTS]:
        if not own.accepts(sentence):
            continue
        if own.says_nothing and (other is None or other.says_nothing):
            if other is None or not other.accepts(sentence):
                return Witness(sentence, source=Source.TEXTS, shortest=witness)
            continue
        theirs = [] if other is None else list(islice(taggings(other.machine, sentence), _OTHER_TAGGINGS))
        tags = _only_here(list(islice(taggings(own.machine, sentence), _OWN_TAGGINGS)), theirs, marking=marking)
        if tags is not None and len(theirs) < _OTHER_TAGGINGS:
            return Witness(sentence, tags, tuple(theirs[:MOST_TAGGINGS]), Source.TEXTS, witness)
    return None


def _only_here(own: Sequence[Tags], theirs: Sequence[Tags], *, marking: bool) -> Tags | None:
    """What one side gives a text and the other does not."""
    found = (tags for tags in own if tags not in theirs)
    return next((tags for tags in found if not marking or any(slot_of(tag) for tag in tags if tag)), None)


def _of_likely_words(witness: Witness, own: _Side, other: _Side | None, known: KnownTexts) -> Witness:
    """The same sentence in words that people expect there; neither side tells them from those that they replace."""
    words: list[str] = []
    for word in witness.words:
        kind = _kind(word, own, other)
        near = known.following.get(words[-1], Counter()) if words else Counter[str]()
        likely = chain((after for after, _ in near.most_common()), known.frequent)
        words.append(next((one for one in likely if one not in words and _kind(one, own, other) == kind), word))
    if tuple(words) == witness.words:
        return witness
    return replace(witness, words=tuple(words), source=Source.LIKELY_WORDS, shortest=witness)


def _kind(word: str, own: _Side, other: _Side | None) -> tuple[int, int]:
    return own.kind_of(word), 0 if other is None else other.kind_of(word)
