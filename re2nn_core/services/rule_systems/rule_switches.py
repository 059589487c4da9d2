"""Edits of a rule text that keep all else as it was written: rules switched off and on again.

A rule that is off stands behind `//-`, so it is a comment to every reader of the file and still known here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from re2nn_core.rules.names import RULE_NAME
from re2nn_core.rules.source import logical_lines, split_lines

OFF = "//- "
_SECTION = re.compile(r"\s*\[([^\[\]]*)\]\s*(?://.*)?\Z")
_NAMED = re.compile(rf"\s*({RULE_NAME.pattern})\s*:=")


@dataclass(frozen=True)
class OffRule:
    """A rule that is switched off; `line` is its first line."""

    name: str
    label: str
    line: int


def switched_off(rules_text: str) -> tuple[OffRule, ...]:
    """The rules that are off, in file order."""
    found: list[OffRule] = []
    label, inside = "", False
    for number, line in enumerate(split_lines(rules_text), start=1):
        if match := _SECTION.match(line):
            label, inside = match.group(1).strip(), False
        elif line.startswith(OFF):
            if not inside:
                named = _NAMED.match(line[len(OFF) :])
                found.append(OffRule(named.group(1) if named else f"line {number}", label, number))
            inside = line.endswith("\\")
        else:
            inside = False
    return tuple(found)


def switch_off(rules_text: str, line: int) -> str:
    """The text with the rule that holds this line off; unchanged where no rule does."""
    lines = split_lines(rules_text)
    for logical in logical_lines(rules_text):
        last = logical.number + len(logical.sources) - 1
        if logical.number <= line <= last and not logical.text.lstrip().startswith("//"):
            for place in range(logical.number - 1, last):
                lines[place] = OFF + lines[place]
    return "\n".join(lines)


def switch_on(rules_text: str, line: int) -> str:
    """The text with the rule that begins in this line on again; unchanged where none is off there."""
    lines = split_lines(rules_text)
    place = line - 1
    while 0 <= place < len(lines) and lines[place].startswith(OFF):
        lines[place] = lines[place].removeprefix(OFF)
        if not lines[place].endswith("\\"):
            break
        place += 1
    return "\n".join(lines)


def name_at(rules_text: str, line: int) -> str | None:
    """The name that is written in front of `:=` in this line."""
    lines = split_lines(rules_text)
    named = _NAMED.match(lines[line - 1]) if 0 < line <= len(lines) else None
    return named.group(1) if named else None


def line_named(rules_text: str, name: str) -> int | None:
    """The first line in which the name is written in front of `:=`, whether the rules can be read or not."""
    named = ((number, _NAMED.match(line)) for number, line in enumerate(split_lines(rules_text), start=1))
    return next((number for number, match in named if match and match.group(1) == name), None)


def rule_start(rules_text: str, line: int) -> int:
    """The first line of the rule, class or header that goes on in this line; the line itself where none
    does.
    """
    for logical in logical_lines(rules_text):
        if logical.number <= line < logical.number + len(logical.sources):
            return logical.number
    return line
