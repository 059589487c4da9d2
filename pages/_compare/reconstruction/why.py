"""One sentence, predicted by all: the written rules, those of the newest version, the network, and the rules
reconstructed from it; and why the network predicts so. For labels and slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

import streamlit as st

from pages._compare.chosen_rule import Change, ChosenRule
from pages._compare.drawing.own_sentence import sentence_field
from pages._compare.newest_rules import NewestRules
from pages._compare.reconstructed.shared import Found, System
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html, section
from pages._shared.drawing.tables import html_table
from pages._shared.session.fragments import fragment
from re2nn_core.services.values.networks import Bundle, TaggerBundle
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.tokenization import words

_NAMED = 6  # rules that are named of one side
_NOTE = "What the written rules, the network and the reconstructed rules predict for one sentence, and by which rules."


@dataclass(frozen=True)
class Predictors(Generic[System]):
    """Whom a sentence is put to.

    by_rules    what rules predict, as HTML, and which of them
    by_network  what the network predicts, as HTML, and its confidence
    explain     draws why the network predicts so
    """

    by_rules: Callable[[System, str, Palette], tuple[str, str]]
    by_network: Callable[[str, Palette], tuple[str, str]]
    explain: Callable[[str, Palette], None]


@fragment()
def draw_why(
    chosen: ChosenRule[Found, System, Change], now: NewestRules[System] | None, asked: Predictors[System], example: str
) -> None:
    """The sentence, at first the example, and the predictions, `now` those of the newest rules where they are others;
    what the network's comes from when it is asked for. A change of the sentence runs this part alone."""
    compared, palette = chosen.compared, chosen.palette
    with messages.guard("Explaining a sentence"), st.container(border=True, key="compare_why_box"):
        section("Why is this predicted?", _NOTE)
        text = sentence_field(st, "Sentence to explain", example, field=f"compare_why_{compared.run.id}")
        if not words(text, chosen.project.tokenization):
            html('<div class="re2-muted">Type a sentence, or copy one of your texts.</div>')
            return
        written = [(chosen.newest.titles[0], compared.original)]
        if now is not None:
            written.append((now.titles[1], now.system))
        rows = [
            (f"Written rules ({escape(title)})", asked.by_rules(system, text, palette)) for title, system in written
        ]
        rows.append(("Network", asked.by_network(text, palette)))
        rows.append(("Reconstructed rules, every change", asked.by_rules(compared.reconstructed, text, palette)))
        cells = [[who, message, why] for who, (message, why) in rows]
        table = html_table(["Model", "Prediction", "Rules or confidence"], cells)
        html(f'<div class="re2-answers">{table}</div>')
        if st.toggle(
            "Explain the prediction of the network word by word", key="compare_why_more", persist_state="session"
        ):
            asked.explain(text, palette)


def unknown_words(network: Bundle | TaggerBundle, text: str) -> str:
    """The words that the network has not learned, as HTML; nothing where it knows all."""
    sentence = dict.fromkeys(words(text, network.tokenization))
    strange = [word for word in sentence if word not in network.vocabulary.index]
    if not strange:
        return ""
    return f"""<div class="re2-muted">unknown to the network: {named([f"“{word}”" for word in strange])}</div>"""


def named(rules: Sequence[str]) -> str:
    return escape(first_names(rules, _NAMED)) or '<span class="re2-muted">none</span>'
