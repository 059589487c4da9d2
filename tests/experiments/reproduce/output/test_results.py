"""What runs come to beside published figures, how they read, and what is reported of cells that were not run."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.networks.reproduced_samples import job, run, small_table, tasks

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.experiments.published import FIGURES
from re2nn_core.experiments.reproduce import run_table as module
from re2nn_core.experiments.reproduce.output.as_data import csv_of, values_of
from re2nn_core.experiments.reproduce.output.as_page import html_of, markdown_of
from re2nn_core.experiments.reproduce.output.as_text import text_of
from re2nn_core.experiments.reproduce.output.lines import groups_of, table_lines
from re2nn_core.experiments.reproduce.output.listing import listed_tables, listing_text
from re2nn_core.experiments.reproduce.output.results import Filled, filled, joined_kept_runs, published_figures
from re2nn_core.experiments.reproduce.output.wording import left_out, other_settings, ours, seeds, summary
from re2nn_core.experiments.reproduce.run_table import (
    TableProgress,
    WantedTable,
    run_table,
    with_reasons,
    write_table_files,
)
from re2nn_core.experiments.reproduce.runs.plan import (
    PlannedRun,
    chosen_cells,
    expected_seconds,
    missing_tasks,
    seconds_in_all,
    tasks_of,
)
from re2nn_core.experiments.reproduce.runs.pool import FinishedRun
from re2nn_core.experiments.reproduce.runs.runs_file import KeptRuns, PublishedFigure, add_run, read_runs
from re2nn_core.experiments.reproduce.tables.catalog import find_table
from re2nn_core.experiments.reproduce.tables.spec import Job
from re2nn_core.experiments.reproduce.tables.systems import can_run, find_runner, nothing_random

FIRST = "FA-RNN | ATIS 1%"
PUBLISHED = {FIRST: PublishedFigure(90.43, 0.46), "BiGRU <b> | ATIS 1%": PublishedFigure(70.69)}


def kept() -> KeptRuns:
    own = (run(0, 90.0), run(1, 92.0), run(2, 10.0, rule_weight=0.3))
    return KeptRuns({job().key: own}, {"emnlp2020-table99": PUBLISHED})


def small() -> Filled:
    return filled(small_table(), kept(), left_out=["row CNN"])


def test_mean_deviation_and_difference() -> None:
    result = small().results[0]
    measured = result.measured
    assert measured is not None
    assert (measured.mean, measured.std, measured.seeds) == (91.0, 1.4142, (0, 1))
    assert result.difference == 0.57
    assert [one.seed for one in measured.others] == [2], "runs with other settings are not in the mean"


def test_of_as_many_runs_the_newer_settings_count() -> None:
    newer = run(1, 80.0, date="2027-01-01T00:00:00+00:00", rule_weight=0.3)
    [result, *_] = filled(small_table(), KeptRuns({job().key: (run(0, 90.0), newer)})).results
    assert result.measured is not None
    assert result.measured.mean == 80.0


def test_a_setting_that_an_older_version_did_not_tell_counts_as_its_default() -> None:
    """The first of four seeds was once left out of a mean because the others told three settings more."""
    older = (run(0, 90.0), run(1, 92.0, batch_size=32.0))
    newer = (run(2, 94.0, decay=1.0), run(3, 95.0, decay=0.9))
    measured = filled(small_table(), KeptRuns({job().key: (*older, *newer)})).results[0].measured
    assert measured is not None
    assert (measured.seeds, measured.mean) == ((0, 2), 92.0)
    assert [one.seed for one in measured.others] == [1, 3]


def test_runs_with_other_settings_are_told_wherever_the_table_is() -> None:
    [reported] = other_settings(small())
    assert reported == (
        "FA-RNN | ATIS 1%: the figure is of 2 seeds; 1 run with other settings is left out. "
        "--again runs all of a cell with today's settings."
    )
    assert values_of(small())["other_settings"] == [reported]
    for text in (text_of(small()), markdown_of(small()), html_of(small()).replace("&#x27;", "'")):
        assert reported in text.replace("\\|", "|")


def test_a_single_seed_is_told_and_counts_are_not_compared() -> None:
    first = find_table("emnlp2020-table3")
    both = {job.key: (run(0, 91.0),) for job in first.jobs}
    counts = {
        key: (replace(one, measured=replace(one.measured, values={"rules": 27.0, "accuracy": 91.0})),)
        for key, (one,) in both.items()
    }
    published = {cell.name: PublishedFigure(30.0) for cell in first.cells}
    reported = summary(filled(first, KeptRuns(counts, {first.name: published})))
    assert "; the mean reaches or passes 3 of 3 published shares." in reported
    alone = filled(small_table(), KeptRuns({job().key: (run(0, 90.0),)}))
    assert summary(alone).endswith("; 1 has a single seed.")


def test_where_nothing_is_random_there_is_no_spread() -> None:
    untrained = find_table("emnlp2020-table4")
    runs = {Job("labels", "ATIS", "fa-rnn", 0.0).key: (run(0, 91.0), run(1, 91.0))}
    [result] = filled(untrained, KeptRuns(runs)).measured
    assert (ours(result), seeds(result)) == ("91.00", "nothing random")


def test_many_rows_that_were_not_asked_for_are_counted() -> None:
    names = [*(f"row {number}" for number in range(16)), "column QC 1%"]
    reported = left_out(filled(small_table(), kept(), left_out=names))
    assert reported == "Left out: 16 rows and 1 column that were not asked for."


def test_a_run_without_the_measure_is_none_of_the_cell() -> None:
    table = find_table("emnlp2020-figure2")
    key = Job("labels", "SMS", "fa-rnn", 0.01).key
    assert filled(table, KeptRuns({key: (run(0, 90.0),)})).measured == ()


def test_text_says_what_is_not_run_and_why() -> None:
    text = text_of(small())
    first = next(line for line in text.splitlines() if line.startswith("FA-RNN"))
    assert first.split() == ["FA-RNN", "91.00", "±", "1.41", "2", "90.43", "±", "0.46", "+0.57", "not", "run"]
    assert (
        "1 of 5 cells has a figure (1 cannot be run here); the mean reaches or passes 1 of 1 published figures." in text
    )
    assert "X|Y is not here." in text
    assert "Left out: row CNN." in text


def test_markdown_and_html_keep_their_signs_to_themselves() -> None:
    found = with_reasons(small(), {job("bigru").key: "It <failed>."})
    markdown, page = markdown_of(found), html_of(found)
    assert "| | ATIS 1% | ATIS 100% | X\\|Y 1% |" in markdown
    assert (
        "| FA-RNN | **91.00 ± 1.41**<br>2 seeds<br>published 90.43 ± 0.46, +0.57 | not run | cannot be run<br>"
        in markdown
    )
    assert '<th scope="row">BiGRU &lt;b&gt;</th>' in page
    assert '<th scope="col">ATIS 100%</th>' in page
    assert "<b>" not in page
    assert 'title="It &lt;failed&gt;."' in page
    assert "<caption>EMNLP 2020, table 99: A small table</caption>" in page


def test_csv_and_json_have_every_cell() -> None:
    lines = list(csv.DictReader(io.StringIO(csv_of(small()))))
    assert len(lines) == 5
    assert (lines[0]["mean"], lines[0]["seeds"], lines[0]["published_std"], lines[0]["state"]) == (
        "91.0",
        "2",
        "0.46",
        "run",
    )
    assert (lines[4]["state"], lines[4]["why_not"], lines[4]["mean"]) == ("cannot be run", "X|Y is not here.", "")
    assert lines[1]["state"] == "not run"
    values = json.loads(json.dumps(values_of(small())))
    assert [one["value"] for one in values["cells"][0]["runs"]] == [90.0, 92.0]
    assert values["cells"][0]["runs"][0]["code"] == "0.1.0, commit 1a2b3c4"
    assert (values["cells_run"], values["cells_in_all"], values["left_out"]) == (1, 5, ["row CNN"])


def test_published_figures_are_found_by_their_place_and_damage_is_told(tmp_path: Path) -> None:
    place = tmp_path / FIGURES
    assert published_figures(small_table(), tmp_path) == {"FA-RNN | X|Y 1%": PublishedFigure(70.0)}
    place.parent.mkdir()
    place.write_text('{"farnn": {"FA-RNN": {"1%": {"mean": 90.4, "std": 0.5}, "100%": null}}}', encoding="utf-8")
    found = published_figures(small_table(), tmp_path)
    assert found == {"FA-RNN | X|Y 1%": PublishedFigure(70.0), FIRST: PublishedFigure(90.4, 0.5)}
    place.write_text("{", encoding="utf-8")
    with pytest.raises(DataFileError, match="the published figures cannot be read"):
        published_figures(small_table(), tmp_path)


def test_of_two_files_the_first_counts() -> None:
    both = joined_kept_runs(kept(), [KeptRuns({job().key: (run(0, 1.0), run(7, 7.0)), "other": (run(0, 2.0),)})])
    assert [one.seed for one in both.of(job().key)] == [0, 1, 2, 7]
    assert both.of(job().key)[0].measured.values["accuracy"] == 90.0
    assert both.seeds("other") == {0}


def test_lines_leave_out_what_was_not_run() -> None:
    assert groups_of(small()) == ("ATIS", "X|Y")
    assert table_lines(small(), "ATIS") == [("FA-RNN", ("1%",), (91.0,), (1.4142,))]


def test_where_nothing_is_random_one_seed_is_run() -> None:
    facts = Job("label facts", "ATIS", "rules", 0.0)
    assert nothing_random(facts)
    assert nothing_random(job(amount=0.0))
    assert not nothing_random(job())
    assert not nothing_random(job("bigru", 0.0))
    table = find_table("emnlp2020-table6")
    assert {task.seed for task in tasks_of(table.cells, 3)} == {0, 1, 2}
    assert [task.seed for task in tasks_of(find_table("emnlp2020-table3").cells, 3)] == [0, 0, 0]


def test_what_is_missing_begins_with_the_first_seed_of_the_quickest() -> None:
    had = KeptRuns({job().key: (run(0, 90.0),), job(data="QC").key: (run(0, 90.0),)})
    cells = [cell for cell in find_table("emnlp2020-table5").cells if cell.row == "FA-RNN"]
    left = missing_tasks(cells, 2, had)
    assert PlannedRun(job(), 0) not in left
    assert [task.seed for task in left] == [0] * 7 + [1] * 9


def test_how_long_goes_by_what_is_most_like_it() -> None:
    slow = run(0, 90.0)
    had = KeptRuns({job().key: (slow, run(1, 90.0))})
    assert expected_seconds(job(), had) == 22.0
    assert expected_seconds(job(data="QC"), had) == 22.0
    assert expected_seconds(job("bigru"), had) == 22.0
    assert expected_seconds(job(amount=1.0), had) is None
    assert expected_seconds(job(amount=0.0), had) == 2.0
    assert seconds_in_all([*tasks(2), PlannedRun(job(amount=1.0), 0)], had) == (44.0, 1)


def test_a_system_that_is_not_there_is_told() -> None:
    unknown = Job("labels", "ATIS", "perceptron", 1.0)
    assert not can_run(unknown)
    with pytest.raises(InputError, match="The system perceptron is not in this version."):
        find_runner(unknown)


def test_every_system_of_our_own_has_its_runner() -> None:
    own = [
        one
        for table in ("emnlp2020-table3", "emnlp2020-section6", "emnlp2021-table2")
        for one in find_table(table).jobs
    ]
    own += find_table("emnlp2020-table6").jobs
    assert all(callable(find_runner(one)) for one in own)


def test_the_listing_has_a_line_for_each() -> None:
    found = listed_tables(KeptRuns(), kept(), 4, 2)
    lines = listing_text(found, Path("here"), 2).splitlines()
    [table7] = [line for line in lines if line.startswith("emnlp2020-table7 ")]
    [table5] = [line for line in lines if line.startswith("emnlp2020-table5 ")]
    assert "cannot be run. It holds formulas alone." in table7
    assert "162 cells, 0 run, 1 stored" in table5
    assert len(found) == 25


def wanted(folder: Path, **changes: object) -> WantedTable:
    table = small_table()
    parts = {"table": table, "chosen": chosen_cells(table), "seeds": 2, "cores": 1}
    return WantedTable(**{**parts, "output": folder / "out", "data": folder, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "reported"),
    [
        ({"cores": 0}, r"The number of cores must be 1 or more \(got 0\)."),
        ({"seeds": 0}, r"The number of seeds must be 1 or more \(got 0\)."),
        ({"minutes": -1.0}, r"The minutes must be above 0 \(got -1\)."),
        ({"output": Path(__file__)}, "this is a file. Give a folder for the results"),
    ],
)
def test_what_cannot_be_wanted_is_told(tmp_path: Path, changes: dict[str, object], reported: str) -> None:
    with pytest.raises(InputError, match=reported):
        wanted(tmp_path, **changes)


def test_a_table_is_run_written_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[PlannedRun]] = []
    heard: list[TableProgress] = []

    def fake(pool: object, found: list[PlannedRun], *, on_done: object, may_begin: object, should_stop: object) -> bool:
        asked.append(list(found))
        for number, task in enumerate(found):
            if number == 1:
                on_done(FinishedRun(task, 1.0, "It broke."))  # type: ignore[operator]
                return False
            add_run(wanted(tmp_path).file, task.job.key, run(task.seed, 90.0))
            on_done(FinishedRun(task, 4.0))  # type: ignore[operator]
        return True

    monkeypatch.setattr(module, "run_tasks", fake)
    monkeypatch.setattr(module, "stored_runs", KeptRuns)
    first = run_table(wanted(tmp_path), on_progress=heard.append)
    assert first.stopped
    assert [done.error for done in first.errors] == ["It broke."]
    assert (heard[0].number, heard[0].value) == (1, "accuracy 90.00")
    assert heard[0].of == len(asked[0])
    again = run_table(wanted(tmp_path))
    assert asked[0][0] not in asked[1]
    assert len(asked[1]) == len(asked[0]) - 1
    assert len(again.filled.measured) >= 1
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert {f"emnlp2020-table99.{ending}" for ending in ("json", "csv", "md", "html")} | {"runs.json"} <= written
    assert not any(name.endswith((".new", ".part")) for name in written)
    assert "FA-RNN | X|Y 1%" in read_runs(wanted(tmp_path).file).published["emnlp2020-table99"]


def test_minutes_leave_out_what_would_end_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fake(pool: object, found: list[PlannedRun], *, on_done: object, may_begin: object, should_stop: object) -> bool:
        assert [may_begin(task) for task in found] == [False] * len(found)  # type: ignore[operator]
        return True

    monkeypatch.setattr(module, "run_tasks", fake)
    known = KeptRuns({job().key: (run(0, 90.0),), job(amount=1.0).key: (run(0, 9.0),)})
    monkeypatch.setattr(module, "stored_runs", lambda: known)
    outcome = run_table(wanted(tmp_path, minutes=0.1))
    assert len(outcome.skipped) >= 2
    waiting = {task.job.key for task in outcome.skipped}
    reported = {
        r.why_not for r in outcome.filled.results if r.cell.job and r.cell.job.key in waiting and not r.measured
    }
    assert reported == {"There was no time for it; run the same command to continue."}
    assert outcome.skipped_seconds == sum(expected_seconds(task.job, known) or 0.0 for task in outcome.skipped) > 20
    assert not outcome.stopped


def test_a_table_is_written_whole(tmp_path: Path) -> None:
    paths = write_table_files(small(), tmp_path)
    assert sorted(path.suffix for path in paths) == [".csv", ".html", ".json", ".md"]
    assert json.loads(paths[0].read_text(encoding="utf-8"))["table"] == "emnlp2020-table99"
