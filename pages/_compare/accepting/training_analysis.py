"""What rules do on the project's texts, judged by the labels that may train: on the page Compare those that wait by the
project's policy count for nothing, as they chose nothing in the training."""

from __future__ import annotations

from pages._rules import analysis as labels
from pages._rules.slot_filling import analysis as slots
from pages._shared.cached.models import material_of_project
from pages._shared.cached.systems import known_slots
from pages._shared.drawing.markup import html
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, evaluated_by
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, spans_evaluated_by
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted


def analysis(project: ProjectRecord, rules_text: str, logic_text: str) -> Analysis:
    """The figures of rules and logic; RuleError and LogicError with every fault."""
    found = labels.analysis(project, rules_text, logic_text)
    material = material_of_project(project)
    if material.policy.kind == "every":
        return found
    return evaluated_by(found, [record.label for record in material.records])


def slot_analysis(project: ProjectRecord, rules_text: str, logic_text: str) -> SlotAnalysis:
    """The same of rules for slots; InputError for rules that capture nothing, StateBudgetError."""
    found = slots.slot_analysis(project, rules_text, logic_text)
    material = material_of_project(project)
    if material.policy.kind == "every":
        return found
    examples = span_examples_of(material.records, known_slots(project))
    return spans_evaluated_by(found, [example.spans for example in examples])


def report_waiting(project: ProjectRecord) -> None:
    """That some labels count for nothing here; nothing where none waits."""
    count = len(material_of_project(project).waiting)
    if count:
        wait = "waits" if count == 1 else "wait"
        html(
            f"""<div class="re2-muted">The labels of {counted(count, "text")} that {wait} by the project's """
            "policy are not counted.</div>"
        )
