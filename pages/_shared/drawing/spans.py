"""Texts with their spans: the words on their slot's colour, the slot's name behind them. Never by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from re2nn_core.text.spans import Span

Kind = Literal["given", "wrong", "missed"]
_SIGNS: dict[Kind, str] = {"given": "", "wrong": " ✗", "missed": " missed"}


@dataclass(frozen=True)
class Shown:
    """A span to draw: as given, as given wrongly, or as missed. Spans that are drawn in one text must not overlap."""

    span: Span
    kind: Kind = "given"
    name: str | None = None


def spans_html(
    text: str, spans: Iterable[Span | Shown], palette: Palette, learned: Iterable[tuple[int, int]] = ()
) -> str:
    """The text as HTML with its spans, and the words at these characters outside of them as learned ones."""
    parts, at = [], 0
    shown = [one if isinstance(one, Shown) else Shown(one) for one in spans]

    def between(start: int, end: int) -> str:
        inside = [(first, last) for first, last in learned if start <= first and last <= end]
        edges = [start, *(edge for pair in inside for edge in pair), end]
        pieces = [escape(text[first:last]) for first, last in pairwise(edges)]
        return "".join(f'<ins class="re2-new">{one}</ins>' if place % 2 else one for place, one in enumerate(pieces))

    learned = sorted(learned)
    for one in sorted(shown, key=lambda one: one.span):
        span = one.span
        parts.append(between(at, span.start))
        kind = "" if one.kind == "given" else f" re2-{one.kind}"
        name = escape((one.name or span.slot) + _SIGNS[one.kind])
        parts.append(
            f'<mark class="re2-span{kind}" style="--chip:{palette.colour(span.slot)}">'
            f"{escape(text[span.start : span.end])}<small>{name}</small></mark>"
        )
        at = span.end
    return "".join([*parts, between(at, len(text))])


def span_html(text: str, span: Span, palette: Palette) -> str:
    """One span of a text in words: its slot as a chip, the characters in quotes."""
    return f"{palette.chip(span.slot)} {quoted(text, span)}"


def quoted(text: str, span: Span) -> str:
    """The characters of a span in quotes, as HTML."""
    return f"“{escape(text[span.start : span.end])}”"


@dataclass(frozen=True)
class SpanText:
    """A text to list. `body`, `meta` and `notes` are HTML; each note is a line below the text."""

    body: str
    meta: str = ""
    notes: tuple[str, ...] = ()


def span_list(texts: Sequence[SpanText]) -> None:
    """Texts one below the other, each with its notes."""
    html('<div class="re2-texts">' + "".join(map(span_row, texts)) + "</div>")


def span_row(item: SpanText) -> str:
    """One of them as HTML."""
    meta = f'<span class="re2-meta">{item.meta}</span>' if item.meta else ""
    notes = "".join(f"<div>{note}</div>" for note in item.notes)
    below = f'<div class="re2-notes">{notes}</div>' if notes else ""
    return f'<div class="re2-text">{meta}{item.body}{below}</div>'
