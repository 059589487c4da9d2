"""re2nn evaluate for slots: F1 of spans, kinds of errors, agreement, and slots that only one side knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Call
from support.rules.tagged_rules import ATIS, BENCHMARKS
from support.tagging_command_line import GIVEN, RIGHT, SPANS, jsonl, marked_lines

from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem


@pytest.fixture
def slot_texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    path.write_text(marked_lines(), encoding="utf-8")
    return path


def test_the_untrained_network_equals_the_rules(re2nn: Call, slot_rules: Path, slot_texts: Path) -> None:
    outcome = re2nn("evaluate", "--rules", slot_rules, "--data", slot_texts, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    data = outcome.data
    assert (data["sentences"], data["labelled"], data["agree"]) == (6, 6, 6)
    assert data["tokens"] == data["agree_tokens"] == 27
    expected = {"precision": RIGHT / GIVEN, "recall": RIGHT / SPANS, "f1": 2 * RIGHT / (SPANS + GIVEN)}
    assert data["rules"] == pytest.approx(expected)
    assert data["network"] == pytest.approx(expected)
    assert data["slots"]["day"]["support"] == 3
    assert data["slots"]["day"]["rules"]["f1"] == pytest.approx(2 / 3)
    errors = data["errors"]["network"]
    assert {kind: found["count"] for kind, found in errors.items()} == {
        "boundary": 1,
        "type": 0,
        "both": 0,
        "missed": 1,
        "invented": 0,
    }
    example = {"text": "leaving london on friday night", "gold": [18, 30, "day"], "prediction": [18, 24, "day"]}
    assert errors["boundary"]["examples"] == [example]
    assert (data["unknown_slots"], data["slots_without_data"]) == ([], [])


def test_text_is_two_tables_and_a_sentence(re2nn: Call, slot_rules: Path, slot_texts: Path) -> None:
    lines = re2nn("evaluate", "--rules", slot_rules, "--data", slot_texts).out.splitlines()
    assert lines[0] == "F1 of each slot  spans    rules  network"
    assert lines[4] == "all slots           10   84.21%   84.21%"
    assert lines[5] == "precision           10   88.89%   88.89%"
    assert lines[6] == "recall              10   80.00%   80.00%"
    assert lines[8].startswith("error                         rules  network  for example")
    assert lines[9].endswith("gave friday <day>; there is friday night <day>")
    assert lines[-1] == "Rules and network give the same tags on all 6 sentences (27 words)."


def test_conll_gives_the_same_figures(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.conll"
    path.write_text("to O\nnew B-to_city\nyork I-to_city\n\nfly O\n", encoding="utf-8")
    data = re2nn("evaluate", "--rules", slot_rules, "--data", path, "--json").data
    assert (data["sentences"], data["tokens"], data["rules"]["f1"]) == (2, 4, 1.0)


def test_disagreement_is_a_no(re2nn: Call, slot_rules: Path, slot_texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = SlotSystem.tags_of_words

    def tags(system: SlotSystem, sentences: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [("B-day", *honest(system, sentences)[0][1:]), *honest(system, sentences)[1:]]

    monkeypatch.setattr(SlotSystem, "tags_of_words", tags)
    outcome = re2nn("evaluate", "--rules", slot_rules, "--data", slot_texts)
    assert outcome.code == 1
    assert "give the same tags on 5 of 6 sentences, and the same tag to 26 of 27 words, though the" in outcome.out
    assert "the first that differs: 'fly to oslo'. Please report this." in outcome.out


def test_slots_that_only_one_side_knows_are_told(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(
        jsonl(
            [{"tokens": ["to", "oslo", "now"], "tags": ["O", "B-To_City", "B-time"]}, {"tokens": ["x"], "tags": ["O"]}]
        )
    )
    outcome = re2nn("evaluate", "--rules", slot_rules, "--data", path, "--json")
    assert (
        f"{path}: 'To_City' (1 text, did you mean 'to_city'?), 'time' (1 text) are slots that nobody gives: "
        "counted as missed." in outcome.err
    )
    assert "with small or capital letters instead: write --ignore-slot-case." in outcome.err
    assert f"{path}: 'to_city', 'from_city', 'day' of the rules stand on no text." in outcome.err
    assert outcome.data["slots_without_data"] == ["to_city", "from_city", "day"]
    assert outcome.data["unknown_slots"][0] == {"slot": "To_City", "texts": 1, "nearest": "to_city"}
    assert outcome.data["rules"]["f1"] == 0
    again = re2nn("evaluate", "--rules", slot_rules, "--data", path, "--ignore-slot-case", "--json")
    assert again.data["slots"]["To_City"]["rules"]["f1"] == 1.0
    assert "--ignore-slot-case" not in again.err


def test_one_split(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(marked_lines(splits=("train", "test")), encoding="utf-8")
    given = ("evaluate", "--rules", slot_rules, "--data", path, "--split")
    assert re2nn(*given, "test", "--json").data["sentences"] == 3
    assert f"{path} has no text of the split 'dev'." in re2nn(*given, "dev").err


def test_options_of_tables_say_nothing_here(re2nn: Call, slot_rules: Path, slot_texts: Path) -> None:
    given = ("evaluate", "--rules", slot_rules, "--data", slot_texts)
    assert re2nn(*given, "--text-column", "text").code == 0
    outcome = re2nn(*given, "--text-column", "other")
    assert outcome.code == 2
    assert "has no 'other'; a text is expected there" in outcome.err
    outcome = re2nn(*given, "--label-column", "label", "--header")
    assert outcome.code == 2
    assert "--header or --no-header: this is for texts with labels." in outcome.err
    outcome = re2nn(*given, "--format", "conll")
    assert f"{slot_texts} is jsonl, not conll. Leave --format out." in outcome.err


def test_published_rules_on_their_test_texts(re2nn: Call) -> None:
    rules, data = BENCHMARKS / "rules" / ATIS, BENCHMARKS / "atis" / "test.jsonl"
    if not data.is_file():
        pytest.skip(f"the published data are not here: {data}")
    outcome = re2nn("evaluate", "--rules", rules, "--data", data, "--json")
    assert outcome.code == 0
    found = outcome.data
    assert (found["sentences"], found["tokens"], found["agree"]) == (893, 9198, 893)
    assert found["rules"]["precision"] == pytest.approx(0.898, abs=0.001)
    assert found["rules"]["recall"] == pytest.approx(0.618, abs=0.001)
    assert found["rules"]["f1"] == pytest.approx(0.732, abs=0.001)
    assert found["network"] == found["rules"]
