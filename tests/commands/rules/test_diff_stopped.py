"""re2nn diff that takes long: how far it is, stopped by its budget or by Ctrl-C."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import RULES, Call


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.txt"
    path.write_text(RULES.replace("fare | cost", "fare | price") + "[meal]\nlunch := $* lunch $*\n", encoding="utf-8")
    return path


def test_a_search_past_the_budget_leaves_the_rest(re2nn: Call, rules: Path, tmp_path: Path) -> None:
    after = tmp_path / "after.txt"
    after.write_text(RULES.replace("price := $*", "price := $* far $* away $* | $*"), encoding="utf-8")
    outcome = re2nn("diff", rules, after, "--budget", "3")
    assert outcome.code == 1
    # What was not proved to differ is not said to.
    assert "0 labels of 2 differ, 1 the same, 1 too large to decide." in outcome.out
    assert "0 rules of 3 differ, 2 the same, 1 too large to decide." in outcome.out
    assert "label fare, rule price: the search stopped at its budget of 3 steps\n" in outcome.out
    assert "Whether flight and fare meet: the search stopped at its budget of 3 steps\n" in outcome.out
    assert outcome.out.endswith("\nSearches were stopped at --budget 3; give a larger one.\n")
    assert "Write a smaller count" not in outcome.out
    assert "--budget" not in re2nn("diff", rules, after).out
    assert re2nn("diff", rules, after, "--budget", "0").code == 2


def test_how_far_a_long_diff_is_stands_on_stderr(
    re2nn: Call, rules: Path, other: Path, slot_rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert re2nn("diff", rules, other).err == "", "a short one tells nothing"
    monkeypatch.setattr("re2nn_core.commands._common.watching._SOON", 0)
    outcome = re2nn("diff", rules, other, "--json")
    assert outcome.data["equivalent"] is False
    reported = outcome.err.splitlines()
    parts = ["rules", "labels", "machines", *(f"{what} of {s}{end}" for s in "AB" for what, end in _IN_EACH)]
    assert list(dict.fromkeys(line.partition(":")[0] for line in reported)) == parts
    assert [line for line in reported if line.startswith("rules:")] == [
        f"rules: {share}%" for share in (0, 25, 50, 75, 100)
    ]
    assert "slots: 100%" in re2nn("diff", slot_rules, slot_rules).err


_IN_EACH = (("rules", " that do nothing"), ("overlaps", ""))


def test_where_an_interrupted_diff_was_is_told(
    re2nn: Call, rules: Path, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object, **budget: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("re2nn_core.services.rule_difference.dead_and_subsumed_rules.subsumed_by", interrupted)
    assert "Stopped at rules of A that do nothing." in re2nn("diff", rules, other).err


@pytest.mark.parametrize("where", ["re2nn_core.plots.difference_files.difference_png", "os.replace"])
def test_an_interrupted_diff_writes_nothing(
    re2nn: Call, rules: Path, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Ctrl-C while the second of two pictures is made, and while the first is put in its place: the old file stays, no
    part of a new one lies about, and what it was doing is reported."""
    svg, png = tmp_path / "out.svg", tmp_path / "out.png"
    svg.write_text("of yesterday", encoding="utf-8")

    def interrupted(*arguments: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    outcome = re2nn("diff", rules, other, "--svg", svg, "--png", png)
    assert outcome.code == 130
    assert outcome.err.endswith("Stopped at the picture. No picture was written.\n\nError: Interrupted.\n")
    assert svg.read_text(encoding="utf-8") == "of yesterday"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("out")) == ["out.svg"]
