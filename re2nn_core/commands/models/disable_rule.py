"""disable-rule: switch a rule of a trained network off without training it again."""

from __future__ import annotations

from pathlib import Path

import click

from re2nn_core.commands._common.answer import Answer
from re2nn_core.commands._common.options import ReadingOptions, data_options, json_option
from re2nn_core.commands.models.rule_editing import (
    compared_texts_option,
    editing_answer,
    load_for_editing,
    model_option,
    output_option,
)


@click.command("disable-rule")
@model_option
@click.argument("rule")
@compared_texts_option
@output_option
@data_options
@json_option
def disable_rule_command(model: Path, rule: str, data: Path, output: Path, reading: ReadingOptions) -> Answer:
    """Switch the rule RULE of a trained network off, without training it again.

    Undo: go on with the old folder, which stays as it is, or switch the rule on again with enable-rule.

    \b
    Example: re2nn disable-rule --model model flight.1 --data texts.tsv -o model2
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import disable_rule

    before, corpus = load_for_editing(model, data, output, reading)
    return editing_answer(before, disable_rule(before, rule), corpus, model, output)
