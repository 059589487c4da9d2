"""Texts as the interface takes them to learn from and to measure on: pairs, or a file."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

from re2nn_core.errors import DataFileError, InputError
from re2nn_core.exchange.corpora import to_corpus
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.exchange.tables.columns import choose_columns
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.files import checked_path
from re2nn_core.task import Task, by_task, read_task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.given_texts import is_table, shown_value
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

# A file, a corpus, or pairs of a text and its label, or a text and its spans as (start, end, slot).
Texts = Path | str | Corpus | Iterable[tuple[str, Any]]
_PARTS_OF_SPAN = 3


def read_texts(
    file: Path | str,
    *,
    task: Task | str = Task.CLASSIFICATION,
    tokenization: Tokenization | None = None,
    split: str | None = None,
) -> Corpus:
    """The texts of a file with their labels, or with their spans where `task` is "slots"; of one split where one is
    named. Columns are found by name and content. Rows left out are warned about. DataFileError; InputError for a split
    without texts."""
    path = checked_path(file, "The file of texts")
    if not path.exists():
        raise DataFileError(f"{path}: there is no such file. Give a file of texts.")
    read = by_task(read_task(task), classification=_read_labels, slot_filling=_read_spans)
    corpus, bad_rows = read(path, tokenization or Tokenization())
    if bad_rows:
        warnings.warn(
            f"{path}: {counted(len(bad_rows), 'row')} left out; the first is line {bad_rows[0].line}: "
            f"{bad_rows[0].reason}",
            stacklevel=2,
        )
    return corpus if split is None else _of_split(corpus, split, str(path))


def corpus_from(
    texts: Texts | Iterable[str],
    task: Task,
    tokenization: Tokenization,
    split: str | None = None,
    *,
    unlabelled: bool = False,
) -> Corpus:
    """The corpus of a file, or of pairs; where they may be `unlabelled`, of plain texts, too. DataFileError; InputError
    for pairs that cannot be used, and for texts of the other task."""
    if isinstance(texts, str | Path):
        return read_texts(texts, task=task, tokenization=tokenization, split=split)
    if isinstance(texts, Corpus):
        _refuse_other_task(texts, task)
    else:
        _refuse_no_pairs(texts, task)
        pairs = ((one, None) if unlabelled and isinstance(one, str) else one for one in texts)
        texts = Corpus(tuple(_example(place, pair, task) for place, pair in enumerate(pairs, 1)))
    return texts if split is None else _of_split(texts, split, "The data")


def _refuse_other_task(corpus: Corpus, task: Task) -> None:
    """InputError for a corpus that is annotated, but for the other task alone."""
    labels = any(example.label is not None for example in corpus)
    spans = any(example.spans is not None for example in corpus)
    if by_task(task, classification=spans, slot_filling=labels) and not (labels and spans):
        other = by_task(task, classification=Task.SLOT_FILLING, slot_filling=Task.CLASSIFICATION)
        raise InputError(
            f"The texts are annotated for {other.in_words}, and the model is for {task.in_words}. "
            f'Read them with read_texts(file, task="{task.value}"), or use a model of the other task.'
        )


def _refuse_no_pairs(data: object, task: Task) -> None:
    """InputError for what holds no pairs: a table, a dictionary, a number."""
    second = by_task(task, classification="label", slot_filling="spans")
    pairs = f"Give a file, or pairs of a text and its {second}"
    if is_table(data):
        raise InputError(f'The data are a table. {pairs}, as in zip(table["text"], table["{second}"]).')
    if isinstance(data, Mapping):
        raise InputError(f"The data are a {type(data).__name__}. {pairs}, as in list(data.items()).")
    if isinstance(data, bytes) or not hasattr(data, "__iter__"):
        raise InputError(f"The data are {shown_value(data)}. {pairs}.")


def _of_split(corpus: Corpus, split: str, name: str) -> Corpus:
    found = corpus.of_split(split)
    if not len(found):
        there = sorted({example.split or "none" for example in corpus})
        raise InputError(f"{name}: no text of the split {split!r}. The splits of the texts are: {', '.join(there)}.")
    return found


def _read_labels(path: Path, _: Tokenization) -> tuple[Corpus, Sequence[BadRow]]:
    table = read_table(path, path.name)
    chosen = choose_columns(table)
    read = to_corpus(table, text_column=chosen.text, label_column=chosen.label, split_column=chosen.split)
    return read.corpus, read.bad_rows


def _read_spans(path: Path, tokenization: Tokenization) -> tuple[Corpus, Sequence[BadRow]]:
    read = read_slot_corpus(path, path.name, tokenization=tokenization)
    return read.corpus, read.bad_rows


def _example(place: int, pair: Any, task: Task) -> Example:
    """One text with what it is labelled with; None where nobody has labelled it."""
    match pair:
        case (str(text), None):
            return Example(text)
        case (str(), str(label)) if task is Task.CLASSIFICATION and not label.strip():
            raise InputError(f"Example {place:,} has an empty label, {label!r}. Write None for a text without a label.")
        case (str(text), str(label)) if task is Task.CLASSIFICATION:
            return Example(text, label)
        case (str(text), list() | tuple() as spans) if task is Task.SLOT_FILLING:
            try:
                return Example(text, spans=tuple(sorted(map(_span, spans))))
            except (TypeError, ValueError) as error:
                raise InputError(f"Example {place:,}: {error}. Give spans as (start, end, slot).") from None
    expected = by_task(
        task, classification="(text, label)", slot_filling="(text, [(start, end, slot), ...]), counted in characters"
    )
    shown = repr(pair)
    raise InputError(f"Example {place:,} is {shown[:80]}. Expected: {expected}, or (text, None) without a label.")


def _span(span: Any) -> Span:
    if isinstance(span, Span):
        return span
    if not isinstance(span, list | tuple) or len(span) != _PARTS_OF_SPAN:
        raise TypeError(f"one of the spans is {shown_value(span)}")
    start, end, slot = span
    if not isinstance(slot, str):
        raise TypeError(f"the slot of {span!r} is no string")
    if not all(isinstance(place, Integral) and not isinstance(place, bool) for place in (start, end)):
        raise TypeError(f"the start or the end of {span!r} is no whole number")
    return Span(int(start), int(end), slot)
