"""First rules of a new project by its task."""

from __future__ import annotations

from collections.abc import Callable

from re2nn_core.services.rule_writing.classification.starter_rules import starter_rules
from re2nn_core.services.rule_writing.slot_filling.starter_rules import slot_starter_rules
from re2nn_core.task import Task, by_task


def starter_rules_for(task: Task) -> Callable[..., str]:
    """What writes the text of first rules of (corpus, tokenization), with `suggest` or without."""
    return by_task(task, classification=starter_rules, slot_filling=slot_starter_rules)
