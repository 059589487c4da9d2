"""What a former version wrote is opened by this one: models, a backup, a database, archives (tests/testdata/former)."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.experiments.project.model_runs import watch_comparison
from re2nn_core.experiments.project.runs import is_current, watch_series
from re2nn_core.experiments.project.series import SeriesOutcome
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.services.fine_tuning.classification.rule_patching import Edits
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.edited_runs import former_runs, model_of
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.run_material import kept_material
from re2nn_core.services.fine_tuning.runs import changed_run_settings, run_rows, settings_of_run, watch
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    StoredLabelReconstruction,
    stored_reconstruction,
)
from re2nn_core.services.rule_review.classification.threshold_file import stored_sweep
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import stored_slot_reconstruction
from re2nn_core.services.rule_review.slot_filling.threshold_file import stored_slot_sweep as kept_or_explored_slots
from re2nn_core.services.rule_systems.added_rules import Addition
from re2nn_core.store import (
    Store,
    get_run,
    label_counts,
    label_history,
    labelled_by,
    list_events,
    list_projects,
    list_runs,
    list_versions,
    open_store,
    read_kept_queue,
    restore_backup,
    texts_of,
    verify_store,
)
from re2nn_core.store.schema import SCHEMA_VERSION
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.loop import Epoch

FORMER = Path(__file__).resolve().parents[1] / "testdata" / "former"
# The projects and runs of the store.
TRIPS, JOURNEYS = 1, 2
TRAINED, EDITED, CURVE, BETA, COMPARED, NEAR, TAGGED = range(1, 8)
NEAR_ENOUGH = 1e-4
CLASSIFIERS = ("classifier", "classifier_gru", "classifier_near")
TAGGERS = ("tagger", "tagger_gru")

TRIPS_RULES = (
    "[travel]\ngo := $* ( flight | flights ) $*\n[money]\nprice := $* ( price | fare ) $*\n",
    "@city@=( boston | oslo )\n[travel]\ngo := $* ( flight | flights ) $*\nto_city := $* fly to @city@ $*\n"
    "[money]\nprice := $* ( price | fare ) $*     // what it costs\nmuch := $* how much $*\n",
)
TRIPS_LOGIC = 'default = "travel"\npriorities = ["money > travel"]\n'
TRIPS_SENTENCES = '[price]\nmust = ["what is the fare"]\nmust_not = ["a flight to oslo"]\n'
JOURNEYS_RULES = (
    "@city@=( boston | oslo | paris )\nto := $* to [ @city@ ]<to_city> $*\n",
    "@city@=( boston | oslo | paris )\nto := $* to [ @city@ ]<to_city> $*\n"
    "from_to := $* from [ @city@ ]<from_city> to $*\n"
    'day := $* on ( monday | friday | foot )<:>day $*     // "on foot" is no day\n',
)
JOURNEYS_LOGIC = 'priorities = ["to_city > from_city"]\nlongest = true\n'
FIRST_SPANS = '[[12,18,"to_city"],[22,28,"day"]]'
# Of each model: dev, test, best epoch.
FIGURES = {
    "classifier": (0.9697, 1.0, 50),
    "classifier_gru": (0.8571, 0.8333, 12),
    "classifier_near": (0.8571, 1.0, 30),
    "tagger": (0.9063, 0.8333, 60),
    "tagger_gru": (0.9231, 0.7273, 21),
}


@cache
def answers() -> dict[str, Any]:
    """What that version answered, by model, and by run."""
    found: dict[str, Any] = json.loads((FORMER / "answers.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module", params=["store.zip", "database.sql"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The store, restored from its backup; or its database as that version left it, with the models beside it."""
    path = tmp_path_factory.mktemp("former") / "re2nn.sqlite3"
    if request.param == "store.zip":
        restore(path, FORMER / "store.zip")
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((FORMER / "database.sql").read_text(encoding="utf-8"))
        with zipfile.ZipFile(FORMER / "store.zip") as archive:
            archive.extractall(path.parent, [name for name in archive.namelist() if name.startswith("models/")])
    with open_store(path) as opened:
        yield opened


