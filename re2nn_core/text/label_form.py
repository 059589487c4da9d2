"""How a text of a task carries what is labelled: one label for all of it, or spans of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import read_spans, write_spans


@dataclass(frozen=True)
class LabelForm:
    """`column` names it in tables, `plural` in sentences. `written`: what an example carries as one string, as the
    store and tables keep it; `plain`: the same as a JSON value. Both are None where nobody has labelled the text.
    `labelled` gives an example what is written in such a string."""

    column: str
    plural: str
    written: Callable[[Example], str | None]
    plain: Callable[[Example], Any]
    labelled: Callable[[Example, str | None], Example]


def label_form(task: Task) -> LabelForm:
    """How texts of the task carry what is labelled."""
    return _FORMS[task]


def _label(example: Example) -> str | None:
    return example.label


def _with_label(example: Example, label: str | None) -> Example:
    return replace(example, label=label)


def _written_spans(example: Example) -> str | None:
    return None if example.spans is None else write_spans(example.spans)


def _plain_spans(example: Example) -> list[list[Any]] | None:
    """Each span as [start, end, slot]."""
    return None if example.spans is None else [[span.start, span.end, span.slot] for span in example.spans]


def _with_spans(example: Example, written: str | None) -> Example:
    return replace(example, spans=None if written is None else read_spans(written))


_FORMS = {
    Task.CLASSIFICATION: LabelForm("label", "labels", _label, _label, _with_label),
    Task.SLOT_FILLING: LabelForm("spans", "spans", _written_spans, _plain_spans, _with_spans),
}
