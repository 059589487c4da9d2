"""Models of rules, of networks and of folders: the same predictions by Python, the command line and a saved folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import support.command_line as labels
import support.tagging_command_line as slots
from support.same_predictions import NEAR, PLACES, Given, by_command, compare_places, predicted

import re2nn_core as re2nn
import re2nn_core.spacy
from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model
from re2nn_core.errors import InputError, ModelError, RuleError
from re2nn_core.text.corpus import Corpus

SAMPLES = Path(__file__).resolve().parents[2] / "sample_projects"


@dataclass(frozen=True)
class Sample:
    """A sample project: its model of rules, and its texts."""

    folder: Path
    model: Model
    corpus: Corpus
    data: Path


def read_sample(name: str) -> Sample:
    folder = SAMPLES / name
    tokenizer = "characters" if name.endswith("_zh") else "punctuation"
    model = re2nn.compile(folder / "rules.txt", logic=folder / "logic.toml", tokenizer=tokenizer)
    data = next(folder.glob("texts.*"))
    return Sample(folder, model, re2nn.read_texts(data, task=model.task, tokenization=model.tokenization), data)


_MORE = [pytest.param(name, marks=pytest.mark.long) for name in ("message_spam", "flight_slots_zh")]


@pytest.fixture(scope="module", params=["flight_intents", "flight_slots", *_MORE])
def sample(request: pytest.FixtureRequest) -> Sample:
    return read_sample(request.param)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where trained models are kept."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def trained(sample: Sample, folders: Path) -> tuple[Model, Path]:
    """A network that six epochs have moved away from the rules, and its folder."""
    folder = folders / sample.folder.name
    if folder.exists():
        return re2nn.load(folder), folder
    usable = Corpus(tuple(one for one in sample.corpus if one.split != "test"))
    return re2nn.train(sample.model, usable, folder=folder, epochs=6, seed=1), folder


def test_the_network_of_rules_predicts_what_the_rules_predict(sample: Sample, tmp_path: Path) -> None:
    sample.model.save(tmp_path / "model")
    loaded = re2nn.load(tmp_path / "model")
    assert loaded.bundle is not None
    assert not loaded.trained
    assert predicted(loaded, sample.corpus.texts) == predicted(sample.model, sample.corpus.texts)


def check_same(given: Given, places: Sequence[str]) -> None:
    """The model predicts the same in all places."""
    for one in compare_places(given, places):
        assert one.differing == 0, one.place
        assert one.scores > 50, one.place
        assert one.difference < NEAR, one.place


@pytest.mark.long
def test_a_network_predicts_the_same_everywhere(sample: Sample, trained: tuple[Model, Path], tmp_path: Path) -> None:
    model, folder = trained
    assert model.trained or sample.folder.name == "flight_slots_zh"  # which six epochs do not improve
    given = Given(model, folder, sample.corpus.texts, sample.data, tmp_path)
    check_same(given, [place for place in PLACES if place != "Ray"])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_a_network_predicts_the_same_by_ray(sample: Sample, trained: tuple[Model, Path], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 're2nn-studio[ray]'")
    model, folder = trained
    check_same(Given(model, folder, sample.corpus.texts, sample.data, tmp_path), ["Ray"])


def test_another_prediction_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model = re2nn.compile(labels.RULES)
    rows = iter([["fare", "flight"], ["fare", "fare"]])
    monkeypatch.setitem(PLACES, "here", lambda given: (next(rows), [None, 0.5]))
    given = Given(model, tmp_path, ("how much", "flights"), tmp_path, tmp_path)
    assert [one.differing for one in compare_places(given, ["here", "here"])] == [0, 1]


def test_rules_predict_the_same_by_python_and_command_line(sample: Sample) -> None:
    rules = ("--rules", sample.folder / "rules.txt", "--logic", sample.folder / "logic.toml")
    found, _ = by_command(sample.data, *rules, "--tokenizer", sample.model.tokenization.kind)
    assert found == predicted(sample.model, sample.corpus.texts)


def test_probabilities_are_those_of_the_predictions(sample: Sample, trained: tuple[Model, Path]) -> None:
    model, texts = trained[0], sample.corpus.texts[:50]
    shares = model.predict_proba(texts)
    if isinstance(model, LabelModel):
        assert isinstance(shares, np.ndarray)
        assert shares.shape == (50, len(model.labels))
        assert [model.labels[row.argmax()] for row in shares] == model.predict(texts)
        assert np.allclose([row.max() for row in shares], [one.confidence for one in model.predictions(texts)])
    else:
        for row, one in zip(shares, model.predictions(texts), strict=True):
            assert row.shape == (len(one.tokens), len(model.tags))
            places = [model.tags.index(tag) for tag in one.tags]
            assert np.allclose(row[range(len(places)), places], one.token_confidence)
    assert all(np.allclose(row.sum(-1), 1, atol=1e-5) for row in shares)


def test_a_folder_is_loaded_as_it_was_saved(trained: tuple[Model, Path], sample: Sample, tmp_path: Path) -> None:
    model, texts = trained[0], sample.corpus.texts[:50]
    model.save(tmp_path / "again")
    again = re2nn.load(tmp_path / "again")
    for one, other in zip(model.predict_proba(texts), again.predict_proba(texts), strict=True):
        assert np.array_equal(one, other)
    again.save(tmp_path / "again")  # a model folder may be written again


def test_reconstructed_rules_are_a_model_of_the_same_task(tmp_path: Path) -> None:
    """For labels the guide's examples show it."""
    model, pairs = re2nn.compile(slots.SLOT_RULES), [("fly to oslo", [(7, 11, "to_city")])] * 12
    model.save(tmp_path / "model")
    learned = re2nn.reconstruct(re2nn.load(tmp_path / "model"), pairs)
    assert learned.bundle is None
    assert learned.tokenization == model.tokenization
    assert re2nn.diff(model, learned).same


