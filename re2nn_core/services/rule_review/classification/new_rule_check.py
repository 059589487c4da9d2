"""Whether a network predicts what a pattern of a new rule does, on texts that the rule was not made from.

A new rule is mined from train texts and the network's predictions for them, so it may match more than the network has
learned. Where a pattern asks for the letters of a word, the network is asked for short texts of other labels with such
a word that no text has; where it has a gap, for such texts inside of the gap; else for the texts outside of train that
the pattern matches.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.rules.tree import Node, WordPattern, leaves_of
from re2nn_core.services.rule_review.patterns import Pattern
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization, words_of_all

MOST = 40  # texts that the network is asked for
_SHIFTS = (7, 11, 5, 17)  # letters further in the alphabet
Predict = Callable[[Sequence[str]], Sequence[str | None]]


@dataclass(frozen=True)
class NewRuleCheck:
    """Of `texts` that a pattern matches how many the network predicts another label for; one of these, and that label.
    `made_up`: the texts are the project's with the pattern put into them."""

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
    """All texts of a project in their order, with their words, and which of them the pattern matches. `order`: their
    places, the shortest texts first (`shortest_places`), so that many patterns of many texts sort them once."""

    texts: Sequence[Example | TextRecord]
    words: Sequence[Sequence[str]]
    matched: Sequence[bool]
    order: Sequence[int]

    def shortest(self, wanted: Callable[[Example | TextRecord, bool], bool], most: int) -> list[str]:
        """Of those that are wanted by themselves and whether they are matched."""
        found = (place for place in self.order if wanted(self.texts[place], self.matched[place]))
        return [self.texts[place].text for place in islice(found, most)]


def shortest_places(texts: Sequence[Example | TextRecord]) -> list[int]:
    """The places of texts, the shortest first."""
    return sorted(range(len(texts)), key=lambda place: (len(texts[place].text), texts[place].text))


def check_pattern(
    pattern: Pattern, label: str, known: ProjectTexts, predict: Predict, tokenization: Tokenization
) -> NewRuleCheck:
    """What the network predicts for texts beyond those of train that a pattern of a new rule for `label` matches;
    `predict` gives the network's label of each text, None for no prediction."""
    others = known.shortest(lambda one, matched: one.label != label and not matched, 2 * MOST)
    made = list(dict.fromkeys(_made_up(pattern, others, known.words)))
    if made:
        automaton = build_positions(pattern.tree)
        read = zip(made, words_of_all(made, tokenization), strict=True)
        made = [text for text, own in read if accepts(automaton, own)][:MOST]
    asked = made or list(dict.fromkeys(known.shortest(lambda one, matched: matched and one.split != "train", MOST)))
    predicted = predict(asked) if asked else ()
    pairs_asked = zip(asked, predicted, strict=True)
    differing = [(text, own) for text, own in pairs_asked if own is not None and own != label]
    if not differing:
        return NewRuleCheck(len(asked), made_up=bool(made))
    return NewRuleCheck(len(asked), len(differing), *differing[0], made_up=bool(made))


def _made_up(pattern: Pattern, texts: Sequence[str], sentences: Sequence[Sequence[str]]) -> Iterator[str]:
    """The texts with the pattern put into each: a word that no text has behind it, or its words around."""
    if unseen := _unseen_words(pattern.tree, sentences):
        yield from (f"{text} {unseen[place % len(unseen)]}" for place, text in enumerate(dict.fromkeys(texts)))
    elif runs := pattern.runs:
        first, *others = (" ".join(run) for run in runs)
        yield from (" ".join([first, text, *others]) for text in texts)


def _unseen_words(tree: Node, sentences: Sequence[Sequence[str]]) -> list[str]:
    """Words of which a tree asks the letters and that no text has: those of texts in other letters."""
    letters = [build_positions(leaf) for leaf in leaves_of(tree) if isinstance(leaf, WordPattern)]
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
