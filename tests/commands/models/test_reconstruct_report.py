"""What re2nn reconstruct --model reports of its figures: how certain they are, what fewer changes reach, and that the
time was up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Call
from support.networks.explained import as_trained
from support.networks.small_system import LOGIC, RULES

from re2nn_core.commands._common import watching
from re2nn_core.commands.models import reconstructed
from re2nn_core.network.classification.bundle import save_bundle
from re2nn_core.plots.review.overridden import PROPOSED
from re2nn_core.reconstruction.classification.report import AddedRule, Reconstruction, RuleChange, SplitAccuracy
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_reconstruction.not_reconstructed import NO_CHANGE, ONLY_NEW
from re2nn_core.services.rule_review.sizes import ReconstructionSize

DEV = SplitAccuracy("dev", 80, 0.5, 0.9, 0.75, 0.9, 80, 20, 0)
TEST = SplitAccuracy("test", 80, 0.5, 0.9, 0.6, 0.8, 80, 10, 2)
NEW = AddedRule("cost", "money", "cost", (1,))
Given = tuple[object, ...]


@pytest.fixture
def given(tmp_path: Path) -> Given:
    save_bundle(tmp_path / "model", as_trained())
    (tmp_path / "texts.tsv").write_text("travel\ta flight to oslo\nmoney\thow much is it\n", encoding="utf-8")
    model, texts = tmp_path / "model", tmp_path / "texts.tsv"
    return "reconstruct", "--model", model, "--dev", texts, "-o", tmp_path / "new.txt", "--overwrite"


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[[Reconstruction], None]:
    """A reconstruction that is found, once it has asked whether to stop."""

    def take(result: Reconstruction) -> None:
        def reconstruct(*given: object, stop: Stop, **more: Any) -> Reconstruction:
            stop.asked()
            return result

        monkeypatch.setattr(
            "re2nn_core.services.rule_reconstruction.classification.reconstruction.reconstruct", reconstruct
        )

    return take


def test_the_figure_that_counts_has_its_interval(
    re2nn: Call, given: Given, found: Callable[[Reconstruction], None]
) -> None:
    found(Reconstruction(RULES, LOGIC, (DEV, TEST), (), new_rules=(NEW,)))
    reported = re2nn(*given).out.splitlines()
    told = (
        "Test: accuracy 60.0% (95% interval 49% to 70%), +10.0 points against the written rules (95% interval +1.4 to "
        "+18.1 points)."
    )
    assert told in reported
    data = re2nn(*given, "--json").data
    assert data["interval"] == pytest.approx([0.490, 0.700], abs=1e-3)
    assert data["gain_interval"] == pytest.approx([0.014, 0.181], abs=1e-3)


def test_where_no_rule_changes_why_is_told_and_where_new_rules_come_from(
    re2nn: Call, given: Given, found: Callable[[Reconstruction], None]
) -> None:
    """In the sentences of the page Compare."""
    found(Reconstruction(RULES, LOGIC, (DEV, TEST), (), new_rules=(NEW,)))
    reported = re2nn(*given).out
    assert f"Warning: {ONLY_NEW} What the network uses and no rule can express: weights between 0 and 1" in reported
    assert f"New rules, {PROPOSED}, in addition to yours:\nnew rule  label" in reported
    found(Reconstruction(RULES, LOGIC, (DEV, TEST), ()))
    assert f"Warning: {NO_CHANGE} What the network uses" in re2nn(*given).out


def test_without_labels_or_moves_there_is_none(
    re2nn: Call, given: Given, found: Callable[[Reconstruction], None]
) -> None:
    unlabelled = SplitAccuracy("test", 80, None, None, None, 0.8)
    found(Reconstruction(RULES, LOGIC, (DEV, unlabelled), ()))
    assert "interval" not in re2nn(*given).out
    found(Reconstruction(RULES, LOGIC, (SplitAccuracy("dev", 80, 0.5, 0.9, 0.5, 0.9, 80),), ()))
    outcome = re2nn(*given)
    assert "Dev: accuracy 50.0% (95% interval 39% to 61%), +0.0 points against the written rules." in outcome.out
    assert re2nn(*given, "--json").data["gain_interval"] is None


def test_what_fewer_changes_reach_is_shown(
    re2nn: Call, given: Given, found: Callable[[Reconstruction], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = SplitAccuracy("test", 80, 0.5, 0.9, 0.5, 0.7, 80)
    sizes = [ReconstructionSize((), 0, (written,)), ReconstructionSize(("cost",), 1_200, (DEV, TEST))]
    monkeypatch.setattr("re2nn_core.services.rule_review.classification.sizes.label_sizes", lambda *given: sizes)
    found(Reconstruction(RULES, LOGIC, (DEV, TEST), (), new_rules=(NEW,)))
    lines = re2nn(*given).out.splitlines()
    begin = lines.index("With some of the changes, those worth most for their words first:")
    assert [line.split("  ")[0] for line in lines[begin + 1 : begin + 4]] == [
        "changes",
        "0 (as written)",
        "1 (in the file)",
    ]
    assert lines[begin + 1].split()[-4:] == ["test", "agreement", "test", "accuracy"]
    assert [line.split()[-3:] for line in lines[begin + 2 : begin + 4]] == [
        ["0", "70.00%", "50.00%"],
        ["1,200", "80.00%", "60.00%"],
    ]
    curve = re2nn(*given, "--json").data["curve"]
    assert [one["counts"] for one in curve] == [{"changes": 0, "words": 0}, {"changes": 1, "words": 1_200}]
    assert curve[1]["splits"]["test"]["reconstructed"]["accuracy"] == 0.6


def test_the_curve_ends_with_the_figures_of_the_file(re2nn: Call, given: Given) -> None:
    """Nothing made up: sizes of a real reconstruction, where something changed."""
    data = re2nn(*given, "--json").data
    changed = data["counts"]["changed"] + data["counts"]["new"]
    assert bool(data["curve"]) == bool(changed)
    if changed:
        assert data["curve"][-1]["splits"]["dev"] == {
            name: value for name, value in data["splits"]["dev"].items() if name in data["curve"][-1]["splits"]["dev"]
        }


def test_how_many_of_the_changes_are_recommended_is_told(
    re2nn: Call,
    given: Given,
    found: Callable[[Reconstruction], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The file has all of them, the page Compare recommends fewer. Many changes on many texts are not measured."""
    texts = [*(f"the cost of {word}" for word in ("rain", "snow", "fog", "ice")), "rain and snow"]
    rows = ["a flight to oslo\ttravel\n", *(f"{text}\tmoney\n" for text in texts)]
    (tmp_path / "texts.tsv").write_text("".join(rows), encoding="utf-8")
    rules = f"{RULES}cost := $* cost $*\nand := $* and $*\n"
    new = (NEW, AddedRule("and", "money", "and", (5,)))
    written = {"go": "travel", "to_city": "travel", "price": "money", "much": "money"}
    kept = tuple(RuleChange(name, label, "", "", None, True, None, None, (), ()) for name, label in written.items())
    found(Reconstruction(rules, LOGIC, (DEV,), kept, new_rules=new))
    outcome = re2nn(*given)
    assert outcome.code == 0, outcome.err
    assert "1 of 2 changes is recommended (cost): it gains clearly by itself on 6 dev texts." in outcome.out
    assert "--data FILE --patch PATCH    (the recommended changes alone" in outcome.out
    assert "Dev accuracy with these alone: 83.33%, with all changes 75.00%.\n" in outcome.out
    assert re2nn(*given, "--json").data["recommended"] == ["cost"]
    monkeypatch.setattr(watching, "_SOON", 0)  # it takes long
    measured = [line for line in re2nn(*given).err.splitlines() if line.startswith("recommended changes: ")]
    assert len(measured) > 2
    assert measured[-1] == "recommended changes: 100%"
    monkeypatch.setattr(reconstructed, "MOST_MEASURED", 40)
    assert re2nn(*given, "--json").data["recommended"] is None


