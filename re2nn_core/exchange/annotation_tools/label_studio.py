"""Label Studio JSON: an array of tasks, each with its data and the annotations of people.

    [{"id": 1, "data": {"text": "fly to oslo", "split": "train"},
      "annotations": [{"result": [{"type": "labels", "from_name": "slot", "to_name": "text",
                                   "value": {"start": 7, "end": 11, "text": "oslo", "labels": ["city"]}}]}]}]

A label of the whole text is a result of type "choices", or one of type "labels" without offsets; a choice about a
region is none. Where several annotations of a task differ, the one marked as
ground truth counts; without one the row is refused, because nobody can tell which is right. Cancelled (skipped)
annotations are passed over. `Asked.label` names the control (`from_name`) whose results count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
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
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.found_spans import first_faults, slot_name, spans_in_text
from re2nn_core.exchange.span_cells import offset_of, quoted_in
from re2nn_core.exchange.span_rows import split_of
from re2nn_core.exchange.tables.jsonl import JsonObject, kind_of, object_of
from re2nn_core.exchange.tables.table import ONE_LABEL, RefusedError
from re2nn_core.exchange.written_annotations import Numbered, annotation_of
from re2nn_core.task import Task
from re2nn_core.text.spans import Span

_OF_TASKS = frozenset(("annotations", "completions", "predictions", "result"))
_OF_BARE_TASKS = frozenset(("id", "data", "meta", "created_at", "updated_at", "project", "file_upload", "inner_id"))
_TASK = '{"data": {"text": "..."}, "annotations": [...]} is expected'


@dataclass(frozen=True)
class _Annotation:
    label: str | None
    spans: tuple[SpanInFile, ...] | None


def is_label_studio_task(values: dict[str, Any]) -> bool:
    """True for an object that looks like a task of Label Studio."""
    if not isinstance(values.get("data"), JsonObject) or isinstance(values.get("text"), str):
        return False
    # Others have an object under "data" too, among keys of their own.
    return not _OF_TASKS.isdisjoint(values) or _OF_BARE_TASKS.issuperset(values)


def read_label_studio_task(line: int, values: dict[str, Any], read: AnnotatedRows) -> AnnotatedRow:
    """One task; RefusedError tells what is wrong with it."""
    data = values.get("data")
    if not isinstance(data, JsonObject):
        raise RefusedError(f"'data' {_found(data)}; {_TASK}")
    inner = object_of(data)
    key = text_key(inner, read.asked.text)
    text = text_under(inner, key, joined=not read.asked.spans)
    split = split_of(inner.get("split"))
    if key not in ("text", read.asked.text):
        read.remark(f"with the text under 'data', '{key}'", line)
    given = _annotations(line, values, read)
    _count_keys(values, inner, key, read)
    if not given:
        return AnnotatedRow(line, text, _label_of_data(values, inner, key, line, read), split=split)
    annotation = _chosen(given, line, text, read)
    label = annotation.label or _label_of_data(values, inner, key, line, read)
    return AnnotatedRow(line, text, label, annotation.spans, split)


def _count_keys(values: dict[str, Any], data: dict[str, Any], key: str, read: AnnotatedRows) -> None:
    read.keys.text[key] += 1
    if data.get("split"):
        read.keys.split["split"] += 1
    read.keys.take_rest(data, (key, "split"))
    read.keys.take_rest({"meta": values.get("meta")}, ())


def _label_of_data(
    values: dict[str, Any], data: dict[str, Any], key: str, line: int, read: AnnotatedRows
) -> str | None:
    """The label of a task to which nobody gave one, under the key that was asked for: one of the data, or of what
    stands beside them, such as meta.intent."""
    asked = read.asked.label
    if asked is None or read.asked.spans:
        others = {name: value for name, value in data.items() if name not in (key, "split")}
        note_labels_left({"meta": values.get("meta"), **others}, line, read)
        return None
    label = label_under(data, asked) or label_under(values, asked)
    if label is not None:
        read.controls[asked] += 1
        read.remark(f"with the label under '{asked}', not annotated in Label Studio", line)
    return label


def _found(value: object) -> str:
    return "is missing" if value is None else f"holds {kind_of(value)}"


def _annotations(line: int, values: dict[str, Any], read: AnnotatedRows) -> list[dict[str, Any]]:
    """The annotations of a task that count, the ground truth alone where there is one."""
    key = "completions" if "annotations" not in values and "completions" in values else "annotations"
    items = values.get(key)
    if items is None:
        items = []
    if not isinstance(items, list):
        raise RefusedError(f"'{key}' holds {kind_of(items)}; a list of annotations is expected")
    if values.get("predictions") and not items:
        read.remark("with predictions of a model only, which are not imported as annotations", line)
    if values.get("drafts") and not items:
        read.remark("with a draft that was not submitted: imported as not annotated", line)
    found = []
    for number, item in enumerate(items, start=1):
        if not isinstance(item, JsonObject):
            raise RefusedError(
                f"'{key}' holds {kind_of(item)} in place {number}; an object with a 'result' is expected"
            )
        found.append(object_of(item))
    kept = [item for item in found if not _is_true(item.get("was_cancelled")) and not _is_true(item.get("skipped"))]
    if found and not kept:
        read.remark("with cancelled annotations alone: read as not labelled", line)
    truth = [item for item in kept if _is_true(item.get("ground_truth"))]
    return truth or kept


def _is_true(value: object) -> bool:
    return value is True


def _chosen(given: list[dict[str, Any]], line: int, text: str, read: AnnotatedRows) -> _Annotation:
    """What the annotations say together; RefusedError where they differ."""
    annotations = list(dict.fromkeys(_annotation(item, line, read) for item in given))
    if len(annotations) > 1 and len({_meant(text, annotation) for annotation in annotations}) > 1:
        differing = " and ".join(_in_words(annotation) for annotation in annotations[:3])
        raise RefusedError(
            f"{len(given)} annotations differ ({differing}); set the correct one as ground truth in Label Studio, or "
            "delete the others, then export again"
        )
    return annotations[0]


def _meant(text: str, annotation: _Annotation) -> object:
    """An answer as it can be compared, whatever units its offsets count."""
    if not annotation.spans:
        return annotation
    try:
        return spans_in_text(text, annotation.spans, lambda _: None)
    except RefusedError:
        return annotation


def _in_words(annotation: _Annotation) -> str:
    if annotation.spans is None:
        return "no annotation" if annotation.label is None else repr(annotation.label)
    shown = [str(Span(span.start, span.end, slot_name(span.slot))) for span in annotation.spans[:3]]
    return f"[{', '.join(shown)}{', ...' if len(annotation.spans) > 3 else ''}]"


def _annotation(annotation: dict[str, Any], line: int, read: AnnotatedRows) -> _Annotation:
    """The label or the spans of one annotation, whichever is asked for."""
    result = annotation.get("result")
    if not isinstance(result, list):
        raise RefusedError(f"an annotation's 'result' {_found(result)}; a list is expected")
    regions = _asked_for([object_of(item) for item in result], line, read)
    marked = {region.get("id") for _, region in regions if region.get("type") == "labels" and _has_offsets(region)}
    labels: dict[str, list[str]] = {}
    spans: list[SpanInFile] = []
    faults: list[str] = []
    for number, region in regions:
        control, of_region = str(region.get("from_name")), _has_offsets(region)
        choice = region.get("type") == "choices"
        if choice and (of_region or region.get("id") in marked - {None}):
            read.remark("with a choice about a region, which is no label of the text and is not read", line)
        elif read.asked.spans and of_region:
            try:
                spans.append(_span(region, number))
                read.keys.annotation[control] += 1
            except ValueError as fault:
                faults.append(str(fault))
        elif of_region:
            read.remark("with spans, which are not read for labels of texts", line)
        elif read.asked.spans:
            read.remark(f"with {'a choice for' if choice else 'labels of'} the whole text, not read for slots", line)
        else:
            labels.setdefault(control, []).extend(_strings(region, "choices" if choice else "labels", number))
    if faults:
        raise RefusedError(first_faults(faults))
    return _Annotation(_label(labels), tuple(sorted(spans)) if read.asked.spans and (spans or not result) else None)


def _asked_for(regions: list[dict[str, Any]], line: int, read: AnnotatedRows) -> list[tuple[int, dict[str, Any]]]:
    """The results of choices and labels with their numbers, those of the control that was asked for."""
    kept = []
    for number, region in enumerate(regions, start=1):
        kind = region.get("type")
        if kind not in ("choices", "labels"):
            read.remark(f"with a result of type '{str(kind)[:40]}', which is not read", line)
            continue
        control = str(region.get("from_name"))
        read.controls[control] += 1
        if read.asked.label in (None, control):
            kept.append((number, region))
    return kept


def _has_offsets(region: dict[str, Any]) -> bool:
    value = region.get("value")
    inner = dict(value) if isinstance(value, JsonObject) else {}
    return inner.get("start") is not None or inner.get("end") is not None


def _label(labels: dict[str, list[str]]) -> str | None:
    """The label of the text, of all controls together."""
    several = len(labels) > 1
    named = f"a text has one label here, so name one of the controls {', '.join(labels)} with --label-column"
    advice = named if several else ONE_LABEL
    return one_label([label for found in labels.values() for label in found], "several choices", advice)


def _strings(region: dict[str, Any], key: str, number: int) -> list[str]:
    value = region.get("value")
    found = object_of(value).get(key) if isinstance(value, JsonObject) else None
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise RefusedError(f"result {number}: 'value' has no list of texts under '{key}'")
    return list(found)


def _span(region: dict[str, Any], number: int) -> SpanInFile:
    """The span of a region; ValueError tells what is wrong with it."""
    names = _strings(region, "labels", number)
    value = object_of(region["value"])
    if len(names) != 1:
        raise ValueError(f"result {number}: has {len(names)} labels; a span fills one slot")
    try:
        return SpanInFile(offset_of(value.get("start")), offset_of(value.get("end")), names[0], quoted_in(value))
    except ValueError as fault:
        raise ValueError(f"result {number}: {fault}") from None


def label_studio_tasks(examples: Iterator[Numbered], task: Task) -> Iterator[dict[str, Any]]:
    """Tasks as Label Studio imports them, one by one."""
    for number, example, annotator in examples:
        data = {"text": example.text, **({"split": example.split} if example.split else {})}
        result = annotation_of(example, task, label=_choice, spans=partial(_regions, example.text))
        annotations = [] if result is None else [{"result": result, "was_cancelled": False, "ground_truth": False}]
        if annotations and annotator is not None:
            annotations[0]["completed_by"] = {"email": annotator}
        yield {"id": number, "data": data, "annotations": annotations}


def _choice(label: str) -> list[dict[str, Any]]:
    value = {"choices": [label]}
    return [{"id": "label", "from_name": "label", "to_name": "text", "type": "choices", "value": value}]


def _regions(text: str, spans: Sequence[Span]) -> list[dict[str, Any]]:
    return [_region(text, place, span) for place, span in enumerate(spans)]


def _region(text: str, place: int, span: Span) -> dict[str, Any]:
    words = text[span.start : span.end]
    value = {"start": span.start, "end": span.end, "text": words, "labels": [span.slot]}
    return {"id": f"span{place + 1}", "from_name": "slot", "to_name": "text", "type": "labels", "value": value}
