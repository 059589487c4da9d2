"""Why a text got its prediction: the rules that accept it with the words they read, and the labels'
probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from re2nn_core.rules.printer import print_expression
from re2nn_core.services.prediction.classification.predictions import Ground, Predictions
from re2nn_core.services.prediction.precision import Precision
from re2nn_core.services.rule_writing.classification.rule_coverage import Mark, matched_words


@dataclass(frozen=True)
class RuleMatch:
    """A rule that accepts the text. `matches` is True where it speaks for the prediction; `marks` are the
    characters of the words it names; `precision`: how often it was right where it decided, None if not measured."""

    name: str
    label: str
    expression: str
    matches: bool
    marks: tuple[Mark, ...]
    precision: Precision | None = None


@dataclass(frozen=True)
class Reasons:
    """All that decides one text. `matches` that speak for the prediction come first; `ranked` holds the likeliest
    labels. `confidence`: the network's, None where the rules predict; `precision`: that of the rules, None for a
    network's prediction and where nothing was measured."""

    text: str
    prediction: str | None
    rules_prediction: str | None
    confidence: float | None
    precision: Precision | None
    ground: Ground
    trained: bool
    matches: tuple[RuleMatch, ...]
    ranked: tuple[tuple[str, float], ...]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The words of the first rule that names any."""
        return next((hit.marks for hit in self.matches if hit.marks), ())

    @property
    def certainty(self) -> str:
        """What the prediction is worth, in words: a network's confidence, or the precision that was measured of the
        rules. Empty for no prediction, and for rules that nobody has measured."""
        default = (
            f"default label, no rule {'decides' if self.matches else 'matches'}" if self.ground == "default" else ""
        )
        worth = "" if self.precision is None else self.precision.in_words
        if self.confidence is not None:
            worth = confidence_in_words(self.confidence)
        return ", ".join(part for part in (default, worth) if part)

    @property
    def scored(self) -> tuple[tuple[str, float], ...]:
        """`ranked` where a trained network has weighed the labels; rules weigh nothing."""
        return self.ranked if self.trained and self.prediction is not None else ()

    @property
    def sentence(self) -> str:
        """The reason in a sentence for people."""
        prediction, rules = self.prediction or "no prediction", self.rules_prediction or "no prediction"
        if prediction != rules:
            worth = "" if self.confidence is None else f", {confidence_in_words(self.confidence)}"
            return f"The rules predict {rules}; the trained network predicts {prediction}{worth}."
        if self.ground == "rules":
            names = ", ".join(hit.name for hit in self.matches if hit.matches)
            others = [hit.name for hit in self.matches if not hit.matches]
            against = f" {', '.join(others)} also matched, for another label." if others else ""
            return f"Matched by {names}.{against}"
        if self.ground == "default":
            return "No rule decides this text, so it gets the default label."
        if self.ground == "network":
            return "No rule supports this prediction; it is the trained network's alone."
        if self.matches:
            return "Rules match this text, but label logic lets none of them decide; there is no default label."
        return "No rule matches this text, and there is no default label."


def confidence_in_words(confidence: float) -> str:
    """`confidence 0.98`."""
    return f"confidence {confidence:.2f}"


def reasons_for(predicted: Predictions, place: int, *, most_labels: int = 5) -> Reasons:
    """The reasons behind the prediction for one text."""
    text = predicted.texts[place]
    matching = frozenset(predicted.deciding(place))
    rules = [predicted.system.ruleset.rules[number] for number in np.flatnonzero(predicted.matched[place])]
    matches = [
        RuleMatch(
            name=rule.name,
            label=rule.label,
            expression=print_expression(rule.tree),
            matches=rule.name in matching,
            marks=matched_words(rule.expanded, [text], predicted.system.tokenization)[0],
            precision=predicted.measured.of(rule.name),
        )
        for rule in rules
    ]
    return Reasons(
        text=text,
        prediction=predicted.prediction(place),
        rules_prediction=predicted.rules_prediction(place),
        confidence=predicted.confidence_of(place),
        precision=predicted.precision_of(place),
        ground=predicted.ground(place),
        trained=predicted.trained,
        matches=tuple(sorted(matches, key=lambda hit: not hit.matches)),
        ranked=tuple(predicted.ranked(place, most_labels)),
    )
