"""A file of texts of any size, predicted part by part by several processes, in constant memory and in order.

While the work is under way the predictions stand in `NAME.part`, and `NAME.part.json` says, a second old
at most, how many of them are whole; the same call goes on from there, whatever ended the former one.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO

from re2nn_core.api.batch_scorer import BatchScorer
from re2nn_core.api.prediction_files import parts_to_parquet, prediction_formats, render_part
from re2nn_core.api.text_stream import ChunkScores, FileScores, OnProgress, checkpoint_key, chunks_of, score_texts
from re2nn_core.errors import InputError
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.files import cannot_write, read_json_object, write_whole
from re2nn_core.text.json_text import json_text

CHUNK = 1_000  # texts that go to a process at a time
_AHEAD = 3  # chunks that wait for each process
_KEPT_EVERY = 1.0  # seconds; so much work is done again after a crash
_CRASHES = 3  # of processes, one after another, before the work ends
Chunk = tuple[list[str], bool]  # texts, and whether they are a file's first ones
Scored = tuple[bytes, ChunkScores]


def score_file(
    scorer: BatchScorer,
    source: Path,
    output: Path,
    *,
    workers: int = 1,
    reading: FileReading | None = None,
    on_progress: OnProgress | None = None,
) -> FileScores:
    """Write the predictions for the texts of `source` to `output`, whose ending names the format. ModelError,
    DataFileError; InputError for another ending, and where processes end again and again."""
    found, task = FileScores(), scorer.model.task
    format = prediction_formats(task).get(output.suffix.lower())
    if format is None:
        raise InputError(f"{output}: predictions are written as {', '.join(prediction_formats(task))}.")
    part, state = output.with_name(f"{output.name}.part"), output.with_name(f"{output.name}.part.json")
    key = checkpoint_key(scorer, source, reading)
    size = _former(part, state, key, found)
    chunks = chunks_of(scorer, source, CHUNK, found, reading=reading, on_progress=on_progress)
    begun = ((texts, place == 0 and not found.before) for place, texts in enumerate(chunks))
    try:
        with part.open("r+b" if size else "wb") as written:
            written.truncate(size)
            written.seek(size)
            try:
                _write_all(written, _scored(scorer, begun, format, workers), format, state, key, found)
            except BaseException:
                with suppress(OSError):  # of a full disk, of which the first one tells
                    if found.texts:
                        _keep(written, state, key, found)
                    else:
                        part.unlink()
                raise
            if not found.texts:
                written.write(render_part(task, [], format, begins=True))
            _keep(written, state, key, found)
        whole = part
        if format == "parquet":
            whole = output.with_name(f"{output.name}.part.parquet")
            parts_to_parquet(part, whole)
        whole.replace(output)
        part.unlink(missing_ok=True)
        state.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(output, error) from error
    return found


def _write_all(
    written: BinaryIO, scored: Iterator[Scored], format: str, state: Path, key: str, found: FileScores
) -> None:
    kept = time.monotonic()
    for lines, scores in scored:
        _append(written, lines if format != "conll" or written.tell() else lines.removeprefix(b"\n"))
        found.add(scores)
        if time.monotonic() - kept >= _KEPT_EVERY:
            _keep(written, state, key, found)
            kept = time.monotonic()


def _append(written: BinaryIO, lines: bytes) -> None:
    written.write(lines)


def _keep(written: BinaryIO, state: Path, key: str, found: FileScores) -> None:
    """Note how far the work is, once all before is on the disk."""
    written.flush()
    os.fsync(written.fileno())
    write_whole(state, json_text({"key": key, "bytes": written.tell(), **_kept(found)}))


def _kept(found: FileScores) -> dict[str, object]:
    return {
        "texts": found.texts,
        "predicted": found.predicted,
        "counts": dict(found.counts),
        "not_written": found.not_written,
        "why_not": found.why_not,
    }


def _former(part: Path, state: Path, key: str, found: FileScores) -> int:
    """Bytes that a former call has written, whose texts are noted; 0 where there is none that can be continued."""
    try:
        stored = read_json_object(state)
        if stored["key"] == key and part.stat().st_size >= stored["bytes"]:
            found.texts = found.before = int(stored["texts"])
            found.predicted, found.counts = int(stored["predicted"]), Counter(stored["counts"])
            found.not_written, found.why_not = int(stored["not_written"]), str(stored["why_not"])
            return int(stored["bytes"])
    except (OSError, ValueError, KeyError):
        pass
    return 0


def _scored(scorer: BatchScorer, chunks: Iterator[Chunk], format: str, workers: int) -> Iterator[Scored]:
    """What each chunk gives, in order. A process that dies is replaced, and its chunks are given out again."""
    if workers == 1:
        for chunk in chunks:
            yield _score(scorer, chunk, format)
        return
    waiting, given = deque[Chunk](), deque[Future[Scored]]()  # `given`: of the first ones
    pool, crashes = _pool(scorer, workers), 0
    try:
        while True:
            waiting.extend(islice(chunks, _AHEAD * workers - len(waiting)))
            if not waiting:
                return
            try:
                given.extend(pool.submit(_in_process, chunk, format) for chunk in islice(waiting, len(given), None))
                scored = given[0].result()
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
            waiting.popleft()
            yield scored
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(scorer: BatchScorer, workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(scorer,))


_own: list[BatchScorer] = []  # of this process


def _begin(scorer: BatchScorer) -> None:
    # The cores are for the processes: torch, which is not loaded yet, would start a thread for each of them in each.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _own[:] = [scorer]


def _in_process(chunk: Chunk, format: str) -> Scored:
    return _score(_own[0], chunk, format)


def _score(scorer: BatchScorer, chunk: Chunk, format: str) -> Scored:
    texts, begins = chunk
    found, scores = score_texts(scorer, texts, format)
    return render_part(scorer.model.task, found, format, begins=begins), scores
