"""Where a prediction comes from, in a sentence: the largest part of the score is named, whichever it is."""

from __future__ import annotations

import pytest

from re2nn_core.services.explanation.classification.decision_reason import because_of
from re2nn_core.services.explanation.classification.explanation import LabelSum, PathStep, RulePart, RulePath

FARE = LabelSum("fare", 0.02, 0.0, 0.0, 0.02, 0.02)


@pytest.mark.parametrize(
    ("rules", "logic", "outside", "default", "said"),
    [
        (-0.01, 0.5, 0.0, "flight", "the largest part is what the default label has without any rule (+0.50)."),
        (-0.01, 0.5, 0.0, None, "the largest part is what label logic gives it without any rule (+0.50)."),
        (0.3, 0.5, 0.1, "flight", "the largest part is what the default label has without any rule (+0.50)."),
        (0.6, 0.5, 0.1, "flight", "the largest part comes from the rule to (+0.60), which matches."),
        (0.1, 0.0, 0.4, "flight", "the largest part comes from outside the rules (+0.40)."),
    ],
)
def test_the_largest_part_is_named(rules: float, logic: float, outside: float, default: str | None, said: str) -> None:
    total = rules + logic + outside
    own = LabelSum("flight", rules, logic, outside, total, 0.9)
    part = RulePart("to", "flight", True, 1.0, rules, {"flight": rules, "fare": 0.0})
    assert because_of((own, FARE), (part,), "flight", default) == (
        f"The trained network scores flight {total:.2f}, fare comes next with 0.02; {said}"
    )


def test_rules_that_are_the_largest_part_only_together_are_named_together() -> None:
    own = LabelSum("flight", 0.28, 0.0, 0.26, 0.54, 0.6)
    parts = [
        RulePart(name, "flight", False, 0.0, added, {"flight": added, "fare": 0.0})
        for name, added in (("to", 0.15), ("go", 0.13))
    ]
    assert because_of((own, FARE), parts, "flight", None) == (
        "The trained network scores flight 0.54, fare comes next with 0.02; "
        "the largest part comes from several rules together (+0.28)."
    )


def test_a_path_alone_is_clamped_behind_each_word() -> None:
    edges = (1.34, 0.5, 3.0, -0.5)
    steps = tuple(PathStep("w", 0, 0, "$", 1.0, edge) for edge in edges)
    assert RulePath("r", "l", 1.02 * 1.34, 1.02, 1.0, steps[:1]).alone == 1.0
    assert RulePath("r", "l", 0.0, 1.0, 0.9, steps[:2]).alone == pytest.approx(0.45)
    assert RulePath("r", "l", 0.0, 1.0, 0.9, steps[:3]).alone == pytest.approx(0.9)
    assert RulePath("r", "l", 0.0, 1.0, 0.9, steps).alone == 0.0
