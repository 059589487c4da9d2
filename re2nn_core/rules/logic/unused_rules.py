"""Rules that change nothing, since their label has a formula and no formula names them; and how a formula takes one in.

[spam]                                    logic = ["(prize | coins) & !real_code -> spam"]
bingo := $* bingo $*                      `bingo` is in no formula: write (prize | coins | bingo) & !real_code
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import Fault
from re2nn_core.files import read_toml
from re2nn_core.rules.logic.decisions import LabelLogic
from re2nn_core.rules.logic.formula_parser import parse_formula
from re2nn_core.rules.logic.formulas import And, Not, facts
from re2nn_core.rules.logic.logic_source import LogicSource
from re2nn_core.rules.logic.logic_text import with_other_item
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.source import Problem, split_lines

# In the warning of every rule that is in no formula.
CHANGES_NOTHING = "changes nothing"
_LONGEST_END = 32  # of a long formula in a message, so many characters of each end


@dataclass(frozen=True)
class LabelFormula:
    """The formula of a label as its file has it: all of its text, the part before the arrow, and its line (from 1)."""

    item: str
    formula: str
    line: int

    def with_rule(self, rule: str, *, vetoed: bool = True) -> str:
        """The formula with one more rule that makes it true; where others are vetoed together, as they are, or with
        `vetoed` false whatever else matches."""
        parsed, _ = parse_formula(self.formula, tuple(_names(self.formula)))
        if not isinstance(parsed, And):
            return f"{self.formula} | {rule}"
        joined, vetoes = _before_vetoes(self.formula)
        if vetoed and vetoes and all(isinstance(part, Not) for part in parsed.parts[1:]):
            return f"({joined} | {rule}) {vetoes}"
        return f"({self.formula}) | {rule}"

    def in_short(self, rule: str) -> str:
        """`with_rule`, of a long formula with its beginning, and the rule among what stands around it."""
        text = self.with_rule(rule)
        if len(text) <= 2 * (_LONGEST_END + len(rule)):
            return text
        place = text.rindex(f"| {rule}") - _LONGEST_END
        end = text[place + _LONGEST_END :]
        shown = end if len(end) <= 2 * _LONGEST_END + len(rule) else f"{end[: _LONGEST_END + len(rule)]} ..."
        return f"{text[:_LONGEST_END]} ... {text[place : place + _LONGEST_END]}{shown}"


def _before_vetoes(formula: str) -> tuple[str, str]:
    """Of `(a | b) & !c` what stands in its first brackets, or its first name, and `& !c`; the second is empty where a
    formula does not begin so."""
    begin, _, _ = formula.partition("&")
    inside = begin.strip()
    if re.fullmatch(r"\([^()]*\)", inside):
        inside = inside[1:-1].strip()
    elif not re.fullmatch(r"[^\s!()|]+", inside):
        return "", ""
    return inside, formula[len(begin) :]


def label_formulas(logic_text: str, *, json_file: bool = False) -> dict[str, LabelFormula]:
    """The formula of each label that has one in a text of label logic which can be read (TOML, or JSON)."""
    if not logic_text.strip():
        return {}
    values = json.loads(logic_text) if json_file else read_toml(logic_text)
    source = LogicSource(logic_text, "")
    found: dict[str, LabelFormula] = {}
    for item in source.items("logic", values.get("logic", [])):
        formula, _, label = item.text.rpartition("->")
        place = item.place_of_key if item.place is None else item.place
        found.setdefault(label.strip(), LabelFormula(item.text, formula.strip(), len(split_lines(logic_text[:place]))))
    return found


def unused_rules(ruleset: RuleSet, logic: LabelLogic) -> tuple[Rule, ...]:
    """The rules that no formula names, in the order of the file: whatever they match, no prediction changes."""
    named = frozenset(name for formula in logic.formulas for name in facts(formula))
    return tuple(rule for rule in ruleset.rules if rule.name not in named)


def unused_rule_warnings(
    ruleset: RuleSet, logic: LabelLogic, logic_text: str, *, file: str, logic_file: str = "label logic"
) -> tuple[Fault, ...]:
    """A warning at the name of each unused rule, with the formula that would have to name it. `logic_text` is what
    `logic` was read from, JSON where `logic_file` ends so."""
    unused = unused_rules(ruleset, logic)
    if not unused:
        return ()
    formulas = label_formulas(logic_text, json_file=Path(logic_file).suffix.lower() == ".json")
    return tuple(_warning(rule, formulas.get(rule.label), file, logic_file) for rule in unused)


def _warning(rule: Rule, formula: LabelFormula | None, file: str, logic_file: str) -> Fault:
    message = f"the rule {CHANGES_NOTHING}: no formula of the label logic names it"
    advice = f"Name it in a formula of {logic_file}."
    if formula is not None:
        message = (
            f"the rule {CHANGES_NOTHING}: '{rule.label}' is decided by its formula ({logic_file}, line "
            f"{formula.line:,}), which does not name it"
        )
        advice = f"Add it to the formula: {formula.in_short(rule.name)} -> {rule.label}."
    where = f"rule '{rule.name}'"
    if rule.written is None:
        return Fault(message, max(1, rule.line), 1, "", advice, file=file, where=where)
    line = rule.written.line
    named = line.text.lstrip().startswith(rule.name)
    start = len(line.text) - len(line.text.lstrip())
    width = len(rule.name) if named else len(line.text.strip())
    return line.fault(Problem(start, width, message, advice), file=file, where=where)


def with_rule_in_formula(logic_text: str, rule: str, label: str, *, vetoed: bool = True) -> str:
    """Label logic (TOML) in which the formula of a label is true where a further rule matches, too, `vetoed` as its
    other rules are; the text as it is where the label has no formula, or one that names the rule."""
    formula = label_formulas(logic_text).get(label)
    if formula is None or rule in _names(formula.formula):
        return logic_text
    return with_other_item(logic_text, "logic", formula.item, f"{formula.with_rule(rule, vetoed=vetoed)} -> {label}")


def _names(formula: str) -> frozenset[str]:
    """The names in the text of a formula."""
    return frozenset("".join(" " if sign in "&|!()" else sign for sign in formula).split())
