"""First rules of a new project by its task: how they are written, and what of them was suggested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from re2nn_core.services.rule_writing.classification.starter_rules import starter_rules, suggested_in
from re2nn_core.services.rule_writing.slot_filling.starter_rules import slot_starter_rules, suggested_slots_in
from re2nn_core.task import Task


@dataclass(frozen=True)
class StarterRules:
    """`write` gives the text of first rules of (corpus, tokenization), with `suggest` or without; `suggested_in` the
    labels or slots for which it suggested some."""

    write: Callable[..., str]
    suggested_in: Callable[[str], tuple[str, ...]]


def starter_rules_for(task: Task) -> StarterRules:
    """The first rules of projects for a task."""
    return _STARTERS[task]


def holds_suggested_rules(rules_text: str) -> bool:
    """Whether some of these rules were suggested from training texts, by the comment that stands with them."""
    return any(starter.suggested_in(rules_text) for starter in _STARTERS.values())


_STARTERS = {
    Task.CLASSIFICATION: StarterRules(starter_rules, suggested_in),
    Task.SLOT_FILLING: StarterRules(slot_starter_rules, suggested_slots_in),
}
