"""Decisions of reviewers between annotations, and what everybody said of a text.

A decision is an event of its own kind: who decided, what, and between what and whom (`data["between"]`, person ->
answer). The annotations stay as they are. Until it is taken back, or decided anew, it is the text's label, whatever
annotations come after it, and the queue gives the text to nobody any more, unless it was asked for such texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from re2nn_core.errors import ConflictError
from re2nn_core.store.assignments import close_seats
from re2nn_core.store.checks import check_person
from re2nn_core.store.engine.bulk_rows import batched
from re2nn_core.store.engine.database import Store
from re2nn_core.store.labels import check_annotations, event_of, hold_texts, project_of, standing, write_labels_of
from re2nn_core.store.log.events import DECISION, RESOLVE, append_annotations
from re2nn_core.store.project_rows import read_project
from re2nn_core.store.records import LabelEvent
from re2nn_core.store.schema import EventRow, SeatRow

_PIECE = 500
_OPINIONS = ("label", "flag", DECISION)
_ABOUT_A_TEXT = (*_OPINIONS, "skip", RESOLVE, "undo")
# As `Opinion` holds them.
_COLUMNS = (
    EventRow.id,
    EventRow.text_id,
    EventRow.person,
    EventRow.kind,
    func.coalesce(EventRow.value, ""),
    EventRow.created_at,
    EventRow.batch,
)


class Opinion(NamedTuple):
    """What one person did to one text, and nobody took back. `value`: the label, the flag's note, or what was decided.
    `batch` names the first event where it was one of many at once."""

    event: int
    text_id: int
    person: str
    kind: str
    value: str
    at: datetime
    batch: int | None


def opinions_of(store: Store, project_id: int, text_ids: Sequence[int] | None = None) -> tuple[Opinion, ...]:
    """All labels, flags and decisions of a project that stand, or those of these texts, in their order."""
    query = standing(project_id, _OPINIONS)
    if text_ids is not None:
        query = query.where(EventRow.text_id.in_(list(text_ids)))
    with store.reading() as connection:
        read_project(connection, project_id)
        rows = connection.execute(query.with_only_columns(*_COLUMNS).order_by(EventRow.id)).all()
        return tuple(map(Opinion._make, rows))


def newest_event(store: Store, text_id: int) -> int:
    """The id of the newest event about a text, 0 where there is none: what `record_decision` takes as `seen`."""
    with store.reading() as connection:
        return _newest(connection, text_id)


def record_decision(store: Store, text_id: int, annotation: str, person: str, *, seen: int | None = None) -> LabelEvent:
    """Settle what the label of a text is, or its spans.

    `seen` is the newest event about the text that the person knows: where there is a newer one, this raises
    ConflictError and stores nothing. None decides without that check.
    """
    person = check_person(person)
    with store.reading() as connection:
        project_id = project_of(connection, [text_id])
        [(_, checked)] = check_annotations(connection, project_id, [(text_id, annotation)])

    def work(connection: Connection) -> LabelEvent:
        hold_texts(connection, [text_id])
        if seen is not None and _newest(connection, text_id) != seen:
            raise ConflictError(
                "This text was annotated or adjudicated a moment ago, so nothing was stored. Check it again."
            )
        opinions = standing(project_id).where(EventRow.text_id == text_id).order_by(EventRow.id)
        between = {row.person: row.value for row in connection.execute(opinions)}
        logged = {"project_id": project_id, "text_id": text_id, "kind": DECISION, "value": checked}
        [event] = append_annotations(connection, [{**logged, "data": {"between": between}}], person)
        write_labels_of(connection, project_id, [text_id])
        close_seats(connection, SeatRow.text_id == text_id)
        return event_of(event)

    return store.quickly(work)


def confirm_labels(store: Store, annotations: Sequence[tuple[int, str]], person: str) -> tuple[int, ...]:
    """Decide many texts as one action, each as (text id, what all who judged it say); the ids of those that were.

    Left out is what is not so any more: where somebody has said something else meanwhile, has taken it back, put the
    text aside or decided it.
    """
    person = check_person(person)
    if not annotations:
        return ()
    with store.reading() as connection:
        project_id = project_of(connection, [text_id for text_id, _ in annotations])
        checked = check_annotations(connection, project_id, annotations)

    def work(connection: Connection) -> tuple[int, ...]:
        hold_texts(connection, [text_id for text_id, _ in checked])
        events: list[dict[str, Any]] = []
        for chunk in batched(checked, _PIECE):
            between = _unanimous(connection, project_id, [text_id for text_id, _ in chunk])
            events += [
                {
                    "project_id": project_id,
                    "text_id": text_id,
                    "kind": DECISION,
                    "value": annotation,
                    "data": {"between": between[text_id], "how": "confirmed"},
                }
                for text_id, annotation in chunk
                if annotation in between.get(text_id, {}).values()
            ]
        if not events:
            return ()
        append_annotations(connection, events, person)
        decided: list[int] = [event["text_id"] for event in events]
        write_labels_of(connection, project_id, decided)
        for piece in batched(decided, _PIECE):
            close_seats(connection, SeatRow.text_id.in_(piece))
        return tuple(decided)

    return store.quickly(work)


def _unanimous(connection: Connection, project_id: int, text_ids: list[int]) -> dict[int, dict[str, str]]:
    """Who says what of those of these texts on which all say the same, and which nobody has flagged or decided."""
    opinions: dict[int, dict[str, str]] = {}
    resolved: set[int] = set()
    events = standing(project_id, _OPINIONS).where(EventRow.text_id.in_(text_ids)).order_by(EventRow.id)
    for row in connection.execute(events):
        if row.kind == "label":
            opinions.setdefault(row.text_id, {})[row.person] = row.value
        else:
            resolved.add(row.text_id)
    return {
        text_id: given
        for text_id, given in opinions.items()
        if text_id not in resolved and len(set(given.values())) == 1
    }


def _newest(connection: Connection, text_id: int) -> int:
    query = select(func.max(EventRow.id)).where(EventRow.text_id == text_id, EventRow.kind.in_(_ABOUT_A_TEXT))
    return connection.execute(query).scalar() or 0
