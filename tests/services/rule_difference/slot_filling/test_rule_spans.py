"""Texts in which one rule marks other words than before."""

from __future__ import annotations

from re2nn_core.services.rule_difference.slot_filling.rule_spans import ChangedSpans, changed_spans, evaluated
from re2nn_core.text.spans import Span

CITY, TOWN, DAY = Span(3, 7, "city"), Span(3, 7, "town"), Span(11, 17, "day")


def test_each_text_stands_once_the_most_frequent_first() -> None:
    texts = ["to oslo", "to rome", "to rome", "to oslo on monday", "stays"]
    before = {0: (CITY,), 3: (CITY,), 4: (CITY,)}
    after = {1: (CITY,), 2: (CITY,), 3: (TOWN, DAY), 4: (CITY,)}
    assert changed_spans(texts, before, after) == [
        ChangedSpans((1, 2), (CITY,), ()),
        ChangedSpans((0,), (), (CITY,)),
        ChangedSpans((3,), (TOWN, DAY), (CITY,)),
    ]


def test_new_spans_are_judged_in_marked_texts_alone() -> None:
    changed = [ChangedSpans((0, 1, 2), (TOWN, DAY), (CITY,))]
    assert evaluated(changed, {0: (TOWN, DAY), 1: (DAY,), 2: None}) == (3, 1)
