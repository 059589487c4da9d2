"""What annotators and reviewers may do with a team's queue."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from re2nn_core.errors import Re2nnError
from re2nn_core.services.annotation import bulk_accept, classification, queue_work, team_queue
from re2nn_core.services.annotation.bulk_accept import accept_matches, label_matches
from re2nn_core.services.annotation.team_queue import QueueSettings, end_queue, preview_queue, start_queue
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.store import (
    ProjectRecord,
    Store,
    TextRecord,
    flag,
    open_queue,
    texts_of,
)


class RefusedError(Re2nnError):
    """What a role is refused with in these tests."""


@pytest.fixture
def roles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann is an annotator, Rita a reviewer."""
    levels = {"Ann": 0, "Rita": 1}

    def require(store: Store, person: str, role: str, doing: str) -> None:
        if levels[person] < ("annotator", "reviewer", "owner").index(role):
            raise RefusedError(f"{person} may not {doing}.")

    for module in (bulk_accept, classification, queue_work, team_queue):
        monkeypatch.setattr(module, "require_role", require)


Act = Callable[[Store, ProjectRecord, TextRecord, Predictions, str], object]
REVIEWING: tuple[tuple[str, Act], ...] = (
    ("open a queue", lambda s, p, r, a, who: start_queue(s, p.id, who, team_queue.Laid((r.id,)), QueueSettings())),
    ("open a queue", lambda s, p, r, a, who: preview_queue(s, p.id, who, team_queue.Laid((r.id,)), QueueSettings())),
    ("close a queue", lambda s, p, r, a, who: end_queue(s, p.id, who)),
    ("adjudicate flagged texts", lambda s, p, r, a, who: queue_work.flagged(s, p.id, who)),
    ("adjudicate flagged texts", lambda s, p, r, a, who: queue_work.resolve_flagged_text(s, r.id, who, "flight")),
    ("accept predictions for many texts at once",
     lambda s, p, r, a, who: label_matches(s, p.id, who, a, label="flight")),
    ("accept predictions for many texts at "
    "once", lambda s, p, r, a, who: classification.annotate_all(s, [(r.id, "x")], who)),
    ("accept predictions for many texts at once",
     lambda s, p, r, a, who: accept_matches(s, who, bulk_accept.BulkMatches((), {}, (), 0), a)),
)  # fmt: skip


@pytest.mark.parametrize(("doing", "act"), REVIEWING)
def test_annotators_are_refused_what_reviewers_may(
    store: Store, project: ProjectRecord, predicted: Predictions, roles: None, doing: str, act: Act
) -> None:
    record = texts_of(store, project.id)[0]
    flag(store, record.id, "Ann")
    with pytest.raises(RefusedError, match=f"Ann may not {doing}."):
        act(store, project, record, predicted, "Ann")
    act(store, project, record, predicted, "Rita")


def test_annotators_label_skip_flag_and_undo(store: Store, project: ProjectRecord, roles: None) -> None:
    ids = [record.id for record in texts_of(store, project.id)]
    open_queue(store, project.id, ids)
    queue_work.label_open_text(store, texts_of(store, project.id)[0], "flight", "Ann")
    queue_work.leave(store, ids[1], "Ann")
    queue_work.flag_text(store, ids[2], "Ann")
    assert queue_work.take_back(store, project.id, "Ann") is not None
