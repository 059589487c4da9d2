"""What the store changes in one step, behind the check of who may: runs stopped, projects renamed, deleted
and set. Pages write through services alone, never into the store."""

from __future__ import annotations

from re2nn_core import store as kept
from re2nn_core.services.team.people import require_role
from re2nn_core.store import ProjectRecord, RunRecord, Store


def request_cancel(store: Store, run_id: int, *, person: str) -> RunRecord:
    """Ask a run to stop. One that waits is cancelled at once; one that is over stays as it is."""
    require_role(store, person, "reviewer", "stop a training")
    return kept.request_cancel(store, run_id, person=person)


def rename_project(store: Store, project_id: int, name: str, *, person: str) -> ProjectRecord:
    """Give a project another name, which no other project may have."""
    require_role(store, person, "owner", "rename a project")
    return kept.rename_project(store, project_id, name, person=person)


def set_slot_case(store: Store, project_id: int, *, ignore: bool, person: str) -> ProjectRecord:
    """Say whether the slots of a project's rules are those of its texts, whatever the case of their letters."""
    require_role(store, person, "owner", "change the settings of a project")
    return kept.set_slot_case(store, project_id, ignore=ignore, person=person)


def delete_project(store: Store, project_id: int, *, person: str) -> None:
    """Remove a project with all that belongs to it; ConflictError while runs of it are at work."""
    require_role(store, person, "owner", "delete a project")
    kept.delete_project(store, project_id, person=person)
