"""Rule files: sections, names, word classes and rules, with every fault of the file at once.

    // a comment
    @city@=( boston | new york )      a class, for the rules below it until it is defined again
    @name@ = file("names.txt")        a class of the entries of a file (word_lists/definition.py)
    [flight]                          the label of the rules below it
    $* from @city@ $*                 a rule; its name is flight.1
    to_city := $* to @city@ $*        a rule with a name of its own // and a note
    $* ( flight | flights ) \\         a backslash at the end
        to @city@ $*                  continues the line

Rules with captures or tags need no label; above the first section their label is "slots".
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from re2nn_core.errors import Fault, RuleError, StateBudgetError
from re2nn_core.rules.definitions import EVERY, ClassDefinitions, Expression
from re2nn_core.rules.leaves import CLASS_NAME, SLOT
from re2nn_core.rules.letter_limits import nearly_too_many, too_many
from re2nn_core.rules.lexer import invisible_sign
from re2nn_core.rules.names import LABEL, LABEL_ADVICE, RULE_NAME, SLOT_LABEL, rule_names
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.source import LogicalLine, Problem, Written, logical_lines, split_lines
from re2nn_core.rules.tagging import has_slots, may_have_slots
from re2nn_core.rules.tree import patterns_in, with_cases
from re2nn_core.rules.warnings.odd_tags import lonely_tags, same_but_for_case
from re2nn_core.rules.word_lists.content import read_rule_text
from re2nn_core.rules.word_lists.definition import begins_list, split_kept
from re2nn_core.text.like_words import is_like
from re2nn_core.text.word_patterns.classes import class_words

_HEADER = re.compile(r"\s*\[(?!\^)([^\[\]]*)\]\s*(?://.*)?\Z", re.DOTALL)
_UNCLOSED_HEADER = re.compile(r"\s*(\[)([\w+\-./& ]*)\Z")
_CLASS = re.compile(r"\s*@([^@\s]*)@\s*(:?=)")
_NAMED = re.compile(rf"\s*({RULE_NAME.pattern})\s*:=")
# A capture, be it that its slot is not named yet.
_SLOT_NOTATION = re.compile(r"<:>|\]<|(?<![\\\"])\[")
# `( oslo )<city>`, `oslo<city>`
_UNCAPTURED = re.compile(r"(?<=[^\s\](|\[])<[\w.:/'\-]+>")
_MISTYPED_NAME = re.compile(rf"\s*(({RULE_NAME.pattern})(?::(?=\s)|\s*=(?=[\s(\[$@%&])))")


NO_SLOT = "the rule captures no word, so it gives no slot"


@dataclass(frozen=True)
class RuleFile:
    """What a rule file holds, and what in it is read but hardly meant."""

    ruleset: RuleSet
    warnings: tuple[Fault, ...]


def expression_start(text: str) -> int | None:
    """Where in its logical line the expression of a rule or a class begins; None for a section, a comment and a class
    that is defined by a list."""
    if text.lstrip().startswith("//") or _HEADER.match(text):
        return None
    if match := _CLASS.match(text):
        return None if begins_list(text[match.end() :]) else match.end()
    named = _NAMED.match(text)
    return named.end() if named else 0


@dataclass(slots=True)
class _Item:
    """A class definition (`class_name` is not None) or a rule; its expression starts at `body`."""

    line: LogicalLine
    body: int
    class_name: str | None = None
    label: str | None = None
    given: str = ""
    name: str = ""
    kept: str = ""  # of a list, the comment that has its entries


def read_rules(text: str, *, file: str = "<rules>", lowercase: bool = True) -> RuleFile:
    """The rules of a text; RuleError with every fault in it. `lowercase` folds the words of the rules."""
    return _read_rules(text.removeprefix("\ufeff"), file, lowercase)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Trees hold no circles, and looking for some among ever more of them is half the time of a large file."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@lru_cache(maxsize=32)  # a page reads the same few texts over and over
@_no_collection()
def _read_rules(text: str, file: str, lowercase: bool) -> RuleFile:
    reader = _Reader(file)
    items = reader.items(text)
    reader.name_rules(items)
    classes = ClassDefinitions(lowercase, _definition_lines(items))
    entries = [entry for item in items if (entry := reader.entry(item, classes)) is not None]
    if not reader.faults and not any(isinstance(entry, Rule) for entry in entries):
        reader.faults.append(_no_rules(text, file))
    reader.warn_of_silent_rules(entries)
    reader.warn_of_tags([entry for entry in entries if isinstance(entry, Rule)])
    if reader.faults:
        raise RuleError(sorted(reader.faults, key=_place))
    ruleset = RuleSet(tuple(entries), classes.cased)
    if ruleset.cased:
        ruleset = replace(ruleset, entries=tuple(_with_cases(entry, ruleset.cased) for entry in entries))
    if classes.has_patterns:
        reader.check_patterns(ruleset)
    return RuleFile(ruleset, tuple(sorted(reader.warnings, key=_place)))


def _with_cases(entry: Rule | WordClass, cased: frozenset[str]) -> Rule | WordClass:
    """A rule whose plain words read the spellings too that are told from others."""
    return replace(entry, expanded=with_cases(entry.expanded, cased)) if isinstance(entry, Rule) else entry


def _without_kept(line: LogicalLine) -> tuple[LogicalLine, str]:
    """The line of a class without the comment that has the entries of a list, and that comment."""
    text, kept = split_kept(line.text)
    if not kept:
        return line, ""
    return replace(line, text=text, sources=(*line.sources[:-1], split_kept(line.sources[-1])[0])), kept


def _mistyped(match: re.Match[str]) -> Problem:
    """`city: ...` and `city = ...` for `city := ...`."""
    start, end = match.span(1)
    return Problem(
        start,
        end - start,
        f"'{match.group(1)}' is read as words that the rule begins with, not as its name",
        f"Write {match.group(2)} := for a name; put quotes around a word that is meant.",
    )


def _advice_for_silent(label: str) -> str:
    """What to write where a rule captures nothing; people put a slot's name into a heading."""
    if label == SLOT_LABEL:
        return "Write [ ... ]<slot> around the words of a slot, as in $* to [ $ ]<city> $*, or remove the rule."
    slot = label if SLOT.fullmatch(label) else "slot"
    return f"Write [ ... ]<{slot}> around the words of the slot: a heading, [{label}], captures nothing."


