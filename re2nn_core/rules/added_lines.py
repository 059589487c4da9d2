"""A rule written into a rule text: behind the last rule of its label, or in a new section at the end."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.rule_lines import wrapped
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.source import logical_lines, split_lines
from re2nn_core.rules.tree import Node

_NO_NAME = re.compile(r"[^\w\-]+")


def with_rule_added(rules_text: str, ruleset: RuleSet, label: str, name: str, tree: Node) -> str:
    """The text with one rule more; all else stays as it was written. `ruleset` is the text as read."""
    written = wrapped(f"{name} := {print_expression(tree)}")
    own = ruleset.of_label(label)
    if not own:
        head = rules_text.rstrip()
        return "\n".join([*([head, ""] if head else []), f"[{label}]", *written]) + "\n"
    last = max(rule.line for rule in own)
    line = next(line for line in logical_lines(rules_text) if line.number == last)
    lines, end = split_lines(rules_text), last - 1 + len(line.sources)
    return "\n".join([*lines[:end], *written, *lines[end:]])


def free_name(words: Iterable[str], taken: Collection[str]) -> str:
    """A name for a rule, of the words it looks for; with a number where it is taken."""
    parts = [part for word in words if (part := _NO_NAME.sub("", word))]
    name = "_".join(parts[:3]) or "proposed"
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
