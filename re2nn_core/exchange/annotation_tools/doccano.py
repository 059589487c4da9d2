"""doccano JSONL: a text with its labels, or with spans, under the names that its versions use.

{"id": 1, "text": "how much is it", "label": ["fare"]}                       labels of a text; older: "labels"
{"id": 1, "text": "fly to oslo", "label": [[7, 11, "city"]]}                 spans; older: "labels"
{"id": 1, "text": "fly to oslo", "entities": [{"id": 5, "label": "city", "start_offset": 7, "end_offset": 11}],
 "relations": []}                                                            spans with relations
{"id": 1, "text": "fly to oslo", "annotations": [{"label": "city", "start_offset": 7, "end_offset": 11}]}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRow, AnnotatedRows, one_label, text_under
from re2nn_core.exchange.span_cells import spans_of_value
from re2nn_core.exchange.span_rows import split_of
from re2nn_core.exchange.tables.jsonl import JsonObject, kind_of, object_of
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.label_form import label_form
from re2nn_core.text.spans import Span

KEYS = ("label", "labels", "entities", "annotations")
_EXPECTED = '["fare"] for a text with a label, [[7, 11, "city"]] for spans'


def is_row(values: dict[str, Any]) -> bool:
    """True for an object that only doccano writes: a list of labels, or spans with relations or annotations."""
    if not isinstance(values.get("text"), str) or "tokens" in values or "spans" in values:
        return False
    if isinstance(values.get("annotations"), list) or ("entities" in values and "relations" in values):
        return True
    found = [values[key] for key in ("label", "labels") if isinstance(values.get(key), list)]
    return any(all(isinstance(item, str) for item in items) for items in found)


def read_row(line: int, values: dict[str, Any], read: AnnotatedRows) -> AnnotatedRow:
    """One row; RefusedError tells what is wrong with it."""
    text, split = text_under(values, "text"), split_of(values.get("split"))
    given = [key for key in KEYS if values.get(key) is not None]
    if len(given) > 1:
        raise RefusedError(f"has labels under {' and '.join(map(repr, given))}; keep one of them")
    if values.get("relations"):
        read.remark("with relations between spans, which are not read", line)
    if not given:
        return AnnotatedRow(line, text, split=split)
    label, spans = _answers(given[0], values[given[0]])
    if label is not None and label.isdigit():
        read.remark("with a number for a label, which older versions write in place of its name", line)
    return AnnotatedRow(line, text, label, spans, split)


def _answers(key: str, value: object) -> tuple[str | None, tuple[Span, ...] | None]:
    """The label or the spans under a key."""
    if isinstance(value, str):
        return value.strip() or None, None
    if not isinstance(value, list):
        raise RefusedError(f"'{key}' holds {kind_of(value)}; a list is expected, {_EXPECTED}")
    whole = [label for label in map(_whole, value) if label is not None]
    if not value:
        return None, ()
    if len(whole) == len(value):
        return one_label(whole, f"several labels under '{key}'"), None
    return None, tuple(sorted(spans_of_value(key, value)))


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


def _label(example: Example) -> dict[str, Any]:
    return {"label": [] if example.label is None else [example.label]}


def _spans(example: Example) -> dict[str, Any]:
    spans = label_form(Task.SLOT_FILLING).plain(example)
    return {} if spans is None else {"label": spans}


_LABELS = {Task.CLASSIFICATION: _label, Task.SLOT_FILLING: _spans}


def rows(examples: Iterator[tuple[int, Example, str | None]], task: Task) -> Iterator[dict[str, Any]]:
    """Rows as doccano imports them: (number from 1, example, who labelled it) one by one."""
    for number, example, _ in examples:
        row: dict[str, Any] = {"id": number, "text": example.text, **_LABELS[task](example)}
        if example.split:
            row["split"] = example.split
        yield row
