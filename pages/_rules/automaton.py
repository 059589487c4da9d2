"""Below the editor: the automaton of the rule in which the caret is, from the rules as they are being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import streamlit as st

from pages._shared.catalog import AUTOMATON
from pages._shared.components.automaton_canvas import Drawing, draw_automaton
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from re2nn_core.explain.rule_paths import Move
from re2nn_core.plots.transducer import NO_COLOURS, DrawnArc, drawn_arcs
from re2nn_core.services.automaton_views.classification.views import automaton_of_rule, whole_path
from re2nn_core.services.automaton_views.slot_filling.views import transducer_of_rule, whole_tag_path
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.tokenization import Tokenization, words

HEIGHT = 190
PANEL = HEIGHT + 78  # pixels, with what is above the drawing
SHOWN = "rules_automaton"
_TEXTS = 8
_LONGEST = 60  # words of a text that is stepped through


@dataclass(frozen=True)
class Picture:
    """What is drawn of a rule, and the ways of a few texts that it matches; or why it cannot be drawn."""

    drawing: Drawing | None
    paths: tuple[tuple[Move, ...], ...]
    refusal: str


def automaton_shown() -> bool:
    """Whether the automaton is shown; it is at first."""
    return bool(st.session_state.get(SHOWN, True))


def draw_switch() -> None:
    """Shows the automaton or hides it."""
    st.session_state.setdefault(SHOWN, True)
    st.toggle("Automaton", key=SHOWN, persist_state="session")


def draw_rule_automaton(draft: Draft, picture: Callable[[str], Picture], known: bool) -> None:
    """The panel; `known` says whether the rules as last read have the chosen rule."""
    if draft.rule is None or not known:
        html('<div class="re2-empty re2-muted">Click into a rule to see its automaton.</div>')
        return
    shown = picture(draft.rule)
    if shown.drawing is None or shown.drawing.too_large:
        why = f"Too large to draw here: {shown.drawing.size}. " if shown.drawing else f"{shown.refusal} "
        st.info(
            messages.plain(f"{why}See its sizes and transitions on the page {AUTOMATON.title}."),
            icon=":material/account_tree:",
        )
        return
    draw_automaton(shown.drawing, shown.paths, key=f"_rule_automaton_{draft.project_id}", height=HEIGHT)


def rule_picture(found: Analysis, records: Sequence[TextRecord], rule: str) -> Picture:
    """Of a rule for a label."""
    automaton, refusal = automaton_of_rule(found.system.ruleset, rule)
    if automaton is None:
        return Picture(None, (), refusal)
    arcs = [DrawnArc(source, target, symbols, "") for source, target, symbols in automaton.shown_arcs()]
    drawing = Drawing(rule, "automaton", len(automaton), 0, automaton.finals, arcs, NO_COLOURS)
    texts = _sentences(found.hits(rule=rule), records, found.system.tokenization)
    return Picture(drawing, _paths(texts, lambda sentence: whole_path(automaton, sentence)), "")


def slot_rule_picture(found: SlotAnalysis, records: Sequence[TextRecord], palette: Palette, rule: str) -> Picture:
    """Of a rule for slots."""
    transducer, refusal = transducer_of_rule(found.system, rule)
    if transducer is None:
        return Picture(None, (), refusal)
    colours = {slot: palette.colour(slot) for slot in found.slots}
    arcs = list(drawn_arcs(transducer))
    drawing = Drawing(rule, "transducer", len(transducer), transducer.start, transducer.finals, arcs, colours)
    texts = _sentences(found.hits(rule=rule), records, found.system.tokenization)
    return Picture(drawing, _paths(texts, lambda sentence: whole_tag_path(transducer, sentence)), "")


def _sentences(
    places: Iterable[int], records: Sequence[TextRecord], tokenization: Tokenization
) -> Iterator[tuple[str, ...]]:
    for place in places:
        sentence = tuple(words(records[place].text, tokenization))
        if len(sentence) <= _LONGEST:
            yield sentence


def _paths(
    sentences: Iterator[tuple[str, ...]], way: Callable[[Sequence[str]], tuple[Move, ...] | None]
) -> tuple[tuple[Move, ...], ...]:
    return tuple(path for sentence in islice(sentences, _TEXTS) if (path := way(sentence)) is not None)
