"""What the editor of marks tells: one message for each thing that was done. It comes from a browser, so it is read with
care."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from re2nn_core.text.spans import Span

Kind = Literal["save", "move", "undo", "count", "all", "look", "same", "skip", "flag", "return", "next"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Message:
    """`marks` are in numbers of words: all of the text for "save" and "same", the one to look for elsewhere for
    "count". `by`: texts to move; `note`: of a flag. `number` tells messages apart."""

    kind: Kind
    text_id: int
    number: int
    marks: tuple[Span, ...] = ()
    by: int = 0
    note: str = ""


def read_message(sent: object) -> Message | None:
    """The message; None for anything that the editor cannot have sent."""
    if not isinstance(sent, Mapping) or sent.get("kind") not in KINDS:
        return None
    try:
        marks = tuple(_mark(item) for item in sent.get("marks", ()))
        number, by, note = int(sent["number"]), int(sent.get("by", 0)), str(sent.get("note", ""))
        return Message(sent["kind"], int(sent["text_id"]), number, marks, by, note)
    except (KeyError, TypeError, ValueError):
        return None


def _mark(item: Any) -> Span:
    first, behind, slot = item
    return Span(int(first), int(behind), str(slot))
