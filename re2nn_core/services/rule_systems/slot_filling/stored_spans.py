"""Texts of a project for slots: what the store keeps as one string for each text, as spans, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from re2nn_core.store import ProjectRecord, Store, TextRecord, labels_of
from re2nn_core.text.corpus import Example, spelt_alike
from re2nn_core.text.spans import Span, read_spans


def spans_of_record(record: TextRecord) -> tuple[Span, ...] | None:
    """The spans that stand for a text now, given by people or by the data; None where nobody has said."""
    return None if record.label is None else read_spans(record.label)


def span_examples_of(records: Iterable[TextRecord], known: Sequence[str] = ()) -> tuple[Example, ...]:
    """Texts with the spans that stand for them now, their slots spelt as the `known` ones where there are such."""
    found = tuple(Example(record.text, None, record.split, spans_of_record(record)) for record in records)
    return spelt_alike(found, known) if known else found


def slots_in_use(store: Store, project_id: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The slots of the spans that a project's texts came with, and those of the spans that people gave, each in the
    order of the first text that has them."""
    came, given = (labels_of(store, project_id, came=came) for came in (True, False))
    return _slots(came), _slots(given)


def known_slots_of(store: Store, project: ProjectRecord) -> tuple[str, ...]:
    """How a project's texts spell slots, each as it is met first, where the case of letters does not count; else
    none."""
    if not project.ignore_slot_case:
        return ()
    came, given = slots_in_use(store, project.id)
    first: dict[str, str] = {}
    for slot in (*came, *given):
        first.setdefault(slot.casefold(), slot)
    return tuple(first.values())


def _slots(written: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(span.slot for spans in written for span in read_spans(spans)))