def restore(path: Path, backup: Path) -> None:
    """Bring the backup into a new database; where the schema is another one by now it is refused, which is told."""
    with zipfile.ZipFile(backup) as archive:
        schema = json.loads(archive.read("backup.json"))["schema"]
    if schema != SCHEMA_VERSION:
        with pytest.raises(DataFileError, match=f"was written with schema {schema}; this version reads"):
            restore_backup(path, backup)
        pytest.skip(f"the backup is of schema {schema}; the database, which is of it too, is brought up to date")
    assert restore_backup(path, backup).files == 30


def never(*_: object) -> None:
    """Told of the progress of work that must not be done again."""
    raise AssertionError("what is kept was made again")


def answers_labels(bundle: Bundle, told: Mapping[str, Any]) -> None:
    """The labels of the texts, and what each label scores."""
    found = predict(bundle, [one["text"] for one in told["answers"]])
    assert list(found.labels) == told["labels"]
    assert found.answers == [one["label"] for one in told["answers"]]
    for scores, one in zip(found.label_scores, told["answers"], strict=True):
        assert scores.tolist() == pytest.approx(one["scores"], abs=NEAR_ENOUGH)


def answers_slots(bundle: TaggerBundle, told: Mapping[str, Any]) -> None:
    """The tags and spans of the texts, and how sure each tag is."""
    found = predict_tags(bundle, [one["text"] for one in told["answers"]])
    for answer, one in zip(found, told["answers"], strict=True):
        assert list(answer.tags) == one["tags"]
        assert list(answer.spans) == [Span(*span) for span in one["spans"]]
        assert list(answer.sureness) == pytest.approx(one["sureness"], abs=NEAR_ENOUGH)


# Models, as `re2nn train` writes them


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_answers_as_it_did(name: str) -> None:
    bundle = load_bundle(FORMER / name)
    assert bundle.trained
    answers_labels(bundle, answers()[name])


@pytest.mark.parametrize("name", TAGGERS)
def test_a_tagger_answers_as_it_did(name: str) -> None:
    bundle = load_tagger(FORMER / name)
    assert bundle.trained
    answers_slots(bundle, answers()[name])


def test_a_classifier_keeps_all_its_settings() -> None:
    bundle = load_bundle(FORMER / "classifier")
    assert bundle.config == NetworkConfig(
        vectors="words.txt",
        extra_states=2,
        train_words=True,
        train_wildcard=False,
        state_head=False,
        logit_scale=5.0,
        dropout=0.1,
        clamp_gradient_slope=0.2,
        auxiliary="lstm",
        auxiliary_states=6,
        auxiliary_weight=0.25,
        seed=3,
    )
    assert (len(bundle.networks), bundle.extra_labels, bundle.vectors_name) == (3, ("greeting",), "words.txt")
    assert bundle.tokenization.kind == "punctuation"
    assert load_bundle(FORMER / "classifier_gru").config == NetworkConfig(
        machines="label",
        vectors="words.txt",
        cell="gru",
        bidirectional=True,
        scoring="viterbi",
        rank=12,
        normalize=True,
        rule_weight=0.8,
        block_diagonal=False,
        train_ends=False,
        state_head=False,
        aggregation="layers",
        aggregation_activation=False,
        train_aggregation=True,
        seed=4,
    )


def test_a_tagger_keeps_all_its_settings() -> None:
    bundle = load_tagger(FORMER / "tagger")
    assert bundle.config == TaggerConfig(
        vectors="words.txt",
        extra_states=2,
        train_words=True,
        train_wildcard=False,
        threshold=0.2,
        decoding="crf",
        auxiliary="lstm",
        auxiliary_states=5,
        detached=True,
        minimum_confidence=0.6,
        word_dimensions=4,
        word_dropout=0.05,
        logit_scale=4.0,
        dropout=0.1,
        clamp_gradient_slope=0.2,
        seed=3,
    )
    assert (len(bundle.networks), bundle.parts.extra_tags) == (2, ("B-airline",))
    assert bundle.parts.known_slots == ("to_city", "day", "from_city", "airline")
    assert (bundle.logic.priorities, bundle.logic.longest) == ((("to_city", "from_city"),), True)
    assert load_tagger(FORMER / "tagger_gru").config == TaggerConfig(
        transducer="ifst",
        activation="tanh",
        cell="gru",
        rank=15,
        vectors="words.txt",
        rule_weight=0.8,
        extra_states=1,
        block_diagonal=False,
        decoding="softmax",
        auxiliary="gru",
        auxiliary_states=5,
        word_dimensions=3,
        seed=4,
    )


