"""Runs as pages see them: asked for, looked at, cancelled. `run_progress` has the working process's side."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.store.checks import now, plain
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import append_event
from re2nn_core.store.project_rows import hold_project, read_project
from re2nn_core.store.records import ENDS, UNFINISHED, RunPoint, RunRecord
from re2nn_core.store.schema import RuleVersionRow, RunPointRow, RunRow
from re2nn_core.task import Task

TRAINING = "train"  # the kind of the runs that train the network of the rules
TASK_KEY = "task"  # of a training's settings; absent for classification
_COLUMNS = RunRow.__table__
_KIND = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")


def create_run(
    store: Store,
    project_id: int,
    kind: str,
    *,
    rule_version_id: int | None = None,
    config: Mapping[str, Any] | None = None,
    person: str = "",
) -> RunRecord:
    """A run that waits for its process (`re2nn_core.jobs.launch`). `config` holds plain JSON values; that of a training
    on slots says so in the record, whatever was given."""
    values = {"state": "queued", "folder": new_folder_name(kind), "config": plain(config or {}, "config")}
    return _insert(store, project_id, kind, rule_version_id, values, person)


def add_finished_run(
    store: Store,
    project_id: int,
    kind: str,
    *,
    folder: str,
    rule_version_id: int | None,
    config: Mapping[str, Any],
    result: Mapping[str, Any],
    person: str = "",
) -> RunRecord:
    """A run that is done already, its outcome in `folder` (`new_folder_name`) of the models: for work too quick for a
    process of its own. `result["accuracy"]` is what lists of projects show."""
    checked = plain(result, "result")
    moment = now()
    values = {
        "state": "done",
        "folder": folder,
        "config": plain(config, "config"),
        "result": checked,
        "accuracy": accuracy_in(checked),
        "started_at": moment,
        "finished_at": moment,
    }
    return _insert(store, project_id, kind, rule_version_id, values, person)


def new_folder_name(kind: str) -> str:
    """A folder name that no other run has."""
    if not _KIND.match(kind):
        raise ValueError(f"a kind of run is lower-case letters, digits and _ (got {kind!r})")
    return f"{kind}-{uuid4().hex[:16]}"


def accuracy_in(result: Mapping[str, Any]) -> float | None:
    """The accuracy of a result; TypeError where it is no number."""
    accuracy = result.get("accuracy")
    if accuracy is not None and (isinstance(accuracy, bool) or not isinstance(accuracy, (int, float))):
        raise TypeError(f"result['accuracy'] must be a number (got {accuracy!r})")
    return accuracy


def _insert(
    store: Store, project_id: int, kind: str, rule_version_id: int | None, values: Mapping[str, Any], person: str
) -> RunRecord:
    fresh = {"kind": kind, "step": 0, "total": 0, "message": "", "cancel_requested": False, "created_at": now()}
    with store.writing() as connection:
        hold_project(connection, project_id)
        if kind == TRAINING and read_project(connection, project_id).task is Task.SLOT_FILLING:
            values = {**values, "config": {TASK_KEY: Task.SLOT_FILLING, **values["config"]}}
        version = None if rule_version_id is None else _check_version_of(connection, project_id, rule_version_id)
        row = {**fresh, **values, "project_id": project_id, "rule_version_id": rule_version_id}
        run_id = connection.execute(insert(RunRow).values(row).returning(RunRow.id)).scalar_one()
        logged = {"run": run_id, "kind": kind, "version": version, "config": row["config"]}
        append_event(connection, project_id, "run", person=person, data=logged)
        if row["state"] in ENDS:
            report_end(connection, project_id, run_id, row, person=person)
        return read_run(store, connection, run_id)


def get_run(store: Store, run_id: int) -> RunRecord:
    with store.reading() as connection:
        return read_run(store, connection, run_id)


def list_runs(store: Store, project_id: int, kind: str | None = None) -> tuple[RunRecord, ...]:
    """The runs of a project, of one kind or of all, the newest in front."""
    query = select(_COLUMNS).where(RunRow.project_id == project_id).order_by(RunRow.id.desc())
    if kind is not None:
        query = query.where(RunRow.kind == kind)
    with store.reading() as connection:
        read_project(connection, project_id)
        return tuple(_run(store, row) for row in connection.execute(query))


def unfinished_runs(store: Store) -> tuple[RunRecord, ...]:
    """The runs of all projects that are at work or waiting, the oldest in front."""
    query = select(_COLUMNS).where(RunRow.state.in_(UNFINISHED)).order_by(RunRow.id)
    with store.reading() as connection:
        return tuple(_run(store, row) for row in connection.execute(query))


def points(store: Store, run_id: int, after_step: int | None = None) -> tuple[RunPoint, ...]:
    """The measurements of a run by step; of the steps behind `after_step` alone, where it is given."""
    query = select(RunPointRow.step, RunPointRow.metrics).where(RunPointRow.run_id == run_id)
    if after_step is not None:
        query = query.where(RunPointRow.step > after_step)
    with store.reading() as connection:
        read_run(store, connection, run_id)
        return tuple(RunPoint(row.step, row.metrics) for row in connection.execute(query.order_by(RunPointRow.step)))


def request_cancel(store: Store, run_id: int, *, person: str = "") -> RunRecord:
    """Ask a run to stop. One that waits is cancelled at once, told in the log with who asked; one that is over stays as
    it is."""
    with store.writing() as connection:
        this = RunRow.id == run_id
        waiting = update(RunRow).where(this, RunRow.state == "queued")
        ended = {"state": "cancelled", "cancel_requested": True, "finished_at": now(), "message": "Cancelled"}
        for project_id in connection.execute(waiting.values(ended).returning(RunRow.project_id)).scalars().all():
            report_end(connection, project_id, run_id, ended, person=person)
        # A lost run is asked as well: its process may turn out to be alive.
        at_work = update(RunRow).where(this, RunRow.state.in_(("running", "lost")))
        connection.execute(at_work.values(cancel_requested=True))
        return read_run(store, connection, run_id)


def cancel_requested(store: Store, run_id: int) -> bool:
    with store.reading() as connection:
        requested = connection.execute(select(RunRow.cancel_requested).where(RunRow.id == run_id)).scalar_one_or_none()
    if requested is None:
        raise no_such_run(run_id)
    return requested


def read_run(store: Store, connection: Connection, run_id: int) -> RunRecord:
    row = connection.execute(select(_COLUMNS).where(RunRow.id == run_id)).one_or_none()
    if row is None:
        raise no_such_run(run_id)
    return _run(store, row)


def no_such_run(run_id: int) -> NotFoundError:
    return NotFoundError(f"There is no run {run_id}; its project may have been deleted. Go back to the projects.")


def report_end(
    connection: Connection, project_id: int, run_id: int, ended: Mapping[str, Any], *, person: str = ""
) -> None:
    """Write into the log how a run ended: its state, its result, its error."""
    logged = {"run": run_id, **{key: ended.get(key) for key in ("state", "result", "error")}}
    append_event(connection, project_id, "run_end", person=person, data=logged)


def _check_version_of(connection: Connection, project_id: int, version_id: int) -> int:
    """The number of a version, which must be one of this project."""
    query = select(RuleVersionRow.project_id, RuleVersionRow.number).where(RuleVersionRow.id == version_id)
    found = connection.execute(query).one_or_none()
    if found is None:
        raise NotFoundError(f"There is no rule version with the id {version_id}.")
    owner = found.project_id
    if owner != project_id:
        raise InputError(
            f"The rule version with the id {version_id} belongs to project {owner}, "
            f"not to project {project_id}. Choose a version of this project."
        )
    return int(found.number)


def _run(store: Store, row: Row[Any]) -> RunRecord:
    values = dict(row._mapping)
    del values["accuracy"]
    return RunRecord(**{**values, "folder": store.models_folder / values["folder"]})
