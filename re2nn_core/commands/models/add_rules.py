"""add-rules: add rules to a trained network without training it again."""

from __future__ import annotations

from pathlib import Path

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.options import PATH, ReadingOptions, data_options, json_option
from re2nn_core.commands.models.rule_editing import (
    compared_texts_option,
    editing_result,
    load_for_editing,
    model_option,
    output_option,
)
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.rules.word_lists.content import read_rule_text


@click.command("add-rules", cls=GroupedCommand)
@model_option
@click.option("--rules", type=PATH, required=True, help="A rule file with the new rules alone.")
@click.option(
    "--logic",
    type=PATH,
    help="Label logic of the new rules (TOML): formulas and priorities, added to those of the model. "
    "Without it a label matches where any of its rules does.",
)
@compared_texts_option
@output_option
@data_options
@json_option
def add_rules_command(
    model: Path, rules: Path, logic: Path | None, data: Path, output: Path, reading: ReadingOptions
) -> CommandResult:
    """Add rules to a trained network without training it again.

    Each new rule becomes a block of its own; it may use the model's word classes. The change of the other rules'
    scores is printed. To undo, use the old folder, which is not changed.

    \b
    Example: re2nn add-rules --model model --rules new_rules.txt --data texts.tsv -o model2
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import add_rules
    from re2nn_core.services.rule_systems.added_rules import Addition

    before, corpus = load_for_editing(model, data, output, reading)
    new = Addition(read_rule_text(rules), "" if logic is None else read_text_file(logic, "a file of label logic"))
    return editing_result(
        before, add_rules(before, new, rules_file=str(rules), logic_file=str(logic)), corpus, model, output
    )
