"""Below the texts: the chosen one explained. The tag of each word with its score as a sum, how much each word counts
for a span, paths word by word, why another slot does not come, and the smallest change that brings it."""

from __future__ import annotations

import streamlit as st

from pages._predict.explained import ask_change, ask_why_not, draw_part
from pages._shared.cached.explaining import (
    STYLE,
    choose_path,
    flip_html,
    heat_html,
    notes_html,
    signed,
)
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.services.explanation.slot_filling.explainers import SlotExplainer
from re2nn_core.services.explanation.slot_filling.explanation import SlotExplanation, TaggedWord, bound_note
from re2nn_core.services.values.rules import slot_of
from re2nn_core.text.counting import counted
from re2nn_core.text.visible import visible

_SHOWN_RULES = 3
_ANY = "other slots than now"


def explain_slots_with(explainer: SlotExplainer, text: str, palette: Palette) -> None:
    """All of it for one text, by an explainer of any rules and network."""
    found = explainer.explain(text)
    sentence = [word.text for word in found.words]
    _draw_heat(found, sentence, palette)
    draw_part(
        found,
        scores=lambda: html(_words_html(found, palette)),
        paths=lambda: choose_path(found.paths, f"predict_path_{hash(text)}", trained=found.trained),
        why_not=lambda: _draw_why_not(explainer, found, sentence),
        change=lambda: _draw_change(explainer, text, sentence),
    )


def _draw_heat(found: SlotExplanation, sentence: list[str], palette: Palette) -> None:
    """The words with their heat for one span."""
    parts = [STYLE]
    if found.spans:
        names = [f"{span.slot}: {' '.join(sentence[span.first : span.end])}" for span in found.spans]
        chosen = st.selectbox(
            "Contribution of words to",
            range(len(names)),
            format_func=names.__getitem__,
            key=f"predict_about_{hash(found.text)}",
            width=320,
        )
        span = found.spans[chosen or 0]
        known = [word.known for word in found.words]
        parts.append(heat_html([visible(word) for word in sentence], span.heats, palette.colour(span.slot), known))
        parts.append(
            f'<div class="re2-muted">Below each word: decrease of the score of {escape(names[chosen or 0])} '
            "when an unknown word is substituted. Dashed: increase. Dotted: unknown to the model.</div>"
        )
    elif not any(slot_of(tag) for tag in found.tags):
        parts.append('<div class="re2-muted">No span is predicted here.</div>')
    html("".join(parts) + notes_html(found.notes, found.ties))


def _words_html(found: SlotExplanation, palette: Palette) -> str:
    """Each word with its tag, its score as a sum, the rules behind it, and what comes second."""
    if not found.words or not found.words[0].sums:
        return ""
    chained = any(one.chain for word in found.words for one in word.sums)
    shown = [word for word in found.words if not found.long or slot_of(word.tag)]
    rows = [_row(word, found.trained, chained, palette) for word in shown]
    head = [
        "Word",
        "Tag",
        *(["Rules"] if found.trained else []),
        "Score",
        "= rules",
        "+ not from rules",
        *(["CRF"] if chained else []),
        "Contributing rules",
        "Next best tag",
    ]
    begin = 3 if found.trained else 2
    numbers = range(begin, begin + 3 + chained)
    note = bound_note(found.words)
    below = f'<div class="re2-muted">{escape(note)}</div>' if note else ""
    left = len(found.words) - len(shown)
    below += f'<div class="re2-muted">and {counted(left, "word")} without a slot</div>' if left else ""
    return f'<div class="re2-scroll">{html_table(head, rows, numbers)}</div>{below}'


def _row(word: TaggedWord, trained: bool, chained: bool, palette: Palette) -> list[str]:
    own = next((one for one in word.sums if one.tag == word.own), word.sums[0])
    other = next((one for one in word.sums if slot_of(one.tag) != slot_of(word.tag)), None)
    strongest = sorted(word.added.items(), key=lambda item: -abs(item[1]))
    adds = ", ".join(f"{escape(name)} {signed(value)}" for name, value in strongest[:_SHOWN_RULES])
    more = f" and {len(strongest) - _SHOWN_RULES} more" if len(strongest) > _SHOWN_RULES else ""
    return [
        escape(visible(word.text)),
        tag_html(word.tag, palette),
        *([tag_html(word.rules_tag, palette)] if trained else []),
        f"<b>{signed(own.score)}</b>",
        signed(own.rules),
        signed(own.outside),
        *([signed(own.chain)] if chained else []),
        adds + more or "–",
        "–" if other is None else f"{tag_html(other.tag, palette)} {signed(other.score)}",
    ]


def tag_html(tag: str, palette: Palette) -> str:
    """A tag: of a slot its letter and the slot as a chip."""
    slot = slot_of(tag)
    if slot is None:
        return '<span class="re2-muted">O</span>'
    return f"{escape(tag[:2])}{palette.chip(slot)}" if tag[1:2] == "-" else palette.chip(slot)


def _draw_why_not(explainer: SlotExplainer, found: SlotExplanation, sentence: list[str]) -> None:
    given = {slot_of(tag) for tag in found.tags}
    slots = sorted(explainer.slots, key=lambda slot: slot in given)  # what is not there is asked for first
    ask_why_not(explainer, found.text, slots, sentence)


def _draw_change(explainer: SlotExplainer, text: str, sentence: list[str]) -> None:
    flip = ask_change(explainer, text, _ANY, explainer.slots)
    html(f"<div>Now: {escape(flip.before or '')}</div>{flip_html(flip, sentence)}")