def test_models_keep_what_their_training_measured() -> None:
    figures = {name: load_bundle(FORMER / name).figures for name in CLASSIFIERS}
    figures |= {name: load_tagger(FORMER / name).figures for name in TAGGERS}
    for name, expected in FIGURES.items():
        one = figures[name]
        assert (one["dev"], one["test"], one["best_epoch"]) == pytest.approx(expected, abs=NEAR_ENOUGH)
    for one in figures.values():
        history = [Epoch(**epoch) for epoch in one["history"]]
        assert [epoch.epoch for epoch in history] == list(range(one["epochs"] + 1))
    assert figures["classifier"]["recipe"].endswith("counts a quarter, which is right most often on texts held out.")


def test_a_network_that_ended_near_rules_knows_what_it_began_with() -> None:
    bundle = load_bundle(FORMER / "classifier_near")
    assert bundle.faithful
    assert "much := $* how much $*\n" in bundle.written[0]
    assert "@price.fare_10@" in bundle.rules_text
    [(name, moved)] = bundle.moved.items()
    assert (name, moved["threshold"], moved["edges"], moved["words"]) == ("price", 0.2, 1, 8)
    assert moved["learned"][0]["strongest"][:3] == ["fare", "much", "price"]


# The store


def test_the_log_and_the_tables_of_the_store_are_equal(store: Store) -> None:
    assert verify_store(store) == ()


def test_projects_are_as_they_were(store: Store) -> None:
    journeys, trips = list_projects(store)
    assert (trips.project.id, trips.project.name, trips.project.task) == (TRIPS, "Trips", "classification")
    assert trips.project.description == "Where to, and for how much"
    assert (trips.project.tokenization.kind, trips.project.policy) == ("punctuation", "agreed")
    assert (trips.texts, trips.labelled, trips.runs, trips.last_accuracy) == (83, 83, 6, 1.0)
    assert (journeys.project.id, journeys.project.name, journeys.project.task) == (
        JOURNEYS,
        "Journeys",
        Task.SLOT_FILLING,
    )
    assert (journeys.project.tokenization.kind, journeys.project.ignore_slot_case) == ("whitespace", True)
    assert (journeys.texts, journeys.labelled, journeys.runs) == (43, 43, 1)


def test_texts_and_labels_are_as_they_were(store: Store) -> None:
    check_trips(store, TRIPS)
    check_journeys(store, JOURNEYS)
    history = label_history(store, TRIPS)
    assert [(event.id, event.text_id, event.undoes) for event in history if event.action == "undo"] == [
        (11, 1, 10),
        (9, 82, 8),
    ]


