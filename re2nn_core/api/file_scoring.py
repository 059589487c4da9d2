"""A file of texts of any size, predicted part by part by several processes, in constant memory and in order.

Predictions are JSON lines. While the work is under way they stand in `NAME.part`, and `NAME.part.json` says how many of
them are whole; the same call goes on from there, whatever ended the former one.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, BinaryIO

from re2nn_core.api.batch_scorer import BatchScorer
from re2nn_core.errors import InputError
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import CorpusPart, task_parts
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.files import cannot_write, read_json_object, write_whole
from re2nn_core.text.json_text import json_text

CHUNK = 1_000  # texts that go to a process at a time
_AHEAD = 3  # chunks that wait for each process
_CRASHES = 3  # of processes, one after another, before the work ends
OnProgress = Callable[[int, int], None]  # of 1,000
Scored = tuple[bytes, int]  # lines, and how many of them have a prediction


@dataclass
class FileScores:
    """texts: how many were predicted, `before` of them by a former call; predicted: how many of this call's have a
    label or a span; left_out: rows that hold no text, the first of them in `bad_rows`."""

    texts: int = 0
    before: int = 0
    predicted: int = 0
    left_out: int = 0
    bad_rows: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def score_file(
    scorer: BatchScorer,
    source: Path,
    output: Path,
    *,
    workers: int = 1,
    reading: FileReading | None = None,
    on_progress: OnProgress | None = None,
) -> FileScores:
    """Write a line for each text of `source` to `output`. ModelError, DataFileError; InputError where processes end
    again and again."""
    found, model = FileScores(), scorer.model
    part, state = output.with_name(f"{output.name}.part"), output.with_name(f"{output.name}.part.json")
    key = _key(scorer.folder, source)
    size, found.before = _former(part, state, key)
    found.texts = found.before
    parts = task_parts(
        model.task,
        source,
        source.name,
        model.tokenization,
        reading or FileReading(),
        None if on_progress is None else (lambda share: on_progress(int(1000 * share), 1000)),
    )
    texts = islice(_texts(parts, found), found.before, None)
    try:
        with part.open("r+b" if size else "wb") as written:
            written.truncate(size)
            written.seek(size)
            for lines, predicted, count in _scored(scorer, iter(lambda: list(islice(texts, CHUNK)), []), workers):
                _append(written, lines)
                found.texts, found.predicted = found.texts + count, found.predicted + predicted
                write_whole(state, json_text({"key": key, "bytes": written.tell(), "texts": found.texts}))
        part.replace(output)
        state.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(output, error) from error
    return found


def _append(written: BinaryIO, lines: bytes) -> None:
    written.write(lines)
    written.flush()
    os.fsync(written.fileno())


def _key(folder: Path, source: Path) -> str:
    """What a former call must have had to be continued: the same model and the same file."""
    files = (folder / "bundle.json", folder / "parameters.safetensors", source)
    states = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return hashlib.sha256(repr(states).encode()).hexdigest()


def _former(part: Path, state: Path, key: str) -> tuple[int, int]:
    """Bytes and texts that a former call has written; 0 where there is none that can be continued."""
    try:
        stored = read_json_object(state)
        if stored["key"] == key and part.stat().st_size >= stored["bytes"]:
            return int(stored["bytes"]), int(stored["texts"])
    except (OSError, ValueError, KeyError):
        pass
    return 0, 0


def _texts(parts: Iterator[CorpusPart], found: FileScores) -> Iterator[str]:
    """The texts of parts; what is to be said of them is noted."""
    for part in parts:
        found.left_out += len(part.bad_rows)
        found.bad_rows += part.bad_rows[: not found.bad_rows]
        found.notes += part.notes
        yield from (example.text for example in part.examples)


def _scored(scorer: BatchScorer, chunks: Iterator[list[str]], workers: int) -> Iterator[tuple[bytes, int, int]]:
    """Lines, predictions and texts of each chunk, in order. A process that dies is replaced, and its chunks are given
    out again."""
    if workers == 1:
        for texts in chunks:
            yield *_lines_of(scorer, texts), len(texts)
        return
    waiting, given = deque[list[str]](), deque[Future[Scored]]()  # `given`: of the first ones
    pool, crashes = _pool(scorer, workers), 0
    try:
        while True:
            waiting.extend(islice(chunks, _AHEAD * workers - len(waiting)))
            if not waiting:
                return
            try:
                given.extend(pool.submit(_in_process, texts) for texts in islice(waiting, len(given), None))
                lines, predicted = given[0].result()
            except BrokenProcessPool:
                crashes += 1
                if crashes == _CRASHES:
                    raise InputError(
                        "A process that predicts ended by itself three times. There may be too little memory: give "
                        "fewer --workers. Run the same command to continue."
                    ) from None
                pool.shutdown(cancel_futures=True)
                pool = _pool(scorer, workers)
                given.clear()
                continue
            crashes = 0
            given.popleft()
            yield lines, predicted, len(waiting.popleft())
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(scorer: BatchScorer, workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(scorer,))


_own: list[BatchScorer] = []  # of this process


def _begin(scorer: BatchScorer) -> None:
    _own[:] = [scorer]


def _in_process(texts: list[str]) -> Scored:
    return _lines_of(_own[0], texts)


def _lines_of(scorer: BatchScorer, texts: list[str]) -> Scored:
    rows: list[dict[str, Any]] = scorer(texts)
    predicted = sum(bool(row.get("label") or row.get("spans")) for row in rows)
    return "".join(json_text(row) + "\n" for row in rows).encode("utf-8", "surrogatepass"), predicted
