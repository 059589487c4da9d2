"""Tasks spread over the processes of Ray, a core or a GPU each: each keeps its run in the file of runs, as those of
pool.py do.

All computers of a cluster see the folder of results and that of the published data. A task whose process died is given
out again by Ray.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from re2nn_core.experiments.reproduce.runs.plan import PlannedRun
from re2nn_core.experiments.reproduce.runs.pool import FinishedRun, Pool
from re2nn_core.experiments.reproduce.runs.worker import prediction_to, task_line
from re2nn_core.jobs.ray_cluster import RayCluster, keep_to_own_gpu, places_of

_LOOK_SECONDS = 0.2
_RETRIES = 3  # of a task whose process died


def run_tasks_on_ray(
    cluster: RayCluster,
    pool: Pool,
    tasks: Sequence[PlannedRun],
    *,
    on_done: Callable[[FinishedRun], None],
    may_begin: Callable[[PlannedRun], bool] = lambda task: True,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """What `run_tasks` does, `pool.cores` tasks at a time. InputError, UnavailableError where Ray cannot be used."""
    with cluster.connected(pool.cores) as places:
        import ray

        run = ray.remote(max_retries=_RETRIES)(_prediction_to)
        file, folder = pool.file.resolve(), pool.folder.resolve()
        waiting, at_work = deque(tasks), dict[Any, tuple[PlannedRun, float]]()
        while (waiting or at_work) and not should_stop():
            while waiting and len(at_work) < places:
                if may_begin(task := waiting.popleft()):
                    placed = run.options(**places_of(dict(task.job.settings).get("device")))
                    called = placed.remote(task_line(task, again=pool.again), file, folder)
                    at_work[called] = task, time.perf_counter()
            for called in ray.wait(list(at_work), timeout=_LOOK_SECONDS)[0] if at_work else ():
                task, began = at_work.pop(called)
                on_done(_finished(called, task, round(time.perf_counter() - began, 2)))
        for called in at_work:
            ray.cancel(called)
        return not at_work and not waiting


def _prediction_to(line: str, file: Path, folder: Path) -> dict[str, Any]:
    keep_to_own_gpu()
    return prediction_to(line, file, folder)


def _finished(called: Any, task: PlannedRun, seconds: float) -> FinishedRun:
    import ray
    from ray.exceptions import RayError

    try:
        result = ray.get(called)
    except RayError as error:
        why = str(error.__cause__ or error).strip().splitlines()[-1]
        return FinishedRun(task, seconds, f"Its process ended before it was done: {why}", died=True)
    had, elsewhere = bool(result.get("had")), bool(result.get("elsewhere"))
    return FinishedRun(task, seconds, str(result.get("error", "")), had, elsewhere=elsewhere)
