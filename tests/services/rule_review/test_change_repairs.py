"""Changes that repair what others break: which texts count, and what that is worth."""

from __future__ import annotations

from types import SimpleNamespace

from re2nn_core.services.rule_review.change_repairs import Repair, repair_of, repaired_by_rule, repaired_texts

_NONE = frozenset[object]()


def errors(*names: str) -> frozenset[object]:
    return frozenset(names)


def test_a_text_is_repaired_where_none_of_the_errors_that_came_is_left() -> None:
    before = [errors("missing"), _NONE, _NONE, _NONE]
    alone = [errors("missing", "half a span"), errors("label"), errors("label"), _NONE]
    assert repaired_texts(before, alone, [_NONE, _NONE, errors("label"), _NONE]) == 2


def test_another_error_of_the_same_text_that_goes_repairs_nothing() -> None:
    """A text of several slots in which the other change does what it does alone."""
    assert repaired_texts([errors("city")], [errors("city", "cabin")], [errors("cabin")]) == 0


def test_a_repair_that_costs_other_texts_is_not_harmless() -> None:
    def moved(broken: int) -> SimpleNamespace:
        return SimpleNamespace(fixed=range(9), broken=range(broken))

    assert repair_of(6, moved(0), [0.0, 0.01]) == Repair(6, harmless=True, clear=True)
    assert repair_of(2, moved(0), [0.0]) == Repair(2, harmless=True, clear=False)
    assert repair_of(6, moved(0), [0.1, -0.01]) == Repair(6)
    assert repair_of(6, moved(6), [0.0]) == Repair(6)


def test_what_a_change_repairs_by_the_rule_that_breaks_it() -> None:
    repairs = {"cabin": {"premium": Repair(6)}, "day": {"month": Repair(2)}}
    assert repaired_by_rule(repairs, "premium") == {"cabin": Repair(6)}
