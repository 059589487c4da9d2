"""fastText's lines of labels and texts:

__label__fare how much is it
"""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.exchange.tables.delimited import RawRows, numbered_lines
from re2nn_core.exchange.tables.table import ONE_LABEL, BadRow, Progress
from re2nn_core.text.joined_names import first_names

COLUMNS = ("text", "label")
_MARK = "__label__"
_HALF = 0.5
_NAMED = 5


def looks_like_fasttext(lines: Sequence[str]) -> bool:
    """True if half of the lines begin or end with a label: nobody writes its mark by chance."""
    marked = [
        any(word.startswith(_MARK) for word in (words[0], words[-1])) for line in lines if (words := line.split())
    ]
    return bool(marked) and sum(marked) >= _HALF * len(marked)


def split_fasttext(text: str, on_progress: Progress | None = None) -> RawRows:
    """The text and the label of each line; a line of several labels is refused."""
    raw = RawRows()
    for number, line in numbered_lines(text, raw, on_progress):
        words = line.split(" ")
        labels = list(dict.fromkeys(word.removeprefix(_MARK) for word in words if word.startswith(_MARK)))
        if len(labels) > 1:
            named = first_names([f"{_MARK}{label}" for label in labels], _NAMED)
            raw.bad_rows.append(BadRow(number, f"has {len(labels):,} labels, {named}; {ONE_LABEL}"))
        else:
            rest = " ".join(word for word in words if not word.startswith(_MARK))
            raw.keep([rest.strip(), *(labels or [""])], number)
    return raw
