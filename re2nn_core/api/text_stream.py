"""The texts of a file of any size, given out a chunk at a time, and what became of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from re2nn_core.api.batch_scorer import BatchScorer, LabelModel
from re2nn_core.api.prediction_files import Predictions, why_not_written
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import CorpusPart, task_parts
from re2nn_core.exchange.slot_filling.corpora import holds_slots
from re2nn_core.exchange.tables.parquet import MAGIC
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.task import Task

_HEAD = 1 << 20  # bytes that say what a file holds
OnProgress = Callable[[int, int], None]  # of 1,000


@dataclass
class FileScores:
    """texts: how many were predicted, `before` of them by a former call; counts: how often each label or slot was
    predicted; predicted: texts with a label or a span; left_out: rows that hold no text, the first of them in
    `bad_rows`; not_written: texts that the format cannot hold, the reason of the first in `why_not`; parts, lines: how
    much of a file is done that is read part by part, by which columns."""

    texts: int = 0
    before: int = 0
    parts: int = 0
    lines: int = 0
    columns: list[str | None] = field(default_factory=list)
    predicted: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    left_out: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    not_written: int = 0
    why_not: str = ""

    def add(self, chunk: ChunkScores) -> None:
        """Count what became of a chunk."""
        self.texts += chunk.texts
        self.predicted += chunk.predicted
        self.counts.update(chunk.counts)
        self.not_written += chunk.not_written
        self.why_not = self.why_not or chunk.why_not

    def leave_out(self, bad_rows: Sequence[BadRow]) -> None:
        """Count rows that hold no text."""
        self.left_out += len(bad_rows)
        self.bad_rows += bad_rows[: not self.bad_rows]


_NOT_KEPT = frozenset(("before", "notes"))  # found anew by each call


def scores_to_keep(found: FileScores) -> dict[str, Any]:
    """What a later call goes on from."""
    kept = {name: value for name, value in vars(found).items() if name not in _NOT_KEPT}
    return {**kept, "bad_rows": [asdict(row) for row in found.bad_rows]}


def scores_from(kept: dict[str, Any]) -> FileScores:
    """What a former call kept. KeyError, TypeError."""
    counts, bad_rows = Counter(kept["counts"]), [BadRow(**row) for row in kept["bad_rows"]]
    found = FileScores(**{**kept, "before": kept["texts"], "counts": counts, "bad_rows": bad_rows})
    if not found.parts:
        # The file is read again, and what is left out of it found again.
        found.left_out, found.bad_rows = 0, []
    return found


@dataclass(frozen=True)
class ChunkScores:
    """The same of a chunk; `texts` counts those that are not written too."""

    texts: int
    predicted: int
    counts: dict[str, int]
    not_written: int
    why_not: str


def chunks_of(
    scorer: BatchScorer,
    source: Path,
    size: int,
    found: FileScores,
    *,
    reading: FileReading | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[list[str]]:
    """The texts of a file but the first `found.before`, so many at a time; what is to be reported of them is noted in
    `found`. DataFileError."""
    model, asked = scorer.model, texts_alone(reading)
    task = model.task if holds_spans(scorer, source, asked) else Task.CLASSIFICATION
    progress = None if on_progress is None else (lambda share: on_progress(int(1000 * share), 1000))
    parts = task_parts(task, source, source.name, model.tokenization, asked, progress)
    texts = islice(_texts(parts, found), found.before, None)
    return iter(lambda: list(islice(texts, size)), [])


def texts_alone(reading: FileReading | None) -> FileReading:
    """How a file is read of whose spans none plays a part."""
    return replace(reading or FileReading(), with_spans=False)


def holds_spans(scorer: BatchScorer, source: Path, reading: FileReading) -> bool:
    """Whether a file for slots has spans, and is not read as any texts are."""
    return scorer.model.task is Task.SLOT_FILLING and _holds_slots(source, reading)


def _holds_slots(source: Path, reading: FileReading) -> bool:
    with source.open("rb") as file:
        data = file.read(_HEAD)
        # Of Parquet the end says what it holds.
        return holds_slots(data + file.read() if data.startswith(MAGIC) else data, reading.format)


def _texts(parts: Iterator[CorpusPart], found: FileScores) -> Iterator[str]:
    for part in parts:
        found.leave_out(part.bad_rows)
        found.notes += part.notes
        yield from (example.text for example in part.examples)


def score_texts(scorer: BatchScorer, texts: list[str], format: str) -> tuple[Predictions, ChunkScores]:
    """The predictions for the texts of a chunk that the format can hold."""
    model = scorer.model
    why_not = why_not_written(format, model.tokenization)
    reasons = [] if why_not is None else [why_not(text) for text in texts]
    kept = [text for text, reason in zip(texts, reasons, strict=True) if not reason] if reasons else texts
    found: Predictions
    if isinstance(model, LabelModel):
        found = labels = model.predictions(kept)
        counts = Counter(one.label for one in labels if one.label is not None)
        predicted = counts.total()
    else:
        found = spans = model.predictions(kept)
        counts = Counter(span.slot for one in spans for span in one.spans)
        predicted = sum(bool(one.spans) for one in spans)
    first = next(filter(None, reasons), "")
    return found, ChunkScores(len(texts), predicted, dict(counts), len(texts) - len(kept), first)


def checkpoint_key(scorer: BatchScorer, source: Path, *settings: object) -> str:
    """What a former call must have had to be continued: the same model, the same file, the same settings."""
    state = (str(source.resolve()), source.stat().st_size, source.stat().st_mtime_ns)
    return hashlib.sha256(repr((scorer.state, state, settings)).encode("utf-8", "surrogatepass")).hexdigest()
