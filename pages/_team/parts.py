"""What the page Team has for each task: its words, its figures, and how predictions and annotations are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pages._shared.drawing.labels import Palette
from pages._shared.session.acting import acting
from re2nn_core.services.team.annotations import TeamAnnotations
from re2nn_core.services.team.raters import Matrix, Rater
from re2nn_core.services.team.review import LETTERS, Case
from re2nn_core.services.team.review_queue import ReviewQueueState, decide_case
from re2nn_core.services.team.team_agreement import AgreementFigures
from re2nn_core.services.team.team_progress import TeamProgress
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord, TextRecord

A = TypeVar("A")


@dataclass(frozen=True)
class Machines:
    """The predictions of rule set and network for a text, each with its name and its reason or confidence, and the
    labels of the rules."""

    annotations: tuple[tuple[str, str | None, str], ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """What the page calls things: a label, or slot, and several; what is said of texts with one, annotated or imported;
    when two say the same, and what is beyond chance; the figures of agreement by their names, and how to read them."""

    noun: str
    nouns: str
    having: str
    same: str
    beyond: str
    measures: tuple[tuple[str, str], ...]
    reading: str


@dataclass(frozen=True)
class ShownCase:
    """A text to decide as it is drawn: `may` the person decide, are names hidden (`blind`), and has
    anybody `annotated` it."""

    project: ProjectRecord
    queue: ReviewQueueState
    case: Case
    machines: Machines
    palette: Palette
    parts: TeamParts
    may: bool
    blind: bool
    annotated: bool

    def decide(self, annotation: str) -> None:
        """Decide the text; good as a callback."""
        acting(decide_case)(self.queue, self.case, annotation, self.parts.review.in_words(annotation))

    def html(self, annotation: str | None) -> str:
        """An answer as HTML."""
        if annotation is None:
            return self.palette.chip(None, missing="no prediction")
        return self.parts.review.html(annotation, self.case, self.palette)

    @property
    def proposed(self) -> str | None:
        """The answer that Enter takes."""
        return self.case.proposed([annotation for _, annotation, _ in self.machines.annotations])

    @property
    def buttons(self) -> tuple[str, ...]:
        """The labels that have a digit."""
        return self.parts.review.buttons(self.machines, self.palette)

    def letter(self, annotation: str) -> str:
        """The key of a side."""
        return next(key for key, side in zip(LETTERS, self.case.sides, strict=False) if side.annotation == annotation)


@dataclass(frozen=True)
class ReviewParts(Generic[A]):
    """How texts are decided. `machines`: what rules and network (by its title) say of the text at a place; `in_words`:
    an answer in words; `confirm` and `take`: what Enter does; `other_way`: how something else is decided, and `under`
    what is said of that below the keys."""

    machines: Callable[[A, str, int], Machines]
    in_words: Callable[[str], str]
    html: Callable[[str, Case, Palette], str]
    buttons: Callable[[Machines, Palette], tuple[str, ...]]
    confirm: Callable[[str], str]
    take: Callable[[ShownCase, str], str]
    other_way: str
    under: str
    draw_own: Callable[[ShownCase], None]


@dataclass(frozen=True)
class TeamParts(Generic[A]):
    """The parts of one task."""

    words: Words
    predictions: Callable[[ProjectRecord, RuleVersion, RunRecord | None], A]
    progress: Callable[[Sequence[TextRecord], TeamAnnotations], TeamProgress]
    figures: Callable[[ProjectRecord, TeamAnnotations], AgreementFigures]
    matrix: Callable[[TeamAnnotations, Sequence[int], A, str], Matrix]
    draw_differing: Callable[[Sequence[TextRecord], Matrix, Rater, Rater, Palette], None]
    review: ReviewParts[A]
