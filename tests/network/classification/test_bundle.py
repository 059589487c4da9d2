"""Bundles on disk: they come back as they were, and say what is wrong where they do not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import InputError, ModelError
from re2nn_core.network.classification.bundle import Bundle, load_bundle, save_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.services.prediction.classification.predictor import predict, untrained


@pytest.fixture
def bundle() -> Bundle:
    made = untrained(small_system(), small_corpus().texts)
    with torch.no_grad():
        made.network.reader.sources += 0.1
    return replace(made, trained=True, figures={"dev": 0.5})


def test_a_bundle_comes_back_as_it_was(tmp_path: Path, bundle: Bundle):
    save_bundle(tmp_path / "model", bundle)
    loaded = load_bundle(tmp_path / "model")
    assert (loaded.trained, loaded.figures, loaded.config) == (True, {"dev": 0.5}, bundle.config)
    texts = ["fly to oslo", "how much", "unseen words 77 !"]
    assert np.array_equal(predict(loaded, texts).label_scores, predict(bundle, texts).label_scores)


def test_no_file_of_a_bundle_is_a_pickle(tmp_path: Path, bundle: Bundle):
    save_bundle(tmp_path, bundle)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bundle.json",
        "logic.toml",
        "parameters.safetensors",
        "rules.txt",
    ]


def test_a_folder_without_a_model_is_named(tmp_path: Path):
    with pytest.raises(
        ModelError, match="is not a model folder: it has no bundle.json.\nGive the folder that training"
    ):
        load_bundle(tmp_path)


@pytest.mark.parametrize("damaged", ["parameters.safetensors", "bundle.json", "rules.txt"])
def test_damage_is_told(tmp_path: Path, bundle: Bundle, damaged: str):
    save_bundle(tmp_path, bundle)
    (tmp_path / damaged).write_bytes(b"[label]\n$* (")
    with pytest.raises(InputError, match="Train"):
        load_bundle(tmp_path)


def test_another_format_is_told(tmp_path: Path, bundle: Bundle):
    save_bundle(tmp_path, bundle)
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}), encoding="utf-8")
    with pytest.raises(ModelError, match="has format 99, this version reads format 2"):
        load_bundle(tmp_path)


def test_unknown_settings_are_all_named():
    with pytest.raises(InputError) as caught:
        config_from(NetworkConfig, {"drop_out": 0.1, "staets": 3})
    assert str(caught.value).startswith("NetworkConfig has no setting drop_out, staets; its settings are: a")
