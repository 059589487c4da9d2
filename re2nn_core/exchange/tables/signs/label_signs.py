"""Which sign parts labels and texts on one line: a semicolon or a bar ("i feel fine now;joy"), and other ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_SIGNS = (";", "|")
_FEWEST, _ENOUGH = 3, 20  # lines
# Before or behind a text in one word: LOC:city or 0.
_CODE = re.compile(r"[A-Z]{2,}(?::\w+)?|\d")
_CODE_OF_TWO = re.compile(r"[A-Z]{2,}:\w+")
# Before or behind other signs; what begins with a date or a time of day has none.
_WORDS = re.compile(r"[^\W\d].*")
_LONGEST, _MOST_WORDS = 40, 3

# Longer signs first, which hold shorter ones.
_OTHER_SIGNS = tuple(map(re.compile, (r"\|\|\|?", "::", "@@", "##", "%%", r"\^+", "~+", "[¦§¤\x01\x1e\x1f]", r" {2,}")))


@dataclass(frozen=True)
class LabelSign:
    """The sign between text and label; `last`: the label is behind the last one of its line, so that more of them may
    be in the text, False: before the first one, None: each sign parts cells."""

    sign: str
    last: bool | None = None

    def cells(self, line: str) -> list[str]:
        """The cells of a line."""
        if self.last is None:
            return line.split(self.sign)
        return line.rsplit(self.sign, 1) if self.last else line.split(self.sign, 1)


def question_on_signs(lines: Sequence[str]) -> tuple[str, ...]:
    """A note on a sign that is no separator here and stands equally often on all lines, as between cells."""
    for sign in _OTHER_SIGNS if len(lines) >= _FEWEST else ():
        counts = {len(sign.findall(line.strip())) for line in lines}
        if len(counts) == 1 and counts != {0}:
            shown = next(match.group() for match in [sign.search(lines[0].strip())] if match)
            what = "several blanks" if not shown.strip() else repr(shown)
            often = "once" if counts == {1} else f"{counts.pop()} times"
            return (
                f"Each line has {what} {often}, and these part no cells here. If they are to, replace them by tabs and "
                "import the file again.",
            )
    return ()


TABS = LabelSign("\t")
_USUAL_IN_TEXTS = (
    *(LabelSign(" ", last=False), LabelSign(":", last=False), LabelSign(",", last=True), LabelSign("@", last=True)),
)


def label_sign(lines: Sequence[str]) -> LabelSign | None:
    """What parts text and label on all lines, or cuts them into three cells or more; None where nothing does."""
    signs = (LabelSign(sign, last) for last in (None, True, False) for sign in _SIGNS)
    found = next((sign for sign in signs if len(lines) >= _FEWEST and _parts(lines, sign)), None)
    return found or next((sign for sign in _USUAL_IN_TEXTS if _parts_clearly(lines, sign)), None)


def _parts_clearly(lines: Sequence[str], sign: LabelSign) -> bool:
    """The same for a sign that stands in many a text: the labels are few, and each comes again."""
    rows = [sign.cells(line) for line in lines]
    if len(lines) >= _ENOUGH and sign.sign == " " and all(_CODE_OF_TWO.fullmatch(row[0]) for row in rows):
        return all(len(row) == 2 and row[1].strip() for row in rows)
    if len(lines) < _ENOUGH or not all(len(row) == 2 and all(map(str.strip, row)) for row in rows):
        return False
    counts = Counter(row[bool(sign.last)].strip() for row in rows)
    if len(counts) == 1 or not all(map((_CODE if sign.sign == " " else _WORDS).fullmatch, counts)):
        return False
    return min(counts.values()) > 1 and 3 * len(counts) <= len(lines) and _are_labels(list(counts.elements()))


def _parts(lines: Sequence[str], sign: LabelSign) -> bool:
    rows = [sign.cells(line) for line in lines]
    widths = {len(row) for row in rows}
    if len(widths) > 1 or not all(cell.strip() for row in rows for cell in row):
        return False
    width = widths.pop()
    places = (0, 1) if sign.last is None else (int(sign.last),)
    return width > 2 or (width == 2 and any(_are_labels([row[place].strip() for row in rows]) for place in places))


def _are_labels(cells: Sequence[str]) -> bool:
    """Short names, some of which come again."""
    short = all(len(cell) <= _LONGEST and len(cell.split()) <= _MOST_WORDS for cell in cells)
    return short and len(set(cells)) < len(cells)
