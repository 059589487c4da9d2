"""Where a project gets more labelled or annotated texts."""

from __future__ import annotations

from pages._shared.catalog import LABEL, PROJECTS, PageEntry
from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import count_texts


def more_texts_page(project_id: int) -> PageEntry:
    """Label while a text has no label or spans; Projects, where texts are added, once all have."""
    left = count_texts(store(), project_id) > count_texts(store(), project_id, labelled=True)
    return LABEL if left else PROJECTS
