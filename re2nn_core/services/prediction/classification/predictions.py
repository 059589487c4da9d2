"""Rules and a network over many texts at once: predictions, what these are worth, and where the two differ.

What the pages Predict and Label show is cut out of one `Predictions`, so that filters and sorting run nothing
again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from re2nn_core.exchange.tables.write import render_table
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.services.prediction.classification.predictor import OnProgress, predict, untrained
from re2nn_core.services.prediction.classification.rule_precision import MeasuredRules
from re2nn_core.services.prediction.precision import Precision, measured_cells, measured_columns
from re2nn_core.services.prediction.table_rows import SourceRows, free_names, repeated, texts_with, within, yes_or_no
from re2nn_core.services.rule_systems.classification.deciding_rules import decided_by
from re2nn_core.services.rule_systems.classification.systems import RuleSystem

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]
Ground = Literal["rules", "default", "network", "none"]
_GROUNDS: Mapping[Ground, str] = {"default": "default label", "network": "network alone", "none": "no rule"}

EXPORT_FORMATS = ("csv", "jsonl", "parquet")
NO_PREDICTION = ""
# How exported columns are called; a file that has a column of that name already gets prediction_2, and so on.
_PREDICTION, _CORRECT, _CONFIDENCE, _DECIDED = "prediction", "prediction_correct", "confidence", "decided_by"
_RULES = ("rules_prediction", "rules_differ")


@dataclass(frozen=True, eq=False)
class Predictions:
    """Texts with what a network and what the rules say of them.

    predictions, by_rules [texts]: index into `labels`, -1 for no prediction; confidence [texts]: the probability that
    the network gives the prediction, of an untrained one a number that only serves to put texts in order; scores
    [texts, labels]; fired [texts, rules]. `labels` are the network's, then those that only the rules know. `measured`:
    how often the rules were right on labelled texts, as far as somebody has measured it.
    """

    texts: tuple[str, ...]
    system: RuleSystem
    labels: tuple[str, ...]
    predictions: Integers
    confidence: NDArray[np.float32]
    scores: NDArray[np.float32]
    by_rules: Integers
    matched: Bools
    trained: bool
    measured: MeasuredRules = MeasuredRules()

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def differing(self) -> Bools:
        """[texts]: network and rules give different predictions."""
        return np.asarray(self.predictions != self.by_rules)

    def label(self, number: int) -> str | None:
        """The label of an index; None for -1."""
        return None if number < 0 else self.labels[number]

    def prediction(self, place: int) -> str | None:
        """The network's prediction for a text."""
        return self.label(int(self.predictions[place]))

    def rules_prediction(self, place: int) -> str | None:
        """The rules' prediction for a text."""
        return self.label(int(self.by_rules[place]))

    @cached_property
    def copies(self) -> dict[str, int]:
        """The texts that are there more than once, with how often."""
        return repeated(self.texts)

    @cached_property
    def rules_for(self) -> dict[str, tuple[int, ...]]:
        """For each label the rules that predict it, as numbers."""
        everything = np.ones(self.matched.shape[1], dtype=np.bool_)
        number = {name: place for place, name in enumerate(self.system.rule_names)}
        return {
            label: tuple(number[name] for name in decided_by(self.system, everything, label)) for label in self.labels
        }

    def deciding(self, place: int) -> tuple[str, ...]:
        """The rules that accept the text and speak for the network's prediction."""
        prediction = self.prediction(place)
        if prediction is None:
            return ()
        names = self.system.rule_names
        return tuple(names[number] for number in self.rules_for[prediction] if self.matched[place, number])

    def ground(self, place: int) -> Ground:
        """What the prediction rests on: rules, the default label, the trained network alone, or there is none."""
        prediction = self.prediction(place)
        if prediction is None:
            return "none"
        if self.deciding(place):
            return "rules"
        return "default" if prediction == self.rules_prediction(place) else "network"

    def confidence_of(self, place: int) -> float | None:
        """The probability that a trained network gives the prediction, not calibrated; None where the rules predict,
        which weigh nothing."""
        return float(self.confidence[place]) if self.trained and self.predictions[place] >= 0 else None

    def precision_of(self, place: int) -> Precision | None:
        """How often such predictions of the rules were right; None for a network's prediction, and where nothing was
        measured."""
        if self.trained or self.predictions[place] < 0:
            return None
        deciding = self.deciding(place)
        return self.measured.best_of(deciding) if deciding else self.measured.default

    @cached_property
    def certainty(self) -> NDArray[np.float32]:
        """[texts]: the confidence of a trained network or else the precision of the rules, NaN where there is
        neither."""
        if self.trained:
            return self.confidence
        found = [self.precision_of(place) for place in range(len(self))]
        return np.asarray([np.nan if one is None else one.share for one in found], dtype=np.float32)

    def ground_in_words(self, place: int) -> str:
        """What decided a text: names of rules, or why there are none."""
        return _GROUNDS.get(self.ground(place)) or ", ".join(self.deciding(place))

    def ranked(self, place: int, most: int | None = None) -> list[tuple[str, float]]:
        """Labels with their probabilities, the likeliest first; equal ones in the labels' order."""
        order = np.argsort(-self.scores[place], kind="stable")[:most]
        return [(self.labels[number], float(self.scores[place, number])) for number in order]


