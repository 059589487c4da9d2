"""Beside the text: the rules that mark something in it, each with what it marks."""

from __future__ import annotations

from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.reasons import precision_html
from pages._shared.drawing.rule_link import rule_link
from pages._shared.drawing.spans import span_html
from re2nn_core.services.annotation.slot_filling import RuleSpans, rules_behind, uncertain_tokens
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import TextRecord

_STYLE = """
<style>
.re2-rule { margin: .1rem 0 .75rem; font-size: .92em; line-height: 1.7; overflow-wrap: anywhere; }
.re2-rule code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .92em; opacity: .85;
  background: color-mix(in srgb, currentColor 5%, transparent); padding: .12rem .35rem; border-radius: .25rem; }
.re2-doubt { font-size: .92em; line-height: 1.6; }
.re2-doubt + .re2-head { margin-top: .8rem; }
.re2-head { font-weight: 600; font-size: .88em; opacity: .75; margin: .2rem 0 .35rem; }
</style>
"""
_LONGEST_RULE = 260


def draw_reasons(predicted: SpanPredictions, record: TextRecord, palette: Palette) -> None:
    """All of it."""
    rules = rules_behind(predicted, record.position)
    title = "No rule matches here" if not rules else "Matching rules"
    parts = [_STYLE, _uncertain_tokens(predicted, record), f'<div class="re2-head">{title}</div>']
    parts += [_rule(rule, record.text, palette) for rule in rules]
    html("".join(parts))


def _rule(rule: RuleSpans, text: str, palette: Palette) -> str:
    measured = [precision_html(precision) for precision in rule.precision]
    pairs = zip(rule.spans, measured, strict=True)
    spans = " ".join(f"{span_html(text, span, palette)}{worth}" for span, worth in pairs)
    short = rule.expression if len(rule.expression) <= _LONGEST_RULE else rule.expression[:_LONGEST_RULE] + " …"
    return f'<div class="re2-rule"><b>{rule_link(rule.name)}</b> {spans}<code>{escape(short)}</code></div>'


def _uncertain_tokens(predicted: SpanPredictions, record: TextRecord) -> str:
    """The words that are underlined with dots in the text, and why; those side by side for one reason together."""
    tokens = predicted.tokens[record.position]
    stretches: list[tuple[int, int, str]] = []  # (first character, the one behind the last, reason)
    for one in uncertain_tokens(predicted, record.position):
        token = tokens[one.word]
        beside = one.word > 0 and stretches and stretches[-1][1:] == (tokens[one.word - 1].end, one.reason)
        start = stretches.pop()[0] if beside else token.start
        stretches.append((start, token.end, one.reason))
    rows = "".join(
        f'<div class="re2-doubt">“{escape(record.text[start:end])}”: {escape(reason)}</div>'
        for start, end, reason in stretches
    )
    return f'<div class="re2-head">Check these words (dotted)</div>{rows}' if rows else ""
