"""compare: do two rule files, or two rules, accept the same sentences?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, sentence, table
from re2nn_core.commands._common.options import PATH, json_option, tokenization_options
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_difference.comparison import LanguageDifference, RuleSetComparison


@click.command("compare")
@click.argument("left", metavar="A", type=PATH)
@click.argument("right", metavar="B", type=PATH)
@click.option("--rule-a", help="Compare this rule of A alone.")
@click.option("--rule-b", help="With this rule of B; the rule of the same name unless given.")
@tokenization_options
@json_option
def compare_command(
    left: Path, right: Path, rule_a: str | None, rule_b: str | None, tokenization: Tokenization | None
) -> CommandResult:
    """Compare two rule files label by label, or two rules.

    Do they accept the same sentences, and if not, what is a shortest one that only one of them accepts? Label
    logic plays no part. Exit code 1 if they differ.

    Example: re2nn compare before.txt after.txt
    """
    from re2nn_core.services.rule_difference.comparison import compare_rules, compare_rulesets, find_rule
    from re2nn_core.services.rule_systems.classification.sources import load_rules

    tokenization = tokenization or Tokenization()
    first, second = (load_rules(path, None, tokenization).ruleset for path in (left, right))
    if rule_a is None and rule_b is None:
        return _of_files(compare_rulesets(first, second), left, right)
    names = (rule_a or rule_b or "", rule_b or rule_a or "")
    rules = find_rule(first, names[0], str(left)), find_rule(second, names[1], str(right))
    difference = compare_rules(*rules)
    return CommandResult(
        {**_shape(difference), "labels": {}},
        _of_rules(difference, f"rule '{names[0]}' of {left}", f"rule '{names[1]}' of {right}"),
        ok=difference.equivalent,
    )


def _shape(difference: LanguageDifference | RuleSetComparison) -> dict[str, Any]:
    return {
        "equivalent": difference.equivalent,
        "only_left": _words(difference.only_left),
        "only_right": _words(difference.only_right),
    }


def _words(witness: tuple[str, ...] | None) -> list[str] | None:
    return None if witness is None else list(witness)


def _of_rules(difference: LanguageDifference, left: str, right: str) -> str:
    if difference.equivalent:
        return f"Equivalent: {left} and {right} accept the same sentences."
    lines = ["Not equivalent; a shortest sentence that only one side accepts:"]
    lines += [
        f"  only {who}:\n    {sentence(witness)}"
        for who, witness in ((left, difference.only_left), (right, difference.only_right))
        if witness is not None
    ]
    return "\n".join(lines)


def _of_files(comparison: RuleSetComparison, left: Path, right: Path) -> CommandResult:
    labels = {label: _shape(difference) for label, difference in comparison.labels.items()}
    data = {**_shape(comparison), "labels": labels}
    if comparison.equivalent:
        text = (
            f"Equivalent: {left} and {right} accept the same sentences for "
            f"{'the one label' if len(labels) == 1 else f'all {len(labels):,} labels'}."
        )
        return CommandResult(data, text)
    differing = {label: d for label, d in comparison.labels.items() if not d.equivalent}
    rows = [[label, sentence(d.only_left), sentence(d.only_right)] for label, d in differing.items()]
    text = (
        f"Not equivalent: {counted(len(differing), 'label')} of {len(labels):,} differ. "
        "A shortest sentence that only one side accepts:\n\n"
        f"{table(['label', f'only {left}', f'only {right}'], rows)}"
    )
    return CommandResult(data, text, ok=False)
