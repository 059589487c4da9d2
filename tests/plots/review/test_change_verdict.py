"""Whether to accept a change, in a sentence: held-out texts decide, and what others say stands behind."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from re2nn_core.plots.review.change_verdict import ChangeFigures, verdict_as_html

_BASE = "102 held-out test texts"
_TRAINED = (("Training texts", 12, 1),)
CASES = {
    "gains": (
        ChangeFigures(_BASE, (5, 0), _TRAINED, 0, 0.05),
        "Recommended: fixes 5 and breaks 0 of 102 held-out test texts.",
    ),
    "one text gains": (
        ChangeFigures(_BASE, (1, 0), _TRAINED, 0, 0.01, weak="few"),
        "Thin evidence: fixes 1 and breaks 0 of 102 held-out test texts.",
    ),
    "common words alone gain": (
        ChangeFigures(_BASE, (3, 0), _TRAINED, 0, 0.03, weak="common"),
        "Only common words: fixes 3 and breaks 0 of 102 held-out test texts.",
    ),
    "texts that do not decide break": (
        ChangeFigures(
            _BASE, (4, 0), _TRAINED, 0, 0.04, elsewhere=(("train text", 5), ("dev text", 0), ("other text", 1))
        ),
        "Recommended: fixes 4 and breaks 0 of 102 held-out test texts. Also breaks 5 train texts and 1 other text.",
    ),
    "two texts lose": (
        ChangeFigures(_BASE, (0, 2), _TRAINED, 0, -0.02, weak="few"),
        "Not recommended: fixes 0 and breaks 2 of 102 held-out test texts.",
    ),
    "loses": (
        ChangeFigures(_BASE, (0, 2), _TRAINED, 0, -0.02),
        "Not recommended: fixes 0 and breaks 2 of 102 held-out test texts.",
    ),
    "only training texts gain": (
        ChangeFigures(_BASE, (0, 0), _TRAINED, 0, 0.0),
        "No gain: fixes 0 and breaks 0 of 102 held-out test texts.",
    ),
    "F1 falls while more texts are fixed": (
        ChangeFigures(_BASE, (2, 1), _TRAINED, 0, -0.003, "F1"),
        "Not recommended: fixes 2 and breaks 1 of 102 held-out test texts, F1 -0.3 points.",
    ),
    "nothing is held out": (
        ChangeFigures("", (0, 0), _TRAINED, 0, None),
        "No recommendation: there are no held-out texts, so the effect on new texts is unknown.",
    ),
    "it gains, and a test sentence is against it": (
        ChangeFigures(_BASE, (5, 0), _TRAINED, 0, 0.05, stopped=True),
        "Test sentence fails: fixes 5 and breaks 0 of 102 held-out test texts.",
    ),
    "it loses, and a test sentence is against it": (
        ChangeFigures(_BASE, (0, 2), _TRAINED, 0, -0.02, stopped=True),
        "Test sentence fails: fixes 0 and breaks 2 of 102 held-out test texts.",
    ),
    "versions are not accepted": (
        ChangeFigures("9 test texts", (1, 0), _TRAINED, 0, 0.1, advice=False),
        "Better: fixes 1 and breaks 0 of 9 test texts.",
    ),
}


@pytest.mark.parametrize(("figures", "expected"), CASES.values(), ids=list(CASES))
def test_held_out_texts_decide(figures: ChangeFigures, expected: str) -> None:
    shown = re.sub(r"<[^>]*>", "", verdict_as_html(figures))
    assert shown == f"{expected} Training texts: 12 fixed, 1 broken."


def test_texts_of_which_none_moves_are_not_named() -> None:
    """“Test texts: 0 fixed, 0 broken” stood on most cards, and nothing followed from it."""
    figures = ChangeFigures(_BASE, (5, 0), (("Test texts", 0, 0),), 0, 0.05)
    assert plain(figures) == "Recommended: fixes 5 and breaks 0 of 102 held-out test texts."


def test_other_predictions_are_counted_where_nothing_else_moves() -> None:
    shown = verdict_as_html(ChangeFigures(_BASE, (0, 0), (), 3, 0.0))
    assert "3 other predictions change." in shown
    assert "other" not in verdict_as_html(ChangeFigures(_BASE, (1, 0), (), 3, 0.01))


def plain(figures: ChangeFigures) -> str:
    return re.sub(r"<[^>]*>", "", verdict_as_html(figures))


def test_what_repairs_a_recommended_change_is_recommended_with_it() -> None:
    alone = ChangeFigures(_BASE, (0, 0), (), 0, 0.0, repairs=(("cabin", 6, False),))
    assert plain(alone).startswith("No gain: fixes 0 and breaks 0 of 102 held-out test texts.")
    safe = replace(alone, safely="up")
    assert plain(safe).startswith("Recommended with cabin: ")
    assert plain(safe).endswith(" Repairs 6 texts that cabin breaks: accept both.")
    recommended = replace(safe, gain=0.1, safely="", repairs=(("airline", 2, False),))
    assert plain(recommended).endswith(" Repairs 2 texts that airline breaks.")  # which may be not recommended
    assert plain(replace(alone, safely="thin")).startswith("Thin evidence: ")
    assert plain(replace(safe, stopped=True)).startswith("Test sentence fails: ")
    assert plain(replace(safe, gain=-0.01)).startswith("Not recommended: ")
    taken = replace(safe, repairs=(("cabin", 6, True),))
    assert plain(taken).endswith(" Repairs 6 texts that cabin breaks.")


def test_a_change_that_breaks_texts_names_the_one_that_repairs_them() -> None:
    figures = ChangeFigures(_BASE, (4, 0), (), 0, 0.04, repaired=(("premium", 6),), broken=6)
    assert plain(figures).endswith(" premium repairs 6 of the 6 broken texts.")
    assert 'data-go="premium"' in verdict_as_html(figures)


def test_the_figure_on_test_texts_stands_behind_that_of_dev() -> None:
    """What dev texts gain, which chose the change, was expected of test texts."""
    figures = ChangeFigures("84 dev texts", (13, 0), [("Test texts", 2, 0)], 0, 0.033, "F1", test_gain=0.006)
    assert plain(figures).endswith("F1 +3.3 points. Test texts: 2 fixed, 0 broken, F1 +0.6 points.")
