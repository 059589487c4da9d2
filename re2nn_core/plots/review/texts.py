"""Texts of a review as HTML: the deciding words marked, and what is predicted before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from re2nn_core.plots.review.change_html import escape
from re2nn_core.plots.review.reviewed import Text

_TURN = 137.5  # degrees between the hues of neighbours, so that they differ much


class Chips:
    """Labels and slots as small coloured boxes, each in its own hue."""

    def __init__(self, groups: Iterable[str]) -> None:
        self._hues = {group: place * _TURN % 360 for place, group in enumerate(dict.fromkeys(groups))}

    def one(self, name: str) -> str:
        """A label or slot; what is none of them without a hue."""
        hue = self._hues.get(name)
        if hue is None:
            return f'<span class="chip none">{escape(name)}</span>'
        return f'<span class="chip" style="--hue:{hue:.1f}">{escape(name)}</span>'

    def row(self, names: Sequence[str]) -> str:
        """Several."""
        return " ".join(map(self.one, names))


def texts_as_html(texts: Sequence[Text], chips: Chips) -> str:
    """Texts below one another."""
    return f'<ul class="texts">{"".join(_row(text, chips) for text in texts)}</ul>'


def _row(text: Text, chips: Chips) -> str:
    gold = "" if text.gold is None or text.gold == text.after else f" · annotated {chips.one(text.gold)}"
    correct = " ✓" if text.gold == text.after else ""
    split = f" · {escape(text.split)}" if text.split else ""
    return (
        f'<li>{"".join(_marked(text))}<div class="moved">{chips.one(text.before)} → {chips.one(text.after)}{correct}'
        f"{gold}{split}</div></li>"
    )


def _marked(text: Text) -> Iterator[str]:
    end = 0
    for mark in text.marks:
        yield escape(text.text[end : mark.start])
        note = f"<small>{escape(mark.note)}</small>" if mark.note else ""
        yield f'<mark class="{escape(mark.kind)}">{escape(text.text[mark.start : mark.end])}{note}</mark>'
        end = mark.end
    yield escape(text.text[end:])
