"""What a series comes to: rows, and sentences that say no more than the figures do."""

from __future__ import annotations

import pytest
from support.projects.project_with_texts import RULES_ALONE, outcome

from re2nn_core.experiments.project.findings import beta_in_words, curve_in_words, finding_rows
from re2nn_core.experiments.project.series import SeriesOutcome
from re2nn_core.experiments.result_tables.table import Spread


def curve(*means: float, spread: float = 0.0) -> list[SeriesOutcome]:
    """Two trainings for each amount: 120, 400, 1,200 texts."""
    amounts = ((0.1, 120), (0.3, 400), (1.0, 1200))
    return [
        outcome(at, mean + sign * spread, texts=texts, seed=seed)
        for (at, texts), mean in zip(amounts, means, strict=False)
        for seed, sign in enumerate((-1, 1))
    ]


def reported(*means: float, spread: float = 0.0, texts: int = 500) -> str:
    return curve_in_words(finding_rows(curve(*means, spread=spread)), "dev", texts)


def test_seeds_of_an_amount_are_one_row() -> None:
    [row] = finding_rows(
        [
            outcome(0.1, 80.0, texts=12, beside=70.0, precision=60.0, recall=50.0),
            outcome(0.1, 82.0, texts=12, seed=1, beside=74.0, precision=64.0, recall=50.0),
        ]
    )
    assert (row.at, row.texts, row.seeds, row.untrained) == (0.1, 12, 2, None)
    assert (row.main, row.beside) == (Spread(81.0, 1.41), Spread(72.0, 2.83))
    assert (row.precision, row.recall) == (Spread(62.0, 2.83), Spread(50.0, 0.0))


def test_little_is_called_little() -> None:
    assert reported(90.0, 93.1, 93.5) == (
        "From 120 to 400 texts dev accuracy rose by 3.1 points; from 400 to 1,200 by 0.4: "
        "more texts of the same kind bring little now."
    )


def test_a_gain_that_goes_on() -> None:
    assert reported(80.0, 84.0, 89.0).endswith("from 400 to 1,200 by 5.0: more texts of the same kind still help.")


@pytest.mark.parametrize("chance", [{"spread": 1.2}, {"texts": 75}])
def test_a_gain_no_larger_than_chance_is_told_as_one(chance: dict[str, float]) -> None:
    assert reported(80.0, 84.0, 86.0, **chance).endswith(
        "more texts of the same kind may still help, but the gain is not statistically significant."
    )


def test_a_loss_has_its_own_verb_and_advice() -> None:
    assert reported(90.0, 93.0, 90.0) == (
        "From 120 to 400 texts dev accuracy rose by 3.0 points; from 400 to 1,200 it fell by 3.0 points: "
        "more texts of the same kind did not help. Check whether their labels are correct."
    )


def test_nothing_moved() -> None:
    assert reported(90.0, 90.0) == (
        "From 120 to 400 texts dev accuracy stayed the same: more texts of the same kind bring little now."
    )


def test_one_amount_says_nothing_of_more() -> None:
    assert reported(90.0) == ""
    assert reported() == ""


def test_texts_that_were_set_apart_are_not_called_dev() -> None:
    assert curve_in_words(finding_rows(curve(80.0, 85.0)), "set apart", 50).startswith(
        "From 120 to 400 texts held-out accuracy rose"
    )


def betas(*figures: tuple[float | None, float, float]) -> str:
    """Of (beta, untrained, trained)."""
    outcomes = [outcome(at, main, untrained=untrained) for at, untrained, main in figures]
    return beta_in_words(finding_rows(outcomes), RULES_ALONE, "dev", 100)


def test_a_beta_that_helps_is_named() -> None:
    assert betas((0.3, 55.0, 83.3), (0.7, 74.0, 83.3), (1.0, 75.0, 76.5), (None, 75.0, 79.4)) == (
        "Before training beta 0.3 loses 20.0 points against the rules alone (75.0%). After training beta 0.7 is best "
        "with 83.3% dev accuracy, against 79.4% without beta, as by default: worth a try, under All settings, Variants."
    )


def test_a_beta_that_matters_little() -> None:
    found = betas((0.3, 75.0, 79.0), (1.0, 76.0, 78.0), (None, 75.0, 78.5))
    assert found.startswith("Before training no beta loses anything against the rules alone (75.0%).")
    assert found.endswith("it matters little here, so leave it empty.")


def test_a_beta_that_gains_less_than_two_texts_is_not_advised() -> None:
    found = betas((0.3, 75.0, 80.0), (1.0, 76.0, 78.0), (None, 75.0, 78.5))
    assert found.endswith("it matters little here, so leave it empty.")


def test_a_beta_that_harms() -> None:
    assert betas((0.3, 75.0, 70.0), (1.0, 75.0, 72.0), (None, 75.0, 78.5)).endswith(": leave it empty.")


def test_nothing_is_told_before_the_default_is_measured() -> None:
    assert betas((0.3, 75.0, 79.0), (1.0, 76.0, 78.0)) == ""
    assert betas() == ""
