"""Beside the texts: which rules gave the spans of the chosen one, and what rules and marks say that the prediction does
not."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._predict.figures import TABLE_HEIGHT
from pages._predict.slot_filling.sources import SlotGiven
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.reasons import precision_html
from pages._shared.drawing.rule_link import rule_link
from pages._shared.drawing.spans import Shown, span_html, spans_html
from pages._shared.drawing.tables import MEASURED
from re2nn_core.services.explanation.classification.reasons import confidence_in_words
from re2nn_core.services.prediction.slot_filling.prediction_files import SpanReasons, span_reasons
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.text.spans import Span

_LONGEST = 220
_STYLE = """
<style>
.re2-why-text { font-size: 1.04em; line-height: 1.75; margin: .1rem 0 .5rem; overflow-wrap: anywhere;
  white-space: pre-wrap; }
.re2-rule { margin: .15rem 0 .35rem .9rem; font-size: .9em; }
.re2-rule code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .92em; opacity: .85;
  background: color-mix(in srgb, currentColor 5%, transparent); padding: .12rem .35rem; border-radius: .25rem; }
.re2-head { font-weight: 600; font-size: .88em; opacity: .75; margin: .65rem 0 .2rem; }
.re2-reason { margin: .3rem 0; }
</style>
"""


def draw_slot_reason(predicted: SpanPredictions, given: SlotGiven, place: int | None, palette: Palette) -> None:
    """All of it for one text."""
    with st.container(border=True, height=TABLE_HEIGHT, key="predict_reason"):
        if place is None:
            return
        text, spans, gold = predicted.texts[place], predicted.spans[place], given.gold[place]
        shown = [Shown(span, "wrong" if gold is not None and span not in gold else "given") for span in spans]
        parts = [_STYLE, f'<div class="re2-why-text">{spans_html(text, shown, palette)}</div>']
        parts.append('<div class="re2-head">Rules of the spans</div>')
        parts += [_reason(text, one, palette) for one in span_reasons(predicted, place)]
        if not spans:
            parts.append('<div class="re2-muted">No span is predicted here.</div>')
        if predicted.differing[place]:
            parts += _others("The rules predict instead", text, predicted.by_rules[place], spans, palette)
        if gold is not None:
            parts += _others("Annotated, not predicted", text, gold, spans, palette)
        html("".join(parts))


def _reason(text: str, one: SpanReasons, palette: Palette) -> str:
    message = "" if one.precision is None else one.precision.in_words
    message = message if one.confidence is None else confidence_in_words(one.confidence)
    title = f' title="{escape(MEASURED)}"' if message and one.confidence is None else ""
    worth = f' <span class="re2-muted"{title}>· {escape(message)}</span>' if message else ""
    words = f' <span class="re2-muted">· {escape(one.words)}</span>' if one.words else ""
    rules = "".join(
        f'<div class="re2-rule"><b>{rule_link(rule.name)}</b>{precision_html(rule.precision)}'
        f"{'' if rule.whole else _IN_PART}"
        f"<code>{escape(_short(rule.expression))}</code></div>"
        for rule in one.rules
    )
    return f'<div class="re2-reason">{span_html(text, one.span, palette)}{worth}{words}{rules}</div>'


_IN_PART = ' <span class="re2-muted">in part, or with other boundaries</span>'


def _others(head: str, text: str, theirs: Sequence[Span], spans: Sequence[Span], palette: Palette) -> list[str]:
    """The spans that only the others have."""
    alone = [span for span in theirs if span not in spans]
    if not alone:
        return []
    rows = [f'<div class="re2-reason">{span_html(text, span, palette)}</div>' for span in alone]
    return [f'<div class="re2-head">{escape(head)}</div>', *rows]


def _short(expression: str) -> str:
    return expression if len(expression) <= _LONGEST else expression[:_LONGEST] + " …"
