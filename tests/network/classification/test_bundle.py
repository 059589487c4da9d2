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
        "README.md",
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


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("[" * 100_000, "lists and objects are nested too deeply"),
        ('{"a":' * 100_000, "lists and objects are nested too deeply"),
        ("[1, 2]", "a JSON object is expected, not a list"),
        ("null", "a JSON object is expected, not null"),
        ("", "Expecting value"),
        ('{"format": ' + "9" * 5_000 + "}", "Exceeds the limit"),
    ],
    ids=["lists", "objects", "list", "null", "empty", "digits"],
)
def test_a_description_that_is_no_json_object_is_told(tmp_path: Path, bundle: Bundle, written: str, reason: str):
    save_bundle(tmp_path, bundle)
    (tmp_path / "bundle.json").write_text(written, encoding="utf-8")
    with pytest.raises(ModelError, match=rf"bundle.json is damaged: {reason}.*\nTrain the model again\."):
        load_bundle(tmp_path)


@pytest.mark.parametrize("place", [100, 2_000, -1])
def test_one_changed_bit_of_the_parameters_is_told(tmp_path: Path, bundle: Bundle, place: int):
    save_bundle(tmp_path, bundle)
    path = tmp_path / "parameters.safetensors"
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelError, match="parameters.safetensors is not what was written: its SHA-256 is not the one"):
        load_bundle(tmp_path)


def without_digest(folder: Path) -> None:
    """The description as former versions wrote it."""
    path = folder / "bundle.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    del stored["parameters_sha256"]
    path.write_text(json.dumps(stored), encoding="utf-8")


def test_a_model_without_a_digest_still_opens(tmp_path: Path, bundle: Bundle):
    save_bundle(tmp_path, bundle)
    without_digest(tmp_path)
    assert load_bundle(tmp_path).figures == bundle.figures


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("known", [True, False], ids=["digest", "no digest"])
def test_weights_that_are_no_numbers_are_refused(tmp_path: Path, bundle: Bundle, value: float, known: bool):
    with torch.no_grad():
        bundle.network.reader.sources[0, 0] = value
    save_bundle(tmp_path, bundle)
    if not known:
        without_digest(tmp_path)
    with pytest.raises(ModelError, match=r"holds values that are no finite numbers, in 'reader.sources'\.\nTrain it"):
        load_bundle(tmp_path)


@pytest.mark.parametrize(
    ("format", "what_to_do"),
    [(99, "A newer version of RE2NN wrote it: update this one."), (1, "Train the model again."), (None, "Train the")],
)
def test_another_format_is_told(tmp_path: Path, bundle: Bundle, format: int | None, what_to_do: str):
    save_bundle(tmp_path, bundle)
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": format}), encoding="utf-8")
    with pytest.raises(ModelError, match=rf"has format {format}, this version reads format 2\.\n{what_to_do}"):
        load_bundle(tmp_path)


def test_unknown_settings_are_all_named():
    with pytest.raises(InputError) as caught:
        config_from(NetworkConfig, {"drop_out": 0.1, "staets": 3})
    assert str(caught.value).startswith("NetworkConfig has no setting drop_out, staets; its settings are: a")
