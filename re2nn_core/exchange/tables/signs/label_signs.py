"""What labels look like: on the line of their text behind a semicolon or a bar ("i feel fine now;joy"), and which ones
may not be meant."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from re2nn_core.exchange.tables.cells import is_sheet_error
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

_SIGNS = (";", "|")
_FEWEST, _ENOUGH = 3, 20  # lines
# Before or behind a text in one word: LOC:city or 0.
_CODE = re.compile(r"[A-Z]{2,}(?::\w+)?|\d")
_CODE_OF_TWO = re.compile(r"[A-Z]{2,}:\w+")
# Before or behind other signs; what begins with a date or a time of day has none.
_WORDS = re.compile(r"[^\W\d].*")
_LONGEST, _MOST_WORDS = 40, 3
_NO_LABEL = frozenset(("\\n", "na", "n/a", "nan", "null", "none", "nil", "#n/a", "-", "?"))

_MOST_LABELS, _SHOWN = 1_000, 3
_FEWEST_JOINED = 2
_JOINS = re.compile(r"[,;|/+#]")
_BARRED = re.compile(r"\w\s*[|;#]\s*\w")  # signs that hardly a name has
# Longer signs first, which hold shorter ones.
_OTHER_SIGNS = tuple(map(re.compile, (r"\|\|\|?", "::", "@@", "##", "%%", r"\^+", "~+", "[¦§¤\x01\x1e\x1f]", r" {2,}")))
_WITH_POINT = re.compile(r"-?\d+\.0+")
_NUMBER = re.compile(r"\s*-?\d{1,3}(?:\.0)?\s*")


def remarks_on_labels(values: Sequence[str]) -> tuple[str, ...]:
    """What is to be said of labels of these distinct values: the only one there is, those that may stand for none, that
    differ in capitals alone, or that are whole numbers with a decimal point."""
    if len(values) > _MOST_LABELS:
        return ()
    if len(values) == 1:
        return (
            f"{values[0]!r} is the only label of these texts: training needs texts of two labels at least. If "
            "another column has the labels, choose it with --label-column; else add texts of other labels before you "
            "train.",
        )
    notes = []
    missing = [v for v in values if v.strip().casefold() in _NO_LABEL or is_sheet_error(v.strip())]
    # Among numbers of classes data sets write -1 for a text without a label.
    negative = [value for value in values if value.strip().startswith("-")]
    if len(values) > _FEWEST and all(map(_NUMBER.fullmatch, values)) and [v.strip()[:2] for v in negative] == ["-1"]:
        missing += negative
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
    alike: dict[str, list[str]] = defaultdict(list)
    for value in values:
        alike[_as_seen(value)].append(value.strip())
    for group in [group for group in alike.values() if len(set(group)) > 1][:_SHOWN]:
        named = " and ".join(map(ascii, sorted(set(group))))
        notes.append(f"The labels {named} look alike and are different: write one of them in all rows.")
    joined = joined_labels(values)
    if joined:
        others = f" and {counted(len(joined) - 1, 'more label')} join" if len(joined) > 1 else " joins"
        notes.append(
            f"{joined[0]!r}{others} several labels in one cell. A text has one label here: keep one in each cell, or "
            "make a project for each."
        )
    elif barred := [value for value in values if _BARRED.search(value)]:
        others = f" and {counted(len(barred) - 1, 'more label')}" if len(barred) > 1 else ""
        notes.append(
            f"{barred[0]!r}{others} became one label each; if the sign in between is for several labels, keep one in "
            "each cell."
        )
    if values and all(_WITH_POINT.fullmatch(value.strip()) for value in values):
        notes.append(f"The labels are numbers and were kept as they are written, such as {values[0].strip()!r}.")
    return tuple(notes)


def _as_seen(value: str) -> str:
    """A label without what nobody sees: invisible signs, kinds of blanks, ways to write an accent."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", value) if unicodedata.category(c) != "Cf")
    return " ".join(seen.split())


def remarks_on_tags(values: Sequence[str]) -> tuple[str, ...]:
    """The same of the values of a column called tags, in which a blank may stand between several: "bug vip" where bug
    is a label too."""
    alone = {value.strip() for value in values if len(value.split()) == 1}
    several = [value for value in values if len(value.split()) > 1 and not alone.isdisjoint(value.split())]
    if len(values) > _MOST_LABELS or len(several) < _FEWEST_JOINED:
        return remarks_on_labels(values)
    return (
        *remarks_on_labels(values),
        f"{several[0]!r} and {counted(len(several) - 1, 'more label')} became one label each; if the blanks are "
        "between several labels of a text, keep one in each cell.",
    )


def joined_labels(values: Sequence[str]) -> list[str]:
    """Those of the distinct values that are made of several labels, at least two of them or none: "price, speed" where
    price and speed are labels too, or are parts of other such values, now first and now behind another one. "Food,
    drink" is one label where "food" and "drink" are nowhere else."""
    parts = {value: [part.strip().casefold() for part in _JOINS.split(value)] for value in values}
    several = {value: found for value, found in parts.items() if len(found) > 1 and all(found)}
    alone = {found[0] for value, found in parts.items() if value not in several}
    again = {part for part, count in Counter(chain(*map(set, several.values()))).items() if count > 1}
    joined = {value: found for value, found in several.items() if alone.union(again).issuperset(found)}
    first, behind = {found[0] for found in joined.values()}, {part for found in joined.values() for part in found[1:]}
    # Of "billing/refund" and "account/refund" each part has its place, as levels have.
    mixed = first & behind or any(alone.issuperset(found) for found in joined.values())
    # A single one is enough where all its parts are labels of other texts, and the sign is a comma or in hardly a name.
    known = [v for v, found in joined.items() if alone.issuperset(found) and (_BARRED.search(v) or "," in v)]
    return list(joined) if len(joined) >= _FEWEST_JOINED and mixed else known


def names_joined(values: Sequence[str]) -> int:
    """How many labels the distinct values are made of, where some of them join several; else 0."""
    if len(values) > _MOST_LABELS or not joined_labels(values):
        return 0
    return len({part.strip().casefold() for value in values for part in _JOINS.split(value)})


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
