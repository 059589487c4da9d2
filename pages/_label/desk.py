"""What lies on the desk: the queue, the place in it, the chosen label. Every judgement is in the store before
the desk moves on, so a closed window loses nothing but the place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import Re2nnError
from re2nn_core.services.annotation.classification import changed_since, judge, judge_all, next_open, undo_label
from re2nn_core.services.projects.stored_projects import get_text
from re2nn_core.services.values.stored import TextRecord


@dataclass
class Desk:
    """One session's work on one project. `key` tells what the queue was made from; `chosen` is the label
    picked for the text with the id `chosen_for`; `fault` is to be shown once. `guest` is a text that an undo has
    brought into a queue it is none of; `labels` keep their order, so that each keeps its digit. `again`: the queue is
    of texts that are judged already, to be looked at once more."""

    project_id: int
    key: Hashable = None
    queue: list[int] = field(default_factory=list)
    at: int = 0
    chosen: str | None = None
    chosen_for: int | None = None
    fault: Re2nnError | None = None
    said: str = ""
    can_undo: bool = False
    guest: int | None = None
    labels: tuple[str, ...] = ()
    again: bool = False

    @property
    def text_id(self) -> int | None:
        """The text that is shown; None behind the end of the queue."""
        return self.queue[self.at] if 0 <= self.at < len(self.queue) else None

    def lay_out(self, key: Hashable, queue: Sequence[int], *, again: bool = False) -> None:
        """Start a new queue."""
        self.key, self.queue, self.at, self.said, self.again = key, list(queue), 0, "", again
        self.chosen = self.chosen_for = self.guest = None

    def order(self, labels: Sequence[str]) -> tuple[str, ...]:
        """All labels, in the order they had before; new ones come last."""
        self.labels = tuple(dict.fromkeys([*self.labels, *labels]))
        return self.labels

    def leave_guest(self) -> None:
        """Put a text that is none of the queue away; the place is then that of the text behind it."""
        if self.guest in self.queue:
            place = self.queue.index(self.guest)
            self.queue.pop(place)
            self.at -= place < self.at
        self.guest = None

    def choice(self, offered: str | None) -> str | None:
        """The label that Enter would give: the picked one, else the offered one."""
        return self.chosen if self.chosen is not None and self.chosen_for == self.text_id else offered


def desk_of(project_id: int) -> Desk:
    """The session's desk for a project."""
    key = f"_desk_{project_id}"
    if key not in st.session_state:
        st.session_state[key] = Desk(project_id)
    return st.session_state[key]


def choose(desk: Desk, text_id: int, label: str) -> None:
    """Pick a label for a text, without giving it yet. A key that arrives late, for a text before, does
    nothing."""
    if desk.text_id == text_id:
        desk.chosen, desk.chosen_for = label, text_id
        desk.said = ""  # it was of an answer before this one, which is not saved yet


def accept(desk: Desk, drawn: TextRecord, label: str | None) -> None:
    """Give the label, and go on to the next text that nobody has judged meanwhile. Where somebody has labelled this
    one since it was drawn, show that instead."""
    if desk.text_id != drawn.id or label is None:
        return
    try:
        changed = changed_since(store(), drawn)
        if changed is not None:
            desk.chosen = desk.chosen_for = None
            desk.said = _meanwhile(changed, label)
            return
        judge(store(), drawn.id, label, state.person())
        go_on(desk)
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        desk.fault = fault
        return
    desk.said = f"{label} was saved."


def go_on(desk: Desk) -> None:
    """The place behind a text that has just been judged."""
    desk.at += 1
    desk.leave_guest()
    if not desk.again:
        desk.at = next_open(store(), desk.queue, desk.at)


def _meanwhile(now: TextRecord, label: str) -> str:
    if now.annotator is None:
        return f"Its label was taken back a moment ago. {label} was not saved; Enter saves what is chosen now."
    return (
        f"Labelled {now.label} by {now.annotator} a moment ago. {label} was not saved; choose it again to change that."
    )


def move(desk: Desk, steps: int) -> None:
    """Go on or back without a judgement."""
    desk.at = min(max(0, desk.at + steps), len(desk.queue))
    desk.leave_guest()
    desk.said = ""


def take_back(desk: Desk) -> None:
    """Undo this person's last judgement, also one from before a reload, and show its text again."""
    try:
        undone = undo_label(store(), desk.project_id, state.person())
    except Re2nnError as fault:
        desk.fault = fault
        return
    if undone is None:
        desk.said = "There is nothing of yours to undo."
        return
    bring_back(desk, undone.text_ids[0])
    many = len(undone.text_ids)
    desk.said = f"{undone.label} was taken back." if many == 1 else f"{many:,} labels were taken back."


def bring_back(desk: Desk, text_id: int) -> None:
    """Show a text whose judgement was taken back, as a guest where the queue does not hold it."""
    desk.leave_guest()
    desk.chosen = desk.chosen_for = None
    if text_id not in desk.queue:
        desk.queue.insert(desk.at, text_id)
        desk.guest = text_id
    desk.at = desk.queue.index(text_id)


def accept_many(desk: Desk, labels: Sequence[tuple[int, str]]) -> int:
    """Give many texts their labels at once; how many, 0 where it did not work."""
    try:
        return judge_all(store(), labels, state.person())
    except Re2nnError as fault:
        desk.fault = fault
        return 0


def show_fault(desk: Desk) -> None:
    """Say once what went wrong in a key press."""
    if desk.fault is not None:
        messages.show_error(desk.fault, "Saving the label")
        desk.fault = None


def forget_lost(desk: Desk) -> None:
    """Leave out texts that are not there any more."""
    while desk.text_id is not None:
        try:
            get_text(store(), desk.text_id)
            return
        except Re2nnError:
            desk.queue.pop(desk.at)
