"""Editing the trained model of a project: a new run each time, checked, with the way back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.projects.finished_run import finished_run, learnable_project

from re2nn_core.errors import InputError, ModelError, RuleError
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.services.fine_tuning import edited_runs
from re2nn_core.services.fine_tuning.classification.rule_patching import Edits
from re2nn_core.services.fine_tuning.edited_runs import edit_run, edited_model_of, former_runs
from re2nn_core.services.fine_tuning.run_edits import edit_of, untouched_in_words
from re2nn_core.services.fine_tuning.runs import changed_nothing, finished_runs, run_rows, run_state_in_words
from re2nn_core.services.prediction.classification.evaluation import accuracy
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_systems.added_rules import Addition
from re2nn_core.store import RunRecord, Store, list_projects, list_runs, open_store, texts_of

TOWN = Addition("[money]\ntown := $* ( rome | vienna ) $*\n")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    """One trained run for all tests, which only add to it."""
    with open_store(tmp_path_factory.mktemp("edits") / "re2nn.sqlite3") as store:
        yield store, finished_run(store, learnable_project(store))


def edited(store: Store, run: RunRecord, edits: Edits) -> RunRecord:
    return edit_run(store, run, edited_model_of(run), edits, texts_of(store, run.project_id), person="Ann")


def state_of_lists(store: Store) -> float | None:
    """The accuracy that the list of projects shows."""
    [summary] = list_projects(store)
    return summary.last_accuracy


def folders(store: Store) -> set[str]:
    return {path.name for path in store.models_folder.iterdir()}


def test_an_edit_is_a_run_of_its_own(home: tuple[Store, RunRecord]):
    store, run = home
    before = load_bundle(run.folder)
    new = edited(store, run, Edits((TOWN,), ("go",)))
    edit = edit_of(new)
    assert edit is not None
    assert (new.state, new.rule_version_id, new.config) == ("done", run.rule_version_id, run.config)
    assert (edit.former, edit.added, edit.disabled, edit.off) == (run.id, ("town",), ("go",), ("go",))
    assert (edit.untouched, edit.texts, edit.same_weights) == (3, 64, True)
    assert edit.max_difference < 1e-6
    assert edit.words == "switched off go; added town"
    assert run_state_in_words(new) == "Edited without training: switched off go; added town."
    assert not changed_nothing(new)
    texts = texts_of(store, run.project_id)
    predictions = [predict(bundle, [t.text for t in texts]).predictions for bundle in (before, load_bundle(new.folder))]
    assert edit.changed == sum(a != b for a, b in zip(*predictions, strict=True)) > 0
    # Dev texts were learned from, so that only test texts tell what the edit did.
    test = [place for place, text in enumerate(texts) if text.split == "test"]
    shares = [accuracy([texts[p].label for p in test], [found[p] for p in test]) for found in predictions]
    assert (edit.accuracies, edit.measured_on) == (tuple(shares), "on 16 test texts")
    assert (edit.dev_texts, edit.dev_before, edit.dev_after) == (0, None, None)
    assert (new.result["dev"], new.result["accuracy"], new.result["turns"]) == (None, None, True)
    assert new.result["test"] == edit.test_after
    assert state_of_lists(store) == run.result["dev"]
    assert edit_of(run) is None
    assert before.ruleset.rules == load_bundle(run.folder).ruleset.rules


def test_where_dev_alone_decided_an_edit_is_measured_on_it(tmp_path: Path):
    with open_store(tmp_path / "re2nn.sqlite3") as store:
        run = finished_run(store, learnable_project(store), train={"copies": 1, "epochs": 2})
        new = edited(store, run, Edits(disabled=("go",)))
        edit = edit_of(new)
        assert run.result["turns"] is new.result["turns"] is edit.learned is False
        assert (edit.accuracies, edit.measured_on) == ((edit.dev_before, edit.dev_after), "on 16 dev texts")
        assert new.result["accuracy"] == new.result["dev"] == edit.dev_after is not None
        assert [row.learned_from for row in run_rows(store, run.project_id)] == ["32", "32"]


def test_without_test_texts_an_edit_is_measured_on_texts_it_has_learned_from(home: tuple[Store, RunRecord]):
    store, run = home
    records = [text for text in texts_of(store, run.project_id) if text.split != "test"]
    new = edit_run(store, run, edited_model_of(run), Edits(disabled=("go",)), records, person="Ann")
    edit = edit_of(new)
    assert edit.measured_on == "on 16 dev texts that were also used for training"
    assert edit.accuracies == (edit.dev_before, edit.dev_after)
    assert (new.result["dev"], new.result["accuracy"], new.result["test"]) == (None, None, None)


def test_rules_of_an_edit_are_measured_on_what_the_trained_run_was(home: tuple[Store, RunRecord]):
    store, run = home
    nothing = Edits((Addition("[money]\nnowhere := never $ said\n"),))
    new = edited(store, run, nothing)
    assert new.result["zero_shot"] == pytest.approx(run.result["zero_shot"])
    # All 48 train and dev texts count, so that one right train text with another label is one of 48.
    records = list(texts_of(store, run.project_id))
    place = next(n for n, text in enumerate(records) if text.split == "train" and text.text.startswith("a flight to"))
    records[place] = replace(records[place], label="money")
    wrong = edit_run(store, run, edited_model_of(run), nothing, records, person="Ann")
    assert wrong.result["zero_shot"]["dev"] == pytest.approx(run.result["zero_shot"]["dev"] - 1 / 48)
    rows = {row.id: row for row in run_rows(store, run.project_id)}
    assert [rows[made.id].learned_from for made in (run, new)] == ["48", "32 + dev"]


def test_an_edit_of_an_older_version_is_read(home: tuple[Store, RunRecord]):
    store, run = home
    new = edited(store, run, Edits(disabled=("go",)))
    for name in ("learned", "test_texts", "test_before", "test_after"):
        del new.result["edit"][name]
    assert (edit_of(new).accuracies, edit_of(new).measured_on) == (None, "on 0 dev texts")


def test_edits_stand_in_a_chain_and_the_way_back_is_open(home: tuple[Store, RunRecord]):
    store, run = home
    off = edited(store, run, Edits(disabled=("price",)))
    more = edited(store, off, Edits((TOWN,), ("price",)))
    back = edited(store, more, Edits((TOWN,)))
    assert [former.id for former in former_runs(store, back)] == [more.id, off.id, run.id]
    assert [edit_of(made).words for made in (more, back)] == ["added town", "switched on again price"]
    assert {back.id, more.id, off.id, run.id} <= {found.id for found in finished_runs(store, run.project_id)}
    rows = {row.id: row for row in run_rows(store, run.project_id)}
    number = rows[off.id].number
    assert rows[more.id].edit == f"run {number}, edited: added town"
    assert (rows[more.id].seconds, rows[run.id].edit) == (None, "")


def test_nothing_changed_is_no_run(home: tuple[Store, RunRecord]):
    store, run = home
    with pytest.raises(InputError, match=r"Nothing has been changed\.\nSwitch a rule off or on"):
        edited(store, run, Edits())


def test_faults_leave_nothing_behind(home: tuple[Store, RunRecord]):
    store, run = home
    there, runs = folders(store), len(list_runs(store, run.project_id))
    with pytest.raises(RuleError, match="never closed"):
        edited(store, run, Edits((Addition("[money]\n$* ( cost $*\n"),)))
    with pytest.raises(InputError, match="no rule would be left"):
        edited(store, run, Edits(disabled=("go", "to_city", "price", "much")))
    assert (folders(store), len(list_runs(store, run.project_id))) == (there, runs)


def test_a_full_disk_and_a_lost_database_leave_nothing_behind(
    home: tuple[Store, RunRecord], monkeypatch: pytest.MonkeyPatch
):
    store, run = home
    there = folders(store)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(edited_runs, "save_model", full)
        with pytest.raises(InputError, match="could not be written: No space left on the disk that holds "):
            edited(store, run, Edits(disabled=("go",)))

    def removed(*_: object, **__: object) -> None:
        raise InputError("the database is gone")

    with monkeypatch.context() as patched:
        patched.setattr(edited_runs, "add_finished_run", removed)
        with pytest.raises(InputError, match="the database is gone"):
            edited(store, run, Edits(disabled=("go",)))
    assert folders(store) == there


def test_a_damaged_network_is_told(home: tuple[Store, RunRecord]):
    store, run = home
    new = edited(store, run, Edits(disabled=("much",)))
    (Path(new.folder) / "edits.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match=f"The network of run {new.id} is missing or damaged"):
        edited_model_of(new)


class Checked:
    def __init__(self, same_weights: bool, max_difference: float) -> None:
        self.same_weights, self.max_difference, self.bit_equal = same_weights, max_difference, max_difference == 0


@pytest.mark.parametrize(
    ("rules", "check", "words"),
    [
        (
            4,
            Checked(True, 0.0),
            "The 4 other rules: weights bit by bit the same, scores on 9 texts bit by bit the same.",
        ),
        (
            1,
            Checked(True, 3e-8),
            "The one other rule: weights bit by bit the same, scores on 9 texts different by 3.0e-08 at most, which",
        ),
        (2, Checked(False, 0.2), "The 2 other rules: weights changed, scores on 9 texts different by 2.0e-01 at most."),
        (0, Checked(True, 0.0), "There is no other rule that could have changed."),
    ],
)
def test_the_check_in_words(rules: int, check: Checked, words: str):
    assert untouched_in_words(rules, 9, check).startswith(words)
