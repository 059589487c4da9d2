"""A tagger read back as rules, and kept beside its run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.projects.finished_tagger_run import finished_slot_run, slot_project, waiting_slot_run

from re2nn_core.errors import Cancelled, ModelError
from re2nn_core.services.rule_review.slot_filling.sizes import SIZED
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import (
    FILE,
    reconstruct_slot_run,
    stored_slot_reconstruction,
)
from re2nn_core.store import RunRecord, Store, open_store, record_label, texts_of


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    """One finished run."""
    with open_store(tmp_path_factory.mktemp("runs") / "re2nn.sqlite3") as store:
        yield store, finished_slot_run(store, slot_project(store, unannotated=1))


def test_what_was_read_back_is_kept_until_spans_change(home: tuple[Store, RunRecord]) -> None:
    store, run = home
    assert stored_slot_reconstruction(run.folder) is None
    records = texts_of(store, run.project_id)
    steps: list[tuple[int, int]] = []
    made = reconstruct_slot_run(run, records, on_progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (100, 100)
    assert steps == sorted(steps)
    assert any(SIZED[0] < step < SIZED[1] for step, _ in steps)  # its sizes are measured
    found = made.reconstruction
    assert found.changed == 3
    assert [split.split for split in found.scores] == ["dev", "train", "test"]
    assert found.scores[0].reconstructed.f1 > found.scores[0].original.f1
    assert stored_slot_reconstruction(run.folder) == made
    assert made.fits(texts_of(store, run.project_id))
    record_label(store, records[-1].id, "[]", "Ann")
    assert not made.fits(texts_of(store, run.project_id))


@pytest.mark.parametrize("damage", ["{", "{}", '{"format": 0}', '{"format": 1, "reconstruction": {}}', "[]"])
def test_a_damaged_file_is_as_good_as_none(home: tuple[Store, RunRecord], tmp_path: Path, damage: str) -> None:
    (tmp_path / FILE).write_text(damage, encoding="utf-8")
    assert stored_slot_reconstruction(tmp_path) is None


def test_new_rules_come_back_from_the_file(home: tuple[Store, RunRecord], tmp_path: Path) -> None:
    store, run = home
    reconstruct_slot_run(run, texts_of(store, run.project_id))
    values = json.loads((run.folder / FILE).read_text(encoding="utf-8"))
    learned = {"name": "learned.day.1", "slot": "day", "text": "[ monday ]<day>", "gain": 2}
    values["reconstruction"] |= {"new_rules": [learned], "new_priorities": ["day > to_city"]}
    (tmp_path / FILE).write_text(json.dumps(values), encoding="utf-8")
    kept = stored_slot_reconstruction(tmp_path)
    assert kept is not None
    assert (kept.reconstruction.new_rules[0].name, kept.reconstruction.new_rules[0].gain) == ("learned.day.1", 2)
    assert kept.reconstruction.new_priorities == ("day > to_city",)


def test_a_run_without_a_network_says_so(home: tuple[Store, RunRecord]) -> None:
    store, run = home
    waiting = waiting_slot_run(store, slot_project(store, name="Other"))
    with pytest.raises(ModelError, match="missing or damaged"):
        reconstruct_slot_run(waiting, texts_of(store, waiting.project_id))


def test_a_cancelled_reconstruction_keeps_what_it_has_and_says_so(home: tuple[Store, RunRecord]) -> None:
    store, run = home
    records = texts_of(store, run.project_id)
    whole = reconstruct_slot_run(run, records)
    done: list[int] = []

    def making() -> bool:
        """The first change was made: 37 of 100 steps are all that the first look takes, and a second one came."""
        return done.count(37) > 1

    made = reconstruct_slot_run(run, records, on_progress=lambda step, _: done.append(step), should_stop=making)
    assert made.stopped
    assert 0 < made.reconstruction.changed < whole.reconstruction.changed
    assert [len(size.names) for size in made.sizes] == list(range(made.reconstruction.changed + 1))
    assert stored_slot_reconstruction(run.folder) == made
    assert not whole.stopped


def test_what_found_nothing_leaves_what_there_was(home: tuple[Store, RunRecord]) -> None:
    store, run = home
    records = texts_of(store, run.project_id)
    before = reconstruct_slot_run(run, records)
    with pytest.raises(Cancelled, match="Cancelled before a change of a rule was found"):
        reconstruct_slot_run(run, records, should_stop=lambda: True)
    assert stored_slot_reconstruction(run.folder) == before
