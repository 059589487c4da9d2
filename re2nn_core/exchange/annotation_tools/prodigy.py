"""Prodigy JSONL: one task a line, with spans, a label, or the accepted options, and the answer of a person.

    {"text": "fly to oslo", "spans": [{"start": 7, "end": 11, "label": "city"}], "answer": "accept"}
    {"text": "how much is it", "label": "fare", "answer": "accept"}
    {"text": "how much is it", "options": [{"id": "fare"}, {"id": "flight"}], "accept": ["fare"], "answer": "accept"}

A task that was rejected or ignored says what a text is not, or nothing: it is read without label or spans.
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

ANSWERS = ("accept", "reject", "ignore")


def is_task(values: dict[str, Any]) -> bool:
    """True for an object that looks like a task of Prodigy."""
    return any(key in values for key in ("_task_hash", "_input_hash")) or (
        values.get("answer") in ANSWERS and "text" in values
    )


def read_task(line: int, values: dict[str, Any], read: AnnotatedRows) -> AnnotatedRow:
    """One task; RefusedError tells what is wrong with it."""
    text, split, answer = text_under(values, "text"), _split(values), values.get("answer")
    if answer is not None and answer not in ANSWERS:
        shown = kind_of(answer)
        raise RefusedError(f"'answer' holds {shown}; one of {', '.join(ANSWERS)} is expected")
    if answer in ("reject", "ignore"):
        read.remark(f"answered '{answer}', so read as not labelled", line)
        return AnnotatedRow(line, text, split=split)
    spans = None if values.get("spans") is None else spans_of_value("spans", values["spans"])
    if values.get("relations"):
        read.remark("with relations between spans, which are not read", line)
    return AnnotatedRow(line, text, _label(values), spans, split)


def _label(values: dict[str, Any]) -> str | None:
    """The label of the whole text: an accepted option, or the label that was accepted."""
    accepted = values.get("accept")
    if accepted is not None:
        if not isinstance(accepted, list) or not all(isinstance(item, str) for item in accepted):
            raise RefusedError(f"'accept' holds {kind_of(accepted)}; a list of options is expected")
        return one_label(accepted, "several options were accepted")
    label = values.get("label")
    if label is not None and not isinstance(label, str):
        raise RefusedError(f"'label' holds {kind_of(label)}; a text is expected")
    return (label or "").strip() or None


def _split(values: dict[str, Any]) -> str | None:
    """The split, beside the text or in 'meta', where Prodigy keeps what is not its own."""
    meta = values.get("meta")
    inner = object_of(meta) if isinstance(meta, JsonObject) else {}
    return split_of(values.get("split", inner.get("split")))


def _whole_label(example: Example) -> dict[str, Any] | None:
    return None if example.label is None else {"label": example.label}


def _spans(example: Example) -> dict[str, Any] | None:
    spans = example.spans
    return None if spans is None else {"spans": [{"start": s.start, "end": s.end, "label": s.slot} for s in spans]}


_LABELS = {Task.CLASSIFICATION: _whole_label, Task.SLOT_FILLING: _spans}


def tasks(examples: Iterator[tuple[int, Example, str | None]], task: Task) -> Iterator[dict[str, Any]]:
    """Tasks as Prodigy keeps them: (number from 1, example, who labelled it) one by one."""
    for _, example, annotator in examples:
        found = _LABELS[task](example)
        row = {"text": example.text, **({} if found is None else {**found, "answer": "accept"})}
        if annotator is not None:
            row["_annotator_id"] = annotator
        if example.split:
            row["meta"] = {"split": example.split}
        yield row
