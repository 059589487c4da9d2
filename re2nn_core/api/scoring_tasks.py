"""What a process predicts at a time, and where that comes from: parts of a file that it reads itself, or texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Protocol

from re2nn_core.api.batch_scorer import BatchScorer
from re2nn_core.api.prediction_files import render_part
from re2nn_core.api.text_stream import (
    ChunkScores,
    FileScores,
    OnProgress,
    chunks_of,
    holds_spans,
    score_texts,
    texts_alone,
)
from re2nn_core.exchange.cut_files import CutFile, FilePart, PartTexts, cut_file
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.tables.column_evidence import ColumnCounter

CHUNK = 1_000  # texts that are predicted at a time


@dataclass(frozen=True)
class Scored:
    """The lines of the output, what became of the texts, and what was read of a part, None where it could not be; the
    place in the file behind it."""

    lines: bytes
    scores: list[ChunkScores]
    read: PartTexts | None = None
    until: int = 0


class ScoringTask(Protocol):
    """What goes to a process."""

    def score(self, scorer: BatchScorer, format: str) -> Scored:
        """The predictions."""
        ...


@dataclass(frozen=True)
class TextsTask:
    """Texts, and whether they are a file's first ones."""

    texts: list[str]
    begins: bool

    def score(self, scorer: BatchScorer, format: str) -> Scored:
        """The predictions for the texts."""
        return _scored(scorer, format, self.texts, self.begins)


@dataclass(frozen=True)
class PartTask:
    """A part of a file. `full`: as `CutFile.read` takes it."""

    file: CutFile
    part: FilePart
    full: frozenset[str]

    def score(self, scorer: BatchScorer, format: str) -> Scored:
        """The predictions for the texts of the part."""
        read = self.file.read(self.part, self.full)
        if read is None:
            return Scored(b"", [])
        scored = _scored(scorer, format, read.texts, self.part.number == 0)
        return replace(scored, read=replace(read, texts=[]), until=self.part.begin + self.part.size)


def _scored(scorer: BatchScorer, format: str, texts: list[str], begins: bool) -> Scored:
    lines, scores = [], []
    for place in range(0, len(texts) or int(begins), CHUNK):
        found, counts = score_texts(scorer, texts[place : place + CHUNK], format)
        lines.append(render_part(scorer.model.task, found, format, begins=begins and not place))
        scores.append(counts)
    return Scored(b"".join(lines), scores)


class TaskSource(Protocol):
    """A file as tasks, one after another."""

    @property
    def columns(self) -> list[str | None]:
        """Those that are read, where the first lines alone chose them."""
        ...

    def tasks(self, found: FileScores) -> Iterator[ScoringTask]:
        """All tasks but those that `found` says are done; what is to be reported of the file is noted there.
        DataFileError."""
        ...

    def take(self, scored: Scored, found: FileScores) -> bool:
        """Note what became of the next task; False where its part could not be read for itself."""
        ...

    def holds(self) -> bool:
        """At the end: whether what the first lines said holds for all."""
        ...


@dataclass(frozen=True)
class TextsSource:
    """Any file, read by the process that hands its texts out."""

    scorer: BatchScorer
    file: Path
    reading: FileReading | None
    on_progress: OnProgress | None

    @property
    def columns(self) -> list[str | None]:
        """None: all rows chose them."""
        return []

    def tasks(self, found: FileScores) -> Iterator[ScoringTask]:
        """As in TaskSource."""
        chunks = chunks_of(self.scorer, self.file, CHUNK, found, reading=self.reading, on_progress=self.on_progress)
        return (TextsTask(texts, place == 0 and not found.before) for place, texts in enumerate(chunks))

    def take(self, scored: Scored, found: FileScores) -> bool:
        """As in TaskSource."""
        for scores in scored.scores:
            found.add(scores)
        return True

    def holds(self) -> bool:
        """As in TaskSource."""
        return True


class PartsSource:
    """A file whose parts are read by those that predict them. `continues`: its columns are those that all rows choose,
    since a former call counted the first of them."""

    def __init__(self, file: CutFile, on_progress: OnProgress | None, *, continues: bool) -> None:
        self.file, self.on_progress, self.size = file, on_progress, file.path.stat().st_size
        self.counter, self.is_chosen = ColumnCounter(), continues or not file.may_choose

    @property
    def columns(self) -> list[str | None]:
        """As in TaskSource."""
        return list(self.file.columns)

    def tasks(self, found: FileScores) -> Iterator[ScoringTask]:
        """As in TaskSource."""
        found.notes += self.file.plan.notes
        found.columns = self.columns
        for part in islice(self.file.parts(), found.parts, None):
            yield PartTask(self.file, part, self.counter.full)

    def take(self, scored: Scored, found: FileScores) -> bool:
        """As in TaskSource."""
        if scored.read is None:
            return False
        for scores in scored.scores:
            found.add(scores)
        found.leave_out([replace(bad, line=bad.line + found.lines) for bad in scored.read.bad_rows])
        found.parts, found.lines = found.parts + 1, found.lines + scored.read.lines
        if scored.read.counted is not None:
            self.counter.add(scored.read.counted)
        if self.on_progress is not None:
            self.on_progress(1000 * scored.until // self.size, 1000)
        return True

    def holds(self) -> bool:
        """As in TaskSource."""
        return self.is_chosen or self.file.chosen_again(self.counter)


def source_of(
    scorer: BatchScorer, file: Path, reading: FileReading | None, on_progress: OnProgress | None, former: FileScores
) -> TaskSource:
    """The file by its parts where it can be read so, and where a former call did. DataFileError."""
    asked, continues = texts_alone(reading), former.parts > 0
    by_parts = (continues or not former.before) and not holds_spans(scorer, file, asked)
    cut = cut_file(file, asked, columns_of_all=continues) if by_parts else None
    if cut is None:
        return TextsSource(scorer, file, reading, on_progress)
    return PartsSource(cut, on_progress, continues=continues)
