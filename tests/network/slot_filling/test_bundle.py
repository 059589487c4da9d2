"""Tagger bundles on disk: they come back as they were, and say what is wrong where they do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from support.networks.small_system import small_corpus, small_system
from support.networks.tagger_samples import EXACT_FORMS, TRIP, TRIP_TEXTS, batch_of, config_of, disturbed

from re2nn_core.errors import InputError, LogicError, ModelError, RuleError
from re2nn_core.network.classification.bundle import load_bundle, save_bundle
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.ensemble import twin_of
from re2nn_core.network.slot_filling.bundle import TaggerBundle, TaggerParts, build_tagger, load_tagger, save_tagger
from re2nn_core.network.slot_filling.predict import run_taggers
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

VOCABULARY = build_vocabulary(TRIP_TEXTS, always=["oslo", "new", "york", "may", "june", "from", "to", "on"])
LOGIC = 'priorities = ["goal > city"]\nlongest = true\n'
NEAR_FORMS: tuple[dict[str, object], ...] = (
    {"rank": 5},
    {"cell": "gru", "transducer": "ifst"},
    {"activation": "tanh", "vectors": "given", "rule_weight": 0.4},
    {"vectors": "context", "auxiliary": "lstm"},
    {"initial": "random"},
)


def bundle_of(*, trained: bool = True, **form: object) -> TaggerBundle:
    """A tagger with noise on its parameters, as if it had been trained."""
    config = config_of(**form)
    known, extra, seen = ("City", "other"), ("B-other", "I-other"), (3, 4, 7)
    name = "none" if config.vectors == "none" else "some vectors"
    parts = TaggerParts(TRIP, LOGIC, Tokenization(), VOCABULARY, config, known, extra, seen, name)
    vectors = np.random.default_rng(1).normal(size=(len(VOCABULARY), 3)).astype(np.float32)
    bundle = build_tagger(parts, None if config.vectors == "none" else vectors)
    if trained:
        disturbed(bundle.network)
    return replace(bundle, trained=trained, figures={"dev": 0.5, "history": [{"epoch": 0}]})


@pytest.mark.parametrize("form", [*EXACT_FORMS, *NEAR_FORMS], ids=str)
def test_a_bundle_comes_back_as_it_was(tmp_path: Path, form: dict[str, object]) -> None:
    bundle, folder = bundle_of(**form), tmp_path / "model"
    save_tagger(folder, bundle)
    loaded = load_tagger(folder)
    assert loaded.parts == bundle.parts
    assert (loaded.trained, loaded.figures) == (True, bundle.figures)
    assert (loaded.logic, loaded.ruleset, loaded.network.tags) == (bundle.logic, bundle.ruleset, bundle.network.tags)
    assert (loaded.config, loaded.vocabulary, loaded.tokenization) == (bundle.config, VOCABULARY, Tokenization())
    state = loaded.network.state_dict()
    assert all(torch.equal(value, state[name]) for name, value in bundle.network.state_dict().items())
    batch = batch_of(VOCABULARY, TRIP_TEXTS)
    with torch.no_grad():
        assert torch.equal(loaded.network(batch), bundle.network(batch))
    assert not loaded.network.training


def test_copies_come_back(tmp_path: Path) -> None:
    first = bundle_of(auxiliary="lstm", decoding="crf", vectors="given")
    copies = tuple(disturbed(twin_of(first.network), 0.3, seed) for seed in (7, 8))
    bundle = replace(first, copies=copies)
    save_tagger(tmp_path, bundle)
    loaded = load_tagger(tmp_path)
    assert len(loaded.networks) == 3
    codes = [VOCABULARY.encode(text) for text in TRIP_TEXTS]
    for one, other in zip(run_taggers(loaded.networks, codes), run_taggers(bundle.networks, codes), strict=True):
        assert one.tags == other.tags
        assert np.array_equal(one.token_confidences, other.token_confidences)
    assert loaded.networks[1].reader.vectors is loaded.network.reader.vectors, "what is not trained is kept once"


def test_no_file_of_a_bundle_is_a_pickle(tmp_path: Path) -> None:
    save_tagger(tmp_path, bundle_of())
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "README.md",
        "bundle.json",
        "logic.toml",
        "parameters.safetensors",
        "rules.txt",
    ]
    assert json.loads((tmp_path / "bundle.json").read_text("utf-8"))["task"] == "slots"


def test_a_folder_of_the_other_task_says_so(tmp_path: Path) -> None:
    slots, labels = tmp_path / "slots", tmp_path / "labels"
    save_tagger(slots, bundle_of())
    save_bundle(labels, untrained(small_system(), small_corpus().texts))
    with pytest.raises(ModelError) as caught:
        load_bundle(slots)
    wanted = f"the model in {slots} gives slots, not labels. Choose the model of a classification project."
    assert str(caught.value) == wanted
    with pytest.raises(ModelError) as caught:
        load_tagger(labels)
    wanted = f"the model in {labels} gives labels, not slots. Choose the model of a project with slots."
    assert str(caught.value) == wanted
    assert load_bundle(labels).logic.labels
    assert load_tagger(slots).network.tags


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        load_tagger(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path} is not a model folder: it has no bundle.json.\nGive the folder")


@pytest.mark.parametrize("name", ["parameters.safetensors", "rules.txt", "logic.toml"])
def test_a_missing_or_damaged_file_is_told(tmp_path: Path, name: str) -> None:
    save_tagger(tmp_path, bundle_of())
    (tmp_path / name).write_bytes(b"[slots]\n$* (")
    with pytest.raises(ModelError) as caught:
        load_tagger(tmp_path)
    assert str(caught.value).startswith(f"the model in {tmp_path} cannot be read: ")
    assert str(caught.value).endswith("\nTrain it again, or choose another model folder.")
    (tmp_path / name).unlink()
    with pytest.raises(ModelError, match=f"cannot be read: .*{name}"):
        load_tagger(tmp_path)


def rewrite(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the description of a model folder."""
    path = folder / "bundle.json"
    description = json.loads(path.read_text("utf-8"))
    change(description)
    path.write_text(json.dumps(description), encoding="utf-8")


