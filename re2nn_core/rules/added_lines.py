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


def with_rules_added(
    rules_text: str, ruleset: RuleSet, rules: Iterable[tuple[str, str, Node]], *, comment: str = ""
) -> str:
    """The text with rules (label, name, expression) more, each with the comment; all else stays as it was written.
    `ruleset` is the text as read."""
    written: dict[str, list[str]] = {}
    for label, name, tree in rules:
        *lines, last = wrapped(f"{name} := {print_expression(tree)}")
        written.setdefault(label, []).extend([*lines, f"{last}     {comment}" if comment else last])
    ends = {line.number: line.number - 1 + len(line.sources) for line in logical_lines(rules_text)}
    lines, sections, inserted = split_lines(rules_text), "", {}
    for label, added in written.items():
        own = ruleset.of_label(label)
        if own:
            inserted[ends[max(rule.line for rule in own)]] = added
        else:
            sections += "\n".join(["", "", f"[{label}]", *added])
    for end in sorted(inserted, reverse=True):
        lines[end:end] = inserted[end]
    text = "\n".join(lines)
    return text if not sections else (text.rstrip() + sections).lstrip("\n") + "\n"


def free_name(words: Iterable[str], taken: Collection[str]) -> str:
    """A name for a rule, of the words it looks for; with a number where it is taken."""
    parts = [part for word in words if (part := _NO_NAME.sub("", word))]
    name = "_".join(parts[:3]) or "proposed"
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
