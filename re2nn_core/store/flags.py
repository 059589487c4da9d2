"""What becomes of a flagged text: somebody takes the flags back, and may give the text its label at once."""

from __future__ import annotations

from sqlalchemy import Connection, select

from re2nn_core.errors import ConflictError
from re2nn_core.store.checks import check_person
from re2nn_core.store.database import Store
from re2nn_core.store.events import append_judgements
from re2nn_core.store.labels import check_labels, hold_texts, project_of, standing, write_labels
from re2nn_core.store.reach import move_back
from re2nn_core.store.schema import EventRow
from re2nn_core.store.seats import take_seats


def settle_flag(store: Store, text_id: int, person: str, label: str | None = None) -> None:
    """Take back all flags of a text, whoever set them: with a label it is judged by this person in the same step,
    without one it is given out again.

    ConflictError where no flag is left: then nothing was stored.
    """
    person = check_person(person)
    with store.reading() as connection:
        project_id = project_of(connection, [text_id])
        checked = [] if label is None else check_labels(connection, project_id, [(text_id, label)])
    with store.writing() as connection:
        hold_texts(connection, [text_id])
        flags = connection.execute(standing(project_id, ("flag",)).where(EventRow.text_id == text_id)).all()
        if not flags:
            raise ConflictError(
                "Somebody has settled this flag a moment ago. Nothing was stored. Go on with the next flagged text."
            )
        fixed = {"project_id": project_id, "kind": "undo", "text_id": text_id}
        undone = [{**fixed, "value": row.value, "undoes": row.id, "data": {"settled": True}} for row in flags]
        append_judgements(connection, undone, person)
        if checked:
            write_labels(connection, project_id, checked, person, how="settled")
            take_seats(connection, [text_id], person)
        move_back(connection, project_id, [text_id])


def flagged_ids(connection: Connection, project_id: int) -> frozenset[int]:
    """Ids of the texts with a flag that stands."""
    flags = standing(project_id, ("flag",)).subquery()
    return frozenset(connection.execute(select(flags.c.text_id)).scalars())
