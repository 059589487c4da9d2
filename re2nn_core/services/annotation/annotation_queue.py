"""One person's walk through the texts of a project: the place in their queue, the chosen label, and what saving, moving
on and undoing do to them. Every annotation is in the store before the walk goes on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import final

from re2nn_core.errors import Re2nnError
from re2nn_core.services.annotation.classification import annotate, annotate_all, changed_since, next_open, undo_label
from re2nn_core.store import Store, TextRecord, get_text

LATE = "Your last key was too late for its text, so nothing was saved."
NOTHING_TO_UNDO = "You have nothing to undo."


@final
@dataclass
class AnnotationQueueState:
    """Where a person is in the texts of one project. `key` tells what the queue was made from; `chosen` is the label
    picked for the text with the id `chosen_for`; `fault` and `message` are to be shown. `guest` is a text that an undo
    has brought into a queue it is none of; `labels` keep their order, so that each keeps its digit. `again`: the texts
    of the queue are annotated already, to be looked at once more."""

    project_id: int
    key: Hashable = None
    text_ids: list[int] = field(default_factory=list)
    at: int = 0
    chosen: str | None = None
    chosen_for: int | None = None
    fault: Re2nnError | None = None
    message: str = ""
    can_undo: bool = False
    guest: int | None = None
    labels: tuple[str, ...] = ()
    again: bool = False

    @property
    def text_id(self) -> int | None:
        """The text that is shown; None behind the end of the queue."""
        return self.text_ids[self.at] if 0 <= self.at < len(self.text_ids) else None

    def lay_out(self, key: Hashable, text_ids: Sequence[int], *, again: bool = False) -> None:
        """Start a new queue."""
        self.key, self.text_ids, self.at, self.message, self.again = key, list(text_ids), 0, "", again
        self.chosen = self.chosen_for = self.guest = None

    def ordered(self, labels: Sequence[str]) -> tuple[str, ...]:
        """All labels, in the order they had before; new ones come last."""
        self.labels = tuple(dict.fromkeys([*self.labels, *labels]))
        return self.labels

    def leave_guest(self) -> None:
        """Take a text that is none of the queue out; the place is then that of the text behind it."""
        if self.guest in self.text_ids:
            place = self.text_ids.index(self.guest)
            self.text_ids.pop(place)
            self.at -= place < self.at
        self.guest = None

    def choice(self, offered: str | None) -> str | None:
        """The label that Enter would save: the picked one, else the offered one."""
        return self.chosen if self.chosen is not None and self.chosen_for == self.text_id else offered

    def choose(self, text_id: int, label: str) -> None:
        """Pick a label for a text, without saving it. A key that arrives late, for a text before, does nothing."""
        if self.text_id == text_id:
            self.chosen, self.chosen_for = label, text_id
            self.message = ""  # it was of an annotation before this one, which is not saved yet

    def move(self, steps: int) -> None:
        """Go on or back without an annotation."""
        self.at = min(max(0, self.at + steps), len(self.text_ids))
        self.leave_guest()
        self.message = ""

    def show_again(self, text_id: int) -> None:
        """Show a text whose annotation was undone, as a guest where the queue does not hold it."""
        self.leave_guest()
        self.chosen = self.chosen_for = None
        if text_id not in self.text_ids:
            self.text_ids.insert(self.at, text_id)
            self.guest = text_id
        self.at = self.text_ids.index(text_id)


def save_chosen_label(
    store: Store, person: str, state: AnnotationQueueState, drawn: TextRecord, label: str | None
) -> None:
    """Save the label, and go on to the next text that nobody has annotated meanwhile. Where somebody has labelled this
    one since it was drawn, show that instead."""
    if state.text_id != drawn.id or label is None:
        return
    try:
        changed = changed_since(store, drawn)
        if changed is not None:
            state.chosen = state.chosen_for = None
            state.message = _meanwhile(changed, label)
            return
        annotate(store, drawn.id, label, person)
        go_to_next_open(store, state)
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        state.fault = fault
        return
    state.message = f"{label} was saved."


def go_to_next_open(store: Store, state: AnnotationQueueState) -> None:
    """Go on from a text that has just been annotated."""
    state.at += 1
    state.leave_guest()
    if not state.again:
        state.at = next_open(store, state.text_ids, state.at)


def _meanwhile(now: TextRecord, label: str) -> str:
    if now.annotator is None:
        return f"Its label was undone a moment ago. {label} was not saved; press Enter to save the current choice."
    return (
        f"Labelled {now.label} by {now.annotator} a moment ago. {label} was not saved; choose it again to replace it."
    )


def undo_last_label(store: Store, person: str, state: AnnotationQueueState) -> None:
    """Undo this person's last annotation, also one from before a reload, and show its text again."""
    try:
        undone = undo_label(store, state.project_id, person)
    except Re2nnError as fault:
        state.fault = fault
        return
    if undone is None:
        state.message = NOTHING_TO_UNDO
        return
    state.show_again(undone.text_ids[0])
    many = len(undone.text_ids)
    state.message = f"{undone.label} was undone." if many == 1 else f"{many:,} labels were undone."


def save_ticked_labels(
    store: Store, person: str, state: AnnotationQueueState, labels: Sequence[tuple[int, str]]
) -> int:
    """Save labels for many texts at once; how many, 0 where it did not work."""
    try:
        return annotate_all(store, labels, person)
    except Re2nnError as fault:
        state.fault = fault
        return 0


def drop_missing_texts(store: Store, state: AnnotationQueueState) -> None:
    """Leave out texts that are not there any more, from the one that is shown on."""
    while state.text_id is not None:
        try:
            get_text(store, state.text_id)
            return
        except Re2nnError:
            state.text_ids.pop(state.at)
