"""Spans guessed from few annotated texts: words that none of them holds, tags in their order, any text."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest

from re2nn_core.proposals.slot_filling import span_guesses
from re2nn_core.proposals.slot_filling.neighbour_vectors import neighbour_vectors
from re2nn_core.proposals.slot_filling.span_guesses import SpanGuesser
from re2nn_core.proposals.slot_filling.word_row import WordRow, span_row, word_row
from re2nn_core.text.spans import Span

KNOWN, NEW = ("rome", "oslo", "bonn"), ("bern", "kyiv", "riga")
SLOTS = ("from", "to")


def row_of(sentences: Sequence[Sequence[str]]) -> WordRow:
    return word_row(sentences, np.zeros(len(sentences), dtype=np.int64))


def guesser(sentences: Sequence[Sequence[str]], spans: Sequence[Sequence[Span]]) -> SpanGuesser:
    """Of texts of which the first ones are annotated."""
    row = row_of(sentences)
    gold = span_row(row, [*spans, *[()] * (len(sentences) - len(spans))], SLOTS)
    return SpanGuesser(row, gold, np.arange(len(sentences)) < len(spans), SLOTS)


def trips() -> tuple[list[list[str]], list[tuple[Span, ...]]]:
    """Annotated texts with cities that are known, and further ones with all."""
    pairs = list(itertools.permutations(KNOWN, 2))
    known = [f"fly from {a} to {b}".split() for a, b in pairs]
    spans = [(Span(2, 3, "from"), Span(4, 5, "to"))] * len(pairs)
    return [*known, *(f"fly from {a} to {b}".split() for a, b in itertools.permutations(KNOWN + NEW, 2))], spans


def test_words_that_no_annotated_text_holds_are_spans_where_like_ones_are() -> None:
    sentences, spans = trips()
    annotated = np.arange(len(sentences)) < len(spans)
    found = guesser(sentences, spans).guess(annotated, ~annotated)
    assert set(found.spans) == {(Span(2, 3, "from"), Span(4, 5, "to"))}
    assert (found.confidence > 0.5).all()


def test_words_in_like_places_have_near_vectors() -> None:
    sentences = [*trips()[0], ["once"]]
    row = row_of(sentences)
    vectors = neighbour_vectors(row)
    vector = {name: vectors[number] for number, name in enumerate(row.names)}
    assert vector["bern"] @ vector["rome"] > 0.8 > 0.3 > abs(vector["bern"] @ vector["from"])
    assert not vector["once"].any()
    assert not vector["BOS"].any()


@pytest.mark.parametrize("seed", range(6))
def test_the_best_row_of_tags_is_the_best_of_all_that_are_allowed(seed: int) -> None:
    """Against all rows of tags, written out."""
    scores = np.random.default_rng(seed).normal(size=(3, 4, 5))  # B-x B-y I-x I-y O
    follows = {2: (0, 2), 3: (1, 3)}
    best = span_guesses._best_tags(scores)
    for text in range(3):
        allowed = (
            tags
            for tags in itertools.product(range(5), repeat=4)
            if all(tag < 2 or tag == 4 or (at > 0 and tags[at - 1] in follows[tag]) for at, tag in enumerate(tags))
        )
        expected = max(allowed, key=lambda tags: sum(scores[text, at, tag] for at, tag in enumerate(tags)))
        assert tuple(best[text].tolist()) == expected


def test_texts_of_any_length_and_none() -> None:
    drawn = random.Random(0)
    sentences = [drawn.choices(KNOWN, k=length) for length in (2, 1, 0, 9, 40)]
    seen, asked = np.asarray([1, 1, 0, 0, 0]) > 0, np.asarray([0, 0, 1, 1, 1]) > 0
    found = guesser(sentences, [(Span(0, 2, "to"),), ()]).guess(seen, asked)
    assert len(found.spans) == len(found.confidence) == 3
    assert found.spans[0] == ()
    none = guesser(sentences, [(), ()]).guess(seen, asked)
    assert none.spans == ((), (), ())
    assert guesser([], []).guess(seen[:0], asked[:0]).spans == ()