NEEDED = ("config", "tokenization", "vocabulary", "known_slots", "extra_tags", "seen", "vectors_name", "trained")
NEEDED = (*NEEDED, "copies", "figures")


@pytest.mark.parametrize("key", NEEDED)
def test_what_is_missing_in_a_description_is_named(tmp_path: Path, key: str) -> None:
    save_tagger(tmp_path, bundle_of())
    rewrite(tmp_path, lambda description: description.pop(key))
    with pytest.raises(ModelError) as caught:
        load_tagger(tmp_path)
    wanted = f"cannot be read: there is no '{key}' in it\nTrain it again, or choose another model folder."
    assert str(caught.value) == f"the model in {tmp_path} {wanted}"


@pytest.mark.parametrize(
    ("changes", "reported"),
    [
        ({"seen": [9999]}, "out of bounds"),
        ({"seen": 5}, "not iterable"),
        ({"figures": None}, "not iterable"),
        ({"copies": 2}, "there is no 'copy0/' in it"),
        ({"known_slots": [None]}, "casefold"),
        ({"extra_tags": ["B-a", "B-b", "B-c"]}, "size mismatch"),
        ({"vocabulary": ["a"]}, "a vocabulary starts with the three unknown kinds"),
        ({"config": {"transducer": "other"}}, "transducer must be 'positions' or 'ifst' (got 'other')"),
        ({"config": {"colour": 1}}, "TaggerConfig has no setting colour"),
        ({"tokenization": {"kind": "other"}}, "tokenizer kind must be one of"),
    ],
    ids=str,
)
def test_what_is_wrong_in_a_description_is_told(tmp_path: Path, changes: dict[str, object], reported: str) -> None:
    save_tagger(tmp_path, bundle_of(auxiliary="gru"))
    rewrite(tmp_path, lambda description: description.update(changes))
    with pytest.raises(ModelError) as caught:
        load_tagger(tmp_path)
    assert str(caught.value).startswith(f"the model in {tmp_path} cannot be read: ")
    assert reported in str(caught.value)


def test_a_description_that_is_no_json_or_of_another_format_is_told(tmp_path: Path) -> None:
    save_tagger(tmp_path, bundle_of())
    rewrite(tmp_path, lambda description: description.update(format=1))
    with pytest.raises(ModelError, match="has format 1, this version reads format 2.\nTrain the model again."):
        load_tagger(tmp_path)
    (tmp_path / "bundle.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match="bundle.json is damaged: .*\nTrain the model again."):
        load_tagger(tmp_path)


def test_building_tells_what_is_wrong_with_rules_and_priorities() -> None:
    parts = bundle_of().parts
    with pytest.raises(RuleError, match="is never closed"):
        build_tagger(replace(parts, rules_text="[slots]\none := $* ( a\n"))
    with pytest.raises(LogicError, match="there is no slot 'town' in the rules"):
        build_tagger(replace(parts, logic_text='priorities = ["town > date"]'))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"decoding": "viterbi"}, "decoding must be 'softmax' or 'crf' (got 'viterbi')"),
        ({"auxiliary": "rnn"}, "auxiliary must be 'none' or 'gru' or 'lstm' (got 'rnn')"),
        ({"threshold": 1.0}, "threshold must be between 0 and 1 (got 1.0)"),
        ({"word_dropout": 1.0}, "word_dropout must be from 0 to below 1 (got 1.0)"),
        ({"auxiliary_states": 0}, "auxiliary_states must be 1 or more (got 0)"),
        ({"logit_scale": 0.0}, "logit_scale must be above 0 (got 0.0)"),
        ({"rule_weight": 1.5}, "rule_weight must be from 0 to 1, or none (got 1.5)"),
        ({"minimum_confidence": 1.0}, "minimum_confidence must be from 0 to below 1 (got 1.0)"),
        (
            {"detached": True, "auxiliary": "none"},
            "detached needs an auxiliary encoder (got auxiliary 'none'). Choose gru or lstm, or leave detached out.",
        ),
        ({"rank": 0}, "rank must be 1 or more, or none for exact factors (got 0)"),
        (
            {"tune_encoder": True, "vectors": "none"},
            "tune_encoder needs vectors 'context' (got 'none'): only these come from the encoder as it reads a "
            "sentence. Set vectors to 'context', or leave tune_encoder off.",
        ),
    ],
    ids=str,
)
def test_settings_are_checked(values: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        TaggerConfig(**values)
    assert str(caught.value) == message


@pytest.mark.parametrize("fault", ["flipped", "no numbers"])
def test_damaged_parameters_are_told(tmp_path: Path, fault: str) -> None:
    bundle = bundle_of()
    if fault == "no numbers":
        with torch.no_grad():
            next(iter(bundle.network.parameters())).fill_(float("nan"))
    save_tagger(tmp_path, bundle)
    if fault == "flipped":
        path = tmp_path / "parameters.safetensors"
        path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    what = "its SHA-256 is not the one in bundle.json" if fault == "flipped" else "values that are no finite numbers"
    with pytest.raises(ModelError, match=what):
        load_tagger(tmp_path)
