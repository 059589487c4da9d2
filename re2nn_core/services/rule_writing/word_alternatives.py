"""Alternatives of words in the lines of a rule file, and rules with one word more among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from re2nn_core.rules.lexer import ANCHORS, WORD, BadTokenError, print_word, read_word, rule_tokens, spans
from re2nn_core.rules.names import RULE_NAME
from re2nn_core.rules.source import LogicalLine, logical_lines, split_lines

_NAMED = re.compile(rf"\s*({RULE_NAME.pattern})\s*:=")


@dataclass(frozen=True)
class WordAlternatives:
    """Alternatives of a rule, of which these `words` are single ones. `rule`: its name, "" where it has none; `number`:
    which of all alternatives in the file, from 0. They are the same with a word more."""

    rule: str
    number: int
    words: tuple[str, ...] = field(compare=False)


def alternatives_of_words(rules_text: str) -> tuple[WordAlternatives, ...]:
    """All alternatives in rules of which two or more are single words, in their order; those of word classes are left
    out."""
    return tuple(found for found, _, _ in _alternatives(rules_text))


def with_alternative(rules_text: str, wanted: WordAlternatives, word: str) -> str:
    """The rules with one word more behind the last of the alternatives, the rest of the file as it was; as they are
    where these alternatives are not there any more."""
    for found, line, end in _alternatives(rules_text):
        if found == wanted and found.words[:1] == wanted.words[:1]:
            written = "\n".join(line.sources)  # as long as the logical line
            before, behind = written[: end - 1].rstrip(), written[end - 1 :]
            lines, first = split_lines(rules_text), line.number - 1
            changed = f"{before} | {print_word(word)} {behind}"
            return "\n".join([*lines[:first], changed, *lines[first + len(line.sources) :]])
    return rules_text


def _alternatives(rules_text: str) -> Iterator[tuple[WordAlternatives, LogicalLine, int]]:
    """The alternatives, each with its line and where they end in it."""
    number = 0
    for line in logical_lines(rules_text):
        if line.text.lstrip().startswith(("@", "//", "[")):
            continue
        named = _NAMED.match(line.text)
        for _, end, options in _groups(line):
            words = tuple(word for own in options if len(own) == 1 and (word := own[0]) is not None)
            if len(words) > 1:
                yield WordAlternatives(named[1] if named else "", number, words), line, end
                number += 1


def word_groups(line: LogicalLine, least: int) -> Iterator[tuple[int, int, list[tuple[str, ...]]]]:
    """Groups of so many alternatives or more that are words and phrases alone: from `(` to behind `)`, and the
    alternatives."""
    for start, end, options in _groups(line):
        plain = [tuple(word for word in own if word is not None) for own in options]
        if len(options) >= least and all(options) and plain == options:
            yield start, end, plain


def _groups(line: LogicalLine) -> Iterator[tuple[int, int, list[tuple[str | None, ...]]]]:
    """The groups that have no other in them: from `(` to behind `)`, and the alternatives, None for what is no word."""
    options: list[list[str | None]] | None = None
    begun = 0
    for lexeme, (start, end) in zip(rule_tokens(line.text), spans(line.text), strict=True):
        if lexeme == "(":
            options, begun = [[]], start
        elif options is None:
            continue
        elif lexeme == "|":
            options.append([])
        elif lexeme == ")":
            yield begun, end, [tuple(words) for words in options]
            options = None
        else:
            options[-1].append(_plain(lexeme))


def _plain(lexeme: str) -> str | None:
    """The word that a lexeme stands for; None for all else."""
    if lexeme in ANCHORS or not (lexeme[0] == '"' or WORD.fullmatch(lexeme)):
        return None
    try:
        return read_word(lexeme)
    except BadTokenError:
        return None
