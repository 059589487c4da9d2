"""Labels given by people, as a log that is only ever added to.

The effective label of a text is that of the newest event on it that nobody took back, else the gold one. It
follows from the log alone; `text.label` and `text.annotator` keep it, written in the log's own transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, Select, bindparam, func, insert, select, update
from sqlalchemy.orm import aliased

from re2nn_core.errors import InputError
from re2nn_core.store.checks import check_label, check_person, check_spans, now
from re2nn_core.store.database import Store
from re2nn_core.store.project_rows import hold_project, read_project, touch_project
from re2nn_core.store.records import LabelEvent
from re2nn_core.store.schema import LabelEventRow, TextRow
from re2nn_core.store.texts import read_text
from re2nn_core.text.spans import read_spans

_COLUMNS = LabelEventRow.__table__
# Databases limit the number of values in one statement; SQLite's oldest limit is 999.
_CHUNK = 500


def record_label(store: Store, text_id: int, label: str, annotator: str) -> LabelEvent:
    """Give one text a label."""
    return record_labels(store, [(text_id, label)], annotator)[0]


def record_labels(store: Store, labels: Sequence[tuple[int, str]], annotator: str) -> tuple[LabelEvent, ...]:
    """Give texts of one project their labels, as (text id, label): all of them, or none. In a project for slots a label
    is all spans of the text as `write_spans` writes them."""
    annotator = check_person(annotator)
    if not labels:
        return ()
    with store.writing() as connection:
        project_id = _project_of(connection, [text_id for text_id, _ in labels])
        hold_project(connection, project_id)
        checked = _checked(connection, project_id, labels)
        events = _append(
            connection,
            [
                {
                    "project_id": project_id,
                    "text_id": text_id,
                    "label": label,
                    "action": "label",
                    "undoes": None,
                }
                for text_id, label in checked
            ],
            annotator,
        )
        _write_effective(connection, {text_id: (label, annotator) for text_id, label in checked})
        touch_project(connection, project_id)
    return events


def undo_last(store: Store, project_id: int, annotator: str) -> LabelEvent | None:
    """Take back the newest label this person gave that still stands; None where there is none.

    Called again it goes further back. The log keeps both the label and the undo.
    """
    undone = _undo(store, project_id, annotator, whole_action=False)
    return undone[0] if undone else None


def undo_last_action(store: Store, project_id: int, annotator: str) -> tuple[LabelEvent, ...]:
    """Take back all that this person's newest `record_label` or `record_labels` gave and still stands."""
    return _undo(store, project_id, annotator, whole_action=True)


def label_history(store: Store, project_id: int, limit: int = 100) -> tuple[LabelEvent, ...]:
    """The log of a project, the newest event in front."""
    query = select(_COLUMNS).where(LabelEventRow.project_id == project_id).order_by(LabelEventRow.id.desc())
    with store.reading() as connection:
        read_project(connection, project_id)
        return tuple(_event(row) for row in connection.execute(query.limit(limit)))


def labelled_by(store: Store, project_id: int) -> dict[str, int]:
    """How many texts each person has given a label that still stands, the most diligent in front."""
    standing = _standing(project_id).subquery()
    query = select(standing.c.annotator, func.count(standing.c.text_id.distinct())).group_by(standing.c.annotator)
    with store.reading() as connection:
        read_project(connection, project_id)
        counts = connection.execute(query).tuples().all()
    return dict(sorted(counts, key=lambda entry: (-entry[1], entry[0])))


