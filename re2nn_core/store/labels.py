"""Labels given by people: events of the log (see log/events.py) and what follows from them.

The effective label of a text is what a reviewer decided last (decisions.py); else what was said of it last, by
whomever; else the gold one. What was taken back counts as never said. It follows from the log alone; `text.label`,
`text.annotator` and `text.decided` keep it, written in the log's own transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, Text, bindparam, case, func, or_, select, update
from sqlalchemy.orm import aliased

from re2nn_core.errors import InputError
from re2nn_core.store.assignments import close_seats, give_back_seats, let_go, take_seats
from re2nn_core.store.checks import check_label, check_person, check_spans
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import DECISION, RESOLVE, append_annotations
from re2nn_core.store.project_rows import hold_project, no_such_project, read_project
from re2nn_core.store.queue_cursor import is_resolved, move_back
from re2nn_core.store.records import LabelEvent
from re2nn_core.store.schema import EventRow, SeatRow, TextRow
from re2nn_core.store.texts import read_text
from re2nn_core.task import Task, by_task
from re2nn_core.text.spans import read_spans
from re2nn_core.text.tokenization import Tokenization

_COLUMNS = EventRow.__table__
_TEXT: Table = TextRow.metadata.tables[TextRow.__tablename__]
_THIS = update(_TEXT).where(TextRow.id == bindparam("of_text"), TextRow.project_id == bindparam("of_project"))
_WRITE = _THIS.values(
    label=bindparam("new_label"), annotator=bindparam("new_annotator"), decided=bindparam("new_decided")
)
# An annotation leaves the label of a text that is decided. The row itself says so: others may be deciding it just now.
_GIVE = _THIS.values(
    label=case((TextRow.decided, TextRow.label), else_=bindparam("new_label", type_=Text)),
    annotator=case((TextRow.decided, TextRow.annotator), else_=bindparam("new_annotator", type_=Text)),
)
# Label, who gave it, and whether a reviewer decided it.
Effective = tuple[str | None, str | None, bool]
# The events that give a text its label.
GIVING = ("label", DECISION)
# Databases limit the number of values in one statement; SQLite's oldest limit is 999.
_CHUNK = 500


def record_label(store: Store, text_id: int, label: str, annotator: str) -> LabelEvent:
    """Give one text a label."""
    return record_labels(store, [(text_id, label)], annotator)[0]


def record_labels(
    store: Store, labels: Sequence[tuple[int, str]], annotator: str, *, how: str = ""
) -> tuple[LabelEvent, ...]:
    """Give texts of one project their labels, as (text id, label): all of them, or none. In a project for slots a label
    is all spans of the text as `write_spans` writes them. `how` is kept in the log, as "accepted" for answers that
    were accepted together."""
    annotator = check_person(annotator)
    if not labels:
        return ()
    with store.reading() as connection:
        project_id = project_of(connection, [text_id for text_id, _ in labels])
        checked = check_annotations(connection, project_id, labels)

    def write(connection: Connection) -> list[Row[Any]]:
        events = write_labels(connection, project_id, checked, annotator, how=how)
        for chunk in chunks([text_id for text_id, _ in checked]):
            take_seats(connection, chunk, annotator)
        return events

    return tuple(event_of(row) for row in store.quickly(write))


def write_labels(
    connection: Connection, project_id: int, labels: Sequence[tuple[int, str]], annotator: str, *, how: str = ""
) -> list[Row[Any]]:
    """The events of labels that were checked, and what follows from them."""
    # The texts' rows first, always in one order: so two who label the same texts wait for each other, and never both.
    given: dict[int, Effective] = {text_id: (label, annotator, False) for text_id, label in labels}
    _write_rows(connection, given, project_id, decided=False)
    data = {"how": how} if how else None
    fixed = {"project_id": project_id, "kind": "label", "data": data}
    events = [{**fixed, "text_id": text_id, "value": label} for text_id, label in labels]
    return append_annotations(connection, events, annotator)


def undo_last(store: Store, project_id: int, annotator: str) -> LabelEvent | None:
    """Take back the newest label this person gave that still stands; None where there is none.

    Called again it goes further back. The log keeps both the label and the undo.
    """
    undone = _undo(store, project_id, annotator, whole_action=False)
    return undone[0] if undone else None


def undo_last_action(
    store: Store, project_id: int, annotator: str, kinds: Sequence[str] = ("label",)
) -> tuple[LabelEvent, ...]:
    """Take back all that this person's newest `record_label` or `record_labels` gave and still stands; with `kinds`
    (see events.JUDGEMENTS) also what was skipped, flagged, or settled of others' flags, which then stand again."""
    return _undo(store, project_id, annotator, whole_action=True, kinds=kinds)


