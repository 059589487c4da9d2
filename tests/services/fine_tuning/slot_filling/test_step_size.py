"""How far training for slots moves from the rules: as far as the F1 of held-out texts confirms, or not at all."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch

from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize, step_between
from re2nn_core.services.fine_tuning.step import most_certain
from re2nn_core.training.span_scores import scores_of_counts

Counts = Sequence[tuple[int, int, int]]  # of each text: spans that are right, that are found, that there are
RIGHT, MISSED, WRONG, NEITHER = (1, 1, 1), (0, 0, 1), (0, 1, 1), (0, 0, 0)


def step(model: Counts, rules: Counts) -> SpanStepSize:
    return step_between(1.0, torch.tensor(model, dtype=torch.float64), torch.tensor(rules, dtype=torch.float64))


def f1(counts: Counts) -> float:
    right, found, there = (sum(column) for column in zip(*counts, strict=True))
    return scores_of_counts(there, found, right).f1


@pytest.mark.parametrize(
    ("model", "rules", "kept"),
    [
        pytest.param([RIGHT, *[RIGHT] * 9], [MISSED, *[RIGHT] * 9], False, id="one text fixed may be chance"),
        pytest.param([RIGHT] * 10, [*[MISSED] * 2, *[RIGHT] * 8], True, id="two fixed and none broken are more"),
        pytest.param([RIGHT], [MISSED], False, id="a single text says nothing"),
        pytest.param([RIGHT] * 10, [RIGHT] * 10, False, id="nothing has changed"),
        pytest.param([*[RIGHT] * 6, *[WRONG] * 4], [*[WRONG] * 5, *[RIGHT] * 5], False, id="one more of nine changes"),
        pytest.param([*[RIGHT] * 9, WRONG], [*[WRONG] * 9, RIGHT], True, id="eight more of ten changes"),
        pytest.param([NEITHER] * 4, [*[WRONG] * 2, *[NEITHER] * 2], False, id="no span is right before or after"),
        pytest.param([*[NEITHER] * 5, *[RIGHT] * 5], [(0, 1, 0)] * 5 + [RIGHT] * 5, True, id="five false spans less"),
    ],
)
def test_training_moves_only_as_held_out_texts_confirm(model: Counts, rules: Counts, kept: bool) -> None:
    found = step(model, rules)
    assert (most_certain([found]) is not None) is kept
    assert found.f1 == pytest.approx(f1(model))
    assert found.gain == pytest.approx(f1(model) - f1(rules))


def test_with_a_span_in_each_text_the_error_is_that_of_pairs() -> None:
    """McNemar: the square root of the texts that differ, over all."""
    found = step([*[RIGHT] * 7, *[WRONG] * 3], [*[WRONG] * 4, *[RIGHT] * 3, RIGHT, *[WRONG] * 2])
    assert (found.gain, found.error) == (pytest.approx(3 / 10), pytest.approx(math.sqrt(5) / 10))


def test_it_says_what_was_measured_and_what_would_help() -> None:
    taken = step([RIGHT] * 4, [*[MISSED] * 2, *[RIGHT] * 2])
    assert taken.in_words == "Against the rules, F1 changes by +33.3 on 4 held-out texts (standard error 23.6)."
    kept = SpanStepSize(0.0, 0.004, 0.012, 50, 0.7)
    assert kept.in_words == (
        "The network stays equal to the rules: with the trained one F1 changes by +0.4 on 50 held-out texts (standard "
        "error 1.2), which is too little to be certain of a gain. At this rate, about 410 more annotated texts would "
        "decide; or write rules for the spans that are missed."
    )
