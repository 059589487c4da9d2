"""How far rules predict what a model predicts: fidelity and accuracy of rules found from predictions, by split.

Fidelity is the share of texts with the same prediction. It is measured on texts that the search for rules does not see:
those of dev and test, or every fifth text where there are none (DRAWN). A text of these that stands among the learned
ones, too, is not measured.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.rule_writing.classification.material import HELD_OUT
from re2nn_core.text.corpus import Corpus

EVERY = 5  # without dev and test, every fifth text is kept for measuring
DRAWN = "held_out"  # what these are called
UNSEEN = (*HELD_OUT, DRAWN)  # splits that the search does not see
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
    the written rules predict. `repeated`: by split, how many texts are left out because they stand among the learned
    ones, too."""

    splits: Mapping[str, Integers]
    predicted: Labels
    gold: Labels
    written: Labels
    repeated: Mapping[str, int]

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
    if _has_held_out(corpus):
        return named
    return ["dev" if place % EVERY == EVERY - 1 else split for place, split in enumerate(named)]


def deciding_split(splits: Collection[str]) -> str | None:
    """Of measured splits, the one whose texts decide what is kept; None where there is none."""
    return next((split for split in ("dev", DRAWN) if split in splits), None)


def _has_held_out(corpus: Corpus) -> bool:
    return any(example.split in HELD_OUT for example in corpus)


def measured_texts(
    corpus: Corpus, sentences: Sequence[Sequence[str]], predicted: Sequence[str | None], written: Labels
) -> MeasuredTexts:
    """A corpus, its texts as words too, with the model's predictions and those of the `written` rules."""
    splits = splits_of(corpus)
    of_split: dict[str, list[int]] = {name: [] for name in ("train", *HELD_OUT)}
    for place, split in enumerate(splits):
        if predicted[place] is not None:
            of_split[split].append(place)
    learned = {tuple(sentences[place]) for place in of_split["train"]}
    places: dict[str, Integers] = {}
    repeated: dict[str, int] = {}
    for split, every in of_split.items():
        own = every if split == "train" else [place for place in every if tuple(sentences[place]) not in learned]
        name = split if split == "train" or _has_held_out(corpus) else DRAWN
        if own:
            places[name] = np.asarray(own, dtype=np.int64)
        if len(own) < len(every):
            repeated[name] = len(every) - len(own)
    gold = as_labels([example.label for example in corpus])
    return MeasuredTexts(places, as_labels(predicted), gold, written, repeated)


def as_labels(labels: Sequence[str | None]) -> Labels:
    """[texts]"""
    found = np.empty(len(labels), dtype=object)
    found[:] = labels
    return found
