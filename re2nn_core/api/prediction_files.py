"""Predictions as the bytes of a file, whole or part by part: JSON lines, CSV, TSV, Parquet, of spans CoNLL too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from re2nn_core.api.batch_scorer import label_row, rounded, slot_row
from re2nn_core.api.classification import LabelPrediction
from re2nn_core.api.slot_filling import SlotPrediction
from re2nn_core.exchange.tables.parquet import write_parquet
from re2nn_core.exchange.tables.table import Row
from re2nn_core.exchange.tables.write import MARK, render_rows, render_table
from re2nn_core.files import read_json
from re2nn_core.services.prediction.slot_filling.prediction_files import TablePrediction, prediction_table
from re2nn_core.task import Task, by_task
from re2nn_core.text.json_text import json_text
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization, words

Predictions = Sequence[LabelPrediction] | Sequence[SlotPrediction]
_FORMATS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".parquet": "parquet"}
_TAB_OR_BREAK = re.compile(r"[\t\r\n]")
_LABEL_COLUMNS = ("text", "label", "confidence", "rules")
_LATER = 2  # the number of a row that is not the first


def prediction_formats(task: Task) -> dict[str, str]:
    """The endings of files of predictions, with their formats."""
    return by_task(task, classification=_FORMATS, slot_filling={**_FORMATS, ".conll": "conll", ".bio": "conll"})


def why_not_written(format: str, tokenization: Tokenization | None = None) -> Callable[[str], str] | None:
    """What finds the reason why a format cannot hold a text, empty where it can; None for formats that hold each."""
    if format == "tsv":
        return lambda text: "holds a tab or a line break, which TSV cannot hold" if _TAB_OR_BREAK.search(text) else ""
    if format == "conll" and tokenization is not None:
        from re2nn_core.exchange.annotation_tools.conll.lines import why_unheld

        return lambda text: why_unheld(words(text, tokenization))
    return None


def render_predictions(task: Task, found: Predictions, format: str) -> bytes:
    """The bytes of a file of predictions."""
    if format != "parquet":
        return render_part(task, found, format, begins=True)
    columns, rows = _table(task, found)
    return render_table(columns, rows, format)


def prediction_dicts(task: Task, found: Predictions) -> list[dict[str, Any]]:
    """Predictions as the objects of JSON lines."""
    rows: dict[Task, Callable[[Any], dict[str, Any]]] = {Task.CLASSIFICATION: label_row, Task.SLOT_FILLING: slot_row}
    return list(map(rows[task], found))


def render_part(task: Task, found: Predictions, format: str, *, begins: bool) -> bytes:
    """The bytes of a part of a file; `begins`: of its first one, with the names of the columns. The parts one after
    another are the file; those of Parquet are lines of JSON that `parts_to_parquet` turns into it."""
    if format == "jsonl":
        return _label_lines(found) if task is Task.CLASSIFICATION else _lines(prediction_dicts(task, found))
    if format == "conll":
        return _sentences(cast("Sequence[SlotPrediction]", found), begins=begins)
    columns, cells = _table(task, found)
    if format == "parquet":
        return _lines([columns, *cells] if begins else cells)
    return render_rows(columns, cells, format, first=1 if begins else _LATER)


def parts_to_parquet(parts: Path, output: Path) -> None:
    """Write the Parquet file of the parts that `render_part` made, some rows at a time. OSError."""
    with parts.open(encoding="utf-8", errors="surrogatepass") as lines, output.open("wb") as written:
        columns = read_json(next(lines))
        write_parquet(written, columns, (tuple(read_json(line)) for line in lines))


def _lines(values: Iterable[Any]) -> bytes:
    return "".join(json_text(value) + "\n" for value in values).encode("utf-8", "surrogatepass")


def _label_lines(found: Iterable[Any]) -> bytes:
    """`_lines` of labels: what many texts have alike is written once."""
    ends: dict[tuple[Any, ...], str] = {}
    lines = []
    for one in found:
        key = one.label, one.confidence, one.rules
        if key not in ends:
            ends[key] = (
                f", {json_text({name: value for name, value in label_row(one).items() if name != 'text'})[1:]}\n"
            )
        lines.append(f'{{"text": {json_text(one.text)}{ends[key]}')
    return "".join(lines).encode("utf-8", "surrogatepass")


def _table(task: Task, found: Predictions) -> tuple[Sequence[str], Sequence[Row]]:
    tables: dict[Task, Callable[[Sequence[Any]], tuple[Sequence[str], Sequence[Row]]]]
    tables = {Task.CLASSIFICATION: _label_table, Task.SLOT_FILLING: _slot_table}
    return tables[task](found)


def _label_table(found: Sequence[LabelPrediction]) -> tuple[Sequence[str], Sequence[Row]]:
    return _LABEL_COLUMNS, list(map(_label_cells, found))


def _slot_table(found: Sequence[SlotPrediction]) -> tuple[Sequence[str], Sequence[Row]]:
    return prediction_table(list(map(_slot_cells, found)))


def _label_cells(found: LabelPrediction) -> Row:
    confidence = rounded(found.confidence)
    return found.text, found.label, None if confidence is None else str(confidence), ", ".join(found.rules)


def _slot_cells(found: SlotPrediction) -> TablePrediction:
    spans = tuple(Span(span.start, span.end, span.slot) for span in found.spans)
    return TablePrediction(found.text, spans, found.by_rules, rounded(found.confidence))


def _sentences(found: Sequence[SlotPrediction], *, begins: bool) -> bytes:
    """Sentences with an empty line between them."""
    text = "\n".join(map(_sentence, found))
    before = ("\n" if text else "") if not begins else MARK if text.startswith(MARK) else ""
    return (before + text).encode("utf-8")


def _sentence(found: SlotPrediction) -> str:
    """A word, the confidence of its tag where a network gave it, and the tag a line."""
    token_confidences = [f"{confidence:.4f}\t" for confidence in found.token_confidence] or [""] * len(found.tokens)
    cells: Iterator[tuple[str, str, str]] = zip(
        (found.text[token.start : token.end] for token in found.tokens), token_confidences, found.tags, strict=True
    )
    return "".join(f"{word}\t{confidence}{tag}\n" for word, confidence, tag in cells)
