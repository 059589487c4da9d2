"""Every sample project for slots opens: spans meet words, rules read, and the rules leave something to learn."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from re2nn_core.services.projects.project_files import ProjectFiles, read_project_files
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import SPLITS, Example
from re2nn_core.text.spans import Span, span_faults
from re2nn_core.text.tokenization import tokenize

SAMPLES = Path(__file__).resolve().parents[2] / "sample_projects"
TOKENIZERS = {"flight_slots": "punctuation", "flight_slots_zh": "characters"}
KEYS = {"name", "title", "task", "description", "tokenizer", "lowercase", "texts", "rules", "logic", "sentences"}
SLOTS = {
    "from_city",
    "to_city",
    "date",
    "return_date",
    "time",
    "airline",
    "class",
    "passengers",
    "price_limit",
    "stops",
}

both = pytest.mark.parametrize("name", TOKENIZERS)


@cache
def files(name: str) -> ProjectFiles:
    return read_project_files({path.name: path.read_bytes() for path in (SAMPLES / name).iterdir() if path.is_file()})


@cache
def system(name: str) -> SlotSystem:
    project = files(name)
    read, warnings = read_slot_system(project.rules_text, project.logic_text, project.tokenization)
    assert warnings == ()
    return read


def examples(name: str, split: str | None = None) -> list[Example]:
    return [example for example in files(name).corpus if split in (None, example.split)]


def labelled(name: str, split: str | None = None) -> list[tuple[str, tuple[Span, ...]]]:
    return [(example.text, example.spans) for example in examples(name, split) if example.spans is not None]


def span_f1(name: str, split: str) -> float:
    """F1 of the rules over the spans of a split; a span counts where both ends and the slot are right."""
    pairs = labelled(name, split)
    reported = system(name).spans([text for text, _ in pairs])
    right = sum(len(set(gold) & set(said)) for (_, gold), said in zip(pairs, reported, strict=True))
    return 2 * right / (sum(len(gold) for _, gold in pairs) + sum(map(len, reported)))


def test_every_slot_sample_is_tested() -> None:
    settings = {path.parent.name: tomllib.loads(path.read_text("utf-8")) for path in SAMPLES.glob("*/project.toml")}
    assert {name for name, values in settings.items() if values["task"] == "slots"} == set(TOKENIZERS)


@both
def test_project_file_is_complete(name: str) -> None:
    settings = tomllib.loads((SAMPLES / name / "project.toml").read_text("utf-8"))
    assert set(settings) == KEYS
    assert settings["name"] == name
    assert settings["tokenizer"] == files(name).tokenization.kind == TOKENIZERS[name]
    assert (SAMPLES / name / "README.md").is_file()


@both
def test_no_row_of_the_texts_is_refused(name: str) -> None:
    rows = [json.loads(line) for line in (SAMPLES / name / "texts.jsonl").read_text("utf-8").splitlines()]
    assert [row["text"] for row in rows] == [example.text for example in examples(name)]
    spans = [None if "spans" not in row else tuple(sorted(Span(*span) for span in row["spans"])) for row in rows]
    assert spans == [example.spans for example in examples(name)]


@both
def test_texts_are_many_and_distinct(name: str) -> None:
    texts = [example.text.strip().lower() for example in examples(name)]
    assert len(texts) >= 300
    assert "" not in texts
    assert [text for text, count in Counter(texts).items() if count > 1] == []


@both
def test_spans_begin_and_end_where_words_do(name: str) -> None:
    tokenization = files(name).tokenization
    faults = [span_faults(spans, tokenize(text, tokenization), text) for text, spans in labelled(name)]
    assert [fault for fault in faults if fault] == []


@both
def test_spans_hold_no_blanks_or_marks_at_their_ends(name: str) -> None:
    held = [text[span.start : span.end] for text, spans in labelled(name) for span in spans]
    assert [words for words in held if words != words.strip(" ,!?:;，。！？：；（）") or "[" in words] == []


@both
def test_splits_are_about_60_20_20_and_some_train_texts_wait_for_labels(name: str) -> None:
    shares = [len(examples(name, split)) / len(examples(name)) for split in SPLITS]
    assert shares == pytest.approx([0.6, 0.2, 0.2], abs=0.03)
    waiting = Counter(example.split for example in examples(name) if example.spans is None)
    assert set(waiting) == {"train"}
    assert waiting["train"] == pytest.approx(len(examples(name, "train")) / 10, abs=3)


@both
@pytest.mark.parametrize("split", SPLITS)
def test_each_slot_is_in_each_split_and_so_are_texts_without_one(name: str, split: str) -> None:
    slots = {span.slot for _, spans in labelled(name, split) for span in spans}
    assert slots == SLOTS
    assert 0.1 <= sum(not spans for _, spans in labelled(name, split)) / len(labelled(name, split)) <= 0.3


@both
def test_rules_name_the_slots_of_the_texts_and_leave_the_logic_open(name: str) -> None:
    assert set(system(name).slots) == SLOTS
    assert system(name).logic.priorities == ()
    assert not system(name).logic.longest


@both
def test_settings_that_the_logic_file_suggests_can_be_read(name: str) -> None:
    suggested = [
        line.removeprefix("# ")
        for line in files(name).logic_text.splitlines()
        if line.startswith(("# priorities = ", "# longest = "))
    ]
    assert len(suggested) == 2
    read, _ = read_slot_system(files(name).rules_text, "\n".join(suggested), files(name).tokenization)
    assert read.logic.longest
    assert {slot for pair in read.logic.priorities for slot in pair} <= SLOTS


@both
def test_each_rule_begins_some_span_of_the_texts(name: str) -> None:
    useful = set()
    for text, spans in labelled(name):
        tokens = tokenize(text, files(name).tokenization)
        places = {token.start: place for place, token in enumerate(tokens)}
        for found in system(name).readings([[token.text for token in tokens]])[0]:
            if any(f"B-{span.slot}" in found.sets[places[span.start]] for span in spans):
                useful.add(system(name).rule_names[found.rule])
    assert useful == set(system(name).rule_names)


@both
@pytest.mark.parametrize("split", SPLITS)
def test_rules_alone_are_good_and_leave_something_to_learn(name: str, split: str) -> None:
    assert 0.6 <= span_f1(name, split) <= 0.75


@both
def test_the_readme_counts_what_is_there(name: str) -> None:
    readme = (SAMPLES / name / "README.md").read_text("utf-8")
    counts = Counter(span.slot for _, spans in labelled(name) for span in spans)
    rows = [line.strip("| \n").split(" | ") for line in readme.splitlines() if line.startswith("| `")]
    assert {row[0].strip("`"): int(row[-1]) for row in rows} == dict(counts)
    without = sum(not spans for _, spans in labelled(name))
    for number in (*(len(examples(name, split)) for split in SPLITS), len(examples(name)), without):
        assert str(number) in readme


@both
def test_spans_hold_the_words_they_are_meant_for(name: str) -> None:
    """Offsets count characters, not bytes, so a city that is often asked for is read from its spans as it is spelt."""
    city = {"flight_slots": "Lisbon", "flight_slots_zh": "成都"}[name]
    held = [text[span.start : span.end] for text, spans in labelled(name) for span in spans if span.slot == "to_city"]
    assert held.count(city) >= 5
