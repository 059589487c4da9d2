"""What a comparison of systems comes to, in sentences and as curves."""

from __future__ import annotations

import pytest

from re2nn_core.experiments.project.model_findings import (
    LearningCurve,
    MeasuredBy,
    caution_in_words,
    comparison_in_words,
    curves_of,
)
from re2nn_core.experiments.project.models import Trained
from re2nn_core.experiments.result_tables.table import Spread

AMOUNTS = (20, 50, 100, 400)
FAR = "our network (accuracy) is ahead of BiGRU by 10.0 points"


def curve(system: str, *values: float) -> LearningCurve:
    return LearningCurve(
        system, AMOUNTS[: len(values)], tuple(Spread(value, 1.0) for value in values), (2,) * len(values)
    )


@pytest.mark.parametrize(
    ("ours", "others", "sentence"),
    [
        (
            (80, 85, 90, 95),
            (60, 75, 88.5, 94.5),
            "With 20 and with 50 texts our network (accuracy) is ahead of BiGRU by 10.0 to 20.0 points; with 100 and "
            "with 400 the two are level (at most 1.5 points, within the spread of the seeds).",
        ),
        (
            (80, 85, 90, 95),
            (70, 84.5, 90.5, 95.5),
            f"With 20 texts {FAR}; with each of the 3 amounts from 50 to 400 the two are level (at most 0.5 points).",
        ),
        (
            (80, 85, 90, 95),
            (60, 70, 80, 85),
            "With each of the 4 amounts measured, from 20 to 400 texts, our network (accuracy) is ahead of BiGRU by "
            "10.0 to 20.0 points.",
        ),
        (
            (80, 85, 90, 92),
            (77, 84.5, 95, 97),
            "With 20 texts our network (accuracy) is ahead of BiGRU by 3.0 points; with 50 the two are level (0.5 "
            "points); with 100 and with 400 our network (accuracy) is behind by 5.0 points.",
        ),
        (
            (80, 85),
            (90, 95),
            "With 20 and with 50 texts our network (accuracy) is behind BiGRU by 10.0 points.",
        ),
        ((80,), (80.5,), "With 20 texts our network (accuracy) and BiGRU are level (0.5 points)."),
        ((80,), (70,), f"With 20 texts {FAR}."),
    ],
)
def test_where_rules_help_and_where_they_stop(
    ours: tuple[float, ...], others: tuple[float, ...], sentence: str
) -> None:
    curves = [curve("accuracy", *ours), curve("bigru", *others)]
    assert comparison_in_words(50.0, curves, MeasuredBy("accuracy", 500))[0] == sentence


def test_what_two_seeds_and_few_texts_cannot_tell_is_level() -> None:
    """As a newcomer found it: bands that overlap at 20 texts, and one text of 73 at 221."""
    ours = LearningCurve("accuracy", (20, 221), (Spread(80.1, 2.9), Spread(94.5, 0.9)), (2, 2))
    other = LearningCurve("bigru", (20, 221), (Spread(73.3, 6.8), Spread(93.1, 0.9)), (2, 2))
    reported = comparison_in_words(40.0, [ours, other], MeasuredBy("accuracy", 73))[0]
    assert reported == (
        "With 20 and with 221 texts our network (accuracy) and BiGRU are level (at most 6.8 points, within the spread "
        "of the seeds)."
    )


@pytest.mark.parametrize(
    ("lead", "measure", "reported"),
    [
        (1.4, MeasuredBy("accuracy", 73), "the two are level (1.4 points, one text)."),
        (2.1, MeasuredBy("accuracy", 73), "the two are level (2.1 points, less than two texts)."),
        (1.2, MeasuredBy("accuracy", 50), "the two are level (1.2 points, less than one text)."),
        (1.4, MeasuredBy("F1", 73), "the two are level (1.4 points, about one text)."),
        (2.8, MeasuredBy("accuracy", 73), "our network (accuracy) is ahead of BiGRU by 2.8 points."),
    ],
)
def test_a_lead_of_less_than_two_texts_is_none(lead: float, measure: MeasuredBy, reported: str) -> None:
    """A single seed has no spread that is known; the texts alone decide."""
    amounts = (20,) if "of BiGRU" in reported else (20, 221)
    ours = LearningCurve(
        "accuracy",
        amounts,
        (Spread(90.0 + (10 if len(amounts) > 1 else lead), None), Spread(90.0 + lead, None)),
        (1, 1),
    )
    other = LearningCurve("bigru", amounts, (Spread(90.0, None),) * 2, (1, 1))
    assert comparison_in_words(40.0, [ours, other], measure)[0].endswith(reported)


def test_the_caution_tells_what_level_means() -> None:
    two = LearningCurve("accuracy", (20,), (Spread(80.1, 2.9),), (2,))
    assert caution_in_words([two], MeasuredBy("accuracy", 73)) == (
        "Measured on 73 texts, with 2 seeds or more. One text is 1.4 points. “Level” means a difference of at most "
        "1 point, or of less than two texts or two standard errors over seeds."
    )
    one = LearningCurve("accuracy", (20,), (Spread(80.1, None),), (1,))
    assert caution_in_words([one], MeasuredBy("F1", 73)) == (
        "Measured on 73 texts, with one seed, so the spread is unknown and other texts may give other results. One "
        "text is about 1.4 points. “Level” means a difference of at most 1 point or of less than two texts."
    )


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            (72, 75.5, 80, 90),
            "With 20 texts our network (interpretable) is behind the rules alone (75.0% accuracy) by 3.0 points; "
            "with 50 the two are level (0.5 points); with 100 and with 400 our network (interpretable) is ahead "
            "by 5.0 to 15.0 points.",
        ),
        (
            (74, 75.5),
            "With 20 and with 50 texts our network (interpretable) and the rules alone (75.0% accuracy) are level "
            "(at most 1.0 points).",
        ),
    ],
)
def test_against_the_rules_alone(values: tuple[float, ...], sentence: str) -> None:
    assert comparison_in_words(75.0, [curve("interpretable", *values)], MeasuredBy("accuracy", 500)) == (sentence,)


def test_ordinary_networks_alone_are_held_against_the_rules() -> None:
    [reported] = comparison_in_words(75.0, [curve("bigru+kd", 60, 80)], MeasuredBy("F1", 500))
    assert reported == (
        "With 20 texts BiGRU+kd is behind the rules alone (75.0% F1) by 15.0 points; with 50 BiGRU+kd is ahead by 5.0 "
        "points."
    )


def test_curves_have_mean_and_deviation_over_seeds() -> None:
    [found] = curves_of(
        [
            Trained("rules", 0, 0, 70.0),
            Trained("bigru", 50, 0, 80.0),
            Trained("bigru", 20, 0, 60.0),
            Trained("bigru", 50, 1, 82.0),
        ]
    )
    assert (found.texts, found.seeds) == ((20, 50), (1, 2))
    assert found.reached == (Spread(60.0, None), Spread(81.0, 1.41))
