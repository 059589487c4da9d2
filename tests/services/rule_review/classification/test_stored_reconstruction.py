"""Reading a run back: kept beside its network, made again after labels have changed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from support.projects.finished_run import finished_run, learnable_project

from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    FILE,
    reconstruct_run,
    stored_reconstruction,
)
from re2nn_core.store import (
    RunRecord,
    Store,
    open_store,
    record_label,
    texts_of,
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    """One finished run for all tests that only look."""
    with open_store(tmp_path_factory.mktemp("runs") / "re2nn.sqlite3") as store:
        yield store, finished_run(store, learnable_project(store))


def test_a_readback_is_kept_beside_the_network(store):
    project = learnable_project(store)
    run = finished_run(store, project)
    assert stored_reconstruction(run.folder) is None
    records = texts_of(store, project.id)
    made = reconstruct_run(run, records)
    kept = stored_reconstruction(run.folder)
    assert kept == made
    assert kept.fits(records)
    record_label(store, records[0].id, "money", "Ann")
    assert not kept.fits(texts_of(store, project.id))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 0}', '{"format": 1}', '{"format": 2}'])
def test_a_damaged_readback_is_as_good_as_none(tmp_path, content):
    (tmp_path / FILE).write_text(content, encoding="utf-8")
    assert stored_reconstruction(tmp_path) is None


def test_a_readback_is_plain_json(home):
    store, run = home
    reconstruct_run(run, texts_of(store, run.project_id))
    values = json.loads((run.folder / FILE).read_text(encoding="utf-8"))
    assert values["format"] == 2
