"""A sentence in the machine, word by word: what is alive, and where it died."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pages._automaton.choose import AnyMachine, Chosen, View
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.explain.rule_paths import Move
from re2nn_core.plots.automaton import NOTHING, Highlight
from re2nn_core.plots.transducer import shown_tag
from re2nn_core.services.automaton_views.slot_filling.views import TagTrace
from re2nn_core.services.values.automata import Reading, Trace
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.tokenization import words

_SHOWN_EXPECTED = 12
_SHOWN_STATES = 20


@dataclass(frozen=True)
class Position:
    """The run of a sentence and the step that is looked at. `path`: where the whole way of the sentence is looked at
    instead, the moves of it."""

    trace: Trace | TagTrace
    words: tuple[str, ...]
    step: int
    path: tuple[Move, ...] = ()

    @property
    def highlight(self) -> Highlight:
        if self.path:
            states = frozenset((self.path[0].source, *(move.target for move in self.path)))
            return Highlight(states, path=tuple((move.source, move.target) for move in self.path))
        current = self.trace.steps[self.step]
        return Highlight(frozenset(current.alive), frozenset(current.arcs))


def choose_sentence(
    chosen: Chosen[View, AnyMachine],
    run: Callable[[AnyMachine, Sequence[str]], Trace | TagTrace],
    way: Callable[[AnyMachine, Sequence[str]], tuple[Move, ...] | None],
    example: str,
    project: ProjectRecord,
) -> Position | None:
    """The sentence and the slider; None where nothing is typed or no machine is there. `run` and `way` are the run of a
    sentence and its whole path. What was typed stays whichever machine is chosen; an example gives way to the next."""
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    key, typed = f"_traced_{project.id}", f"_typed_{project.id}"
    st.session_state[key] = st.session_state.get(typed, example)
    text = left.text_input(
        "Step a sentence through the automaton",
        key=key,
        max_chars=2_000,
        placeholder="Type a sentence",
        on_change=_keep_typed,
        args=(key, typed),
    )
    sentence = words(text or "", project.tokenization)
    if chosen.machine is None or not sentence:
        return None
    found = run(chosen.machine, sentence)
    last = len(found.steps) - 1
    step = right.slider(
        "Position",
        0,
        last,
        last,
        key=f"_step_{chosen.key}_{hash(sentence)}",
        help="Use the arrow keys to move word by word.",
    )
    return _with_path(Position(found, sentence, step), partial(way, chosen.machine))


def _keep_typed(key: str, typed: str) -> None:
    # A change of page may call this without a value.
    if key in st.session_state:
        st.session_state[typed] = st.session_state[key]


def _with_path(position: Position, way: Callable[[Sequence[str]], tuple[Move, ...] | None]) -> Position:
    """The same position, or the whole path of the sentence where that is asked for; only an accepted sentence has
    one."""
    if not position.trace.accepted:
        return position
    asked = st.toggle(
        "Whole path",
        key="_whole_path",
        persist_state="session",
        help="Draws one path of the whole sentence: bold transitions with the positions of their words.",
    )
    return replace(position, path=way(position.words) or ()) if asked else position


def draw_path(position: Position) -> None:
    """The moves of the whole path as a table, word by word."""
    if not position.path:
        return
    tagged = any(move.tag is not None for move in position.path)
    rows = [
        [
            str(number),
            escape(move.word),
            f"{move.source} → {move.target}",
            escape(move.symbol),
            *([escape(shown_tag(move.tag)) or _NOTHING] if tagged else []),
            _READINGS[move.reading],
        ]
        for number, move in enumerate(position.path, 1)
    ]
    head = ["Step", "Word", "States", "Matched by", *(["Tag"] if tagged else []), "How"]
    with st.expander("Path as a table"):
        html(html_table(head, rows, numbers=(0,)))


_NOTHING = '<span class="re2-muted">no tag</span>'
_READINGS = {
    Reading.NAMED: "named in the rule",
    Reading.ANY: "wildcard, any one word",
    Reading.LOOP: "any number of words",
}


def draw_position(position: Position, expected: Callable[[Sequence[int]], list[str]]) -> None:
    """The words, the one just read standing out, and what is alive. `expected` tells what states could read."""
    read = "".join(word_html(position, place, word) for place, word in enumerate(position.words))
    html(f'<div style="line-height:2.1">{read}</div><div>{verdict(position, expected)}</div>')
    draw_path(position)


def highlight_of(position: Position | None) -> Highlight:
    return NOTHING if position is None else position.highlight


def word_html(position: Position, place: int, word: str) -> str:
    """A word of the sentence: the one just read in a frame, the one where the run died crossed out."""
    died = position.trace.died_at
    style = "padding:.1em .45em;margin-right:.3em;border-radius:.3em;border:1px solid transparent;"
    mark = ""
    if died == place and position.step > place:
        style += "border-color:#d64545;text-decoration:line-through;font-weight:600;"
        mark = " ✗"
    elif place == position.step - 1:
        style += "border-color:currentColor;font-weight:600;"
    elif place >= position.step:
        style += "opacity:.5;"
    return f'<span style="{style}">{escape(word)}{mark}</span>'


def verdict(position: Position, expected: Callable[[Sequence[int]], list[str]]) -> str:
    """What is alive at this step, and how the run ended, as HTML."""
    step = position.trace.steps[position.step]
    last = position.step == len(position.trace.steps) - 1
    if not step.alive:
        before = position.trace.steps[position.step - 1].alive
        readable = expected(before)
        shown = ", ".join(escape(symbol) for symbol in readable[:_SHOWN_EXPECTED])
        more = f" and {len(readable) - _SHOWN_EXPECTED} more" if len(readable) > _SHOWN_EXPECTED else ""
        could = f"expected: {shown}{more}" if readable else "no word was expected"
        return (
            f"✗ <b>No transition for word {position.step}, “{escape(step.word or '')}”.</b> "
            f"{_states(before, 'was', 'were')} active; {could}."
        )
    alive = _states(step.alive, "is", "are") + " alive"
    if not last:
        return f"{alive} after {position.step} of {len(position.words)} words."
    if position.trace.accepted:
        return f"✓ <b>Matched.</b> {alive} at the end, one of them final."
    return f"✗ <b>Not matched.</b> {alive} at the end, none of them final."


def _states(states: Sequence[int], one: str, many: str) -> str:
    shown = ", ".join(map(str, states[:_SHOWN_STATES])) + (" …" if len(states) > _SHOWN_STATES else "")
    return f"State {shown} {one}" if len(states) == 1 else f"States {shown} {many}"
