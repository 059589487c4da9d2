"""Spans as files write them, in JSON lines and in the cells of tables: a list of [start, end, slot] or of objects.

    [[7, 11, "city"]]                                     a fourth number, how confident a model is, is passed over
    [{"start": 7, "end": 11, "label": "city"}]
    []                                                    no slot in the text
    [(7, 11, 'city')], {'entities': [...]}                as Python prints them
    [{"label": ["city"], "points": [{"start": 7, "end": 10, "text": "oslo"}]}]        of Dataturks
    {"start": [7], "end": [11], "label": ["city"]}        columns of lists, as data sets of Hugging Face keep them
    {"city": [{"start": 7, "end": 11}]}                   by slot
    null, an empty cell                                   nobody has marked the text

Offsets count characters from 0; the end is the one behind the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.found_spans import first_faults
from re2nn_core.exchange.tables.jsonl import JsonObject, Spelled, kind_of, object_of, parse_line
from re2nn_core.exchange.tables.table import Cell, RefusedError
from re2nn_core.text.json_text import json_text

# Keys are compared in lower case and without signs between words: startOffset is start_offset.
_STARTS = (
    *("start", "start_offset", "startchar", "startindex", "startpos", "startposition"),
    *("begin", "beginoffset", "beginindex", "beginchar", "offsetstart", "charstart"),
)
_ENDS = ("end", "end_offset", "endchar", "endindex", "endpos", "endposition", "offsetend", "charend")
_PAIRS = ("span", "indices", "offsets", "range", "position")  # of start and end, in a list
_TWO = 2
_LENGTHS = ("offset", "length")
SLOT_KEYS = ("slot", "label", "type", "entity", "entity_group", "entity_type", "category", "tag", "displayname")
# How Label Studio writes slots in its short form, and others: a list of one.
_LISTED = ("labels", "categories", "types", "tags")
_DEEPEST = 12  # lists and objects in each other
# Under these an object quotes the words of its span.
_QUOTES = (
    *("text", "quote", "surface", "mention", "word", "span_text", "entity_text", "covered_text", "surface_form"),
    *("exact", "content"),
)
# What else may be in an object below the name of its slot.
_BESIDE = ("value", "body", "score", "confidence", "probability", "id")
# Numbers are kept as they are spelled by the reader of JSON lines.
_OFFSET = re.compile(r"(\d{1,9})(?:\.0+)?", re.ASCII)  # pandas writes 7.0 where other rows have none
# [(7, 11, 'city')] and {'entities': [(7, 11, 'city')]}, in the cells of tables that Python wrote
_TUPLE = r"""\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(?:'([^'"\\]*)'|"([^'"\\]*)")\s*\)"""
_PRINTED = re.compile(rf"""(?:\{{\s*['"]entities['"]\s*:\s*)?\[\s*(?:{_TUPLE}\s*,?\s*)+\]\s*\}}?""")
_SURENESS = re.compile(r"\d+(?:\.\d+)?(?:[eE]-?\d+)?", re.ASCII)
_SPAN_SHAPE = '[start, end, slot] or {"start": ..., "end": ..., "label": ...} is expected'
_LIST_SHAPE = (
    'a list such as [[3, 7, "city"]] is expected, [] for a text without slots, null for a text without annotation'
)
_KEYS = (
    f"expected are {_STARTS[0]} (or {_STARTS[1]}), {_ENDS[0]} (or {_ENDS[1]}) and {SLOT_KEYS[0]} "
    f"(or {', '.join(SLOT_KEYS[1:4])})"
)


def spans_of_cell(column: str, cell: Cell) -> tuple[SpanInFile, ...] | None:
    """The spans in a cell of a table; None for an empty one. RefusedError tells all that is wrong."""
    written = _written(cell)
    if not written:
        return None
    value = parse_line(written)
    if isinstance(value, RefusedError):
        raise RefusedError(f"'{column}' {value}; {_LIST_SHAPE.replace('null', 'an empty cell')}")
    return None if value is None else spans_of_value(column, value)


def begins_as_list(cell: str) -> bool:
    """True for a cell that may hold a list of spans."""
    return _written(cell)[:1] == "["


def is_spans_cell(cell: Cell) -> bool:
    """True for a cell with a list of spans, at least one."""
    value = parse_line(_written(cell)) if cell else None
    return isinstance(value, list) and bool(value) and all(map(is_span, value))


def is_span(item: object) -> bool:
    """True for what has the shape of a span: offsets and a name."""
    try:
        _span(item)
    except ValueError:
        return False
    return True


def _written(cell: Cell) -> str:
    written = (cell or "").strip()
    if written.startswith('"['):  # a spreadsheet's quotes, in a file that is read without quoting
        written = written.strip('"').replace('""', '"')
    if _PRINTED.fullmatch(written):
        found = (match.groups() for match in re.finditer(_TUPLE, written))
        return json_text([[int(start), int(end), single or double] for start, end, single, double in found])
    return written


def spans_of_value(key: str, value: Any) -> tuple[SpanInFile, ...]:
    """The spans in a JSON value under a key. RefusedError tells all that is wrong."""
    value = as_span_objects(value)
    if not isinstance(value, list):
        raise RefusedError(f"'{key}' holds {kind_of(value)}; {_LIST_SHAPE}")
    spans, faults = [], []
    for number, item in enumerate(value, start=1):
        try:
            spans.append(_span(item))
        except ValueError as fault:
            faults.append(f"'{key}', place {number}: {fault}")
    if faults:
        raise RefusedError(first_faults(faults))
    return tuple(spans)


def as_span_objects(value: Any) -> Any:
    """An object of lists of one length, with starts, ends and slots, as a list of objects, and so one of lists of
    objects with offsets by slot; objects with points as one object a point; all else as it is."""
    if (
        isinstance(value, list)
        and value
        and all(isinstance(item, JsonObject) and "points" in dict(item) for item in value)
    ):
        return [_of_point(dict(item), point) for item in value for point in dict(item)["points"] or ()]
    if not isinstance(value, JsonObject):
        return value
    by_slot = [(slot, items) for slot, items in value if items]
    if by_slot and all(isinstance(items, list) and all(map(_has_place, items)) for _, items in by_slot):
        return [JsonObject((*item, (SLOT_KEYS[0], slot))) for slot, items in by_slot for item in items]
    lists = {name: column for name, column in value if isinstance(column, list)}
    there = set(map(_folded, lists))
    complete = all(any(_folded(name) in there for name in names) for names in (_STARTS, _ENDS, SLOT_KEYS))
    if not complete or len(set(map(len, lists.values()))) > 1:
        return value
    return [JsonObject(zip(lists, cells, strict=True)) for cells in zip(*lists.values(), strict=True)]


def _has_place(item: object) -> bool:
    """True for an object with offsets and hardly more: what a post mentions and links to has other keys too."""
    keys = {_folded(key) for key, _ in item} if isinstance(item, JsonObject) else set()
    known = ((*_STARTS, "offset"), (*_ENDS, "length"), (*_QUOTES, *_BESIDE))
    starts, ends, others = ({_folded(name) for name in names} for names in known)
    return bool(keys & starts and keys & ends) and keys <= starts | ends | others


def _of_point(item: Mapping[str, object], point: object) -> object:
    named = item.get("label")
    slot = named[0] if isinstance(named, list) and len(named) == 1 else named
    return JsonObject((*point, ("label", slot))) if isinstance(point, JsonObject) else point


def _span(item: object) -> SpanInFile:
    """A span of a file; ValueError tells what is wrong with it."""
    quoted = None
    if isinstance(item, JsonObject):
        start, end, slot, quoted = _parts(item)
    elif isinstance(item, list) and (len(item) == 3 or (len(item) == 4 and _is_confidence(item[3]))):
        start, end, slot = item[:3]
    else:
        raise ValueError(f"holds {kind_of(item)}; {_SPAN_SHAPE}")
    if not isinstance(slot, str):
        raise ValueError(f"{kind_of(slot)} names no slot; {_SPAN_SHAPE}")
    return SpanInFile(offset_of(start), offset_of(end), slot, quoted)


def _is_confidence(value: object) -> bool:
    return value is None or (isinstance(value, str) and _SURENESS.fullmatch(value) is not None)


def _parts(item: JsonObject) -> tuple[object, object, object, str | None]:
    """Start, end, slot and quoted words of an object; ValueError names the keys that are there."""
    values = object_of(item)
    folded = {_folded(key): value for key, value in values.items() if value is not None}
    start, end, slot = (
        next((folded[_folded(name)] for name in names if _folded(name) in folded), None)
        for names in (_STARTS, _ENDS, SLOT_KEYS)
    )
    offset, length = (folded.get(name) for name in _LENGTHS)
    if start is None and end is None and offset is not None and length is not None:
        start, end = offset, str(offset_of(offset) + offset_of(length))
    if slot is None:
        slot = next((named for key in _LISTED if (named := _only_name(values.get(key))) is not None), None)
    pair = next((folded[name] for name in _PAIRS if isinstance(folded.get(name), list)), None)
    if start is None and end is None and pair is not None and len(pair) == _TWO:
        start, end = pair
    missing = [what for what, value in (("start", start), ("end", end), ("slot", slot)) if value is None]
    if missing:
        found = [repr(key[:40]) for key, value in values.items() if value is not None]
        there = f"its {'keys are' if len(found) > 1 else 'key is'} {', '.join(found)}" if found else "it holds nothing"
        raise ValueError(f"has no {' and no '.join(missing)}: {there}; {_KEYS}")
    return start, end, slot, quoted_in(values)


def _only_name(listed: object) -> object:
    """The only item of a list of slots, or the name that it has as an object; None for all else."""
    if not isinstance(listed, list) or len(listed) != 1:
        return None
    return dict(listed[0]).get("name") if isinstance(listed[0], JsonObject) else listed[0]


def span_paths(values: Mapping[str, object]) -> list[str]:
    """The paths of lists of spans in objects and lists of a row, [{"start": ..., "end": ..., "label": ...}]: of
    nothing else, and not under the first keys."""
    return [path for key, value in values.items() for path, inner in _lists(key, value, 1) if _are_spans(inner)]


def _lists(path: str, value: object, depth: int) -> Iterator[tuple[str, object]]:
    """The lists inside of a value, with their paths; none of those in spans."""
    if depth > _DEEPEST or (depth > 1 and _are_spans(value)):
        return
    named = value if isinstance(value, JsonObject) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in named:
        if isinstance(inner, list):
            yield f"{path}.{name}", inner
        if isinstance(inner, JsonObject | list):
            yield from _lists(f"{path}.{name}", inner, depth + 1)


def _are_spans(items: object) -> bool:
    """True for objects, one at least, each of which has a start, an end and a slot under names of their own."""
    if not isinstance(items, list) or not items or not all(isinstance(item, JsonObject) for item in items):
        return False
    names = [{_folded(key) for key, _ in item} for item in items]
    starts, ends = ({_folded(name) for name in known} for known in (_STARTS, _ENDS))
    return all(keys & starts and keys & ends for keys in names) and all(map(is_span, items))


def has_offsets(item: JsonObject) -> bool:
    """True for an object that says where its span begins or ends."""
    folded = {_folded(key) for key, inner in item if inner is not None}
    return any(_folded(name) in folded for name in (*_STARTS, *_ENDS, *_PAIRS, *_LENGTHS, "from", "to", "points"))


def quoted_in(values: Mapping[str, object]) -> str | None:
    """The words that an object quotes for its span; None where it quotes none."""
    folded = {_folded(key): value for key, value in values.items()}
    quotes = (folded.get(_folded(key)) for key in _QUOTES)
    return next((words for words in quotes if isinstance(words, str) and not isinstance(words, Spelled)), None)


def offset_of(value: object) -> int:
    """An offset as the reader of JSON keeps it, spelled out; ValueError for anything else."""
    if not isinstance(value, str) or (found := _OFFSET.fullmatch(value)) is None:
        shown = repr(value[:20]) if isinstance(value, str) else kind_of(value)
        raise ValueError(f"{shown} is no offset: a whole number from 0 on is expected")
    return int(found.group(1))


def is_offset(written: str) -> bool:
    """True for a whole number from 0 on, also as 7.0."""
    return _OFFSET.fullmatch(written) is not None


def _folded(key: str) -> str:
    return key.casefold().replace("_", "").replace("-", "")
