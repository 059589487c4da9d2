"""What add-rules, disable-rule and enable-rule share: their options, the model before, and what an edit changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult, percent
from re2nn_core.commands._common.inputs import read_label_texts
from re2nn_core.commands._common.options import PATH, Command, ReadingOptions, data_options, json_option, with_options
from re2nn_core.errors import InputError
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.fine_tuning.classification.rule_patching import EditCheck, EditedModel
    from re2nn_core.text.corpus import Corpus

model_option = click.option("--model", type=PATH, required=True, help="Folder of the model. It is not changed.")
output_option = click.option("-o", "--output", type=PATH, required=True, help="New folder for the edited model.")
compared_texts_option = click.option(
    "--data", type=PATH, required=True, help="Texts on which the untouched rules are compared."
)


def switch_options(command: Command) -> Command:
    """The options of a command that switches one rule."""
    rule = click.argument("rule")
    return with_options([model_option, rule, compared_texts_option, output_option, data_options, json_option], command)


def switched(
    edit: Callable[[EditedModel, str], EditedModel],
    model: Path,
    rule: str,
    data: Path,
    output: Path,
    reading: ReadingOptions,
) -> CommandResult:
    """Switch a rule by `edit`, write the edited model, and report what changed."""
    before, corpus = load_for_editing(model, data, output, reading)
    return editing_result(before, edit(before, rule), corpus, model, output)


def load_for_editing(model: Path, data: Path, output: Path, reading: ReadingOptions) -> tuple[EditedModel, Corpus]:
    """The model and the texts on which the edited one is compared with it. InputError where it would be replaced."""
    from re2nn_core.services.fine_tuning.classification.edited_models import load_model

    if output.resolve() == model.resolve():
        raise InputError(f"{output} is the model itself, which is never overwritten.\nGive another folder.")
    return load_model(model), read_label_texts(data, reading, labelled=True).corpus


def editing_result(before: EditedModel, after: EditedModel, corpus: Corpus, model: Path, output: Path) -> CommandResult:
    """Write the edited model, and report what the edit changed."""
    from re2nn_core.services.fine_tuning.classification.edited_models import save_model
    from re2nn_core.services.fine_tuning.classification.rule_patching import check_edit
    from re2nn_core.services.fine_tuning.run_material import copy_material
    from re2nn_core.services.prediction.classification.evaluation import accuracy

    check = check_edit(before, after, corpus.texts)
    save_model(output, after)
    copy_material(model, output)
    gold = [example.label for example in corpus]
    shares = accuracy(gold, check.predictions_before), accuracy(gold, check.predictions_after)
    values = {
        "added": list(check.added),
        "disabled": list(check.disabled),
        "enabled": list(check.enabled),
        "off": list(after.edits.disabled),
        "untouched": len(check.untouched),
        "texts": len(corpus),
        "same_weights": check.same_weights,
        "max_difference": check.max_difference,
        "bit_equal": check.bit_equal,
        "restarted": list(check.restarted),
        "silent": list(check.silent),
        "changed_answers": len(check.changed_predictions),
        "accuracy_before": shares[0],
        "accuracy_after": shares[1],
        "model": str(output),
        "former_model": str(model),
    }
    return CommandResult(values, _report(check, shares, model, output))


def _report(check: EditCheck, shares: tuple[float | None, float | None], model: Path, output: Path) -> str:
    from re2nn_core.services.fine_tuning.run_edits import untouched_in_words

    changes = [
        f"{done} {', '.join(names)}"
        for done, names in (("added", check.added), ("disabled", check.disabled), ("enabled", check.enabled))
        if names
    ]
    untouched = untouched_in_words(len(check.untouched), len(check.predictions_before), check)
    restarted = f"The trained logic of {', '.join(check.restarted)} was reset.\n" if check.restarted else ""
    silent = f"No rule is left for {', '.join(check.silent)}: it will hardly be predicted.\n" if check.silent else ""
    again = f", or re2nn enable-rule --model {output} {check.disabled[0]}" if check.disabled else ""
    return (
        f"{'; '.join(changes)}.\n"
        f"{untouched}\n{restarted}{silent}"
        f"{counted(len(check.changed_predictions), 'prediction')} changed; accuracy {percent(shares[0])} before, "
        f"{percent(shares[1])} after.\n"
        f"Written: {output}. To undo, use {model}, which is not changed{again}."
    )
