"""A sentence in an automaton, word by word: what is active, which tags each word may get, and where it died."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages._shared.components.automaton_canvas import Canvas, StepOfText, SteppedText
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.explain.rule_paths import Move
from re2nn_core.plots.automaton import NOTHING, Highlight
from re2nn_core.plots.transducer import shown_tag
from re2nn_core.services.automaton_views.slot_filling.views import TagStep, TagTrace
from re2nn_core.services.automaton_views.stepping import AnyMachine, accepting_moves, expected_of, trace_of
from re2nn_core.services.values.automata import Reading, Step, Trace
from re2nn_core.services.values.rules import slot_of
from re2nn_core.text.kinds import spelling
from re2nn_core.text.tokenization import Tokenization, words

_SHOWN_EXPECTED = 12
_SHOWN_STATES = 20


@dataclass(frozen=True)
class Run:
    """A sentence in a machine: word by word, and the moves of its whole path where it is accepted."""

    machine: AnyMachine
    words: tuple[str, ...]
    trace: Trace | TagTrace
    path: tuple[Move, ...]

    @property
    def highlight(self) -> Highlight:
        """What files show of it: the whole path, else what is active at the end."""
        if self.path:
            states = frozenset((self.path[0].source, *(move.target for move in self.path)))
            return Highlight(states, path=tuple((move.source, move.target) for move in self.path))
        last = self.trace.steps[-1]
        return Highlight(frozenset(last.alive), frozenset(last.arcs))


def choose_sentence(example: str, project: int, tokenization: Tokenization) -> tuple[str, ...]:
    """The words of the sentence. What was typed stays whichever machine is chosen; an example gives way to the next."""
    key, typed = f"_traced_{project}", f"_typed_{project}"
    st.session_state[key] = st.session_state.get(typed, example)
    text = st.text_input(
        "Step a sentence through the automaton",
        key=key,
        max_chars=2_000,
        placeholder="Type a sentence",
        on_change=_keep_typed,
        args=(key, typed),
    )
    return tuple(words(text or "", tokenization))


def _keep_typed(key: str, typed: str) -> None:
    # A change of page may call this without a value.
    if key in st.session_state:
        st.session_state[typed] = st.session_state[key]


def run_of(machine: AnyMachine, sentence: tuple[str, ...]) -> Run | None:
    """None for an empty sentence."""
    if not sentence:
        return None
    trace = trace_of(machine, sentence)
    return Run(machine, sentence, trace, (accepting_moves(machine, sentence) or ()) if trace.accepted else ())


def highlight_of(run: Run | None) -> Highlight:
    return NOTHING if run is None else run.highlight


def stepped(run: Run, canvas: Canvas) -> SteppedText:
    """The sentence as the drawing steps through it."""
    steps = run.trace.steps
    reported = [
        StepOfText(
            step.alive,
            verdict(run, number),
            tuple(canvas.machine.lines(step.word, step.arcs)) if step.word is not None else (),
        )
        for number, step in enumerate(steps)
    ]
    missing = ("",) * (len(run.words) - len(steps) + 1)
    tags = (*(" ".join(step.tags) if isinstance(step, TagStep) else "" for step in steps[1:]), *missing)
    way = canvas.text_of_path(run.path)
    named = way.named or (False,) * len(run.words)
    return SteppedText(run.words, tags, named, way.path, tuple(reported), run.trace.died_at)


def draw_run(run: Run, palette: Palette) -> None:
    """How the sentence ends, and its path as a table: for those who do not see the drawing."""
    with st.expander("Path as a table"):
        html(f"<p>{escape(verdict(run, len(run.trace.steps) - 1))}</p>")
        if run.path:
            _draw_path(run.path, palette)
        _draw_steps(run.trace, palette)


def _draw_steps(trace: Trace | TagTrace, palette: Palette) -> None:
    head = ["Step", "Word", "Active states"]
    if isinstance(trace, TagTrace):
        head.append("Tags on paths through the whole sentence" if trace.accepted else "Tags on the transitions taken")
    rows = [_row(number, step, palette)[: len(head)] for number, step in enumerate(trace.steps)]
    html(html_table(head, rows, numbers=(0,)))


def _draw_path(path: Sequence[Move], palette: Palette) -> None:
    tagged = any(move.tag is not None for move in path)
    rows = [
        [
            str(number),
            escape(move.word),
            f"{move.source} → {move.target}",
            escape(move.symbol),
            *([_tag(shown_tag(move.tag), palette) or _NOTHING] if tagged else []),
            _READINGS[move.reading],
        ]
        for number, move in enumerate(path, 1)
    ]
    html(html_table(["Step", "Word", "States", "Matched by", *(["Tag"] if tagged else []), "How"], rows, numbers=(0,)))


_NOTHING = '<span class="re2-muted">no tag</span>'
_READINGS = {
    Reading.NAMED: "named in the rule",
    Reading.ANY: "wildcard, any one word",
    Reading.LOOP: "any number of words",
}


def _row(number: int, step: Step | TagStep, palette: Palette) -> list[str]:
    states = ", ".join(map(str, step.alive[:_SHOWN_STATES])) + (" …" if len(step.alive) > _SHOWN_STATES else "")
    tags = " ".join(_tag(tag, palette) for tag in (step.tags if isinstance(step, TagStep) else ()))
    return [
        str(number),
        '<span class="re2-muted">before the first word</span>' if step.word is None else escape(spelling(step.word)),
        states or "✗ no active state",
        "" if step.word is None or not step.alive else tags or _NOTHING,
    ]


def _tag(tag: str, palette: Palette) -> str:
    if not tag or (slot := slot_of(tag)) is None:
        return escape(tag)
    return f"{escape(tag[:2])}{palette.chip(slot)}" if tag[:2] in ("B-", "I-") else palette.chip(slot)


def verdict(run: Run, number: int) -> str:
    """What is active at a step, and how the run ended."""
    steps = run.trace.steps
    step = steps[number]
    if not step.alive:
        before = steps[number - 1].alive
        readable = expected_of(run.machine, before)
        shown = ", ".join(readable[:_SHOWN_EXPECTED])
        more = f" and {len(readable) - _SHOWN_EXPECTED} more" if len(readable) > _SHOWN_EXPECTED else ""
        could = f"expected: {shown}{more}" if readable else "no word was expected"
        word = f"word {number}, “{spelling(step.word or '')}”"
        return f"✗ No transition for {word}. {_states(before, 'was', 'were')} active; {could}."
    alive = _states(step.alive, "is", "are") + " active"
    if number < len(steps) - 1:
        return f"{alive} after {number} of {len(run.words)} words."
    one = len(step.alive) == 1
    if run.trace.accepted:
        return f"✓ Matched. {alive}{' and final at the end' if one else ' at the end, one of them final'}."
    return f"✗ Not matched. {alive} at the end, {'but not final' if one else 'none of them final'}."


def _states(states: Sequence[int], one: str, many: str) -> str:
    shown = ", ".join(map(str, states[:_SHOWN_STATES])) + (" …" if len(states) > _SHOWN_STATES else "")
    return f"State {shown} {one}" if len(states) == 1 else f"States {shown} {many}"
