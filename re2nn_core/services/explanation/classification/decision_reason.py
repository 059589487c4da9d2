"""Who speaks instead, for labels: rules, the default label or nobody; and what decides where several speak equally."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from re2nn_core.rules.logic.decisions import Decision
from re2nn_core.services.explanation.classification.explanation import LabelSum, RulePart
from re2nn_core.services.explanation.why_not import Winner
from re2nn_core.services.rule_systems.classification.deciding_rules import decided_by
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.joined_names import first_names, join_names

_SAME = 0.005  # figures that differ by less are shown as the same
_COUNTS = 0.05
_LISTED = 8


def winner_of(system: RuleSystem, matched: Collection[str], decision: Decision, wanted: str = "") -> Winner:
    """What decides; no sentence where it is the label that was asked for."""
    row = np.asarray([name in matched for name in system.rule_names])
    prediction, by_default = decision.label, not decision.active and decision.label is not None
    rules = () if by_default else decided_by(system, row, prediction)
    if prediction is None:
        message = "No rule decides this text and there is no default label, so the rules make no prediction."
    elif by_default:
        message = f"No rule decides this text, so the prediction is the default label {prediction}."
    elif rules:
        message = f"{_matches(rules)}, so the rules predict {prediction}."
    else:
        message = f"The label logic predicts {prediction}: its formula holds without a matching rule."
    return Winner(prediction, rules, by_default, "" if prediction == wanted else message)


def _matches(rules: Sequence[str]) -> str:
    return f"{named_in_sentence(rules)} {'matches' if len(rules) == 1 else 'match'}"


def because_of(sums: Sequence[LabelSum], parts: Sequence[RulePart], prediction: str | None, default: str | None) -> str:
    """Where the largest part of a trained network's score comes from, in a sentence; `default` is its default label."""
    own = next((one for one in sums if one.label == prediction), None)
    if own is None:
        return ""
    rivals = [one for one in sums if one.label != prediction]
    ahead = f", {rivals[0].label} comes next with {rivals[0].total:.2f}" if rivals else ""
    strongest = max(parts, key=lambda part: part.added[own.label], default=None)
    by_rule = strongest.added[own.label] if strongest is not None else 0.0
    if strongest is not None and by_rule >= max(own.outside, own.logic, _COUNTS):
        matches = "matches" if strongest.matches else "does not match as written"
        most = f"the largest part comes from the rule {strongest.rule} ({by_rule:+.2f}), which {matches}"
    elif own.rules >= max(own.outside, own.logic, _COUNTS):
        most = f"the largest part comes from several rules together ({own.rules:+.2f})"
    elif own.logic > own.outside:
        who = "the default label has" if own.label == default else "label logic gives it"
        most = f"the largest part is what {who} without any rule ({own.logic:+.2f})"
    else:
        most = f"the largest part comes from outside the rules ({own.outside:+.2f})"
    return f"The trained network scores {own.label} {own.total:.2f}{ahead}; {most}."


def label_ties(decision: Decision, sums: Sequence[LabelSum], *, trained: bool) -> list[str]:
    """Labels with equal claims, and what decides: of rules those that are active, of a network equal scores."""
    if not trained:
        if len(decision.active) < 2:
            return []
        return [
            f"{named_in_sentence(decision.active)} {_all(decision.active)} match, and none has priority over another: "
            f"{decision.active[0]} comes first in the label logic, so it is predicted."
        ]
    same = [one.label for one in sums if abs(one.total - sums[0].total) < _SAME]
    if len(same) < 2:
        return []
    return [
        f"{named_in_sentence(same)} have the same score, {sums[0].total:.2f}, to two decimals; further decimals decide."
    ]


def rule_ties(parts: Sequence[RulePart], label: str | None) -> list[str]:
    """Rules that add the same, and most, to a label."""
    best = max((part.added[label] for part in parts), default=0.0) if label is not None else 0.0
    if label is None or best < _COUNTS:
        return []
    same = [part.rule for part in parts if abs(part.added[label] - best) < _SAME]
    if len(same) < 2:
        return []
    return [
        f"{named_in_sentence(same)} add the same to {label}, {best:+.2f} each: what is bounded is shared among equals."
    ]


def named_in_sentence(names: Sequence[str]) -> str:
    """Names as a sentence lists them, the first of many."""
    if len(names) > _LISTED or len(names) < 2:
        return first_names(names, _LISTED)
    return join_names(names)


def _all(names: Sequence[str]) -> str:
    return "both" if len(names) == 2 else "all"
