"""Roles are checked where things are changed: every service that changes something, as somebody whose role is too
low."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import writers
from support.networks.small_system import LOGIC, RULES

from re2nn_core.errors import InputError, NotAllowedError, Re2nnError
from re2nn_core.exchange.corpora import CorpusRead
from re2nn_core.experiments.project import model_runs
from re2nn_core.experiments.project import runs as project_runs
from re2nn_core.experiments.project.model_runs import ComparisonRequest
from re2nn_core.experiments.project.models import OURS
from re2nn_core.experiments.project.series import CURVE, SeriesSettings
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.annotation import bulk_accept, classification, queue_work, slot_filling, team_queue
from re2nn_core.services.annotation.bulk_accept import BulkMatches
from re2nn_core.services.fine_tuning import edited_runs, runs
from re2nn_core.services.fine_tuning.classification.rule_patching import Edits
from re2nn_core.services.projects import exchanging, guarded_writes, projects
from re2nn_core.services.projects.archives import export_project
from re2nn_core.services.rule_review import decisions
from re2nn_core.services.rule_writing import rule_history, rule_saving
from re2nn_core.services.team import accounts, review, training_labels
from re2nn_core.services.team.people import AT_THE_MACHINE, ROLES, Role, require_role
from re2nn_core.store import (
    Policy,
    ProjectRecord,
    RuleVersion,
    RunRecord,
    Store,
    TextRecord,
    add_account,
    create_project,
    create_run,
    latest_version,
    open_store,
    shut_account,
    texts_of,
    write_backup,
)
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig

PEOPLE: dict[Role, str] = {"annotator": "Bob", "reviewer": "Rae", "owner": "Ann"}
# These are done before there is a role, or by a program on the machine itself.
NO_ROLE = {
    "re2nn_core.jobs.launch.launch": "starts the process of a run that a service has made",
    "re2nn_core.services.annotation.annotation_load_test.measure_labelling": "on a project of its own",
    "re2nn_core.services.annotation.annotation_load_test.work_of_process": "on a project of its own",
    "re2nn_core.services.team.sign_in.SignedIn": "a record",
    "re2nn_core.services.team.sign_in.sign_in": "how somebody gets a role",
    "re2nn_core.services.team.sign_in.sign_out": "whoever is signed in may",
    "re2nn_core.services.team.sign_in.token_for": "how somebody gets a role",
}


@dataclass
class World:
    """A store with three people, a project and a run."""

    store: Store
    project: ProjectRecord
    run: RunRecord
    folder: Path

    @property
    def text(self) -> TextRecord:
        return texts_of(self.store, self.project.id)[0]

    @property
    def version_id(self) -> int:
        return latest_version(self.store, self.project.id).id

    def file(self) -> Path:
        path = self.folder / "texts.csv"
        path.write_text("text,label\nfly to rome,flight\n", encoding="utf-8")
        return path


Change = Callable[[World, str], Any]
CHANGES: dict[str, tuple[Role, Change]] = {
    "services.annotation.classification.annotate": (
        "annotator",
        lambda w, who: classification.annotate(w.store, w.text.id, "fare", who),
    ),
    "services.annotation.classification.annotate_all": (
        "reviewer",
        lambda w, who: classification.annotate_all(w.store, [(w.text.id, "fare")], who),
    ),
    "services.annotation.classification.undo_label": (
        "annotator",
        lambda w, who: classification.undo_label(w.store, w.project.id, who),
    ),
    "services.annotation.classification.send_to_labelling": (
        "reviewer",
        lambda w, who: classification.send_to_labelling(w.store, w.project.id, ["new"], person=who),
    ),
    "services.annotation.classification.add_new_texts": (
        "reviewer",
        lambda w, who: classification.add_new_texts(w.store, w.project.id, [Example("newer")], person=who),
    ),
    "services.annotation.slot_filling.send_to_annotation": (
        "reviewer",
        lambda w, who: slot_filling.send_to_annotation(w.store, w.project.id, ["newest"], person=who),
    ),
    "services.rule_writing.rule_saving.save_rules": ("reviewer", lambda w, who: _save(w, who)),
    "services.rule_review.decisions.decide_changes": (
        "reviewer",
        lambda w, who: decisions.decide_changes(
            w.store, w.project.id, [(decisions.LearnedChange("fly", "x"), decisions.ChangeDecision())], who
        ),
    ),
    "services.rule_writing.rule_saving.return_to": (
        "reviewer",
        lambda w, who: rule_saving.return_to(w.store, w.project, 1, author=who, expected_number=1),
    ),
    "services.rule_writing.rule_history.undo": (
        "reviewer",
        lambda w, who: rule_history.undo(w.store, w.project, 1, author=who),
    ),
    "services.rule_writing.rule_history.redo": (
        "reviewer",
        lambda w, who: rule_history.redo(w.store, w.project, 1, author=who),
    ),
    "services.projects.guarded_writes.request_cancel": (
        "reviewer",
        lambda w, who: guarded_writes.request_cancel(w.store, w.run.id, person=who),
    ),
    "services.fine_tuning.runs.start_training": (
        "reviewer",
        lambda w, who: runs.start_training(
            w.store, w.project.id, w.version_id, NetworkConfig(vectors="none"), TrainConfig(epochs=1), person=who
        ),
    ),
    "services.fine_tuning.runs.resume_run": ("reviewer", lambda w, who: runs.resume_run(w.store, w.run, person=who)),
    "experiments.project.runs.start_series": (
        "reviewer",
        lambda w, who: project_runs.start_series(
            w.store, w.project.id, w.version_id, CURVE, SeriesSettings(), person=who
        ),
    ),
    "experiments.project.runs.continue_experiment": (
        "reviewer",
        lambda w, who: project_runs.continue_experiment(w.store, w.run, person=who),
    ),
    "experiments.project.model_runs.start_comparison": (
        "reviewer",
        lambda w, who: model_runs.start_comparison(
            w.store, w.project.id, w.version_id, ComparisonRequest((OURS[0],), (1,), 1), person=who
        ),
    ),
    "services.annotation.queue_work.in_hand": (
        "annotator",
        lambda w, who: queue_work.in_hand(w.store, w.project.id, who),
    ),
    "services.annotation.queue_work.hold": (
        "annotator",
        lambda w, who: queue_work.hold(w.store, w.project.id, w.text.id, who),
    ),
    "services.annotation.queue_work.label_open_text": (
        "annotator",
        lambda w, who: queue_work.label_open_text(w.store, w.text, "fare", who),
    ),
    "services.annotation.queue_work.decide_same": (
        "annotator",
        lambda w, who: queue_work.decide_same(w.store, w.text, [w.text.id], "fare", who),
    ),
    "services.annotation.queue_work.leave": ("annotator", lambda w, who: queue_work.leave(w.store, w.text.id, who)),
    "services.annotation.queue_work.flag_text": (
        "annotator",
        lambda w, who: queue_work.flag_text(w.store, w.text.id, who),
    ),
    "services.annotation.queue_work.take_back": (
        "annotator",
        lambda w, who: queue_work.take_back(w.store, w.project.id, who),
    ),
    "services.annotation.queue_work.resolve_flagged_text": (
        "reviewer",
        lambda w, who: queue_work.resolve_flagged_text(w.store, w.text.id, who, "fare"),
    ),
    "services.annotation.team_queue.start_queue": (
        "reviewer",
        lambda w, who: team_queue.start_queue(
            w.store, w.project.id, who, team_queue.Laid((w.text.id,)), team_queue.QueueSettings()
        ),
    ),
    "services.annotation.team_queue.end_queue": (
        "reviewer",
        lambda w, who: team_queue.end_queue(w.store, w.project.id, who),
    ),
    "services.annotation.bulk_accept.accept_matches": (
        "reviewer",
        lambda w, who: bulk_accept.accept_matches(w.store, who, BulkMatches((0,), {0: w.text.id}, (), 0), _Fare()),
    ),
    "services.team.review.adjudicate_case": (
        "reviewer",
        lambda w, who: review.adjudicate_case(w.store, review.case_of(w.store, w.text.id), "fare", who),
    ),
    "services.team.review.undo_decision": ("reviewer", lambda w, who: review.undo_decision(w.store, w.project.id, who)),
    "services.team.review.confirm": (
        "reviewer",
        lambda w, who: review.confirm(w.store, w.project.id, [w.text.id], who),
    ),
    "services.team.training_labels.choose_policy": (
        "owner",
        lambda w, who: training_labels.choose_policy(w.store, w.project.id, Policy("agreed"), who),
    ),
    "services.fine_tuning.edited_runs.edit_run": ("reviewer", lambda w, who: _edit(w, who)),
    "services.projects.guarded_writes.rename_project": (
        "owner",
        lambda w, who: guarded_writes.rename_project(w.store, w.project.id, "Other", person=who),
    ),
    "services.projects.guarded_writes.set_slot_case": (
        "owner",
        lambda w, who: guarded_writes.set_slot_case(w.store, w.project.id, ignore=True, person=who),
    ),
    "services.projects.guarded_writes.delete_project": (
        "owner",
        lambda w, who: guarded_writes.delete_project(w.store, w.project.id, person=who),
    ),
    "services.projects.exchanging.import_new": (
        "owner",
        lambda w, who: exchanging.import_new(w.store, [w.file()], name="Brought", person=who),
    ),
    "services.projects.exchanging.import_more": (
        "owner",
        lambda w, who: exchanging.import_more(w.store, w.project, [w.file()], person=who),
    ),
    "services.projects.projects.open_sample": (
        "owner",
        lambda w, who: projects.open_sample(w.store, "message_spam", who),
    ),
    "services.projects.projects.import_archive": (
        "owner",
        lambda w, who: projects.import_archive(w.store, export_project(w.store, w.project.id), who),
    ),
    "services.projects.projects.create_from_corpus": (
        "owner",
        lambda w, who: projects.create_from_corpus(
            w.store,
            name="Made",
            read=CorpusRead(Corpus((Example("fly", "flight"),)), lines=(1,), bad_rows=(), notes=()),
            tokenization=Tokenization(),
            person=who,
        ),
    ),
    "services.projects.projects.create_slot_project": (
        "owner",
        lambda w, who: projects.create_slot_project(
            w.store, name="Marked", corpus=Corpus((Example("fly"),)), tokenization=Tokenization(), person=who
        ),
    ),
    "services.team.accounts.add_person": (
        "owner",
        lambda w, who: accounts.add_person(w.store, "Eve", "owner", person=who),
    ),
    "services.team.accounts.change_role": (
        "owner",
        lambda w, who: accounts.change_role(w.store, "Rae", "annotator", person=who),
    ),
    "services.team.accounts.new_password": ("owner", lambda w, who: accounts.new_password(w.store, "Rae", person=who)),
    "services.team.accounts.remove_person": (
        "owner",
        lambda w, who: accounts.remove_person(w.store, "Rae", person=who),
    ),
    "services.team.accounts.change_own_password": (
        "annotator",
        lambda w, who: accounts.change_own_password(w.store, "wrong", "a long new password", person=who),
    ),
}


def _edit(world: World, who: str) -> RunRecord:
    model = edited_runs.edited_model_of(world.run)
    return edited_runs.edit_run(world.store, world.run, model, Edits(disabled=("go",)), (), person=who)


def _save(world: World, who: str) -> RuleVersion:
    return rule_saving.save_rules(
        world.store, world.project, rules_text="[flight]\nfly\n", logic_text="", author=who, expected_number=1
    )


class _Fare:
    """Predicts "fare" for everything."""

    confidence = np.ones(1, np.float32)
    differing = np.zeros(1, np.bool_)

    def prediction(self, place: int) -> str:
        return "fare"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    # No process is started, and no model is read for an edit that is not made.
    for module in (runs, project_runs, model_runs):
        monkeypatch.setattr(module, "launch", lambda store, run_id: None)
    monkeypatch.setattr(edited_runs, "edited_model_of", lambda run: _Untouched())
    with open_store(tmp_path / "a.db") as store:
        for role in reversed(ROLES):
            add_account(store, name=PEOPLE[role], role=role, password_hash="none", person=AT_THE_MACHINE)
        examples = Corpus((Example("fly to rome", "flight"), Example("how much", "fare")))
        project = create_project(
            store, name="Trips", examples=examples, rules_text=RULES, logic_text=LOGIC, author="Ann"
        )
        yield World(store, project, create_run(store, project.id, "train"), tmp_path)


class _Untouched:
    """Stands in for a model: an edit that changes nothing is refused behind the check of the role."""

    edits = Edits(disabled=("go",))


def everything(world: World) -> dict[str, str]:
    """All that a store holds, table by table."""
    import zipfile

    file = world.folder / "all.zip"
    write_backup(world.store, file)
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    kept = json.loads(parts.pop("backup.json"))
    return {**parts, "parts": json.dumps(kept["parts"])}


def below(role: Role) -> list[str]:
    """People whose role does not reach, and somebody who has no account."""
    return [*(PEOPLE[lower] for lower in ROLES[: ROLES.index(role)]), "Mallory", ""]


@pytest.mark.parametrize("name", CHANGES)
def test_a_role_that_is_too_low_changes_nothing(world: World, name: str) -> None:
    role, change = CHANGES[name]
    before = everything(world)
    for who in below(role):
        with pytest.raises(NotAllowedError) as refusal:
            change(world, who)
        assert "Ask an owner: Ann." in str(refusal.value)
    assert everything(world) == before


@pytest.mark.parametrize("name", CHANGES)
def test_a_role_that_reaches_is_let_through(world: World, name: str) -> None:
    role, change = CHANGES[name]
    refused = False
    try:
        change(world, PEOPLE[role])
    except NotAllowedError:
        refused = True
    except Re2nnError:
        pass  # there may be nothing to go on with
    assert not refused


def test_every_service_that_changes_something_is_in_the_table() -> None:
    """A new one: check the role in it first (services/people.py), then write a row for it above."""
    found = {name for name in writers.changing() if not name.startswith(writers.WORKFLOWS)}
    assert found == {f"re2nn_core.{name}" for name in CHANGES} | set(NO_ROLE)


def test_the_refusal_says_what_who_and_whom_to_ask(world: World) -> None:
    accounts.add_person(world.store, "Zoe", "owner", person="Ann")
    with pytest.raises(NotAllowedError) as refusal:
        require_role(world.store, "Bob", "reviewer", "open a queue")
    assert str(refusal.value) == (
        "Bob may not open a queue: it takes a reviewer or an owner, and the role here is annotator. "
        "Ask an owner: Ann, Zoe."
    )
    with pytest.raises(NotAllowedError) as refusal:
        require_role(world.store, "Mallory", "annotator", "label a text")
    assert str(refusal.value) == "Nobody named 'Mallory' has an account. Ask an owner: Ann, Zoe."


def test_a_person_who_was_removed_may_nothing(world: World) -> None:
    shut_account(world.store, "Bob", person="Ann")
    with pytest.raises(NotAllowedError, match="Nobody named 'Bob' has an account."):
        classification.annotate(world.store, world.text.id, "fare", "Bob")


def test_a_role_that_there_is_not_is_refused(world: World) -> None:
    with pytest.raises(InputError) as refusal:
        accounts.add_person(world.store, "Eve", "boss", person="Ann")
    assert str(refusal.value) == "There is no role 'boss'. The roles are: annotator, reviewer, owner."
