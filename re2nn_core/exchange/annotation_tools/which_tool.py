"""Files that tools for labelling and for data sets write: which tool one is of, and what stands in it.

Label Studio JSON, Prodigy JSONL, doccano JSONL, spaCy's DocBin, zipped Hugging Face datasets folders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools import docbin, doccano, label_studio, nlu_json, prodigy
from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRow, AnnotatedRows, WantedParts, note_double_ids
from re2nn_core.exchange.tables.assemble import nothing_left
from re2nn_core.exchange.tables.jsonl import Item, begins_one_object, json_items, object_of
from re2nn_core.exchange.tables.nested.json_rows import JsonRows
from re2nn_core.exchange.tables.table import BadRow, Progress, RefusedError

LABEL_STUDIO, PRODIGY, DOCCANO, SPACY, HUGGINGFACE = "label-studio", "prodigy", "doccano", "spacy", "huggingface"
# Found from what it holds, and never written.
NLU = "nlu"
TOOLS = (LABEL_STUDIO, PRODIGY, DOCCANO, SPACY, HUGGINGFACE)
_SAMPLE = 2**20
_LOOK = 20
_EVERY = 10_000
_LABELS = WantedParts()

_Reader = Callable[[int, dict[str, Any], AnnotatedRows], AnnotatedRow]
_READERS: dict[str, _Reader] = {
    LABEL_STUDIO: label_studio.read_label_studio_task,
    PRODIGY: prodigy.read_prodigy_task,
    DOCCANO: doccano.read_row,
    NLU: nlu_json.read_nlu_example,
}
_EXPECTED = {
    LABEL_STUDIO: 'A JSON array of tasks such as {"data": {"text": "..."}, "annotations": [...]} is expected.',
    PRODIGY: 'One task a line is expected, such as {"text": "...", "label": "fare", "answer": "accept"}.',
    DOCCANO: 'One object a line is expected, such as {"text": "...", "label": ["fare"]}.',
    NLU: "Examples of Rasa (rasa_nlu_data) or utterances of Snips are expected.",
}
# What is counted in files whose lines say little.
_COUNTED = {LABEL_STUDIO: "task", NLU: "example"}


def tool_of_text(text: str) -> str | None:
    """The tool that a JSON text was written by, from its first objects; None where no one tells."""
    sample = text[:_SAMPLE]
    sample = text if begins_one_object(sample) else sample
    if sample.lstrip()[:1] not in ("{", "["):
        return None
    if nlu_json.is_nlu_json(sample):
        return NLU
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


def read_tool_text(
    text: str, name: str, tool: str, asked: WantedParts = _LABELS, on_progress: Progress | None = None
) -> AnnotatedRows:
    """The rows of a JSON text of an annotation tool. DataFileError where none can be read, and where no row has an
    answer under the name that was asked for."""
    read = rows_of_tool_text(text, tool, AnnotatedRows(asked), on_progress)
    if not read.rows:
        raise DataFileError(f"{nothing_left(name, read.bad_rows)}\n{_EXPECTED[tool]}")
    if asked.label is not None and not read.controls[asked.label]:
        known = ", ".join(f"'{control}'" for control, count in read.controls.items() if count) or "none"
        raise DataFileError(f"'{name}' has no annotations under '{asked.label}'. Annotations are under: {known}.")
    return read


def rows_of_tool_text(text: str, tool: str, read: AnnotatedRows, on_progress: Progress | None = None) -> AnnotatedRows:
    """The same, with no row where none can be read. `read` is new, and says what is asked for; its remarks may be
    those of earlier parts of the file."""
    what = _COUNTED.get(tool)
    read.at = f"in {what}" if what else "on line"
    counted, row_of = JsonRows(), _READERS[tool]
    ids: list[tuple[int, str]] = []
    for count, (line, share, item) in enumerate(_items(text, tool, counted, read), start=1):
        place = count if what else line
        try:
            values = object_of(item)
            row = replace(row_of(place, values, read), line=line, place=f"{what} {count:,}" if what else "")
            if not row.text.strip():
                raise RefusedError("the text is empty")
            read.rows.append(row)
            if isinstance(values.get("id"), str):
                ids.append((place, values["id"]))
        except (RefusedError, ValueError) as reason:
            read.bad_rows.append(BadRow(line, f"{what} {count:,}: {reason}" if what else str(reason)))
        if on_progress is not None and count % _EVERY == 0:
            on_progress(share)
    if tool == PRODIGY:
        prodigy.join_partial(read)
    note_double_ids(ids, read)
    read.notes += counted.notes()
    return read


def _items(text: str, tool: str, counted: JsonRows, read: AnnotatedRows) -> Iterable[Item]:
    if tool == NLU:
        return ((1, 1.0, item) for item in nlu_json.nlu_items(text, read))
    return json_items(text, counted)


def read_spacy(
    data: bytes, name: str, asked: WantedParts = _LABELS, on_progress: Progress | None = None
) -> AnnotatedRows:
    """The rows of a DocBin. DataFileError where none can be read."""
    read = docbin.read_docbin(data, name, asked, on_progress)
    kept = [row for row in read.rows if row.text.strip()]
    read.bad_rows += [BadRow(row.line, "the text is empty") for row in read.rows if not row.text.strip()]
    read.rows = kept
    if not kept:
        raise DataFileError(nothing_left(name, read.bad_rows))
    return read
