"""A text with several sets of spans, one line each: what is marked, and what rules and networks give it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.spans import Shown, spans_html
from re2nn_core.text.spans import Span

STYLE = """
<style>
.re2-lines { display: grid; grid-template-columns: 7.2rem 1fr; gap: 0 .8rem; padding: .45rem .2rem;
  border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent); line-height: 1.75; }
.re2-lines > span { opacity: .68; font-size: .86em; line-height: 2; white-space: nowrap; }
.re2-lines > div { overflow-wrap: anywhere; min-width: 0; }
</style>
"""
Line = tuple[str, str]  # who says it, and the text with its spans as HTML


def marked_line(who: str, text: str, gold: Sequence[Span], palette: Palette) -> Line:
    """The text as it is marked."""
    return who, spans_html(text, gold, palette)


def prediction_line(who: str, text: str, given: Sequence[Span], gold: Collection[Span], palette: Palette) -> Line:
    """The text as somebody predicts it; spans that are not marked so are drawn as wrong."""
    return who, spans_html(text, [Shown(span, "given" if span in gold else "wrong") for span in given], palette)


def prediction_lines(
    text: str, gold: Sequence[Span], predictions: Sequence[tuple[str, Sequence[Span]]], palette: Palette
) -> list[Line]:
    """The text as it is marked, then the predictions; who gives the same prediction stands on one line."""
    shared: dict[tuple[Span, ...], list[str]] = {}
    for who, spans in predictions:
        shared.setdefault(tuple(spans), []).append(who)
    lines = (prediction_line(" and ".join(names), text, spans, gold, palette) for spans, names in shared.items())
    return [marked_line("marked", text, gold, palette), *lines]


def draw_lines(texts: Sequence[Sequence[Line]]) -> None:
    """Texts one below the other."""
    html('<div class="re2-texts">' + "".join(map(_text, texts)) + "</div>")


def _text(lines: Sequence[Line]) -> str:
    return (
        '<div class="re2-lines">'
        + "".join(f"<span>{escape(who)}</span><div>{body}</div>" for who, body in lines)
        + "</div>"
    )
