"""How the rules of each task are read and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from pages._compare.reconstructed.shared import System
from pages._shared.cached.systems import slot_system, system_of
from re2nn_core.services.rule_difference.language_difference import RuleSide, label_side, slot_side
from re2nn_core.services.rule_difference.moved_texts import MovedTexts, moved_labels, moved_spans, slots_and_words
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task
from re2nn_core.text.spans import read_spans


@dataclass(frozen=True)
class TaskRules(Generic[System]):
    """`system`: the rules of a version, RuleError and LogicError with every fault in it; `side`: rules as one side of a
    comparison, with its title; `moved`: the texts whose predictions change; `in_words`: a text's label in words."""

    system: Callable[[ProjectRecord, RuleVersion], System]
    side: Callable[[System, str], RuleSide]
    moved: Callable[[System, System, Sequence[str]], MovedTexts]
    in_words: Callable[[str, str], str]


LABELS = TaskRules(
    lambda project, version: system_of(version, project.tokenization),
    lambda system, title: label_side(system.ruleset, title),
    moved_labels,
    lambda _, label: label,
)
SLOTS = TaskRules(
    lambda project, version: slot_system(version, project),
    slot_side,
    moved_spans,
    lambda text, label: slots_and_words(text, read_spans(label)),
)
RULES: Mapping[Task, TaskRules[Any]] = {Task.CLASSIFICATION: LABELS, Task.SLOT_FILLING: SLOTS}
