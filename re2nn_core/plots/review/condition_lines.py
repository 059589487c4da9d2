"""What a rule asks no longer, and what it asks in addition, in lines of plain words above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from re2nn_core.plots.review.change_html import escape
from re2nn_core.text.counting import counted

_SHOWN = 1


class ChangedCondition(Protocol):
    """A condition in words, and a sentence that shows what became of it: one of the project's texts where `own`, which
    the rule matches now, or no longer where `refused`. `only`: the words that are left in the place of any word, where
    they open nothing new; `without`: words that are refused there."""

    @property
    def in_words(self) -> str: ...

    @property
    def example(self) -> str: ...

    @property
    def own(self) -> bool: ...

    @property
    def refused(self) -> bool: ...

    @property
    def only(self) -> frozenset[str]: ...

    @property
    def without(self) -> frozenset[str]: ...


def conditions_as_html(conditions: Sequence[ChangedCondition]) -> str:
    """The weightiest condition in a line, the others behind a click; empty where none changed."""
    lines = list(map(_line, conditions))
    rest = lines[_SHOWN:]
    title = counted(len(rest), "more changed condition")
    more = f"<details><summary>{title}</summary>{''.join(rest)}</details>" if rest else ""
    return f'<div class="re2-conditions">{"".join(lines[:_SHOWN])}{more}</div>' if lines else ""


def _line(one: ChangedCondition) -> str:
    begin, colon, rest = one.in_words.partition(": ")
    title = f"<b>{escape(begin)}</b>{colon}{escape(rest)}" if colon else escape(begin)
    matched = "no longer matches" if one.refused else "matches now"
    source = "Your text" if one.own else "Made-up example:"
    stop = "" if title.endswith("…") else "."
    return f'<div>{title}{stop} <span class="re2-muted">{source} “{escape(one.example)}” {matched}.</span></div>'
