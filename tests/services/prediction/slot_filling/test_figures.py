"""What rules and a network get right and wrong, slot by slot, and the texts behind each figure."""

from __future__ import annotations

import pytest

from re2nn_core.services.prediction.slot_filling.figures import (
    SpanFigures,
    behind_errors,
    behind_figure,
    measure_slots,
    slot_of_error,
)
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanError
from re2nn_core.text.spans import Span

CITY, LONGER, DAY, NIGHT = Span(0, 4, "city"), Span(0, 9, "city"), Span(10, 14, "day"), Span(10, 14, "night")
GOLD = ((CITY, DAY), (LONGER,), (), (DAY,))
RULES = ((CITY,), (CITY,), (DAY,), ())
NETWORK = ((CITY, NIGHT), (LONGER,), (), (DAY,))


@pytest.fixture
def found() -> SpanFigures:
    return measure_slots(GOLD, RULES, NETWORK)


def test_each_slot_is_counted_for_both(found: SpanFigures) -> None:
    counts = {entry.slot: (entry.rules, entry.network) for entry in found.slots}
    assert list(counts) == ["city", "day", "night"]
    rules, network = counts["city"]
    assert (rules.marked, rules.given, rules.right) == (2, 2, 1)
    assert (network.precision, network.recall, network.f1) == (1.0, 1.0, 1.0)
    assert counts["night"][1].precision == 0.0
    assert (found.rules.counts.f1, found.network.counts.f1) == pytest.approx((2 / 7, 6 / 8))


def test_errors_are_counted_by_kind(found: SpanFigures) -> None:
    assert {kind: found.rules.count(kind) for kind in ("missed", "invented", "boundary", "type", "both")} == {
        "missed": 2,
        "invented": 1,
        "boundary": 1,
        "type": 0,
        "both": 0,
    }
    assert (found.network.count("type"), found.network.count("type", "day")) == (1, 1)
    assert found.network.count("type", "night") == 0  # it is about the marked slot
    assert found.rules.count("missed", "city") == 0


def test_texts_behind_a_figure_have_the_mistaken_ones_in_front(found: SpanFigures) -> None:
    assert behind_figure(GOLD, found.rules, "city", "precision") == ([1, 0], 1)
    assert behind_figure(GOLD, found.rules, "day", "recall") == ([0, 3], 2)
    assert behind_figure(GOLD, found.rules, "day", "precision") == ([2], 1)
    assert behind_figure(GOLD, found.rules, "day", "f1") == ([0, 2, 3], 3)
    assert behind_figure(GOLD, found.network, None, "f1") == ([0, 1, 3], 1)
    assert behind_figure(GOLD, found.network, "night", "recall") == ([], 0)


def test_texts_behind_errors(found: SpanFigures) -> None:
    assert behind_errors(found.rules, "missed", None) == [0, 3]
    assert behind_errors(found.rules, None, None) == [0, 1, 2, 3]
    assert behind_errors(found.rules, None, "city") == [1]
    assert behind_errors(found.network, "type", "day") == [0]


def test_an_error_is_about_the_marked_slot() -> None:
    assert slot_of_error(SpanError(0, "type", DAY, NIGHT)) == "day"
    assert slot_of_error(SpanError(0, "invented", None, NIGHT)) == "night"
    with pytest.raises(ValueError, match="a span that there is"):
        slot_of_error(SpanError(0, "missed", None, None))


def test_nothing_marked_and_nothing_given_has_no_figures() -> None:
    empty = measure_slots([(), ()], [(), ()], [(), ()])
    assert (empty.slots, empty.rules.counts.f1) == ((), None)
