"""add-rules, disable-rule and enable-rule: change the rules of a trained network without training it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.answer import Answer, percent
from re2nn_core.commands._common.inputs import read_texts
from re2nn_core.commands._common.options import PATH, Reading, data_options, json_option
from re2nn_core.errors import InputError
from re2nn_core.rules.text_file import read_text
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.fine_tuning.classification.rule_patching import EditCheck, EditedModel
    from re2nn_core.text.corpus import Corpus

_model = click.option("--model", type=PATH, required=True, help="Folder of the model. It is not changed.")
_output = click.option("-o", "--output", type=PATH, required=True, help="New folder for the edited model.")
_data = click.option("--data", type=PATH, required=True, help="Texts on which the untouched rules are compared.")


@click.command("add-rules")
@_model
@click.option("--rules", type=PATH, required=True, help="A rule file with the new rules alone.")
@click.option(
    "--logic",
    type=PATH,
    help="Label logic of the new rules, TOML: formulas and priorities, put beside those of the model. "
    "Without it a label is any of its rules.",
)
@_data
@_output
@data_options
@json_option
def add_rules_command(
    model: Path, rules: Path, logic: Path | None, data: Path, output: Path, reading: Reading
) -> Answer:
    """Add rules to a trained network without training it again.

    Each new rule becomes a block beside the others; it may use the model's word classes. How much the untouched
    rules' scores changed is printed. Undo: go on with the old folder, which stays as it is.

    \b
    Example: re2nn add-rules --model model --rules new_rules.txt --data texts.tsv -o model2
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import add_rules
    from re2nn_core.services.rule_systems.added_rules import Addition

    before, corpus = _load(model, data, output, reading)
    new = Addition(read_text(rules, "a rule file"), "" if logic is None else read_text(logic, "a file of label logic"))
    return _finish(before, add_rules(before, new, rules_file=str(rules), logic_file=str(logic)), corpus, model, output)


@click.command("disable-rule")
@_model
@click.argument("rule")
@_data
@_output
@data_options
@json_option
def disable_rule_command(model: Path, rule: str, data: Path, output: Path, reading: Reading) -> Answer:
    """Switch the rule RULE of a trained network off, without training it again.

    Undo: go on with the old folder, which stays as it is, or switch the rule on again with enable-rule.

    \b
    Example: re2nn disable-rule --model model flight.1 --data texts.tsv -o model2
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import disable_rule

    before, corpus = _load(model, data, output, reading)
    return _finish(before, disable_rule(before, rule), corpus, model, output)


@click.command("enable-rule")
@_model
@click.argument("rule")
@_data
@_output
@data_options
@json_option
def enable_rule_command(model: Path, rule: str, data: Path, output: Path, reading: Reading) -> Answer:
    """Switch the rule RULE on again that disable-rule has switched off, with its trained weights.

    \b
    Example: re2nn enable-rule --model model2 flight.1 --data texts.tsv -o model3
    """
    from re2nn_core.services.fine_tuning.classification.rule_patching import enable_rule

    before, corpus = _load(model, data, output, reading)
    return _finish(before, enable_rule(before, rule), corpus, model, output)


def _load(model: Path, data: Path, output: Path, reading: Reading) -> tuple[EditedModel, Corpus]:
    from re2nn_core.services.fine_tuning.classification.edited_models import load_model

    if output.resolve() == model.resolve():
        raise InputError(f"{output} is the model itself, which is kept so that you can go back.\nGive another folder.")
    return load_model(model), read_texts(data, reading, labelled=True).corpus


def _finish(before: EditedModel, after: EditedModel, corpus: Corpus, model: Path, output: Path) -> Answer:
    from re2nn_core.services.fine_tuning.classification.edited_models import save_model
    from re2nn_core.services.fine_tuning.classification.rule_patching import check_edit
    from re2nn_core.services.fine_tuning.run_material import copy_material
    from re2nn_core.services.prediction.classification.evaluation import accuracy

    check = check_edit(before, after, corpus.texts)
    save_model(output, after)
    copy_material(model, output)
    gold = [example.label for example in corpus]
    shares = accuracy(gold, check.answers_before), accuracy(gold, check.answers_after)
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
        "changed_answers": len(check.changed_answers),
        "accuracy_before": shares[0],
        "accuracy_after": shares[1],
        "model": str(output),
        "former_model": str(model),
    }
    return Answer(values, _report(check, shares, model, output))


def _report(check: EditCheck, shares: tuple[float | None, float | None], model: Path, output: Path) -> str:
    from re2nn_core.services.fine_tuning.run_edits import untouched_in_words

    changes = [
        f"{done} {', '.join(names)}"
        for done, names in (("added", check.added), ("disabled", check.disabled), ("enabled", check.enabled))
        if names
    ]
    untouched = untouched_in_words(len(check.untouched), len(check.answers_before), check)
    restarted = f"The trained logic of {', '.join(check.restarted)} began anew.\n" if check.restarted else ""
    silent = f"No rule is left for {', '.join(check.silent)}: expect no such answer.\n" if check.silent else ""
    again = f", or re2nn enable-rule --model {output} {check.disabled[0]}" if check.disabled else ""
    return (
        f"{'; '.join(changes)}.\n"
        f"{untouched}\n{restarted}{silent}"
        f"{counted(len(check.changed_answers), 'answer')} changed; accuracy {percent(shares[0])} before, "
        f"{percent(shares[1])} after.\n"
        f"Written: {output}. Undo: go on with {model}, which is as it was{again}."
    )
