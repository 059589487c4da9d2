"""What programs give to the Python interface by mistake: tables, keys, paths, numbers as text. Each is refused by name,
with what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import support.command_line as labels
import support.tagging_command_line as slots

import re2nn_core as re2nn
from re2nn_core.api.batch_scorer import BatchScorer
from re2nn_core.api.models import Model
from re2nn_core.commands.models.train import train_command
from re2nn_core.errors import DataFileError, InputError, ModelError
from re2nn_core.network.configuration.setting_titles import OPTION_NAMES
from re2nn_core.onnx_model import OnnxModel
from re2nn_core.sklearn import RuleClassifier, RuleTagger
from re2nn_core.text.given_texts import checked_texts
from re2nn_core.training.config import TrainConfig

PAIRS = [(text, label) for label, text in labels.TEXTS] * 5
SPANS = [("fly to oslo", [(7, 11, "to_city")]), ("to rome", [])] * 8


class Table(NamedTuple):
    """What has rows and columns, and whose columns are what a loop over it finds."""

    shape: tuple[int, int]
    columns: str


TABLE = Table((6, 2), "text")
TEXTS: dict[str, tuple[Any, str]] = {
    "table": (TABLE, "a table of shape (6, 2), not a list. Give a list of strings, or one column of the table, as in"),
    "matrix": (np.array([["a"], ["b"]]), "The texts are a table of shape (2, 1), not a list."),
    "dictionary": ({"a": 1}, "The texts are a dict, of which only the keys would be read. Give a list of strings"),
    "set": ({"a", "b"}, "The texts are a set, which has no order, so predictions would belong to no text."),
    "path": (
        Path("texts.tsv"),
        "The texts are the path texts.tsv, not a list. Read the file first: predict(read_texts",
    ),
    "nothing": (None, "The texts are no list (got NoneType None). Give a list of strings: predict([text])."),
    "number": (5, "The texts are no list (got int 5)."),
    "no dimension": (np.array("a"), "The texts are no list (got ndarray array('a', dtype='<U1'))."),
    "string": ("abc", "The texts are one str, not a list. Put the text in a list: predict([text])."),
    "bytes in it": ([b"x"], "Text 1 of 1 is no string (got bytes b'x'). Give strings; leave missing texts out."),
    "missing": (["a", float("nan")], "Text 2 of 2 is no string (got float nan)."),
    "nothing in it": ([None], "Text 1 of 1 is no string (got NoneType None)."),
}


def model_of(task: str) -> Model:
    return re2nn.compile(labels.RULES) if task == "labels" else re2nn.compile(slots.SLOT_RULES)


class Stub:
    """A session of onnxruntime that nothing may be asked of."""


def exported() -> OnnxModel:
    model = re2nn.compile(labels.RULES)
    return OnnxModel(Stub(), model.task, ("fare", "flight"), None, model.tokenization)  # type: ignore[arg-type]


CALLS: dict[str, Callable[[Path, Any], object]] = {
    **{
        f"{call} of {task}": lambda _, texts, call=call, task=task: getattr(model_of(task), call)(texts)
        for call in ("predict", "predict_proba", "predictions")
        for task in ("labels", "slots")
    },
    "BatchScorer": lambda folder, texts: BatchScorer(folder / "model")(texts),
    "OnnxModel.predict": lambda _, texts: exported().predict(texts),
    "OnnxModel.predict_proba": lambda _, texts: exported().predict_proba(texts),
    "OnnxModel.tags": lambda _, texts: exported().tags(texts),
    "RuleClassifier": lambda _, texts: RuleClassifier(labels.RULES).fit([]).predict(texts),
    "RuleTagger": lambda _, texts: RuleTagger(slots.SLOT_RULES).fit(texts),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_no_list_of_strings_are_refused(name: str) -> None:
    given, message = TEXTS[name]
    with pytest.raises(InputError) as caught:
        checked_texts(given)
    assert message in str(caught.value)


@pytest.mark.parametrize("call", CALLS)
def test_every_call_that_takes_texts_checks_them(call: str, tmp_path: Path) -> None:
    re2nn.compile(labels.RULES).save(tmp_path / "model")
    for given in (TABLE, {"flights": 1}, "flights", [None]):
        with pytest.raises(InputError, match="The texts are |is no string"):
            CALLS[call](tmp_path, given)


def test_texts_of_other_kinds_of_lists_are_plain_strings() -> None:
    for given in (("a", "b"), np.array(["a", "b"]), iter(["a", "b"])):
        found = checked_texts(given)
        assert found == ["a", "b"]
        assert {type(text) for text in found} == {str}


def test_an_exported_network_without_texts_predicts_a_table_without_rows() -> None:
    assert exported().predict_proba([]).shape == (0, 2)  # type: ignore[union-attr]
    assert exported().predict([]) == []


def train(pairs: Any = PAIRS, **settings: Any) -> Model:
    return re2nn.train(re2nn.compile(labels.RULES, logic=labels.LOGIC), pairs, **({"epochs": 1} | settings))


BAD: dict[str, tuple[Callable[[Path], object], type[Exception], str]] = {
    "explain a list": (
        lambda _: model_of("labels").explain(["flights"]),  # type: ignore[arg-type]
        InputError,
        "The text is no string (got list ['flights']). Give one text as a string: explain(text).",
    ),
    "load nothing": (
        lambda _: re2nn.load(None),  # type: ignore[arg-type]
        InputError,
        "The folder of a model is no path (got NoneType None). Give a string or a Path.",
    ),
    "save nowhere": (
        lambda _: model_of("slots").save(None),  # type: ignore[arg-type]
        InputError,
        "The folder for the model is no path (got NoneType None).",
    ),
    "exported network of nothing": (lambda _: OnnxModel.load(""), InputError, "is no path (got str '')."),
    "exported network of another folder": (
        OnnxModel.load,
        ModelError,
        "model.json: No such file or directory. Give a folder that `re2nn export-model",
    ),
    "save under a file": (
        lambda folder: model_of("labels").save(_file(folder) / "model"),
        DataFileError,
        "cannot be written: Not a directory. Check the path and whether you may write there.",
    ),
    "train under a file": (
        lambda folder: train(folder=_file(folder) / "model"),
        DataFileError,
        "cannot be written: Not a directory. Check the path and whether you may write there.",
    ),
    "train into a file": (
        lambda folder: train(folder=_file(folder)),
        InputError,
        "this is a file. Give a folder for the model.",
    ),
    "train onto other files": (
        lambda folder: train(folder=_file(folder).parent),
        InputError,
        "is no model folder and has files that a model would overwrite: rules.txt.\nGive a new folder for the model.",
    ),
    "train onto a model of another task": (
        lambda folder: (model_of("slots").save(folder / "model"), train(folder=folder / "model")),
        InputError,
        "already contains a model for slots, and these rules are for labels of whole texts. Nothing was trained.",
    ),
    "compile nothing": (
        lambda _: re2nn.compile(None),  # type: ignore[arg-type]
        InputError,
        'rules is neither a text nor a path (got NoneType None). Give a string, or rules=Path("rules.txt")',
    ),
    "compile bytes": (lambda _: re2nn.compile(b"[a]\nb := c"), InputError, "(got bytes b'[a]\\nb := c')"),  # type: ignore[arg-type]
    "compile a list": (lambda _: re2nn.compile(["a"]), InputError, "(got list ['a'])"),  # type: ignore[arg-type]
    "compile logic": (lambda _: re2nn.compile(labels.RULES, logic=5), InputError, "logic is neither a text nor a path"),  # type: ignore[arg-type]
    "compile a missing file": (
        lambda _: re2nn.compile("rulez.txt"),
        InputError,
        'rules is "rulez.txt", which looks like the path of a rule file, and there is no such file. Write rules=Path',
    ),
    "slots for labels": (
        lambda _: re2nn.compile(slots.SLOT_RULES, task="classification"),
        InputError,
        "<rules>: the rules capture words for slots, and a model for labels was asked for. Leave the task out",
    ),
    "slots for a classifier": (
        lambda _: RuleClassifier(slots.SLOT_RULES).fit([]),
        InputError,
        "the rules capture words for slots, and a model for labels was asked for.",
    ),
    "evaluate a folder": (
        lambda _: re2nn.evaluate("model", []),  # type: ignore[call-overload]
        InputError,
        "evaluate takes a model (got str 'model'). Write evaluate(load(folder), data).",
    ),
    "reconstruct a folder": (
        lambda _: re2nn.reconstruct("model", []),  # type: ignore[arg-type]
        InputError,
        "reconstruct takes a model (got str 'model'). Write reconstruct(load(folder), data).",
    ),
    "difference of a number": (
        lambda _: re2nn.diff(5, model_of("labels")),  # type: ignore[arg-type]
        InputError,
        "diff takes a model (got int 5). Write diff(compile(rules), other).",
    ),
    "evaluate on a number": (
        lambda _: re2nn.evaluate(model_of("labels"), 5),  # type: ignore[call-overload]
        InputError,
        "The data are int 5. Give a file, or pairs of a text and its label.",
    ),
    "evaluate on a table": (
        lambda _: re2nn.evaluate(model_of("slots"), TABLE),
        InputError,
        'The data are a table. Give a file, or pairs of a text and its spans, as in zip(table["text"],',
    ),
    "evaluate on a dictionary": (
        lambda _: re2nn.evaluate(model_of("labels"), {"a": "flight"}),
        InputError,
        "The data are a dict. Give a file, or pairs of a text and its label, as in list(data.items()).",
    ),
    "evaluate on nothing": (
        lambda _: re2nn.evaluate(model_of("labels"), []),
        InputError,
        "There is no text to evaluate on: the data are empty. Give texts with labels, or with spans.",
    ),
    "evaluate labels on spans": (
        lambda folder: re2nn.evaluate(model_of("labels"), re2nn.read_texts(_spans(folder), task="slots")),
        InputError,
        "The texts are annotated for slots, and the model is for labels of whole texts. Read them with",
    ),
    "empty label": (
        lambda _: re2nn.evaluate(model_of("labels"), [("a", "flight"), ("b", " ")]),
        InputError,
        "Example 2 has an empty label, ' '. Write None for a text without a label.",
    ),
    "empty label of a classifier": (
        lambda _: RuleClassifier(labels.RULES).fit(["a", "b"], ["flight", ""]),
        InputError,
        "Example 2 has an empty label, ''.",
    ),
    "span that is an object": (
        lambda _: re2nn.evaluate(model_of("slots"), [("to oslo", [{"start": 3, "end": 7, "slot": "to_city"}])]),
        InputError,
        "Example 1: one of the spans is dict {'start': 3, 'end': 7, 'slot': 'to_city'}. Give spans as",
    ),
    "span of texts": (
        lambda _: re2nn.evaluate(model_of("slots"), [("to oslo", [("to_city", 3, "x")])]),
        InputError,
        "Example 1: the start or the end of ('to_city', 3, 'x') is no whole number. Give spans as (start, end, slot).",
    ),
    "labels in a column": (
        lambda _: RuleClassifier(labels.RULES).fit(["a"], np.array([["flight"]])),  # type: ignore[arg-type]
        InputError,
        "y is a table of shape (1, 1), not a list of labels. Give one column: y.ravel() of an array, or table",
    ),
    "number as text": (lambda _: train(epochs="3"), InputError, "epochs must be a whole number (got str '3')."),
    "half an epoch": (lambda _: train(epochs=2.5), InputError, "epochs must be a whole number (got float 2.5)."),
    "yes as a number": (lambda _: train(epochs=True), InputError, "epochs must be a whole number (got bool True)."),
    "no epochs": (lambda _: train(epochs=None), InputError, "epochs must be a whole number (got NoneType None)."),
    "rate as text": (lambda _: train(learning_rate="1e-3"), InputError, "learning_rate must be a number (got str"),
    "number as yes": (lambda _: train(state_head=1), InputError, "state_head must be True or False (got int 1)."),
    "choice": (lambda _: train(cell=3), InputError, "cell must be a string (got int 3)."),
    "setting twice": (
        lambda _: train(copies=1, members=2),
        InputError,
        "copies and members are one setting. Give members alone.",
    ),
    "too many members": (lambda _: train(members=99), InputError, "members must be from 0 to 20 (got 99)"),
}


def _file(folder: Path) -> Path:
    (folder / "rules.txt").write_text("mine", encoding="utf-8")
    return folder / "rules.txt"


def _spans(folder: Path) -> Path:
    path = folder / "texts.jsonl"
    path.write_text('{"text": "to oslo", "spans": [[3, 7, "to_city"]]}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("name", BAD)
def test_what_a_program_gives_by_mistake_is_refused_by_name(name: str, tmp_path: Path) -> None:
    call, error, message = BAD[name]
    with pytest.raises(error) as caught:
        call(tmp_path)
    assert message in str(caught.value)


def test_files_of_other_people_stay_as_they_are(tmp_path: Path) -> None:
    for name in ("rules.txt", "logic.toml", "README.md"):
        (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="rules.txt, logic.toml, README.md"):
        train(folder=tmp_path)
    assert [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())] == ["mine"] * 3


@pytest.mark.long
def test_a_model_of_other_rules_is_replaced_with_a_warning(tmp_path: Path) -> None:
    re2nn.compile("[fare]\nprice := $* cost $*").save(tmp_path / "model")
    with pytest.warns(UserWarning, match=r"model contains a model of other rules, which this training replaces\."):
        train(folder=tmp_path / "model")
    train(folder=tmp_path / "model")  # its own rules: no warning


def test_settings_have_the_names_of_the_options() -> None:
    assert {one.name: max(one.opts).lstrip("-") for one in train_command.params if one.name in OPTION_NAMES} == dict(
        OPTION_NAMES
    )
    assert train(members=2, automata="label", epochs=np.int64(1)).bundle is not None
    with pytest.raises(InputError) as caught:
        train(epoch=1)
    names = str(caught.value).partition("are: ")[2].rstrip(".").split(", ")
    assert {"members", "automata", "vectors", "epochs"} <= set(names)
    assert not {"copies", "machines"} & set(names)


def test_labels_and_slots_that_no_rule_has_are_warned_about() -> None:
    with pytest.warns(UserWarning, match=r"No rule has the label 'flihgt' \(1 text\): .* Did you mean 'flight'\?"):
        train([*PAIRS, ("a flight", "flihgt")])
    with pytest.warns(UserWarning, match="No rule has the label 'flihgt'"):
        RuleClassifier(labels.RULES, epochs=1).fit(*zip(*PAIRS, ("a flight", "flihgt"), strict=True))
    cities = re2nn.compile("to := $* to [ oslo ]<to_city> $*")
    with pytest.warns(UserWarning, match=r"No rule has the slot 'to_citty' \(1 text\): .* Did you mean 'to_city'\?"):
        re2nn.train(cities, [*SPANS, ("to oslo", [(3, 7, "to_citty")])], epochs=1)


def test_texts_without_a_label_and_long_rules_are_fine() -> None:
    assert train([*PAIRS, ("what", None)]).bundle is not None
    rule = "to := $* to [ " + " | ".join(f"city{number}" for number in range(200)) + " ]<city> $*"
    assert re2nn.compile(rule).predict(["to city7"])[0]
    tagger = RuleTagger("to := $* to [ oslo ]<to_city> $*", epochs=1)
    assert tagger.fit([text for text, _ in SPANS] + ["x"], [*[spans for _, spans in SPANS], None]).model_.bundle
    assert TrainConfig().copies == 0


def test_values_are_shown_in_one_line(tmp_path: Path) -> None:
    many = re2nn.compile("\n".join(f"[l{number}]\nr{number} := $* w{number} $*" for number in range(300)))
    assert repr(many) == "<LabelModel: 300 rules, 300 labels, no network>"
    cities = re2nn.compile("to := $* to [ oslo ]<to_city> $*")
    cities.save(tmp_path / "model")
    assert repr(re2nn.load(tmp_path / "model")) == "<SlotModel: 1 rule, 1 slot, untrained network>"
    assert repr(train()).endswith("trained network>")
    assert repr(model_of("labels").explain("flights")) == "<Explanation of 'flights': label 'flight', 1 rule matched>"
    assert repr(cities.explain("to oslo")) == "<SlotExplanation of 'to oslo': 1 span>"
    assert repr(re2nn.evaluate(cities, [("to oslo", [(3, 7, "to_city")])])) == (
        "<SlotEvaluation: 1 text, 1 annotated, F1 of rules 100.0, of network 100.0>"
    )
    assert repr(re2nn.evaluate(model_of("labels"), PAIRS)).startswith("<Evaluation: 30 texts, 30 labelled, accuracy of")
    assert repr(re2nn.diff(cities, cities)) == "<RuleSetDifference: 0 of 1 rule not the same>"
    assert repr(exported()) == "<OnnxModel for labels of whole texts: 2 labels>"
