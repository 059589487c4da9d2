"""A rule or a class under another name wherever it stands: rules, comments, label logic, sentence tests. All else
stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from re2nn_core.errors import InputError
from re2nn_core.rules.leaves import CLASS_NAME
from re2nn_core.rules.lexer import TOKEN
from re2nn_core.rules.names import RULE_NAME
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import WordClass
from re2nn_core.rules.sentences import moved_to, read_sentences, write_sentences
from re2nn_core.rules.source import split_lines
from re2nn_core.services.rule_systems.rule_switches import OFF

_QUOTED = re.compile(r'"([^"\n]*)->|' + r"'([^'\n]*)->")


@dataclass(frozen=True)
class RuleTexts:
    """Rules, label logic and sentence tests, as they are written."""

    rules: str
    logic: str = ""
    sentences: str = ""


@dataclass(frozen=True)
class Named:
    """What can be renamed: the rules and the classes of a file."""

    rules: tuple[str, ...]
    classes: tuple[str, ...]


def names_in(rules_text: str, *, lowercase: bool) -> Named:
    """The names of rules and classes, in file order. RuleError."""
    ruleset = read_rules(rules_text, lowercase=lowercase).ruleset
    classes = dict.fromkeys(entry.name for entry in ruleset.entries if isinstance(entry, WordClass))
    return Named(tuple(rule.name for rule in ruleset.rules), tuple(classes))


def rename_class(texts: RuleTexts, old: str, new: str, *, lowercase: bool) -> RuleTexts:
    """A class under another name. InputError for a name that is taken or is none; RuleError."""
    _check(new, CLASS_NAME, names_in(texts.rules, lowercase=lowercase).classes, f"@{new}@", "_ . -")
    used = re.compile(rf"@{re.escape(old)}(?=@|<:>)")

    def changed(token: re.Match[str]) -> str:
        text = token.group()
        # Words in quotes may look like a class.
        return used.sub(lambda _: f"@{new}", text) if text.startswith(("@", "//")) else text

    return RuleTexts(_in_tokens(texts.rules, changed), texts.logic, texts.sentences)


def rename_rule(texts: RuleTexts, old: str, new: str, *, lowercase: bool) -> RuleTexts:
    """A rule under another name; one that was numbered gets its name in front. InputError for a name that is taken or
    is none; RuleError."""
    ruleset = read_rules(texts.rules, lowercase=lowercase).ruleset
    _check(new, RULE_NAME, [rule.name for rule in ruleset.rules], new, "_ . + - /")
    lines = split_lines(texts.rules)
    for rule in ruleset.rules:
        if rule.name == old and rule.written is not None:
            place = rule.written.line.number - 1
            lines[place] = _named(lines[place], old, new)
    given = re.compile(rf"(\s*){re.escape(old)}(?=\s*:=)")
    lines = [
        OFF + given.sub(rf"\g<1>{new}", line[len(OFF) :], count=1) if line.startswith(OFF) else line for line in lines
    ]
    sentences = texts.sentences
    if sentences.strip():
        sentences = write_sentences(moved_to(read_sentences(sentences), old, new))
    return RuleTexts("\n".join(lines), _in_formulas(texts.logic, old, new), sentences)


def _named(line: str, old: str, new: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    found = re.match(rf"\s*{re.escape(old)}(?=\s*:=)", line)
    return f"{indent}{new}{line[found.end() :]}" if found else f"{indent}{new} := {line.lstrip()}"


def _in_formulas(logic: str, old: str, new: str) -> str:
    """The name of a rule in front of the arrows; labels behind them and in priorities stay."""
    name = re.compile(rf"(?<![\w.+\-/]){re.escape(old)}(?![\w.+\-/])")
    return _QUOTED.sub(lambda found: name.sub(lambda _: new, found.group()), logic)


def _in_tokens(rules_text: str, changed: Callable[[re.Match[str]], str]) -> str:
    return "\n".join(TOKEN.sub(changed, line) if "@" in line else line for line in split_lines(rules_text))


def _check(new: str, form: re.Pattern[str], taken: tuple[str, ...] | list[str], shown: str, signs: str) -> None:
    if not form.fullmatch(new):
        raise InputError(f"'{new}' cannot be a name. A name holds letters, digits and {signs}.")
    if new in taken:
        raise InputError(f"The name '{shown}' is taken. Choose another one.")
