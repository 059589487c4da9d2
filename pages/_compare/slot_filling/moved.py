"""The project's texts in which a reconstructed rule marks other words than the written one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages._compare.chosen_rule import SlotRule
from pages._compare.reconstructed.shared import SlotComparison
from pages._compare.reconstructed.slot_filling import is_moved
from pages._rules.slot_filling.analysis import slot_bench
from pages._shared.cached.systems import known_slots
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html, section
from pages._shared.drawing.spans import SpanText, span_html, span_list, spans_html
from re2nn_core.services.rule_difference.slot_filling.rule_spans import ChangedSpans, changed_spans, evaluated
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import Spans
from re2nn_core.text.counting import counted

Gold = Mapping[int, Spans | None]  # the marked spans of a text by its place
_SHOWN = 40
_NOTE = "Of this rule alone, without the effect of other rules; the most frequent text first."


def moved_by(chosen: SlotRule) -> list[ChangedSpans]:
    """The texts that the rule marks otherwise than on the written side; a new rule marks all it marks anew. None of a
    rule that stayed as it was. StateBudgetError."""
    rule, compared = chosen.change, chosen.compared
    if not is_moved(rule):
        return []
    bench = slot_bench(chosen.project)

    def marked(system: SlotSystem) -> dict[int, Spans]:
        own = [(name, tree) for name, tree in system.trees if name == rule.name]
        found = [reading.spans for reading in bench.readings(own, system.logic)]
        places = range(len(compared.records))  # texts may have come since the comparison
        return {place: spans for spans in found for place, spans in spans.items() if place in places}

    texts = [record.text for record in compared.records]
    return changed_spans(texts, marked(chosen.side.system), marked(compared.reconstructed))


def draw_moved(chosen: SlotRule, moved: Sequence[ChangedSpans]) -> None:
    """Texts with more spans, with fewer, and with others in their place."""
    compared = chosen.compared
    section(f"Texts in which {chosen.change.name} captures more or less", _NOTE)
    places = [place for one in moved for place in one.places]
    examples = span_examples_of([compared.records[place] for place in places], known_slots(chosen.project))
    gold = {place: example.spans for place, example in zip(places, examples, strict=True)}
    for title, own in (
        ("▲ more", [one for one in moved if not one.went]),
        ("▼ less", [one for one in moved if not one.came]),
        ("± other words or slots", [one for one in moved if one.came and one.went]),
    ):
        if own or title[0] != "±":
            _draw(title, own, compared, gold, chosen.palette)


def _draw(title: str, moved: Sequence[ChangedSpans], compared: SlotComparison, gold: Gold, palette: Palette) -> None:
    sign, what = title.split(" ", 1)
    count = sum(len(one.places) for one in moved)
    right, wrong = evaluated(moved, gold)
    meaning = f"; new spans in annotated texts: {right:,} correct, {wrong:,} incorrect" if right + wrong else ""
    with st.expander(f"{sign} {counted(count, 'text')} {what}{meaning}", expanded=0 < len(moved) <= 15):
        if not moved:
            html('<div class="re2-muted">None.</div>')
            return
        span_list([_row(one, compared.records[one.places[0]].text, gold, palette) for one in moved[:_SHOWN]])
        if len(moved) > _SHOWN:
            html(f'<div class="re2-muted">and {len(moved) - _SHOWN:,} more</div>')


def _row(one: ChangedSpans, text: str, gold: Gold, palette: Palette) -> SpanText:
    """The text with what is new in it, how often it comes, and a note for each span that came or went."""
    marked = next((spans for place in one.places if (spans := gold[place]) is not None), None)
    notes = tuple(
        f"<b>{sign}</b> {span_html(text, span, palette)}{'' if marked is None else ' ✓' if span in marked else ' ✗'}"
        for sign, spans in (("+", one.came), ("−", one.went))
        for span in spans
    )
    times = f"{len(one.places):,} times" if len(one.places) > 1 else ""
    return SpanText(spans_html(text, one.came, palette), times, notes)
