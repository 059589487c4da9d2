"""Which rules a project began with were suggested from its texts, by the comment that stands with them."""

from __future__ import annotations

import re

from re2nn_core.rules.rule_comments import SUGGESTED
from re2nn_core.task import Task, by_task


def suggested_in(rules_text: str, task: Task) -> tuple[str, ...]:
    """The labels or slots for which rules were suggested."""
    above = by_task(task, classification=rf"^\[(.+)\]\n.*// {SUGGESTED}$", slot_filling=rf"^// (.+): {SUGGESTED}$")
    return tuple(dict.fromkeys(re.findall(above, rules_text, re.MULTILINE)))


def holds_suggested_rules(rules_text: str) -> bool:
    """Whether some of these rules were suggested from training texts."""
    return any(suggested_in(rules_text, task) for task in Task)
