"""Texts that a file of predictions cannot hold: found before anything is predicted, left out, and told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from re2nn_core.api.prediction_files import prediction_formats, why_not_written
from re2nn_core.commands._common.options import note
from re2nn_core.errors import InputError
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

_LISTED = 5  # so many texts are reported one by one
_SHOWN = 40  # and so many signs of each


def fitting_texts(
    texts: Sequence[str], output: Path | None, tokenization: Tokenization | None = None
) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """The texts that the file can hold, and of each other one its number from 1 and the reason, which are reported on
    stderr. InputError where it can hold none."""
    format = None if output is None else prediction_formats(Task.SLOT_FILLING).get(output.suffix.lower())
    fault = None if format is None else why_not_written(format, tokenization)
    if fault is None:
        return tuple(texts), []
    reasons = [fault(text) for text in texts]
    left = [(number, texts[number - 1], why) for number, why in enumerate(reasons, start=1) if why]
    if left:
        _report(output, left, len(texts))
    kept = tuple(text for text, why in zip(texts, reasons, strict=True) if not why)
    return kept, [{"text": number, "reason": why} for number, _, why in left]


def _report(output: Path | None, left: Sequence[tuple[int, str, str]], texts: int) -> None:
    lines = [f"  text {number:,}, {text[:_SHOWN]!r}: {why}" for number, text, why in left[:_LISTED]]
    lines += [f"  and {len(left) - _LISTED:,} more"] if len(left) > _LISTED else []
    reported = "\n".join([f"{output}: {counted(len(left), 'text')} left out:", *lines])
    if len(left) == texts:
        raise InputError(f"{reported}\nNo text is left. Choose .csv, .jsonl or .parquet.")
    note(f"{reported}\nChoose .csv, .jsonl or .parquet to keep every text.")
