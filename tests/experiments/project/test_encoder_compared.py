"""The sentence encoder with a linear layer among the systems compared on a project's own texts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.networks.small_experiment import small_set
from support.networks.stand_in_encoder import stand_in

from re2nn_core.embeddings import encoder_files
from re2nn_core.errors import InputError
from re2nn_core.experiments.project import models as module
from re2nn_core.experiments.project import version_mark
from re2nn_core.experiments.project.models import ComparisonTexts, check_wanted, system_name, systems_for, train_one
from re2nn_core.task import Task


def test_the_sentence_encoder_can_be_compared_for_labels_where_it_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "encoder_is_installed", lambda: True)
    assert systems_for(Task.CLASSIFICATION)[2] == "encoder"
    assert "encoder" not in systems_for(Task.SLOT_FILLING)
    installed = version_mark.settings_mark(Task.CLASSIFICATION)
    monkeypatch.setattr(module, "encoder_is_installed", lambda: False)
    assert "encoder" not in systems_for(Task.CLASSIFICATION)
    # What is measured without it holds when it is installed.
    assert version_mark.settings_mark(Task.CLASSIFICATION) == installed
    monkeypatch.setattr(encoder_files, "PACKAGE", "no-such-package")
    found = ComparisonTexts(small_set(), "dev", "")
    with pytest.raises(InputError, match=r"The sentence encoder is not installed .*\nInstall it with: pip install"):
        check_wanted(("encoder",), (50,), 1, found)


def test_the_sentence_encoder_learns_from_the_drawn_texts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = stand_in(monkeypatch)
    # Texts of a project that are held out may be called train, as those that are drawn from are.
    data = small_set(dev=())
    data = replace(data, test=tuple(replace(one, split="train") for one in data.test))
    reached = train_one(ComparisonTexts(data, "dev", ""), "encoder", 50, 0)
    assert len({*encoded} - {one.text for one in data.test}) == 50
    assert reached.value > 87.5
    assert reached.vectors == "all-MiniLM-L6-v2, whole texts"
    assert system_name(reached.system) == "sentence encoder + linear layer"
    other = {"travel": "money", "money": "travel"}
    turned = replace(data, test=tuple(replace(one, label=other[one.label or ""]) for one in data.test))
    wrong = train_one(ComparisonTexts(turned, "dev", ""), "encoder", 50, 0)
    assert wrong.value == pytest.approx(100 - reached.value)
