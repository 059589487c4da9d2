"""What people decide about changes that a network learned: events of the project as a whole.

`data["decided"]` has one entry for each change: the rule, the fingerprint of the change, the state that it has from
then on, the words that it adds and removes, and where the rule was edited, its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from re2nn_core.store.checks import check_person
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import REVIEW, Event, append_event, list_events
from re2nn_core.store.project_rows import hold_project


def record_review(store: Store, project_id: int, decided: Sequence[dict[str, Any]], person: str) -> None:
    """Write down what was decided, as one action. NotFoundError for a project that is gone."""
    person = check_person(person)
    with store.writing() as connection:
        hold_project(connection, project_id)
        append_event(connection, project_id, REVIEW, person=person, data={"decided": list(decided)})


def review_events(store: Store, project_id: int) -> tuple[Event, ...]:
    """All such events of a project, the oldest in front."""
    return tuple(reversed(list_events(store, project_id, kinds=(REVIEW,), limit=None)))
