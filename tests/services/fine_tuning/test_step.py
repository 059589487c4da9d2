"""How many more texts would show a gain that is too small to be certain, and what is advised then."""

from __future__ import annotations

import math

import pytest

from re2nn_core.services.fine_tuning.classification.step_size import StepSize
from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize
from re2nn_core.services.fine_tuning.step import CERTAIN, CERTAIN_FURTHER, more_texts


@pytest.mark.parametrize(
    ("fixed", "broken", "texts", "more"),
    [
        pytest.param(7, 4, 50, 12, id="11 texts differ, by 3: 50 * 11 / 9"),
        pytest.param(1, 0, 30, 1, id="a single one more is certain"),
        pytest.param(10, 9, 413, 7500, id="two digits, rounded up"),
        pytest.param(4, 4, 50, None, id="nothing is gained"),
        pytest.param(3, 5, 50, None, id="something is lost"),
    ],
)
def test_how_many_more_texts_would_tell(fixed: int, broken: int, texts: int, more: int | None) -> None:
    assert StepSize(0.0, fixed, broken, texts, 0.7).more_texts == more


@pytest.mark.parametrize(("fixed", "broken"), [(7, 4), (10, 9), (30, 25), (2, 1)])
def test_so_many_more_are_enough_if_all_goes_on_as_it_is(fixed: int, broken: int) -> None:
    texts = 100
    more = StepSize(0.0, fixed, broken, texts, 0.7).more_texts
    assert more is not None
    times = 1 + more / texts
    assert times * (fixed - broken) > CERTAIN * math.sqrt(times * (fixed + broken))
    assert (fixed - broken) <= CERTAIN * math.sqrt(fixed + broken)


def test_a_further_training_must_show_twice_the_error() -> None:
    gain, error = 3.0, 2.0  # above one error, below two
    more = more_texts(gain, error, 100)
    assert more == 78
    assert 1.78 * gain > CERTAIN_FURTHER * math.sqrt(1.78) * error
    assert more_texts(5.0, 2.0, 100) is None


def test_the_advice_for_labels_and_for_slots() -> None:
    assert StepSize(0.0, 7, 4, 50, 0.7).in_words == (
        "The rules are kept: against them the trained network has 7 fixed and 4 broken of 50 held-out texts, "
        "too few to be certain of a gain. At this rate, about 12 more annotated texts would decide; "
        "or write rules for the texts that are missed."
    )
    assert StepSize(0.0, 0, 0, 20, 0.7, missing=34).in_words.endswith(
        "At least 34 more annotated texts would be needed, 6 of each label on average; or write rules for the texts "
        "that are missed."
    )
    assert StepSize(0.0, 4, 4, 50, 0.7).in_words.endswith(
        "too few to be certain of a gain. Annotate more texts, or write rules for the texts that are missed."
    )
    assert SpanStepSize(0.0, -0.01, 0.012, 50, 0.7).in_words.endswith(
        "Annotate more texts, or write rules for the spans that are missed."
    )
