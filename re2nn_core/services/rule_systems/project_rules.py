"""Rules of a project as the rule system of its task."""

from __future__ import annotations

from collections.abc import Callable

from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.stored_spans import known_slots_of
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.store import ProjectRecord, Store
from re2nn_core.task import Task


def read_project_rules(
    store: Store, project: ProjectRecord, rules_text: str, logic_text: str
) -> RuleSystem | SlotSystem:
    """The system of rules and label logic, or of slot rules and their priorities. RuleError, LogicError; InputError for
    slot rules that capture nothing."""
    return _READERS[project.task](store, project, rules_text, logic_text)


def _read_label_rules(store: Store, project: ProjectRecord, rules_text: str, logic_text: str) -> RuleSystem:
    return read_system(rules_text, logic_text, project.tokenization)[0]


def _read_slot_rules(store: Store, project: ProjectRecord, rules_text: str, logic_text: str) -> SlotSystem:
    known = known_slots_of(store, project)
    return read_slot_system(rules_text, logic_text, project.tokenization, known_slots=known)[0]


_Reader = Callable[[Store, ProjectRecord, str, str], RuleSystem | SlotSystem]
_READERS: dict[Task, _Reader] = {Task.CLASSIFICATION: _read_label_rules, Task.SLOT_FILLING: _read_slot_rules}