def test_rules_are_found_from_what_a_function_predicts() -> None:
    """In addition to given rules, which stay; texts of dev and test take no part."""
    given = re2nn.compile("[fare]\ncost := $* cost $*\n")
    texts = [("how much is it", None), ("much to pay", None), ("fly", None), ("go now", None)] * 9
    learned = re2nn.reconstruct(lambda many: ["fare" if "much" in one else "trip" for one in many], texts, rules=given)
    assert learned.bundle is None
    assert "cost := $* cost $*" in learned.system.rules_text
    assert learned.predict(["what does it cost", "how much", "go"]) == ["fare", "fare", "trip"]
    plain = [text for text, _ in texts]
    same = re2nn.reconstruct(lambda many: ["fare" if "much" in one else "trip" for one in many], plain, rules=given)
    assert same.system.rules_text == learned.system.rules_text
    none = re2nn.reconstruct(lambda many: ["fare"] * len(many), texts, rules=given, most_words=0)
    assert none.system.rules_text.count(":=") == 1


def test_evaluate_takes_pairs_and_files() -> None:
    model = re2nn.compile(labels.RULES, logic=labels.LOGIC)
    assert re2nn.evaluate(model, [(text, label) for label, text in labels.TEXTS]).rules.accuracy == 5 / 6


