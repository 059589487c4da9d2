"""Figures of a cell: means, deviations, differences, and the settings that were changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.networks.small_experiment import quick_cell

from re2nn_core.errors import InputError
from re2nn_core.experiments.published import Published
from re2nn_core.experiments.result_tables.classification import StoredCell, describe
from re2nn_core.experiments.result_tables.table import Spread, ordered, spread, summaries, summarise
from re2nn_core.experiments.runs.classification import LabelRecord
from re2nn_core.experiments.runs.figures import RunFigures

TESTS = (90.0, 92.0, 91.0, 95.0)


def cell_with_runs(*, portion: float = 0.05, without: float | None = 80.0) -> StoredCell:
    zeros = dict.fromkeys(("epochs", "best_epoch", "train_size", "dev_size", "parameters", "free_parameters"), 0)
    words = dict.fromkeys(("drawn", "vectors", "device"), "")
    runs = [
        LabelRecord(
            seed,
            None,
            test,
            without if seed else 70.0,
            40.0 + seed,
            30.0,
            RunFigures(None, 88.0, 87.0, 1.0, 1.0),
            seconds=1.0,
            recipe="gentle" if seed < 3 else "usual",
            labels={"travel": (10.0 * seed, 5.0)},
            notes=(),
            **zeros,
            **words,
        )
        for seed, test in enumerate(TESTS)
    ]
    return replace(describe(quick_cell(portion)), published=Published(91.5, 1.0)).with_runs(runs)


def test_mean_and_sample_deviation() -> None:
    # Squares of the distances from 92: 4, 0, 1, 9; over three, and the root of it.
    assert spread(TESTS) == Spread(92.0, 2.16)
    assert spread((90.0,)) == Spread(90.0, None)


def test_summary_of_a_cell() -> None:
    summary = summarise(cell_with_runs())
    assert summary is not None
    assert (summary.test, summary.seeds) == (Spread(92.0, 2.16), (0, 1, 2, 3))
    assert summary.difference == 0.5
    assert summary.without_duplicates == Spread(77.5, 5.0)
    assert summary.zero_shot == Spread(88.0, 0.0)
    assert summary.precision.mean == 41.5
    assert summary.recipe == "gentle / usual"
    assert summary.rules == 87.5


def test_what_some_runs_lack_has_no_mean() -> None:
    summary = summarise(cell_with_runs(without=None))
    assert summary is not None
    assert (summary.without_duplicates, summary.dev) == (None, None)


def test_precision_and_recall_of_one_label() -> None:
    summary = summarise(cell_with_runs(), label="travel")
    assert summary is not None
    assert (summary.precision.mean, summary.recall) == (15.0, Spread(5.0, 0.0))
    with pytest.raises(InputError, match="No test text of small carries the label 'spam'. Choose one of: travel."):
        summarise(cell_with_runs(), label="spam")


def test_only_changed_settings_are_told() -> None:
    stored = describe(quick_cell(model="fa-gru", dropout=0.5))
    summary = summarise(stored.with_runs(cell_with_runs().runs.values()))
    assert summary is not None
    assert summary.settings == {"objective": "interpretable", "dropout": 0.5, "epochs": 1}


def test_cells_without_a_run_are_left_out_and_the_others_ordered() -> None:
    cells = [cell_with_runs(portion=0.1), describe(quick_cell()), cell_with_runs()]
    assert [summary.portion for summary in summaries(ordered(cells))] == [0.05, 0.1]
