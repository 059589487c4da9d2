"""One session's work on the queue of a team: the text in hand, the chosen label, what was said last. Every judgement is
in the store before the desk moves on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

import streamlit as st

from pages._label.desk import Desk
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import LeaseLostError, Re2nnError
from re2nn_core.services.annotation import queue_work
from re2nn_core.services.projects.stored_projects import same_texts
from re2nn_core.services.values.stored import Lease, TextRecord


@dataclass
class TeamDesk:
    """`rather`: the text to show of those in hand, as after an undo; `taken_back`: the one that an undo brought.
    `active`: when the person did something last; `given`: when, and how many labels were given or taken back (below
    zero) since the figures were read; `settling`: flagged texts are looked at, this one now; `waiting`: the
    page says that there is no text. `changed`: when many were accepted or something was taken back, so that figures
    from before are of no use."""

    project_id: int
    desk: Desk
    lease: Lease | None = None
    rather: int | None = None
    taken_back: int | None = None
    active: float = field(default_factory=monotonic)
    given: list[tuple[float, int]] = field(default_factory=list)
    settling: int | None = None
    waiting: bool = False
    changed: float = 0.0

    def take(self, lease: Lease | None) -> None:
        """Lay this text on the desk; None where there is none."""
        self.lease, self.active = lease, monotonic()
        self.show(None if lease is None else lease.text.id)
        self.rather = self.desk.text_id

    def show(self, text_id: int | None) -> None:
        """Let the keys mean this text."""
        self.desk.queue, self.desk.at = ([] if text_id is None else [text_id]), 0

    def given_since(self, moment: float) -> int:
        """How many labels were given since then, less those that were taken back."""
        self.given = [entry for entry in self.given if entry[0] > moment]
        return sum(count for _, count in self.given)


def team_desk(project_id: int) -> TeamDesk:
    """The session's desk for the project's queue. Under another name it is another desk."""
    key = _key(project_id)
    if key not in st.session_state:
        st.session_state[key] = TeamDesk(project_id, Desk(project_id))
    return st.session_state[key]


def _key(project_id: int) -> str:
    return f"_team_desk_{project_id}_{state.person()}"


def leave_team(project_id: int) -> str | None:
    """Clear the desk where the queue was closed under it; what is to be said of that, None where it was clear."""
    team = team_desk(project_id)
    if team.lease is None and not team.desk.said and team.desk.fault is None:
        return None
    said, fault = team.desk.said, team.desk.fault
    st.session_state.pop(_key(project_id))
    if fault is not None:
        return str(fault)
    return said or "The team’s queue was closed. What you saved is kept."


def attempt(team: TeamDesk, drawn: TextRecord, work: Callable[[], str], chosen: str = "") -> bool:
    """Do something with the text that was drawn; what it says is said below the next one. A key that comes late, for a
    text before, does nothing. `chosen`: what the person had said of the text, to be told where it could not be kept."""
    desk = team.desk
    if desk.text_id != drawn.id:
        return False
    try:
        desk.said = work()
    except LeaseLostError as lost:
        # The text is somebody else's: the next one comes, and what was said of this one is told.
        desk.fault = LeaseLostError(f"{lost}{f' You had chosen {chosen}.' if chosen else ''}")
        desk.said, team.rather, team.taken_back = "", None, None
        return False
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        desk.fault = fault
        return False
    team.rather = team.taken_back = None
    return True


def give(team: TeamDesk, drawn: TextRecord, label: str | None, said: str = "") -> bool:
    """Save the label, and go on. `said`: what to say of it in place of the label."""

    def work() -> str:
        there = queue_work.label_open_text(store(), drawn, label or "", state.person())
        team.given.append((monotonic(), 1))
        told = said or f"{label} was saved."
        return told if there else f"{told} The queue was closed meanwhile."

    return label is not None and attempt(team, drawn, work, said or str(label))


def give_same(team: TeamDesk, drawn: TextRecord, label: str | None, said: str = "") -> bool:
    """Save the label for all texts that are word for word this one."""

    def work() -> str:
        ids = same_texts(store(), drawn.id)
        got = queue_work.decide_same(store(), drawn, ids, label or "", state.person())
        team.given.append((monotonic(), len(got)))
        if drawn.id not in got:
            raise LeaseLostError("This text is not yours any more. Go on with the next text.")
        left = len(ids) - len(got)
        rest = f" {left} had their judgements, or are in others’ hands." if left else ""
        return f"{said or label} was saved for {len(got):,} texts; U takes all of them back.{rest}"

    return label is not None and attempt(team, drawn, work, said or str(label))


def skip(team: TeamDesk, drawn: TextRecord) -> bool:
    """Leave the text to others."""

    def work() -> str:
        return queue_work.leave(store(), drawn.id, state.person())

    return attempt(team, drawn, work)


def put_aside(team: TeamDesk, drawn: TextRecord, note: str = "") -> bool:
    """Flag the text, with a note."""

    def work() -> str:
        queue_work.put_aside(store(), drawn.id, state.person(), note)
        return "Flagged for a reviewer."

    return attempt(team, drawn, work)


def take_back(team: TeamDesk) -> queue_work.TakenBack | None:
    """Undo this person's last label, skip or flag, or what they settled, and show its text again."""
    desk = team.desk
    try:
        undone = queue_work.take_back(store(), team.project_id, state.person())
    except Re2nnError as fault:
        desk.fault = fault
        return None
    if undone is None:
        desk.said = "There is nothing of yours to undo."
        return None
    desk.said = undone.sentence
    team.changed = monotonic()
    desk.chosen = desk.chosen_for = None
    if undone.kind == "label":
        team.given.append((monotonic(), -len(undone.text_ids)))
    if undone.flagged:
        team.rather, team.taken_back, team.settling = None, None, undone.text_ids[0]
    elif len(undone.text_ids) == 1:
        team.rather = team.taken_back = undone.text_ids[0]
        team.settling = None
    return undone


def settle(team: TeamDesk, drawn: TextRecord, label: str | None, said: str = "") -> bool:
    """Label a flagged text, or (None) give it back."""

    def work() -> str:
        queue_work.settle_flagged_text(store(), drawn.id, state.person(), label)
        if label is None:
            return "Given back to the queue."
        team.given.append((monotonic(), 1))
        return f"{said or label} was saved."

    return attempt(team, drawn, work, "")
