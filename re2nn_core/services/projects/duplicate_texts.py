"""Duplicates among imported texts: those that come more than once in the files, and those that the project has already.

A number of 64 bits stands for each text and each answer, so that a million of them are no burden; that two are alike by
chance is as likely as a fault of the memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from re2nn_core.store import ProjectRecord, Store, iterate_texts
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.counting import counted
from re2nn_core.text.label_form import label_form

_NOTHING = 0  # in the place of an answer


@dataclass(frozen=True)
class Duplicates:
    """Texts that came more than once, those of them with different answers, and those in test and in another split.
    `first` is the place of the first one with different answers, None where there is none."""

    texts: int = 0
    differing: int = 0
    leaked: int = 0
    first: int | None = None

    def in_words(self, task: Task, first: str = "") -> str:
        """A sentence; empty where no text came twice. `first` is the text at that place, where that is known."""
        if not self.texts:
            return ""
        parts = [f"{counted(self.texts, 'text')} came more than once"]
        if self.differing:
            which = "" if self.texts == 1 else f"{self.differing:,} of them "
            parts.append(
                f"{which}with different {label_form(task).plural}{f' (the first is {first!r})' if first else ''}"
            )
        if self.leaked:
            which = "" if self.texts == 1 else f"{self.leaked:,} of them "
            parts.append(f"{which}in the test split and in another one")
        return f"{', '.join(parts)}. Look at them: nothing was left out for it."


@dataclass
class DuplicateCounter:
    """Takes the texts of an import as they come by."""

    task: Task
    _texts: array[int] = field(default_factory=lambda: array("q"))
    _annotations: array[int] = field(default_factory=lambda: array("q"))
    _tests: array[int] = field(default_factory=lambda: array("b"))

    def take(self, example: Example) -> None:
        annotation = label_form(self.task).written(example)
        self._texts.append(hash(example.text))
        self._annotations.append(_NOTHING if annotation is None else hash(annotation) or 1)
        self._tests.append(example.split == "test")

    def found(self) -> Duplicates:
        """What there is among all of them."""
        texts, annotations, tests = (np.array(kept) for kept in (self._texts, self._annotations, self._tests))
        if not len(texts):
            return Duplicates()
        order, starts = _groups(texts)
        repeated = int(np.count_nonzero(np.diff(np.append(starts, len(texts))) > 1))
        leaked = int(np.count_nonzero(_differ(tests[order], starts)))
        annotated = np.flatnonzero(annotations != _NOTHING)
        if not len(annotated):
            return Duplicates(repeated, 0, leaked)
        order, starts = _groups(texts[annotated])
        differ = _differ(annotations[annotated][order], starts)
        places = annotated[order[starts[differ]]]
        return Duplicates(repeated, len(places), leaked, int(places.min()) if len(places) else None)


def _groups(texts: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order that brings equal texts together, and where in it each of them begins."""
    order = np.argsort(texts, kind="stable")
    borders = np.flatnonzero(texts[order][1:] != texts[order][:-1]) + 1
    return order, np.concatenate(([0], borders)).astype(np.intp)


def _differ(values: NDArray[Any], starts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether a group has more than one value."""
    differ: NDArray[np.bool_] = np.minimum.reduceat(values, starts) != np.maximum.reduceat(values, starts)
    return differ


@dataclass
class NewTexts:
    """Keeps apart what is new to a project, and counts. A text with the same answer, or without any, says nothing new
    and is left out unless it is wanted (`keep`). One with another answer is a text of its own: which of the two is
    right, people decide. `read`: all examples; `already`: those that are there with the same answer
    or come without one; `differing`: those that are there with another answer, or where nobody has said one."""

    store: Store
    project: ProjectRecord
    keep: bool = False
    read: int = 0
    already: int = 0
    differing: int = 0

    def new_ones(self, batches: Iterable[Iterable[Example]]) -> Iterator[Example]:
        """The examples that go into the project."""
        texts, annotations = self._there()
        written = label_form(self.project.task).written
        for example in (example for batch in batches for example in batch):
            self.read += 1
            if hash(example.text) not in texts:
                yield example
                continue
            annotation = written(example)
            if annotation is not None and hash((example.text, annotation)) not in annotations:
                self.differing += 1
                yield example
                continue
            self.already += 1
            if self.keep:
                yield example

    def _there(self) -> tuple[set[int], set[int]]:
        """The project's texts and their answers, as numbers."""
        texts: set[int] = set()
        annotations: set[int] = set()
        for record in iterate_texts(self.store, self.project.id):
            texts.add(hash(record.text))
            annotations |= {
                hash((record.text, annotation)) for annotation in (record.gold, record.label) if annotation is not None
            }
        return texts, annotations
