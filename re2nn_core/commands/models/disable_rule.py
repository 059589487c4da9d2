"""disable-rule: switch a rule of a trained network off without training it again."""

from __future__ import annotations

from typing import Any

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands.models.rule_editing import switch_options, switched


@click.command("disable-rule", cls=GroupedCommand)
@switch_options
def disable_rule_command(**given: Any) -> CommandResult:
    """Disable the rule RULE of a trained network, without training it again.

    To undo, use the old folder, which is not changed, or enable the rule again with enable-rule.

    \b
    Example: re2nn disable-rule --model model flight.1 --data texts.tsv -o model2
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import disable_rule

    return switched(disable_rule, **given)
