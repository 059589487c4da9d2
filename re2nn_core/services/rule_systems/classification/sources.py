"""Rules and label logic from files: what the command line reads.

The pages read the same things from the store; both hand the services the same values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.automata.checks.nothing_left import but_not_without_effect
from re2nn_core.errors import Fault
from re2nn_core.rules.logic.label_logic import LabelLogic, default_logic, read_logic_file
from re2nn_core.rules.logic.logic_text import logic_as_toml
from re2nn_core.rules.logic.unused_rules import unused_rule_warnings
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.rules.warnings.cut_words import words_the_tokenizer_cuts
from re2nn_core.rules.word_lists.content import read_rule_text
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem


@dataclass(frozen=True)
class LoadedRules:
    """A rule file with its label logic, as read and as written (the logic as TOML, in its author's words; empty where
    no file was given). `warnings` tell what was read but hardly meant."""

    ruleset: RuleSet
    logic: LabelLogic
    tokenization: Tokenization
    rules_text: str
    logic_text: str
    warnings: tuple[Fault, ...]

    def system(self) -> RuleSystem:
        """The rule system of these files."""
        from re2nn_core.services.rule_systems.classification.systems import RuleSystem

        return RuleSystem(self.ruleset, self.logic, self.tokenization, self.rules_text, self.logic_text)


def load_rules(path: Path, logic_path: Path | None, tokenization: Tokenization) -> LoadedRules:
    """Rules and label logic from files. InputError where a file cannot be read; RuleError or LogicError with
    every fault in it."""
    text = read_rule_text(path)
    read = read_rules(text, file=str(path), lowercase=tokenization.lowercase)
    warnings = all_warnings(read.warnings, read.ruleset, tokenization, path)
    if logic_path is None:
        return LoadedRules(read.ruleset, default_logic(read.ruleset), tokenization, text, "", warnings)
    logic = read_logic_file(logic_path, read.ruleset)
    written = read_text_file(logic_path, "a file of label logic")
    unused = unused_rule_warnings(read.ruleset, logic, written, file=str(path), logic_file=str(logic_path))
    warnings = in_order((*warnings, *unused))
    return LoadedRules(read.ruleset, logic, tokenization, text, logic_in_toml(written, logic_path), warnings)


def load_without_rules(text: str, logic_path: Path | None, tokenization: Tokenization) -> LoadedRules:
    """No rule at all: the text of a rule file that has comments alone, and its label logic. InputError where that
    cannot be read; LogicError for one that names a rule."""
    nothing = RuleSet(())
    if logic_path is None:
        return LoadedRules(nothing, default_logic(nothing), tokenization, text, "", ())
    logic = read_logic_file(logic_path, nothing)
    written = read_text_file(logic_path, "a file of label logic")
    return LoadedRules(nothing, logic, tokenization, text, logic_in_toml(written, logic_path), ())


def logic_in_toml(written: str, path: Path) -> str:
    """The text of a file of label logic that can be read, as it is written; of a JSON file, the same keys as TOML."""
    return logic_as_toml(json.loads(written)) if path.suffix.lower() == ".json" else written


def all_warnings(
    warnings: Sequence[Fault], ruleset: RuleSet, tokenization: Tokenization, path: Path
) -> tuple[Fault, ...]:
    """The warnings of a rule file with those of words that the tokenizer cuts, and of `but not ( ... )` that changes
    nothing or all, in the order of their places."""
    cut = words_the_tokenizer_cuts(ruleset, tokenization, file=str(path))
    without_effect = but_not_without_effect(ruleset.rules, file=str(path))
    return in_order((*warnings, *cut, *without_effect))


def in_order(warnings: Sequence[Fault]) -> tuple[Fault, ...]:
    """Warnings of one file in the order of their places."""
    return tuple(sorted(warnings, key=lambda warning: (warning.line, warning.column)))
