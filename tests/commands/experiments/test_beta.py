"""re2nn experiment beta, on a made-up data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import Call

QUICK = ("--vectors", "none", "--device", "cpu", "--epochs", "1", "--seeds", "2")


def test_beta_and_its_figure(re2nn: Call, own: tuple[str | Path, ...], tmp_path: Path) -> None:
    figure = tmp_path / "beta.html"
    vectors = tmp_path / "two_dimensions.txt"
    vectors.write_text("flight 1 2\nprice 2 1\nfare 2 2\nmuch 1 1\nplease 3 1\nfly 0 1\n", encoding="utf-8")
    given = ("experiment", "beta", *own, "--portion", "0.05", *QUICK, "--vectors", vectors)
    outcome = re2nn(*given, "--betas", "0,1", "--figure", figure, "--json")
    assert outcome.code == 0, outcome.err
    without_rules, rules_alone = outcome.data["rows"]
    assert (without_rules["beta"], without_rules["rules"]) == (0, 87.5)
    assert without_rules["zero_shot"] < 87.5
    assert without_rules["zero_shot_difference"] == pytest.approx(without_rules["zero_shot"] - 87.5)
    assert (rules_alone["beta"], rules_alone["zero_shot"], rules_alone["zero_shot_difference"]) == (1, 87.5, 0)
    assert figure.exists()
    assert "rule_weight=0, epochs=1  seed 0" in outcome.err
    both = re2nn(*given, "--rule-weight", "0.5")
    assert (both.code, both.err) == (
        2,
        "Error: Write all values of beta as --betas 0.3,0.5, and leave out --rule-weight.\n",
    )
