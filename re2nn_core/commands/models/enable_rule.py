"""enable-rule: switch a rule on again that disable-rule has switched off."""

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


@click.command("enable-rule")
@model_option
@click.argument("rule")
@compared_texts_option
@output_option
@data_options
@json_option
def enable_rule_command(model: Path, rule: str, data: Path, output: Path, reading: ReadingOptions) -> Answer:
    """Switch the rule RULE on again that disable-rule has switched off, with its trained weights.

    \b
    Example: re2nn enable-rule --model model2 flight.1 --data texts.tsv -o model3
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import enable_rule

    before, corpus = load_for_editing(model, data, output, reading)
    return editing_answer(before, enable_rule(before, rule), corpus, model, output)
