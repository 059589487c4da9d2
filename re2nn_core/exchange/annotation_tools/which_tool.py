"""Files that tools for labelling and for data sets write: which tool one is of, and what stands in it.

Label Studio JSON, Prodigy JSONL, doccano JSONL, spaCy's DocBin, zipped Hugging Face datasets folders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools import docbin, doccano, label_studio, prodigy
from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRow, AnnotatedRows, note_double_ids
from re2nn_core.exchange.tables.assemble import blank_note, nothing_left
from re2nn_core.exchange.tables.jsonl import JsonRows, json_items, object_of
from re2nn_core.exchange.tables.table import BadRow, Progress, RefusedError

LABEL_STUDIO, PRODIGY, DOCCANO, SPACY, HUGGINGFACE = "label-studio", "prodigy", "doccano", "spacy", "huggingface"
TOOLS = (LABEL_STUDIO, PRODIGY, DOCCANO, SPACY, HUGGINGFACE)
_SAMPLE = 2**20
_LOOK = 20
_EVERY = 10_000

_Reader = Callable[[int, dict[str, Any], AnnotatedRows], AnnotatedRow]
_READERS: dict[str, _Reader] = {
    LABEL_STUDIO: label_studio.read_label_studio_task,
    PRODIGY: prodigy.read_prodigy_task,
    DOCCANO: doccano.read_row,
}
_EXPECTED = {
    LABEL_STUDIO: 'A JSON array of tasks such as {"data": {"text": "..."}, "annotations": [...]} is expected.',
    PRODIGY: 'One task a line is expected, such as {"text": "...", "label": "fare", "answer": "accept"}.',
    DOCCANO: 'One object a line is expected, such as {"text": "...", "label": ["fare"]}.',
}


def tool_of_text(text: str) -> str | None:
    """The tool that a JSON text was written by, from its first objects; None where no one tells."""
    sample = text[:_SAMPLE]
    if sample.lstrip()[:1] not in ("{", "["):
        return None
    for count, (_, _, item) in enumerate(json_items(sample, JsonRows())):
        try:
            values = object_of(item)
        except RefusedError:
            values = {}
        if label_studio.is_label_studio_task(values):
            return LABEL_STUDIO
        if prodigy.is_prodigy_task(values):
            return PRODIGY
        if doccano.is_row(values):
            return DOCCANO
        if count >= _LOOK:
            break
    return None


def read_tool_text(text: str, name: str, tool: str, on_progress: Progress | None = None) -> AnnotatedRows:
    """The rows of a JSON text of Label Studio, Prodigy or doccano. DataFileError where none can be read."""
    read = rows_of_tool_text(text, tool, on_progress)
    if not read.rows:
        raise DataFileError(f"{nothing_left(name, read.bad_rows)}\n{_EXPECTED[tool]}")
    return read


def rows_of_tool_text(text: str, tool: str, on_progress: Progress | None = None) -> AnnotatedRows:
    """The same, with no row where none can be read."""
    # Label Studio writes all tasks on one line, so that the number of a task says more than its line.
    tasks = tool == LABEL_STUDIO
    read, counted, row_of = AnnotatedRows(at="in task" if tasks else "on line"), JsonRows(), _READERS[tool]
    ids: list[tuple[int, str]] = []
    for count, (line, share, item) in enumerate(json_items(text, counted), start=1):
        place = count if tasks else line
        try:
            values = object_of(item)
            row = replace(row_of(place, values, read), line=line)
            if not row.text.strip():
                raise RefusedError("the text is empty")
            read.rows.append(row)
            if isinstance(values.get("id"), str):
                ids.append((place, values["id"]))
        except (RefusedError, ValueError) as reason:
            read.bad_rows.append(BadRow(line, f"task {count:,}: {reason}" if tasks else str(reason)))
        if on_progress is not None and count % _EVERY == 0:
            on_progress(share)
    note_double_ids(ids, read)
    read.notes += [*blank_note(counted.blank)]
    return read


def read_spacy(data: bytes, name: str, on_progress: Progress | None = None) -> AnnotatedRows:
    """The rows of a DocBin. DataFileError where none can be read."""
    read = docbin.read_docbin(data, name, on_progress)
    kept = [row for row in read.rows if row.text.strip()]
    read.bad_rows += [BadRow(row.line, "the text is empty") for row in read.rows if not row.text.strip()]
    read.rows = kept
    if not kept:
        raise DataFileError(nothing_left(name, read.bad_rows))
    return read