def check_trips(store: Store, project_id: int) -> None:
    """The project for labels, from the store or from its archive."""
    texts = texts_of(store, project_id)
    assert [(t.text, t.gold, t.label, t.annotator, t.decided, t.split) for t in (texts[0], *texts[-4:])] == [
        ("i want to fly to boston", "travel", "travel", None, False, "train"),
        ("price of a flight to athens", "money", "money", None, False, "test"),
        ("the cost of planes", None, "money", "Cléo", True, "train"),
        ("flights and fares to oslo", None, "money", "Ann", False, "train"),
        ("Ärger mit dem Flug", None, "travel", "Bob", False, None),
    ]
    assert [(e.label, e.annotator, e.action) for e in reversed(label_history(store, project_id))] == [
        ("money", "Ann", "label"),
        ("travel", "Bob", "label"),
        ("money", "Ann", "label"),
        ("travel", "Ann", "label"),
        ("travel", "Ann", "undo"),
        ("money", "Bob", "label"),
        ("money", "Bob", "undo"),
        ("travel", "Bob", "label"),
    ]
    assert labelled_by(store, project_id) == {"Ann": 2, "Bob": 2}
    assert label_counts(store, project_id) == {"money": 42, "travel": 41}
    assert [(v.number, v.rules_text, v.logic_text, v.author, v.message) for v in list_versions(store, project_id)] == [
        (2, TRIPS_RULES[1], TRIPS_LOGIC, "Bob", "how much, and to which city"),
        (1, TRIPS_RULES[0], TRIPS_LOGIC, "Ann", "First version"),
    ]
    assert [version.sentences_text for version in list_versions(store, project_id)] == [TRIPS_SENTENCES, ""]
    kept = read_kept_queue(store, project_id)
    assert kept is not None
    assert (kept.queue.overlap, kept.queue.blind, kept.queue.lease_seconds) == (2, True, 600)
    assert sorted((seat.position, seat.assigned) for seat in kept.seats) == [
        (1, "Ann"),
        (1, "Bob"),
        (2, "Ann"),
        (2, "Bob"),
    ]


def check_journeys(store: Store, project_id: int) -> None:
    """The project for slots, from the store or from its archive."""
    texts = texts_of(store, project_id)
    assert [(t.text, t.gold, t.label, t.annotator, t.split) for t in (texts[0], *texts[-2:])] == [
        ("a flight to boston on monday", FIRST_SPANS, FIRST_SPANS, None, "train"),
        ("good morning", "[]", "[]", None, "train"),
        ("fly to vienna on sunday", None, '[[7,13,"to_city"],[17,23,"day"]]', "Bob", "train"),
    ]
    assert [(e.label, e.annotator, e.action) for e in reversed(label_history(store, project_id))] == [
        ('[[7,13,"to_city"]]', "Ann", "label"),
        ('[[7,13,"to_city"],[17,23,"day"]]', "Bob", "label"),
        ("[]", "Ann", "label"),
        ("[]", "Ann", "undo"),
    ]
    assert [(v.number, v.rules_text, v.logic_text, v.author, v.message) for v in list_versions(store, project_id)] == [
        (2, JOURNEYS_RULES[1], JOURNEYS_LOGIC, "Bob", "from and day"),
        (1, JOURNEYS_RULES[0], "", "Ann", "First version"),
    ]


def test_the_log_tells_who_did_what(store: Store) -> None:
    told = [(event.kind, event.person) for event in reversed(list_events(store, JOURNEYS))]
    assert told == [
        ("project", "Ann"),
        ("texts", "Ann"),
        ("version", "Ann"),
        ("version", "Bob"),
        ("label", "Ann"),
        ("label", "Bob"),
        ("label", "Ann"),
        ("undo", "Ann"),
        ("run", "Bob"),
        ("run_end", ""),
    ]


def test_runs_are_listed_with_their_figures(store: Store) -> None:
    assert [(run.id, run.kind, run.state) for run in reversed(list_runs(store, TRIPS))] == [
        (TRAINED, "train", "done"),
        (EDITED, "train", "done"),
        (CURVE, "curve", "done"),
        (BETA, "beta", "done"),
        (COMPARED, "models", "done"),
        (NEAR, "train", "done"),
    ]
    near, edited, trained = run_rows(store, TRIPS)
    assert (trained.dev_name, trained.zero_dev, trained.dev) == ("dev (out-of-fold)", *near_to(0.8533, 0.9867))
    assert (trained.zero_test, trained.test, trained.train_size, trained.turns) == (0.875, 1.0, 51, True)
    assert (trained.epochs, trained.best_epoch, trained.parameters, trained.vectors) == (44, 4, 627, "none")
    assert (near.dev_name, near.zero_dev, near.dev, near.test) == ("dev (also used for training)", 0.875, 1.0, 1.0)
    assert edited.edit == "run 1, edited: switched off go; added town"
    [tagged] = run_rows(store, JOURNEYS)
    assert (tagged.dev_name, tagged.zero_dev, tagged.dev) == ("dev", *near_to(0.8, 1.0))
    assert (tagged.zero_test, tagged.test, tagged.train_size) == (*near_to(0.5, 0.8889), 29)


