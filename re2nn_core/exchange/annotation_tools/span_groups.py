"""Groups of spans in a DocBin (`doc.spans`, for spaCy's spancat): msgpack in msgpack, spans as packed numbers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRows
from re2nn_core.exchange.counted_offsets import SpanInFile

# id, knowledge base, label, first and last word, first and last character, in spaCy's order.
_SPAN = struct.Struct(">QQQllll")
_LARGEST = 16 * 2**20
ENTITIES = "ents"

# Label as a number, first word, end behind the last word.
Group = tuple[tuple[int, int, int], ...]


def groups_of_document(packed: object) -> dict[str, Group]:
    """The groups of one document by their keys; none where the bytes cannot be read, which is no fault of its text."""
    from srsly import msgpack

    if not isinstance(packed, bytes) or not packed or len(packed) > _LARGEST:
        return {}
    try:
        message = msgpack.unpackb(packed, object_pairs_hook=dict, raw=False, strict_map_key=False)
        written = [(value, None) for value in message] if isinstance(message, list) else list(message.items())
        groups: dict[str, Group] = {}
        for value, keys in written:
            group = msgpack.unpackb(value, object_pairs_hook=dict, raw=False)
            spans = tuple(_SPAN.unpack(span)[2:5] for span in group["spans"])
            groups.update({str(key): spans for key in keys or [group["name"]]})
    except Exception:  # noqa: BLE001 - what it raises for wrong bytes has no common parent
        return {}
    return groups


def chosen_spans(
    entities: tuple[SpanInFile, ...] | None,
    groups: dict[str, tuple[SpanInFile, ...]],
    line: int,
    read: AnnotatedRows,
) -> tuple[SpanInFile, ...] | None:
    """The spans of a document: of the group that was asked for, its entities, or the only group."""
    read.controls.update(groups)
    read.controls[ENTITIES] += entities is not None
    key = read.asked.label
    if key is None:
        named = _named(list(groups))
        key = next(iter(groups)) if entities is None and len(groups) == 1 else ENTITIES
        if key != ENTITIES:
            read.remark(f"with spans of the group {named} in place of entities", line)
        elif groups:
            read.remark(f"with span groups that are not read ({named}); --label-column names one", line)
    spans = entities if key == ENTITIES else groups.get(key)
    read.keys.annotation[key] += spans is not None
    return spans


def _named(groups: Sequence[str]) -> str:
    return ", ".join(f"'{name[:40]}'" for name in sorted(groups)[:5])


def as_spans(group: Group, words: Sequence[Any], name_of: Any) -> tuple[SpanInFile, ...]:
    """A group with characters for words. RefusedError for a label that the file does not tell, ValueError for words
    that the text does not have."""
    found = []
    for label, first, end in group:
        if not 0 <= first < end <= len(words):
            raise ValueError(f"a group has a span of words {first} to {end}, but the text has {len(words)} words")
        found.append(SpanInFile(words[first].start, words[end - 1].end, name_of(label)))
    return tuple(found)
