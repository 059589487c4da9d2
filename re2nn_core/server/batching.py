"""Texts of requests that arrive together, predicted together.

One thread a process predicts. What arrives while it works waits, and is its next batch: no request waits for others to
come. A long list of texts is divided, so that single texts do not wait for all of it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from re2nn_core.server.served import ServedModel

MOST_TOGETHER = 128  # texts of a batch
Rows = list[dict[str, Any]]
Predict = Callable[[ServedModel, Sequence[str]], Rows]


class QueueFullError(Exception):
    """More texts wait than may."""


@dataclass(eq=False)
class _Waiting:
    """Texts of one request, the predictions there are by now, and who waits for all of them."""

    model: ServedModel
    texts: Sequence[str]
    rows: Rows
    result: asyncio.Future[Rows]
    given: int = 0  # texts that were taken into a batch


class Batcher:
    """The queue of a worker process. `predict` runs in its thread."""

    def __init__(self, predict: Predict, most_waiting: int, on_batch: Callable[[int, int], None]) -> None:
        self._predict, self._most, self._on_batch = predict, most_waiting, on_batch
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="predict")
        self._queue: deque[_Waiting] = deque()
        self._arrived = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.waiting = 0

    def start(self) -> None:
        """Begin to predict; in the loop that requests run in."""
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def stop(self) -> None:
        """End, when all that waits is predicted."""
        while self._queue:
            await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown()

    async def rows(self, model: ServedModel, texts: Sequence[str]) -> Rows:
        """The predictions for texts, in their order. QueueFullError."""
        if not texts:
            return []
        if self.waiting + len(texts) > self._most:
            raise QueueFullError
        one = _Waiting(model, texts, [], asyncio.get_running_loop().create_future())
        self._queue.append(one)
        self.waiting += len(texts)
        self._arrived.set()
        return await one.result

    async def run(self, work: Callable[[], Any]) -> Any:
        """Other work for the thread that predicts: an explanation."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while not self._queue:
                self._arrived.clear()
                await self._arrived.wait()
            parts = self._next()
            texts = [text for one, begin, end in parts for text in one.texts[begin:end]]
            if not texts:
                continue
            self._on_batch(len(texts), self.waiting)
            try:
                rows = await loop.run_in_executor(self._thread, self._predict, parts[0][0].model, texts)
            except Exception as error:  # noqa: BLE001 - each of the requests is told, and the next batch goes on
                self._fail(parts, error)
                continue
            self._hand_out(parts, rows)

    def _next(self) -> list[tuple[_Waiting, int, int]]:
        """Requests of one model with the texts of each that are next, those of few texts first, so that they do not
        wait for long lists. Who has given up is left out."""
        for one in [one for one in self._queue if one.result.done()]:
            self._drop(one)
        if not self._queue:
            return []
        model, parts, room = self._queue[0].model, list[tuple[_Waiting, int, int]](), MOST_TOGETHER
        for one in sorted((one for one in self._queue if one.model is model), key=lambda one: len(one.texts)):
            begin, end = one.given, min(len(one.texts), one.given + room)
            if begin < end:
                parts.append((one, begin, end))
                room -= end - begin
                one.given = end
            if not room:
                break
        return parts

    def _hand_out(self, parts: list[tuple[_Waiting, int, int]], rows: Rows) -> None:
        place = 0
        for one, begin, end in parts:
            one.rows.extend(rows[place : place + end - begin])
            place += end - begin
            if len(one.rows) == len(one.texts):
                self._drop(one)
                if not one.result.done():
                    one.result.set_result(one.rows)

    def _fail(self, parts: list[tuple[_Waiting, int, int]], error: Exception) -> None:
        for one, _, _ in parts:
            self._drop(one)
            if not one.result.done():
                one.result.set_exception(error)

    def _drop(self, one: _Waiting) -> None:
        if one in self._queue:
            self._queue.remove(one)
            self.waiting -= len(one.texts)
