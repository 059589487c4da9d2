"""Rules that no formula of the label logic names, by their label, and the formulas with them.

Of a label with a formula, a rule counts only where some formula names it (rules/logic/unused_rules.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from re2nn_core.rules.logic.unused_rules import label_formulas, unused_rules, with_rule_in_formula
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_writing.draft import Draft, put_texts
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

_NAMED = 4


@dataclass(frozen=True)
class UnusedRules:
    """The unused rules of a label, in the order of the file; `line` of the label's formula in the label logic, counted
    from 1, and `formula` with the rules in it."""

    label: str
    rules: tuple[str, ...]
    line: int
    formula: str

    @property
    def names(self) -> str:
        """The rules in words: the first ones by name."""
        more = len(self.rules) - _NAMED
        named = [f"'{name}'" for name in self.rules[:_NAMED]] + ([counted(more, "more rule")] if more > 0 else [])
        return join_names(named)

    def __str__(self) -> str:
        return self.in_words("label logic")

    def in_words(self, logic: str) -> str:
        """What becomes of the rules, and why; `logic` is where the reader finds the label logic."""
        many = len(self.rules) > 1
        return (
            f"{self.names} {'change' if many else 'changes'} nothing: '{self.label}' is decided by its formula "
            f"({logic}, line {self.line:,}), which does not name {'them' if many else 'it'}."
        )


def unused_by_label(system: RuleSystem) -> tuple[UnusedRules, ...]:
    """The unused rules of each label that has some."""
    rules: dict[str, list[str]] = {}
    for rule in unused_rules(system.ruleset, system.logic):
        rules.setdefault(rule.label, []).append(rule.name)
    formulas = label_formulas(system.logic_text) if rules else {}
    return tuple(
        UnusedRules(
            label,
            tuple(names),
            formulas[label].line,
            reduce(
                lambda formula, name: replace(formula, formula=formula.with_rule(name)), names, formulas[label]
            ).formula,
        )
        for label, names in rules.items()
        if label in formulas
    )


def with_rules_in_formula(draft: Draft, unused: UnusedRules) -> Draft:
    """The draft with the unused rules of a label in its formula."""
    logic_text = draft.logic_text
    for name in unused.rules:
        logic_text = with_rule_in_formula(logic_text, name, unused.label)
    return put_texts(draft, draft.rules_text, logic_text)
