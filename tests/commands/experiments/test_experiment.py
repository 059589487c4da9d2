"""re2nn experiment: each part of it has help."""

from __future__ import annotations

import click
import pytest
from support.command_line import Call

from re2nn_core.commands.experiments.experiment import experiment_command


@pytest.mark.parametrize("name", ["classification", "curve", "beta", "parameters", "show"])
def test_each_part_has_help_with_an_example(re2nn: Call, name: str) -> None:
    outcome = re2nn("experiment", name, "--help")
    assert outcome.code == 0
    assert "--json" in outcome.out
    assert f"re2nn experiment {name}" in outcome.out.split("Example:")[1]
    assert isinstance(experiment_command, click.Group)
    assert name in experiment_command.commands
