"""What labels look like: on the line of their text behind a semicolon or a bar ("i feel fine now;joy"), and which ones
may not be meant."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.text.joined_names import join_names

_SIGNS = (";", "|")
_FEWEST, _ENOUGH = 3, 20  # lines
# Before or behind a text in one word: LOC:city or 0.
_CODE = re.compile(r"[A-Z]{2,}(?::\w+)?|\d")
_LONGEST, _MOST_WORDS = 40, 3
_NO_LABEL = frozenset(("na", "n/a", "nan", "null", "none", "nil", "#n/a", "-", "?"))
_MOST_LABELS, _SHOWN = 1_000, 3
_FEWEST_JOINED = 2
_JOINS = re.compile(r"[,;|/+]")
_WITH_POINT = re.compile(r"-?\d+\.0+")


def remarks_on_labels(values: Sequence[str]) -> tuple[str, ...]:
    """What is to be said of labels of these distinct values: those that may stand for none, that differ in capitals
    alone, or that are whole numbers with a decimal point."""
    if len(values) > _MOST_LABELS:
        return ()
    notes = []
    missing = [value for value in values if value.strip().casefold() in _NO_LABEL]
    if missing and len(values) > len(missing):
        named = join_names([repr(value) for value in missing[:_SHOWN]])
        notes.append(f"{named} became a label; if it means that there is none, empty these cells in the file.")
    groups: dict[str, list[str]] = defaultdict(list)
    for value in values:
        groups[value.strip().casefold()].append(value.strip())
    for group in [group for group in groups.values() if len(set(group)) > 1][:_SHOWN]:
        notes.append(
            f"The labels {join_names([repr(value) for value in sorted(set(group))])} differ in capitals alone."
        )
    joined = [value for value in values if _joins_others(value, groups)]
    if len(joined) >= _FEWEST_JOINED:
        others = f" and {len(joined) - 1:,} more labels join" if len(joined) > 1 else " joins"
        notes.append(
            f"{joined[0]!r}{others} several labels in one cell. A text has one label here: keep one in each cell, or "
            "make a project for each."
        )
    if values and all(_WITH_POINT.fullmatch(value.strip()) for value in values):
        notes.append(f"The labels are numbers and were kept as they are written, such as {values[0].strip()!r}.")
    return tuple(notes)


def _joins_others(value: str, known: Mapping[str, object]) -> bool:
    """Whether a label is made of other ones: "price, speed" where some texts have price and speed."""
    parts = [part.strip().casefold() for part in _JOINS.split(value)]
    return len(parts) > 1 and all(part in known for part in parts)


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


TABS = LabelSign("\t")
_USUAL_IN_TEXTS = (LabelSign(" ", last=False), LabelSign(":", last=False), LabelSign(",", last=True))


def label_sign(lines: Sequence[str]) -> LabelSign | None:
    """What parts text and label on all lines, or cuts them into three cells or more; None where nothing does."""
    signs = (LabelSign(sign, last) for last in (None, True, False) for sign in _SIGNS)
    found = next((sign for sign in signs if len(lines) >= _FEWEST and _parts(lines, sign)), None)
    return found or next((sign for sign in _USUAL_IN_TEXTS if _parts_clearly(lines, sign)), None)


def _parts_clearly(lines: Sequence[str], sign: LabelSign) -> bool:
    """The same for a sign that stands in many a text: the labels are few, and each comes again."""
    rows = [sign.cells(line) for line in lines]
    if len(lines) < _ENOUGH or not all(len(row) == 2 and all(map(str.strip, row)) for row in rows):
        return False
    counts = Counter(row[bool(sign.last)].strip() for row in rows)
    if sign.sign == " " and not all(map(_CODE.fullmatch, counts)):
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
