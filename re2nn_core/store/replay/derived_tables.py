"""What the tables should hold, told by the log alone; and how it differs from what they do hold.

Everything but the texts themselves follows from the log. Texts are written once and never changed; the log keeps their
number and their digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, or_, select, text, update

from re2nn_core.store.assignments import close_seats, should_be_closed
from re2nn_core.store.engine.database import Store
from re2nn_core.store.labels import GIVING, last_labels, rebuild_labels, standing
from re2nn_core.store.log.digest import TextsDigest
from re2nn_core.store.queue_cursor import forget_all
from re2nn_core.store.records import UNFINISHED
from re2nn_core.store.replay.account_replay import account_differences, repair_accounts
from re2nn_core.store.schema import EventRow, ProjectRow, RuleVersionRow, RunRow, SeatRow, TextRow
from re2nn_core.store.versions import LOGGED, as_logged
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_SETTINGS = ("name", "task", "description", "tokenizer", "lowercase", "sample", "ignore_slot_case", "policy")
_LOGGED = ("project", "rename", "slot_case", "policy", "texts", "version", "run", "run_end", "run_found")
# So many faults of a kind are named.
_NAMED = 5


@dataclass
class LoggedProject:
    """A project as its log tells it. `runs`: how each ended, as (state, result, error), None while it has not."""

    settings: dict[str, Any] = field(default_factory=dict)
    versions: dict[int, dict[str, Any]] = field(default_factory=dict)
    runs: dict[int, tuple[Any, ...] | None] = field(default_factory=dict)
    texts: list[dict[str, Any]] = field(default_factory=list)

    def take(self, event: Any) -> None:
        """Go one event further."""
        data = event.data or {}
        if event.kind == "project":
            # Projects from before there was a choice train on every label.
            self.settings = {"policy": "every", **data}
        elif event.kind == "rename":
            self.settings["name"] = event.value
        elif event.kind == "slot_case":
            self.settings["ignore_slot_case"] = data["ignore"]
        elif event.kind == "policy":
            self.settings["policy"] = event.value
        elif event.kind == "texts":
            self.texts.append(data)
        elif event.kind == "version":
            self.versions[data["number"]] = as_logged(data) | {"author": event.person}
        elif event.kind == "run_end":
            self.runs[data["run"]] = (data["state"], data["result"], data["error"])
        else:
            self.runs[data["run"]] = None


def verify_store(store: Store) -> tuple[str, ...]:
    """Everything in which the database is damaged or its tables differ from its log, in sentences; none as a rule."""
    with store.reading() as connection:
        faults = [*_damage(connection), *account_differences(connection)]
        projects = connection.execute(select(ProjectRow.id, ProjectRow.name).order_by(ProjectRow.id)).tuples().all()
        for project_id, name in projects:
            faults += [f"Project {name!r}: {fault}" for fault in project_differences(connection, project_id)]
    return tuple(faults)


def rebuild_store(store: Store) -> int:
    """Write what the log tells into the tables again; how many rows had to be corrected (0 as a rule)."""
    with store.reading() as connection:
        projects = connection.execute(select(ProjectRow.id)).scalars().all()
    with store.writing() as connection:
        repaired = repair_accounts(connection)
    for project_id in projects:
        with store.writing() as connection:
            logged = logged_project(connection, project_id)
            repaired += _repair_settings(connection, project_id, logged)
            repaired += _repair_versions(connection, project_id, logged)
            repaired += _repair_runs(connection, project_id, logged)
            repaired += _repair_seats(connection, project_id)
        repaired += rebuild_labels(store, project_id)
        with store.writing() as connection:
            repaired += close_seats(connection, SeatRow.project_id == project_id)
            forget_all(connection, project_id)
    return repaired


def logged_project(connection: Connection, project_id: int) -> LoggedProject:
    query = select(EventRow.kind, EventRow.value, EventRow.data, EventRow.person)
    query = query.where(EventRow.project_id == project_id, EventRow.kind.in_(_LOGGED)).order_by(EventRow.id)
    logged = LoggedProject()
    for event in connection.execute(query):
        logged.take(event)
    return logged


def project_differences(connection: Connection, project_id: int) -> Iterator[str]:
    """In what the tables of a project differ from its log."""
    logged = logged_project(connection, project_id)
    settings = _settings(connection, project_id)
    for key in _SETTINGS:
        if logged.settings.get(key) != settings[key]:
            yield f"the {key} is {settings[key]!r}, the log says {logged.settings.get(key)!r}."
    versions = _versions(connection, project_id)
    for number in sorted(logged.versions.keys() | versions.keys()):
        if logged.versions.get(number) != versions.get(number):
            yield f"the record of rules v{number} {_how(logged.versions.get(number), versions.get(number))}."
    runs = _runs(connection, project_id)
    for run in sorted(logged.runs.keys() | runs.keys()):
        if run not in logged.runs or run not in runs or logged.runs[run] != runs[run]:
            yield f"run {run} {_how(run in logged.runs or None, run in runs or None)}."
    yield from _wrong_texts(connection, project_id, logged)
    wrong = wrong_labels(connection, project_id)
    if wrong:
        yield f"{counted(len(wrong), 'label differs', 'labels differ')} from the log (texts {_some(wrong)})."
    seats = wrong_seats(connection, project_id)
    if seats:
        yield f"{len(seats):,} places of the queue are taken without an annotation (texts {_some(seats.values())})."
    wrong_way = select(SeatRow.text_id).where(SeatRow.project_id == project_id, SeatRow.closed != should_be_closed())
    closed = connection.execute(wrong_way.distinct()).scalars().all()
    if closed:
        yield f"{len(closed):,} texts are assigned though adjudicated, or the other way round (texts {_some(closed)})."


def wrong_labels(connection: Connection, project_id: int) -> list[int]:
    """Ids of the texts whose label is not the one that follows from the log."""
    given = last_labels(connection, standing(project_id, GIVING))
    of_project = TextRow.project_id == project_id
    not_annotated = select(TextRow.id).where(
        of_project, TextRow.annotator.is_(None), or_(TextRow.label.is_distinct_from(TextRow.gold), TextRow.decided)
    )
    wrong = list(connection.execute(not_annotated).scalars())
    annotated = select(TextRow.id, TextRow.label, TextRow.annotator, TextRow.decided)
    for row in connection.execute(annotated.where(of_project, TextRow.annotator.is_not(None))):
        if given.pop(row.id, None) != (row.label, row.annotator, row.decided):
            wrong.append(row.id)
    return sorted({*wrong, *given})


def _damage(connection: Connection) -> Iterator[str]:
    """What the database itself finds wrong; a server looks after its own files."""
    if connection.dialect.name != "sqlite":
        return
    for row in connection.execute(text("PRAGMA integrity_check")):
        if row[0] != "ok":
            yield f"The database is damaged: {row[0]}."
    for row in connection.execute(text("PRAGMA foreign_key_check")):
        yield f"A row of the table {row[0]} belongs to a {row[2]} that is not there."


def _wrong_texts(connection: Connection, project_id: int, logged: LoggedProject) -> Iterator[str]:
    query = select(TextRow.text, TextRow.gold, TextRow.split).where(TextRow.project_id == project_id)
    rows = iter(connection.execute(query.order_by(TextRow.position).execution_options(yield_per=10_000)))
    for batch in logged.texts:
        digest = TextsDigest()
        for _, row in zip(range(batch["count"]), rows, strict=False):
            digest.add(*row)
        if digest.count != batch["count"]:
            lost = batch["count"] - digest.count
            yield f"{counted(lost, 'text')} from position {batch['first']:,} on {'is' if lost == 1 else 'are'} missing."
        elif digest.number() != batch["digest"]:
            yield f"texts from position {batch['first']:,} to {batch['first'] + batch['count'] - 1:,} were changed."
    more = sum(1 for _ in rows)
    if more:
        yield f"there {'is' if more == 1 else 'are'} {counted(more, 'text')} that the log does not know."


def _settings(connection: Connection, project_id: int) -> dict[str, Any]:
    row = connection.execute(select(ProjectRow.__table__).where(ProjectRow.id == project_id)).one()
    return {key: getattr(row, key) for key in _SETTINGS}


def _versions(connection: Connection, project_id: int) -> dict[int, dict[str, Any]]:
    query = select(RuleVersionRow.__table__).where(RuleVersionRow.project_id == project_id)
    return {row.number: {key: getattr(row, key) for key in (*LOGGED, "author")} for row in connection.execute(query)}


def _runs(connection: Connection, project_id: int) -> dict[int, tuple[Any, ...] | None]:
    query = select(RunRow.id, RunRow.state, RunRow.result, RunRow.error).where(RunRow.project_id == project_id)
    rows = connection.execute(query)
    return {row.id: None if row.state in UNFINISHED else (row.state, row.result, row.error) for row in rows}


def wrong_seats(connection: Connection, project_id: int) -> dict[int, int]:
    """Seats that are done though their holder has no annotation of the text that stands, with their texts."""
    annotated = standing(project_id, ("label",)).where(
        EventRow.text_id == SeatRow.text_id, EventRow.person == SeatRow.holder
    )
    query = select(SeatRow.id, SeatRow.text_id).where(SeatRow.project_id == project_id, SeatRow.done)
    return dict(connection.execute(query.where(~annotated.correlate(SeatRow).exists())).tuples().all())


def _repair_settings(connection: Connection, project_id: int, logged: LoggedProject) -> int:
    right = {key: logged.settings[key] for key in _SETTINGS}
    if right == _settings(connection, project_id):
        return 0
    right["name_key"] = right["name"].casefold()
    connection.execute(update(ProjectRow).where(ProjectRow.id == project_id).values(right))
    return 1


def _repair_versions(connection: Connection, project_id: int, logged: LoggedProject) -> int:
    there = _versions(connection, project_id)
    wrong = [number for number, version in logged.versions.items() if number in there and there[number] != version]
    for number in wrong:
        this = (RuleVersionRow.project_id == project_id, RuleVersionRow.number == number)
        connection.execute(update(RuleVersionRow).where(*this).values(logged.versions[number]))
    return len(wrong)


def _repair_runs(connection: Connection, project_id: int, logged: LoggedProject) -> int:
    there = _runs(connection, project_id)
    wrong = {run: end for run, end in logged.runs.items() if run in there and end is not None and there[run] != end}
    for run, (state, result, error) in wrong.items():
        connection.execute(update(RunRow).where(RunRow.id == run).values(state=state, result=result, error=error))
    return len(wrong)


def _repair_seats(connection: Connection, project_id: int) -> int:
    wrong = wrong_seats(connection, project_id)
    for seat in wrong:
        connection.execute(update(SeatRow).where(SeatRow.id == seat).values(done=False, holder=None, held_until=None))
    return len(wrong)


def _how(logged: Any, there: Any) -> str:
    if there is None:
        return "is in the log but not in its table"
    return "is not in the log" if logged is None else "differs from the log"


def _some(numbers: Any) -> str:
    return first_names([str(number) for number in sorted(numbers)], _NAMED)