def near_to(*figures: float) -> Sequence[Any]:
    """Each of them, four digits behind the point."""
    return [pytest.approx(figure, abs=NEAR_ENOUGH) for figure in figures]


def test_runs_keep_all_their_settings(store: Store) -> None:
    network = NetworkConfig(
        vectors="none", train_words=True, state_head=False, logit_scale=6.0, dropout=0.0, clamp_gradient_slope=0.2
    )
    assert settings_of_run(get_run(store, TRAINED)) == (
        network,
        TrainConfig(
            epochs=60,
            batch_size=8,
            learning_rate=0.06,
            decay=0.99,
            patience=40,
            l2_to_initial=1e-6,
            copies=2,
            seed=1,
            device="cpu",
        ),
    )
    assert settings_of_run(get_run(store, EDITED)) == settings_of_run(get_run(store, TRAINED))
    assert settings_of_run(get_run(store, NEAR)) == (
        network,
        TrainConfig(
            epochs=40,
            batch_size=8,
            learning_rate=0.03,
            decay=0.99,
            l2_to_initial=1e-5,
            copies=2,
            faithful=True,
            seed=1,
            device="cpu",
        ),
    )
    assert settings_of_run(get_run(store, TAGGED)) == (
        TaggerConfig(
            vectors="builtin",
            train_words=True,
            threshold=0.15,
            decoding="softmax",
            auxiliary="none",
            logit_scale=2.0,
            dropout=0.0,
            clamp_gradient_slope=0.2,
        ),
        TrainConfig(
            epochs=30,
            batch_size=8,
            learning_rate=0.05,
            embedding_learning_rate=0.02,
            head_learning_rate=0.05,
            patience=30,
            copies=1,
            seed=2,
            device="cpu",
        ),
    )
    assert len(changed_run_settings(get_run(store, TRAINED))) == 15
    kept = kept_material(get_run(store, TRAINED).folder)
    assert kept is not None
    assert (kept.policy.written, kept.labelled, kept.waiting) == ("agreed", frozenset(range(83)), frozenset())


def test_the_curve_of_a_run_is_read(store: Store) -> None:
    watched = watch(store, TRAINED)
    assert (len(watched.epochs), watched.dev_name, watched.has_dev) == (45, "dev (out-of-fold)", True)
    assert watched.best is not None
    assert (watched.best.epoch, watched.best.train) == (4, 1.0)
    assert [watched.best.dev, watched.best.dev_loss] == pytest.approx([0.98667, 0.09971], abs=NEAR_ENOUGH)


@pytest.mark.parametrize("run_id", [TRAINED, EDITED, NEAR])
def test_the_network_of_a_run_answers_as_it_did(store: Store, run_id: int) -> None:
    told, run = answers()["runs"][str(run_id)], get_run(store, run_id)
    answers_labels(bundle_of(run), told)
    assert run.result is not None
    assert (run.result["dev"], run.result["test"]) == (told["dev"], told["test"])


def test_the_network_of_a_run_for_slots_answers_as_it_did(store: Store) -> None:
    told, run = answers()["runs"][str(TAGGED)], get_run(store, TAGGED)
    answers_slots(tagger_of(run), told)
    assert run.result is not None
    assert (run.result["dev"], run.result["test"]) == (told["dev"], told["test"])


