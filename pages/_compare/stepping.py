"""One sentence through both machines at once, word by word."""

from __future__ import annotations

import streamlit as st

from pages._compare.canvas import NOTHING_LIT, Lit
from pages._shared.markup import escape, html
from pages._shared.tables import html_table
from re2nn_core.automata.difference import MachineDifference
from re2nn_core.automata.plain import PlainMachine
from re2nn_core.plots.difference_scene import Scene
from re2nn_core.services.drawn_differences import JointTrace, SideStep, step_both
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization, words

_STATES = 12


def sentence_through_both(
    left: PlainMachine, right: PlainMachine, tokenization: Tokenization, *, key: str, stamp: str, example: str
) -> tuple[JointTrace | None, int]:
    """The field, the slider, and how it went; None where nothing is typed."""
    field, slider = st.columns([3, 2], vertical_alignment="bottom")
    text = field.text_input(
        "A sentence through both",
        example,
        key=f"_through_{key}_{stamp}",
        max_chars=2_000,
        placeholder="Type a sentence to see where it is in either machine",
    )
    sentence = words(text or "", tokenization)
    if not sentence:
        return None, 0
    trace = step_both(left, right, sentence)
    last = len(trace.steps) - 1
    step = slider.slider(
        "Words read", 0, last, last, key=f"_steps_{key}_{hash((stamp, sentence))}", help="Arrow keys go word by word."
    )
    html(_outcome(trace, sentence, step))
    with st.expander("Word by word"):
        html(html_table(["word", "before", "after"], [_row(trace, place) for place in range(len(trace.steps))]))
    return trace, step


def _outcome(trace: JointTrace, sentence: tuple[str, ...], step: int) -> str:
    parts = []
    for side, title in enumerate(("Before", "After")):
        died = trace.died_at(side)
        if trace.accepted[side]:
            said = "✓ accepted"
        elif died is not None and died >= 0:
            said = f"✗ died at word {died + 1}, “{escape(sentence[died])}”"
        else:
            said = "✗ not accepted: the sentence may not end where it is"
        now = trace.steps[step]
        parts.append(f"<b>{title}</b>: {said}; {_alive((now.left, now.right)[side])} after {counted(step, 'word')}")
    return f'<div class="re2-state">{" &nbsp;·&nbsp; ".join(parts)}</div>'


def _alive(step: SideStep) -> str:
    if not step.alive:
        return "no state alive"
    shown = ", ".join(map(str, step.alive[:_STATES])) + (" …" if len(step.alive) > _STATES else "")
    return f"state{'' if len(step.alive) == 1 else 's'} {shown} alive"


def _row(trace: JointTrace, place: int) -> list[str]:
    step = trace.steps[place]
    return ["(start)" if step.word is None else escape(step.word), _alive(step.left), _alive(step.right)]


def lights(scene: Scene, difference: MachineDifference, trace: JointTrace | None, step: int) -> Lit:
    """The states that are alive on either side, and the arcs just walked, as the scene numbers them."""
    if trace is None:
        return NOTHING_LIT
    now = trace.steps[step]
    group_of = {member: place for place, node in enumerate(scene.nodes) for member in node.members}
    arc_of = {member: place for place, arc in enumerate(scene.arcs) for member in arc.members}
    alive, walked = [], []
    for side, own in enumerate((now.left, now.right)):
        number = {(node.before, node.after)[side]: place for place, node in enumerate(difference.nodes)}
        state_of = {place: state for state, place in number.items() if state is not None}
        by_state = {
            (state_of[arc.source], state_of[arc.target], arc.tag): place
            for place, arc in enumerate(difference.arcs)
            if arc.source in state_of and arc.target in state_of
        }
        alive.append(tuple(sorted({group_of[number[state]] for state in own.alive if state in number})))
        places = (by_state.get(arc) for arc in own.walked)
        walked.append(tuple(sorted({arc_of[place] for place in places if place is not None and place in arc_of})))
    return Lit((alive[0], alive[1]), (walked[0], walked[1]))
