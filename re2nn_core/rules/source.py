"""Where things stand in a rule file: physical lines, logical lines, and problems at places of them.

A logical line is one rule, class or header: one physical line, or several where a backslash is the last
character of a line that is not a comment. The joined text keeps the length of every physical line (the
backslash becomes a blank), so a place in it maps back to a line and a column.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from re2nn_core.errors import Fault
from re2nn_core.rules.lexer import comment_start

_NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault or a warning at characters [offset, offset + width) of a logical line."""

    offset: int
    width: int
    message: str
    advice: str


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """`text` is the joined text; line `number` + i of the file starts at `starts[i]`, reads `sources[i]`."""

    text: str
    number: int
    sources: tuple[str, ...]
    starts: tuple[int, ...] = (0,)

    def fault(self, problem: Problem, *, file: str, where: str = "") -> Fault:
        """The problem with its place in the file."""
        index = bisect_right(self.starts, problem.offset) - 1
        column = problem.offset - self.starts[index]
        source = self.sources[index]
        return Fault(
            message=problem.message,
            line=self.number + index,
            column=column + 1,
            source=source,
            advice=problem.advice,
            width=max(1, min(problem.width, len(source) - column)),
            file=file,
            where=where,
        )


@dataclass(frozen=True, slots=True)
class Written:
    """Where a rule or a class was read from: its logical line, and where in that its expression begins."""

    line: LogicalLine
    body: int


def split_lines(text: str) -> list[str]:
    """The physical lines of a text, whatever the system it was written on."""
    return _NEWLINE.split(text)


def logical_lines(text: str) -> Iterator[LogicalLine]:
    """The logical lines of a file, blank ones left out."""
    physical = split_lines(text)
    at = 0
    while at < len(physical):
        first, line = at, physical[at]
        at += 1
        if not line or line.isspace():
            continue
        if not line.endswith("\\") or not _continues(line):
            yield LogicalLine(line, first + 1, (line,))
            continue
        while at < len(physical) and _continues(physical[at]):
            at += 1
        at = min(at + 1, len(physical))
        yield joined_line(physical[first:at], first + 1)


def joined_line(physical: list[str], number: int = 1) -> LogicalLine:
    """Physical lines as one logical line, their continuation backslashes turned into blanks."""
    starts, texts, length = [], [], 0
    for line in physical:
        starts.append(length)
        texts.append(line[:-1] + " " if _continues(line) else line)
        length += len(line) + 1
    return LogicalLine("\n".join(texts), number, tuple(physical), tuple(starts))


def _continues(line: str) -> bool:
    """True for a line that ends in a backslash which is neither escaped itself nor part of a comment."""
    backslashes = len(line) - len(line.rstrip("\\"))
    return backslashes % 2 == 1 and comment_start(line) is None
