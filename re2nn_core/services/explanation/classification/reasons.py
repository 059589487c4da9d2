"""Why a text got its prediction: the rules that accept it with the words they read, and the labels'
probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.rules.logic.decisions import LabelLogic, decide_labels
from re2nn_core.rules.logic.first import first_apart
from re2nn_core.rules.logic.formulas import NEVER, facts
from re2nn_core.rules.printer import print_expression
from re2nn_core.services.prediction.classification.predictions import Ground, Predictions
from re2nn_core.services.prediction.precision import Precision
from re2nn_core.services.rule_writing.classification.rule_coverage import Mark, matched_words
from re2nn_core.text.joined_names import join_names


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
    network's prediction and where nothing was measured; `overruled`: why matches for other labels did not decide, empty
    without any."""

    text: str
    prediction: str | None
    rules_prediction: str | None
    confidence: float | None
    precision: Precision | None
    ground: Ground
    trained: bool
    matches: tuple[RuleMatch, ...]
    ranked: tuple[tuple[str, float], ...]
    overruled: str = ""

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The words of every rule that speaks for the prediction, in the order of the text; where none does, those of
        the first rule that names any."""
        deciding = [hit.marks for hit in self.matches if hit.matches]
        if not any(deciding):
            return next((hit.marks for hit in self.matches if hit.marks), ())
        # A word that one rule names and another reads by a wildcard is named.
        kinds = {(start, end): kind for marks in deciding for start, end, kind in marks}
        named = {(start, end): kind for marks in deciding for start, end, kind in marks if kind == "hit"}
        return tuple((*place, kind) for place, kind in sorted((kinds | named).items()))

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
            return f"Matched by {names}.{self.overruled}"
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
    ordered = tuple(sorted(matches, key=lambda hit: not hit.matches))
    prediction = predicted.prediction(place)
    return Reasons(
        text=text,
        prediction=prediction,
        rules_prediction=predicted.rules_prediction(place),
        confidence=predicted.confidence_of(place),
        precision=predicted.precision_of(place),
        ground=predicted.ground(place),
        trained=predicted.trained,
        matches=ordered,
        ranked=tuple(predicted.ranked(place, most_labels)),
        overruled="" if prediction is None else _overruled(predicted.system.logic, ordered, prediction),
    )


def _overruled(logic: LabelLogic, matches: Sequence[RuleMatch], prediction: str) -> str:
    """A sentence with a blank before it: which rules matched for other labels, and what of the label logic went against
    each label."""
    decision = decide_labels(logic, [hit.name for hit in matches])
    first = first_apart(logic)[0].get(prediction, NEVER)
    leading = [hit.name for hit in matches if hit.matches and hit.name in facts(first)]

    def reason(label: str) -> str:
        if leading:
            return f"{leading[0]} predicts first (label logic): where it matches, no other label counts"
        if label in decision.beaten:
            return f"{prediction} has priority over {label}"
        if label in decision.active:
            return f"{prediction} comes before {label} in the label logic"
        return f"the formula of {label} does not hold"

    rules: dict[str, list[str]] = {}
    for hit in matches:
        if not hit.matches and hit.label != prediction:
            rules.setdefault(hit.label, []).append(hit.name)
    reasons = dict.fromkeys(map(reason, rules))
    named = [f"{join_names(names)} also matched, for {label}" for label, names in rules.items()]
    return f" {'; '.join(named)}, but {join_names(list(reasons))}." if named else ""
