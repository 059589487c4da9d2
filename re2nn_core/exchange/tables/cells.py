"""What a cell holds by its looks: a number, a date, words."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[-+]?[$€£]?\d[\d.,' ]*(?:e[-+]?\d+)?\s?[%€$£]?", re.IGNORECASE)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_DATE = re.compile(
    rf"(?:\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}|{_MONTH} \d{{1,2}},? \d{{4}})"
    r"(?:[T ,]+\d{1,2}:\d{2}.{0,20})?|\d{1,2}:\d{2}(?::\d{2})?"
    rf"|{_WEEKDAY},? (?:{_MONTH} \d{{1,2}}|\d{{1,2}} {_MONTH}).{{0,30}}",
    re.IGNORECASE,
)
_LONGEST = 60
# Words in names of columns: cut at signs and where a capital follows a small letter.
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def is_numeric_cell(cell: str) -> bool:
    """True for 12, -3.5, 1,200, 80 %, € 5."""
    return len(cell) <= _LONGEST and _NUMBER.fullmatch(cell.strip()) is not None


def is_date(cell: str) -> bool:
    """True for a day or a time of day: 2024-01-31, 31.1.2024 12:30, Jan 31, 2024, 12:30,
    Mon Apr 06 22:19:45 PDT 2009."""
    return len(cell) <= _LONGEST and _DATE.fullmatch(cell.strip()) is not None


def words_in(name: str) -> list[str]:
    """The words of a column's name in lower case: customer_comment and customerComment have two."""
    return [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", name))]
