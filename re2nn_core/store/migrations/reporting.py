"""Events for what a database from before the log holds: projects, texts, rule versions, runs."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from re2nn_core.store.log.digest import TextsDigest

_MANY = 10_000
_INSERT = sa.text(
    "INSERT INTO event (project_id, kind, data, person, created_at) "
    "VALUES (:project_id, :kind, :data, :person, :created_at)"
)
_SETTINGS = ("name", "task", "description", "tokenizer", "lowercase", "sample", "ignore_slot_case")
_SWITCHES = ("lowercase", "ignore_slot_case")


def report_what_was_there(connection: sa.Connection) -> None:
    for project in connection.execute(sa.text("SELECT * FROM project ORDER BY id")).mappings().all():
        settings = {key: bool(project[key]) if key in _SWITCHES else project[key] for key in _SETTINGS}
        _report(connection, project, "project", settings, created_at=project["created_at"])
        texts = _texts(connection, project["id"])
        if texts["count"]:
            _report(connection, project, "texts", texts, created_at=project["created_at"])
        _versions(connection, project)
        _runs(connection, project)


def _report(connection: sa.Connection, project: sa.RowMapping, kind: str, data: Any, **rest: Any) -> None:
    logged = {"project_id": project["id"], "kind": kind, "data": json.dumps(data), "person": "", **rest}
    connection.execute(_INSERT, logged)


def _texts(connection: sa.Connection, project_id: int) -> dict[str, Any]:
    digest, first, last = TextsDigest(), None, -1
    page = sa.text(
        "SELECT position, text, gold, split FROM text WHERE project_id = :project AND position > :last "
        "ORDER BY position LIMIT :many"
    )
    while rows := connection.execute(page, {"project": project_id, "last": last, "many": _MANY}).all():
        for row in rows:
            digest.add(row.text, row.gold, row.split)
        first = rows[0].position if first is None else first
        last = rows[-1].position
    return {"first": first, "count": digest.count, "digest": digest.number()}


def _versions(connection: sa.Connection, project: sa.RowMapping) -> None:
    query = sa.text("SELECT * FROM rule_version WHERE project_id = :project ORDER BY number")
    for version in connection.execute(query, {"project": project["id"]}).mappings().all():
        data = {key: version[key] for key in ("number", "rules_text", "logic_text", "message")}
        logged = {"person": version["author"], "created_at": version["created_at"]}
        _report(connection, project, "version", data, **logged)


def _runs(connection: sa.Connection, project: sa.RowMapping) -> None:
    query = sa.text(
        "SELECT run.*, version.number AS version FROM run LEFT JOIN rule_version AS version "
        "ON version.id = run.rule_version_id WHERE run.project_id = :project ORDER BY run.id"
    )
    for run in connection.execute(query, {"project": project["id"]}).mappings().all():
        asked = {"run": run["id"], "kind": run["kind"], "version": run["version"], "config": _json(run["config"])}
        _report(connection, project, "run", asked, created_at=run["created_at"])
        if run["state"] not in ("queued", "running"):
            end = {"run": run["id"], "state": run["state"], "error": run["error"], "result": _json(run["result"])}
            _report(connection, project, "run_end", end, created_at=run["finished_at"] or run["created_at"])


def _json(value: Any) -> Any:
    """SQLite hands JSON out as text, PostgreSQL as values."""
    return json.loads(value) if isinstance(value, str) else value
