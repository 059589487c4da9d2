"""add-rules and disable-rule: change the rules of a trained network without training it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands.answer import Answer, counted
from re2nn_core.commands.inputs import joined_corpus
from re2nn_core.commands.options import PATH, Reading, data_options, json_option
from re2nn_core.errors import InputError
from re2nn_core.rules.text_file import read_text

if TYPE_CHECKING:
    from re2nn_core.network.bundle import Bundle
    from re2nn_core.services.hot_edits import HotEdit

_model = click.option("--model", type=PATH, required=True, help="Folder of the model. It is not changed.")
_output = click.option("-o", "--output", type=PATH, required=True, help="Folder for the edited model.")
_data = click.option("--data", type=PATH, required=True, help="Texts on which the untouched rules are compared.")


@click.command("add-rules")
@_model
@click.option("--rules", type=PATH, required=True, help="A rule file with the new rules alone.")
@_data
@_output
@data_options
@json_option
def add_rules_command(model: Path, rules: Path, data: Path, output: Path, reading: Reading) -> Answer:
    """Add rules to a trained network without training it again.

    Each new rule becomes a block beside the others. How much the untouched rules' scores changed is printed.

    \b
    Example: re2nn add-rules --model model --rules new_rules.txt --data texts.tsv -o model2
    """
    from re2nn_core.services.hot_edits import add_rules

    bundle, texts = _load(model, data, output, reading)
    return _finish(add_rules(bundle, read_text(rules, "a rule file"), texts, file=str(rules)), output)


@click.command("disable-rule")
@_model
@click.argument("rule")
@_data
@_output
@data_options
@json_option
def disable_rule_command(model: Path, rule: str, data: Path, output: Path, reading: Reading) -> Answer:
    """Take the rule RULE out of a trained network without training it again.

    \b
    Example: re2nn disable-rule --model model flight.1 --data texts.tsv -o model2
    """
    from re2nn_core.services.hot_edits import disable_rule

    bundle, texts = _load(model, data, output, reading)
    return _finish(disable_rule(bundle, rule, texts), output)


def _load(model: Path, data: Path, output: Path, reading: Reading) -> tuple[Bundle, tuple[str, ...]]:
    from re2nn_core.network.bundle import load_bundle

    if output.resolve() == model.resolve():
        raise InputError(f"{output} is the model itself, which is kept so that you can go back.\nGive another folder.")
    bundle = load_bundle(model)
    return bundle, joined_corpus({"test": data}, reading).texts


def _finish(edit: HotEdit, output: Path) -> Answer:
    from re2nn_core.network.bundle import save_bundle

    save_bundle(output, edit.bundle)
    values: dict[str, Any] = {k: v for k, v in vars(edit).items() if k != "bundle"}
    values |= {"untouched": len(edit.untouched), "changed_answers": len(edit.changed_answers), "model": str(output)}
    return Answer(values, _report(edit, output))


def _report(edit: HotEdit, output: Path) -> str:
    changes = [f"added {', '.join(edit.added)}"] if edit.added else []
    changes += [f"removed {', '.join(edit.removed)}"] if edit.removed else []
    exact = "bit by bit the same" if edit.bit_equal else f"different by {edit.max_difference:.2g} at most"
    return (
        f"{'; '.join(changes)}.\n"
        f"Scores of the {counted(len(edit.untouched), 'untouched rule')} on {counted(edit.texts, 'text')}: {exact}.\n"
        f"{counted(len(edit.changed_answers), 'answer')} changed. Written: {output}"
    )
