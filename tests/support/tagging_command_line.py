"""What tests of the command line share for slots: a small rule set, marked texts as lines of JSON, and as CoNLL."""

from __future__ import annotations

import json

SLOT_RULES = """\
@city@=( oslo | boston | new york )
to_city := $* to [ @city@ ]<to_city> $*
from_city := $* from [ @city@ ]<from_city> $*
guess := $* leaving [ $ ]<from_city> $*
day := $* on [ monday | friday ]<day> $*
"""
# Each text as words, the words of a slot joined by _ and followed by a colon and the slot.
_MARKED = (
    "fly to oslo:to_city",
    "from boston:from_city to oslo:to_city on friday:day",
    "to new_york:to_city on monday:day please",
    "leaving london:from_city on friday_night:day",
    "from rome:from_city to oslo:to_city",
    "what a day",
)
# The rules give 9 of the 10 spans (nobody knows rome), and 8 of them rightly (`friday` is not `friday night`).
SPANS, RIGHT, GIVEN = 10, 8, 9


def text_and_spans(marked: str) -> tuple[str, list[list[object]]]:
    """A text of `_MARKED` as it stands in a file, with its spans in characters."""
    text, spans = "", []
    for part in marked.split():
        words, _, slot = part.partition(":")
        begin = len(text) + bool(text)
        text = f"{text} {words.replace('_', ' ')}".strip()
        if slot:
            spans.append([begin, len(text), slot])
    return text, spans


SLOT_TEXTS = tuple(map(text_and_spans, _MARKED))


def jsonl(rows: object) -> str:
    """Rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)  # type: ignore[attr-defined]


def marked_lines(times: int = 1, splits: tuple[str, ...] = ()) -> str:
    """The marked texts, several times over with the number of the time in front, and splits in turn."""
    rows = []
    for number in range(times):
        for place, (text, spans) in enumerate(SLOT_TEXTS):
            front = f"{number} " if number else ""
            moved = [[begin + len(front), end + len(front), slot] for begin, end, slot in spans]  # type: ignore[operator]
            row: dict[str, object] = {"text": front + text, "spans": moved}
            if splits:
                row["split"] = splits[(number + place) % len(splits)]
            rows.append(row)
    return jsonl(rows)
