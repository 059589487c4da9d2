"""Texts of a file that a project has already.

One with the same answer, or without any, says nothing new and is left out unless it is wanted. One with another answer
is a text of its own: which of the two is right, people decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from re2nn_core.store import ProjectRecord, Store, iterate_texts
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import write_spans


@dataclass
class Doubles:
    """Keeps apart what is new, and counts. `read`: all examples; `already`: those that are there with the same answer
    or come without one; `differing`: those that are there with another answer, or where nobody has said one."""

    store: Store
    project: ProjectRecord
    keep: bool = False
    read: int = 0
    already: int = 0
    differing: int = 0

    def new_ones(self, batches: Iterable[Iterable[Example]]) -> Iterator[Example]:
        """The examples that go into the project."""
        texts, answers = self._there()
        for example in (example for batch in batches for example in batch):
            self.read += 1
            if hash(example.text) not in texts:
                yield example
                continue
            answer = _answer(example, self.project.task)
            if answer is not None and hash((example.text, answer)) not in answers:
                self.differing += 1
                yield example
                continue
            self.already += 1
            if self.keep:
                yield example

    def _there(self) -> tuple[set[int], set[int]]:
        """The project's texts and their answers, as numbers of 64 bits, so that a million of them fit; that two are
        alike by chance is as likely as a fault of the memory."""
        texts: set[int] = set()
        answers: set[int] = set()
        for record in iterate_texts(self.store, self.project.id):
            texts.add(hash(record.text))
            answers |= {hash((record.text, answer)) for answer in (record.gold, record.label) if answer is not None}
        return texts, answers


def _answer(example: Example, task: Task) -> str | None:
    if task == Task.SLOT_FILLING:
        return None if example.spans is None else write_spans(example.spans)
    return example.label
