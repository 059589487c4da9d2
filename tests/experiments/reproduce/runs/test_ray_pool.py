"""Cells of a table run by Ray: the same figures as by processes of this computer, whatever dies."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from support.ray_processes import processes_of_ray

from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets.classification import benchmark_folder
from re2nn_core.experiments.reproduce.run_table import TableProgress, WantedTable, run_table
from re2nn_core.experiments.reproduce.runs.plan import chosen_cells
from re2nn_core.experiments.reproduce.tables.catalog import find_table
from re2nn_core.jobs.ray_cluster import RayCluster

TABLE = find_table("emnlp2020-table3")  # three runs of some seconds


def wanted(folder: Path, cluster: RayCluster | None) -> WantedTable:
    try:
        data = benchmark_folder(None)
    except InputError:
        pytest.skip("the published data are not there; RE2NN_BENCHMARKS names their folder")
    return WantedTable(TABLE, chosen_cells(TABLE, quick=False), 1, 2, folder, data, cluster=cluster)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_cells_run_by_ray_have_the_same_figures_where_a_process_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    killed: list[int] = []

    def kill(progress: TableProgress) -> None:
        if not killed:
            killed.extend(processes_of_ray("prediction_to"))
            for process in killed:
                os.kill(process, signal.SIGKILL)

    by_ray = run_table(wanted(tmp_path / "ray", RayCluster()), on_progress=kill)
    here = run_table(wanted(tmp_path / "here", None))
    assert killed
    assert (by_ray.errors, by_ray.stopped) == ((), False)
    assert capsys.readouterr().out == ""  # which may be JSON
    figures = [[result.measured and result.measured.mean for result in one.filled.results] for one in (by_ray, here)]
    assert None not in figures[1]
    assert figures[0] == figures[1]
    again = run_table(wanted(tmp_path / "ray", RayCluster()), on_progress=kill)
    assert again.seconds < 5  # nothing is left to run, so Ray is not even started


def test_a_cluster_that_is_not_there_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    with pytest.raises(InputError, match=r"There is no Ray cluster at 127\.0\.0\.1:1: .*refused"):
        run_table(wanted(tmp_path / "ray", RayCluster("127.0.0.1:1")))
