"""Turns of a conversation that is written into one text, "User: I lost my card\\nAgent: when was that?"; the first one
of the user, of the assistant and of the system is a text by its path, `conversation.first_user`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from re2nn_core.exchange.tables.turns.listed_turns import FIRST_TURNS, role_of

_NAME = r"[^\W\d_][\w'’-]*(?: [\w'’-]+){0,2}"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_TIME = rf"(?:{_DAY}[,T ]*)?\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?: ?[ap]\.?m\.?)?"
# [10:03] **Agent Ann (support):** how can I help
_AT_LINE = re.compile(
    rf"^[^\w\n]*(?P<time>{_TIME})?[^\w\n]*(?P<name>{_NAME})(?: ?[(\[][^)\]\n]{{1,30}}[)\]])?"
    r"[*_ ]{0,3}:(?!//)[*_]{0,2}",
    re.MULTILINE | re.IGNORECASE,
)
_IN_LINE = re.compile(r"(?<![\w:/])(?P<time>(?!))?(?P<name>[^\W\d_]+(?: \d)?) ?:(?=\s)")
_OF_MODELS = re.compile(
    r"<\|(?P<time>(?!))?(?:im_start\|>|start_header_id\|>)?(?P<name>(?!\w*(?:end|eot|eos))\w+)(?:<\|end_header_id\|>|\|>|(?=\n))"
)
_END = re.compile(r"<\|\w+\|>")
_NUMBERED = re.compile(r"(?:speaker|participant|sprecher|locuteur|hablante) ?(?:\d{1,2}|[a-z])")
_FEWEST, _FEWEST_WORDS = 2, 3  # speakers of a conversation, words of one turn at least


class Turn(NamedTuple):
    """Who says something by name, the role by which the first turn is called, empty where no name shows it, and what it
    is."""

    name: str
    role: str
    content: str


def turns_in(text: str) -> list[Turn]:
    """The turns of a text that is a conversation, at the beginnings of lines or behind each other; else none."""
    if ":" not in text and "|>" not in text:
        return []
    return _turns(text, _AT_LINE) or _turns(text, _IN_LINE, whole=True) or _turns(text, _OF_MODELS, whole=True)


def _turns(text: str, marks: re.Pattern[str], *, whole: bool = False) -> list[Turn]:
    """Turns of two speakers at least, one of whom says several words; none in a form of keys and values, "Customer:
    Ann, Issue: card lost". `whole`: the first turn is at the beginning."""
    found = list(marks.finditer(text))
    known = [mark for mark in found if _is_speaker(mark)]
    named = {_folded(mark) for mark in known}
    if len(named) < _FEWEST or 2 * (len(found) - len(known)) >= len(known):
        return []
    if whole and any(map(str.isalnum, text[: known[0].start()])):
        return []
    ends = [*(mark.start() for mark in known[1:]), len(text)]
    turns = [Turn(m["name"], _role(m), _content(text[m.end() : end])) for m, end in zip(known, ends, strict=True)]
    return turns if any(len(turn.content.split()) >= _FEWEST_WORDS for turn in turns) else []


def _is_speaker(mark: re.Match[str]) -> bool:
    """A role, with a name or a number behind it, "Speaker 1", or any name behind a time."""
    return bool(_role(mark) or mark["time"] or _NUMBERED.fullmatch(_folded(mark)))


def _role(mark: re.Match[str]) -> str:
    name = _folded(mark)
    return role_of(name) or role_of(name.split()[0]) or ""


def _folded(mark: re.Match[str]) -> str:
    return mark["name"].casefold()


def _content(text: str) -> str:
    return " ".join(_END.sub(" ", text).strip(" \t\r\n|").split())


def first_turn_in(text: str, role: str) -> str | None:
    """The first turn of a role in a text, None where nobody has it; a text without turns as it is."""
    turns = turns_in(text)
    return next((turn.content for turn in turns if turn.role == role and turn.content), None) if turns else text


def column_of_turns(name: str, columns: Collection[str]) -> tuple[str, str]:
    """The column and the role of "conversation.first_user", where no column has this name; else the name alone."""
    column, _, role = name.rpartition(".")
    return (column, role) if name not in columns and column in columns and role in FIRST_TURNS else (name, "")


def columns_of(names: Collection[str], columns: Collection[str]) -> Iterator[str]:
    """The columns in which these texts are."""
    return (column_of_turns(name, columns)[0] for name in names)
