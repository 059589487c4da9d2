"""What rules and the default label were worth on labelled texts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from re2nn_core.services.prediction.classification.rule_precision import MeasuredRules, measure_rules
from re2nn_core.services.prediction.precision import Precision
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.tokenization import Tokenization

RULES = """
[spam]
free := $* free $*
win := $* win $*
[ham]
mum := $* mum $*
"""
TEXTS = ("free win", "free mum", "win", "mum", "hello", "bye")


def system(logic: str = 'default = "ham"\npriorities = ["spam > ham"]') -> RuleSystem:
    return read_system(RULES, logic, Tokenization(), rules_file="rules", logic_file="logic")[0]


def measured(gold: Sequence[str | None], logic: str | None = None) -> MeasuredRules:
    rules = system() if logic is None else system(logic)
    return measure_rules(rules, rules.matched(TEXTS), gold)


def test_each_rule_is_measured_where_it_decides() -> None:
    found = measured(("spam", "ham", "spam", "ham", "spam", "ham"))
    assert found == MeasuredRules(
        # "free mum" is free's by the priority, so it is no text of mum.
        (("free", Precision(1, 2)), ("win", Precision(2, 2)), ("mum", Precision(1, 1))),
        default=Precision(1, 2),
    )


def test_texts_without_a_label_count_for_nothing() -> None:
    assert measured((None,) * 6) == MeasuredRules()
    assert measured((None, None, None, "ham", None, None)) == MeasuredRules((("mum", Precision(1, 1)),))


def test_a_label_that_no_rule_knows_is_a_wrong_prediction() -> None:
    found = measured(("other", None, None, None, "other", None))
    assert (found.of("free"), found.of("win"), found.default) == (Precision(0, 1), Precision(0, 1), Precision(0, 1))


def test_without_a_default_label_none_is_measured() -> None:
    assert measured(("spam", "ham", "spam", "ham", "spam", "ham"), 'priorities = ["spam > ham"]').default is None


@pytest.mark.parametrize(
    ("rules", "best"),
    [
        (("free", "win"), Precision(50, 50)),
        (("free",), Precision(1, 1)),
        (("other",), None),
        ((), None),
    ],
)
def test_of_rules_together_the_one_that_can_be_trusted_most(rules: Sequence[str], best: Precision | None) -> None:
    found = MeasuredRules((("free", Precision(1, 1)), ("win", Precision(50, 50))))
    assert found.best_of(rules) == best
