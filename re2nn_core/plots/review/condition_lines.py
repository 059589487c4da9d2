"""What a rule asks no longer, and what it asks in addition, in lines of plain words above it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Protocol

from re2nn_core.plots.review.change_html import escape
from re2nn_core.text.counting import counted
from re2nn_core.text.kinds import spelling

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


def conditions_as_html(conditions: Sequence[ChangedCondition], again: Collection[str] = ()) -> str:
    """The weightiest condition in a line, the others behind a click; empty where none changed. Words of `again` that
    are refused have a button by which they are matched again."""
    lines = [_line(one, again) for one in conditions]
    rest = lines[_SHOWN:]
    title = counted(len(rest), "more changed condition")
    more = f"<details><summary>{title}</summary>{''.join(rest)}</details>" if rest else ""
    return f'<div class="re2-conditions">{"".join(lines[:_SHOWN])}{more}</div>' if lines else ""


def _line(one: ChangedCondition, again: Collection[str]) -> str:
    begin, colon, rest = one.in_words.partition(": ")
    listed = _with_buttons(rest, one.without.intersection(again))
    title = f"<b>{escape(begin)}</b>{colon}{listed}" if colon else escape(begin)
    matched = "no longer matches" if one.refused else "matches now"
    source = "Your text" if one.own else "Made-up example:"
    stop = "" if title.endswith("…") else "."
    return f'<div>{title}{stop} <span class="re2-muted">{source} “{escape(one.example)}” {matched}.</span></div>'


def _with_buttons(listed: str, words: Collection[str]) -> str:
    """The refused words, those of `words` each with its button."""
    shown = escape(listed)
    for word in words:
        quoted = f"“{escape(spelling(word))}”"
        title, data = escape(f"Match {spelling(word)} again, accept the rest"), escape(json.dumps([word]))
        named = f'title="{title}" aria-label="{title}"'
        button = f'<button type="button" class="re2-drop" data-refused="{data}" {named}>×</button>'
        shown = shown.replace(quoted, f'<span class="re2-dropped-by">{quoted}{button}</span>', 1)
    return shown
