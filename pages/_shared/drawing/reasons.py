"""Why a text got its prediction: the text with its matched words, the rules that matched, the labels'
probabilities."""

from __future__ import annotations

from collections.abc import Sequence

from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.rule_link import rule_link
from pages._shared.drawing.tables import MEASURED, marked
from re2nn_core.services.explanation.classification.reasons import Reasons, RuleMatch
from re2nn_core.services.prediction.precision import Precision

_STYLE = """
<style>
.re2-why-text { font-size: 1.04em; line-height: 1.55; margin: .1rem 0 .5rem; overflow-wrap: anywhere;
  white-space: pre-wrap; }
.re2-bars { display: grid; grid-template-columns: minmax(6em, max-content) 1fr max-content; gap: .18rem .6rem;
  align-items: center; font-size: .92em; }
.re2-bar { height: .55em; border-radius: .3em; background: color-mix(in srgb, currentColor 9%, transparent); }
.re2-bar > div { height: 100%; border-radius: .3em; background: var(--chip); min-width: 2px; }
.re2-rule { margin: .25rem 0; font-size: .92em; }
.re2-rule code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .92em; opacity: .85;
  background: color-mix(in srgb, currentColor 5%, transparent); padding: .12rem .35rem; border-radius: .25rem; }
.re2-head { font-weight: 600; font-size: .88em; opacity: .75; margin: .65rem 0 .2rem; }
</style>
"""
_LONGEST_RULE = 260


def draw_reasons(reasons: Reasons, palette: Palette, *, head: str = "", text: bool = True) -> None:
    """All of it. `head` is HTML that stands beside the prediction."""
    prediction = palette.chip(reasons.prediction, missing=NO_PREDICTION)
    parts = [_STYLE]
    if text:
        parts.append(f'<div class="re2-why-text">{marked_text(reasons, palette)}</div>')
    measured = reasons.confidence is None and reasons.precision is not None
    title = f' title="{escape(MEASURED)}"' if measured else ""
    parts.append(f'<div>{prediction} <span class="re2-muted"{title}>{escape(reasons.certainty)}</span> {head}</div>')
    if reasons.ground != "default":  # what is beside the prediction says it already
        parts.append(f'<div class="re2-muted" style="margin-top:.3rem">{escape(reasons.sentence)}</div>')
    parts.append(rules_html(reasons.matches, palette))
    if reasons.scored:
        parts.append('<div class="re2-head">Scores of labels</div>')
        parts.append(bars_html(reasons.scored, palette))
    html("".join(parts))


def marked_text(reasons: Reasons, palette: Palette) -> str:
    """The text as HTML, the words of the rules that decide marked in their label's colour."""
    colour = next((palette.colour(hit.label) for hit in reasons.matches if hit.marks), "")
    style = f' style="--chip:{colour}"' if colour else ""
    return f"<span{style}>{marked(reasons.text, reasons.marks)}</span>"


def rules_html(matches: Sequence[RuleMatch], palette: Palette) -> str:
    """The rules that matched, those that speak for the prediction first; nothing where none did."""
    if not matches:
        return ""
    rows = "".join(
        f'<div class="re2-rule"><b>{rule_link(hit.name)}</b> {palette.chip(hit.label)}{precision_html(hit.precision)}'
        f"<code>{escape(_short(hit.expression))}</code></div>"
        for hit in matches
    )
    title = "Matching rule" if len(matches) == 1 else f"{len(matches)} matching rules"
    return f'<div class="re2-head">{title}</div>{rows}'


def precision_html(precision: Precision | None) -> str:
    """What was measured of a rule, behind its name; nothing where nothing was."""
    if precision is None:
        return ""
    return f' <span class="re2-muted" title="{escape(MEASURED)}">{escape(precision.in_words)}</span>'


def _short(expression: str) -> str:
    return expression if len(expression) <= _LONGEST_RULE else expression[:_LONGEST_RULE] + " …"


def bars_html(ranked: Sequence[tuple[str, float]], palette: Palette) -> str:
    """Labels with their probabilities as bars."""
    rows = "".join(
        f"<div>{palette.chip(label)}</div>"
        f'<div class="re2-bar" style="--chip:{palette.colour(label)}">'
        f'<div style="width:{100 * share:.1f}%"></div></div>'
        f'<div style="text-align:right;font-variant-numeric:tabular-nums">{share:.0%}</div>'
        for label, share in ranked
    )
    return f'<div class="re2-bars">{rows}</div>'
