"""Scores and errors of spans: seqeval's definitions, five kinds of error, and how often rules and network agree."""

from __future__ import annotations

from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from slot_command_line import GIVEN, RIGHT, SLOT_RULES, SLOT_TEXTS, SPANS

from re2nn_core.services.slot_evaluation import ERROR_KINDS, SpanError, evaluate_slots, span_errors
from re2nn_core.services.slot_systems import SlotSystem, read_slot_system
from re2nn_core.services.slot_training import untrained_tagger
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span, token_spans
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.span_scores import SpanScores, span_scores

TAGS = st.sampled_from(["O", "B-x", "I-x", "B-y", "I-y", "B-z-z", "I-z-z"])


def system(rules: str = SLOT_RULES) -> SlotSystem:
    return read_slot_system(rules, None, Tokenization())[0]


def corpus(*more: Example) -> Corpus:
    marked = [Example(text, None, None, tuple(Span(*span) for span in spans)) for text, spans in SLOT_TEXTS]
    return Corpus((*marked, *more))


def only(gold: list[Span], answers: list[Span]) -> list[tuple[str, Span | None, Span | None]]:
    """The errors of one text as (kind, gold, answer)."""
    return [(error.kind, error.gold, error.answer) for error in span_errors([gold], [answers])]


A, B = Span(0, 2, "a"), Span(2, 5, "b")
FRONT, BACK, BACK_A = Span(2, 3, "b"), Span(3, 5, "b"), Span(3, 5, "a")  # parts of B


@pytest.mark.parametrize(
    ("gold", "answers", "expected"),
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
    gold: list[Span], answers: list[Span], expected: list[tuple[str, Span | None, Span | None]]
) -> None:
    found = only(gold, answers)
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
    gold, answers = ([[pair[side] for pair in sentence] for sentence in pairs] for side in (0, 1))
    scores = span_scores(gold, answers)
    counts = Counter(error.kind for error in span_errors(*([token_spans(s) for s in tags] for tags in (gold, answers))))
    paired = counts["boundary"] + counts["type"] + counts["both"]
    assert scores.right + paired + counts["missed"] == scores.support
    assert scores.right + paired + counts["invented"] == scores.found
    assert set(counts) <= set(ERROR_KINDS)


def test_rules_and_their_network_are_measured_alike() -> None:
    found = evaluate_slots(system(), corpus(Example("to oslo")))
    assert (found.sentences, found.labelled, found.agree, found.differing) == (7, 6, 7, ())
    assert found.agree_tokens == found.tokens == 29
    assert isinstance(found.rules, SpanScores)
    assert (found.rules.support, found.rules.found, found.rules.right) == (SPANS, GIVEN, RIGHT)
    assert found.rules == found.network
    assert found.rules.f1 == pytest.approx(2 * RIGHT / (SPANS + GIVEN))
    assert list(found.slots) == ["to_city", "day", "from_city"]
    assert (found.slots["day"].support, found.slots["day"].rules) == (3, found.slots["day"].network)
    assert found.rules_errors == found.network_errors
    assert [(e.place, e.kind) for e in found.rules_errors] == [(3, "boundary"), (4, "missed")]
    # Errors count characters.
    assert found.rules_errors[0].gold == Span(18, 30, "day")
    assert found.rules_errors[0].answer == Span(18, 24, "day")


def test_a_planted_difference_is_seen() -> None:
    texts = corpus()
    bundle = untrained_tagger(system(), texts.texts)
    with torch.no_grad():
        bundle.network.bias[bundle.network.tags.index("B-day")] = 9
    found = evaluate_slots(system(), texts, bundle)
    assert 0 < len(found.differing) == found.sentences - found.agree
    assert found.agree_tokens < found.tokens
    assert found.network is not None
    assert found.rules is not None
    assert found.network.precision < found.rules.precision
    assert {error.kind for error in found.network_errors} >= {"invented"}


def test_nothing_is_marked() -> None:
    found = evaluate_slots(system(), Corpus((Example("to oslo"), Example("on friday"))))
    assert (found.labelled, found.rules, found.network, found.slots) == (0, None, None, {})
    assert found.rules_errors == ()
    assert found.agree == 2


def test_nothing_is_there_and_nothing_is_given() -> None:
    found = evaluate_slots(system(), Corpus((Example("hello", spans=()),)))
    assert found.rules == SpanScores(0.0, 0.0, 0.0, 0, 0, 0)
    assert found.slots == {}
