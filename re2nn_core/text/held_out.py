"""Texts held out as test: a share of each label, by chance from a fixed seed, decided text by text."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

USUAL_PERCENT = 20
SEED = 0
_NAMED = 3  # labels without a text in test


class HoldOut:
    """Puts `percent` of the texts of each label, or of each set of slots, into the split test.

    Of every few texts of a label in a row some are drawn, never its first one, so that each label can be learned. A
    text that comes again goes where it went before. Texts that name a split, or have no prediction, stay as they are.
    """

    def __init__(self, percent: int = USUAL_PERCENT, seed: int = SEED) -> None:
        share = Fraction(percent, 100)
        self._percent, self._seed = percent, seed
        self._held_of_block, self._block = share.numerator, share.denominator
        self._seen: Counter[str] = Counter()
        self._drawn: dict[str, frozenset[int]] = {}
        self._sides: dict[int, bool] = {}
        self._held_of: Counter[str] = Counter()
        self.held = self.labelled = 0

    def take(self, example: Example) -> Example:
        """The example, in the split test where it is drawn."""
        group = _group(example)
        if example.split is not None or group is None:
            return example
        side = self._sides.get(hash(example.text))
        if side is None:
            side = self._sides[hash(example.text)] = self._is_drawn(group)
        self._held_of[group] += side
        self.labelled += 1
        self.held += side
        return replace(example, split="test") if side else example

    def _is_drawn(self, group: str) -> bool:
        place = self._seen[group] % self._block
        if place == 0:
            chance = random.Random(f"{self._seed} {self._seen[group]} {group}")
            first = self._seen[group] == 0
            self._drawn[group] = frozenset(chance.sample(range(first, self._block), self._held_of_block))
        self._seen[group] += 1
        return place in self._drawn[group]

    @property
    def in_words(self) -> str:
        """What was held out, in a sentence."""
        if not self.labelled:
            return "No text was put into test: no text has a label or spans and names no split."
        return (
            f"{self.held:,} of {counted(self.labelled, 'labelled text')} put into test "
            f"({self._percent}% of each label, at random with seed {self._seed}).{self._labels_without}"
        )

    @property
    def _labels_without(self) -> str:
        """Why labels have no text in test, and from how many on each has one; empty where all have."""
        without = [group for group in self._seen if not self._held_of[group]]
        if not without:
            return ""
        named = first_names([group or "no slot" for group in without], _NAMED)
        which = f"No text of {named} is in test" if self.held else "No text is in test"
        drawn = "1 is" if self._held_of_block == 1 else f"{self._held_of_block} are"
        most = counted(max(self._seen[group] for group in without), "text")
        return (
            f" {which}: of every {self._block} texts of a label {drawn} drawn, and "
            f"{f'it has {most}' if len(without) == 1 else f'they have at most {most}'}. Add texts, hold out a larger "
            "share, or name the splits in a column."
        )


def held_out(corpus: Corpus, percent: int = USUAL_PERCENT) -> tuple[Corpus, str]:
    """The corpus with a share of its texts in the split test, and what was done in a sentence."""
    hold_out = HoldOut(percent)
    return Corpus(tuple(map(hold_out.take, corpus))), hold_out.in_words


def may_hold_out(examples: Iterable[Example]) -> bool:
    """True where texts have answers and none of them names a split."""
    predicted = False
    for example in examples:
        if example.split is not None:
            return False
        predicted = predicted or _group(example) is not None
    return predicted


def _group(example: Example) -> str | None:
    """The label, or the slots in it; None where nobody gave any."""
    if example.spans is not None:
        return " ".join(sorted({span.slot for span in example.spans}))
    return example.label
