"""A label saved and the next text leased in one statement, for PostgreSQL: one trip to the server in place of seven.

The statement is a transaction of its own: all of it is committed when its answer comes, or none of it. Its parts see
the database as it was at its start, so a part that needs what another did refers to it. The text's row is locked before
its seats, as everywhere. Where the person has no seat of the text, the project has no queue or one with places of
people's own, or an answer was not checked as its task wants it, nothing is written at all.

SQLite, whose statements cost no trip, does the same step by step (see leases.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from re2nn_core.store.records import TextRecord

# As store/assignments.py and store/queue_cursor.py say it: what is free, where the walk begins, and what is in the way
# of this person.
_SAVE = """
WITH held AS (
    SELECT "text".project_id, queue.blind,
        %(moment)s + queue.lease_seconds * INTERVAL '1 second' AS until
    FROM "text" JOIN project ON project.id = "text".project_id JOIN queue ON queue.project_id = "text".project_id
    WHERE "text".id = %(text)s AND NOT queue.shared AND (project.task <> 'slots' OR %(fits_text)s)
    FOR UPDATE OF "text"
), finished AS (
    UPDATE seat SET done = true, held_until = NULL
    FROM held WHERE seat.text_id = %(text)s AND seat.holder = %(person)s
    RETURNING seat.project_id
), written AS (
    UPDATE "text" SET label = %(label)s, annotator = %(person)s
    FROM finished WHERE "text".id = %(text)s AND NOT "text".decided
), told AS (
    INSERT INTO event (project_id, text_id, kind, value, person, created_at)
    SELECT project_id, %(text)s, 'label', %(label)s, %(person)s, %(moment)s FROM finished
    RETURNING id
), free AS (
    SELECT seat.id FROM seat
    WHERE seat.project_id = (SELECT project_id FROM finished) AND seat.assigned = %(assigned)s AND NOT seat.done
        AND seat.place >= coalesce((
            SELECT place FROM reach
            WHERE project_id = (SELECT project_id FROM finished)
                AND person = %(person)s AND assigned = %(assigned)s), 0)
        AND NOT seat.closed AND (seat.held_until IS NULL OR seat.held_until < %(moment)s)
        AND seat.text_id <> %(text)s AND %(take_next)s
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
    UPDATE seat SET holder = %(person)s, held_until = (SELECT until FROM held)
    FROM free WHERE seat.id = free.id
    RETURNING seat.text_id
)
SELECT told.id AS event_id, held.project_id AS of_project, held.blind, held.until,
    "text".id, "text".project_id, "text".position, "text"."text", "text".gold, "text".split, "text".label,
    "text".annotator, "text".decided
FROM told CROSS JOIN held LEFT JOIN leased ON true LEFT JOIN "text" ON "text".id = leased.text_id
"""


@dataclass(frozen=True)
class Saved:
    """`text`: the one that was leased, until `until`; None where there is none to have."""

    event_id: int
    project_id: int
    blind: bool
    until: datetime
    text: TextRecord | None


def save_and_lease(
    connection: Connection,
    text_id: int,
    label: str,
    person: str,
    *,
    assigned: str,
    moment: datetime,
    take_next: bool,
    fits_text: bool,
) -> Saved | None:
    """What was done; None where nothing was. `fits_text`: the answer was checked against the text, as spans must be."""
    values = {"text": text_id, "label": label, "person": person, "assigned": assigned}
    ways = {"moment": moment.astimezone(UTC).replace(tzinfo=None), "take_next": take_next, "fits_text": fits_text}
    row = connection.exec_driver_sql(_SAVE, {**values, **ways}).one_or_none()
    if row is None:
        return None
    event_id, project_id, blind, until, *text = row
    leased = None if text[0] is None else TextRecord(*text)
    return Saved(event_id, project_id, blind, until.replace(tzinfo=UTC), leased)
