"""enable-rule: switch a rule on again that disable-rule has switched off."""

from __future__ import annotations

from typing import Any

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands.models.rule_editing import switch_options, switched


@click.command("enable-rule", cls=GroupedCommand)
@switch_options
def enable_rule_command(**given: Any) -> CommandResult:
    """Switch the rule RULE on again that disable-rule has switched off, with its trained weights.

    \b
    Example: re2nn enable-rule --model model2 flight.1 --data texts.tsv -o model3
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import enable_rule

    return switched(enable_rule, **given)
