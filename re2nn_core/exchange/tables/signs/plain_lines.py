"""What lines of a file without columns may hold besides texts: numbers in front, headings, a label below each text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from re2nn_core.text.joined_names import first_names

_FEWEST, _FEWEST_HEADINGS, _FEWEST_VALUES = 10, 2, 2  # lines, headings, labels
_NEARLY_ALL, _HALF = 0.95, 0.5
_LINES_FOR_A_HEADING, _LINES_FOR_A_VALUE = 3, 5
_LONGEST, _MOST_WORDS = 40, 3
_SHOWN = 4
_NUMBER = re.compile(r"\s*[(\[]?(\d{1,6})[.):\]]+\s")
_BULLET = re.compile(r"\s*[-*•–·]\s+\w")
_QUOTES = re.compile(r"""\s*(?:"[^"]*"|'.*'|“[^”]*”|„[^“”]*[“”]|«[^»]*»)\s*[,;]?\s*""")
# == name ==, # name, [name], **name**, name:
_HEADING = re.compile(r"#+\s+\S.*|([=*_~-]{2,})\s*\S.*?\s*\1|\[[^\[\]]+\]|[^\s:][^:]*:")


def questions_on_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Notes on lines that were read as texts, by what their places or all of them together show."""
    lines = [line for line in lines if line.strip()]
    if len(lines) < _FEWEST:
        return ()
    return tuple(filter(None, (_in_quotes(lines), _in_front(lines), _headings(lines) or _every_second(lines))))


def _in_quotes(lines: Sequence[str]) -> str:
    """A note on quotes around nearly all lines, which nobody wrote into each text."""
    quoted = sum(_QUOTES.fullmatch(line) is not None for line in lines)
    if quoted < _NEARLY_ALL * len(lines):
        return ""
    return (
        f"{quoted:,} of {len(lines):,} lines are in quotes, such as {lines[0].strip()[:_LONGEST]!r}. The quotes were "
        "kept: remove them in the file where they are no part of the texts, or read it as a table (--format csv)."
    )


def _in_front(lines: Sequence[str]) -> str:
    """A note on numbers that count the lines, or on bullets."""
    numbers = [int(found.group(1)) for line in lines if (found := _NUMBER.match(line))]
    counting = sum(after == before + 1 for before, after in zip(numbers, numbers[1:], strict=False))
    bullets = sum(_BULLET.match(line) is not None for line in lines)
    least = _NEARLY_ALL * (len(lines) - 1)
    what = "a number" if counting >= least else "a bullet" if bullets >= least else ""
    if not what:
        return ""
    count, shown = len(numbers) if counting >= least else bullets, lines[0].strip()[:_LONGEST]
    return (
        f"{count:,} of {len(lines):,} lines begin with {what}, such as {shown!r}. It was kept: remove it in the file "
        "where it is no part of the texts."
    )


def _headings(lines: Sequence[str]) -> str:
    """A note on headings, each with several lines below it, the first line among them."""
    places = [place for place, line in enumerate(lines) if _is_heading(line.strip())]
    names = list(dict.fromkeys(lines[place].strip() for place in places))
    few = len(names) >= _FEWEST_HEADINGS and _LINES_FOR_A_HEADING * len(places) <= len(lines)
    ends = [*places[1:], len(lines)]
    if not few or places[0] or any(end - place < 2 for place, end in zip(places, ends, strict=True)):
        return ""
    return (
        f"{len(places):,} lines look like headings ({first_names([repr(name) for name in names], _SHOWN)}) and became "
        "texts. If they are the labels of the lines below them, write each label next to its texts, with a tab "
        "between, and import the file again."
    )


def _is_heading(line: str) -> bool:
    return len(line) <= _LONGEST and _HEADING.fullmatch(line) is not None


def _every_second(lines: Sequence[str]) -> str:
    """A note on a few short values that are every second line, next to texts that differ."""
    for first in (1, 0):
        values, texts = lines[first::2], lines[1 - first :: 2]
        few = [*dict.fromkeys(value.strip() for value in values)]
        short = all(len(value) <= _LONGEST and len(value.split()) <= _MOST_WORDS for value in few)
        named = short and len(few) >= _FEWEST_VALUES and _LINES_FOR_A_VALUE * len(few) <= len(values)
        if named and len(set(texts)) > max(_HALF * len(texts), len(few)):
            return (
                f"Every second line is one of {len(few):,} values "
                f"({first_names([repr(value) for value in few], _SHOWN)}). If these are the labels of the lines "
                f"{'above' if first else 'below'} them, write each next to its text, with a tab between, and import "
                "the file again."
            )
    return ""