def test_what_was_found_when_the_time_was_up_is_kept(
    re2nn: Call, given: Given, found: Callable[[Reconstruction], None]
) -> None:
    found(Reconstruction(RULES, LOGIC, (DEV, TEST), (), new_rules=(NEW,)))
    outcome = re2nn(*given, "--most-seconds", "0.000001")
    assert outcome.out.startswith(
        "Stopped after 1e-06 s; the changes found by then are kept: 0 changed rules and 1 new rule. "
        "Give more time with --most-seconds.\n"
    )
    assert re2nn(*given, "--most-seconds", "0.000001", "--json").data["stopped"]
    assert not re2nn(*given, "--most-seconds", "1000", "--json").data["stopped"]
    assert "Stopped" not in re2nn(*given, "--most-seconds", "1000").out


def test_with_too_little_time_the_rules_as_written_are_kept(re2nn: Call, given: Given, tmp_path: Path) -> None:
    outcome = re2nn(*given, "--most-seconds", "0.000001")
    assert outcome.code == 0
    assert outcome.out.startswith(
        "Stopped after 1e-06 s, before a change of a rule was found; the rules are written as they were. Give more"
    )
    assert "No change of a rule holds" not in outcome.out  # that was not tried
    assert read_rules((tmp_path / "new.txt").read_text(encoding="utf-8")).ruleset == read_rules(RULES).ruleset
