"""What was said of a text, its label or its spans, in the forms that several formats write it in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from re2nn_core.task import Task, by_task
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span

Written = TypeVar("Written")
# A text with its number from 1 and who gave its label or spans; None where they came with the data.
Numbered = tuple[int, Example, str | None]


@dataclass(frozen=True, order=True)
class SpanForOthers(Span):
    """A span as other programs have it: the name of its slot may hold blanks."""

    def __post_init__(self) -> None:
        """Nothing is wrong with a blank here."""


def with_blank_slots(example: Example) -> Example:
    """The example with blanks for the `_` in the names of its slots, as files have them that were imported so."""
    if example.spans is None:
        return example
    spans = (
        SpanForOthers(span.start, span.end, span.slot.replace("_", " ").strip() or span.slot) for span in example.spans
    )
    return replace(example, spans=tuple(spans))


def annotation_column(task: Task) -> str:
    """The name of the column in which answers stand."""
    return by_task(task, classification="label", slot_filling="spans")


def annotation_of(
    example: Example, task: Task, *, label: Callable[[str], Written], spans: Callable[[Sequence[Span]], Written]
) -> Written | None:
    """The label or the spans of a text, written; None where nobody has said."""
    if task == Task.SLOT_FILLING:
        return None if example.spans is None else spans(example.spans)
    return None if example.label is None else label(example.label)


def as_lists(spans: Sequence[Span]) -> list[list[Any]]:
    """Spans as [start, end, slot]."""
    return [[span.start, span.end, span.slot] for span in spans]


def as_objects(spans: Sequence[Span]) -> list[dict[str, Any]]:
    """Spans as objects, the slot as their label."""
    return [{"start": span.start, "end": span.end, "label": span.slot} for span in spans]
