"""One sentence, answered by all: the written rules, those of the newest version, the network, and the rules read back
from it; and why the network answers so. For labels and slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import streamlit as st

from pages._compare.drawing.own_sentence import sentence_field
from pages._compare.newest_rules import NewestRules, System
from pages._predict.explained import explain_with
from pages._predict.slot_filling.explained import explain_slots_with
from pages._shared.drawing import messages
from pages._shared.drawing.labels import NO_ANSWER, Palette
from pages._shared.drawing.markup import escape, html, section
from pages._shared.drawing.tables import html_table
from re2nn_core.services.explanation.classification.explainers import Explainer
from re2nn_core.services.explanation.slot_filling.explainers import SlotExplainer
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.networks import Bundle, TaggerBundle
from re2nn_core.services.values.rules import decide
from re2nn_core.services.values.stored import ProjectRecord, RunRecord
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import words

_READ_BACK = "Rules read back"
_NAMED = 6  # rules that are named of one side
_NOTE = (
    "What the written rules, the network and the rules read back from it answer to one sentence, and by which rules."
)


class Asked(Protocol):
    """Whom the sentence is put to."""

    def rows(self, text: str, palette: Palette) -> list[list[str]]:
        """Who answers, the answer as HTML, and by which rules."""

    def explain(self, text: str, palette: Palette) -> None:
        """Draw why the network answers so."""


@st.fragment
def draw_why(project: ProjectRecord, run: RunRecord, asked: Asked, example: str, palette: Palette) -> None:
    """The sentence, at first the example, and the answers; what the network's comes from when it is asked for.
    A change of the sentence runs this part alone."""
    with messages.guard("Explaining a sentence"), st.container(border=True, key="compare_why_box"):
        section("Why does a sentence get its answer?", _NOTE)
        text = sentence_field(st, "A sentence to explain", example, field=f"compare_why_{run.id}")
        if not words(text, project.tokenization):
            html('<div class="re2-muted">Type a sentence, or copy one of your texts.</div>')
            return
        table = html_table(["Who answers", "Answer", "By which rules, or how sure"], asked.rows(text, palette))
        html(f'<div class="re2-answers">{table}</div>')
        if st.toggle("Explain the network's answer word by word", key="compare_why_more", persist_state="session"):
            asked.explain(text, palette)


@dataclass(frozen=True)
class LabelSides:
    """Rules for labels on both sides of their network; the written ones are called `title`, `newest` are those of the
    newest version where they are others, and `explainer` is asked for when something is to be explained."""

    title: str
    written: RuleSystem
    network: Bundle
    read_back: RuleSystem
    explainer: Callable[[], Explainer]
    newest: NewestRules[RuleSystem] | None = None

    def rows(self, text: str, palette: Palette) -> list[list[str]]:
        found = predict(self.network, [text])
        answer = palette.chip(found.answers[0], missing=NO_ANSWER)
        return [
            *(
                [_written(title), *_by_rules(system, text, palette)]
                for title, system in _sides(self.title, self.written, self.newest)
            ),
            ["Network", answer, f"{found.confidence[0]:.0%} sure{_unknown(self.network, text)}"],
            [_READ_BACK, *_by_rules(self.read_back, text, palette)],
        ]

    def explain(self, text: str, palette: Palette) -> None:
        explain_with(self.explainer(), text, palette)


@dataclass(frozen=True)
class SlotSides:
    """The same for slots."""

    title: str
    written: SlotSystem
    network: TaggerBundle
    read_back: SlotSystem
    explainer: Callable[[], SlotExplainer]
    newest: NewestRules[SlotSystem] | None = None

    def rows(self, text: str, palette: Palette) -> list[list[str]]:
        [found] = predict_tags(self.network, [text])
        sure = f"{found.sure:.0%} sure of the least sure word{_unknown(self.network, text)}"
        return [
            *(
                [_written(title), *_spans_by_rules(system, text, palette)]
                for title, system in _sides(self.title, self.written, self.newest)
            ),
            ["Network", _spans(found.spans, text, palette), sure],
            [_READ_BACK, *_spans_by_rules(self.read_back, text, palette)],
        ]

    def explain(self, text: str, palette: Palette) -> None:
        explain_slots_with(self.explainer(), text, palette)


def _unknown(network: Bundle | TaggerBundle, text: str) -> str:
    """The words that the network has not learned, as HTML; nothing where it knows all."""
    sentence = dict.fromkeys(words(text, network.tokenization))
    strange = [word for word in sentence if word not in network.vocabulary.index]
    if not strange:
        return ""
    return f'<div class="re2-muted">new to it: {_named([f"“{word}”" for word in strange])}</div>'


def _sides(title: str, written: System, newest: NewestRules[System] | None) -> list[tuple[str, System]]:
    """The written rules, and those of the newest version where they are others."""
    return [(title, written), *([] if newest is None else [(newest.titles[1], newest.system)])]


def _written(title: str) -> str:
    return f"Written rules ({escape(title)})"


def _by_rules(system: RuleSystem, text: str, palette: Palette) -> tuple[str, str]:
    fired = [name for name, fires in zip(system.rule_names, system.fired([text])[0], strict=True) if fires]
    found = decide(system.logic, fired)
    answer = palette.chip(found.label, missing=NO_ANSWER)
    if found.active or found.label is None:
        return answer, _named(fired)
    why = "no rule accepts it" if not fired else "no label's condition holds"
    return f'{answer} <span class="re2-muted">default label, {why}</span>', _named(fired)


def _spans_by_rules(system: SlotSystem, text: str, palette: Palette) -> tuple[str, str]:
    [read] = system.readings([words(text, system.tokenization)])
    return _spans(system.spans([text])[0], text, palette), _named([system.rule_names[own.rule] for own in read])


def _spans(spans: Sequence[Span], text: str, palette: Palette) -> str:
    """Each span's words with its slot."""
    told = (f"{escape(text[span.start : span.end])} {palette.chip(span.slot)}" for span in spans)
    return ", ".join(told) or '<span class="re2-muted">no slot</span>'


def _named(rules: Sequence[str]) -> str:
    more = len(rules) - _NAMED
    named = ", ".join(map(escape, rules[:_NAMED])) + (f" and {more:,} more" if more > 0 else "")
    return named or '<span class="re2-muted">none</span>'
