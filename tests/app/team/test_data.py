"""What the page Team has read, and how long it is used: longer only where the reading itself was slow."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import thread_time

import pytest
from support.app.app_studio import small_project

from pages._team.data import team_of
from re2nn_core.services.team.annotations import TeamAnnotations, team_annotations_of
from re2nn_core.store import Store, get_project, record_label, texts_of

SLOW_SECONDS = 0.6


def compute() -> None:
    end = thread_time() + SLOW_SECONDS
    while thread_time() < end:
        pass


def compute_beside() -> None:
    other = Thread(target=compute)
    other.start()
    other.join()


@pytest.mark.parametrize(("work", "newest"), [(compute, False), (compute_beside, True)])
def test_only_a_slow_read_is_used_longer(
    store: Store, monkeypatch: pytest.MonkeyPatch, work: Callable[[], None], newest: bool
) -> None:
    """What other threads compute meanwhile, as the libraries that are loaded behind, makes no read slow."""
    project = small_project(store)

    def read(store: Store, project_id: int) -> TeamAnnotations:
        work()
        return team_annotations_of(store, project_id)

    monkeypatch.setattr("pages._team.data.team_annotations_of", read)
    assert team_of(project).is_newest
    record_label(store, texts_of(store, project.id)[0].id, "flight", "Ann")
    assert team_of(get_project(store, project.id)).is_newest == newest
