"""The order of the review: by what is fixed and broken of the held-out texts."""

from __future__ import annotations

from types import SimpleNamespace

from re2nn_core.services.rule_review.change_effects import ChangeEffect, best_first


def test_the_order_is_that_of_the_figures_that_are_shown() -> None:
    effects = {
        "loses": effect([0, 1, 2], [], -0.1),  # F1 can fall while texts are fixed
        "one": effect([0], [], 0.2),
        "two of them": effect([0, 1], [], 0.1),
        "trained": effect([9, 8, 7], [], 0.0),
        "nothing": effect([], [], 0.0),
    }
    order = best_first(effects, ("nothing", "loses", "one", "trained", "two of them", "nobody"), range(5))
    assert order == ("two of them", "one", "trained", "nothing", "loses")


def effect(fixed: list[int], broken: list[int], gain: float) -> ChangeEffect:
    return ChangeEffect(None, None, SimpleNamespace(fixed=fixed, broken=broken), gain)
