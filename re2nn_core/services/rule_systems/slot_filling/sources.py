"""Rules for slots and their priorities from files: what the command line reads. classification/sources.py is the same
for labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import Fault, RuleError
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.sentences import refuse_sentences
from re2nn_core.rules.tagging import has_slots
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.rules.word_lists.content import read_rule_text
from re2nn_core.services.rule_systems.classification.sources import all_warnings
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.tokenization import Tokenization

_MARK = "<"  # without it nothing is captured or tagged


@dataclass(frozen=True)
class LoadedSlots:
    """A rule file with its priorities; `warnings` tell what was read but hardly meant."""

    system: SlotSystem
    warnings: tuple[Fault, ...]


def captures_words(path: Path, tokenization: Tokenization) -> bool:
    """Whether some rule of a file captures or tags a word; False for a file with faults, which has to be read to tell
    them. InputError where it cannot be read."""
    return captures_in(read_rule_text(path), str(path), tokenization)


def captures_in(text: str, file: str, tokenization: Tokenization) -> bool:
    """The same of the text of a rule file."""
    if _MARK not in text:
        return False
    try:
        read = read_rules(text, file=file, lowercase=tokenization.lowercase)
    except RuleError:
        return False
    return any(has_slots(rule.expanded) for rule in read.ruleset.rules)


def load_slots(
    path: Path, logic_path: Path | None, tokenization: Tokenization, known_slots: Sequence[str] = ()
) -> LoadedSlots:
    """Rules and priorities from files. InputError where a file cannot be read or no rule captures a word; RuleError or
    LogicError with every fault in it."""
    logic = None if logic_path is None else read_text_file(logic_path, "a file of priorities")
    if logic is not None and logic_path is not None:
        refuse_sentences(logic, logic_path)
    system, warnings = read_slot_system(
        read_rule_text(path),
        logic,
        tokenization,
        known_slots=known_slots,
        rules_file=str(path),
        logic_file=str(logic_path),
    )
    return LoadedSlots(system, all_warnings(warnings, system.ruleset, tokenization, path))
