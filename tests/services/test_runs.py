"""Training runs: started, watched, compared, continued; examples; reading back and taking changes over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from finished_run import TRAIN, finished_run, learnable_project
from small_system import LOGIC, RULES, small_system

from re2nn_core.errors import InputError, ModelError
from re2nn_core.network.config import NetworkConfig
from re2nn_core.rules.read import read_rules
from re2nn_core.services import runs
from re2nn_core.services.examples import examples_of
from re2nn_core.services.readback import FILE, kept_readback, read_back
from re2nn_core.services.reconstruction import Reconstruction, RuleChange
from re2nn_core.services.rule_changes import accept, accept_all, is_merged, word_change
from re2nn_core.store import (
    RunRecord,
    Store,
    add_point,
    create_run,
    finish_run,
    latest_version,
    open_store,
    record_label,
    save_version,
    set_progress,
    texts_of,
)
from re2nn_core.training.config import TrainConfig


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, RunRecord]]:
    """One finished run for all tests that only look."""
    with open_store(tmp_path_factory.mktemp("runs") / "re2nn.sqlite3") as store:
        yield store, finished_run(store, learnable_project(store))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


def queued(store: Store) -> RunRecord:
    project = learnable_project(store)
    return create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id)


# started and watched


def test_a_training_is_started_with_its_settings(store, monkeypatch):
    launched = []
    monkeypatch.setattr(runs, "launch", lambda store, run_id: launched.append(run_id))
    project = learnable_project(store)
    version = latest_version(store, project.id)
    run = runs.start_training(
        store, project.id, version.id, NetworkConfig(vectors="none"), TrainConfig(epochs=3, threads=2)
    )
    assert launched == [run.id]
    assert (run.kind, run.rule_version_id, run.config["threads"]) == ("train", version.id, 2)
    assert runs.settings_of(run) == (NetworkConfig(vectors="none"), TrainConfig(epochs=3, threads=2))
    assert runs.changed_settings(run) == ("vectors = none", "epochs = 3", "threads = 2")


def test_a_finished_run_is_watched_with_its_curve(home):
    store, run = home
    found = runs.watch(store, run.id)
    assert found.run.state == "done"
    assert [epoch.epoch for epoch in found.epochs] == list(range(run.result["epochs"] + 1))
    assert found.best.epoch == run.result["best_epoch"]
    assert found.seconds_left is None


def test_time_left_comes_from_the_newest_epochs(store):
    run = queued(store)
    for epoch, seconds in enumerate((9.0, 2.0, 2.0)):
        add_point(store, run.id, epoch, {"epoch": epoch, "dev": 0.5, "dev_loss": 1.0, "seconds": seconds})
    set_progress(store, run.id, 2, 10, "epoch 2")
    assert runs.watch(store, run.id).seconds_left == pytest.approx(16.0)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("failed", "There are 3 labelled training texts"),
        ("lost", "The process of this training is gone"),
        ("cancelled", "Cancelled."),
        ("done", "Done."),
    ],
)
def test_each_end_has_its_words(store, state, words):
    run = finish_run(store, queued(store).id, state, error="There are 3 labelled training texts")
    assert runs.state_in_words(run).startswith(words)


def test_waiting_and_working_have_their_words(store):
    run = queued(store)
    assert runs.state_in_words(run).startswith("Waiting.")
    assert runs.state_in_words(replace(run, state="running")).startswith("At work: reading the texts")
    asked = replace(run, state="running", cancel_requested=True)
    assert runs.state_in_words(asked) == "Stopping after this step."


def test_runs_stand_side_by_side(home):
    store, run = home
    [row] = runs.run_rows(store, run.project_id)
    assert (row.id, row.state, row.version, row.train_size) == (run.id, "done", 1, 32)
    assert (row.dev, row.zero_dev) == (run.result["dev"], run.result["zero_shot"]["dev"])
    assert "vectors = none" in row.settings
    assert [r.id for r in runs.finished_runs(store, run.project_id)] == [run.id]


def test_a_run_that_has_just_begun_has_no_figures(store):
    run = queued(store)
    [row] = runs.run_rows(store, run.project_id)
    assert (row.dev, row.test, row.seconds, row.epochs) == (None, None, None, None)
    assert runs.finished_runs(store, run.project_id) == ()


def test_the_network_of_a_run_is_read(home):
    _, run = home
    assert runs.bundle_of(run).trained
    assert runs.bundle_stamp(run.folder) is not None


def test_a_run_without_a_network_says_so(store):
    run = queued(store)
    assert runs.bundle_stamp(run.folder) is None
    with pytest.raises(ModelError, match="The network of run .* is missing"):
        runs.bundle_of(run)


# continued


def interrupted(store: Store) -> RunRecord:
    """A run that was cancelled after its fifth epoch."""
    from re2nn_core.errors import Cancelled
    from re2nn_core.jobs.report import Report
    from re2nn_core.services.training import run_training

    class Stopped(Report):
        def should_stop(self) -> bool:
            return len(runs.watch(store, self._run_id).epochs) > 5

    project = learnable_project(store)
    config = {"network": {"vectors": "none"}, "train": TRAIN}
    run = create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id, config=config)
    with pytest.raises(Cancelled):
        run_training(store, run, Stopped(store, run.id))
    return finish_run(store, run.id, "cancelled")


def test_a_cancelled_run_goes_on_from_its_last_epoch(store, monkeypatch):
    monkeypatch.setattr(runs, "launch", lambda store, run_id: None)
    run = interrupted(store)
    assert runs.can_go_on(store, run)
    new = runs.go_on(store, run)
    assert new.id != run.id
    assert len(runs.watch(store, new.id).epochs) == len(runs.watch(store, run.id).epochs)
    from re2nn_core.jobs.worker import run_job

    assert run_job(store, new.id) == "done"
    epochs = [epoch.epoch for epoch in runs.watch(store, new.id).epochs]
    assert epochs == list(range(len(epochs)))


def test_a_run_does_not_go_on_after_a_label_has_changed(store):
    run = interrupted(store)
    text = texts_of(store, run.project_id)[0]
    record_label(store, text.id, "money", "Ann")
    assert not runs.can_go_on(store, run)
    with pytest.raises(InputError, match="texts or labels have changed"):
        runs.go_on(store, run)


def test_a_finished_run_does_not_go_on(home):
    store, run = home
    assert not runs.can_go_on(store, run)


# examples


def test_examples_are_counted_by_label_and_source(store):
    project = learnable_project(store, unlabelled=2)
    records = texts_of(store, project.id)
    record_label(store, records[-1].id, "money", "Ann")
    found = examples_of(texts_of(store, project.id), small_system())
    money = next(entry for entry in found.labels if entry.label == "money")
    assert (money.by_people, money.with_data, money.dev, money.test, money.rules) == (1, 16, 8, 8, 2)
    assert (found.train, found.dev, found.test, found.unlabelled, found.missing) == (33, 16, 16, 1, None)
    assert found.recipe(TrainConfig()).startswith("only 33 examples: small steps")


def test_what_may_spoil_a_training_is_said(store):
    project = learnable_project(store, unlabelled=1)
    record_label(store, texts_of(store, project.id)[-1].id, "seat", "Ann")
    found = examples_of(texts_of(store, project.id), small_system())
    assert found.warnings == (
        "Fewer than 5 training texts: seat. Label a few more of these.",
        "No rule: seat. The network has to learn these from texts alone.",
        "Only 16 dev texts: one text more or less moves the dev accuracy by 6.2%.",
    )


def test_too_little_to_learn_from_is_said_before_it_starts(store):
    project = learnable_project(store)
    records = texts_of(store, project.id)
    few = examples_of([*records[:3], *records[32:40]], small_system())
    assert few.missing == "3 labelled training texts; at least 10 are needed. Label more texts first."
    one = [record for record in records if record.label == "money"]
    assert examples_of(one, small_system()).missing.startswith("All 16 training texts carry")


# read back


def test_a_readback_is_kept_beside_the_network(store):
    project = learnable_project(store)
    run = finished_run(store, project)
    assert kept_readback(run.folder) is None
    records = texts_of(store, project.id)
    made = read_back(run, records)
    kept = kept_readback(run.folder)
    assert kept == made
    assert kept.fits(records)
    record_label(store, records[0].id, "money", "Ann")
    assert not kept.fits(texts_of(store, project.id))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 0}', '{"format": 1}'])
def test_a_damaged_readback_is_as_good_as_none(tmp_path, content):
    (tmp_path / FILE).write_text(content, encoding="utf-8")
    assert kept_readback(tmp_path) is None


def test_a_readback_is_plain_json(home):
    store, run = home
    read_back(run, texts_of(store, run.project_id))
    values = json.loads((run.folder / FILE).read_text(encoding="utf-8"))
    assert values["format"] == 1


# taken over

NEW = """\
[travel]
@go.words1@=( flight | flights | plane | planes | trip | trips | tour | tours | ticket )
go := $* @go.words1@ $*
to_city := $* fly to ( boston | oslo ) $*
[money]
price := $* ( cost | fare | price ) $*
much := $* how much $*
"""


def change(name: str, label: str, *, kept: bool) -> RuleChange:
    return RuleChange(name, label, "", "", None if kept else 0.5, kept, None, None, (), ())


FOUND = Reconstruction(
    NEW,
    LOGIC,
    (),
    (
        change("go", "travel", kept=False),
        change("to_city", "travel", kept=True),
        change("price", "money", kept=False),
        change("much", "money", kept=True),
    ),
)


def taken(names: set[str], rules_text: str = RULES):
    return accept(FOUND, names, trained_on=RULES, rules_text=rules_text, logic_text=LOGIC, lowercase=True)


def test_changes_are_taken_over_line_by_line():
    written = RULES.replace("price := ", "// what it costs\nprice := ").replace(
        "( price | fare ) $*", "( price | fare ) $* // all"
    )
    done = taken({"go", "price"}, written)
    assert done.accepted == ("go", "price")
    assert "// what it costs\nprice := $* ( cost | fare | price ) $*    // all" in done.rules_text
    now, new = (read_rules(text).ruleset for text in (done.rules_text, NEW))
    assert [rule.expanded for rule in now.rules] == [rule.expanded for rule in new.rules]


def test_only_the_chosen_changes_are_taken_over():
    done = taken({"price"})
    assert "cost" in done.rules_text
    assert "plane" not in done.rules_text


def test_rules_that_were_edited_since_are_left_alone():
    edited = RULES.replace("( price | fare )", "( price | fare | fee )").replace("go := ", "gone := ")
    done = taken({"go", "price"}, edited)
    assert done.accepted == ()
    assert done.rules_text == edited
    assert dict(done.left_out) == {
        "go": "the rules have no rule of this name any more",
        "price": "somebody has edited it since the training",
    }


def test_unnamed_rules_stay_unnamed():
    old = "[money]\n$* ( price | fare ) $*\n"
    found = Reconstruction("[money]\n$* ( cost | price ) $*\n", "", (), (change("money.1", "money", kept=False),))
    done = accept(found, {"money.1"}, trained_on=old, rules_text=old, logic_text="", lowercase=True)
    assert done.rules_text == "[money]\n$* ( cost | price ) $*\n"


def test_long_rules_are_broken_where_an_option_begins():
    words = " | ".join(f"word{number:02}" for number in range(40))
    found = Reconstruction(f"[a]\nlong := $* ( {words} ) $*\n", "", (), (change("long", "a", kept=False),))
    old = "[a]\nlong := $* x $*\n"
    done = accept(found, {"long"}, trained_on=old, rules_text=old, logic_text="", lowercase=True)
    lines = done.rules_text.splitlines()
    assert max(map(len, lines)) <= 110
    assert all(line.startswith("    |") for line in lines[2:])
    assert (
        read_rules(done.rules_text).ruleset.rules[0].expanded == read_rules(found.rules_text).ruleset.rules[0].expanded
    )


def test_merged_rules_are_taken_over_as_a_whole():
    merged = Reconstruction("[travel]\ngo := $* flight $*\n", "", (), (change("go", "travel", kept=False),))
    assert is_merged(merged, RULES, lowercase=True)
    with pytest.raises(InputError, match="one machine a label"):
        accept(merged, {"go"}, trained_on=RULES, rules_text=RULES, logic_text=LOGIC, lowercase=True)
    done = accept_all(merged, RULES, lowercase=True)
    assert (done.rules_text, done.accepted) == (merged.rules_text, ("go",))


def test_words_that_came_and_went_are_marked():
    written, new = read_rules(RULES).ruleset, read_rules(NEW).ruleset
    price = word_change(written, new, "price")
    assert (price.new, price.gone) == (("cost",), ())
    assert "".join(piece.text for piece in price.after) == "$* ( cost | fare | price ) $*"
    assert [piece.text for piece in price.after if piece.kind == "changed"] == ["cost"]


def test_a_word_class_carries_its_words():
    written, new = read_rules(RULES).ruleset, read_rules(NEW).ruleset
    go = word_change(written, new, "go")
    [named] = [piece for piece in go.after if piece.words]
    assert (named.text, named.kind, len(named.words)) == ("@go.words1@", "changed", 9)
    assert [word.text for word in named.words if word.kind == "same"] == ["flight", "flights"]


def test_what_was_taken_over_can_be_saved(store):
    project = learnable_project(store)
    done = taken({"go", "price"})
    saved = save_version(
        store, project.id, rules_text=done.rules_text, logic_text=done.logic_text, author="Ann", expected_number=1
    )
    assert saved.number == 2
