"""Every sample project opens: texts, rules and logic are sound, and the rules leave something to learn."""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from re2nn_core.automata.matcher import build_matcher
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all, read_logic_file
from re2nn_core.rules.read import RuleFile, read_rule_file
from re2nn_core.rules.sentences import read_sentences
from re2nn_core.services.projects.project_files import read_project_files
from re2nn_core.services.projects.projects import list_samples
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.services.rule_writing.rule_sentences import check_sentences
from re2nn_core.task import Task
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.tokenization import Tokenization, words_of_all

SAMPLES = Path(__file__).resolve().parents[2] / "sample_projects"
NAMES = ("flight_intents", "message_spam")
KEYS = {"name", "title", "task", "description", "tokenizer", "lowercase", "texts", "rules", "logic", "sentences"}


@cache
def project(name: str) -> dict[str, str | bool]:
    with (SAMPLES / name / "project.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def corpus(name: str) -> Corpus:
    with (SAMPLES / name / str(project(name)["texts"])).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    assert header == ["text", "label", "split"]
    return Corpus(tuple(Example(text, label, split) for text, label, split in rows))


@cache
def rule_file(name: str) -> RuleFile:
    settings = project(name)
    return read_rule_file(SAMPLES / name / str(settings["rules"]), lowercase=bool(settings["lowercase"]))


@cache
def logic(name: str) -> LabelLogic:
    return read_logic_file(SAMPLES / name / str(project(name)["logic"]), rule_file(name).ruleset)


def accuracy(name: str, split: str) -> float:
    """Share of the texts of a split to which rules and logic give the label of the file."""
    settings, part, rules = project(name), corpus(name).of_split(split), rule_file(name).ruleset.rules
    kind = "punctuation" if settings["tokenizer"] == "punctuation" else "whitespace"
    sentences = words_of_all(part.texts, Tokenization(kind, lowercase=bool(settings["lowercase"])))
    matched = build_matcher(rules).matched(sentences)
    predictions = decide_all(logic(name), [rule.name for rule in rules], matched)
    gold = [logic(name).labels.index(str(example.label)) for example in part]
    return float(np.mean(np.asarray(predictions) == np.asarray(gold)))


def test_every_sample_folder_is_tested() -> None:
    assert {folder.name for folder in SAMPLES.iterdir() if (folder / "project.toml").exists()} >= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_project_file_is_complete(name: str) -> None:
    settings = project(name)
    assert set(settings) == KEYS
    assert settings["name"] == name
    assert settings["task"] == "classification"
    assert settings["tokenizer"] in {"whitespace", "punctuation"}
    files = ["README.md", *(str(settings[key]) for key in ("texts", "rules", "logic", "sentences"))]
    assert [file for file in files if not (SAMPLES / name / file).is_file()] == []


@pytest.mark.parametrize("name", sorted(card.name for card in list_samples()))
def test_the_rules_do_with_their_sentences_what_they_must(name: str) -> None:
    files = read_project_files({path.name: path.read_bytes() for path in (SAMPLES / name).iterdir() if path.is_file()})
    read = read_slot_system if files.task == Task.SLOT_FILLING else read_system
    system, _ = read(files.rules_text, files.logic_text, files.tokenization)
    report = check_sentences(system, read_sentences(files.sentences_text))
    assert [*map(str, (*report.failures, *report.orphans))] == []
    assert len({one.rule for one in report.checked}) >= 8
    assert {one.kind for one in report.checked} == {"must", "must_not"}


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_many_and_distinct(name: str) -> None:
    texts = [text.strip().lower() for text in corpus(name).texts]
    assert len(texts) >= 300
    assert "" not in texts
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", NAMES)
def test_each_label_is_in_each_split(name: str) -> None:
    assert {split: set(corpus(name).of_split(split).labels) for split in SPLITS} == {
        split: set(corpus(name).labels) for split in SPLITS
    }


@pytest.mark.parametrize("name", NAMES)
def test_splits_are_about_60_20_20(name: str) -> None:
    shares = [len(corpus(name).of_split(split)) / len(corpus(name)) for split in SPLITS]
    assert shares == pytest.approx([0.6, 0.2, 0.2], abs=0.03)


@pytest.mark.parametrize("name", NAMES)
def test_rules_read_without_fault_or_warning(name: str) -> None:
    assert rule_file(name).warnings == ()
    assert set(rule_file(name).ruleset.labels) == set(corpus(name).labels)


@pytest.mark.parametrize("name", NAMES)
def test_logic_names_the_labels_of_the_texts(name: str) -> None:
    assert set(logic(name).labels) == set(corpus(name).labels)
    assert logic(name).default in corpus(name).labels
    assert logic(name).priorities


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("split", SPLITS)
def test_rules_alone_are_good_and_not_perfect(name: str, split: str) -> None:
    assert 0.6 <= accuracy(name, split) <= 0.95