def _definition_lines(items: list[_Item]) -> dict[str, tuple[int, str]]:
    """The line in which each class is defined first, and what stands behind its name."""
    lines: dict[str, tuple[int, str]] = {}
    for item in items:
        if item.class_name is not None:
            lines.setdefault(item.class_name, (item.line.number, item.line.text[item.body :]))
    return lines


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line, fault.column


def _no_rules(text: str, file: str) -> Fault:
    lines = split_lines(text)
    number = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return Fault(
        "there is no rule here",
        number + 1,
        1,
        lines[number],
        "Write a section and a rule below it, for example:\n    [flight]\n    $* ( flight | flights ) $*",
        file=file,
    )


class _Reader:
    """Reads one file: first its lines, then the names of its rules, then their expressions."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.used_labels: set[str | None] = set()
        self.silent: list[tuple[_Item, Expression]] = []  # rules without a capture

    def fault(self, line: LogicalLine, problem: Problem, where: str = "") -> None:
        self.faults.append(line.fault(problem, file=self.file, where=where))

    def items(self, text: str) -> list[_Item]:
        """The classes and rules of a file, each rule with the label of its section."""
        items: list[_Item] = []
        label: str | None = None
        header: LogicalLine | None = None
        for line in logical_lines(text):
            start = line.text.lstrip()
            if not start or start.startswith("//"):
                continue
            if start[0] == "[" and (match := _HEADER.match(line.text)):
                self.warn_of_empty_section(header, label)
                header, label = line, self.label(line, match)
            elif start[0] == "[" and (match := _UNCLOSED_HEADER.match(line.text)):
                header, label = line, self.unclosed_label(line, match)
            elif start[0] == "@" and (match := _CLASS.match(line.text)):
                line, kept = _without_kept(line)
                items.append(replace(self.class_item(line, match), kept=kept))
            else:
                items.append(self.rule_item(line, label))
                self.used_labels.add(label)
        self.warn_of_empty_section(header, label)
        return items

    def label(self, line: LogicalLine, match: re.Match[str]) -> str:
        """The label that a section header names."""
        label = match.group(1).strip()
        start, end = match.span(1)
        if not label:
            self.fault(line, Problem(start - 1, end - start + 2, "the section has no label", "Write it as [flight]."))
        elif advice := invisible_sign(label):
            problem = Problem(start, end - start, f"the label '{label}' contains an invisible sign", advice)
            self.warnings.append(line.fault(problem, file=self.file))
        elif not LABEL.fullmatch(label):
            self.fault(line, Problem(start, end - start, f"'{label}' cannot be a label", LABEL_ADVICE))
        return label

    def unclosed_label(self, line: LogicalLine, match: re.Match[str]) -> str:
        label = match.group(2).strip()
        advice = f"Write [{label or 'flight'}] for a section, or [ {label or 'words'} ]<slot> for a capture."
        place = match.start(1)
        self.fault(line, Problem(place, match.end() - place, "'[' is never closed", advice))
        return label

    def class_item(self, line: LogicalLine, match: re.Match[str]) -> _Item:
        name = match.group(1)
        if not (CLASS_NAME.fullmatch(name) or is_like(name)):
            start, end = match.span(1)
            advice = "A class name holds letters, digits and . _ -, as in @city@=( boston | denver )."
            advice = invisible_sign(name) or advice
            self.fault(line, Problem(start - 1, end - start + 2, f"'@{name}@' does not name a class", advice))
        if match.group(2) == ":=":
            advice = f"Write @{name}@=( boston | denver ); ':=' is for names of rules."
            self.fault(line, Problem(match.start(2), 2, "a class is defined with '='", advice))
        return _Item(line, match.end(), class_name=name)

    def warn_of_empty_section(self, header: LogicalLine | None, label: str | None) -> None:
        """A label without rules is not part of the rule set: say so."""
        if header is None or label in self.used_labels:
            return
        problem = Problem(
            0,
            len(header.text),
            f"label '{label}' has no rule, so it is no label of this rule set",
            "Write a rule below it, or name it as the default label of the label logic.",
        )
        self.warnings.append(header.fault(problem, file=self.file))

    def rule_item(self, line: LogicalLine, label: str | None) -> _Item:
        item = _Item(line, 0, label=label)
        if ":=" not in line.text:
            return item
        if match := _NAMED.match(line.text):
            item.body, item.given = match.end(), match.group(1)
        elif (advice := invisible_sign(before := line.text.partition(":=")[0])) and '"' not in before:
            item.body = line.text.index(":=") + 2
            self.fault(line, Problem(0, item.body, "the text before ':=' is not a rule name", advice))
        elif line.text.lstrip().startswith(":="):
            item.body = line.text.index(":=") + 2
            self.fault(
                line,
                Problem(item.body - 2, 2, "there is no name before ':='", "Write it as my_rule := $* a $*"),
            )
        return item

    def name_rules(self, items: list[_Item]) -> None:
        """Labels for rules above the first section, and a distinct name for every rule."""
        rules = [item for item in items if item.class_name is None]
        above = [item for item in rules if item.label is None]
        without_label = [] if any(_SLOT_NOTATION.search(item.line.text) for item in above) else above
        if without_label:
            line = above[0].line
            start = len(line.text) - len(line.text.lstrip())
            message = "the rule is above the first section, so it has no label"
            advice = "Write its label as [label] on a line above."
            if slot := next((found for item in above if (found := _UNCAPTURED.search(item.line.text))), None):
                advice = f"Square brackets capture words for a slot: [ ... ]{slot.group()}. {advice[:-1]}, for labels."
            self.fault(line, Problem(start, len(line.text) - start, message, advice))
        first: dict[str, _Item] = {}
        for item in rules:
            item.label = SLOT_LABEL if item.label is None else item.label
            if item.given and first.setdefault(item.given, item) is not item:
                self.fault_of_second_name(item, first[item.given])
        for item, name in zip(rules, rule_names((item.label or "", item.given) for item in rules), strict=True):
            item.name = name
        for item in without_label:
            item.name = item.given  # a name made of a label that nobody wrote would say nothing

    def fault_of_second_name(self, item: _Item, first: _Item) -> None:
        message = f"the name '{item.given}' is taken by the rule in line {first.line.number}"
        place = item.line.text.index(item.given)
        self.fault(item.line, Problem(place, len(item.given), message, "Give one of the two another name."))

    def warn_of_silent_rules(self, entries: Sequence[Rule | WordClass]) -> None:
        """Rules without a capture do nothing where others have one, and a default label is no help there."""
        rules = sum(isinstance(entry, Rule) for entry in entries)
        if not rules > len(self.silent):
            return
        found = [self._silence(item, expression) for item, expression in self.silent]
        silent = {(fault.where, fault.line) for fault in found}
        self.warnings = [w for w in self.warnings if w.message != EVERY or (w.where, w.line) not in silent]
        self.warnings.extend(found)

    def _silence(self, item: _Item, expression: Expression) -> Fault:
        problem = expression.problem(NO_SLOT, _advice_for_silent(item.label or SLOT_LABEL))
        return item.line.fault(problem, file=self.file, where=f"rule '{item.name}'")

    def check_patterns(self, ruleset: RuleSet) -> None:
        """RuleError where the rules ask for letters of words in so many ways that their classes cannot be listed; a
        warning where one or two more would be too many."""
        asking = next((rule for rule in ruleset.rules if patterns_in(rule.expanded)), None)
        if asking is None or asking.written is None:
            return
        line, body = asking.written.line, asking.written.body
        width = len(line.text.rstrip()) - body
        try:
            class_words(ruleset.patterns)
        except StateBudgetError:
            raise RuleError([line.fault(Problem(body, width, *too_many(ruleset)), file=self.file)]) from None
        if (near := nearly_too_many(ruleset)) is not None:
            self.warnings.append(line.fault(Problem(body, width, *near), file=self.file))

    def warn_of_tags(self, rules: Sequence[Rule]) -> None:
        """Tags that continue nothing, and slots of two spellings."""
        found = [(rule, problem) for rule in rules for problem in lonely_tags(rule)]
        for rule, problem in (*found, *same_but_for_case(rules)):
            if rule.written is not None:
                self.warnings.append(rule.written.line.fault(problem, file=self.file, where=f"rule '{rule.name}'"))

    def entry(self, item: _Item, classes: ClassDefinitions) -> Rule | WordClass | None:
        """The rule or class of an item; None, and its faults, where it has any."""
        line = item.line
        if item.class_name is not None:
            where = f"class '@{item.class_name}@'"
            expression = classes.read_class(item.class_name, line.text, item.body, item.kept)
        else:
            where = f"rule '{item.name}'" if item.name else ""
            expression = classes.read_rule(line.text, item.body)
        self.warnings.extend(line.fault(problem, file=self.file, where=where) for problem in expression.warnings)
        if not item.given and (mistyped := _MISTYPED_NAME.match(line.text)) and item.class_name is None:
            self.warnings.append(line.fault(_mistyped(mistyped), file=self.file, where=where))
        if expression.faults:
            self.faults.extend(line.fault(problem, file=self.file, where=where) for problem in expression.faults)
            return None
        written = Written(line, item.body)
        if item.class_name is None and not (may_have_slots(line.text) and has_slots(expression.tree)):
            self.silent.append((item, expression))
        if item.class_name is not None:
            return WordClass(item.class_name, expression.tree, line.number, expression.note, written)
        label = item.label or SLOT_LABEL
        return Rule(item.name, label, expression.tree, expression.expanded, line.number, expression.note, written)


def read_rule_file(path: str | Path, *, lowercase: bool = True) -> RuleFile:
    """The rules of a UTF-8 file; InputError where there is no such text, RuleError with every fault in it."""
    path = Path(path)
    return read_rules(read_rule_text(path), file=str(path), lowercase=lowercase)
