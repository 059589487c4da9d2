"""What the page Label has for each task: how texts are predicted, drawn and annotated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pages._label.wording import Wording
from pages._shared.drawing.labels import Palette
from re2nn_core.services.annotation.annotation_queue import AnnotationQueueState
from re2nn_core.services.annotation.bulk_accept import BulkMatches
from re2nn_core.services.annotation.classification import AnyPredictions
from re2nn_core.services.annotation.team_annotation import TeamQueueState
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord, Store, TextRecord


class Predictions(AnyPredictions, Protocol):
    """The predictions for all texts of a project, as both tasks have them."""

    def __len__(self) -> int:
        """How many texts there are."""

    @property
    def copies(self) -> Mapping[str, int]:
        """How often each text is there, word for word."""


A = TypeVar("A", bound=Predictions)
Table = tuple[dict[str, list[Any]], dict[str, Any]]  # columns, and how they look


class MatchesOf(Protocol[A]):
    """What a rule, or a label, decides among the open texts of a queue."""

    def __call__(
        self,
        store: Store,
        project_id: int,
        person: str,
        predicted: A,
        *,
        rule: str | None = None,
        label: str | None = None,
    ) -> BulkMatches: ...


@dataclass(frozen=True)
class LabelParts(Generic[A]):
    """The parts of one task. `title` heads what goes wrong; `names`: the labels, or slots, of the predictions; `again`:
    the texts that were annotated together, and `note`: what is to be said once of those; `choose_rows`: the texts
    of a list by their places, `no_rows`: what is said where there are none."""

    title: str
    wording: Wording
    predictions: Callable[[ProjectRecord, RuleVersion, RunRecord | None], A]
    names: Callable[[A], tuple[str, ...]]
    rule_names: Callable[[A], Sequence[str]]
    again: Callable[[int], tuple[int, ...]]
    note: Callable[[int], str]
    undo: Callable[[int], None]
    undo_team: Callable[[TeamQueueState], object]
    why: Callable[[A, TextRecord, str], str]
    why_in_queue: Callable[[A, TextRecord, str], str]
    draw_text: Callable[[AnnotationQueueState, TextRecord, A, Palette, str], None]
    choose_rows: Callable[[A, list[int]], list[int]]
    no_rows: Callable[[A], str]
    table: Callable[[A, list[int], Sequence[TextRecord], Palette], Table]
    draw_leased: Callable[[TeamQueueState, TextRecord, A, Palette, str, int], None]
    draw_flagged: Callable[[TeamQueueState, TextRecord, A, Palette, str, tuple[int, ...]], None]
    matches: MatchesOf[A]
    draw_sample: Callable[[A, Sequence[int], str | None, Palette], None]
    draw_scripts: Callable[[], None]
