"""What was done in a project, taken out of one store and put into another: rule versions, labels, undos, skips, flags
and how they were settled, decisions, and how the team was set up: which labels train, when the queue was opened.

Texts are named by their position and events by numbers that hold within the history alone. A history comes from a file
that anybody may have written, so all of it is checked before the first row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.store.checks import CheckedText, check_person, check_text
from re2nn_core.store.engine.database import Store
from re2nn_core.store.labels import check_annotation, write_all_effective
from re2nn_core.store.log.events import ANNOTATION_EVENTS, DECISION, RESOLVE, REVIEW_STATES, append_event
from re2nn_core.store.policy import read_policy
from re2nn_core.store.project_rows import REVIEW, read_project
from re2nn_core.store.schema import EventRow, TextRow
from re2nn_core.store.versions import LOGGED, as_logged, check_version, insert_version
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

# What an undo can take back.
_DONE = (*ANNOTATION_EVENTS, DECISION)
# About the project as a whole.
_SET_UP = ("policy", "queue", REVIEW)
_KINDS = (*_DONE, *_SET_UP, "undo", "version")
_QUEUE = {"texts": int, "overlap": int, "blind": bool, "lease_seconds": int, "share_with": list}
# Said of some queues alone.
_QUEUE_TOO = {"with_decided": bool, "laid": dict}
_VERSION = {"number", *LOGGED}


@dataclass(frozen=True)
class PastEvent:
    """One event. `number` counts up; `position` is the text's, None for a rule version, which `data` holds,
    and for settings of the whole project."""

    number: int
    kind: str
    person: str
    at: str
    position: int | None = None
    value: str | None = None
    data: dict[str, Any] | None = None
    batch: int | None = None
    undoes: int | None = None

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.at).astimezone(UTC)


History = Sequence[PastEvent]


def read_history(store: Store, project_id: int) -> Iterator[PastEvent]:
    """What was done in a project, in its order."""
    query = select(EventRow.__table__, TextRow.position).outerjoin(TextRow, TextRow.id == EventRow.text_id)
    query = query.where(EventRow.project_id == project_id, EventRow.kind.in_(_KINDS)).order_by(EventRow.id)
    with store.reading() as connection:
        read_project(connection, project_id)
        for row in connection.execute(query.execution_options(yield_per=5_000)):
            at = row.created_at.isoformat()
            fixed = {"value": row.value, "data": row.data, "batch": row.batch, "undoes": row.undoes}
            yield PastEvent(row.id, row.kind, row.person, at, row.position, **fixed)


def as_line(done: PastEvent) -> dict[str, Any]:
    """An event as plain JSON, without what it does not say."""
    return {key: value for key, value in asdict(done).items() if value is not None}


def from_line(line: Any, number: int) -> PastEvent:
    """An event as it was read from a file; DataFileError where it cannot be one."""
    known = {field.name for field in fields(PastEvent)}
    if not isinstance(line, Mapping) or not {"number", "kind", "person", "at"} <= line.keys() <= known:
        raise DataFileError(f"Event {number} of the history has other fields than expected. Export the project again.")
    kinds = {"number": int, "position": int, "batch": int, "undoes": int, "data": dict}
    for key, value in line.items():
        if not isinstance(value, kinds.get(key, str)) or isinstance(value, bool):
            raise DataFileError(f"Event {number} of the history: {key} cannot be {value!r}. Export the project again.")
    return PastEvent(**line)


def check_history(
    history: History, texts: Sequence[CheckedText], task: Task, tokenization: Tokenization, policy: str
) -> None:
    """InputError for a history that cannot have happened to these texts, or does not end with this policy."""
    annotated: set[int] = set()
    seen: set[int] = set()
    versions = last = 0
    for done in history:
        where = f"event {done.number} of the history"
        _check_event(done, where, texts, task, tokenization)
        if done.number <= last:
            raise InputError(f"{where} comes behind event {last}. Export the project again.")
        if done.batch is not None and done.batch not in seen:
            raise InputError(f"{where} belongs to an action that is not in it. Export the project again.")
        if done.kind == "undo" and done.undoes not in annotated:
            raise InputError(f"{where} takes back what was not there. Export the project again.")
        if done.kind == "version":
            versions += 1
            if (done.data or {})["number"] != versions:
                raise InputError(f"{where} is not the one of rules v{versions}. Export the project again.")
        annotated.discard(done.undoes or 0)
        annotated |= {done.number} if done.kind in _DONE else set()
        seen.add(done.number)
        last = done.number
    if ([policy] + [done.value for done in history if done.kind == "policy"])[-1] != policy:
        raise InputError("The history ends with another policy than the project has. Export the project again.")
    if not versions:
        raise InputError("The history holds no rule version. Export the project again.")


def write_history(connection: Connection, project_id: int, history: History) -> None:
    """The events of a checked history, its rule versions, and the labels that follow."""
    text_ids = dict(
        connection.execute(select(TextRow.position, TextRow.id).where(TextRow.project_id == project_id)).tuples().all()
    )
    ids: dict[int, int] = {}
    for done in history:
        if done.kind == "version":
            version = _version(done)
            insert_version(connection, project_id, (done.data or {})["number"], version, done.moment)
            continue
        if done.kind in _SET_UP:
            logged: dict[str, Any] = {"value": done.value, "data": done.data, "moment": done.moment}
            append_event(connection, project_id, done.kind, person=done.person, **logged)
            continue
        row = {"project_id": project_id, "kind": done.kind, "person": done.person, "created_at": done.moment}
        row |= {"value": done.value, "data": done.data}
        row["text_id"] = text_ids[done.position or 0]
        row["batch"] = None if done.batch is None else ids[done.batch]
        row["undoes"] = None if done.undoes is None else ids[done.undoes]
        ids[done.number] = connection.execute(_INSERT, row).scalar_one()
    write_all_effective(connection, project_id)


_INSERT = insert(EventRow).returning(EventRow.id)


def _check_event(
    done: PastEvent, where: str, texts: Sequence[CheckedText], task: Task, tokenization: Tokenization
) -> None:
    if done.kind not in _KINDS:
        raise InputError(f"{where} is of the unknown kind {done.kind!r}. Export the project again.")
    if done.person or done.kind not in _SET_UP:
        check_person(done.person, f"the name in {where}")
    try:
        _ = done.moment
    except ValueError as error:
        raise InputError(f"{where} has no moment: {done.at!r}. Export the project again.") from error
    if done.kind == "version":
        _version(done)
        return
    if done.kind in _SET_UP:
        _check_set_up(done, where)
        return
    if done.position is None or not 0 <= done.position < len(texts):
        raise InputError(f"{where} is about text {done.position}, which does not exist. Export the project again.")
    if done.kind in ("label", DECISION):
        annotation = check_annotation(done.value or "", done.position, texts[done.position].text, task, tokenization)
        if annotation != done.value:
            raise InputError(f"{where} has a label that is not as it was stored. Export the project again.")
    elif done.value is not None:
        check_text(done.value, f"the value of {where}")
    if done.kind == DECISION:
        _check_between(done, where)
    if done.kind == RESOLVE:
        _check_resolved(done, where)


_REVIEWED = {"rule": str, "fingerprint": str, "state": str, "added": list, "removed": list, "text": str}


def _check_review(done: PastEvent, where: str) -> None:
    """Changes of rules that somebody decided about."""
    decided = (done.data or {}).get("decided")
    known = isinstance(decided, list) and all(
        isinstance(one, dict)
        and one.keys() == _REVIEWED.keys()
        and all(isinstance(one[key], kind) for key, kind in _REVIEWED.items())
        and all(isinstance(word, str) for word in (*one["added"], *one["removed"]))
        and one["state"] in REVIEW_STATES
        for one in decided
    )
    if not known or done.value is not None or len(done.data or {}) != 1:
        raise InputError(f"{where} is no review of changes. Export the project again.")


def _check_set_up(done: PastEvent, where: str) -> None:
    """A policy, or a queue that was opened or closed."""
    if done.position is not None or done.batch is not None or done.undoes is not None:
        raise InputError(f"{where} is about the whole project and cannot name a text. Export the project again.")
    if done.kind == "policy":
        read_policy(done.value or "")
        if done.data is not None:
            raise InputError(f"{where} says more than a policy. Export the project again.")
        return
    if done.kind == REVIEW:
        _check_review(done, where)
        return
    data = done.data or {}
    kinds = {key: type(value) for key, value in data.items()}
    expected = _QUEUE | {key: kind for key, kind in _QUEUE_TOO.items() if key in data}
    if done.value is not None or (data != {"closed": True} and kinds != expected):
        raise InputError(f"{where} does not say how the queue was opened. Export the project again.")
    for person in data.get("share_with", ()):
        check_person(person if isinstance(person, str) else "", f"a name in {where}")
    for word in data.get("laid", {}).values():
        if not isinstance(word, str):
            raise InputError(f"{where} does not say how the queue was laid out. Export the project again.")
        check_text(word, f"how the queue was laid out in {where}")


def _check_between(done: PastEvent, where: str) -> None:
    between = (done.data or {}).get("between")
    if not isinstance(between, Mapping) or not all(isinstance(given_label, str) for given_label in between.values()):
        raise InputError(f"{where} does not say what was adjudicated. Export the project again.")
    for person, given_label in between.items():
        check_person(person, f"a name in {where}")
        check_text(given_label, f"a label in {where}")


def _check_resolved(done: PastEvent, where: str) -> None:
    match done.data:
        case {"flagged_by": [*people], "given_back": bool(), **rest} if not rest and done.value is None:
            for person in people:
                check_person(person if isinstance(person, str) else "", f"a name in {where}")
        case _:
            raise InputError(f"{where} does not say whose flags were adjudicated. Export the project again.")


def _version(done: PastEvent) -> dict[str, Any]:
    data = done.data or {}
    # Archives from before there were sentences say nothing of them.
    if {*data, "sentences_text"} != _VERSION or not all(isinstance(data.get(key, ""), str) for key in LOGGED):
        raise InputError(f"event {done.number} of the history is no rule version. Export the project again.")
    logged = as_logged(data)
    return check_version(author=done.person, **logged)