def test_an_edited_run_knows_what_it_was_made_from(store: Store) -> None:
    run = get_run(store, EDITED)
    edit, model = edit_of(run), model_of(run)
    assert edit is not None
    assert (edit.former, edit.added, edit.off, edit.untouched) == (TRAINED, ("town",), ("go",), 3)
    assert (edit.same_weights, edit.texts, edit.changed, edit.accuracies) == (True, 83, 0, (1.0, 1.0))
    assert [former.id for former in former_runs(store, run)] == [TRAINED]
    assert model.edits == Edits((Addition("[money]\ntown := $* cost $*\n"),), ("go",))
    assert [rule.name for rule in model.rules] == ["go", "to_city", "price", "much", "town"]
    assert [rule.name for rule in model.origin.ruleset.rules] == ["go", "to_city", "price", "much"]


def test_series_of_trainings_are_read(store: Store) -> None:
    curve, beta = watch_series(store, CURVE), watch_series(store, BETA)
    assert is_current(store, curve.run)
    assert curve.outcomes[0] == SeriesOutcome(
        at=0.0, seed=0, texts=0, main=87.5, beside=87.5, precision=90.0, recall=87.5, untrained=None, seconds=0.0
    )
    assert [(one.at, one.seed, one.texts, one.main) for one in curve.outcomes[1:]] == [
        (0.3, 0, 15, 100.0),
        (0.3, 1, 15, 87.5),
        (1.0, 0, 51, 100.0),
        (1.0, 1, 51, 100.0),
    ]
    assert [(one.at, one.main, one.untrained) for one in beta.outcomes[1:]] == [
        (0.3, 87.5, 87.5),
        (0.5, 87.5, 87.5),
        (0.7, 87.5, 87.5),
        (1.0, 87.5, 87.5),
        (None, 100.0, 87.5),
    ]
    compared = watch_comparison(store, COMPARED)
    assert (compared.rules, compared.rules_number) == (87.5, 2)
    assert [(one.system, one.texts, one.value) for one in compared.trained] == [
        ("reading", 20, 100.0),
        ("dan", 20, 87.5),
    ]


# What was read back out of the networks, and kept beside them


def kept_of(store: Store, run_id: int) -> StoredLabelReconstruction:
    """The kept reconstruction of a run for labels, which is that of the texts as they are."""
    kept = stored_reconstruction(get_run(store, run_id).folder)
    assert kept is not None
    assert kept.fits(texts_of(store, TRIPS))
    return kept


def test_rules_that_were_read_back_are_read(store: Store) -> None:
    kept = kept_of(store, TRAINED)
    changed = [rule for rule in kept.reconstruction.rules if not rule.kept_original]
    assert [rule.name for rule in kept.reconstruction.rules] == ["go", "to_city", "price", "much"]
    assert [(rule.name, rule.label, rule.threshold, rule.edges, rule.words) for rule in changed] == [
        ("much", "money", 0.2, 5, 20)
    ]
    assert (changed[0].witness_only_original, changed[0].witness_only_reconstructed) == (None, ("how",))
    assert (changed[0].original_text, len(changed[0].won), changed[0].lost) == ("$* how much $*", 31, ())
    first = changed[0].learned[0]
    assert (first.source, first.target, first.name, first.came, first.went) == (1, 2, "$9", 8, 0)
    assert dict(zip(first.strongest, first.weights, strict=True))["much"] == pytest.approx(1.547, abs=1e-3)
    dev = kept.reconstruction.accuracy[0]
    assert (dev.split, dev.texts, dev.original, dev.network, dev.reconstructed) == ("dev", 24, 0.875, 1.0, 1.0)
    assert (dev.agreement, dev.labelled, dev.better, dev.worse) == (1.0, 24, 3, 0)


def test_new_rules_that_were_read_back_are_read(store: Store) -> None:
    found = kept_of(store, NEAR).reconstruction
    [new] = found.new_rules
    assert (new.name, new.label, new.text) == ("money.new", "money", "$* cost $*")
    assert new.texts == (6, 14, 22, 30, 38, 46, 54, 62, 70, 78, 80)
    assert found.rules_text.endswith("money.new := $* cost $* // mined from train texts\n")
    assert 'first = [\n    "money.new -> money",\n]\n' in found.logic_text
    assert bundle_of(get_run(store, NEAR)).written == (TRIPS_RULES[1], TRIPS_LOGIC)


