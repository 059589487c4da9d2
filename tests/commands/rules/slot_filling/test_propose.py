"""re2nn propose for slots: rules that would give missed spans, shown and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import Call

CITIES = ("rome", "oslo", "bonn", "bern", "kyiv", "riga")
RULES = "day := $* [ friday ]<day> $*\n"


def _row(one: str, other: str, split: str) -> str:
    tags = ["O", "O", "B-from", "O", "B-to"]
    return json.dumps({"tokens": ["fly", "from", one, "to", other], "tags": tags, "split": split})


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    rows = [_row(one, other, "train") for one in CITIES for other in CITIES if one != other]
    rows += [_row("rome", "bonn", "dev")]
    data, rules = tmp_path / "texts.jsonl", tmp_path / "rules.txt"
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    rules.write_text(RULES, encoding="utf-8")
    return rules, data


def test_rules_are_proposed_with_the_spans_that_they_fix(re2nn: Call, files: tuple[Path, Path]) -> None:
    rules, data = files
    outcome = re2nn("propose", "--rules", rules, "--data", data)
    assert outcome.code == 0
    assert outcome.out.splitlines()[1].split() == ["from", "from", "+30", "-0", "31", "of", "31", "+1", "-0"]
    assert "\nfrom := $* from [ @from@ ]<from> $*\n    fixes: fly from [rome] to oslo\n" in outcome.out
    found = re2nn("propose", "--rules", rules, "--data", data, "--slot", "to", "--json").data["proposals"]
    assert [(one["slot"], one["expression"], one["unseen"]) for one in found] == [
        ("to", "$* to [ @to@ ]<to> $*", {"fixed": 30, "broken": 0})
    ]
    assert found[0]["splits"] == {"train": {"fixed": 30, "broken": 0}, "dev": {"fixed": 1, "broken": 0}}
    assert found[0]["fixed"][0] == {"text": "fly from rome to oslo", "span": [17, 21, "to"]}


def test_the_rules_are_written_with_the_proposals(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, data = files
    output = tmp_path / "more.txt"
    outcome = re2nn("propose", "--rules", rules, "--data", data, "-o", output)
    assert f"Written: {output} with 2 proposed rules." in outcome.out
    evaluated = re2nn("evaluate", "--rules", output, "--data", data, "--json").data
    assert evaluated["rules"]["f1"] == 1
    assert output.read_text(encoding="utf-8").startswith(RULES)


def test_conditions_exclude_incorrect_spans(re2nn: Call, files: tuple[Path, Path]) -> None:
    _, data = files
    songs = [{"tokens": ["play", "me", "to", city], "tags": ["O"] * 4, "split": "train"} for city in CITIES]
    data.write_text(data.read_text(encoding="utf-8") + "\n".join(map(json.dumps, songs)) + "\n", encoding="utf-8")
    broad = data.parent / "broad.txt"
    broad.write_text("dest := $* to [ $ ]<to>\n", encoding="utf-8")
    outcome = re2nn("propose", "--rules", broad, "--data", data)
    assert (
        "\ndest: but not ( $* play $* )\n    unseen spans +6 -0; dev +0 -0; all annotated texts +6 -0\n" in outcome.out
    )
    [one] = re2nn("propose", "--rules", broad, "--data", data, "--json").data["exclusions"]
    assert (one["slots"], one["unseen"]) == (["to"], {"fixed": 6, "broken": 0})
    output = broad.parent / "more.txt"
    written = re2nn("propose", "--rules", broad, "--data", data, "-o", output)
    assert f"Written: {output} with 1 proposed rule and 1 condition." in written.out
    assert "dest := $* to [ $ ]<to> but not ( $* play $* )" in output.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [None, "", "// rules of trips, to be written\n"])
def test_without_any_rule_rules_are_proposed(
    re2nn: Call, files: tuple[Path, Path], tmp_path: Path, text: str | None
) -> None:
    rules, data = files
    given = () if text is None else ("--rules", rules)
    rules.write_text(text or "", encoding="utf-8")
    output = tmp_path / "first.txt"
    outcome = re2nn("propose", *given, "--data", data, "-o", output)
    assert f"Written: {output} with 2 proposed rules." in outcome.out
    assert output.read_text(encoding="utf-8").startswith(text or "@from@=( ")
    assert re2nn("evaluate", "--rules", output, "--data", data, "--json").data["rules"]["f1"] == 1


def test_the_logic_of_rules_to_be_written_is_kept(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, data = files
    rules.write_text("// to be written\n", encoding="utf-8")
    logic, output = tmp_path / "logic.toml", tmp_path / "more.txt"
    logic.write_text("longest = true  # whole names\n", encoding="utf-8")
    re2nn("propose", "--rules", rules, "--logic", logic, "--data", data, "-o", output)
    assert (tmp_path / "more.logic.toml").read_text(encoding="utf-8") == "longest = true  # whole names\n"


def test_texts_with_labels_are_refused_with_what_to_give(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, _ = files
    data = tmp_path / "labels.tsv"
    data.write_text("text\tlabel\nfly to rome\ttrip\nfly to oslo\ttrip\n", encoding="utf-8")
    refused = re2nn("propose", "--rules", rules, "--data", data)
    assert refused.code == 2
    assert (
        "The task is slots. Give texts with spans, or rules that capture no word for texts with labels." in refused.err
    )
    assert "--task" not in refused.err, "propose has no such option"


def test_nothing_to_propose_is_no_error(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, _ = files
    data = tmp_path / "few.jsonl"
    data.write_text(_row("rome", "oslo", "train") + "\n", encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--data", data)
    assert (outcome.code, outcome.out[:22]) == (0, "No rule is proposed: n")


def test_what_cannot_be_is_refused(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, data = files
    refused = re2nn("propose", "--rules", rules, "--data", data, "--slot", "city")
    assert (refused.code, "The slots are: day, from, to." in refused.err) == (2, True)
    refused = re2nn("propose", "--rules", rules, "--data", data, "--slot", "day")
    assert (refused.code, "no span of the slot 'day' to propose a rule from" in refused.err) == (2, True)
    refused = re2nn("propose", "--rules", rules, "--data", data, "--label", "from")
    assert (refused.code, "--label: this option has no effect" in refused.err) == (2, True)
    refused = re2nn("propose", "--rules", rules, "--data", data, "-o", rules)
    assert refused.code == 2
    plain = tmp_path / "plain.jsonl"
    plain.write_text('{"text": "fly to rome"}\n', encoding="utf-8")
    refused = re2nn("propose", "--rules", rules, "--data", plain)
    assert (refused.code, "annotated" in refused.err) == (2, True)
    assert rules.read_text(encoding="utf-8") == RULES


def test_spans_guessed_in_texts_without_annotation_are_counted_apart(re2nn: Call, files: tuple[Path, Path]) -> None:
    rules, data = files
    texts = [f"fly from {one} to {other}" for one in (*CITIES, "porto") for other in CITIES if one != other]
    rows = [json.dumps({"text": text, "split": "train"}) for text in texts]
    annotated = [json.loads(row) for row in data.read_text(encoding="utf-8").splitlines()]
    spans = [
        {
            "text": " ".join(row["tokens"]),
            "spans": [
                {"start": 9, "end": 9 + len(row["tokens"][2]), "label": "from"},
                {"start": 13 + len(row["tokens"][2]), "end": len(" ".join(row["tokens"])), "label": "to"},
            ],
            "split": row["split"],
        }
        for row in annotated
    ]
    data.write_text("\n".join([*map(json.dumps, spans), *rows]) + "\n", encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--data", data)
    assert outcome.out.splitlines()[0].split("  ")[:4] == ["slot", "rule", "unseen spans", "guessed spans"]
    assert (
        "\nGuessed spans: spans of texts without annotation, which are guessed from the annotated ones.\n"
        in outcome.out
    )
    found = re2nn("propose", "--rules", rules, "--data", data, "--json").data["proposals"]
    assert all(one["guessed"]["fixed"] > 0 for one in found)


def test_long_word_classes_are_shown_by_their_first_words_and_once(re2nn: Call, tmp_path: Path) -> None:
    """A rule for unknown words filled the terminal with eight hundred others."""
    towns = [f"{first}{last}" for first in ("lon", "ber", "par", "mil") for last in ("don", "lin", "is", "an", "na")]
    rows = [_row(one, other, "train") for one in towns for other in towns[:3] if one != other]
    data = tmp_path / "texts.jsonl"
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    output = tmp_path / "rules.txt"
    outcome = re2nn("propose", "--data", data, "-o", output)
    classes = [line for line in outcome.out.splitlines() if line.startswith("@")]
    assert classes
    assert len(classes) == len(set(classes))
    assert all(line.endswith(" and 8 more") for line in classes), classes
    written = output.read_text(encoding="utf-8")
    assert all(town in written for town in towns), "what is written has all of them"
