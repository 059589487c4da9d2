"""Two finished runs of a project for labels side by side: figures by label, and texts predicted differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from re2nn_core.services.prediction.classification.evaluation import LabelScores, Scores, score
from re2nn_core.services.prediction.classification.predictions import Predictions

Winner = Literal["first", "second", "neither"]


@dataclass(frozen=True)
class LabelPair:
    """The figures of one label; None for a run that never gave it, where no text carries it either."""

    label: str
    first: LabelScores | None
    second: LabelScores | None

    @property
    def support(self) -> int:
        """The number of texts that carry the label."""
        given = self.first or self.second
        return 0 if given is None else given.support

    @property
    def change(self) -> float:
        """F1 of the second run less that of the first one."""
        return _f1(self.second) - _f1(self.first)


@dataclass(frozen=True)
class OtherPrediction:
    """A text that two runs predict differently. `place` is its place among the project's texts, `label` is its own;
    each run comes with the rules it was trained from."""

    place: int
    label: str
    first: str | None
    second: str | None
    first_rules: str | None
    second_rules: str | None

    @property
    def winner(self) -> Winner:
        """The run that is right; never both, since they differ."""
        if self.first == self.label:
            return "first"
        return "second" if self.second == self.label else "neither"

    @property
    def labels(self) -> frozenset[str]:
        """The labels it is about: its own and both predictions."""
        return frozenset(label for label in (self.label, self.first, self.second) if label is not None)


@dataclass(frozen=True)
class RunComparison:
    """Two runs on the same labelled texts. `labels`: the largest difference in F1 in front; `differing`: the texts with
    different predictions, in their order."""

    texts: int
    first: Scores
    second: Scores
    labels: tuple[LabelPair, ...]
    differing: tuple[OtherPrediction, ...]


def compare_runs(
    first: Predictions, second: Predictions, labels: Sequence[str | None], places: Sequence[int]
) -> RunComparison:
    """Two networks' predictions for the same texts, measured on those of these places; `labels` are all texts' own."""
    if first.texts != second.texts or len(labels) != len(first):
        raise ValueError("two runs can be compared on the same texts alone, with a label or None for each")
    gold = [labels[place] for place in places]
    scores = [score(gold, [side.prediction(place) for place in places]) for side in (first, second)]
    differing = (_other_prediction(first, second, label, place) for label, place in zip(gold, places, strict=True))
    return RunComparison(
        texts=sum(label is not None for label in gold),
        first=scores[0],
        second=scores[1],
        labels=label_pairs(*scores),
        differing=tuple(text for text in differing if text is not None),
    )


def label_pairs(first: Scores, second: Scores) -> tuple[LabelPair, ...]:
    """The labels of both, the largest difference in F1 in front, equal ones by their names."""
    sides = [{entry.label: entry for entry in scores.per_label} for scores in (first, second)]
    pairs = [LabelPair(label, sides[0].get(label), sides[1].get(label)) for label in {**sides[0], **sides[1]}]
    return tuple(sorted(pairs, key=lambda pair: (-abs(pair.change), pair.label)))


def _other_prediction(first: Predictions, second: Predictions, label: str | None, place: int) -> OtherPrediction | None:
    predictions = first.prediction(place), second.prediction(place)
    if label is None or predictions[0] == predictions[1]:
        return None
    return OtherPrediction(place, label, *predictions, first.rules_prediction(place), second.rules_prediction(place))


def _f1(scores: LabelScores | None) -> float:
    return 0.0 if scores is None else scores.f1
