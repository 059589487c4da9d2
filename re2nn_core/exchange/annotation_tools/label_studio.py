"""Label Studio JSON: an array of tasks, each with its data and the annotations of people.

    [{"id": 1, "data": {"text": "fly to oslo", "split": "train"},
      "annotations": [{"result": [{"type": "labels", "from_name": "slot", "to_name": "text",
                                   "value": {"start": 7, "end": 11, "text": "oslo", "labels": ["city"]}}]}]}]

A label of the whole text is a result of type "choices". Where several annotations of a task differ, the one marked as
ground truth counts; without one the row is refused, because nobody can tell which is right. Cancelled (skipped)
annotations are passed over. Offsets are checked by the words that stand beside them: Label Studio in the browser counts
UTF-16 units, in which an emoji is two, and other tools count characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRow, AnnotatedRows, one_label, text_under
from re2nn_core.exchange.span_cells import offset_of
from re2nn_core.exchange.span_rows import listed, split_of
from re2nn_core.exchange.tables.header import TEXT_NAMES
from re2nn_core.exchange.tables.jsonl import JsonObject, kind_of, object_of
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span

_TASK = '{"data": {"text": "..."}, "annotations": [...]} is expected'


@dataclass(frozen=True)
class _Answer:
    label: str | None
    spans: tuple[Span, ...] | None


def is_task(values: dict[str, Any]) -> bool:
    """True for an object that looks like a task of Label Studio."""
    return isinstance(values.get("data"), JsonObject) and not isinstance(values.get("text"), str)


def read_task(line: int, values: dict[str, Any], read: AnnotatedRows) -> AnnotatedRow:
    """One task; RefusedError tells what is wrong with it."""
    data = values.get("data")
    if not isinstance(data, JsonObject):
        raise RefusedError(f"'data' {_found(data)}; {_TASK}")
    inner = object_of(data)
    key = _text_key(inner)
    text = text_under(inner, key)
    split = split_of(inner.get("split"))
    if key != "text":
        read.remark(f"with the text under 'data', '{key}'", line)
    given = _annotations(line, values, read)
    if not given:
        return AnnotatedRow(line, text, split=split)
    answer = _chosen(given, line, text, read)
    return AnnotatedRow(line, text, answer.label, answer.spans, split)


def _found(value: object) -> str:
    return "is missing" if value is None else f"holds {kind_of(value)}"


def _text_key(data: dict[str, Any]) -> str:
    """Where the text stands: under a usual name, or the only key whose value is a text."""
    named = next((name for name in TEXT_NAMES if isinstance(data.get(name), str)), None)
    texts = [key for key, value in data.items() if isinstance(value, str)]
    return named or (texts[0] if len(texts) == 1 else "text")


def _annotations(line: int, values: dict[str, Any], read: AnnotatedRows) -> list[dict[str, Any]]:
    """The annotations of a task that count, the ground truth alone where there is one."""
    key = "completions" if "annotations" not in values and "completions" in values else "annotations"
    items = values.get(key)
    if items is None:
        items = []
    if not isinstance(items, list):
        raise RefusedError(f"'{key}' holds {kind_of(items)}; a list of annotations is expected")
    if values.get("predictions") and not items:
        read.remark("with predictions of a model alone, which are not taken for answers of people", line)
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


def _chosen(given: list[dict[str, Any]], line: int, text: str, read: AnnotatedRows) -> _Answer:
    """What the annotations say together; RefusedError where they differ."""
    answers = list(dict.fromkeys(_answer(item, line, text, read) for item in given))
    if len(answers) > 1:
        said = " and ".join(_in_words(answer) for answer in answers[:3])
        raise RefusedError(
            f"{len(given)} annotations differ ({said}); mark the right one as ground truth in Label Studio, or delete "
            "the others, then export again"
        )
    return answers[0]


def _in_words(answer: _Answer) -> str:
    if answer.spans is None:
        return "no answer" if answer.label is None else repr(answer.label)
    return f"[{', '.join(map(str, answer.spans[:3]))}{', ...' if len(answer.spans) > 3 else ''}]"


def _answer(annotation: dict[str, Any], line: int, text: str, read: AnnotatedRows) -> _Answer:
    result = annotation.get("result")
    if not isinstance(result, list):
        raise RefusedError(f"an annotation's 'result' {_found(result)}; a list is expected")
    labels: list[str] = []
    spans: list[Span] = []
    faults: list[str] = []
    other = 0
    for number, item in enumerate(result, start=1):
        region = object_of(item)
        kind = region.get("type")
        if kind == "choices":
            labels += _strings(region, "choices", number)
        elif kind == "labels":
            try:
                spans.append(_span(region, number, line, text, read))
            except ValueError as fault:
                faults.append(f"result {number}: {fault}")
        else:
            other += 1
            read.remark(f"with a result of type '{str(kind)[:40]}', which is not read", line)
    if faults:
        raise RefusedError(listed(faults))
    label = one_label(labels, "several choices")
    marked = bool(spans) or not result
    return _Answer(label, tuple(sorted(spans)) if marked else None)


def _strings(region: dict[str, Any], key: str, number: int) -> list[str]:
    value = region.get("value")
    found = object_of(value).get(key) if isinstance(value, JsonObject) else None
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise RefusedError(f"result {number}: 'value' has no list of texts under '{key}'")
    return list(found)


def _span(region: dict[str, Any], number: int, line: int, text: str, read: AnnotatedRows) -> Span:
    """The span of a region; ValueError tells what is wrong with it."""
    names = _strings(region, "labels", number)
    value = object_of(region["value"])
    if len(names) != 1:
        raise ValueError(f"has {len(names)} labels; a span fills one slot")
    start, end = offset_of(value.get("start")), offset_of(value.get("end"))
    quoted = value.get("text")
    if isinstance(quoted, str) and text[start:end] != quoted:
        start, end = _from_utf16(text, start, end, quoted)
        read.remark("with offsets in UTF-16 units, read as characters", line)
    return Span(start, end, names[0])


def _from_utf16(text: str, start: int, end: int, quoted: str) -> tuple[int, int]:
    """Offsets in characters, of offsets in UTF-16 units that mark the quoted words."""
    units = text.encode("utf-16-le", "surrogatepass")
    before = units[: 2 * start].decode("utf-16-le", "replace")
    within = units[2 * start : 2 * end].decode("utf-16-le", "replace")
    if within != quoted:
        raise ValueError(
            f"[{start}, {end}] marks {text[start:end][:40]!r}, and its 'text' says {quoted[:40]!r}; the text was "
            "changed after it was marked, so mark it again"
        )
    return len(before), len(before) + len(within)


def tasks(examples: Iterator[tuple[int, Example, str | None]], task: Task) -> Iterator[dict[str, Any]]:
    """Tasks as Label Studio imports them: (number from 1, example, who labelled it) one by one."""
    for number, example, annotator in examples:
        data = {"text": example.text, **({"split": example.split} if example.split else {})}
        result = _RESULTS[task](example)
        annotations = [] if result is None else [{"result": result, "was_cancelled": False, "ground_truth": False}]
        if annotations and annotator is not None:
            annotations[0]["completed_by"] = {"email": annotator}
        yield {"id": number, "data": data, "annotations": annotations}


def _regions(example: Example) -> list[dict[str, Any]] | None:
    """The spans as the results of one annotation; None where nobody has said anything."""
    return None if example.spans is None else [_region(example.text, place, s) for place, s in enumerate(example.spans)]


def _choices(example: Example) -> list[dict[str, Any]] | None:
    """The same of a label."""
    if example.label is None:
        return None
    value = {"choices": [example.label]}
    return [{"id": "label", "from_name": "label", "to_name": "text", "type": "choices", "value": value}]


_RESULTS = {Task.CLASSIFICATION: _choices, Task.SLOT_FILLING: _regions}


def _region(text: str, place: int, span: Span) -> dict[str, Any]:
    words = text[span.start : span.end]
    value = {"start": span.start, "end": span.end, "text": words, "labels": [span.slot]}
    return {"id": f"span{place + 1}", "from_name": "slot", "to_name": "text", "type": "labels", "value": value}
