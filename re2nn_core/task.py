"""What a project asks of its texts: a label for each text, or slots for some of its words."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from re2nn_core.errors import InputError

Of = TypeVar("Of")


class Task(StrEnum):
    """A task by the value under which projects, runs and models store it."""

    CLASSIFICATION = "classification"
    SLOT_FILLING = "slots"

    @property
    def in_words(self) -> str:
        """What texts get, as a message names it."""
        return {Task.CLASSIFICATION: "labels of whole texts", Task.SLOT_FILLING: "slots"}[self]

    @property
    def other(self) -> Task:
        """The task that it is not."""
        return Task.SLOT_FILLING if self is Task.CLASSIFICATION else Task.CLASSIFICATION


def read_task(value: str) -> Task:
    """The task that is stored under a value. InputError for any other."""
    try:
        return Task(value)
    except ValueError:
        raise InputError(f"The task must be one of {', '.join(Task)} (got {value!r}).") from None


def by_task(task: Task, *, classification: Of, slot_filling: Of) -> Of:
    """What belongs to a task, of something that each of the tasks has."""
    return {Task.CLASSIFICATION: classification, Task.SLOT_FILLING: slot_filling}[task]
