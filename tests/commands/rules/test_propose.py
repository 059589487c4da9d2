"""re2nn propose: rules that would fix texts, shown and written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Call

RULES = "[fare]\nprice := $* price $*\n\n[seat]\nseat := $* seat $*\n"
CITIES = ("rome", "oslo", "bonn", "bern", "kyiv", "riga", "porto", "paris")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    rows = ["text\tlabel\tsplit", *(f"how much is {city}\tfare\ttrain" for city in CITIES)]
    rows += [*(f"a window to {city}\tseat\ttrain" for city in CITIES), "how much\tfare\ttest", "seat\tseat\ttest"]
    data, rules = tmp_path / "texts.tsv", tmp_path / "rules.txt"
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    rules.write_text(RULES, encoding="utf-8")
    return rules, data


def test_rules_are_proposed_with_what_they_fix(re2nn: Call, files: tuple[Path, Path]) -> None:
    rules, data = files
    outcome = re2nn("propose", "--rules", rules, "--data", data)
    assert outcome.code == 0
    assert "\n[fare]\nmuch := $* much $*\n    fixes: how much is rome\n" in outcome.out
    assert outcome.out.splitlines()[1].split() == ["fare", "much", "+8", "-0", "9", "of", "9", "+1", "-0"]
    assert "Add -o FILE to write the rules with all that is proposed." in outcome.out
    found = re2nn("propose", "--rules", rules, "--data", data, "--label", "seat", "--json").data["proposals"]
    assert [(one["rule"], one["expression"], one["unseen"]) for one in found] == [
        ("window", "$* window $*", {"fixed": 8, "broken": 0})
    ]
    assert found[0]["splits"] == {"train": {"fixed": 8, "broken": 0}, "test": {"fixed": 0, "broken": 0}}


def test_the_rules_are_written_with_the_proposals(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, data = files
    logic, output = tmp_path / "logic.toml", tmp_path / "more.txt"
    logic.write_text('logic = ["price -> fare"]\n', encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--logic", logic, "--data", data, "-o", output)
    assert f"Written: {output} with 2 proposed rules." in outcome.out
    evaluated = re2nn("evaluate", "--rules", output, "--logic", tmp_path / "more.logic.toml", "--data", data, "--json")
    assert evaluated.data["rules"]["accuracy"] == 1
    assert "much := $* much $*" in output.read_text(encoding="utf-8")


def test_conditions_exclude_incorrect_predictions(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    _, data = files
    broad = tmp_path / "broad.txt"
    broad.write_text("[fare]\nany := $* ( much | to ) $*\n\n[seat]\nseat := $* seat $*\n", encoding="utf-8")
    outcome = re2nn("propose", "--rules", broad, "--data", data)
    assert (
        "\nany [fare]: but not ( $* window $* )\n    unseen texts +0 -0; test +0 -0; all labelled texts +0 -0; "
        "no prediction in place of 8 incorrect ones\n    excludes: a window to rome\n" in outcome.out
    )
    [one] = re2nn("propose", "--rules", broad, "--data", data, "--json").data["exclusions"]
    assert (one["condition"], one["unseen"]) == ("but not ( $* window $* )", {"fixed": 0, "broken": 0, "removed": 8})


def test_texts_without_labels_are_proposed_for_in_groups(re2nn: Call, tmp_path: Path) -> None:
    data, rules, output = tmp_path / "plain.txt", tmp_path / "rules.txt", tmp_path / "more.txt"
    rows = [
        *(f"lost luggage at {city} airport" for city in CITIES),
        *(f"refund my ticket {n}th time" for n in range(8)),
    ]
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    rules.write_text("[other]\nnone := $* yourword $*\n", encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--data", data, "-o", output)
    assert "    matches 8 texts, 8 of one group\n    matches: lost luggage at rome airport\n" in outcome.out
    assert output.read_text(encoding="utf-8").count("\n[") == 2
    refused = re2nn("propose", "--rules", rules, "--data", data, "--label", "other")
    assert "There is no labelled text of 'other' to propose a rule from." in refused.err


def test_nothing_to_propose_is_no_error(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, _ = files
    data = tmp_path / "few.tsv"
    data.write_text("text\tlabel\nprice of it\tfare\nseat five\tseat\nnice price\tfare\n", encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--data", data, "-o", tmp_path / "none.txt")
    assert (outcome.code, outcome.out.splitlines()[0][:22]) == (0, "No rule is proposed: n")
    assert f"Nothing was written to {tmp_path / 'none.txt'}: nothing is proposed." in outcome.out
    assert not (tmp_path / "none.txt").exists()


def test_what_cannot_be_is_refused(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, data = files
    refused = re2nn("propose", "--rules", rules, "--data", data, "--slot", "city")
    assert (refused.code, "--slot: this option has no effect" in refused.err) == (2, True)
    refused = re2nn("propose", "--rules", rules, "--data", data, "--label", "drink")
    assert (refused.code, "The labels are: fare, seat." in refused.err) == (2, True)
    refused = re2nn("propose", "--rules", rules, "--data", data, "--logic-output", tmp_path / "x.toml")
    assert (refused.code, "--logic-output needs -o" in refused.err) == (2, True)
    refused = re2nn("propose", "--rules", rules, "--data", data, "-o", rules)
    assert refused.code == 2
    assert rules.read_text(encoding="utf-8") == RULES


def test_what_could_be_added_to_the_label_logic_is_shown(re2nn: Call, files: tuple[Path, Path]) -> None:
    rules, data = files
    more = "".join(f"the seat price to {city}\tseat\ttrain\n" for city in CITIES)
    data.write_text(data.read_text(encoding="utf-8") + more, encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--data", data)
    assert (
        "\nProposed for the label logic:\n"
        'default = "fare"    # fixes 8 of 16 labelled texts that no rule matches, incorrect for the other 8\n'
        'priorities = [\n    "seat > fare",    # +8 -0\n]\n'
    ) in outcome.out
    output = rules.parent / "more.txt"
    written = re2nn("propose", "--rules", rules, "--data", data, "-o", output)
    assert "with 2 proposed rules.\n" in written.out
    assert "more.logic.toml with 1 priority.\n" in written.out
    assert "\nNot written, as with the others nothing is gained by it: the default label 'fare'" in written.out
    assert (rules.parent / "more.logic.toml").read_text(encoding="utf-8") == 'priorities = [\n    "seat > fare",\n]\n'


def test_where_only_label_logic_is_proposed_it_is_written_and_the_next_step_is_named(
    re2nn: Call, files: tuple[Path, Path], tmp_path: Path
) -> None:
    """A rule of all texts hid what other rules would fix, and -o wrote nothing."""
    rules, data = files
    rules.write_text("[fare]\nall := $ $*\n\n[seat]\nseat := $* window $*\n", encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--data", data, "-o", tmp_path / "more.txt")
    assert outcome.out.startswith("No rule is proposed with this label logic: ")
    assert f"Written: {tmp_path / 'more.txt'} with the rules as they were.\n" in outcome.out
    assert f"Written: {tmp_path / 'more.logic.toml'} with 1 priority.\n" in outcome.out
    assert f"\nNext:\n    re2nn propose --rules {tmp_path / 'more.txt'} --logic " in outcome.out
    assert '"seat > fare"' in (tmp_path / "more.logic.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [None, "", "// rules of fares, to be written\n\n"])
def test_without_any_rule_rules_are_proposed(
    re2nn: Call, files: tuple[Path, Path], tmp_path: Path, text: str | None
) -> None:
    rules, data = files
    given = () if text is None else ("--rules", rules)
    rules.write_text(text or "", encoding="utf-8")
    output = tmp_path / "first.txt"
    outcome = re2nn("propose", *given, "--data", data, "-o", output)
    assert f"Written: {output} with 2 proposed rules." in outcome.out
    written = output.read_text(encoding="utf-8")
    assert written.startswith(text or "[")
    assert "[fare]\nmuch := $* much $*\n" in written
    refused = re2nn("propose", "--logic", tmp_path / "logic.toml", "--data", data)
    assert (refused.code, "--logic belongs to rules" in refused.err) == (2, True)


def test_label_logic_of_rules_to_be_written_is_read(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    rules, data = files
    rules.write_text("// to be written\n", encoding="utf-8")
    logic, output = tmp_path / "logic.json", tmp_path / "more.txt"
    logic.write_text('{"default": "seat"}', encoding="utf-8")
    outcome = re2nn("propose", "--rules", rules, "--logic", logic, "--data", data, "-o", output)
    assert f"Written: {output} with 1 proposed rule." in outcome.out
    assert (tmp_path / "more.logic.toml").read_text(encoding="utf-8") == 'default = "seat"\n'
    refused = re2nn("propose", "--rules", rules, "--data", data, "--logic", tmp_path / "none.toml")
    assert (refused.code, "none.toml" in refused.err) == (2, True)


def test_texts_with_slots_are_refused_without_an_option_that_is_not_there(
    re2nn: Call, files: tuple[Path, Path], tmp_path: Path
) -> None:
    rules, _ = files
    data = tmp_path / "slots.jsonl"
    data.write_text('{"tokens": ["to", "oslo"], "tags": ["O", "B-city"]}\n', encoding="utf-8")
    refused = re2nn("propose", "--rules", rules, "--data", data)
    assert (refused.code, "The file contains slots, but the task is labels" in refused.err) == (2, True)
    assert "--task" not in refused.err


LOGIC = """\
# Fares first: they are what people ask for.
priorities = ["fare > seat"]    # agreed in May
"""


def test_label_logic_stays_as_its_author_wrote_it(re2nn: Call, files: tuple[Path, Path], tmp_path: Path) -> None:
    """Formulas of all labels were written, so that a rule added by hand afterwards had no effect."""
    rules, data = files
    logic, output = tmp_path / "logic.toml", tmp_path / "more.txt"
    logic.write_text(LOGIC, encoding="utf-8")
    re2nn("propose", "--rules", rules, "--logic", logic, "--data", data, "-o", output)
    more = tmp_path / "more.logic.toml"
    assert more.read_text(encoding="utf-8") == LOGIC
    text = output.read_text(encoding="utf-8").replace("[fare]\n", "[fare]\nsoup := $* soup $*\n")
    output.write_text(text, encoding="utf-8")
    data.write_text("text\tlabel\nsoup of the day\tfare\n", encoding="utf-8")
    evaluated = re2nn("evaluate", "--rules", output, "--logic", more, "--data", data, "--json").data
    assert evaluated["rules"]["accuracy"] == 1


def test_a_label_that_is_new_to_the_rules_joins_the_list_of_labels(
    re2nn: Call, files: tuple[Path, Path], tmp_path: Path
) -> None:
    _, data = files
    rules, logic, output = tmp_path / "one.txt", tmp_path / "logic.toml", tmp_path / "more.txt"
    rules.write_text("[fare]\nprice := $* price $*\n", encoding="utf-8")
    logic.write_text('labels = ["fare"]  # in this order\n', encoding="utf-8")
    re2nn("propose", "--rules", rules, "--logic", logic, "--data", data, "-o", output)
    more = tmp_path / "more.logic.toml"
    assert more.read_text(encoding="utf-8") == 'labels = ["fare", "seat"]  # in this order\n'
    assert re2nn("evaluate", "--rules", output, "--logic", more, "--data", data).code == 0


def test_a_label_where_nothing_has_one_says_what_to_do(re2nn: Call, tmp_path: Path) -> None:
    """The labels were listed as none: "The labels are: ."."""
    data = tmp_path / "texts.txt"
    data.write_text("".join(f"how much is {city}\n" for city in CITIES), encoding="utf-8")
    outcome = re2nn("propose", "--data", data, "--label", "fare")
    assert outcome.code == 2
    assert "No rule and no text has the label 'fare'.\nNone has any label yet. Label a few texts first" in outcome.err


def test_texts_that_are_fixed_are_shown_once(re2nn: Call, files: tuple[Path, Path]) -> None:
    rules, data = files
    data.write_text(data.read_text(encoding="utf-8") + "how much is rome\tfare\ttrain\n" * 3, encoding="utf-8")
    shown = [line for line in re2nn("propose", "--rules", rules, "--data", data).out.splitlines() if "fixes: " in line]
    assert shown
    assert len(shown) == len(set(shown))


def test_rules_of_the_default_label_that_change_nothing_are_not_written(re2nn: Call, tmp_path: Path) -> None:
    """Eight texts of the default label have a phrase that holds, eight others have none."""
    rows = [f"see you in {city}\tham" for city in CITIES]
    rows += [f"{one}\tham" for one in ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen")]
    rows += [f"win money {city}\tspam" for city in CITIES]
    data, output = tmp_path / "texts.tsv", tmp_path / "first.txt"
    data.write_text("text\tlabel\n" + "\n".join(rows) + "\n", encoding="utf-8")
    outcome = re2nn("propose", "--data", data, "-o", output)
    assert "with 1 proposed rule." in outcome.out
    assert "the default label 'ham'" in outcome.out
    assert "nothing is gained by it: the rule see" in outcome.out
    assert "[ham]" not in output.read_text(encoding="utf-8")
    evaluated = re2nn("evaluate", "--rules", output, "--logic", tmp_path / "first.logic.toml", "--data", data, "--json")
    assert evaluated.data["rules"]["accuracy"] == 1
