"""Spans are counted as seqeval does, and as they are read everywhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics import f1_score, precision_score, recall_score

from re2nn_core.text.spans import Span, token_spans
from re2nn_core.training.span_scores import SpanScores, span_scores, span_scores_by_slot

TAGS = ("O", "O", "B-a", "I-a", "B-b", "I-b", "B-a-b", "I-a-b")
Sentences = list[list[str]]
pairs = st.lists(st.lists(st.tuples(st.sampled_from(TAGS), st.sampled_from(TAGS)), max_size=6), max_size=5)


def split(sentences: list[list[tuple[str, str]]]) -> tuple[Sentences, Sentences]:
    """Gold tags and predictions."""
    return ([[pair[place] for pair in one] for one in sentences] for place in (0, 1))


def spans(sentences: Sentences) -> set[tuple[int, Span]]:
    return {(place, span) for place, tags in enumerate(sentences) for span in token_spans(tags)}


@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.UndefinedMetricWarning", "ignore:.*seqeval.*", "ignore::UserWarning"
)
@given(pairs)
def test_random_tags(sentences: list[list[tuple[str, str]]]) -> None:
    gold, predictions = split(sentences)
    found = span_scores(gold, predictions)
    there, given_spans = spans(gold), spans(predictions)
    right = len(there & given_spans)
    assert (found.support, found.found, found.right) == (len(there), len(given_spans), right)
    assert found.precision == pytest.approx(right / len(given_spans) if given_spans else 0)
    assert found.recall == pytest.approx(right / len(there) if there else 0)
    assert found.f1 == pytest.approx(2 * right / (len(there) + len(given_spans)) if there or given_spans else 0)
    if there or given_spans:
        by_seqeval = [score(gold, predictions, zero_division=0) for score in (precision_score, recall_score, f1_score)]
        assert [found.precision, found.recall, found.f1] == pytest.approx(by_seqeval)


@given(pairs)
def test_slots_one_by_one(sentences: list[list[tuple[str, str]]]) -> None:
    gold, predictions = split(sentences)
    found = span_scores_by_slot(gold, predictions)
    there, given_spans = spans(gold), spans(predictions)
    assert set(found) == {span.slot for _, span in there | given_spans}
    for slot, scores in found.items():
        own = [{pair for pair in part if pair[1].slot == slot} for part in (there, given_spans)]
        assert (scores.support, scores.found, scores.right) == (len(own[0]), len(own[1]), len(own[0] & own[1]))
        assert scores.f1 == pytest.approx(2 * scores.right / (scores.support + scores.found))
    assert list(found) == sorted(found, key=lambda slot: (-found[slot].support, slot))


@pytest.mark.parametrize(
    ("gold", "prediction", "right", "support", "found"),
    [
        ("O O", "O O", 0, 0, 0),
        ("B-a O", "B-a O", 1, 1, 1),
        ("B-a I-a", "B-a O", 0, 1, 1),
        ("B-a I-a", "B-a B-a", 0, 1, 2),
        ("B-a I-a", "I-a I-a", 1, 1, 1),  # an I that continues nothing begins a span
        ("B-a I-a", "B-a I-b", 0, 1, 2),
        ("B-a", "B-b", 0, 1, 1),
        ("B-a B-a O B-b", "B-a B-a O O", 2, 3, 2),
        ("O O O", "B-a I-a O", 0, 0, 1),
        ("B-a I-a O", "O O O", 0, 1, 0),
        ("B-a-b I-a-b", "B-a-b I-a-b", 1, 1, 1),
    ],
)
def test_by_hand(gold: str, prediction: str, right: int, support: int, found: int) -> None:
    scores = span_scores([gold.split()], [prediction.split()])
    assert (scores.right, scores.support, scores.found) == (right, support, found)
    assert scores.precision == (right / found if found else 0)
    assert scores.recall == (right / support if support else 0)
    assert scores.f1 == pytest.approx(2 * right / (support + found) if support + found else 0)


def test_spans_of_different_sentences_are_different() -> None:
    """A span at the end of one sentence does not run on into the next one."""
    assert span_scores([["B-a"], ["I-a"]], [["B-a"], ["O"]]) == SpanScores(1.0, 0.5, pytest.approx(2 / 3), 2, 1, 1)
    assert span_scores([["B-a"], ["O"]], [["O"], ["B-a"]]).right == 0


def test_nothing() -> None:
    assert span_scores([], []) == SpanScores(0.0, 0.0, 0.0, 0, 0, 0)
    assert span_scores([[]], [[]]) == SpanScores(0.0, 0.0, 0.0, 0, 0, 0)
    assert span_scores_by_slot([["O"]], [["O"]]) == {}


def test_sentences_and_words_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        span_scores([["B-a"], ["O"]], [["B-a"]])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        span_scores([["B-a", "O"]], [["B-a"]])
