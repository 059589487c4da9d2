"""From the text of a formula to the formula; faults are noted and passed over, as in the parser of rules."""

from __future__ import annotations

import re
from collections.abc import Sequence

from re2nn_core.rules.logic.formulas import NEVER, Fact, Formula, Not, conjunction, disjunction
from re2nn_core.rules.names import RULE_NAME, did_you_mean
from re2nn_core.rules.source import Problem

MAX_NESTING = 50

_TOKEN = re.compile(rf"{RULE_NAME.pattern}|&&|\|\||\S")
_SPELLED = {"and": "&", "or": "|", "not": "!", "&&": "&", "||": "|", "~": "!", "¬": "!", "∧": "&", "∨": "|"}
_ADVICE = "Write rule names with & (and), | (or), ! (not) and parentheses: (m1 | m2) & !m3."


def parse_formula(text: str, rules: Sequence[str]) -> tuple[Formula, list[Problem]]:
    """The formula and its faults: signs that do not fit, and names that are not among `rules`."""
    parser = _Parser(text, rules)
    try:
        formula = parser.disjunction()
        while parser.lexeme:
            parser.stray()
            parser.disjunction()
    except _Stop:
        formula = NEVER
    return formula, sorted(parser.problems, key=lambda problem: problem.offset)


class _Stop(Exception):  # noqa: N818 - ends the reading of one formula, never leaves this module
    """The rest of the formula cannot be read sensibly."""


class _Parser:
    def __init__(self, text: str, rules: Sequence[str]) -> None:
        self.tokens = [(match.group(), match.start()) for match in _TOKEN.finditer(text)]
        self.tokens.append(("", len(text.rstrip())))
        self.rules = rules
        self.known = frozenset(rules)
        self.at = 0
        self.depth = 0
        self.problems: list[Problem] = []

    @property
    def lexeme(self) -> str:
        return self.tokens[self.at][0]

    def fault(self, message: str, advice: str, at: int | None = None) -> None:
        lexeme, offset = self.tokens[self.at if at is None else at]
        self.problems.append(Problem(offset, max(1, len(lexeme)), message, advice))

    def disjunction(self) -> Formula:
        parts = [self.conjunction()]
        while self.lexeme == "|":
            self.at += 1
            parts.append(self.conjunction())
        return disjunction(parts)

    def conjunction(self) -> Formula:
        parts = [self.literal()]
        while self.lexeme == "&":
            self.at += 1
            parts.append(self.literal())
        return conjunction(parts)

    def literal(self) -> Formula:
        negations = 0
        while self.lexeme == "!":
            negations += 1
            self.at += 1
        formula = self.group() if self.lexeme == "(" else self.fact()
        # Two negations are none; a long row of them must not become a deep formula.
        return Not(formula) if negations % 2 else formula

    def group(self) -> Formula:
        opened = self.at
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fault(f"more than {MAX_NESTING} nested parentheses", _ADVICE)
            raise _Stop
        self.at += 1
        formula = self.disjunction()
        self.depth -= 1
        if self.lexeme == ")":
            self.at += 1
        else:
            self.fault("'(' is never closed", "Write the ) where the group ends, or remove the (.", opened)
            if self.lexeme:
                raise _Stop
        return formula

    def fact(self) -> Formula:
        name = self.lexeme
        if not RULE_NAME.fullmatch(name):
            if name in _SPELLED:
                return NEVER
            what = f"before '{name}'" if name else "at the end"
            self.fault(f"the name of a rule is missing {what}", _ADVICE)
            return NEVER
        if name not in self.known:
            sign = _SPELLED.get(name)
            advice = f"Write {sign} for '{name}'." if sign else did_you_mean(name, self.rules, "rule")
            self.fault(f"there is no rule '{name}'", advice)
        self.at += 1
        return Fact(name)

    def stray(self) -> None:
        """What stands where & or | or the end should stand; passed over."""
        lexeme = self.lexeme
        if lexeme == ")":
            self.fault("')' closes nothing", "Remove it, or write the ( that it belongs to.")
        elif lexeme in _SPELLED:
            self.fault(f"'{lexeme}' is no sign of a formula", f"Write {_SPELLED[lexeme]} for it.")
        elif RULE_NAME.fullmatch(lexeme) or lexeme in "(!":
            self.fault(f"'&' or '|' is missing before '{lexeme}'", _ADVICE)
            return
        else:
            self.fault(f"'{lexeme}' has no place in a formula", _ADVICE)
        self.at += 1
        if not self.lexeme or self.lexeme in "&|)":
            raise _Stop
