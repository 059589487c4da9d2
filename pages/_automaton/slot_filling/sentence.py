"""A sentence in a transducer, word by word: what is alive, which tags each word may get, and where it died."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages._automaton.sentence import Position, draw_path, verdict, word_html
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.services.automaton_views.slot_filling.views import (
    TagStep,
    TagTrace,
    expected_words,
)
from re2nn_core.services.values.automata import AnyTransducer
from re2nn_core.services.values.rules import slot_of

_SHOWN_STATES = 24
_STYLE = """
<style>
.re2-tagged { display: inline-flex; flex-direction: column; align-items: center; vertical-align: top;
  margin-bottom: .3rem; }
.re2-tagged > small { font-size: .74em; font-weight: 600; line-height: 1.35; min-height: 1.35em;
  padding: 0 .35em;
  color: color-mix(in srgb, var(--chip, currentColor) 68%, light-dark(black, white)); }
</style>
"""


def draw_tags(position: Position, machine: AnyTransducer, palette: Palette) -> None:
    """The words with their tags below, what is alive, and the whole run as a table."""
    trace = position.trace
    if not isinstance(trace, TagTrace):
        return
    read = "".join(_word(position, trace, place, palette) for place in range(len(position.words)))
    html(f"{_STYLE}<div>{read}</div><div>{verdict(position, partial(expected_words, machine))}</div>")
    draw_path(position)
    with st.expander("Path as a table"):
        given = "Tags on paths through the whole sentence" if trace.accepted else "Tags on the transitions taken"
        rows = [_row(number, step, palette) for number, step in enumerate(trace.steps)]
        html(html_table(["Step", "Word", "Active states", given], rows, numbers=(0,)))


def _word(position: Position, trace: TagTrace, place: int, palette: Palette) -> str:
    word = word_html(position, place, position.words[place])
    if place >= position.step or place + 1 >= len(trace.steps):
        return f'<span class="re2-tagged">{word}<small>&nbsp;</small></span>'
    tags = trace.steps[place + 1].tags
    names = "".join(f'<small style="--chip:{_colour(tag, palette)}">{escape(tag)}</small>' for tag in tags)
    return f'<span class="re2-tagged">{word}{names or "<small>&nbsp;</small>"}</span>'


def _colour(tag: str, palette: Palette) -> str:
    slot = slot_of(tag)
    return "currentColor" if slot is None else palette.colour(slot)


def _row(number: int, step: TagStep, palette: Palette) -> list[str]:
    states = ", ".join(map(str, step.alive[:_SHOWN_STATES])) + (" …" if len(step.alive) > _SHOWN_STATES else "")
    tags = " ".join(
        escape(tag) if (slot := slot_of(tag)) is None else f"{escape(tag[:2])}{palette.chip(slot)}" for tag in step.tags
    )
    nothing = '<span class="re2-muted">no tag</span>' if step.alive else ""
    return [
        str(number),
        '<span class="re2-muted">before the first word</span>' if step.word is None else escape(step.word),
        states or "✗ no active state",
        "" if step.word is None else tags or nothing,
    ]
