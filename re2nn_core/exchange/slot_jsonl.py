"""Slot data as JSON lines: words with tags, or a text with spans, as the common tools for labelling write them.

    {"tokens": ["fly", "to", "oslo"], "tags": ["O", "O", "B-city"]}
    {"text": "fly to oslo", "spans": [[7, 11, "city"]], "split": "train"}
    {"text": "fly to oslo", "entities": [{"start": 7, "end": 11, "label": "city"}]}

`split` is optional, spans may be called spans, entities, labels or label, and spans or tags may be left out or null
where nobody has labelled the text. Keys that are not read are named in a note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from re2nn_core.exchange.assemble import blank_note
from re2nn_core.exchange.columns import SPLIT_ALIASES
from re2nn_core.exchange.jsonl import JsonObject, JsonRows, is_object, json_items, kind_of, object_of
from re2nn_core.exchange.slot_rows import SlotRow, SlotRows, listed
from re2nn_core.exchange.table import BadRow, Progress, RefusedError
from re2nn_core.text.spans import Span

SPAN_KEYS = ("spans", "entities", "labels", "label")
_READ = ("tokens", "tags", "text", "split")
_NAMES = ("slot", "label", "type", "entity")
_STARTS, _ENDS = ("start", "start_offset"), ("end", "end_offset")
# Numbers are kept as they are spelled by the reader of JSON lines.
_OFFSET = re.compile(r"\d{1,9}", re.ASCII)
_SPAN_SHAPE = '[start, end, slot] or {"start": ..., "end": ..., "label": ...} is expected'
_EVERY = 10_000
_LOOK = 20


def is_json(text: str) -> bool:
    """True if one of the first lines is a JSON object, or the text an array of objects."""
    lines = [line for line in text[: 64 * 1024].split("\n") if line.strip()]
    if any(is_object(line) for line in lines[:_LOOK]):
        return True
    if not text.lstrip().startswith("["):
        return False
    first = next(json_items(text, JsonRows()), None)
    return first is not None and isinstance(first[2], JsonObject)


def has_slots(values: Mapping[str, Any]) -> bool:
    """True if an object gives words with tags, or spans."""
    if isinstance(values.get("tags"), list) and isinstance(values.get("tokens"), list):
        return True
    found = (values.get(key) for key in SPAN_KEYS)
    return any(isinstance(items, list) and items and isinstance(items[0], list | JsonObject) for items in found)


def read_slot_jsonl(text: str, on_progress: Progress | None = None) -> SlotRows:
    """The rows of a JSON lines text or of one JSON array."""
    result, counted = SlotRows(), JsonRows()
    unread: Counter[str] = Counter()
    for count, (line, share, item) in enumerate(json_items(text, counted), start=1):
        try:
            values = object_of(item)
            result.rows.append(_row(line, values))
            read = (*_READ, _span_key(values))
            unread.update(key for key, value in values.items() if value is not None and key not in read)
        except RefusedError as reason:
            result.bad_rows.append(BadRow(line, str(reason)))
        if on_progress is not None and count % _EVERY == 0:
            on_progress(share)
    result.notes += blank_note(counted.blank)
    if unread:
        named = ", ".join(f"'{key[:40]}'" for key, _ in unread.most_common(6))
        result.notes.append(f"Not read, because slots need only texts, spans and splits: {named}.")
    return result


def _row(line: int, values: Mapping[str, Any]) -> SlotRow:
    split, span_key = _split(values.get("split")), _span_key(values)
    tags, text = values.get("tags"), values.get("text")
    if tags is not None or (text is None and values.get("tokens") is not None):
        if span_key is not None:
            raise RefusedError(f"has both 'tags' and '{span_key}'; keep one of them")
        return _tagged(line, split, values)
    if text is None:
        raise RefusedError("has no 'text' with 'spans' and no 'tokens' with 'tags'")
    if not isinstance(text, str):
        raise RefusedError(f"'text' holds {kind_of(text)}; a text is expected")
    spans = None if span_key is None else _spans(span_key, values[span_key])
    return SlotRow(line, split, text=text, spans=spans)


def _tagged(line: int, split: str | None, values: Mapping[str, Any]) -> SlotRow:
    words = _strings("tokens", values.get("tokens"))
    tags = None if values.get("tags") is None else _strings("tags", values["tags"])
    text = values.get("text")
    if text is not None and text != " ".join(words):
        raise RefusedError("'text' is not its tokens with one blank between; leave it out, or give it with 'spans'")
    return SlotRow(line, split, tokens=words, tags=tags)


def _strings(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        found = "is missing" if value is None else f"holds {kind_of(value)}"
        raise RefusedError(f"'{key}' {found}; a list of texts is expected")
    for number, item in enumerate(value, start=1):
        if not isinstance(item, str):
            raise RefusedError(f"'{key}' holds {kind_of(item)} in place {number}; a text is expected")
    return tuple(value)


def _split(value: object) -> str | None:
    if value is None or value == "":
        return None
    split = SPLIT_ALIASES.get(value.strip().casefold()) if isinstance(value, str) else None
    if split is None:
        shown = value[:40] if isinstance(value, str) else kind_of(value)
        raise RefusedError(f"split '{shown}' is not one of {', '.join(SPLIT_ALIASES)}")
    return split


def _span_key(values: Mapping[str, Any]) -> str | None:
    """The key that holds the spans: a list under one of the usual names."""
    found = [key for key in SPAN_KEYS if isinstance(values.get(key), list)]
    if len(found) > 1:
        raise RefusedError(f"has spans under {' and '.join(map(repr, found))}; keep one of them")
    return found[0] if found else None


def _spans(key: str, items: list[Any]) -> tuple[Span, ...]:
    spans, faults = [], []
    for number, item in enumerate(items, start=1):
        try:
            spans.append(_span(item))
        except ValueError as fault:
            faults.append(f"'{key}', place {number}: {fault}")
    if faults:
        raise RefusedError(listed(faults))
    return tuple(spans)


def _span(item: object) -> Span:
    """A span of a file; ValueError tells what is wrong with it."""
    if isinstance(item, JsonObject):
        values = object_of(item)
        start, end, slot = (_first_of(values, names) for names in (_STARTS, _ENDS, _NAMES))
    elif isinstance(item, list) and len(item) == 3:
        start, end, slot = item
    else:
        raise ValueError(f"holds {kind_of(item)}; {_SPAN_SHAPE}")
    if not isinstance(slot, str):
        raise ValueError(f"names no slot; {_SPAN_SHAPE}")
    return Span(_offset(start), _offset(end), slot)


def _first_of(values: Mapping[str, Any], names: tuple[str, ...]) -> object:
    return next((values[name] for name in names if values.get(name) is not None), None)


def _offset(value: object) -> int:
    if not isinstance(value, str) or _OFFSET.fullmatch(value) is None:
        shown = repr(value[:20]) if isinstance(value, str) else kind_of(value)
        raise ValueError(f"{shown} is no offset: a whole number from 0 on is expected")
    return int(value)
