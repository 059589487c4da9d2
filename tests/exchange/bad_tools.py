"""Files of labelling tools that are wrong: Label Studio, Prodigy and doccano."""

from __future__ import annotations

from typing import Any

from exchange.bad_file import GOOD, BadFile, array, lines


def task(
    name: str, *annotations: Any, said: tuple[str, ...], kept: tuple[str, ...], of: str = "classification"
) -> BadFile:
    """Label Studio: a good task and one with these annotations."""
    good = {"id": 1, "data": {"text": "good"}, "annotations": [choice("a")]}
    return BadFile(name, array(good, {"id": 2, "data": {"text": "odd"}, "annotations": annotations}), said, kept, of)


def choice(label: str, **more: Any) -> dict[str, Any]:
    return {"result": [{"type": "choices", "value": {"choices": [label]}}], **more}


def region(start: Any, end: Any, text: str | None = None, kind: str = "labels") -> dict[str, Any]:
    value = {"start": start, "end": end, "labels": ["city"], **({} if text is None else {"text": text})}
    return {"result": [{"type": kind, "value": value}]}


LABEL_STUDIO = [
    task("agree.json", choice("a"), choice("a"), said=(), kept=("good", "odd")),
    task(
        "differ.json",
        choice("a"),
        choice("b"),
        said=(
            "line 2: task 2: 2 annotations differ ('a' and 'b'); set the correct one as ground truth in Label Studio",
        ),
        kept=("good",),
    ),
    task("truth.json", choice("a"), choice("b", ground_truth=True), said=(), kept=("good", "odd")),
    task(
        "cancelled.json",
        choice("b", was_cancelled=True),
        said=("1 row with cancelled annotations alone: read as not labelled (first in task 2).",),
        kept=("good", "odd"),
    ),
    task(
        "relation.json",
        {"result": [{"type": "relation"}, {"type": "rectanglelabels", "value": {}}]},
        said=(
            "a result of type 'relation', which is not read",
            "a result of type 'rectanglelabels', which is not read",
        ),
        kept=("good", "odd"),
    ),
    task(
        "choices.json",
        {"result": [{"type": "choices", "value": 1}]},
        said=("has no list of texts under 'choices'",),
        kept=("good",),
    ),
    task(
        "result.json", {"result": "x"}, said=("an annotation's 'result' holds 'x'; a list is expected",), kept=("good",)
    ),
    task(
        "moved.json",
        region(0, 2, "dd"),
        said=("the offsets 0 to 2 are 'od' in the text, but the span quotes 'dd'",),
        kept=("good",),
        of="slots",
    ),
    task("end.json", region(0, 9), said=('[0, 9, "city"] ends past the text',), kept=("good",), of="slots"),
    task("offset.json", region("x", 3), said=("result 1: 'x' is no offset",), kept=("good",), of="slots"),
    BadFile(
        "ids.json",
        array(*[{"id": 7, "data": {"text": text}, "annotations": []} for text in ("good", "more")]),
        ("1 id is on more than one row, first '7' again in task 2.",),
        ("good", "more"),
    ),
    BadFile(
        "no_text.json",
        array({"data": {"image": "x.png", "url": "y"}}, {"data": {"text": "good"}, "annotations": []}),
        ("has no 'text'; a text is expected there (keys found: 'image', 'url')",),
        ("good",),
    ),
]
PRODIGY = [
    BadFile(
        "rejected.jsonl",
        lines(
            GOOD | {"answer": "accept"}, GOOD | {"text": "no", "answer": "reject"}, {"text": "skip", "answer": "ignore"}
        ),
        ("1 row with 'reject', imported as unlabelled (first on line 2).", "1 row with 'ignore'"),
        ("good", "no", "skip"),
    ),
    BadFile(
        "answer.jsonl",
        lines(GOOD | {"answer": "accept"}, {"text": "odd", "answer": "maybe"}),
        ("line 2: 'answer' holds 'maybe'; one of accept, reject, ignore is expected",),
        ("good",),
    ),
    BadFile(
        "options.jsonl",
        lines(GOOD | {"answer": "accept"}, {"text": "odd", "accept": ["a", "b"], "answer": "accept"}),
        ("line 2: several options were accepted: 'a', 'b'; a text has one label here: keep one of them",),
        ("good",),
    ),
]
DOCCANO = [
    BadFile(
        "several.jsonl",
        lines(GOOD | {"label": ["a"]}, {"text": "odd", "label": ["a", "b"]}),
        ("line 2: several labels under 'label': 'a', 'b'; a text has one label here",),
        ("good",),
    ),
    BadFile(
        "both.jsonl",
        lines(GOOD | {"label": ["a"]}, {"text": "odd", "label": ["a"], "labels": ["b"]}),
        ("line 2: has labels under 'label' and 'labels'; keep one of them",),
        ("good",),
    ),
    BadFile(
        "old.jsonl",
        lines({"text": "good", "annotations": [{"label": 3, "user": 1}]}),
        ("1 row with a number for a label, which older versions write in place of its name",),
        ("good",),
    ),
    BadFile(
        "entities.jsonl",
        lines(
            {"text": "to oslo", "entities": [{"label": "city", "start_offset": 3, "end_offset": 7}], "relations": []},
            {
                "text": "to rome",
                "entities": [{"label": "city", "start_offset": 3, "end_offset": 99}],
                "relations": [{}],
            },
        ),
        ('line 2: [3, 99, "city"] ends past the text', "1 row with relations between spans, which are not read"),
        ("to oslo",),
        "slots",
    ),
]
