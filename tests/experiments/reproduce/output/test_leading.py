"""Whether ours are ahead of the other systems of a table, and that every form of the table says so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.networks.reproduced_samples import job, run

from re2nn_core.experiments.reproduce.output.as_data import values_of
from re2nn_core.experiments.reproduce.output.as_page import html_of, markdown_of
from re2nn_core.experiments.reproduce.output.as_text import text_of
from re2nn_core.experiments.reproduce.output.leading import leads, leads_in_words
from re2nn_core.experiments.reproduce.output.results import Filled, filled
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns
from re2nn_core.experiments.reproduce.tables.catalog import find_table
from re2nn_core.experiments.reproduce.tables.spec import Column, PaperTable, TableCell

SYSTEMS = {"FA-RNN": "fa-rnn", "FA-GRU": "fa-gru", "CNN": "cnn", "BiGRU+i": "bigru+i", "RE system": "rules"}


def table(*columns: str) -> PaperTable:
    cells = [
        TableCell(name, Column(column, "ATIS"), job(model, amount))
        for name, model in SYSTEMS.items()
        for column, amount in zip(columns, (0.01, 0.1), strict=False)
    ]
    return PaperTable("emnlp2020-table98", "A small table", cells=tuple(cells))


def measured(**accuracy: float) -> Filled:
    """At 1%, in the order of the systems."""
    values = zip(SYSTEMS.values(), accuracy.values(), strict=True)
    return filled(table("1%"), KeptRuns({job(model).key: (run(0, value),) for model, value in values}))


SURELY = "by more than the standard error over seeds"
CASES = [
    pytest.param(
        {"rnn": 91.0, "gru": 90.0, "cnn": 80.0, "helped": 89.0, "rules": 95.0},
        "By the mean, the best of our systems is ahead of all others in 1 of 1 column, "
        f"in 0 {SURELY}; all 2 of ours are ahead in 1.",
        id="all ahead, and the rules themselves are neither",
    ),
    pytest.param(
        {"rnn": 91.0, "gru": 88.0, "cnn": 80.0, "helped": 89.0, "rules": 50.0},
        "By the mean, the best of our systems is ahead of all others in 1 of 1 column, "
        f"in 0 {SURELY}; all 2 of ours are ahead in 0.",
        id="the best alone",
    ),
    pytest.param(
        {"rnn": 88.0, "gru": 89.0, "cnn": 80.0, "helped": 89.0, "rules": 50.0},
        "By the mean, the best of our systems is ahead of all others in 0 of 1 column; "
        "all 2 of ours are ahead in 0. Level in ATIS 1% (FA-GRU 89.00, BiGRU+i 89.00).",
        id="level is not ahead",
    ),
    pytest.param(
        {"rnn": 88.0, "gru": 87.0, "cnn": 80.0, "helped": 89.0, "rules": 50.0},
        "By the mean, the best of our systems is ahead of all others in 0 of 1 column; "
        "all 2 of ours are ahead in 0. Behind in ATIS 1% (FA-RNN 88.00, BiGRU+i 89.00).",
        id="behind",
    ),
]


@pytest.mark.parametrize(("accuracy", "reported"), CASES)
def test_where_ours_are_ahead(accuracy: dict[str, float], reported: str) -> None:
    found = measured(**accuracy)
    assert leads_in_words(found) == reported
    for text in (text_of(found), markdown_of(found), html_of(found)):
        assert reported in text
    [lead] = values_of(found)["leads"]
    assert (lead["column"], lead["ahead"]) == ("ATIS 1%", "in 1 of" in reported)


@pytest.mark.parametrize(
    ("ours", "other", "beyond_error"),
    [
        pytest.param((91.0, 92.0), (89.0, 90.0), True, id="two points, each mean is known to one half"),
        pytest.param((88.0, 95.0), (89.0, 90.0), False, id="within its error"),
        pytest.param((91.0,), (89.0, 90.0), False, id="one seed tells no error"),
    ],
)
def test_a_lead_within_the_error_over_seeds_is_told(
    ours: tuple[float, ...], other: tuple[float, ...], beyond_error: bool
) -> None:
    runs = {job(model).key: tuple(run(*one) for one in enumerate(v)) for model, v in (("fa-rnn", ours), ("cnn", other))}
    found = filled(table("1%"), KeptRuns(runs))
    [lead] = leads(found)
    assert (lead.ahead, lead.beyond_error) == (True, beyond_error)
    assert f"our system is ahead of all others in 1 of 1 column, in {int(beyond_error)} {SURELY}." in leads_in_words(
        found
    )


def test_a_column_without_figures_of_both_is_not_counted() -> None:
    kept = KeptRuns({job("fa-rnn").key: (run(0, 90.0),), job("cnn", 0.1).key: (run(0, 80.0),)})
    found = filled(table("1%", "10%"), kept)
    assert (leads(found), leads_in_words(found)) == ((), "")
    assert "by the mean:" not in text_of(found)


@pytest.mark.parametrize("name", ["emnlp2020-figure2", "emnlp2020-table8"])
def test_curves_and_counts_are_not_compared(name: str) -> None:
    asked = find_table(name)
    one = run(0, 1.0)
    every = replace(one, measured=replace(one.measured, values={cell.measure: 1.0 for cell in asked.cells}))
    found = filled(asked, KeptRuns({job.key: (every,) for job in asked.jobs}))
    assert len(found.measured) == len(asked.cells)
    assert leads(found) == ()
