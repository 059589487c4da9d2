"""What services do otherwise for each task, in one place: `services_for(project.task)` in the place of a branch.

The packages below, which cannot ask here, look up small tables of their own. Nothing here loads a network.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from re2nn_core.services.rule_difference.language_difference import RuleSide, label_side, slot_side
from re2nn_core.services.rule_difference.moved_texts import MovedTexts, moved_labels, moved_spans, slots_and_words
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.stored_spans import slots_in_use
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.team.annotations import TeamAnnotations
from re2nn_core.services.team.team_agreement import AgreementFigures, label_agreement_figures, slot_agreement_figures
from re2nn_core.store import Store, TextRecord, labels_of
from re2nn_core.task import Task
from re2nn_core.text.spans import read_spans
from re2nn_core.text.tokenization import Tokenization

System = TypeVar("System", RuleSystem, SlotSystem)
Names = tuple[str, ...]


@dataclass(frozen=True)
class TaskServices(Generic[System]):
    """What a task offers.

    analyse        rules as a system, from (rules, label logic or priorities, tokenization, how the texts spell slots).
                   RuleError, LogicError
    rule_side      a system as one side of a comparison, under a title
    compare        the texts to which two systems give another prediction
    agreement      how far a team agrees, from (annotations, texts by their ids, tokenization)
    labels_in_use  the labels or slots that the texts came with, and those that people gave
    in_words       what stands for a text; empty where nothing does
    """

    analyse: Callable[[str, str, Tokenization, Names], System]
    rule_side: Callable[[System, str], RuleSide]
    compare: Callable[[System, System, Sequence[str]], MovedTexts]
    agreement: Callable[[TeamAnnotations, Mapping[int, str], Tokenization], AgreementFigures]
    labels_in_use: Callable[[Store, int], tuple[Names, Names]]
    in_words: Callable[[TextRecord], str]


def services_for(task: Task) -> TaskServices[Any]:
    """What the task offers."""
    return _SERVICES[task]


def _label_system(rules_text: str, logic_text: str, tokenization: Tokenization, _: Names) -> RuleSystem:
    return read_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="label logic")[0]


def _slot_system(rules_text: str, logic_text: str, tokenization: Tokenization, known: Names) -> SlotSystem:
    return read_slot_system(
        rules_text, logic_text, tokenization, known_slots=known, rules_file="rules", logic_file="priorities"
    )[0]


def _spans_in_words(record: TextRecord) -> str:
    return "" if record.label is None else slots_and_words(record.text, read_spans(record.label))


_SERVICES: dict[Task, TaskServices[Any]] = {
    Task.CLASSIFICATION: TaskServices[RuleSystem](
        analyse=_label_system,
        rule_side=lambda system, title: label_side(system.ruleset, title),
        compare=moved_labels,
        agreement=lambda team_annotations, texts, tokenization: label_agreement_figures(team_annotations),
        labels_in_use=lambda store, project_id: (
            labels_of(store, project_id, came=True),
            labels_of(store, project_id, came=False),
        ),
        in_words=lambda record: record.label or "",
    ),
    Task.SLOT_FILLING: TaskServices[SlotSystem](
        analyse=_slot_system,
        rule_side=slot_side,
        compare=moved_spans,
        agreement=slot_agreement_figures,
        labels_in_use=slots_in_use,
        in_words=_spans_in_words,
    ),
}
