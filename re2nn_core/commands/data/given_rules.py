"""Rules that are given for a new project, in place of those that would be suggested from its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from re2nn_core.commands._common.inputs import load_system
from re2nn_core.commands._common.options import given_options
from re2nn_core.commands._common.slot_filling.inputs import load_slot_system
from re2nn_core.commands._common.sources import Sources
from re2nn_core.errors import InputError
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem


def given_rules(sources: Sources) -> RuleSystem | SlotSystem | None:
    """The rules of the files; None where none were given. InputError for logic without rules, and for --no-rules with
    them; RuleError, LogicError."""
    if sources.rules is None:
        if sources.logic is not None:
            raise InputError("--logic belongs to rules: write --rules FILE too, or leave it out.")
        return None
    if given_options("no_rules"):
        raise InputError("--no-rules is for a project without rules. Leave out --no-rules, or --rules.")
    files = sources.rules, sources.logic, sources.tokenization
    return load_slot_system(*files) if sources.task is Task.SLOT_FILLING else load_system(*files)


def saved_in_words(rules: RuleSystem | SlotSystem) -> str:
    """What a project begins with, in a sentence."""
    return f"{counted(len(rules.ruleset.rules), 'rule')} of --rules saved as rules v1."
