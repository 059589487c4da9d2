"""Edited models on disk: whole or not at all, and editable again from their folder alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import InputError, ModelError, RuleError
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.services.fine_tuning.classification import edited_models
from re2nn_core.services.fine_tuning.classification.edited_models import load_model, save_model
from re2nn_core.services.fine_tuning.classification.rule_patching import (
    EditedModel,
    Edits,
    add_rules,
    disable_rule,
    enable_rule,
    unedited,
)
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.rule_systems.added_rules import Addition

TEXTS = (*small_corpus().texts, "my bags are lost")
LOST = Addition("[baggage]\nlost := $* lost $*\n", 'priorities = ["baggage > money"]')


@pytest.fixture
def model() -> EditedModel:
    """With a weight that the rules alone would not give."""
    bundle = untrained(small_system(), TEXTS)
    with torch.no_grad():
        bundle.network.reader.final[bundle.network.names.index("price")] *= 0.75
    return unedited(bundle)


def scores(model: EditedModel, rule: str) -> list[float]:
    found = predict(model.bundle, TEXTS)
    return found.machine_scores[:, found.machines.index(rule)].tolist()


def test_a_rule_is_switched_on_again_from_the_folder_alone(model: EditedModel, tmp_path: Path):
    save_model(tmp_path / "edited", disable_rule(add_rules(model, LOST), "price"))
    loaded = load_model(tmp_path / "edited")
    assert loaded.edits == Edits((LOST,), ("price",))
    assert loaded.added == {"lost"}
    assert [rule.name for rule in loaded.rules] == ["go", "to_city", "price", "much", "lost"]
    back = enable_rule(loaded, "price")
    assert scores(back, "price") == scores(model, "price")
    assert max(scores(back, "price")) == 0.75


def test_the_folder_predicts_like_any_other_model(model: EditedModel, tmp_path: Path):
    edited = add_rules(model, LOST)
    save_model(tmp_path / "edited", edited)
    bundle = load_bundle(tmp_path / "edited")
    assert np.array_equal(predict(bundle, TEXTS).label_scores, predict(edited.bundle, TEXTS).label_scores)


def test_a_model_without_edits_has_no_second_network(model: EditedModel, tmp_path: Path):
    save_model(tmp_path / "plain", enable_rule(disable_rule(model, "go"), "go"))
    assert not (tmp_path / "plain" / "origin").exists()
    assert load_model(tmp_path / "plain").edits == Edits()


def test_nothing_is_overwritten(model: EditedModel, tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="is there already, and nothing is overwritten"):
        save_model(tmp_path, model)
    (tmp_path / "empty").mkdir()
    save_model(tmp_path / "empty", model)
    assert load_model(tmp_path / "empty").edits == Edits()


def test_a_folder_is_whole_or_not_there(model: EditedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    real = edited_models.save_bundle

    def fail_at_the_second(folder: Path, bundle: object) -> None:
        if folder.name == "origin":
            raise OSError("No space left on device")
        real(folder, bundle)

    monkeypatch.setattr(edited_models, "save_bundle", fail_at_the_second)
    with pytest.raises(OSError, match="No space left"):
        save_model(tmp_path / "models" / "edited", disable_rule(model, "go"))
    assert list((tmp_path / "models").iterdir()) == []


@pytest.mark.parametrize("content", ["{", '{"format": 7}', '{"format": 1}', '{"format": 1, "additions": 3}'])
def test_damaged_edits_are_told(model: EditedModel, tmp_path: Path, content: str):
    save_model(tmp_path / "edited", disable_rule(model, "go"))
    (tmp_path / "edited" / "edits.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match="edits.json is damaged.*\nThe model can predict, but cannot be edited"):
        load_model(tmp_path / "edited")


def test_a_missing_origin_is_told(model: EditedModel, tmp_path: Path):
    save_model(tmp_path / "edited", disable_rule(model, "go"))
    (tmp_path / "edited" / "origin" / "bundle.json").unlink()
    with pytest.raises(ModelError, match="origin is not a model folder"):
        load_model(tmp_path / "edited")


def test_edits_that_no_longer_fit_their_origin_are_told(model: EditedModel, tmp_path: Path):
    save_model(tmp_path / "edited", add_rules(model, LOST))
    path = tmp_path / "edited" / "edits.json"
    path.write_text(path.read_text(encoding="utf-8").replace("$* lost $*", "$* ( lost $*"), encoding="utf-8")
    with pytest.raises((RuleError, ModelError), match="never closed"):
        load_model(tmp_path / "edited")
