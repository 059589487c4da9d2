"""check: can the rules be read. For slots see slot_filling/check.py."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.options import PATH, json_option, logic_option, task_option, tokenization_options
from re2nn_core.commands._common.sources import find_task
from re2nn_core.commands.rules.check_sentences import with_sentences
from re2nn_core.commands.rules.rule_report import rule_findings, with_limits, without_faults
from re2nn_core.commands.rules.slot_filling.check import check_slot_file
from re2nn_core.errors import Fault, FaultsError, rendered
from re2nn_core.rules.sentences import refuse_sentences
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.task import Task, by_task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_writing.rule_sentences import System


@click.command("check")
@click.argument("file", type=PATH)
@logic_option
@click.option(
    "--sentences",
    "sentences_path",
    type=PATH,
    help='What rules must match and must not match, TOML: [rule_name], must = ["..."], must_not = ["..."].',
)
@task_option
@tokenization_options
@json_option
def check_command(
    file: Path,
    logic_path: Path | None,
    sentences_path: Path | None,
    task: Task | None,
    tokenization: Tokenization | None,
) -> CommandResult:
    """Check a rule file and report the errors in it.

    Of more than 20 errors the first 20 are shown; --json has all. With --logic, also the errors of the label logic.
    With --sentences, every sentence that its rule should match and does not, or should not match and does. For slots,
    also the slots and the sizes of their transducers. Exit code 1 if there is an error or a sentence fails; warnings
    do not count.

    Example: re2nn check rules.txt --logic logic.toml --sentences sentences.toml
    """
    try:
        task = find_task(task, file, tokenization=tokenization)
        check = by_task(task, classification=_check_label_file, slot_filling=check_slot_file)
        prediction, system = check(file, logic_path, tokenization or Tokenization())
    except FaultsError as error:
        refuse_sentences(read_text_file(file, "a rule file"), file)
        return _faulty(file, error.faults)
    return prediction if sentences_path is None else with_sentences(prediction, system, sentences_path)


def _check_label_file(file: Path, logic: Path | None, tokenization: Tokenization) -> tuple[CommandResult, System]:
    from re2nn_core.services.rule_systems.classification.sources import load_rules

    loaded = load_rules(file, logic, tokenization)
    rules, labels = len(loaded.ruleset.rules), len(loaded.ruleset.labels)
    found = f"{file}: {counted(rules, 'rule')} for {counted(labels, 'label')}"
    warnings = with_limits(loaded.ruleset.rules, loaded.warnings, file)
    return CommandResult(rule_findings(rules, (), warnings), without_faults(found, warnings)), loaded.system()


def _faulty(file: Path, faults: Sequence[Fault]) -> CommandResult:
    files = " and ".join(dict.fromkeys(fault.file for fault in faults))
    ending = f"{counted(len(faults), 'error')} in {files}. Fix and check again: re2nn check {file}"
    return CommandResult(rule_findings(0, faults, ()), f"{rendered(faults)}\n\n{ending}", ok=False)