def test_rows_of_a_file_that_are_left_out_are_warned_about(tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text("text,label\nflights,flight\n,fare\n", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"texts.csv: 1 row left out; the first is line 3: the text .* is empty"):
        assert len(re2nn.read_texts(tmp_path / "texts.csv")) == 1


def _network(rules: str, folder: Path) -> Model:
    re2nn.compile(rules).save(folder / "model")
    return re2nn.load(folder / "model")


def _other_version(folder: Path) -> None:
    re2nn.compile(labels.RULES).save(folder / "model")
    path = folder / "model" / "bundle.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"format": 2', '"format": 9'), encoding="utf-8")
    re2nn.load(folder / "model")


def _onto_other_files(folder: Path) -> None:
    (folder / "thesis.txt").write_text("", encoding="utf-8")
    re2nn.compile(labels.RULES).save(folder)


def _path_as_text(folder: Path) -> None:
    (folder / "rules.txt").write_text(labels.RULES, encoding="utf-8")
    re2nn.compile(str(folder / "rules.txt"))


def _model() -> Model:
    return re2nn.compile(labels.RULES)


BAD = {
    "one string": (
        lambda _: _model().predict("flights"),
        InputError,
        "The texts are one str, not a list. Put the text in a list: predict([text]).",
    ),
    "no string": (
        lambda _: _model().predict(["flights", float("nan")]),  # type: ignore[list-item]
        InputError,
        "Text 2 of 2 is no string (got float nan). Give strings; leave missing texts out.",
    ),
    "no folder": (lambda folder: re2nn.load(folder / "gone"), ModelError, "gone is not a model folder: there is no"),
    "another version": (
        _other_version,
        ModelError,
        "has format 9, this version reads format 2.\nA newer version of RE2NN wrote it",
    ),
    "other files": (_onto_other_files, InputError, "is not empty and no model folder. Give a new folder"),
    "path as text": (_path_as_text, InputError, "rules is the path of a file, as a string. Write rules=Path("),
    "bad rule": (lambda _: re2nn.compile("[a]\nb := ( c"), RuleError, "<rules>:2:6: rule 'b': '(' is never closed"),
    "tokenizer": (
        lambda _: re2nn.compile(labels.RULES, tokenizer="words"),
        InputError,
        "The tokenizer kind must be one of whitespace",
    ),
    "setting": (
        lambda _: re2nn.train(_model(), [], epoch=3),
        InputError,
        "epoch: no setting of networks for labels of whole texts. The settings are: ",
    ),
    "setting of labels": (
        lambda _: re2nn.train(re2nn.compile(slots.SLOT_RULES), [], unlabelled=0.5),
        InputError,
        "unlabelled: no setting of networks for slots. The settings are: ",
    ),
    "objective": (
        lambda _: re2nn.train(_model(), [], objective="best"),
        InputError,
        "objective must be one of interpretable, accuracy (got 'best').",
    ),
    "rules to train": (
        lambda _: re2nn.train(labels.RULES, []),  # type: ignore[arg-type]
        InputError,
        "train takes a model of rules (got str). Write train(compile(rules), data).",
    ),
    "pairs": (
        lambda _: re2nn.evaluate(_model(), [("flights", "flight"), "fare"]),  # type: ignore[list-item]
        InputError,
        "Example 2 is 'fare'. Expected: (text, label), or (text, None) without a label.",
    ),
    "spans": (
        lambda _: re2nn.evaluate(re2nn.compile(slots.SLOT_RULES), [("to oslo", [(3, 3, "city")])]),
        InputError,
        "Example 1: a span has a start from 0 on and an end after it (got 3 and 3). Give spans as",
    ),
    "split": (
        lambda _: re2nn.evaluate(_model(), [("flights", "flight")], split="test"),
        InputError,
        "The data: no text of the split 'test'. The splits of the texts are: none.",
    ),
    "nothing to reconstruct": (
        lambda _: re2nn.reconstruct(_model(), []),
        InputError,
        "This model has no network, only rules: there is nothing to reconstruct. Train it first.",
    ),
    "fewer words than none": (
        lambda folder: re2nn.reconstruct(_network(labels.RULES, folder), [], most_words=-1),
        InputError,
        "most_words must be 0 or more (got -1).",
    ),
    "words of slots": (
        lambda folder: re2nn.reconstruct(_network(slots.SLOT_RULES, folder), [], most_words=5),
        InputError,
        "most_words: this is for labels, and the model is for slots. Leave it out.",
    ),
    "too few labels": (
        lambda _: re2nn.reconstruct(lambda texts: ["a"], [("x", None), ("y", None)]),
        InputError,
        "The function gave 1 label for 2 texts. Let it return a label for each text, None for no label.",
    ),
    "numbers as labels": (
        lambda _: re2nn.reconstruct(lambda texts: [1, 2], [("x", None), ("y", None)]),  # type: ignore[list-item]
        InputError,
        "The function gave 1 as a label. Let it return names of labels (str), or None.",
    ),
    "no list of labels": (
        lambda _: re2nn.reconstruct(lambda texts: None, [("x", None), ("y", None)]),  # type: ignore[arg-type,return-value]
        InputError,
        "The function gave None for 2 texts. Let it take a list of texts and return a list of as many labels",
    ),
    "no name of a label": (
        lambda _: re2nn.reconstruct(lambda texts: ["[x]"] * len(texts), [("x", None), ("y", None)]),
        InputError,
        "Predicted is '[x]'. A label may hold anything but the signs [ ] < > = \"",
    ),
    "no label at all": (
        lambda _: re2nn.reconstruct(lambda texts: [None] * len(texts), [("x", None), ("y", None)]),
        InputError,
        "No text outside of dev and test has a prediction",
    ),
    "rules of slots": (
        lambda _: re2nn.reconstruct(lambda texts: ["a"], [("x", None)], rules=re2nn.compile(slots.SLOT_RULES)),
        InputError,
        "rules: rules are found from predictions of labels alone.",
    ),
    "rules of a network": (
        lambda folder: re2nn.reconstruct(_network(labels.RULES, folder), [], rules=_model()),
        InputError,
        "rules: a network is read with its own rules. Leave them out, or give its function predict.",
    ),
    "two tasks": (
        lambda _: re2nn.diff(_model(), re2nn.compile(slots.SLOT_RULES)),
        InputError,
        "left",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_reported(name: str, tmp_path: Path) -> None:
    call: Callable[[Path], object]
    call, error, message = BAD[name]
    with pytest.raises(error) as caught:
        call(tmp_path)
    assert message in str(caught.value)


def test_the_package_is_imported_at_once() -> None:
    """Without torch and NumPy, in 50 ms of processor time at most: the fastest of five processes counts."""
    code = (
        "import time; start = time.process_time(); import re2nn_core; took = time.process_time() - start; import sys; "
        "print(took, *sorted({'torch', 'numpy', 'sklearn', 'click'} & set(sys.modules)))"
    )
    call = [sys.executable, "-c", code]
    printed = [subprocess.run(call, capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
    assert [names for _, *names in printed] == [[]] * 5
    assert min(float(took) for took, *_ in printed) < 0.05


def test_every_name_of_the_interface_is_there() -> None:
    assert dir(re2nn) == sorted(re2nn.__all__)
    for name in re2nn.__all__:
        assert getattr(re2nn, name).__doc__
    with pytest.raises(AttributeError, match="has no attribute 'predict'; its names are: FoundSpan, "):
        _ = re2nn.predict
