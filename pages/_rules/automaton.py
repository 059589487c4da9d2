"""Below the editor: the automaton of the rule in which the caret is, from the rules as they are being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice

import streamlit as st

from pages._shared.cached.word_counts import WordCounts
from pages._shared.catalog import AUTOMATON, COMPARE
from pages._shared.components.automaton_canvas import Canvas, SteppedText, draw_automaton
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.rule_link import addresses
from re2nn_core.plots.drawn_automaton import DrawnMachine
from re2nn_core.services.automaton_views.classification.views import automaton_of_tree
from re2nn_core.services.automaton_views.slot_filling.views import transducer_of_tree
from re2nn_core.services.automaton_views.stepping import AnyMachine, accepting_moves
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.rules import print_expression
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.tokenization import Tokenization, words

HEIGHT = 190
PANEL = HEIGHT + 78  # pixels, with what is above the drawing
SHOWN = "rules_automaton"
_TEXTS = 8
_STEPPED = 64  # texts whose ways are kept for each rule
_LONGEST = 60  # words of a text that is stepped through


@dataclass(frozen=True)
class Picture:
    """What is drawn of a rule, and a few texts that it matches; or why it cannot be drawn."""

    canvas: Canvas | None
    texts: tuple[SteppedText, ...]
    refusal: str


@dataclass(frozen=True)
class Drawn:
    """A rule as it is drawn, and what steps a text through it; or why it is not."""

    canvas: Canvas | None
    stepped: Callable[[tuple[str, ...]], SteppedText | None]
    refusal: str


Built = tuple[AnyMachine | None, str]  # the machine, or why there is none


def automaton_shown() -> bool:
    """Whether the automaton is shown; it is at first."""
    return bool(st.session_state.get(SHOWN, True))


def draw_switch() -> None:
    """Shows the automaton or hides it."""
    st.session_state.setdefault(SHOWN, True)
    st.toggle("Automaton", key=SHOWN, persist_state="session")


def draw_rule_automaton(draft: Draft, picture: Callable[[str], Picture], names: Sequence[str]) -> None:
    """The panel, of the chosen rule, else of that at the caret or the first of `names`: those of the rules as last
    read."""
    if not names:
        html('<div class="re2-empty re2-muted">Write a rule to see its automaton.</div>')
        return
    rule = next((one for one in (draft.rule, draft.caret_rule) if one in names), names[0])
    shown = picture(rule)
    if shown.canvas is None:
        st.info(
            messages.plain(f"{shown.refusal} See its sizes and transitions on the page {AUTOMATON.title}."),
            icon=":material/account_tree:",
        )
        return
    links, key = addresses(rule, (AUTOMATON, COMPARE)), f"_rule_automaton_{draft.project_id}"
    draw_automaton(shown.canvas, shown.texts, key=key, height=HEIGHT, links=links)


def rule_picture(found: Analysis, records: Sequence[TextRecord], counts: WordCounts, rule: str) -> Picture:
    """Of a rule for a label."""
    tree = next(one.expanded for one in found.system.ruleset.rules if one.name == rule)
    drawn = _drawn(print_expression(tree), rule, (), counts.key, partial(automaton_of_tree, tree, rule), counts)
    return _picture(drawn, found.matches(rule=rule), records, found.system.tokenization)


def slot_rule_picture(
    found: SlotAnalysis, records: Sequence[TextRecord], counts: WordCounts, palette: Palette, rule: str
) -> Picture:
    """Of a rule for slots."""
    tree = dict(found.system.trees)[rule]
    colours = tuple((slot, palette.colour(slot)) for slot in found.slots)
    drawn = _drawn(print_expression(tree), rule, colours, counts.key, partial(transducer_of_tree, tree, rule), counts)
    return _picture(drawn, found.matches(rule=rule), records, found.system.tokenization)


# The page is drawn anew with each pause of the hand, and the rule is mostly the same.
@st.cache_resource(show_spinner=False, max_entries=64)
def _drawn(
    expression: str,
    rule: str,
    colours: tuple[tuple[str, str], ...],
    counted: tuple[str, int, int],
    _build: Callable[[], Built],
    _counts: WordCounts,
) -> Drawn:
    machine, refusal = _build()
    if machine is None:
        return Drawn(None, _no_way, refusal)
    made = DrawnMachine(machine, rule, counts=_counts.counts, folded=True)
    if made.drawing.too_large:
        return Drawn(None, _no_way, f"Too large to draw here: {made.drawing.size}.")
    canvas = Canvas(made, dict(colours))
    return Drawn(canvas, lru_cache(_STEPPED)(partial(_stepped, canvas, machine)), "")


def _stepped(canvas: Canvas, machine: AnyMachine, sentence: tuple[str, ...]) -> SteppedText | None:
    path = accepting_moves(machine, sentence)
    return None if path is None else canvas.text_of_path(path)


def _no_way(_: tuple[str, ...]) -> None:
    return None


def _picture(drawn: Drawn, places: Iterable[int], records: Sequence[TextRecord], tokenization: Tokenization) -> Picture:
    sentences = (tuple(words(records[place].text, tokenization)) for place in places)
    short = islice((sentence for sentence in sentences if len(sentence) <= _LONGEST), _TEXTS)
    texts = [] if drawn.canvas is None else [text for one in short if (text := drawn.stepped(one)) is not None]
    return Picture(drawn.canvas, tuple(texts), drawn.refusal)
