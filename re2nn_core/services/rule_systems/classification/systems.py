"""A symbolic rule system: rules, label logic and tokenizer, and its predictions for texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.matcher import RuleMatcher, build_matcher
from re2nn_core.errors import Fault
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all, read_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet, tokenization_for
from re2nn_core.text.tokenization import Tokenization, words_of_all


@dataclass(frozen=True)
class RuleSystem:
    """Rules and logic as read, and as written; `tokenization` with the spellings that the rules tell from others."""

    ruleset: RuleSet
    logic: LabelLogic
    tokenization: Tokenization
    rules_text: str
    logic_text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenization", tokenization_for(self.ruleset, self.tokenization))

    @cached_property
    def matcher(self) -> RuleMatcher:
        """StateBudgetError names the rule that is too large."""
        return build_matcher(self.ruleset.rules)

    @cached_property
    def rule_names(self) -> tuple[str, ...]:
        return tuple(rule.name for rule in self.ruleset.rules)

    def matched(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """[texts, rules]: True where the rule accepts the text."""
        return self.matcher.matched(words_of_all(texts, self.tokenization))

    def prediction_indices(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """[texts]: index into `logic.labels`, -1 where no rule matches and there is no default label."""
        return self._indices(self.matched(texts))

    def predictions(self, texts: Sequence[str]) -> list[str | None]:
        """The label of each text; None where no rule matches and there is no default label."""
        return self.decided(self.matched(texts))

    def decided(self, matched: NDArray[np.bool_]) -> list[str | None]:
        """The label of each text, whose rules are matched [texts, rules]; None as for `predictions`."""
        return [None if index < 0 else self.logic.labels[index] for index in self._indices(matched)]

    def _indices(self, matched: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(decide_all(self.logic, self.rule_names, matched), dtype=np.int64)


def read_system(
    rules_text: str,
    logic_text: str | None,
    tokenization: Tokenization,
    *,
    rules_file: str = "<rules>",
    logic_file: str = "<logic>",
) -> tuple[RuleSystem, tuple[Fault, ...]]:
    """The system of a rule text and a label logic text (TOML; None or empty: each label is the disjunction of its
    rules), with the warnings of the rule text. RuleError, LogicError."""
    read = read_rules(rules_text, file=rules_file, lowercase=tokenization.lowercase)
    text = logic_text or ""
    logic = read_logic(text, read.ruleset, format="toml", file=logic_file)
    return RuleSystem(read.ruleset, logic, tokenization, rules_text, text), read.warnings
