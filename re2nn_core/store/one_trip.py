"""A label saved and the next text leased in one statement, for PostgreSQL: one trip to the server in place of seven.

The statement is a transaction of its own: all of it is committed when its answer comes, or none of it. Its parts see
the database as it was at its start, so a part that needs what another did refers to it. The text's row is locked before
its seats, as everywhere. Where the person has no seat of the text, nothing is written at all.

SQLite, whose statements cost no trip, does the same step by step (see queue.py).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row

# As seats.py and reach.py say it: what is free, where the walk begins, and what is in the way of this person.
_SAVE = """
WITH held AS (
    SELECT id FROM "text" WHERE id = %(text)s AND project_id = %(project)s FOR UPDATE
), finished AS (
    UPDATE seat SET done = true, held_until = NULL
    FROM held WHERE seat.text_id = held.id AND seat.holder = %(person)s
    RETURNING seat.id
), written AS (
    UPDATE "text" SET label = %(label)s, annotator = %(person)s
    FROM finished WHERE "text".id = %(text)s AND NOT "text".decided
), told AS (
    INSERT INTO event (project_id, text_id, kind, value, person, created_at)
    SELECT %(project)s, %(text)s, 'label', %(label)s, %(person)s, %(moment)s FROM finished
    RETURNING id
), free AS (
    SELECT seat.id FROM seat
    WHERE seat.project_id = %(project)s AND seat.assigned = %(assigned)s AND NOT seat.done
        AND seat.place >= coalesce((
            SELECT place FROM reach
            WHERE project_id = %(project)s AND person = %(person)s AND assigned = %(assigned)s), 0)
        AND NOT seat.closed AND (seat.held_until IS NULL OR seat.held_until < %(moment)s)
        AND seat.text_id <> %(text)s AND %(take_next)s AND EXISTS (SELECT FROM finished)
        AND NOT EXISTS (
            SELECT FROM seat AS other
            WHERE other.text_id = seat.text_id AND other.holder = %(person)s AND other.id <> seat.id)
        AND NOT EXISTS (
            SELECT FROM event
            WHERE event.text_id = seat.text_id
                AND (event.person = %(person)s AND event.kind IN ('label', 'skip')
                    OR event.kind = 'flag' AND NOT EXISTS (
                        SELECT FROM event AS settled
                        WHERE settled.text_id = event.text_id AND settled.kind = 'settle' AND settled.id > event.id
                            AND NOT EXISTS (SELECT FROM event AS undo WHERE undo.undoes = settled.id)))
                AND NOT EXISTS (SELECT FROM event AS undo WHERE undo.undoes = event.id))
    ORDER BY seat.place, seat.id LIMIT 1
    FOR UPDATE OF seat SKIP LOCKED
), leased AS (
    UPDATE seat SET holder = %(person)s, held_until = %(until)s
    FROM free WHERE seat.id = free.id
    RETURNING seat.text_id
)
SELECT told.id AS event_id, "text".id, "text".project_id, "text".position, "text"."text", "text".gold, "text".split,
    "text".label, "text".annotator, "text".decided
FROM told LEFT JOIN leased ON true LEFT JOIN "text" ON "text".id = leased.text_id
"""


def save_and_lease(
    connection: Connection,
    project_id: int,
    text_id: int,
    label: str,
    person: str,
    *,
    assigned: str,
    moment: datetime,
    until: datetime,
    take_next: bool,
) -> Row[Any] | None:
    """The event's id and behind it the leased text's columns, all None where there is none to have; None where the
    person has no seat of the text, and nothing was written."""
    values = {"project": project_id, "text": text_id, "label": label, "person": person, "assigned": assigned}
    moments = {"moment": _plain(moment), "until": _plain(until), "take_next": take_next}
    return connection.exec_driver_sql(_SAVE, {**values, **moments}).one_or_none()


def _plain(moment: datetime) -> datetime:
    """A moment as its column keeps it: in UTC, without the zone."""
    return moment.astimezone(UTC).replace(tzinfo=None)
