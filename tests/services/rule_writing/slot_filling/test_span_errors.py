"""Counts of spans, and the kinds of error: each span is right or in one error."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.projects.span_samples import marked

from re2nn_core.services.rule_writing.slot_filling.span_errors import ERROR_KINDS, SpanError, meeting, span_errors
from re2nn_core.text.spans import Span, token_spans
from re2nn_core.training.span_scores import span_scores

TAGS = st.sampled_from(["O", "B-x", "I-x", "B-y", "I-y", "B-z-z", "I-z-z"])


def only(gold: list[Span], predictions: list[Span]) -> list[tuple[str, Span | None, Span | None]]:
    """The errors of one text as (kind, gold, prediction)."""
    return [(error.kind, error.gold, error.prediction) for error in span_errors([gold], [predictions])]


A, B = Span(0, 2, "a"), Span(2, 5, "b")
FRONT, BACK, BACK_A = Span(2, 3, "b"), Span(3, 5, "b"), Span(3, 5, "a")  # parts of B


@pytest.mark.parametrize(
    ("gold", "predictions", "expected"),
    [
        ([A, B], [A, B], []),
        ([A], [Span(0, 1, "a")], [("boundary", A, Span(0, 1, "a"))]),
        ([A], [Span(0, 2, "b")], [("type", A, Span(0, 2, "b"))]),
        ([A], [Span(1, 3, "b")], [("both", A, Span(1, 3, "b"))]),
        ([A], [], [("missed", A, None)]),
        ([], [A], [("invented", None, A)]),
        # Spans that only touch have nothing in common.
        ([A], [B], [("missed", A, None), ("invented", None, B)]),
        # A span that was cut in two: one of the halves is the wrong border, the other one is invented.
        (
            [B],
            [Span(2, 3, "b"), Span(3, 5, "b")],
            [("invented", None, Span(2, 3, "b")), ("boundary", B, Span(3, 5, "b"))],
        ),
        # The right slot goes before a longer part in common.
        (
            [B],
            [Span(2, 3, "b"), Span(3, 5, "a")],
            [("boundary", B, Span(2, 3, "b")), ("invented", None, Span(3, 5, "a"))],
        ),
        # Two in one: it can stand for one of them alone.
        ([A, B], [Span(0, 5, "b")], [("missed", A, None), ("boundary", B, Span(0, 5, "b"))]),
    ],
)
def test_the_kinds_of_errors(
    gold: list[Span], predictions: list[Span], expected: list[tuple[str, Span | None, Span | None]]
) -> None:
    found = only(gold, predictions)
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_errors_stand_in_the_order_of_texts_and_places() -> None:
    errors = span_errors([[A, B], [], [A]], [[A], [A], []])
    assert errors == (
        SpanError(0, "missed", B, None),
        SpanError(1, "invented", None, A),
        SpanError(2, "missed", A, None),
    )


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=8), min_size=1, max_size=4))
def test_every_span_is_right_or_in_one_error(pairs: list[list[tuple[str, str]]]) -> None:
    gold, predictions = ([[pair[side] for pair in sentence] for sentence in pairs] for side in (0, 1))
    scores = span_scores(gold, predictions)
    counts = Counter(
        error.kind for error in span_errors(*([token_spans(s) for s in tags] for tags in (gold, predictions)))
    )
    paired = counts["boundary"] + counts["type"] + counts["both"]
    assert scores.right + paired + counts["missed"] == scores.support
    assert scores.right + paired + counts["invented"] == scores.found
    assert set(counts) <= set(ERROR_KINDS)


def test_every_kind_of_mistake_names_the_span_it_is_about() -> None:
    text = marked("from rome to new york on friday", ("rome", "a"), ("new york", "b"), ("friday", "c"))
    rome, york, friday = text.spans or ()
    predictions = marked(text.text, ("rome", "x"), ("york", "b"), ("on friday", "x"), ("from", "a"), ("to", "y")).spans
    assert {
        text.text[error.prediction.start : error.prediction.end]: (error.kind, error.gold)
        for error in span_errors([text.spans or ()], [predictions or ()])
        if error.prediction is not None
    } == {
        "from": ("invented", None),
        "rome": ("type", rome),
        "to": ("invented", None),
        "york": ("boundary", york),
        "on friday": ("both", friday),
    }


def test_spans_meet_where_they_have_a_word_in_common() -> None:
    assert meeting(FRONT, [A, B, BACK]) == [B]
    assert meeting(Span(0, 9, "x"), [A, B]) == [A, B]