def test_rules_for_slots_that_were_read_back_are_read(store: Store) -> None:
    kept = stored_slot_reconstruction(get_run(store, TAGGED).folder)
    assert kept is not None
    assert kept.fits(texts_of(store, JOURNEYS))
    found = kept.reconstruction
    assert [(rule.name, rule.gain, rule.words_added, rule.words_removed) for rule in found.rules] == [
        ("to", 6, ("lisbon",), ()),
        ("from_to", 2, (), ("boston", "oslo", "paris")),
        ("day", 10, (), ("foot",)),
    ]
    assert found.rules[2].steps == ("no longer reads foot as B-day (10 mistakes fewer)",)
    assert found.changed == 3
    [new] = found.new_rules
    assert (new.name, new.slot, new.gain) == ("learned.to_city.1", "to_city", 7)
    dev = found.scores[0]
    assert dev.changed is not None
    assert dev.reconstructed is not None
    assert (dev.split, dev.texts, dev.reconstructed.f1, dev.better, dev.worse) == ("dev", 7, 1.0, 4, 0)
    assert (dev.changed.precision, dev.changed.recall, dev.changed.found, dev.changed.right) == (1.0, 0.8, 8, 8)


def test_the_explored_thresholds_are_not_explored_again(store: Store) -> None:
    run = get_run(store, TRAINED)
    found = stored_sweep(bundle_of(run), run.folder, texts_of(store, TRIPS), on_progress=never)
    assert found.chosen == 0.2
    moved = {at.threshold: at.moved for at in found.curve() if at.moved}
    assert moved == dict.fromkeys((0.2, 0.25, 0.3), ("to_city", "much"))
    assert [split.reconstructed for split in found.curve()[0].accuracy] == pytest.approx([1.0, 0.9804, 1.0], abs=1e-4)
    assert "much := $* ( how | much | " in found.at(0.2).rules_text
    assert "much := $* how much $*" in found.at(0.4).rules_text


def test_the_explored_thresholds_of_slots_are_not_explored_again(store: Store) -> None:
    run = get_run(store, TAGGED)
    found = kept_or_explored_slots(tagger_of(run), run.folder, texts_of(store, JOURNEYS), on_progress=never)
    assert {at.threshold: at.moved for at in found.curve() if at.moved} == {0.8: ("to",), 0.85: ("to",)}
    at = found.at(0.8).scores[0]
    assert (at.split, at.texts, at.agreement) == ("dev", 7, 0.25)
    assert [at.original.f1, at.network.f1, at.reconstructed.f1] == pytest.approx([0.8, 1.0, 0.2222], abs=NEAR_ENOUGH)
    assert "@to.to_11@=( to | oslo | " in found.at(0.8).rules_text


# Archives of single projects


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


def test_an_archive_of_a_project_for_labels_is_imported(empty: Store) -> None:
    project = import_archive(empty, FORMER / "labels.zip", "Ann")
    assert (project.name, project.task, project.policy) == ("Trips", "classification", "agreed")
    assert project.tokenization.kind == "punctuation"
    check_trips(empty, project.id)
    assert verify_store(empty) == ()


def test_an_archive_of_a_project_for_slots_is_imported(empty: Store) -> None:
    project = import_archive(empty, (FORMER / "slots.zip").read_bytes(), "Ann", name="Once more")
    assert (project.name, project.task, project.ignore_slot_case) == ("Once more", Task.SLOT_FILLING, True)
    check_journeys(empty, project.id)
    assert verify_store(empty) == ()


def test_the_archive_and_the_store_hold_the_same_texts(empty: Store, store: Store) -> None:
    project = import_archive(empty, FORMER / "labels.zip", "Ann")
    assert corpus_of(empty, project.id) == corpus_of(store, TRIPS)


def corpus_of(store: Store, project_id: int) -> Corpus:
    """The texts of a project with their labels."""
    return Corpus(tuple(Example(text.text, text.label, text.split) for text in texts_of(store, project_id)))
