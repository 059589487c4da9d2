"""re2nn draw: DOT without any program, SVG with one, and what to do when nothing can be drawn."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.command_line import Call


def test_one_rule_as_dot(re2nn: Call, rules: Path) -> None:
    outcome = re2nn("draw", rules, "--rule", "price")
    assert outcome.code == 0
    assert outcome.out.startswith("digraph machine {\n")
    assert "cost | fare" in outcome.out
    assert outcome.out.endswith("}\n")


def test_one_label_as_json(re2nn: Call, rules: Path) -> None:
    data = re2nn("draw", rules, "--label", "fare", "--json").data
    assert (data["machine"], data["states"], data["format"]) == ("label 'fare'", 3, "dot")
    assert data["drawing"].startswith("digraph")


def test_exact_machine_differs(re2nn: Call, rules: Path) -> None:
    assert re2nn("draw", rules, "--rule", "price", "--exact").out != re2nn("draw", rules, "--rule", "price").out


@pytest.mark.skipif(shutil.which("dot") is None, reason="the program `dot` of Graphviz is not installed")
def test_ending_of_the_file_chooses_svg(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    output = tmp_path / "price.svg"
    outcome = re2nn("draw", rules, "--rule", "price", "-o", output)
    assert outcome.code == 0
    assert outcome.out.startswith("rule 'price': 3 states, ")
    assert outcome.out.endswith(f"; drawn to {output}.\n")
    assert "<svg" in output.read_text(encoding="utf-8")


def test_svg_without_the_program(re2nn: Call, rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    outcome = re2nn("draw", rules, "--rule", "price", "--format", "svg")
    assert outcome.code == 2
    assert "The program `dot` of Graphviz is not installed" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "has 2 labels. Say what to draw with --rule or --label: flight, fare."),
        (("--rule", "prize"), "has no rule 'prize'. Its rules are: to_city, any_flight, price."),
        (("--label", "meal"), "has no label 'meal'. Its labels are: flight, fare."),
        (("--label", "fare", "--rule", "price"), "--rule and --label were both given. Leave one of them out."),
        (("--label", "fare", "-o", "missing/x.dot"), "there is no folder missing. Make it first"),
    ],
)
def test_what_cannot_be_drawn(re2nn: Call, rules: Path, arguments: tuple[str, ...], message: str) -> None:
    outcome = re2nn("draw", rules, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_only_label_needs_no_choice(re2nn: Call, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("[a]\n$* x $*\n", encoding="utf-8")
    assert re2nn("draw", tmp_path / "one.txt").code == 0


def test_machine_that_is_too_large_to_read(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("[a]\nlong := " + " ".join(f"w{n}" for n in range(150)) + "\n", encoding="utf-8")
    outcome = re2nn("draw", path)
    assert outcome.code == 2
    assert "The automaton of label 'a' has 151 states and 150 transitions, too many for a drawing." in outcome.err


def test_advice_that_was_followed_is_not_given_again(re2nn: Call, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("[x]\nr := " + " ".join(f"w{number}" for number in range(400)) + "\n", encoding="utf-8")
    for option in ("--rule r", "--rule r --exact"):
        outcome = re2nn("draw", path, *option.split())
        assert outcome.code == 2
        assert "--rule" not in outcome.err
        assert "Write its largest part as a separate rule" in outcome.err
    assert "Draw one rule with --rule" in re2nn("draw", path).err


def test_a_kind_of_picture_that_is_not_drawn_is_refused_by_name(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    """It had DOT text in it."""
    outcome = re2nn("draw", rules, "--rule", "price", "-o", tmp_path / "price.pdf")
    assert outcome.code == 2
    assert "drawings are written as DOT or SVG, not as PDF. Write -o" in outcome.err
    assert "dot -Tpdf price.dot -o price.pdf" in outcome.err
    assert not (tmp_path / "price.pdf").exists()
