"""What becomes of a flagged text: somebody settles its flags, and may give the text its label at once.

Settling is an event of its own. The flags stay in the log as they are; those before it stand no more, until it is taken
back.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from re2nn_core.errors import ConflictError
from re2nn_core.store.assignments import take_seats
from re2nn_core.store.checks import check_person
from re2nn_core.store.engine.database import Store
from re2nn_core.store.labels import check_annotations, hold_texts, project_of, standing, write_labels
from re2nn_core.store.log.events import RESOLVE, append_annotations
from re2nn_core.store.queue_cursor import move_back
from re2nn_core.store.schema import EventRow


def resolve_flag(store: Store, text_id: int, person: str, label: str | None = None) -> None:
    """Remove all flags of a text: with a label it is annotated by this person in the same action, without one it
    returns to the queue.

    ConflictError where no flag is left: then nothing was stored.
    """
    person = check_person(person)
    with store.reading() as connection:
        project_id = project_of(connection, [text_id])
        checked = [] if label is None else check_annotations(connection, project_id, [(text_id, label)])
    with store.writing() as connection:
        hold_texts(connection, [text_id])
        standing_ones = standing(project_id, ("flag",)).where(EventRow.text_id == text_id).order_by(EventRow.id)
        flags = connection.execute(standing_ones).all()
        if not flags:
            raise ConflictError(
                "This flag was adjudicated a moment ago, so nothing was stored. Continue with the next flagged text."
            )
        logged = {"flagged_by": list(dict.fromkeys(row.person for row in flags)), "given_back": not checked}
        resolved = {"project_id": project_id, "kind": RESOLVE, "text_id": text_id, "value": None, "data": logged}
        if checked:
            [given] = write_labels(connection, project_id, checked, person, how="settled")
            append_annotations(connection, [resolved], person, batch=given.id)
            take_seats(connection, [text_id], person)
        else:
            append_annotations(connection, [resolved], person)
        move_back(connection, project_id, [text_id])


def flagged_ids(connection: Connection, project_id: int) -> frozenset[int]:
    """Ids of the texts with a flag that stands."""
    flags = standing(project_id, ("flag",)).subquery()
    return frozenset(connection.execute(select(flags.c.text_id)).scalars())
