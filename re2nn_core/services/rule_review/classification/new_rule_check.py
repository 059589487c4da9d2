"""Whether a network predicts what a new rule does, on texts that the rule was not made from.

A new rule is mined from train texts and the network's predictions for them, so it may match more than the network has
learned. Where the rule asks for the letters of a word, the network is asked for short texts of other labels with such a
word that no text has; else for the texts outside of train that the rule matches.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import WordPattern, leaves_of
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization, words_of_all

MOST = 40  # texts that the network is asked for
_SHIFTS = (7, 11, 5, 17)  # letters further in the alphabet
Predict = Callable[[Sequence[str]], Sequence[str | None]]


@dataclass(frozen=True)
class NewRuleCheck:
    """Of `texts` that a new rule matches how many the network predicts another label for; one of these, and that
    label. `made_up`: the texts are the project's with another word behind them."""

    texts: int
    others: int = 0
    example: str = ""
    label: str = ""
    made_up: bool = False

    @property
    def most(self) -> bool:
        """Whether the network predicts another label for most of them."""
        return self.others * 2 > self.texts


@dataclass(frozen=True)
class ProjectTexts:
    """All texts of a project in their order, with their words, and which of them the new rule matches."""

    texts: Sequence[Example | TextRecord]
    words: Sequence[Sequence[str]]
    matched: Sequence[bool]

    def shortest(self, wanted: Callable[[Example | TextRecord, bool], bool], most: int) -> list[str]:
        """Of those that are wanted by themselves and whether they are matched."""
        pairs = zip(self.texts, self.matched, strict=True)
        found = (one.text for one, matched in pairs if wanted(one, matched))
        return nsmallest(most, found, key=lambda text: (len(text), text))


def check_new_rule(rule: Rule, known: ProjectTexts, predict: Predict, tokenization: Tokenization) -> NewRuleCheck:
    """What the network predicts for texts beyond those of train, which the rule matches; `predict` gives the network's
    label of each text, None for no prediction."""
    made: list[str] = []
    if unseen := _unseen_words(rule, known.words):
        others = known.shortest(lambda one, matched: one.label != rule.label and not matched, 2 * MOST)
        made = list(_with_unseen(others, unseen))
        automaton = build_positions(rule.expanded)
        read = zip(made, words_of_all(made, tokenization), strict=True)
        made = [text for text, own in read if accepts(automaton, own)][:MOST]
    asked = made or list(dict.fromkeys(known.shortest(lambda one, matched: matched and one.split != "train", MOST)))
    predicted = predict(asked) if asked else ()
    pairs_asked = zip(asked, predicted, strict=True)
    differing = [(text, label) for text, label in pairs_asked if label is not None and label != rule.label]
    if not differing:
        return NewRuleCheck(len(asked), made_up=bool(made))
    return NewRuleCheck(len(asked), len(differing), *differing[0], made_up=bool(made))


def _with_unseen(texts: Iterable[str], unseen: Sequence[str]) -> Iterator[str]:
    """The texts with a word behind each."""
    for place, text in enumerate(dict.fromkeys(texts)):
        yield f"{text} {unseen[place % len(unseen)]}"


def _unseen_words(rule: Rule, sentences: Sequence[Sequence[str]]) -> list[str]:
    """Words of which the rule asks the letters and that no text has: those of texts in other letters."""
    letters = [build_positions(leaf) for leaf in leaves_of(rule.expanded) if isinstance(leaf, WordPattern)]
    if not letters:
        return []
    known = frozenset(word for sentence in sentences for word in sentence)
    read = sorted((word for word in known if any(one.entered_by(word) for one in letters)), key=lambda w: (len(w), w))
    made = (_unseen(word, letters, known) for word in read[:MOST])
    return [word for word in made if word is not None]


def _unseen(word: str, letters: Sequence[PositionAutomaton], known: Collection[str]) -> str | None:
    tried = (_shifted(word, by) for by in _SHIFTS)
    return next((one for one in tried if one not in known and any(own.entered_by(one) for own in letters)), None)


def _shifted(word: str, by: int) -> str:
    """The word with other letters."""
    return "".join(chr((ord(sign) - 97 + by) % 26 + 97) if "a" <= sign <= "z" else sign for sign in word)
