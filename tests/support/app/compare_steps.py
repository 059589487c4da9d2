"""The page Compare, as tests open it."""

from __future__ import annotations

from support.app.app_studio import Studio
from support.projects.finished_run import plant_a_change

from re2nn_core.store import ProjectRecord, RunRecord


def opened_with_a_change(studio: Studio, project: ProjectRecord, run: RunRecord) -> RunRecord:
    """The page with a run whose rule `price` has changed for sure."""
    studio.open("compare", project=project.id)
    plant_a_change(run)
    studio.test.run()
    studio.checked()
    return run