def predict_texts(
    system: RuleSystem, bundle: Bundle | None, texts: Sequence[str], *, on_progress: OnProgress | None = None
) -> Predictions:
    """Run the rules and a trained network (None: the rules' own exact network) over texts.

    `on_progress(done, total)` counts texts. StateBudgetError names a rule that is too large to run.
    """
    network = untrained(system, texts) if bundle is None else bundle
    found = predict(network, texts, on_progress=on_progress)
    labels = (*found.labels, *(label for label in system.logic.labels if label not in found.labels))
    number = {label: place for place, label in enumerate(labels)}
    numbers = [-1 if prediction is None else number[prediction] for prediction in found.predictions]
    matched = system.matched(texts)
    return Predictions(
        texts=tuple(texts),
        system=system,
        labels=labels,
        predictions=np.asarray(numbers, dtype=np.int64),
        confidence=found.confidence,
        scores=np.pad(found.label_scores, ((0, 0), (0, len(labels) - len(found.labels)))),
        by_rules=_rules_predictions(system, matched, number),
        matched=matched,
        trained=network.trained,
    )


def _rules_predictions(system: RuleSystem, matched: Bools, number: dict[str, int]) -> Integers:
    own = np.asarray([*(number[label] for label in system.logic.labels), -1], dtype=np.int64)
    return own[decide_all(system.logic, system.rule_names, matched)]


@dataclass(frozen=True)
class RowFilter:
    """Which rows to show. Empty `labels` means any; "" in them stands for no prediction. `lowest` and `highest` are
    bounds of `Predictions.certainty`."""

    labels: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 1.0
    differing: bool = False
    wrong: bool = False
    search: str = ""


def select(predicted: Predictions, wanted: RowFilter, gold: Sequence[str | None] = ()) -> Integers:
    """Places of the texts that are wanted, in their order. [wanted texts]."""
    kept = within(predicted.certainty, wanted.lowest, wanted.highest)
    if wanted.labels:
        numbers = [predicted.labels.index(label) for label in wanted.labels if label in predicted.labels]
        if NO_PREDICTION in wanted.labels:
            numbers.append(-1)
        kept &= np.isin(predicted.predictions, numbers)
    if wanted.differing:
        kept &= predicted.differing
    if wanted.wrong:
        kept &= wrong_predictions(predicted, gold)
    if wanted.search:
        kept &= texts_with(wanted.search, predicted.texts)
    return np.flatnonzero(kept)


def wrong_predictions(predicted: Predictions, gold: Sequence[str | None]) -> Bools:
    """[texts]: the text has a label and the prediction is another one, or none."""
    if not gold:
        return np.zeros(len(predicted), dtype=np.bool_)
    number = {label: place for place, label in enumerate(predicted.labels)}
    known = np.asarray([-3 if label is None else number.get(label, -2) for label in gold], dtype=np.int64)
    return np.asarray((known != -3) & (known != predicted.predictions))


def accuracy_of(predicted: Predictions, gold: Sequence[str | None]) -> float | None:
    """The share of labelled texts that got their label; None where none is labelled."""
    labelled = sum(label is not None for label in gold)
    return 1 - int(wrong_predictions(predicted, gold).sum()) / labelled if labelled else None


def export(
    predicted: Predictions,
    places: Sequence[int] | Integers,
    source: SourceRows | None,
    format: str,
    gold: Sequence[str | None] = (),
) -> bytes:
    """The chosen rows as a file: the columns they came with, then the prediction and its reasons. Columns for which
    nothing is known are left out: whether the prediction is correct without labels in `gold` [texts], confidence and
    the rules' own prediction without a trained network, the rules' precision if none was measured.

    Cells that a spreadsheet would run are guarded (exchange/guard.py). DataFileError for a cell no file can
    hold.
    """
    given = source or SourceRows(("text",), tuple((text,) for text in predicted.texts))
    chosen = [int(place) for place in places]
    added: dict[str, list[str | None]] = {_PREDICTION: [predicted.prediction(place) for place in chosen]}
    if any(label is not None for label in gold):
        wrong = wrong_predictions(predicted, gold)
        added[_CORRECT] = [yes_or_no(None if gold[place] is None else not wrong[place]) for place in chosen]
    if predicted.trained:
        shares = [predicted.confidence_of(place) for place in chosen]
        added[_CONFIDENCE] = [None if share is None else f"{share:.4f}" for share in shares]
    worth = [predicted.precision_of(place) for place in chosen]
    if any(worth):
        added.update(
            zip(measured_columns("text"), map(list, zip(*map(measured_cells, worth), strict=True)), strict=True)
        )
    added[_DECIDED] = [predicted.ground_in_words(place) for place in chosen]
    if predicted.trained:
        differing = [yes_or_no(bool(predicted.differing[place])) for place in chosen]
        added.update(zip(_RULES, (list(map(predicted.rules_prediction, chosen)), differing), strict=True))
    columns = (*given.columns, *free_names(given.columns, tuple(added)))
    rows = [(*given.rows[place], *cells) for place, *cells in zip(chosen, *added.values(), strict=True)]
    return render_table(columns, rows, format, byte_order_mark=format == "csv")