def rebuild_labels(store: Store, project_id: int) -> int:
    """Derive every effective label from the log again; how many texts had to be mended (0 as a rule)."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        given = {
            row.text_id: (row.label, row.annotator)
            for row in connection.execute(_standing(project_id).order_by(LabelEventRow.id))
        }
        texts = connection.execute(select(TextRow.__table__).where(TextRow.project_id == project_id))
        right = {row.id: (given.get(row.id, (row.gold, None)), (row.label, row.annotator)) for row in texts}
        wrong = {text_id: derived for text_id, (derived, kept) in right.items() if derived != kept}
        _write_effective(connection, wrong)
    return len(wrong)


def _standing(project_id: int) -> Select[Any]:
    """The labels of a project that nobody took back."""
    undo = aliased(LabelEventRow)
    taken_back = select(undo.id).where(undo.undoes == LabelEventRow.id).exists()
    return select(_COLUMNS).where(LabelEventRow.project_id == project_id, LabelEventRow.action == "label", ~taken_back)


def _undo(store: Store, project_id: int, annotator: str, *, whole_action: bool) -> tuple[LabelEvent, ...]:
    annotator = check_person(annotator)
    with store.writing() as connection:
        hold_project(connection, project_id)
        own = _standing(project_id).where(LabelEventRow.annotator == annotator).order_by(LabelEventRow.id.desc())
        taken_back = connection.execute(own.limit(1)).all()
        if not taken_back:
            return ()
        if whole_action:
            taken_back = connection.execute(own.where(LabelEventRow.batch == taken_back[0].batch)).all()
        undone = _append(
            connection,
            [
                {
                    "project_id": project_id,
                    "text_id": row.text_id,
                    "label": row.label,
                    "action": "undo",
                    "undoes": row.id,
                }
                for row in taken_back
            ],
            annotator,
        )
        _write_effective(connection, _effective(connection, project_id, {row.text_id for row in taken_back}))
        touch_project(connection, project_id)
    return undone


def _append(connection: Connection, events: list[dict[str, Any]], annotator: str) -> tuple[LabelEvent, ...]:
    batch, moment = uuid4().hex, now()
    rows = [{**event, "annotator": annotator, "batch": batch, "created_at": moment} for event in events]
    connection.execute(insert(LabelEventRow), rows)
    written = connection.execute(select(_COLUMNS).where(LabelEventRow.batch == batch).order_by(LabelEventRow.id))
    return tuple(_event(row) for row in written)


def _effective(
    connection: Connection, project_id: int, text_ids: Iterable[int]
) -> dict[int, tuple[str | None, str | None]]:
    """Label and annotator of these texts as the log has them."""
    effective: dict[int, tuple[str | None, str | None]] = {}
    for chunk in _chunks(sorted(text_ids)):
        gold = connection.execute(select(TextRow.id, TextRow.gold).where(TextRow.id.in_(chunk)))
        effective.update({row.id: (row.gold, None) for row in gold})
        given = _standing(project_id).where(LabelEventRow.text_id.in_(chunk)).order_by(LabelEventRow.id)
        effective.update({row.text_id: (row.label, row.annotator) for row in connection.execute(given)})
    return effective


def _write_effective(connection: Connection, effective: dict[int, tuple[str | None, str | None]]) -> None:
    change = update(TextRow).where(TextRow.id == bindparam("of_text"))
    change = change.values(label=bindparam("new_label"), annotator=bindparam("new_annotator"))
    rows = [
        {"of_text": text_id, "new_label": label, "new_annotator": annotator}
        for text_id, (label, annotator) in effective.items()
    ]
    if rows:
        connection.execute(change, rows)


def _checked(connection: Connection, project_id: int, labels: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The labels as they are stored; InputError for one that the project's task does not know."""
    project = read_project(connection, project_id)
    if project.task != "slots":
        return [(text_id, check_label(label, f"the label of text {text_id}")) for text_id, label in labels]
    texts: dict[int, str] = {}
    for chunk in _chunks([text_id for text_id, _ in labels]):
        found = connection.execute(select(TextRow.id, TextRow.text).where(TextRow.id.in_(chunk)))
        texts.update(found.tuples().all())
    return [
        (text_id, check_spans(read_spans(label), texts[text_id], project.tokenization, f"the spans of text {text_id}"))
        for text_id, label in labels
    ]


def _project_of(connection: Connection, text_ids: list[int]) -> int:
    """The one project of all these texts."""
    projects: dict[int, int] = {}
    for chunk in _chunks(text_ids):
        query = select(TextRow.id, TextRow.project_id).where(TextRow.id.in_(chunk))
        projects.update(connection.execute(query).tuples().all())
    for text_id in text_ids:
        if text_id not in projects:
            read_text(connection, text_id)
    if len(set(projects.values())) > 1:
        raise InputError("These texts belong to more than one project. Label the texts of one project at a time.")
    return projects[text_ids[0]]


def _chunks(text_ids: list[int]) -> list[list[int]]:
    return [text_ids[start : start + _CHUNK] for start in range(0, len(text_ids), _CHUNK)]


def _event(row: Row[Any]) -> LabelEvent:
    return LabelEvent(
        id=row.id,
        text_id=row.text_id,
        label=row.label,
        annotator=row.annotator,
        action=row.action,
        created_at=row.created_at,
        undoes=row.undoes,
    )