def label_history(store: Store, project_id: int, limit: int = 100) -> tuple[LabelEvent, ...]:
    """The log of a project, the newest event in front."""
    query = select(_COLUMNS).where(EventRow.project_id == project_id, EventRow.kind.in_(("label", "undo")))
    query = query.where(EventRow.text_id.is_not(None)).order_by(EventRow.id.desc())
    with store.reading() as connection:
        read_project(connection, project_id)
        return tuple(event_of(row) for row in connection.execute(query.limit(limit)))


def labelled_by(store: Store, project_id: int) -> dict[str, int]:
    """How many texts each person has given a label that still stands, the most diligent in front."""
    return {person: texts for person, (texts, _) in labelled_until(store, project_id).items()}


def labelled_until(store: Store, project_id: int) -> dict[str, tuple[int, int]]:
    """The same with the id of the last event that is counted: whoever knows of a later one adds it."""
    given = standing(project_id).subquery()
    counts_of = func.count(given.c.text_id.distinct()), func.max(given.c.id)
    query = select(given.c.person, *counts_of).group_by(given.c.person)
    with store.reading() as connection:
        read_project(connection, project_id)
        counts = connection.execute(query).tuples().all()
    ranked = sorted(counts, key=lambda entry: (-entry[1], entry[0]))
    return {person: (texts, last) for person, texts, last in ranked}


