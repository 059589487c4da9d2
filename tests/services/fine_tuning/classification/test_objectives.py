"""What an objective begins with, for how many texts."""

from __future__ import annotations

import pytest

from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for

FREE = {"machines": "label", "block_diagonal": False, "extra_states": 60}


@pytest.mark.parametrize(
    ("examples", "network", "training"),
    [
        (0, {"logit_scale": 4.0}, {}),
        (199, {"logit_scale": 4.0, "auxiliary": "rnn"}, {"average": "predictions", "auxiliary_learning_rate": 0.01}),
        (200, {"auxiliary": "lstm"}, {"average": "predictions"}),
        (399, {"auxiliary": "lstm"}, {"average": "predictions"}),
        (400, {**FREE, "auxiliary": "lstm"}, {"average": "predictions"}),
        (5000, {**FREE, "auxiliary": "lstm"}, {"average": "predictions"}),
    ],
)
def test_accuracy_hangs_on_how_many_texts_there_are(
    examples: int, network: dict[str, object], training: dict[str, object]
) -> None:
    linear = {"linear": True} if examples else {}
    assert settings_for("accuracy", examples, in_context=True) == {"vectors": "context", **linear, **network}
    assert training_settings_for("accuracy", examples, in_context=True) == training


@pytest.mark.parametrize(
    ("examples", "network", "training"),
    [
        (0, {"logit_scale": 4.0}, {}),
        (199, {"logit_scale": 4.0}, {}),
        (399, {}, {}),
        (400, FREE, {"average": "predictions"}),
    ],
)
def test_the_published_networks_have_no_reader_beside(
    examples: int, network: dict[str, object], training: dict[str, object]
) -> None:
    assert settings_for("accuracy", examples, in_context=True, auxiliary=False) == {"vectors": "context", **network}
    assert training_settings_for("accuracy", examples, in_context=True, auxiliary=False) == training
    # Where the encoder does not know the words, neither has what this program takes.
    linear = {"linear": True} if examples else {}
    assert settings_for("accuracy", examples, in_context=False) == {"vectors": "auto", **linear, **network}
    assert training_settings_for("accuracy", examples, in_context=False) == training


def test_without_a_label_a_reader_may_learn_from_the_rules_predictions() -> None:
    taught = {"vectors": "context", "logit_scale": 4.0, "auxiliary": "bigru", "auxiliary_weight": 8.0}
    assert settings_for("accuracy", 0, in_context=True, predicted=3000) == taught
    assert training_settings_for("accuracy", 0, in_context=True, predicted=3000) == {"average": "predictions"}
    for unable in ({"in_context": False}, {"in_context": True, "auxiliary": False}):
        assert "auxiliary" not in settings_for("accuracy", 0, predicted=3000, **unable)
        assert training_settings_for("accuracy", 0, predicted=3000, **unable) == {}
    # Few predictions teach an auxiliary encoder nothing, and it would count all the same.
    assert settings_for("accuracy", 0, in_context=True, predicted=2999) == settings_for("accuracy", 0, in_context=True)
    assert training_settings_for("accuracy", 0, in_context=True, predicted=2999) == {}
    # So few labels say nothing by themselves; they are learned beside the predictions.
    assert settings_for("accuracy", 9, in_context=True, predicted=3000) == taught
    assert training_settings_for("accuracy", 9, in_context=True, predicted=3000) == {"average": "predictions"}
    assert settings_for("accuracy", 9, in_context=True, predicted=2999)["auxiliary"] == "rnn"
    assert settings_for("accuracy", 10, in_context=True, predicted=3000)["auxiliary"] == "rnn"
    # Labels are the better teachers, and say how much it counts.
    assert settings_for("accuracy", 50, in_context=True, predicted=3000) == settings_for(
        "accuracy", 50, in_context=True
    )


@pytest.mark.parametrize("examples", [1, 99, 100, 999, 1000, 20_000])
@pytest.mark.parametrize("known", [True, False])
def test_interpretable_rules_have_weights_of_words_for_every_number_of_texts(examples: int, known: bool) -> None:
    assert settings_for("interpretable", examples, in_context=known) == {"linear": True}
    assert training_settings_for("interpretable", examples, in_context=known) == {}


@pytest.mark.parametrize(("examples", "auxiliary"), [(0, True), (500, False)])
def test_interpretable_rules_keep_the_defaults_elsewhere(examples: int, auxiliary: bool) -> None:
    assert settings_for("interpretable", examples, in_context=True, auxiliary=auxiliary) == {}
    assert training_settings_for("interpretable", examples, in_context=True, auxiliary=auxiliary) == {}
