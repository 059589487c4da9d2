"""Editing the trained model of a project: a new run each time, checked, with the way back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from finished_run import finished_run, learnable_project

from re2nn_core.errors import InputError, ModelError, RuleError
from re2nn_core.network.bundle import load_bundle
from re2nn_core.services import edited_runs
from re2nn_core.services.added_rules import Addition
from re2nn_core.services.edited_runs import edit_run, former_runs, model_of
from re2nn_core.services.evaluation import accuracy
from re2nn_core.services.hot_edits import Edits
from re2nn_core.services.prediction import predict
from re2nn_core.services.run_edits import edit_of, untouched_in_words
from re2nn_core.services.runs import changed_nothing, finished_runs, run_rows, state_in_words
from re2nn_core.store import RunRecord, Store, list_runs, open_store, texts_of

TOWN = Addition("[money]\ntown := $* ( rome | vienna ) $*\n")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    """One trained run for all tests, which only add to it."""
    with open_store(tmp_path_factory.mktemp("edits") / "re2nn.sqlite3") as store:
        yield store, finished_run(store, learnable_project(store))


def edited(store: Store, run: RunRecord, edits: Edits) -> RunRecord:
    return edit_run(store, run, model_of(run), edits, texts_of(store, run.project_id))


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
    assert state_in_words(new) == "Edited without training: switched off go; added town."
    assert not changed_nothing(new)
    texts = texts_of(store, run.project_id)
    answers = [predict(bundle, [t.text for t in texts]).answers for bundle in (before, load_bundle(new.folder))]
    assert edit.changed == sum(a != b for a, b in zip(*answers, strict=True)) > 0
    dev = [place for place, text in enumerate(texts) if text.split == "dev"]
    shares = [accuracy([texts[p].label for p in dev], [found[p] for p in dev]) for found in answers]
    assert (edit.dev_before, edit.dev_after) == tuple(shares)
    assert new.result["accuracy"] == new.result["dev"] == edit.dev_after
    assert edit_of(run) is None
    assert before.ruleset.rules == load_bundle(run.folder).ruleset.rules


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
    with pytest.raises(InputError, match="no rule would speak"):
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
        with pytest.raises(InputError, match="could not be written: No space left on device"):
            edited(store, run, Edits(disabled=("go",)))

    def gone(*_: object, **__: object) -> None:
        raise InputError("the database is gone")

    with monkeypatch.context() as patched:
        patched.setattr(edited_runs, "add_finished_run", gone)
        with pytest.raises(InputError, match="the database is gone"):
            edited(store, run, Edits(disabled=("go",)))
    assert folders(store) == there


def test_a_damaged_network_is_told(home: tuple[Store, RunRecord]):
    store, run = home
    new = edited(store, run, Edits(disabled=("much",)))
    (Path(new.folder) / "edits.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match=f"The network of run {new.id} is missing or damaged"):
        model_of(new)


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
