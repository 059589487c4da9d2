"""A file of texts of any size, predicted part by part by several processes, in constant memory and in order.

While the work is under way the predictions stand in `NAME.part`, and `NAME.part.json` says, a second old
at most, how many of them are whole; the same call goes on from there, whatever ended the former one.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from threadpoolctl import threadpool_limits

from re2nn_core.api.batch_scorer import BatchScorer
from re2nn_core.api.prediction_files import parts_to_parquet, prediction_formats, render_part
from re2nn_core.api.scoring_tasks import Scored, ScoringTask, TaskSource, TextsSource, source_of
from re2nn_core.api.text_stream import FileScores, OnProgress, checkpoint_key, scores_from, scores_to_keep
from re2nn_core.errors import InputError
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.files import cannot_write, read_json_object, write_whole
from re2nn_core.text.json_text import json_text

_AHEAD = 3  # tasks that wait for each process
_KEPT_EVERY = 1.0  # seconds; so much work is done again after a crash
_CRASHES = 3  # of processes, one after another, before the work ends


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
    formats = prediction_formats(scorer.model.task)
    format = formats.get(output.suffix.lower())
    if format is None:
        raise InputError(f"{output}: predictions are written as {', '.join(formats)}.")
    call = _Call(scorer, output, format, workers, checkpoint_key(scorer, source, reading))
    size, found = call.former()
    tasks = source_of(scorer, source, reading, on_progress, found)
    if found.parts and tasks.columns != found.columns:  # those of all rows are others
        size, found, tasks = 0, FileScores(), TextsSource(scorer, source, reading, on_progress)
    try:
        if not call.writes_all(tasks, size, found):
            found, tasks = FileScores(), TextsSource(scorer, source, reading, on_progress)
            call.writes_all(tasks, 0, found)
        call.finish()
    except OSError as error:
        raise cannot_write(output, error) from error
    return found


@dataclass(frozen=True)
class _Call:
    """What is written, by what, and `key`, which says of what a former call it may be continued."""

    scorer: BatchScorer
    output: Path
    format: str
    workers: int
    key: str

    @property
    def part(self) -> Path:
        return self.output.with_name(f"{self.output.name}.part")

    @property
    def state(self) -> Path:
        return self.output.with_name(f"{self.output.name}.part.json")

    def former(self) -> tuple[int, FileScores]:
        """The bytes that a former call has written, whose texts are noted; 0 where none can be continued."""
        try:
            stored = read_json_object(self.state)
            if stored["key"] == self.key and self.part.stat().st_size >= stored["bytes"]:
                return int(stored["bytes"]), scores_from(stored["scores"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return 0, FileScores()

    def writes_all(self, tasks: TaskSource, size: int, found: FileScores) -> bool:
        """Write the predictions behind so many bytes. False where the file cannot be read by these tasks: nothing of
        what is written may stay then."""
        with self.part.open("r+b" if size else "wb") as written:
            written.truncate(size)
            written.seek(size)
            try:
                if not self._write(written, tasks, found):
                    return False
            except BaseException:
                with suppress(OSError):  # of a full disk, of which the first one tells
                    if found.texts:
                        self._keep(written, found)
                    else:
                        self.part.unlink()
                raise
            if not written.tell():
                written.write(render_part(self.scorer.model.task, [], self.format, begins=True))
            self._keep(written, found)
        return True

    def _write(self, written: BinaryIO, tasks: TaskSource, found: FileScores) -> bool:
        kept = time.monotonic()
        for scored in _scored(self.scorer, tasks.tasks(found), self.format, self.workers):
            first_of_conll = self.format == "conll" and not written.tell()
            _append(written, scored.lines.removeprefix(b"\n") if first_of_conll else scored.lines)
            if not tasks.take(scored, found):
                return False
            if time.monotonic() - kept >= _KEPT_EVERY:
                self._keep(written, found)
                kept = time.monotonic()
        return tasks.holds()

    def _keep(self, written: BinaryIO, found: FileScores) -> None:
        """Note how far the work is, once all before is on the disk."""
        written.flush()
        os.fsync(written.fileno())
        write_whole(self.state, json_text({"key": self.key, "bytes": written.tell(), "scores": scores_to_keep(found)}))

    def finish(self) -> None:
        """Put what was written in its place."""
        whole = self.part
        if self.format == "parquet":
            whole = self.output.with_name(f"{self.output.name}.part.parquet")
            parts_to_parquet(self.part, whole)
        whole.replace(self.output)
        self.part.unlink(missing_ok=True)
        self.state.unlink(missing_ok=True)


def _append(written: BinaryIO, lines: bytes) -> None:
    written.write(lines)


def _scored(scorer: BatchScorer, tasks: Iterator[ScoringTask], format: str, workers: int) -> Iterator[Scored]:
    """What each task gives, in order. A process that dies is replaced, and its tasks are given out again."""
    if workers == 1:
        for task in tasks:
            yield task.score(scorer, format)
        return
    waiting, given = deque[ScoringTask](), deque[Future[Scored]]()  # `given`: of the first ones
    pool, crashes = _pool(scorer, workers), 0
    try:
        while True:
            waiting.extend(islice(tasks, _AHEAD * workers - len(waiting)))
            if not waiting:
                return
            try:
                given.extend(pool.submit(_in_process, task, format) for task in islice(waiting, len(given), None))
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
    Thread(target=_end_with_parent, daemon=True).start()
    # The cores are for the processes: torch, which is not loaded yet, would start a thread for each of them in each,
    # and NumPy has done so.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    threadpool_limits(1, user_api="blas")
    _own[:] = [scorer]


def _end_with_parent() -> None:
    # A parent that is killed cannot tell the processes, which would wait for tasks, and hold their memory, for ever.
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _in_process(task: ScoringTask, format: str) -> Scored:
    return task.score(_own[0], format)
