"""re2nn check, compile and draw for rules that capture words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command_line import Call
from support.rules.tagged_rules import ATIS, BENCHMARKS


def test_check_tells_slots_and_sizes(re2nn: Call, slot_rules: Path) -> None:
    outcome = re2nn("check", slot_rules)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == f"{slot_rules}: 4 rules for 3 slots, no errors."
    assert lines[2] == "slots: to_city, from_city, day"
    assert lines[4] == "transducers   positions  FST states  i-FST states"
    data = re2nn("check", slot_rules, "--json").data
    assert (data["ok"], data["rules"], data["faults"], data["task"]) == (True, 4, [], "slots")
    assert data["slots"] == ["to_city", "from_city", "day"]
    assert data["separate"]["positions"] >= data["separate"]["independent_states"] >= data["separate"]["states"]


def test_check_tells_faults_of_priorities(re2nn: Call, slot_rules: Path, tmp_path: Path) -> None:
    logic = tmp_path / "logic.toml"
    logic.write_text('priorities = ["to_city > dya"]\n', encoding="utf-8")
    outcome = re2nn("check", slot_rules, "--logic", logic)
    assert outcome.code == 1
    assert f"{logic}:1:26: there is no slot 'dya' in the rules" in outcome.out
    assert "Did you mean 'day'?" in outcome.out
    logic.write_text('priorities = ["to_city > day"]\nlongest = true\n', encoding="utf-8")
    assert re2nn("check", slot_rules, "--logic", logic).code == 0


def test_check_tells_warnings(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "slots.txt"
    path.write_text("$* [ oslo | oslo ]<city> $*\n", encoding="utf-8")
    outcome = re2nn("check", path)
    assert outcome.code == 0
    assert f"{path}: 1 rule for 1 slot, no errors, 1 warning (see above)." in outcome.out


def test_compile_tells_each_rule(re2nn: Call, slot_rules: Path) -> None:
    outcome = re2nn("compile", slot_rules)
    lines = outcome.out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["transducer", "to_city", "from_city", "guess", "day"]
    assert "3 slots, 6 tags and the wildcard; exact factors of one state a position" in outcome.out
    data = re2nn("compile", slot_rules, "--json").data
    assert data["states"] == sum(machine["positions"] for machine in data["machines"])
    other = re2nn("compile", slot_rules, "--transducer", "ifst", "--rank", 2, "--json").data
    assert other["states"] == sum(machine["independent_states"] for machine in other["machines"])
    assert other["low_rank"]["relative_error"] > 0


def test_published_rules_have_the_published_sizes(re2nn: Call) -> None:
    rules = BENCHMARKS / "rules" / ATIS
    if not rules.is_file():
        pytest.skip(f"the published rules are not here: {rules}")
    data = re2nn("check", rules, "--json").data
    assert (data["rules"], len(data["slots"])) == (50, 49)
    assert data["union"] == {"positions": 274, "states": 71, "independent_states": 126}


def test_draw_puts_tags_on_the_arcs(re2nn: Call, slot_rules: Path) -> None:
    outcome = re2nn("draw", slot_rules, "--rule", "to_city")
    assert outcome.code == 0
    labels = re.findall(r'label=" (.*?) "', outcome.out)
    assert {"$", "to", "boston | oslo / B-to_city", "new / B-to_city", "york / I-to_city"} == set(labels)
    data = re2nn("draw", slot_rules, "--rule", "guess", "--json").data
    assert (data["machine"], data["format"]) == ("rule 'guess'", "dot")
    other = re2nn("draw", slot_rules, "--rule", "guess", "--transducer", "positions", "--json").data
    assert data["states"] < other["states"]


def test_all_rules_are_one_transducer(re2nn: Call, slot_rules: Path) -> None:
    together = re2nn("draw", slot_rules, "--json").data
    assert together["machine"] == "label 'slots'"
    assert '" from "' in together["drawing"]
    assert "friday | monday / B-day" in together["drawing"]
    split = re2nn("draw", slot_rules, "--transducer", "ifst", "--json").data
    assert "\\nB-day" in split["drawing"]


def test_labels_are_escaped(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "slots.txt"
    path.write_text('$* [ "<b>" | "quo\\"te" ]<x> $*\n', encoding="utf-8")
    outcome = re2nn("draw", path)
    assert outcome.code == 0
    assert "&lt;b&gt;" in outcome.out
    assert '\\"te' in outcome.out
    assert " / B-x " in outcome.out
    assert "<b>" not in outcome.out


def test_exact_machines_are_for_labels(re2nn: Call, slot_rules: Path, rules: Path) -> None:
    outcome = re2nn("draw", slot_rules, "--rule", "day", "--exact")
    assert (outcome.code, outcome.err) == (
        2,
        "Error: --exact: this option has no effect for slots, the task here. Leave it out.\n",
    )
    outcome = re2nn("draw", rules, "--rule", "price", "--transducer", "ifst")
    assert "--transducer: this option has no effect for labels of whole texts" in outcome.err
    assert re2nn("draw", slot_rules, "--rule", "day", "--exact", "--task", "classification").code == 0


def test_a_machine_too_large_to_draw(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "slots.txt"
    path.write_text(f"$* [ {' '.join(f'w{number}' for number in range(120))} ]<x> $*\n", encoding="utf-8")
    outcome = re2nn("draw", path)
    assert outcome.code == 2
    assert "too many for a drawing." in outcome.err
