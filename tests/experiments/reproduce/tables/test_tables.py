"""The tables of both papers as data: nothing published is missing, nothing is named twice, unknown names are
reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.networks.reproduced_samples import small_table

from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets.classification import benchmark_folder
from re2nn_core.experiments.published import FIGURES
from re2nn_core.experiments.reproduce.output.results import published_figures
from re2nn_core.experiments.reproduce.runs.plan import chosen_cells
from re2nn_core.experiments.reproduce.runs.stored import stored_runs
from re2nn_core.experiments.reproduce.tables.catalog import LEFT_OUT, TABLES, find_table
from re2nn_core.experiments.reproduce.tables.spec import Column, Path, TableCell

WITH_CELLS = [table for table in TABLES.values() if table.cells]


def published() -> Any:
    try:
        return json.loads((benchmark_folder() / FIGURES).read_text(encoding="utf-8"))
    except InputError as error:
        pytest.skip(str(error).splitlines()[0])


def leaves(tree: Any, place: Path = ()) -> Iterator[Path]:
    if isinstance(tree, dict) and "mean" not in tree:
        for key, value in tree.items():
            yield from leaves(value, (*place, key))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from leaves(value, (*place, number))
    else:
        yield place


def test_every_published_figure_is_in_a_table_or_left_out_for_a_reason() -> None:
    tree = published()
    every = {place for part in ("farnn", "fstrnn") for place in leaves(tree[part], (part,))}
    named = {place for table in TABLES.values() for cell in table.cells for place in cell.published}
    left_out = {place for place in every if any(place[: len(begin)] == begin for begin in LEFT_OUT)}
    assert every - named - left_out == set()
    assert named - every == set(), "a cell names a figure that was not published"
    assert named & left_out == set()
    assert len(named) > 1300


def test_the_stored_figures_are_the_published_ones() -> None:
    published()
    for table in WITH_CELLS:
        assert stored_runs().published.get(table.name, {}) == published_figures(table, benchmark_folder()), table.name


def test_all_tables_and_figures_of_both_papers_are_there() -> None:
    wanted = [f"emnlp2020-table{number}" for number in range(3, 12)] + [f"emnlp2020-figure{n}" for n in range(2, 6)]
    wanted += [f"emnlp2021-table{number}" for number in (*range(1, 7), 10, 11, 12)]
    wanted += [f"emnlp2021-figure{number}" for number in (4, 5)]
    assert set(wanted) <= set(TABLES)
    assert all(bool(table.cells) != bool(table.why_not) for table in TABLES.values())


@pytest.mark.parametrize("table", WITH_CELLS, ids=lambda table: table.name)
def test_cells_have_names_of_their_own_and_keys_tell_jobs_apart(table: Any) -> None:
    names = [cell.name for cell in table.cells]
    assert len(names) == len(set(names))
    assert len({job.key for job in table.jobs}) == len(table.jobs)
    assert 0 < len(table.quick_cells()) <= len(table.cells)
    assert all("/" not in job.model for job in table.jobs)


def test_without_a_text_heads_that_add_rules_are_drawn_as_published() -> None:
    for name in ("emnlp2020-table4", "emnlp2020-table9", "emnlp2021-table3"):
        for cell in find_table(name).cells:
            job = cell.job
            if job is None or job.kind not in ("labels", "slots"):
                continue
            drawn = ("start", "random") in job.settings
            adds = job.model.endswith(("+o", "+io"))
            assert drawn == (adds and not job.amount), cell.name


def test_number_and_paper_are_read_off_the_name() -> None:
    table = find_table(" EMNLP2021-Figure4 ")
    assert (table.paper, table.number) == ("EMNLP 2021", "figure 4")


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("table5", "'table5' is no table or figure of the papers. Did you mean emnlp2020-table5 or emnlp2021-table5?"),
        ("emnlp2020-tabel5", "Did you mean emnlp2020-table5 or "),
        ("xyz", "'xyz' is no table or figure of the papers. The first is emnlp2020-table3. `re2nn reproduce` lists"),
        ("", "'' is no table or figure of the papers. The first is emnlp2020-table3."),
    ],
)
def test_an_unknown_table_is_told_with_those_that_look_like_it(name: str, reported: str) -> None:
    with pytest.raises(InputError) as caught:
        find_table(name)
    assert reported in str(caught.value)


def test_rows_and_columns_can_be_asked_for_in_any_case() -> None:
    table = find_table("emnlp2020-table5")
    chosen = chosen_cells(table, rows=["bigru+I"], columns=["atis", "100%"])
    assert {cell.row for cell in chosen.cells} == {"BiGRU+i"}
    assert {cell.column.title for cell in chosen.cells} == {"ATIS 1%", "ATIS 10%", "ATIS 100%", "QC 100%", "SMS 100%"}
    assert "row FA-RNN" in chosen.left_out
    assert "column QC 1%" in chosen.left_out


def test_quick_says_what_it_leaves_out() -> None:
    chosen = chosen_cells(small_table(), quick=True)
    assert {cell.row for cell in chosen.cells} == {"FA-RNN"}
    assert chosen.left_out == ("row BiGRU <b>",)
    assert chosen_cells(small_table()).left_out == ()


def test_a_row_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match="'CNN' is no row of emnlp2020-table99; there are: FA-RNN, BiGRU <b>."):
        chosen_cells(small_table(), rows=["CNN"])
    with pytest.raises(InputError, match="No cell of emnlp2020-table99 is in these rows and columns together."):
        chosen_cells(small_table(), rows=["BiGRU <b>"], columns=["X|Y"])


def test_a_cell_without_a_job_says_why() -> None:
    with pytest.raises(ValueError, match="needs a job, or a reason why it has none"):
        TableCell("row", Column("1%"), None)


def test_a_note_tells_of_no_row_that_is_not_there() -> None:
    reported = [table for table in TABLES.values() if "row named ours" in table.note]
    assert len(reported) >= 5
    assert [table.name for table in reported if not any("(ours)" in row for row in table.rows)] == []
