"""What a run was trained on: kept with it, and told where a label waited by the policy or came later."""

from __future__ import annotations

import pytest
from support.projects.finished_run import finished_run, learnable_project
from support.projects.finished_tagger_run import finished_slot_run, slot_project

from re2nn_core.services.fine_tuning import run_material
from re2nn_core.services.fine_tuning.classification.rule_patching import Edits
from re2nn_core.services.fine_tuning.edited_runs import edit_run, edited_model_of
from re2nn_core.services.fine_tuning.run_comparison import SettingPair, differing_settings
from re2nn_core.services.fine_tuning.run_material import RunMaterial, apart_in_words, kept_material, policy_sentence
from re2nn_core.services.fine_tuning.runs import run_rows
from re2nn_core.store import Policy, Store, get_run, record_label, set_policy, texts_of

DECIDED = RunMaterial(Policy("decided"), frozenset({*range(10), 12}), frozenset({10, 11}))


@pytest.mark.parametrize(
    ("positions", "options", "said"),
    [
        (range(10), {"learned": True}, ""),
        ([], {"learned": True}, ""),
        (
            range(13),
            {"learned": True},
            "11 of these 13 texts were used for training, 2 were not: 2 did not meet the training labels policy "
            "(only adjudicated labels).",
        ),
        (
            [9, 10, 14],
            {"learned": True, "who": "Run 2"},
            "Run 2: 1 of these 3 texts was used for training, 2 were not: 1 did not meet the training labels policy "
            "(only adjudicated labels) and "
            "1 was added or labelled later.",
        ),
        (
            [0, 1, 20],
            {"learned": False},
            "2 of these 3 texts were measured in the training, 1 was not: 1 was added or labelled later.",
        ),
        (
            [0, 10],
            {"learned": True, "own_predictions": True},
            "1 of these 2 texts was used for training, 1 was not with their labels: 1 did not meet the training "
            "labels policy (only adjudicated labels).",
        ),
    ],
)
def test_texts_apart_are_counted_with_their_reasons(positions: range, options: dict[str, bool], said: str) -> None:
    assert apart_in_words(DECIDED, positions, **options) == said


def test_a_run_keeps_the_policy_that_it_was_trained_under(store: Store) -> None:
    """A later change of the policy alters nothing of what the run says."""
    project = learnable_project(store)
    ids = [text.id for text in texts_of(store, project.id)]
    for text_id in ids[:3]:
        record_label(store, text_id, "travel", "Ann")
    before = finished_run(store, project, train={"epochs": 1})
    set_policy(store, project.id, Policy("decided"))
    run = finished_run(store, project, train={"epochs": 1})
    set_policy(store, project.id, Policy("every"))
    run = get_run(store, run.id)
    assert (run.result or {})["policy"] == "decided"
    assert (run.result or {})["waiting"] == 3
    assert policy_sentence(run) == "Trained on only adjudicated labels; 3 texts waited."
    assert policy_sentence(before) == "Trained on every label."
    kept = kept_material(run.folder)
    assert kept == RunMaterial(Policy("decided"), frozenset(range(3, 64)), frozenset(range(3)))
    assert [row.settings[0] for row in run_rows(store, project.id)][0] == "on only adjudicated labels"
    assert not any("adjudicated" in setting for setting in run_rows(store, project.id)[1].settings)
    assert differing_settings(before, run) == (
        SettingPair("labels", "labels that train", "every label", "only adjudicated labels"),
    )
    # An edited network has learned from the same texts.
    model = edited_model_of(run)
    edited = edit_run(store, run, model, Edits(disabled=("price",)), texts_of(store, project.id), person="Ann")
    assert policy_sentence(edited) == policy_sentence(run)
    assert kept_material(edited.folder) == kept


def test_runs_from_before_say_nothing(store: Store) -> None:
    project = learnable_project(store)
    run = finished_run(store, project, train={"epochs": 1})
    (run.folder / run_material.FILE).unlink()
    for key in ("policy", "waiting"):
        (run.result or {}).pop(key)
    assert kept_material(run.folder) is None
    assert policy_sentence(run) == ""
    other = get_run(store, run.id)
    assert differing_settings(run, other) == (SettingPair("labels", "labels that train", "not noted", "every label"),)
    (run.folder / run_material.FILE).write_text('{"policy": "x", "labelled": [[1]], "waiting": []}')
    assert kept_material(run.folder) is None


def test_runs_for_slots_keep_it_too(store: Store) -> None:
    project = slot_project(store)
    first = texts_of(store, project.id)[0]
    record_label(store, first.id, "[]", "Ann")
    set_policy(store, project.id, Policy("decided"))
    run = finished_slot_run(store, project, train={"epochs": 1})
    assert policy_sentence(run) == "Trained on only adjudicated labels; 1 text waited."
    kept = kept_material(run.folder)
    assert kept is not None
    assert kept.waiting == {0}
