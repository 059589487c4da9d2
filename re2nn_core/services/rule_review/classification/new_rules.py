"""How rules that nobody has written are taken over one by one: each in the section of its label, and in the label logic
as in the rules that were read back: before all other rules (rules/logic/first.py), or as one more of its label.

Rules, classes and logic that are there stay as they are written, comments included.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from re2nn_core.files import read_toml
from re2nn_core.rules.logic.first import predicts_first
from re2nn_core.rules.logic.formula_parser import parse_formula
from re2nn_core.rules.logic.formulas import Fact, Or
from re2nn_core.rules.logic.label_logic import read_logic
from re2nn_core.rules.logic.logic_text import with_items, with_other_item
from re2nn_core.rules.logic.unused_rules import with_rule_in_formula
from re2nn_core.rules.names import name_with_number
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_lines import class_lines_of, class_notes, classes_for, wrapped
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass, expand
from re2nn_core.rules.source import logical_lines, split_lines
from re2nn_core.rules.tree import ClassReference, Node, WordList, class_names, into_exceptions, rebuild
from re2nn_core.services.rule_reconstruction.classification.rule_changes import ALREADY, Acceptance
from re2nn_core.services.rule_writing.classification.proposals import with_listed_labels

# Above the list in a label logic that had none: people who read the rules below it should know.
FIRST = "Where one of these is true, its label is predicted: no other formula and no priority counts."


def accept_new(
    found: tuple[str, str],
    names: Collection[str],
    *,
    rules_text: str,
    logic_text: str,
    lowercase: bool,
    with_notes: bool = False,
) -> Acceptance:
    """Take the named rules of `found` rules and label logic over into a version. A name that is taken there, of a rule
    or a class, gets a number. `with_notes`: what is said behind these rules comes with them. RuleError and LogicError
    where the version cannot be read."""
    return _accepted_new(found, tuple(names), rules_text, logic_text, lowercase, with_notes)


@lru_cache(maxsize=256)  # a review accepts each of its rules alone, for trial, whenever it is drawn
def _accepted_new(
    found: tuple[str, str], names: tuple[str, ...], rules_text: str, logic_text: str, lowercase: bool, with_notes: bool
) -> Acceptance:
    source = read_rules(found[0], lowercase=lowercase).ruleset
    found_logic = read_logic(found[1], source, format="toml")
    read_logic(logic_text, read_rules(rules_text, lowercase=lowercase).ruleset, format="toml")
    accepted: list[str] = []
    left_out: list[tuple[str, str]] = []
    for rule in (rule for rule in source.rules if rule.name in names):
        now = read_rules(rules_text, lowercase=lowercase).ruleset
        there = next((r for r in now.rules if (r.label, r.expanded) == (rule.label, rule.expanded)), None)
        names_now = [r.name for r in now.rules]
        name = there.name if there else name_with_number(rule.name, names_now)
        if there is None:
            place = end_of_section(rules_text, now, rule.label)
            in_force, note = _in_force(now, place), rule.note if with_notes else ""
            lines = _lines_of(rule, name, source, in_force, _class_names(now), note, lowercase=lowercase)
            rules_text = _put_in(rules_text, place, rule.label, lines)
        first = predicts_first(found_logic, rule.name, rule.label)
        predicting = matching_first if first else matching_too
        matching = predicting(logic_text, name, rule.label, [*names_now, name])
        if there and matching == logic_text:
            left_out.append((rule.name, ALREADY))
            continue
        logic_text = matching
        accepted.append(rule.name)
    return Acceptance(rules_text, logic_text, tuple(accepted), tuple(left_out))


def matching_first(logic_text: str, name: str, label: str, rules: Sequence[str]) -> str:
    """The label logic in which a rule predicts first for its label, beside what does so already; as it is where the
    rule does. `rules` are the names of all rules."""
    logic_text = with_listed_labels(logic_text, [label])
    for item in read_toml(logic_text).get("first", []):
        formula_text, _, of_label = item.rpartition("->")
        if of_label.strip() != label:
            continue
        formula, _ = parse_formula(formula_text, rules)
        if Fact(name) in (formula.parts if isinstance(formula, Or) else (formula,)):
            return logic_text
        return with_other_item(logic_text, "first", item, f"{formula_text.strip()} | {name} -> {label}")
    return with_items(logic_text, "first", [f"{name} -> {label}"], comment=FIRST)


def matching_too(logic_text: str, name: str, label: str, _rules: Sequence[str]) -> str:
    """The label logic in which a rule is one more way to its label."""
    return with_rule_in_formula(with_listed_labels(logic_text, [label]), name, label, vetoed=False)


def _lines_of(
    rule: Rule, name: str, source: RuleSet, in_force: dict[str, Node], taken: set[str], note: str, *, lowercase: bool
) -> list[str]:
    """The rule as it will stand in a file under a name, with a `note`, behind the classes that it needs and that are
    not `in_force` there; no name of a class that is `taken` is given again."""
    known, notes = classes_for(source, rule), class_notes(source)
    renamed: dict[str, str] = {}
    lines: list[str] = []
    for needed in class_names(rule.tree):
        tree, there = expand(known[needed], known, lowercase), in_force.get(needed)
        if there is not None and expand(there, in_force, lowercase) == tree:
            continue
        renamed[needed] = name_with_number(needed, taken)
        taken = taken | {renamed[needed]}
        written = known[needed] if isinstance(known[needed], WordList) else tree
        lines += class_lines_of(renamed[needed], written, notes[needed])

    def leaf(node: Node) -> Node:
        return ClassReference(renamed.get(node.name, node.name)) if isinstance(node, ClassReference) else node

    return [*lines, *wrapped(f"{name} := {print_expression(rebuild(rule.tree, into_exceptions(leaf)))}", note)]


def _class_names(now: RuleSet) -> set[str]:
    return {entry.name for entry in now.entries if isinstance(entry, WordClass)}


def _in_force(now: RuleSet, place: int | None) -> dict[str, Node]:
    """The word classes in force behind a line; behind all for None."""
    classes = (entry for entry in now.entries if isinstance(entry, WordClass))
    return {entry.name: entry.tree for entry in classes if place is None or entry.line <= place}


def end_of_section(text: str, now: RuleSet, label: str) -> int | None:
    """The line of the last rule of a label, or of its header where it has no rule; None where it has neither."""
    ends = {line.number: line.number + len(line.sources) - 1 for line in logical_lines(text)}
    if rules := [ends[rule.line] for rule in now.rules if rule.label == label]:
        return max(rules)
    header = re.compile(rf"\s*\[\s*{re.escape(label)}\s*\]\s*(?://.*)?")
    return next((number for number, line in enumerate(split_lines(text), start=1) if header.fullmatch(line)), None)


def _put_in(text: str, place: int | None, label: str, lines: Sequence[str]) -> str:
    """The file with these lines behind a line of it; None: behind all, in a section of their own."""
    physical = split_lines(text)
    if place is not None:
        return "\n".join([*physical[:place], *lines, *physical[place:]])
    above = split_lines(text.rstrip())
    return "\n".join([*([*above, ""] if any(above) else []), f"[{label}]", *lines]) + "\n"
