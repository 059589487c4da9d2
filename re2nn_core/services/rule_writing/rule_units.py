"""The texts of a version in units that are merged one by one: rules, word classes and headings with the comments above
them, settings of the label logic, sentences of rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from re2nn_core.rules.names import RULE_NAME
from re2nn_core.rules.sentences import KINDS, RuleSentences, read_sentences, write_sentences
from re2nn_core.rules.source import logical_lines, split_lines
from re2nn_core.services.rule_systems.rule_switches import OFF

SECTION, END = "section", "end"
SENTENCE = "sentence of "  # how the kind of a sentence begins, before its rule
_SECTION = re.compile(r"\s*\[([^\[\]]*)\]\s*(?://.*)?\Z", re.DOTALL)
_CLASS = re.compile(r"\s*@([^@\s]*)@\s*:?=")
_NAMED = re.compile(rf"\s*({RULE_NAME.pattern})\s*:=")
_SETTING = re.compile(r"([A-Za-z_][\w-]*)\s*=")

Key = tuple[str, str, int]  # kind and name of a unit, and how many of the same stand above it


@dataclass(frozen=True)
class Unit:
    """Lines that belong together: `text` with the comments and blank lines above it. `section` is the heading below
    which they stand, if any."""

    key: Key
    text: str
    section: str = ""

    @property
    def same(self) -> tuple[str, ...]:
        """What makes it the same unit on two sides: its lines and its heading; blank lines do not count."""
        return self.section, *(line.rstrip() for line in self.text.split("\n") if line.strip())


def rule_units(rules_text: str) -> list[Unit]:
    """The units of rules. A rule that is switched off is the rule of its name still."""
    lines = split_lines(rules_text)
    last = {line.number: line.number + len(line.sources) - 1 for line in logical_lines(rules_text)}
    heads: list[tuple[int, str, str, str]] = []  # last line, kind, name, section
    section, at = "", 1
    while at <= len(lines):
        end, line = last.get(at, at), lines[at - 1]
        if line.startswith(OFF):
            while lines[end - 1].endswith("\\") and end < len(lines) and lines[end].startswith(OFF):
                end += 1
            line = line.removeprefix(OFF)
        if line.strip() and not line.lstrip().startswith("//"):
            kind, name = _named(line)
            section = name if kind == SECTION else section
            heads.append((end, kind, name, section))
        at = end + 1
    return list(_units(lines, heads))


def _named(line: str) -> tuple[str, str]:
    if (match := _SECTION.match(line)) is not None:
        return SECTION, match[1].strip()
    if (match := _CLASS.match(line)) is not None:
        return "class", f"@{match[1]}@"
    match = _NAMED.match(line)
    return ("rule", line.strip()) if match is None else ("rule", match[1])


def setting_units(logic_text: str) -> list[Unit]:
    """The units of label logic: a setting each."""
    lines = split_lines(logic_text)
    starts = [(at, match[1]) for at, line in enumerate(lines, start=1) if (match := _SETTING.match(line)) is not None]
    ends = [*(at - 1 for at, _ in starts[1:]), len(lines)][: len(starts)]
    heads = [
        (_without_tail(lines, begin, end), "setting", name, "") for (begin, name), end in zip(starts, ends, strict=True)
    ]
    return list(_units(lines, heads))


def _without_tail(lines: Sequence[str], begin: int, end: int) -> int:
    """The last line of a setting, less the comments and blank lines that stand above the next one."""
    while end > begin and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _units(lines: Sequence[str], heads: Sequence[tuple[int, str, str, str]]) -> Iterator[Unit]:
    counts: dict[tuple[str, str], int] = {}
    begin = 0
    for end, kind, name, section in heads:
        number = counts[kind, name] = counts.get((kind, name), 0) + 1
        yield Unit((kind, name, number), "\n".join(lines[begin:end]), section)
        begin = end
    if "".join(rest := lines[begin:]).strip():
        yield Unit((END, "the comments at the end", 1), "\n".join(rest))


def sentence_units(sentences_text: str) -> list[Unit]:
    """The units of sentences: each sentence of a rule, whose text is whether the rule must match it. InputError."""
    return [
        Unit((f"{SENTENCE}{one.rule}", sentence, 1), kind)
        for one in read_sentences(sentences_text)
        for kind in KINDS
        for sentence in one.of(kind)
    ]


def sentences_of_units(units: Sequence[Unit]) -> str:
    """The sentences of some units as text."""
    found: dict[str, dict[str, list[str]]] = {}
    for unit in units:
        kinds = found.setdefault(unit.key[0].removeprefix(SENTENCE), {kind: [] for kind in KINDS})
        kinds[unit.text].append(unit.key[1])
    return write_sentences(RuleSentences(rule, *map(tuple, kinds.values())) for rule, kinds in found.items())