def rebuild_labels(store: Store, project_id: int) -> int:
    """Derive every effective label from the log again; how many texts had to be corrected (0 as a rule)."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        return write_all_effective(connection, project_id)


def write_all_effective(connection: Connection, project_id: int) -> int:
    """Write the labels that follow from the log, where others are written; how many there were."""
    given = last_labels(connection, standing(project_id, GIVING))
    texts = connection.execute(select(TextRow.__table__).where(TextRow.project_id == project_id))
    kept = {row.id: (row.gold, (row.label, row.annotator, row.decided)) for row in texts}
    right = {text_id: given.get(text_id, (gold, None, False)) for text_id, (gold, _) in kept.items()}
    wrong = {text_id: derived for text_id, derived in right.items() if derived != kept[text_id][1]}
    _write_rows(connection, wrong, project_id)
    return len(wrong)


def last_labels(connection: Connection, events: Select[Any]) -> dict[int, Effective]:
    """What follows from standing events for the texts that they are about; see the module."""
    effective: dict[int, Effective] = {}
    columns = events.with_only_columns(EventRow.text_id, EventRow.value, EventRow.person, EventRow.kind)
    for row in connection.execute(columns.order_by(EventRow.id)):
        text_id, decision = int(row.text_id or 0), row.kind == DECISION
        if decision or text_id not in effective or not effective[text_id][2]:
            effective[text_id] = (row.value, row.person, decision)
    return effective


def standing(project_id: int, kinds: Sequence[str] = ("label",)) -> Select[Any]:
    """The events of these kinds in a project that nobody took back; of flags those that nobody has settled."""
    undo = aliased(EventRow)
    taken_back = select(undo.id).where(undo.undoes == EventRow.id).exists()
    found = select(_COLUMNS).where(EventRow.project_id == project_id, EventRow.kind.in_(kinds), ~taken_back)
    if "flag" not in kinds:
        return found
    return found.where(or_(EventRow.kind != "flag", ~is_resolved()))


def _undo(
    store: Store, project_id: int, annotator: str, *, whole_action: bool, kinds: Sequence[str] = ("label",)
) -> tuple[LabelEvent, ...]:
    annotator = check_person(annotator)
    with store.writing() as connection:
        hold_project(connection, project_id)
        own = standing(project_id, kinds).where(EventRow.person == annotator).order_by(EventRow.id.desc())
        taken_back = connection.execute(own.limit(1)).all()
        if not taken_back:
            return ()
        if whole_action:
            first = taken_back[0].batch or taken_back[0].id
            same = own.where(EventRow.id >= first, or_(EventRow.batch == first, EventRow.id == first))
            taken_back = connection.execute(same).all()
        text_ids = sorted({row.text_id for row in taken_back})
        hold_texts(connection, text_ids)
        fixed = {"project_id": project_id, "kind": "undo"}
        events = [{**fixed, "text_id": row.text_id, "value": row.value, "undoes": row.id} for row in taken_back]
        undone = append_annotations(connection, events, annotator)
        write_labels_of(connection, project_id, text_ids)
        annotated = sorted({row.text_id for row in taken_back if row.kind not in (DECISION, RESOLVE)})
        give_back_seats(connection, project_id, annotator, annotated)
        # Their flags stand again, and a flag ends what anybody has of a text.
        for chunk in chunks(sorted({row.text_id for row in taken_back if row.kind == RESOLVE})):
            let_go(connection, SeatRow.text_id.in_(chunk))
        for chunk in chunks(sorted({row.text_id for row in taken_back if row.kind == DECISION})):
            close_seats(connection, SeatRow.text_id.in_(chunk))
        move_back(connection, project_id, text_ids)
        return tuple(event_of(row) for row in undone)


def hold_texts(connection: Connection, text_ids: list[int]) -> None:
    """Keep others from labelling these texts until the transaction ends, in databases that lock by row."""
    for chunk in chunks(text_ids):
        held = select(TextRow.id).where(TextRow.id.in_(chunk)).order_by(TextRow.id).with_for_update()
        connection.execute(held).all()


def write_labels_of(connection: Connection, project_id: int, text_ids: Iterable[int]) -> None:
    """Write what the log tells of these texts, which must be held."""
    effective: dict[int, Effective] = {}
    for chunk in chunks(sorted(text_ids)):
        gold = connection.execute(select(TextRow.id, TextRow.gold).where(TextRow.id.in_(chunk)))
        effective.update({row.id: (row.gold, None, False) for row in gold})
        effective.update(last_labels(connection, standing(project_id, GIVING).where(EventRow.text_id.in_(chunk))))
    _write_rows(connection, effective, project_id)


def _write_rows(
    connection: Connection, effective: dict[int, Effective], project_id: int, *, decided: bool = True
) -> None:
    """`decided` False: labels alone, which leave what is decided as it is."""
    rows: list[dict[str, Any]] = [
        {"of_text": text_id, "of_project": project_id, "new_label": label, "new_annotator": annotator}
        | ({"new_decided": decision} if decided else {})
        for text_id, (label, annotator, decision) in sorted(effective.items())
    ]
    write = _WRITE if decided else _GIVE
    if rows and connection.execute(write, rows if len(rows) > 1 else rows[0]).rowcount not in (len(rows), -1):
        raise no_such_project(project_id)


def check_annotations(
    connection: Connection, project_id: int, labels: Sequence[tuple[int, str]]
) -> list[tuple[int, str]]:
    """The labels as they are stored; InputError for one that the project's task does not know."""
    project = read_project(connection, project_id)
    texts: dict[int, str] = {}
    if project.task == Task.SLOT_FILLING:
        for chunk in chunks([text_id for text_id, _ in labels]):
            found = connection.execute(select(TextRow.id, TextRow.text).where(TextRow.id.in_(chunk)))
            texts.update(found.tuples().all())
    return [
        (text_id, check_annotation(label, text_id, texts.get(text_id, ""), project.task, project.tokenization))
        for text_id, label in labels
    ]


def check_annotation(label: str, text_id: int, text: str, task: Task, tokenization: Tokenization) -> str:
    """One label, or the spans of a text, as it is stored."""
    return by_task(
        task,
        classification=lambda: check_label(label, f"the label of text {text_id}"),
        slot_filling=lambda: check_spans(read_spans(label), text, tokenization, f"the spans of text {text_id}"),
    )()


def project_of(connection: Connection, text_ids: list[int]) -> int:
    """The one project of all these texts. InputError where there are several."""
    projects: dict[int, int] = {}
    for chunk in chunks(text_ids):
        query = select(TextRow.id, TextRow.project_id).where(TextRow.id.in_(chunk))
        projects.update(connection.execute(query).tuples().all())
    for text_id in text_ids:
        if text_id not in projects:
            read_text(connection, text_id)
    if len(set(projects.values())) > 1:
        raise InputError("These texts belong to more than one project. Label the texts of one project at a time.")
    return projects[text_ids[0]]


def chunks(text_ids: list[int]) -> list[list[int]]:
    return [text_ids[start : start + _CHUNK] for start in range(0, len(text_ids), _CHUNK)]


def event_of(row: Row[Any]) -> LabelEvent:
    return LabelEvent(
        id=row.id,
        text_id=row.text_id,
        label=row.value or "",
        annotator=row.person,
        action=row.kind,
        created_at=row.created_at,
        undoes=row.undoes,
    )
