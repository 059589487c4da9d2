"""Messages of the span editor: one message for each thing that was done. It comes from a browser, so it is read with
care."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from re2nn_core.services.annotation.span_annotation import MessageKind, SpanMessage
from re2nn_core.text.spans import Span

_KINDS: tuple[MessageKind, ...] = get_args(MessageKind)


def read_message(sent: object) -> SpanMessage | None:
    """The message; None for anything that the editor cannot have sent."""
    if not isinstance(sent, Mapping) or sent.get("kind") not in _KINDS:
        return None
    try:
        spans = tuple(_span(item) for item in sent.get("marks", ()))
        number, by, note = int(sent["number"]), int(sent.get("by", 0)), str(sent.get("note", ""))
        texts = tuple(int(text_id) for text_id in sent.get("texts", ()))
        return SpanMessage(sent["kind"], int(sent["text_id"]), number, spans, by, note, texts)
    except (KeyError, TypeError, ValueError):
        return None


def _span(item: Any) -> Span:
    first, behind, slot = item
    return Span(int(first), int(behind), str(slot))
