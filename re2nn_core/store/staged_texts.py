"""Texts that were read and checked and wait on the disk, until all are there and may be written in one transaction.

So memory stays small for any number of texts, others who write wait only while rows go in, and a fault at the end, or a
process that is killed, leaves nothing behind.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from re2nn_core.files import cannot_write
from re2nn_core.store.checks import CheckedText, checked_examples
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization

# So many texts go by between two calls of `progress`.
STEP = 20_000
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Waiting:
    """`count` texts in a file without a name, which goes with its process."""

    file: IO[str]
    count: int

    def texts(self, progress: Progress | None = None) -> Iterator[CheckedText]:
        """All of them in their order; `progress` is reported how many were taken."""
        self.file.seek(0)
        for number, line in enumerate(self.file, start=1):
            yield CheckedText(*json.loads(line))
            if progress is not None and number % STEP == 0:
                progress(number)


@contextmanager
def staged_texts(
    examples: Iterable[Example], task: Task, tokenization: Tokenization, progress: Progress | None = None
) -> Iterator[Waiting]:
    """Read and check all examples; InputError for what cannot be stored. `progress` is reported how many were read."""
    with tempfile.TemporaryFile("w+", encoding="ascii", newline="\n") as file:
        number = 0
        for number, one in enumerate(checked_examples(examples, task, tokenization), start=1):
            _keep(file, f"{json.dumps((one.text, one.label, one.split))}\n")
            if progress is not None and number % STEP == 0:
                progress(number)
        _keep(file)
        yield Waiting(file, number)


def _keep(file: IO[str], line: str = "") -> None:
    """Write a line; without one, what is still in memory."""
    try:
        file.write(line)
        if not line:
            file.flush()
    except OSError as error:
        with suppress(OSError):  # it would write the same again
            file.close()
        raise cannot_write(tempfile.gettempdir(), error) from error
