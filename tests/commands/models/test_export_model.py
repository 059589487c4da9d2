"""re2nn export-model: what it writes is run by onnxruntime, spaCy and this package, and is whole or not there."""

from __future__ import annotations

import errno
import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import spacy
from support.command_line import LOGIC, RULES, TEXTS, Call

import re2nn_core as re2nn_api
from re2nn_core.errors import ModelError
from re2nn_core.network.onnx_graph import builder
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.onnx_model import OnnxModel
from re2nn_core.services.model_export import onnx_files

CITY_RULES = "to := $* to [ oslo | new york ]<city> $*"
CITIES = ["fly to New York, please", "to oslo", "", "hello", "to zzz to oslo"]
WORDS = [*(text for _, text in TEXTS), "", "unheard 7 !"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Models: rules without a default label, trained labels (without vectors, by which words that the file does not
    have would have scores in torch alone), slots, and rules that tell capitals in lower case."""
    root = tmp_path_factory.mktemp("models")
    re2nn_api.compile('[name]\napple := $* case"Apple" $*').save(root / "capitals")
    re2nn_api.compile(RULES).save(root / "rules")
    labels = re2nn_api.compile(RULES, logic=LOGIC)
    known = [(text, label) for label, text in TEXTS] * 5
    re2nn_api.train(labels, known, folder=root / "labels", epochs=2, vectors="none")
    cities = re2nn_api.compile(CITY_RULES, tokenizer="punctuation")
    re2nn_api.train(cities, [("to oslo", [(3, 7, "city")])] * 10, folder=root / "slots", epochs=2)
    return {name: root / name for name in ("rules", "labels", "slots", "capitals")}


@pytest.mark.parametrize("kind", ["rules", "labels", "slots", "capitals"])
def test_onnxruntime_predicts_what_the_model_does(
    re2nn: Call, folders: dict[str, Path], kind: str, tmp_path: Path
) -> None:
    texts = CITIES if kind == "slots" else [*WORDS, "an Apple", "an apple"]
    outcome = re2nn("export-model", folders[kind], "--format", "onnx", "-o", tmp_path / "onnx", "--json")
    assert (outcome.code, outcome.data["texts"]) == (0, onnx_files.OWN_TEXTS)
    assert outcome.data["difference"] < 1e-5
    found, model = OnnxModel.load(tmp_path / "onnx"), re2nn_api.load(folders[kind])
    assert found.predict(texts) == model.predict(texts)
    assert found.predict([]) == []
    for own, other in zip(found.predict_proba(texts), model.predict_proba(texts), strict=True):
        assert np.abs(own - other).max(initial=0) < 1e-5
    assert sorted(path.name for path in (tmp_path / "onnx").iterdir()) == ["README.md", "model.json", "model.onnx"]


def test_texts_of_a_file_are_compared(re2nn: Call, folders: dict[str, Path], texts: Path, tmp_path: Path) -> None:
    outcome = re2nn("export-model", folders["labels"], "--format", "onnx", "--data", texts, "-o", tmp_path / "onnx")
    assert "onnxruntime and torch predict the same for 6 texts; probabilities differ by" in outcome.out


def test_the_example_of_the_written_readme_runs(re2nn: Call, folders: dict[str, Path], tmp_path: Path) -> None:
    re2nn("export-model", folders["labels"], "--format", "onnx", "-o", tmp_path / "onnx")
    readme = (tmp_path / "onnx" / "README.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", readme, re.S)
    assert example is not None
    exec(example[1], {"FOLDER": tmp_path / "onnx", "TEXT": "flights"})  # noqa: S102 - the example of this program


def test_what_differs_from_torch_is_not_kept(
    re2nn: Call, folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_files, "CLOSE", -1.0)
    outcome = re2nn("export-model", folders["labels"], "--format", "onnx", "-o", tmp_path / "onnx")
    assert outcome.code == 2
    assert "onnxruntime and torch differ on the text ''" in outcome.err
    assert "Nothing was written. Export with --format folder." in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_rules_that_divide_neighbours_are_reported(re2nn: Call, tmp_path: Path) -> None:
    re2nn_api.compile("far := $* [ a{2,3} ]<x> $*", logic="longest = true").save(tmp_path / "model")
    (tmp_path / "texts.txt").write_text("a a a a\nb b\n", encoding="utf-8")
    outcome = re2nn(
        *("export-model", tmp_path / "model", "--format", "onnx"),
        *("--data", tmp_path / "texts.txt", "-o", tmp_path / "onnx"),
    )
    assert "For 1 text the rules divide neighbouring words into other spans" in outcome.out


@pytest.mark.parametrize("kind", ["labels", "slots"])
def test_a_pipeline_of_spacy_holds_the_model(re2nn: Call, folders: dict[str, Path], kind: str, tmp_path: Path) -> None:
    outcome = re2nn("export-model", folders[kind], "--format", "spacy", "-o", tmp_path / "pipeline")
    assert f'Load it with spacy.load("{tmp_path / "pipeline"}").' in outcome.out
    assert str(folders[kind]) not in (tmp_path / "pipeline" / "config.cfg").read_text(encoding="utf-8")
    nlp, model = spacy.load(tmp_path / "pipeline"), re2nn_api.load(folders[kind])
    if kind == "labels":
        cats = [nlp(text).cats for text in WORDS]
        assert [max(one, key=one.__getitem__) for one in cats] == model.predict(WORDS)
        return
    expected = [[(one.start, one.end, one.slot) for one in spans] for spans in model.predict(CITIES)]  # type: ignore[union-attr]
    docs = [nlp(text) for text in CITIES]
    found = [[(one.start_char, one.end_char, one.label_) for one in doc.spans["re2nn"]] for doc in docs]
    assert found == expected


def test_a_copy_of_the_folder(re2nn: Call, folders: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()  # an empty one may be there
    re2nn("export-model", folders["labels"], "--format", "folder", "-o", tmp_path / "copy")
    assert re2nn_api.load(tmp_path / "copy").predict(WORDS) == re2nn_api.load(folders["labels"]).predict(WORDS)
    assert (tmp_path / "copy" / "README.md").read_text(encoding="utf-8").count("# labels\n") == 1


@pytest.mark.parametrize(
    ("kind", "place", "message"),
    [
        ("onnx", "filled", "is not empty. Nothing was written. Give a new folder."),
        ("spacy", "filled/file", "this is a file. Give a new folder."),
        ("folder", "none/there", "there is no folder"),
    ],
)
def test_other_folders_are_refused(
    re2nn: Call, folders: dict[str, Path], tmp_path: Path, kind: str, place: str, message: str
) -> None:
    (tmp_path / "filled").mkdir()
    (tmp_path / "filled" / "file").write_text("own", encoding="utf-8")
    outcome = re2nn("export-model", folders["labels"], "--format", kind, "-o", tmp_path / place)
    assert (outcome.code, message in outcome.err) == (2, True)
    assert (tmp_path / "filled" / "file").read_text(encoding="utf-8") == "own"


def test_nothing_is_written_into_the_model_itself(re2nn: Call, folders: dict[str, Path]) -> None:
    model = folders["labels"]
    outcome = re2nn("export-model", model, "--format", "folder", "-o", model / "inside")
    assert outcome.code == 2
    assert f"{model / 'inside'} lies in the model folder {model}, which must stay as it is." in outcome.err
    assert not (model / "inside").exists()


def test_texts_without_a_comparison_and_no_model_are_refused(
    re2nn: Call, folders: dict[str, Path], texts: Path, tmp_path: Path
) -> None:
    outcome = re2nn("export-model", folders["labels"], "--format", "folder", "--data", texts, "-o", tmp_path / "x")
    assert "--data: this option has no effect with --format folder. Leave it out." in outcome.err
    outcome = re2nn("export-model", tmp_path, "--format", "onnx", "-o", tmp_path / "x")
    assert f"{tmp_path} is not a model folder: it has no bundle.json." in outcome.err
    assert not (tmp_path / "x").exists()


def _without(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == package else there(name, *rest)
    )


def _full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _ctrl_c(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


REFUSED: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], int, str]] = {
    "word vectors in their sentence": (
        lambda patch: patch.setattr(RecurrentLayer, "takes_context", True),
        2,
        "This network reads word vectors in their sentence (vectors: context), from a sentence encoder that ONNX files "
        "of RE2NN do not contain. Export it with --format folder or spacy, or train with other word vectors.",
    ),
    "more than a file may hold": (
        lambda patch: patch.setattr(builder, "LARGEST", 100),
        2,
        "GB of weights, and an ONNX file at most 0 GB. Export it with --format folder.",
    ),
    "no onnx": (lambda patch: _without(patch, "onnx"), 2, "Writing ONNX needs the package onnx. Install it with"),
    "no onnxruntime": (lambda patch: _without(patch, "onnxruntime"), 2, "needs the package onnxruntime"),
    "a full disk": (lambda patch: patch.setattr(Path, "write_text", _full_disk), 2, "Make room there, then try again."),
    "Ctrl+C": (lambda patch: patch.setattr(onnx_files, "_readme", _ctrl_c), 130, "Interrupted."),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_cannot_be_exported_is_refused_and_leaves_nothing(
    re2nn: Call, folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    patched, code, message = REFUSED[why]
    patched(monkeypatch)
    outcome = re2nn("export-model", folders["rules"], "--format", "onnx", "-o", tmp_path / "onnx")
    assert outcome.code == code
    assert message in " ".join(outcome.err.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 9}, "model.json has format 9, this version reads format 1. Export the model again."),
        ({"words": ["a"]}, "model.json is damaged: a vocabulary starts with the three unknown kinds."),
        ({"task": "poems"}, "model.json is damaged: 'poems' is not a valid Task."),
    ],
)
def test_an_export_that_is_damaged_is_not_run(
    re2nn: Call, folders: dict[str, Path], tmp_path: Path, change: dict[str, object], message: str
) -> None:
    re2nn("export-model", folders["rules"], "--format", "onnx", "-o", tmp_path / "onnx")
    path = tmp_path / "onnx" / "model.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(ModelError, match=re.escape(message)):
        OnnxModel.load(tmp_path / "onnx")
    (tmp_path / "onnx" / "model.onnx").write_bytes(b"none")
    path.write_text(json.dumps({}), encoding="utf-8")
    with pytest.raises(ModelError, match="has format None"):
        OnnxModel.load(tmp_path / "onnx")
    with pytest.raises(ModelError, match="holds no exported network"):
        OnnxModel.load(tmp_path)
