"""What people decide about changes that a network learned: events of the project as a whole.

`data["decided"]` has one entry for each change: the rule, the fingerprint of the change, the state that it has from
then on, the words that it adds and removes, and where the rule was edited, its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select

from re2nn_core.store.checks import check_person
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import Event, append_event, list_events
from re2nn_core.store.project_rows import REVIEW, hold_project
from re2nn_core.store.schema import EventRow


def record_review(store: Store, project_id: int, decided: Sequence[dict[str, Any]], person: str) -> None:
    """Write down what was decided, as one action. NotFoundError for a project that is gone."""
    person = check_person(person)
    with store.writing() as connection:
        hold_project(connection, project_id)
        append_event(connection, project_id, REVIEW, person=person, data={"decided": list(decided)})


def newest_event_id(store: Store, project_id: int) -> int:
    """The newest event of a project, of whatever kind; 0 where there is none."""
    with store.reading() as connection:
        found = connection.execute(select(func.max(EventRow.id)).where(EventRow.project_id == project_id))
        return found.scalar() or 0


def reviewed_behind(store: Store, project_id: int, event_id: int) -> bool:
    """Whether something was decided after an event; what came before it is not read."""
    behind = EventRow.project_id == project_id, EventRow.id > event_id, EventRow.kind == REVIEW
    with store.reading() as connection:
        return connection.execute(select(EventRow.id).where(*behind).limit(1)).first() is not None


def review_events(store: Store, project_id: int) -> tuple[Event, ...]:
    """All such events of a project, the oldest in front."""
    return tuple(reversed(list_events(store, project_id, kinds=(REVIEW,), limit=None)))
