"""The page Fine-tune where a run moves on while the page is drawn: the page shows what is, and a click counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.app.app_studio import Studio
from support.projects.finished_run import learnable_project
from support.projects.finished_tagger_run import slot_project

from pages._train import body
from re2nn_core.store import (
    ProjectRecord,
    Store,
    claim_run,
    create_run,
    finish_run,
    get_run,
    latest_version,
    request_cancel,
)

of_both_tasks = pytest.mark.parametrize("made", [learnable_project, slot_project], ids=["labels", "slots"])


def queued(store: Store, project: ProjectRecord) -> int:
    return create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id).id


def happens_behind(monkeypatch: pytest.MonkeyPatch, name: str, what: Callable[[], object]) -> None:
    """Once, while the page is drawn: behind what it reads with the function of this name."""
    read, due = getattr(body, name), [what]

    def reads(*arguments: Any) -> Any:
        found = read(*arguments)
        if due:
            due.pop()()
        return found

    monkeypatch.setattr(body, name, reads)


@of_both_tasks
def test_a_run_that_ends_while_the_page_is_drawn_leaves_the_start_free(
    studio: Studio, store: Store, monkeypatch: pytest.MonkeyPatch, made: Callable[[Store], ProjectRecord]
) -> None:
    """Nothing else would draw the page anew: its start stayed grey until it was reloaded."""
    project = made(store)
    run = queued(store, project)
    assert claim_run(store, run, max_running=1, pid=1, host="elsewhere")
    request_cancel(store, run)
    happens_behind(monkeypatch, "run_rows", lambda: finish_run(store, run, "cancelled"))
    studio.open("train", project=project.id)
    assert not studio.test.button(key="train_start").disabled
    assert "Cancelled before its first epoch." in studio.html


@of_both_tasks
def test_cancel_counts_for_a_run_that_begins_just_then(
    studio: Studio, store: Store, monkeypatch: pytest.MonkeyPatch, made: Callable[[Store], ProjectRecord]
) -> None:
    """The panel of a run that has begun draws the whole page anew, and forgot the click."""
    project = made(store)
    run = queued(store, project)
    studio.open("train", project=project.id)
    begins = {"max_running": 1, "pid": 1, "host": "elsewhere"}
    happens_behind(monkeypatch, "chosen_run", lambda: claim_run(store, run, **begins))
    studio.test.button(key="train_cancel").click().run()
    studio.checked()
    assert get_run(store, run).cancel_requested
