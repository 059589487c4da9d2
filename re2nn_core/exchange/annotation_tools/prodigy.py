"""Prodigy JSONL: one task a line, with spans, a label, or the accepted options, and the answer of a person.

    {"text": "fly to oslo", "spans": [{"start": 7, "end": 11, "label": "city"}], "answer": "accept"}
    {"text": "how much is it", "label": "fare", "answer": "accept"}
    {"text": "how much is it", "options": [{"id": "fare"}, {"id": "flight"}], "accept": ["fare"], "answer": "accept"}

A task that was rejected or ignored says what a text is not, or nothing: it is read without label or spans. An answer
to a single suggestion (`_is_binary`) says nothing of the other words of its text: those of one text become one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import (
    AnnotatedRow,
    AnnotatedRows,
    label_under,
    note_labels_left,
    one_label,
    text_key,
    text_under,
)
from re2nn_core.exchange.span_cells import spans_of_value
from re2nn_core.exchange.span_rows import split_of
from re2nn_core.exchange.tables.jsonl import CATEGORIES, JsonObject, kind_of, object_of, only_category
from re2nn_core.exchange.tables.nested.inside import value_at
from re2nn_core.exchange.tables.table import ONE_LABEL, BadRow, RefusedError
from re2nn_core.exchange.written_annotations import Numbered, annotation_of, as_objects
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import Span

PREDICTIONS = ("accept", "reject", "ignore")
PARTIAL = "with one accepted suggestion, which leaves the other words open: imported as unlabelled"
_WORDS = ("tokens", "relations", "options", "accept", "cats")
_OWN = ("answer", "label", "_session_id", "_annotator_id", "_view_id", "html", "image")


def is_prodigy_task(values: dict[str, Any]) -> bool:
    """True for an object that looks like a task of Prodigy."""
    return any(key in values for key in ("_task_hash", "_input_hash")) or (
        values.get("answer") in PREDICTIONS and "text" in values
    )


def read_prodigy_task(line: int, values: dict[str, Any], read: AnnotatedRows) -> AnnotatedRow:
    """One task; RefusedError tells what is wrong with it."""
    text_at = text_key(values, read.asked.text, _OWN)
    text, split, annotation = (
        text_under(values, text_at, joined=not read.asked.spans),
        _split(values),
        _annotation(values),
    )
    read.keys.text[text_at] += 1
    read.keys.split["split"] += split is not None
    read.keys.take_rest(values, (text_at, read.asked.label or "spans", "split", "meta.split", *_OWN, *_WORDS))
    partial = _input(values, text) if _is_suggestion(values) else None
    if annotation in ("reject", "ignore"):
        read.remark(f"with '{annotation}', imported as unlabelled", line)
        return AnnotatedRow(line, text, split=split, partial=partial)
    if values.get("relations"):
        read.remark("with relations between spans, which are not read", line)
    if not read.asked.spans:
        return AnnotatedRow(line, text, _label(values, line, read), split=split, partial=partial)
    key = read.asked.label or "spans"
    spans = None if values.get(key) is None else spans_of_value(key, values[key])
    read.controls[key] += spans is not None
    read.keys.annotation[key] += spans is not None
    if partial is not None and spans is not None:
        read.remark(PARTIAL, line)
    return AnnotatedRow(line, text, None, spans, split, partial=partial)


def _annotation(values: dict[str, Any]) -> object:
    annotation = values.get("answer")
    if annotation is not None and annotation not in PREDICTIONS:
        raise RefusedError(f"'answer' holds {kind_of(annotation)}; one of {', '.join(PREDICTIONS)} is expected")
    return annotation


def _is_suggestion(values: dict[str, Any]) -> bool:
    """True for an answer to one suggestion; older versions tell it by the score of the task and of its only span."""
    if "_is_binary" in values:
        return values["_is_binary"] is True
    meta, spans = values.get("meta"), values.get("spans")
    if not isinstance(meta, JsonObject) or not isinstance(spans, list) or len(spans) != 1:
        return False
    return isinstance(spans[0], JsonObject) and all("score" in dict(item) for item in (meta, spans[0]))


def _input(values: dict[str, Any], text: str) -> str:
    """What tells the text of a task from others."""
    return str(values.get("_input_hash") or text)


def join_partial(read: AnnotatedRows) -> None:
    """Answers to single suggestions about one text become one row of it. They say nothing of its other words, so the
    row has no spans; it goes where another row has the whole answer. Several labels
    of one text are refused."""
    whole = {row.text for row in read.rows if row.partial is None}
    groups: dict[str, list[AnnotatedRow]] = {}
    for row in read.rows:
        if row.partial is not None:
            groups.setdefault(row.partial, []).append(row)
    kept: dict[int, AnnotatedRow] = {}
    joined = 0
    for rows in groups.values():
        joined += len(rows) - int(rows[0].text not in whole)
        labels = {row.label for row in rows} - {None}
        if len(labels) > 1:
            given = ", ".join(repr(label) for label in sorted(filter(None, labels)))
            read.bad_rows.append(BadRow(rows[0].line, f"several labels were accepted: {given}; {ONE_LABEL}"))
        elif rows[0].text not in whole:
            kept[id(rows[0])] = replace(rows[0], label=next(iter(labels), None), spans=None, partial=None)
    read.rows = [kept.get(id(row), row) for row in read.rows if row.partial is None or id(row) in kept]
    if joined:
        read.notes.append(
            f"{counted(joined, 'row')} about a single suggestion joined with another row of the same text."
        )


def _label(values: dict[str, Any], line: int, read: AnnotatedRows) -> str | None:
    """The label of the whole text: an accepted option, or the label that was accepted."""
    key = read.asked.label or "label"
    accepted = values.get("accept") if read.asked.label is None else None
    read.controls[key] += accepted is not None or value_at(values, key) is not None
    if accepted is not None:
        if not isinstance(accepted, list) or not all(isinstance(item, str) for item in accepted):
            raise RefusedError(f"'accept' holds {kind_of(accepted)}; a list of options is expected")
        return one_label(accepted, "several options were accepted")
    label = label_under(values, key)
    if label is None and read.asked.label is None and isinstance(values.get(CATEGORIES), JsonObject):
        category = only_category(values[CATEGORIES])
        if isinstance(category, JsonObject):
            raise RefusedError(f"several categories hold: {', '.join(name for name, _ in category)}; {ONE_LABEL}")
        return None if category is None else str(category)
    if label is None:
        note_labels_left({"meta": values.get("meta")}, line, read)
    return label


def _split(values: dict[str, Any]) -> str | None:
    """The split, beside the text or in 'meta', where Prodigy keeps what is not its own."""
    meta = values.get("meta")
    inner = object_of(meta) if isinstance(meta, JsonObject) else {}
    return split_of(values.get("split", inner.get("split")))


def prodigy_tasks(examples: Iterator[Numbered], task: Task) -> Iterator[dict[str, Any]]:
    """Tasks as Prodigy keeps them, one by one."""
    for _, example, annotator in examples:
        row: dict[str, Any] = {"text": example.text}
        annotation = annotation_of(example, task, label=lambda label: {"label": label}, spans=_spans)
        if annotation is not None:
            row |= {**annotation, "answer": "accept"}
        if annotator is not None:
            row["_annotator_id"] = annotator
        if example.split:
            row["meta"] = {"split": example.split}
        yield row


def _spans(spans: Sequence[Span]) -> dict[str, Any]:
    return {"spans": as_objects(spans)}
