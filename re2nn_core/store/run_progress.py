"""Runs as their processes see them: their turn, a sign of life, progress, measurements, the end.

queued ── claim_run ──> running ── finish_run ──> done | failed | cancelled
   └────────┴── mark_lost ──> lost      (and back by a sign of life: a laptop may only have slept)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, case, func, insert, select, update

from re2nn_core.errors import ConflictError
from re2nn_core.store.checks import cleaned, now, plain
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import append_event
from re2nn_core.store.records import ENDS, UNFINISHED, RunRecord, RunState
from re2nn_core.store.runs import accuracy_in, no_such_run, read_run, report_end
from re2nn_core.store.schema import RunPointRow, RunRow, SchemaVersionRow

# A process gives a sign of life each second; after this long without one it is taken to be gone.
STALE_SECONDS = 30.0
# What a process that is alive may still write to. A lost run too: it may have been declared too soon.
_LIVE = (*UNFINISHED, "lost")
_LOST = "The process of this run ended unexpectedly, perhaps in a restart. Start it again."


def record_worker(store: Store, run_id: int, pid: int, host: str) -> None:
    """Note the process that was started for a waiting run. One at work has noted its own already."""
    with store.writing() as connection:
        waiting = update(RunRow).where(RunRow.id == run_id, RunRow.state == "queued")
        connection.execute(waiting.values(pid=pid, host=host, heartbeat=now()))


def claim_run(store: Store, run_id: int, *, max_running: int, pid: int, host: str) -> bool:
    """Start a run if it is its turn: fewer than `max_running` of its kind are at work or before it.

    One that waits but has given no sign of life for long holds nobody up.
    """
    with store.writing() as connection:
        _hold_queue(connection)
        run = read_run(store, connection, run_id)
        if run.state != "queued":
            return False
        same_kind = select(func.count(RunRow.id)).where(RunRow.kind == run.kind)
        running = connection.execute(same_kind.where(RunRow.state == "running")).scalar_one()
        alive = RunRow.heartbeat >= now() - timedelta(seconds=STALE_SECONDS)
        before = same_kind.where(RunRow.state == "queued", RunRow.id < run_id, alive)
        # Those before it take the free places first.
        if running + connection.execute(before).scalar_one() >= max_running:
            return False
        moment = now()
        _change(connection, run_id, state="running", pid=pid, host=host, heartbeat=moment, started_at=moment)
        return True


def heartbeat(store: Store, run_id: int) -> None:
    """Say that the run's process is alive. A run taken for lost is at work, or waiting, again."""
    found_again = case((RunRow.state != "lost", RunRow.state), (RunRow.started_at.is_(None), "queued"), else_="running")
    with store.writing() as connection:
        _report_if_found(connection, run_id)
        _change(connection, run_id, heartbeat=now(), state=found_again, finished_at=None, error=None)


def set_progress(store: Store, run_id: int, step: int, total: int, message: str = "") -> None:
    """How far a run is: `step` of `total` (0 while unknown), with a line for people."""
    with store.writing() as connection:
        _change(connection, run_id, step=step, total=total, message=cleaned(message), heartbeat=now())


def add_point(store: Store, run_id: int, step: int, metrics: Mapping[str, Any]) -> None:
    """Add measurements of a step to those it has; a number that is not finite is stored as None."""
    checked = plain(metrics, "metrics")
    with store.writing() as connection:
        _change(connection, run_id, heartbeat=now())
        this = (RunPointRow.run_id == run_id, RunPointRow.step == step)
        there = connection.execute(select(RunPointRow.metrics).where(*this)).scalar_one_or_none()
        if there is None:
            connection.execute(insert(RunPointRow).values(run_id=run_id, step=step, metrics=checked))
        else:
            connection.execute(update(RunPointRow).where(*this).values(metrics=there | checked))


def finish_run(
    store: Store, run_id: int, state: RunState, *, result: Mapping[str, Any] | None = None, error: str | None = None
) -> RunRecord:
    """End a run as done, failed, cancelled or lost. `result["accuracy"]` is what lists of projects show."""
    if state not in ENDS:
        raise ValueError(f"a run ends as one of {', '.join(ENDS)} (got {state!r})")
    checked = None if result is None else plain(result, "result")
    accuracy = None if checked is None else accuracy_in(checked)
    with store.writing() as connection:
        _change(
            connection,
            run_id,
            state=state,
            result=checked,
            accuracy=accuracy,
            error=None if error is None else cleaned(error),
            finished_at=now(),
        )
        run = read_run(store, connection, run_id)
        report_end(connection, run.project_id, run_id, {"state": state, "result": checked, "error": run.error})
    return run


def mark_lost(
    store: Store, stale_after_seconds: float = STALE_SECONDS, dead_runs: Collection[int] = ()
) -> tuple[int, ...]:
    """Mark as lost the unfinished runs without a sign of life for that long, and those of `dead_runs`.

    The ids of the runs that this call marked.
    """
    last_sign = func.coalesce(RunRow.heartbeat, RunRow.created_at)
    removed = (last_sign < now() - timedelta(seconds=stale_after_seconds)) | RunRow.id.in_(list(dead_runs))
    with store.reading() as connection:
        # Looked for without the write lock first: nearly always there is nothing to do.
        if connection.execute(select(RunRow.id).where(RunRow.state.in_(UNFINISHED), removed).limit(1)).first() is None:
            return ()
    with store.writing() as connection:
        lost = update(RunRow).where(RunRow.state.in_(UNFINISHED), removed)
        values = {"state": "lost", "finished_at": now(), "error": _LOST}
        marked = connection.execute(lost.values(values).returning(RunRow.id, RunRow.project_id)).tuples().all()
        for run_id, project_id in sorted(marked):
            report_end(connection, project_id, run_id, values)
        return tuple(sorted(run_id for run_id, _ in marked))


def _report_if_found(connection: Connection, run_id: int) -> None:
    """Write into the log that a run which was taken for lost is alive."""
    lost = select(RunRow.project_id).where(RunRow.id == run_id, RunRow.state == "lost").with_for_update()
    project_id = connection.execute(lost).scalar_one_or_none()
    if project_id is not None:
        append_event(connection, project_id, "run_found", data={"run": run_id})


def _hold_queue(connection: Connection) -> None:
    """Let one process at a time look at the queue, in databases that lock by row."""
    connection.execute(select(SchemaVersionRow.version).with_for_update()).all()


def _change(connection: Connection, run_id: int, **values: Any) -> None:
    """Change a run that is not over; ConflictError if it is."""
    live = update(RunRow).where(RunRow.id == run_id, RunRow.state.in_(_LIVE)).values(**values)
    if connection.execute(live).rowcount:
        return
    state = connection.execute(select(RunRow.state).where(RunRow.id == run_id)).scalar_one_or_none()
    if state is None:
        raise no_such_run(run_id)
    raise ConflictError(f"Run {run_id} is over ({state}), and cannot be changed any more. Start a new run.")
