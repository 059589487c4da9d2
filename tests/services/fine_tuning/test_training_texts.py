"""Which texts a network was trained with is kept beside it, as digests."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.projects.finished_run import finished_run, learnable_project
from support.projects.finished_tagger_run import finished_slot_run, slot_project

from re2nn_core.commands._common.trained_on import training_texts_among
from re2nn_core.services.fine_tuning.run_material import copy_material
from re2nn_core.services.fine_tuning.training_texts import (
    FILE,
    forget_training_texts,
    keep_training_texts,
    used_for_training,
)
from re2nn_core.store import Store, texts_of


def test_texts_are_known_again_whatever_their_blanks_and_capitals(tmp_path: Path) -> None:
    keep_training_texts(tmp_path, ["Fly to  Oslo", "到上海", "\ud800 lone", ""])
    asked = ["fly to oslo ", "fly to rome", "到上海", "\ud800 lone", "flytooslo", ""]
    assert used_for_training(tmp_path, asked) == [True, False, True, True, False, True]
    assert b"oslo" not in (tmp_path / FILE).read_bytes().lower()


def test_the_texts_follow_the_network(tmp_path: Path) -> None:
    former, edited = tmp_path / "a", tmp_path / "b"
    former.mkdir(), edited.mkdir()
    assert used_for_training(former, ["x"]) is None
    keep_training_texts(former, ["x"])
    copy_material(former, edited)
    assert used_for_training(edited, ["x", "y"]) == [True, False]
    forget_training_texts(edited)
    assert used_for_training(edited, ["x"]) is None


@pytest.mark.parametrize(("copies", "splits"), [(1, {"train"}), (2, {"train", "dev"})])
def test_a_run_for_labels_keeps_what_it_learned_from(store: Store, copies: int, splits: set[str]) -> None:
    project = learnable_project(store, unlabelled=2)
    run = finished_run(store, project, train={"copies": copies})
    texts = texts_of(store, project.id)
    assert used_for_training(run.folder, [one.text for one in texts]) == [one.split in splits for one in texts]


def test_a_run_for_slots_keeps_what_it_learned_from(store: Store) -> None:
    project = slot_project(store, unannotated=2)
    run = finished_slot_run(store, project)
    texts = texts_of(store, project.id)
    used = {one.text for one in texts if one.split == "train"}
    assert used_for_training(run.folder, [one.text for one in texts]) == [one.text in used for one in texts]


@pytest.mark.parametrize(
    ("texts", "measured", "count", "said"),
    [
        (["a", "b"], True, 2, "All of 2 texts were used for training; on new texts the network's figures are usually "),
        (["a", "c"], False, 1, "1 of 2 texts was used for training."),
        (["c"], True, 0, ""),
        ([], True, 0, ""),
    ],
)
def test_in_words(texts: list[str], measured: bool, count: int, said: str, tmp_path: Path) -> None:
    keep_training_texts(tmp_path, ["a", "b"])
    data, note = training_texts_among(tmp_path, texts, measured=measured)
    assert data == {"used_for_training": count}
    assert said in note
    assert bool(note) == bool(said)


def test_nothing_is_said_where_it_is_not_known(tmp_path: Path) -> None:
    assert training_texts_among(None, ["a"], measured=True) == ({}, "")
    assert training_texts_among(tmp_path, ["a"], measured=True) == ({"used_for_training": None}, "")
