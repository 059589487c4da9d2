"""Rules put behind those of a model: read together with them, with faults at their places in the new text.

The new rules may use the model's word classes and name its rules in their label logic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from re2nn_core.errors import Fault, InputError, RuleError
from re2nn_core.rules.logic.label_logic import LabelLogic
from re2nn_core.rules.logic.unused_rules import unused_rule_warnings
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet, WordClass
from re2nn_core.rules.source import logical_lines, split_lines
from re2nn_core.services.rule_systems.label_logic_edits import logic_with

NEW_RULES, NEW_LOGIC = "new rules", "logic of the new rules"
_LINE = re.compile(r"\bline (\d+)")


@dataclass(frozen=True)
class Addition:
    """Further rules as somebody writes them, with their label logic (TOML; empty: a label is any of its rules)."""

    rules: str
    logic: str = ""


@dataclass(frozen=True)
class Joined:
    """A rule set and its label logic; `warnings` are those of the rules that came last."""

    rules_text: str
    ruleset: RuleSet
    logic: LabelLogic
    warnings: tuple[Fault, ...] = ()


def join(before: Joined, new: Addition, *, lowercase: bool, rules_file: str, logic_file: str) -> Joined:
    """The rules with further ones behind them. RuleError and LogicError with every fault, at its place in the new
    texts; InputError where the new priorities contradict the old ones."""
    head = before.rules_text.rstrip("\r\n") + "\n\n"
    lines = head.count("\n")
    try:
        # Without the old sections first: a new rule must not fall under the label that happens to stand last.
        read_rules(_classes_alone(head, before.ruleset) + new.rules, file=rules_file, lowercase=lowercase)
        read = read_rules(head + new.rules, file=rules_file, lowercase=lowercase)
    except RuleError as error:
        if moved := _moved(error.faults, lines):
            raise RuleError(moved) from None
        raise _nothing_to_add(rules_file) from None
    known = {rule.name for rule in before.ruleset.rules}
    added = [rule for rule in read.ruleset.rules if rule.name not in known]
    if not added:
        raise _nothing_to_add(rules_file)
    logic = logic_with(before.logic, new.logic, read.ruleset, added, file=logic_file)
    # Their messages name lines of the new logic, which do not move.
    unused = [
        replace(warning, line=warning.line - lines)
        for warning in unused_rule_warnings(read.ruleset, logic, new.logic, file=rules_file, logic_file=logic_file)
        if warning.line > lines
    ]
    return Joined(head + new.rules, read.ruleset, logic, (*_moved(read.warnings, lines), *unused))


def _nothing_to_add(file: str) -> InputError:
    return InputError(f"{file}: there is no rule here to add.\nWrite a section [label] and a rule below it.")


def _classes_alone(text: str, ruleset: RuleSet) -> str:
    """The text with all lines emptied but those of word classes, so that what follows stands in the same lines."""
    classes = {entry.line for entry in ruleset.entries if isinstance(entry, WordClass)}
    lines = split_lines(text)
    kept: set[int] = set()
    for line in logical_lines(text):
        if line.number in classes:
            kept.update(range(line.number, line.number + len(line.sources)))
    return "\n".join(line if number in kept else "" for number, line in enumerate(lines, start=1))


def _moved(faults: Sequence[Fault], lines: int) -> tuple[Fault, ...]:
    """The faults of the new text, counted from its first line; so are the lines that their messages name."""

    def number(match: re.Match[str]) -> str:
        named = int(match.group(1))
        return f"line {named - lines}" if named > lines else f"line {named} of the model's rules"

    return tuple(
        replace(
            fault,
            line=fault.line - lines,
            message=_LINE.sub(number, fault.message),
            advice=_LINE.sub(number, fault.advice),
        )
        for fault in faults
        if fault.line > lines
    )
