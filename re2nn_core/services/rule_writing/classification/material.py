"""The texts that rules for labels are made from: labelled ones outside of dev and test, and unlabelled ones whose label
can be guessed better than the rules predict it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.proposals.label_order import NONE, LabelOrder, winning_labels
from re2nn_core.proposals.label_search import SearchedTexts
from re2nn_core.proposals.one_blas_thread import one_blas_thread
from re2nn_core.proposals.reached_accuracy import best_guesser, reached_accuracies
from re2nn_core.rules.names import LABEL
from re2nn_core.text.counting import counted

FOLDS = 10  # of labelled texts, and as many of texts with a guessed label
SEED = 0
HELD_OUT = ("dev", "test")
_NO_LABEL = "None has any label yet. Label a few texts first, or propose for all: rules for alike texts come then."
LEAST_LABELLED = 20  # texts without which labels are not guessed
LEAST_CONFIDENCE = 0.5
MOST_TRIED = 4000  # unlabelled texts with which it is tried whether guesses help
_TRIED_FOLDS = 4
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Guessed:
    """Texts with a guessed label: their `places` among all texts and `labels` by number; `accuracy`: of rules that come
    of such guesses, on labelled texts that these were not made from."""

    places: Integers
    labels: Integers
    accuracy: float


@dataclass(frozen=True, eq=False)
class Material:
    """The texts that rules may be made from. `labels`: all that are known; `places` among all texts; `gold` [places]:
    their labels by number; `held_out`: how many texts of dev and test are labelled, which only evaluate."""

    labels: tuple[str, ...]
    places: Integers
    gold: Integers
    held_out: int
    guessed: Guessed | None = None

    def refuse_nothing(self, label: str | None = None, known: Sequence[str] = ()) -> None:
        """InputError where there is nothing to propose from; `known`: labels that rules predict."""
        labels = tuple(dict.fromkeys((*known, *self.labels)))
        if label is not None and label not in labels:
            advice = f"The labels are: {', '.join(labels)}." if labels else _NO_LABEL
            raise InputError(f"No rule and no text has the label {label!r}.\n{advice}")
        carried = {self.labels[number] for number in np.unique(self.gold)}
        if carried if label is None else label in carried:
            return
        texts = "text" if label is None else f"text of {label!r}"
        kept = _only_evaluate(self.held_out) if self.held_out else ""
        raise InputError(f"There is no labelled {texts} to propose a rule from.{kept}\nLabel a few texts first.")

    def texts(self, order: LabelOrder, holds: Bools) -> tuple[Integers, SearchedTexts]:
        """The places of the texts, and what phrases are evaluated on. `holds` [all texts, first labels of the order]:
        labels whose rules accept them."""
        number = np.asarray([order.number(label) for label in self.labels], dtype=np.int64)
        holds = np.pad(holds, ((0, 0), (0, len(order.labels) - holds.shape[1])))
        folds = folds_of(len(self.places))
        if self.guessed is None:
            return self.places, SearchedTexts(order, number[self.gold], holds[self.places], folds)
        places = np.concatenate([self.places, self.guessed.places])
        folds = np.concatenate([folds, FOLDS + folds_of(len(self.guessed.places))])
        gold = number[np.concatenate([self.gold, self.guessed.labels])]
        return places, SearchedTexts(order, gold, holds[places], folds, guessed_from=FOLDS)

    def without_guesses(self) -> Material:
        """The labelled texts alone."""
        return replace(self, guessed=None)

    def with_assumed(self, places: Sequence[int], label: str) -> Material:
        """The labelled texts and further ones at these places, as if they had the label."""
        labels = tuple(dict.fromkeys((*self.labels, label)))
        gold = np.full(len(places), labels.index(label), dtype=np.int64)
        places_too = np.asarray(places, dtype=np.int64)
        both = (np.concatenate([self.places, places_too]), np.concatenate([self.gold, gold]))
        return Material(labels, *both, self.held_out)

    def beyond_rules(self, labelled: SearchedTexts) -> Material:
        """Without guesses where the rules are right as often as rules that come of guesses. `labelled`: the labelled
        texts of the material, with the labels whose rules accept them."""
        if self.guessed is None:
            return self
        right = (winning_labels(labelled.order, labelled.holds) == labelled.gold).mean()
        return self if self.guessed.accuracy > right else self.without_guesses()


def _only_evaluate(held_out: int) -> str:
    texts = counted(held_out, "labelled text")
    return f" The {texts} of dev and test only {'evaluates' if held_out == 1 else 'evaluate'}."


def folds_of(count: int) -> Integers:
    """[texts]: a fold for each text by chance, the same whenever it is asked for."""
    return np.asarray(np.random.default_rng(SEED).permutation(count) % FOLDS, dtype=np.int64)


def material_of(gold: Sequence[str | None], splits: Sequence[str | None], labels: Sequence[str] = ()) -> Material:
    """The labelled texts outside of dev and test. `labels`: those that are known before, in their order."""
    labelled = [place for place, label in enumerate(gold) if label is not None and LABEL.fullmatch(label)]
    own = [place for place in labelled if splits[place] not in HELD_OUT]
    known = tuple(dict.fromkeys([*labels, *(label for place in labelled if (label := gold[place]) is not None)]))
    number = {label: place for place, label in enumerate(known)}
    numbers = np.asarray([number[gold[place] or ""] for place in own], dtype=np.int64)
    return Material(known, np.asarray(own, dtype=np.int64), numbers, len(labelled) - len(own))


@one_blas_thread()
def with_guesses(
    material: Material,
    sentences: Sequence[Sequence[str]],
    gold: Sequence[str | None],
    splits: Sequence[str | None],
) -> Material:
    """The material with guessed labels of the texts that have none, where rules that come of them are right more often
    on labelled texts that they were not made from. `sentences`: all texts as words."""
    unlabelled = [p for p, label in enumerate(gold) if label is None and splits[p] not in HELD_OUT]
    if not unlabelled or len(material.places) < LEAST_LABELLED:
        return material
    places = np.concatenate([material.places, np.random.default_rng(SEED).permutation(unlabelled)]).astype(np.int64)
    known = np.full(len(places), NONE, dtype=np.int64)
    known[: len(material.gold)] = material.gold
    tried = slice(None, len(material.places) + MOST_TRIED)
    folds = np.asarray(np.random.default_rng(SEED).permutation(len(known[tried])) % _TRIED_FOLDS, dtype=np.int64)
    words = [sentences[place] for place in places]
    make = best_guesser(words[tried], known[tried], material.labels, folds)
    reached = reached_accuracies(words[tried], known[tried], material.labels, folds, make(words[tried]))
    if not reached.helpful:
        return material
    guesses = make(words)(known, material.labels)
    kept = (known == NONE) & (guesses.confidence >= LEAST_CONFIDENCE)
    return replace(material, guessed=Guessed(places[kept], guesses.labels[kept], reached.guessed))
