"""What the store hands out: frozen values, never rows that a later change could reach."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

LabelAction = Literal["label", "undo", "decide"]
RunState = Literal["queued", "running", "done", "failed", "cancelled", "lost"]
# A run in one of these has a process at work, or one that waits for its turn.
UNFINISHED: tuple[RunState, ...] = ("queued", "running")
ENDS: tuple[RunState, ...] = ("done", "failed", "cancelled", "lost")
LOG_NAME = "log.txt"


@dataclass(frozen=True)
class ProjectRecord:
    """A project. `sample` is the name of the sample project it was made from, or None. `ignore_slot_case`: the slots of
    the rules are those of the texts, whatever the case of their letters. `policy` says which labels of people train, as
    policy.read_policy reads it."""

    id: int
    name: str
    task: Task
    description: str
    tokenization: Tokenization
    sample: str | None
    created_at: datetime
    updated_at: datetime
    ignore_slot_case: bool = False
    policy: str = "every"


@dataclass(frozen=True)
class ProjectSummary:
    """A project with its counts. `labelled` counts texts with a label, given by a person or by the data. `last_run`:
    the id of the run with `last_accuracy`."""

    project: ProjectRecord
    texts: int
    labelled: int
    runs: int
    last_accuracy: float | None
    last_change: datetime
    last_run: int | None = None


@dataclass(frozen=True)
class TextRecord:
    """One text. `gold` came with the data; `label` is what a reviewer `decided`, else the newest label not undone, else
    `gold`.

    `annotator` gave `label`; it is None where `label` is the gold one. In a project for slots both are the text's spans
    as text.spans.write_spans writes them.
    """

    id: int
    project_id: int
    position: int
    text: str
    gold: str | None
    split: str | None
    label: str | None
    annotator: str | None
    decided: bool = False


@dataclass(frozen=True)
class LabelEvent:
    """One line of the label log. An undo names the event it takes back in `undoes`, and repeats its label."""

    id: int
    text_id: int
    label: str
    annotator: str
    action: LabelAction
    created_at: datetime
    undoes: int | None = None


@dataclass(frozen=True)
class RuleVersion:
    """A saved rule set with its label logic (TOML), and the sentences that its rules must match and must not match
    (TOML, see rules.sentences). `number` counts from 1 within the project."""

    id: int
    project_id: int
    number: int
    rules_text: str
    logic_text: str
    author: str
    message: str
    created_at: datetime
    sentences_text: str = ""


@dataclass(frozen=True)
class RunRecord:
    """One piece of long work and how far it is. `total` is 0 while the number of steps is unknown."""

    id: int
    project_id: int
    kind: str
    rule_version_id: int | None
    state: RunState
    step: int
    total: int
    message: str
    config: dict[str, Any]
    result: dict[str, Any] | None
    error: str | None
    pid: int | None
    heartbeat: datetime | None
    cancel_requested: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    folder: Path
    host: str | None = None

    @property
    def log_file(self) -> Path:
        """What the run's process wrote; for whoever looks after the server, not for the pages."""
        return self.folder / LOG_NAME

    @property
    def is_over(self) -> bool:
        return self.state not in UNFINISHED


@dataclass(frozen=True)
class RunPoint:
    """The measurements of one step of a run; None stands for a number that was not finite."""

    step: int
    metrics: dict[str, Any]
