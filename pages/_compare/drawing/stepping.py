"""One sentence through both machines at once, word by word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages._compare.drawing.canvas import NOTHING_LIT, Lit
from pages._compare.drawing.own_sentence import sentence_field
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.plots.difference_scene import Scene
from re2nn_core.services.rule_difference.drawn_differences import JointTrace, SideStep, step_both
from re2nn_core.services.values.automata import NO_TAG, MachineDifference, PlainMachine, tags_in_words
from re2nn_core.text.case_words import surfaces_of
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.kinds import spelling
from re2nn_core.text.tokenization import Tokenization, words

_STATES = 12
_TAGGED = 8  # words that are reported with their tag above the table


def sentence_through_both(
    machines: tuple[PlainMachine, PlainMachine],
    difference: MachineDifference,
    tokenization: Tokenization,
    *,
    key: str,
    stamp: str,
    example: str,
) -> tuple[JointTrace | None, int]:
    """The field, the slider, and how it went; None where nothing is typed. States are told by the numbers that they
    have in the difference."""
    field, slider = st.columns([3, 2], vertical_alignment="bottom")
    text = sentence_field(
        field,
        "Step a sentence through both",
        example,
        field=f"_through_{key}",
        placeholder="Type a sentence to see its path through both automata",
    )
    surfaces = surfaces_of(machines[0].words | machines[1].words)
    sentence = words(text, replace(tokenization, cased=surfaces))
    if not sentence:
        return None, 0
    trace = step_both(*machines, sentence)
    last = len(trace.steps) - 1
    step = slider.slider(
        "Position",
        0,
        last,
        last,
        key=f"_steps_{key}_{hash((stamp, sentence))}",
        help="Move word by word with the arrow keys.",
    )
    html(_outcome(trace, sentence, step, difference))
    with st.expander("Step by step"):
        head = (
            ["word", "before", "tag before", "after", "tag after"] if difference.tagged else ["word", "before", "after"]
        )
        html(html_table(head, [_row(trace, place, difference) for place in range(len(trace.steps))]))
    return trace, step


def _outcome(trace: JointTrace, sentence: tuple[str, ...], step: int, difference: MachineDifference) -> str:
    verdicts, so_far = [], []
    now = trace.steps[step]
    for side, title in enumerate(("Before", "After")):
        died = trace.died_at(side)
        if trace.accepted[side]:
            message = "✓ matched" + (_all_given(trace, sentence, side) if difference.tagged else "")
        elif died is not None and died >= 0:
            message = f"✗ no transition for word {died + 1}, “{escape(spelling(sentence[died]))}”"
        else:
            message = "✗ not matched: the sentence ends in a state that is not final"
        verdicts.append(f"<b>{title}</b>: {message}")
        alive = _alive((now.left, now.right)[side], difference.number_of[side])
        so_far.append(f"{title.lower()} {alive}{_given(trace, sentence, step, side) if difference.tagged else ''}")
    return (
        f"""<div class="re2-state">Whole sentence: {" &nbsp;·&nbsp; ".join(verdicts)}</div><div """
        f"""class="re2-muted">After {counted(step, "word")}: {"; ".join(so_far)}.</div>"""
    )


def _alive(step: SideStep, number_of: Mapping[int, int]) -> str:
    if not step.alive:
        return "no active state"
    numbers = sorted(number_of[state] for state in step.alive)
    shown = ", ".join(map(str, numbers[:_STATES])) + (" …" if len(step.alive) > _STATES else "")
    return f"active state{'' if len(step.alive) == 1 else 's'}: {shown}"


def _all_given(trace: JointTrace, sentence: tuple[str, ...], side: int) -> str:
    """The words that get a tag on a side, each with it."""
    pairs = [(word, tags) for word, tags in zip(sentence, trace.tags[side], strict=True) if any(tags)]
    shown = first_names([f"“{escape(spelling(word))}” {escape(tags_in_words(tags))}" for word, tags in pairs], _TAGGED)
    return f", {shown}" if pairs else ", no word gets a tag"


def _given(trace: JointTrace, sentence: tuple[str, ...], step: int, side: int) -> str:
    """What the word read last gets on a side; nothing before the first one."""
    return f", “{escape(spelling(sentence[step - 1]))}” gets {_tag(trace, step, side)}" if step else ""


def _tag(trace: JointTrace, step: int, side: int) -> str:
    """The tag of the word that a step reads, as a side that accepts the whole sentence gives it."""
    return escape(tags_in_words(trace.tags[side][step - 1]) or NO_TAG) if step else ""


def _row(trace: JointTrace, place: int, difference: MachineDifference) -> list[str]:
    step = trace.steps[place]
    row = ["(start)" if step.word is None else escape(spelling(step.word))]
    for side, own in enumerate((step.left, step.right)):
        row.append(_alive(own, difference.number_of[side]))
        if difference.tagged:
            row.append(_tag(trace, place, side))
    return row


def lights(scene: Scene, difference: MachineDifference, trace: JointTrace | None, step: int) -> Lit:
    """The states that are alive on either side, and the arcs just walked, as the scene numbers them."""
    if trace is None:
        return NOTHING_LIT
    now = trace.steps[step]
    group_of = {member: place for place, node in enumerate(scene.nodes) for member in node.members}
    arc_of = {member: place for place, arc in enumerate(scene.arcs) for member in arc.members}
    alive, walked = [], []
    for side, own in enumerate((now.left, now.right)):
        number = difference.number_of[side]
        state_of = {place: state for state, place in number.items()}
        by_state = {
            (state_of[arc.source], state_of[arc.target]): place
            for place, arc in enumerate(difference.arcs)
            if arc.source in state_of and arc.target in state_of
        }
        alive.append(tuple(sorted({group_of[number[state]] for state in own.alive if state in number})))
        ways = [(source, target) for source, target, _ in own.walked]
        places = (by_state.get(way) for way in [*ways, *own.skipped])
        walked.append(tuple(sorted({arc_of[place] for place in places if place is not None and place in arc_of})))
    return Lit((alive[0], alive[1]), (walked[0], walked[1]))
