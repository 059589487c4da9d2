"""How far rules predict what a model predicts: fidelity and accuracy of rules found from predictions, by split.

Fidelity is the share of texts with the same prediction. It is measured on texts that the search for rules does not see:
those of dev and test, or every fifth text where there are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.rule_writing.classification.material import HELD_OUT
from re2nn_core.text.corpus import Corpus

EVERY = 5  # without dev and test, every fifth text is kept for measuring
Integers = NDArray[np.int64]
Labels = NDArray[Any]  # of objects: a label, or None for no label


@dataclass(frozen=True)
class SplitFidelity:
    """Texts of a split that have a prediction; `fidelity`: share of them with the same prediction of the rules;
    `accuracy` and `model`: shares of the labelled ones that the rules and the model predict correctly, None without
    labels; `labelled`: how many these are, `fixed` and `broken`: of how many the new rules make the prediction right or
    wrong."""

    texts: int
    fidelity: float
    accuracy: float | None
    model: float | None
    labelled: int = 0
    fixed: int = 0
    broken: int = 0


@dataclass(frozen=True)
class RulesOfSize:
    """So many rules that nobody has written, and the words that they and changed rules name in addition to the written
    ones; what they reach with the written rules, by split."""

    rules: int
    words: int
    splits: Mapping[str, SplitFidelity]


@dataclass(frozen=True, eq=False)
class MeasuredTexts:
    """The texts with a prediction by split, as places; of all texts what the model predicts, their own labels, and what
    the written rules predict."""

    splits: Mapping[str, Integers]
    predicted: Labels
    gold: Labels
    written: Labels

    def of(self, predictions: Labels) -> dict[str, SplitFidelity]:
        """What predictions [texts] reach, by split."""
        return {split: self._split(predictions, places) for split, places in self.splits.items()}

    def _split(self, predictions: Labels, places: Integers) -> SplitFidelity:
        own, teacher, gold = predictions[places], self.predicted[places], self.gold[places]
        known = gold != None  # noqa: E711 - of each label
        accuracy, model = (float((found == gold)[known].mean()) if known.any() else None for found in (own, teacher))
        right, before = (own == gold)[known], (self.written[places] == gold)[known]
        fidelity, labelled = float((own == teacher).mean()), int(known.sum())
        fixed, broken = int((right & ~before).sum()), int((before & ~right).sum())
        return SplitFidelity(len(places), fidelity, accuracy, model, labelled, fixed, broken)


def splits_of(corpus: Corpus) -> list[str]:
    """The split of each text; every fifth is of dev where nothing else is measured on."""
    named = [example.split or "train" for example in corpus]
    if set(named) & set(HELD_OUT):
        return named
    return ["dev" if place % EVERY == EVERY - 1 else split for place, split in enumerate(named)]


def measured_texts(corpus: Corpus, predicted: Sequence[str | None], written: Labels) -> MeasuredTexts:
    """A corpus with the model's predictions and those of the `written` rules."""
    splits = splits_of(corpus)
    own = [(split, place) for place, split in enumerate(splits) if predicted[place] is not None]
    names = [name for name in ("train", *HELD_OUT) if any(split == name for split, _ in own)]
    places = {name: np.asarray([place for split, place in own if split == name], dtype=np.int64) for name in names}
    return MeasuredTexts(places, as_labels(predicted), as_labels([example.label for example in corpus]), written)


def as_labels(labels: Sequence[str | None]) -> Labels:
    """[texts]"""
    found = np.empty(len(labels), dtype=object)
    found[:] = labels
    return found
