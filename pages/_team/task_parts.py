"""The parts of the page Team by the task of a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages._team.classification import LABELS
from pages._team.parts import TeamParts
from pages._team.slot_filling import SLOTS
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.task import Task

_PARTS: Mapping[Task, TeamParts[Any]] = {Task.CLASSIFICATION: LABELS, Task.SLOT_FILLING: SLOTS}


def parts_of(project: ProjectRecord) -> TeamParts[Any]:
    """The parts for the project's task."""
    return _PARTS[project.task]
