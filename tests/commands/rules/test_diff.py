"""re2nn diff: verdicts, pictures, dead and subsumed rules, overlaps, moved texts, and what cannot be compared."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.command_line import RULES, Call
from support.rules.difference_cases import DifferenceCase, difference_cases
from support.tagging_command_line import SLOT_RULES

from re2nn_core.commands.rules.diff_text import STATE_NUMBERS
from re2nn_core.network.classification.bundle import build_bundle, save_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.plots.automaton import quote
from re2nn_core.rules.read import read_rules
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

AFTER = RULES.replace("( flight | fly )", "( flight | fly | plane )").replace("fare | cost", "fare | price")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.txt"
    path.write_text(AFTER + "[meal]\nlunch := $* lunch $*\n", encoding="utf-8")
    return path


def test_equal_files_are_equivalent(re2nn: Call, rules: Path) -> None:
    outcome = re2nn("diff", rules, rules)
    assert outcome.code == 0
    assert "Equivalent: the same sentences for 2 labels and 3 rules." in outcome.out
    assert re2nn("diff", rules, rules, "--json").data["equivalent"] is True


@pytest.mark.parametrize("case", difference_cases(), ids=lambda case: case.name)
def test_the_table_of_differences(re2nn: Call, tmp_path: Path, case: DifferenceCase) -> None:
    files = [tmp_path / name for name in ("before.txt", "after.txt")]
    for path, rule in zip(files, (case.before, case.after), strict=True):
        path.write_text(case.file(rule), encoding="utf-8")
    data = re2nn("diff", *files, "--json").data["rules"]["rule"]
    assert data["verdict"] == case.verdict
    counts = data.get("machine", {"states": {}, "arcs": {}})
    changed = sum(n for part in ("states", "arcs") for mark, n in counts[part].items() if mark != "kept")
    assert changed == case.changes
    if not case.changes:
        outcome = re2nn("diff", *files, "--rule", "rule", "--svg", tmp_path / "out.svg")
        assert outcome.code == 0
        assert "Equivalent:" in outcome.out
        svg = (tmp_path / "out.svg").read_text(encoding="utf-8")
        assert not re.search(r"<title>(state \d+, )?(added|removed|changed)", svg)


def test_every_label_and_rule_has_a_verdict_with_witnesses(re2nn: Call, rules: Path, other: Path) -> None:
    outcome = re2nn("diff", rules, other)
    assert outcome.code == 1
    assert "3 labels of 3 differ, 0 the same." in outcome.out
    assert "3 rules of 4 differ, 1 the same." in outcome.out
    data = re2nn("diff", rules, other, "--json").data
    assert data["labels"]["flight"]["verdict"] == "contained"
    assert data["rules"]["to_city"]["only_b"]["words"] == ["plane", "to"]
    assert data["rules"]["price"]["only_a"]["words"] == ["cost"]
    assert data["rules"]["lunch"]["in_a"] is False
    assert data["rules"]["to_city"]["machine"]["states"] == {"kept": 3, "added": 0, "removed": 0, "changed": 0}
    [changed] = data["rules"]["to_city"]["machine"]["changes"]
    assert (changed["mark"], changed["added"], changed["removed"]) == ("±", ["plane"], [])


def test_one_rule_with_its_arcs(re2nn: Call, rules: Path, other: Path) -> None:
    out = re2nn("diff", rules, other, "--rule", "price").out
    assert "words added" in out
    changed, legend = out.splitlines()[-2:]
    assert changed.split() == ["±", "changed", "0", "1", "price", "cost"]
    assert legend == STATE_NUMBERS
    assert "states: kept  added  removed  changed  transitions: kept  added  removed  changed" in out
    data = re2nn("diff", rules, other, "--rule", "price", "--rule-b", "lunch", "--json").data
    assert list(data["rules"]) == ["price / lunch"]


def test_pictures(re2nn: Call, rules: Path, other: Path, tmp_path: Path) -> None:
    svg, png, dot = (tmp_path / f"out.{kind}" for kind in ("svg", "png", "dot"))
    outcome = re2nn("diff", rules, other, "--rule", "price", "--svg", svg, "--png", png, "--dot", dot, "--json")
    assert outcome.data["drawn"] == {"svg": str(svg), "png": str(png), "dot": str(dot)}
    assert ">± fare  + price<" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "digraph difference" in dot.read_text(encoding="utf-8")
    assert f"Drawn to {svg}." in outcome.err


def test_of_many_words_a_picture_names_those_that_the_texts_have_most_often(re2nn: Call, tmp_path: Path) -> None:
    before, after, texts, svg = (tmp_path / name for name in ("a.txt", "b.txt", "texts.csv", "out.svg"))
    words = [f"w{number:02}" for number in range(40)]
    before.write_text("[x]\nr := $* go $*\n", encoding="utf-8")
    after.write_text(f"[x]\nr := $* ( go | {' | '.join(words)} ) $*\n", encoding="utf-8")
    texts.write_text("text,label\n" + "a w39 comes,x\n" * 3, encoding="utf-8")
    re2nn("diff", before, after, "--svg", svg)
    assert "w39" not in svg.read_text(encoding="utf-8")
    re2nn("diff", before, after, "--svg", svg, "--data", texts)
    assert "w39" in svg.read_text(encoding="utf-8")


def test_a_picture_of_the_first_rule_that_differs_or_of_a_label(
    re2nn: Call, rules: Path, other: Path, tmp_path: Path
) -> None:
    svg = tmp_path / "out.svg"
    assert "Drawn: rule 'to_city', the first that differs" in re2nn("diff", rules, other, "--svg", svg).err
    re2nn("diff", rules, other, "--label", "meal", "--svg", svg)
    assert "+ lunch" in svg.read_text(encoding="utf-8")
    svg.unlink()
    assert "No drawing: no rule differs." in re2nn("diff", rules, rules, "--svg", svg).err
    assert not svg.exists()


def test_texts_that_change_their_prediction(re2nn: Call, rules: Path, other: Path, texts: Path) -> None:
    outcome = re2nn("diff", rules, other, "--data", texts)
    assert "1 text of 6 changes its prediction, the most frequent first:" in outcome.out
    moved = re2nn("diff", rules, other, "--data", texts, "--json").data["moved"]
    assert moved["list"] == [{"text": "what does it cost", "count": 1, "a": "fare", "b": "(none)"}]
    assert (moved["texts"], moved["moved"]) == (6, 1)


def test_examples_are_texts_of_the_data(re2nn: Call, tmp_path: Path) -> None:
    before, after, data = (tmp_path / name for name in ("before.txt", "after.txt", "texts.txt"))
    before.write_text("[label]\nrule := $* ( late | delayed ) $*\n", encoding="utf-8")
    after.write_text("[label]\nrule := $* late $*\n", encoding="utf-8")
    data.write_text("my plane is delayed\nmy plane is late\n", encoding="utf-8")
    outcome = re2nn("diff", before, after, "--data", data)
    assert "A sentence that only one side accepts:" in outcome.out
    assert "from your texts: my plane is delayed" in outcome.out
    found = re2nn("diff", before, after, "--data", data, "--json").data["rules"]["rule"]["only_a"]
    assert (found["says"], found["source"], found["shortest"]) == ("my plane is delayed", "texts", ["delayed"])
    assert re2nn("diff", before, after, "--json").data["rules"]["rule"]["only_a"]["source"] == "shortest"


def test_logic_decides_predictions(re2nn: Call, rules: Path, other: Path, texts: Path, logic: Path) -> None:
    moved = re2nn("diff", rules, other, "--data", texts, "--logic-a", logic, "--json").data["moved"]
    assert moved["list"] == [{"text": "what does it cost", "count": 1, "a": "fare", "b": "flight"}]


def test_rules_that_do_nothing_and_overlaps(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    dead_or_subsumed = tmp_path / "idle.txt"
    dead_or_subsumed.write_text(f"{RULES}cheap := $* how much is $*\nnever := a BOS\n", encoding="utf-8")
    outcome = re2nn("diff", rules, dead_or_subsumed)
    assert outcome.code == 1
    assert "All 2 labels accept the same sentences." in outcome.out
    assert "cheap (fare) is subsumed by price" in outcome.out
    assert "never (fare) accepts no sentence" in outcome.out
    data = re2nn("diff", rules, dead_or_subsumed, "--json").data
    assert [found["rule"] for found in data["idle"]["b"]] == ["cheap", "never"]
    assert data["overlaps"]["a"][0]["between"] == ["flight", "fare"]


def test_rules_for_slots(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.txt"
    after.write_text(SLOT_RULES.replace("oslo | boston", "oslo | rome | boston"), encoding="utf-8")
    svg = tmp_path / "out.svg"
    outcome = re2nn("diff", slot_rules, after, "--svg", svg)
    assert outcome.code == 1
    assert outcome.out.count("(does not match)  to [rome]<to_city>") == 2
    assert "/ B-to_city" in svg.read_text(encoding="utf-8")
    data = re2nn("diff", slot_rules, after, "--slot", "day", "--json").data
    assert data["slots"]["to_city"]["only_b"] == {
        "words": ["to", "rome"],
        "tags": ["", "B-to_city"],
        "says": "to [rome]<to_city>",
        "other_side_says": "(does not match)",
        "source": "shortest",
    }
    assert data["slots"]["day"]["verdict"] == "equivalent"


def test_texts_whose_spans_change(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    after, data = tmp_path / "after.txt", tmp_path / "texts.txt"
    after.write_text(SLOT_RULES.replace("oslo | boston", "oslo | rome | boston"), encoding="utf-8")
    data.write_text("to rome\nto oslo\nto rome\n", encoding="utf-8")
    moved = re2nn("diff", slot_rules, after, "--data", data, "--json").data["moved"]
    assert moved["list"] == [{"text": "to rome", "count": 2, "a": "(none)", "b": "to_city: rome"}]


def test_a_rule_that_no_file_has(re2nn: Call, rules: Path, other: Path) -> None:
    outcome = re2nn("diff", rules, other, "--rule", "prize")
    assert outcome.code == 2
    assert outcome.err == (
        f"Error: Neither {rules} nor {other} has a rule 'prize'. There are: to_city, any_flight, price, lunch.\n"
    )
    assert "has no rule 'lunch'" in re2nn("diff", rules, other, "--rule", "lunch", "--rule-b", "price").err
    assert "a label 'meat'" in re2nn("diff", rules, other, "--label", "meat").err


def test_a_rule_that_one_file_has(re2nn: Call, rules: Path, other: Path) -> None:
    assert "only in B" in re2nn("diff", rules, other, "--rule", "lunch").out


def test_files_of_two_kinds(re2nn: Call, rules: Path, slot_rules: Path) -> None:
    outcome = re2nn("diff", rules, slot_rules)
    assert outcome.code == 2
    assert f"{rules} has rules for labels of whole texts, and {slot_rules} has rules for slots" in outcome.err
    assert "Give two rule files of one kind" in outcome.err


def test_a_machine_past_the_budget_leaves_the_rest(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text(AFTER.replace("price := $*", "price := ( a | b )* a ( a | b ){14} | $*"), encoding="utf-8")
    svg = tmp_path / "out.svg"
    outcome = re2nn("diff", rules, large, "--rule", "price", "--svg", svg)
    assert outcome.code == 1
    by_positions = "Drawn by positions, with a state for each word of the rule: as an automaton B would need more than"
    assert by_positions in outcome.err
    assert f"price: {by_positions}" in outcome.out
    large.write_text(AFTER.replace("price := $*", "price := ( a | b )* a ( a | b ){300} | $*"), encoding="utf-8")
    svg.unlink()
    outcome = re2nn("diff", rules, large, "--rule", "price", "--svg", svg)
    assert "No drawing of 'price'. The automaton of B is too large to draw" in outcome.err
    assert "needs more than 3,000 states" in outcome.out
    assert "different" in outcome.out
    assert not svg.exists()


def test_options_that_contradict_each_other(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    assert "--rule and --label were both given" in re2nn("diff", rules, rules, "--rule", "x", "--label", "y").err
    assert "--model changes how lines are drawn: write --svg" in re2nn("diff", rules, rules, "--model", tmp_path).err
    assert "there is no folder" in re2nn("diff", rules, rules, "--svg", tmp_path / "no" / "out.svg").err


def test_all_that_is_wrong_is_told_at_once(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("[a]\nx := ( a\n", encoding="utf-8")
    (tmp_path / "two.txt").write_text("[a]\ny := b )\n", encoding="utf-8")
    cases: dict[tuple[str, ...], tuple[str, ...]] = {
        ("one.txt", "two.txt", "--rule", "x", "--label", "a", "--model", "no"): (
            "--rule and --label were both given",
            "--model changes how lines are drawn",
            "rule 'x': '(' is never closed",
            "rule 'y': ')' closes nothing",
            "is not a model folder",
        ),
        ("no.txt", "none.txt"): ("no.txt: there is no such file.", "none.txt: there is no such file."),
        (str(rules), str(rules), "--logic-a", "no.toml", "--logic-b", "none.toml"): ("no.toml:", "none.toml:"),
        (str(rules), str(rules), "--rule", "no", "--rule-b", "none"): ("has no rule 'no'.", "has no rule 'none'."),
    }
    for given, reported in cases.items():
        files = [tmp_path / one if one.endswith(".txt") and "/" not in one else one for one in given]
        outcome = re2nn("diff", *files)
        assert outcome.code == 2
        assert [one for one in reported if one not in outcome.err] == []


def test_an_unknown_rule_of_one_file_is_told_with_its_path_once(re2nn: Call, rules: Path) -> None:
    assert f"Error: {rules} has no rule 'nope'. There are: " in re2nn("diff", rules, rules, "--rule", "nope").err


def test_two_rules_of_other_names_are_drawn_with_the_weights_of_the_first(
    re2nn: Call, rules: Path, other: Path, tmp_path: Path
) -> None:
    svg, own = tmp_path / "out.svg", network_of(RULES, tmp_path / "own", ("a", "b", "price"))
    names = [rule.name for rule in read_rules(RULES, lowercase=True).ruleset.rules]
    assert "price" in names
    second = next(name for name in names if name != "price")
    pair = ("diff", rules, other, "--rule", "price", "--rule-b", second, "--svg", svg, "--model", own)
    outcome = re2nn(*pair)
    assert outcome.code == 1
    assert svg.exists()
    assert "Weights of 'price' in the network, means over words, before and after training" in outcome.out
    whose = "The weights are those of rule 'price' of A alone. No weight changed by 0.01 or more"
    assert whose in outcome.err
    assert "those of rule &#x27;price&#x27; of A alone." in svg.read_text(encoding="utf-8")
    same = ("diff", rules, other, "--rule", "price", "--svg", svg, "--model", own)
    assert "of A alone" not in re2nn(*same).err
    [weights] = [one for one in re2nn(*same, "--json").data["weights"] if one["before"] not in (0, 1)]
    assert set(weights["words"]) == {"fare", "cost", "price"}, "a mean over the words of both sides names them all"


def network_of(rules: str, folder: Path, vocabulary: tuple[str, ...] = ("a", "b")) -> Path:
    config = NetworkConfig(vectors="none", machines="rule")
    words = build_vocabulary([vocabulary], always=sorted(read_rules(rules, lowercase=True).ruleset.words))
    save_bundle(folder, build_bundle(rules, "", Tokenization(), words, config, None, "none"))
    return folder


def test_a_network_of_other_rules_is_refused_whether_or_not_a_rule_differs(
    re2nn: Call, rules: Path, other: Path, slot_rules: Path, tmp_path: Path
) -> None:
    svg, of_others = tmp_path / "out.svg", network_of("[x]\nr := a b\n", tmp_path / "other")
    for right, more in ((rules, ()), (other, ()), (rules, ("--rule", "price"))):
        outcome = re2nn("diff", rules, right, *more, "--svg", svg, "--model", of_others)
        assert outcome.code == 2
        assert "Error: The network was not made from these rules" in outcome.err
        assert "Its rules are: r. Choose the network of this project, or draw without weights." in outcome.err
        assert not svg.exists()
    assert "is not a model folder" in re2nn("diff", rules, rules, "--svg", svg, "--model", tmp_path / "no").err
    own = network_of(RULES, tmp_path / "own")
    assert "No drawing: no rule differs." in re2nn("diff", rules, rules, "--svg", svg, "--model", own).err
    for files, more in (((slot_rules, slot_rules), ()), ((rules, rules), ("--label", "fare"))):
        refused = re2nn("diff", *files, *more, "--svg", svg, "--model", own)
        assert (refused.code, "--model gives weights to one rule for labels that A has." in refused.err) == (2, True)
    assert re2nn("diff", rules, other, "--rule", "price", "--svg", svg, "--model", own).code == 1
    assert svg.exists()


def test_nothing_changed_is_one_line(re2nn: Call, rules: Path) -> None:
    out = re2nn("diff", rules, rules).out
    assert "Sentences for which two labels match: none added and none removed. 1 pair is on both sides" in out
    assert "flight and fare" not in out


def test_logic_that_is_not_there_is_named_by_its_side(re2nn: Call, rules: Path, logic: Path, tmp_path: Path) -> None:
    missing = tmp_path / "no.toml"
    outcome = re2nn("diff", rules, rules, "--logic-a", logic, "--logic-b", missing)
    assert outcome.code == 2
    assert outcome.err == (
        f"Error: --logic-b {missing}: there is no such file. Expected: the label logic (TOML or JSON) of B. "
        f"Check the path, or leave it out: B is then read with the logic of A, {logic}.\n"
    )
    alone = re2nn("diff", rules, rules, "--logic-a", tmp_path)
    assert f"--logic-a {tmp_path}: this is a folder. Expected: the label logic" in alone.err


def test_logic_of_a_that_does_not_fit_b_is_no_fault_of_a(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    renamed, logic = tmp_path / "renamed.txt", tmp_path / "logic.toml"
    renamed.write_text(RULES.replace("price :=", "cost :="), encoding="utf-8")
    logic.write_text('logic = ["price -> fare"]\n', encoding="utf-8")
    outcome = re2nn("diff", rules, renamed, "--logic-a", logic)
    assert outcome.code == 2
    assert f"{renamed} (B) was read with the label logic of A," in outcome.err
    assert "there is no rule 'price'" in outcome.err
    assert "Give the label logic of B with --logic-b FILE." in outcome.err


def test_another_tag_is_one_row(re2nn: Call, tmp_path: Path) -> None:
    before, after, svg = (tmp_path / name for name in ("before.txt", "after.txt", "out.svg"))
    before.write_text("r := to [ oslo | rome ]<city>\n", encoding="utf-8")
    after.write_text("r := to [ oslo | rome ]<town>\n", encoding="utf-8")
    out = re2nn("diff", before, after, "--svg", svg).out
    assert re.search(r"± changed +1 +2 +B-city → B-town +- +oslo rome\n", out)
    assert "to [oslo]<city>  to [oslo]<town>" in out
    data = re2nn("diff", before, after, "--json").data["rules"]["r"]["machine"]
    assert data["arcs"] == {"kept": 1, "added": 0, "removed": 0, "changed": 1}
    [row] = data["changes"]
    assert (row["change"], row["tag"], row["added"], row["removed"]) == ("changed", "B-city → B-town", [], [])
    assert ">± oslo | rome / B-town<" in svg.read_text(encoding="utf-8")


@pytest.mark.parametrize("empty", [0, 1])
def test_a_file_without_rules_is_refused(re2nn: Call, rules: Path, tmp_path: Path, empty: int) -> None:
    files, svg = [rules, rules], tmp_path / "out.svg"
    files[empty] = tmp_path / "empty.txt"
    files[empty].write_text("// nothing yet\n", encoding="utf-8")
    outcome = re2nn("diff", *files, "--svg", svg)
    assert outcome.code == 2
    assert f"{files[empty]}:1:" in outcome.err
    assert "Write a section and a rule below it" in outcome.err
    assert not svg.exists()


def test_help_tells_exit_codes(re2nn: Call) -> None:
    out = re2nn("diff", "--help").out
    for code in (
        "0    proved to be the same",
        "1    different, or some rule is too large to decide",
        "130  interrupted",
    ):
        assert code in out


@pytest.mark.parametrize("word", ["<b>", "a&b", 'say"hi', "back\\slash", "x{y|z}", "订票", "%s\\n"])
def test_signs_that_other_languages_know(re2nn: Call, tmp_path: Path, word: str) -> None:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    quoted = word.replace("\\", "\\\\").replace('"', '\\"')
    before.write_text("[x]\nr := a\n", encoding="utf-8")
    after.write_text(f'[x]\nr := a | "{quoted}"\n', encoding="utf-8")
    pictures = [part for kind in ("svg", "png", "dot") for part in (f"--{kind}", tmp_path / f"out.{kind}")]
    outcome = re2nn("diff", before, after, *pictures, "--json")
    assert outcome.data["rules"]["r"]["only_b"]["words"] == [word]
    assert "".join(ElementTree.parse(tmp_path / "out.svg").getroot().itertext()).count(f"± a  + {word}") == 3  # noqa: S314
    dot = (tmp_path / "out.dot").read_text(encoding="utf-8")
    assert quote(f" ± a  + {word} ") in dot


def test_without_texts_words_are_drawn_in_the_order_of_the_rules(re2nn: Call, tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    words = ("zoo", "park", "mall", "beach", "alley")
    first.write_text(f"[place]\nwhere := $* ( {' | '.join(words)} ) $*\n", encoding="utf-8")
    second.write_text(f"[place]\nwhere := $* ( {' | '.join(words)} | aunt ) $*\n", encoding="utf-8")
    picture = tmp_path / "drawn.dot"
    re2nn("diff", first, second, "--rule", "where", "--dot", picture)
    assert "zoo | park | mall" in picture.read_text(encoding="utf-8")
