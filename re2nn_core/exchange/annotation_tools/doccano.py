"""doccano JSONL: a text with its labels, or with spans, under the names that its versions use.

{"id": 1, "text": "how much is it", "label": ["fare"]}                       labels of a text; older: "labels"
{"id": 1, "text": "fly to oslo", "label": [[7, 11, "city"]]}                 spans; older: "labels"
{"id": 1, "text": "fly to oslo", "entities": [{"id": 5, "label": "city", "start_offset": 7, "end_offset": 11}],
 "relations": []}                                                            spans with relations
{"id": 1, "text": "fly to oslo", "annotations": [{"label": "city", "start_offset": 7, "end_offset": 11}]}
{"id": 1, "data": "how much is it", "label": ["fare"]}                       late 2021: "data" for "text"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRow, AnnotatedRows, one_label, text_key, text_under
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.span_cells import spans_of_value
from re2nn_core.exchange.span_rows import split_of
from re2nn_core.exchange.tables.jsonl import JsonObject, kind_of, object_of
from re2nn_core.exchange.tables.nested.inside import value_at
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.exchange.written_annotations import Numbered, annotation_of, as_lists
from re2nn_core.task import Task, by_task

KEYS = ("label", "labels", "entities", "annotations")
_EXPECTED = '["fare"] for a text with a label, [[7, 11, "city"]] for spans'


def is_row(values: dict[str, Any]) -> bool:
    """True for an object that only doccano writes: a list of labels, or spans with relations or annotations."""
    words = "tokens" in values or isinstance(values.get("words"), list)
    if not isinstance(values.get(text_key(values, None, KEYS)), str) or words or "spans" in values:
        return False
    if isinstance(values.get("annotations"), list) or ("entities" in values and "relations" in values):
        return True
    found = [values[key] for key in ("label", "labels") if isinstance(values.get(key), list)]
    return any(all(isinstance(item, str) for item in items) for items in found)


def read_row(line: int, values: dict[str, Any], read: AnnotatedRows) -> AnnotatedRow:
    """One row; RefusedError tells what is wrong with it."""
    text_at = text_key(values, read.asked.text, KEYS)
    text, split = text_under(values, text_at, joined=not read.asked.spans), split_of(values.get("split"))
    keys = KEYS if read.asked.label is None else (read.asked.label,)
    given = [key for key in keys if value_at(values, key) is not None]
    read.keys.text[text_at] += 1
    read.keys.split["split"] += split is not None
    read.keys.take_rest(values, (text_at, "split", "id", "relations", *given))
    if len(given) > 1:
        raise RefusedError(f"has labels under {' and '.join(map(repr, given))}; keep one of them")
    if values.get("relations"):
        read.remark("with relations between spans, which are not read", line)
    if not given:
        return AnnotatedRow(line, text, split=split)
    read.controls[given[0]] += 1
    label, spans = _annotations(given[0], value_at(values, given[0]), line, read)
    read.keys.annotation[given[0]] += spans is not None
    if label is not None and label.isdigit():
        read.remark("with a number for a label, which older versions write in place of its name", line)
    return AnnotatedRow(line, text, label, spans, split)


def _annotations(
    key: str, value: object, line: int, read: AnnotatedRows
) -> tuple[str | None, tuple[SpanInFile, ...] | None]:
    """The label or the spans under a key, whichever is asked for."""
    if isinstance(value, str):
        return (None if read.asked.spans else value.strip() or None), None
    if not isinstance(value, list):
        raise RefusedError(f"'{key}' holds {kind_of(value)}; a list is expected, {_EXPECTED}")
    whole = [label for label in map(_whole, value) if label is not None]
    if not value:
        return None, () if read.asked.spans else None
    if len(whole) == len(value):
        return (None if read.asked.spans else one_label(whole, f"several labels under '{key}'")), None
    if read.asked.spans:
        return None, spans_of_value(key, value)
    read.remark("with spans, which are not read for labels of texts", line)
    return None, None


def _whole(item: object) -> str | None:
    """The label of a whole text, as a text or as an annotation without offsets."""
    if isinstance(item, str):
        return item
    if isinstance(item, JsonObject):
        values = object_of(item)
        label = values.get("label")
        if isinstance(label, str) and "start_offset" not in values and "start" not in values:
            return label
    return None


def rows(examples: Iterator[Numbered], task: Task) -> Iterator[dict[str, Any]]:
    """Rows as doccano imports them, one by one."""
    unmentioned: dict[str, Any] = by_task(task, classification={"label": []}, slot_filling={})
    for number, example, _ in examples:
        annotation = annotation_of(example, task, label=lambda label: [label], spans=as_lists)
        row = {"id": number, "text": example.text, **(unmentioned if annotation is None else {"label": annotation})}
        yield {**row, **({"split": example.split} if example.split else {})}
