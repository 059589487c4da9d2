"""One person's walk through the queue of a team: the text in hand, and what saving, skipping, flagging and undoing do.
Every annotation is in the store before the walk goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import final

from re2nn_core.errors import LeaseLostError, Re2nnError
from re2nn_core.services.annotation import queue_work
from re2nn_core.services.annotation.annotation_queue import NOTHING_TO_UNDO, AnnotationQueueState
from re2nn_core.services.annotation.bulk_accept import BulkMatches, accept_matches
from re2nn_core.services.annotation.classification import AnyPredictions
from re2nn_core.store import Lease, Store, TextRecord, get_queue, same_texts
from re2nn_core.text.counting import counted


@final
@dataclass
class TeamQueueState:
    """Where a person is in a team's queue. `preferred`: the text to show of those in hand, as after an undo; `undone`:
    the one that an undo brought. `active`: when the person did something last; `given`: the labels that were saved, by
    the ids of their events, which figures of a moment ago may lack; `flagged`: the flagged text that is looked at;
    `waiting`: the page says that there is no text. `changed`: when the session began, or many texts were labelled at
    once or something was undone, so that figures from before are of no use. `blind`: what others and the data say of
    its texts is not shown."""

    project_id: int
    queue: AnnotationQueueState
    lease: Lease | None = None
    preferred: int | None = None
    undone: int | None = None
    active: float = field(default_factory=monotonic)
    given: list[int] = field(default_factory=list)
    flagged: int | None = None
    waiting: bool = False
    changed: float = field(default_factory=monotonic)
    blind: bool = False

    def take(self, lease: Lease | None) -> None:
        """Show the text of this lease; None where there is none."""
        self.lease, self.active = lease, monotonic()
        self.show(None if lease is None else lease.text.id)
        self.preferred = self.queue.text_id

    def show(self, text_id: int | None) -> None:
        """Let the keys mean this text."""
        self.queue.text_ids, self.queue.at = ([] if text_id is None else [text_id]), 0

    def look_at(self, text_id: int) -> None:
        """Show this flagged text next."""
        self.flagged, self.queue.message = text_id, ""

    def read_anew(self) -> None:
        """Figures from before this moment are of no use."""
        self.given, self.changed = [], monotonic()

    def given_after(self, event_id: int) -> int:
        """How many labels were saved after this event."""
        self.given = [event for event in self.given if event > event_id]
        return len(self.given)


def _attempt(team: TeamQueueState, drawn: TextRecord, work: Callable[[], str], chosen: str = "") -> bool:
    """Do something with the text that was drawn; what it says is said below the next one. A key that comes late, for a
    text before, does nothing. `chosen`: what the person had said of the text, to be told where it could not be kept."""
    state = team.queue
    if state.text_id != drawn.id:
        return False
    try:
        state.message = work()
    except LeaseLostError as lost:
        # The text is somebody else's: the next one comes, and what was said of this one is reported.
        state.fault = LeaseLostError(f"{lost}{f' You had chosen {chosen}.' if chosen else ''}")
        state.message, team.preferred, team.undone = "", None, None
        return False
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        state.fault = fault
        return False
    team.preferred = team.undone = None
    return True


def save_leased_text(
    store: Store, person: str, team: TeamQueueState, drawn: TextRecord, label: str | None, message: str = ""
) -> bool:
    """Save the label, and go on. `message`: what to say of it in place of the label."""

    def work() -> str:
        saved = queue_work.label_open_text(store, drawn, label or "", person)
        team.given.append(saved.event_id)
        reported = message or f"{label} was saved."
        return reported if saved.in_queue else f"{reported} The queue was closed meanwhile."

    return label is not None and _attempt(team, drawn, work, message or str(label))


def save_equal_texts(
    store: Store, person: str, team: TeamQueueState, drawn: TextRecord, label: str | None, message: str = ""
) -> bool:
    """Save the label for all texts that are word for word this one.
    LeaseLostError where the text was given to somebody else."""

    def work() -> str:
        ids = same_texts(store, drawn.id)
        got = queue_work.decide_same(store, drawn, ids, label or "", person)
        team.read_anew()
        if drawn.id not in got:
            raise LeaseLostError("This text is no longer assigned to you. Continue with the next text.")
        left = len(ids) - len(got)
        rest = f" {left} already had all annotations, or are assigned to others." if left else ""
        return f"{message or label} was saved for {len(got):,} texts; press U to undo.{rest}"

    return label is not None and _attempt(team, drawn, work, message or str(label))


def skip_leased_text(store: Store, person: str, team: TeamQueueState, drawn: TextRecord) -> bool:
    """Leave the text to others."""
    return _attempt(team, drawn, lambda: queue_work.leave(store, drawn.id, person))


def flag_leased_text(store: Store, person: str, team: TeamQueueState, drawn: TextRecord, note: str = "") -> bool:
    """Flag the text, with a note."""

    def work() -> str:
        queue_work.flag_text(store, drawn.id, person, note)
        return "Flagged for a reviewer."

    return _attempt(team, drawn, work)


def resolve_flagged_text(
    store: Store, person: str, team: TeamQueueState, drawn: TextRecord, label: str | None, message: str = ""
) -> bool:
    """Label a flagged text, or (None) return it to the queue."""

    def work() -> str:
        queue_work.resolve_flagged_text(store, drawn.id, person, label)
        team.read_anew()
        if label is None:
            return "Given back to the queue."
        return f"{message or label} was saved."

    return _attempt(team, drawn, work)


def undo_team_action(store: Store, person: str, team: TeamQueueState) -> queue_work.TakenBack | None:
    """Undo this person's last label, skip or flag, or the flag they resolved, and show its text again."""
    state = team.queue
    try:
        undone = queue_work.take_back(store, team.project_id, person)
    except Re2nnError as fault:
        state.fault = fault
        return None
    if undone is None:
        state.message = NOTHING_TO_UNDO
        return None
    state.message = undone.sentence
    team.read_anew()
    state.chosen = state.chosen_for = None
    if undone.flagged:
        team.preferred, team.undone, team.flagged = None, None, undone.text_ids[0]
    elif len(undone.text_ids) == 1:
        team.preferred = team.undone = undone.text_ids[0]
        team.flagged = None
    return undone


def accept_bulk_matches(
    store: Store, person: str, team: TeamQueueState, matches: BulkMatches, predicted: AnyPredictions
) -> None:
    """Accept the predictions for all these texts."""
    try:
        count = accept_matches(store, person, matches, predicted)
    except Re2nnError as fault:
        team.queue.fault = fault
        return
    team.read_anew()
    left = len(matches) - count
    rest = f" {counted(left, 'text was', 'texts were')} annotated by or assigned to others meanwhile." if left else ""
    again = "it" if count == 1 else "all of them"
    team.queue.message = (
        f"{counted(count, 'prediction was', 'predictions were')} accepted; press U to undo {again}.{rest}"
    )


def take_leased_text(store: Store, person: str, team: TeamQueueState) -> Lease | None:
    """Show the text in hand, else the next one of the queue. One that was in hand before and was not let go is asked
    for again; where it is lost, `fault` says so. NotFoundError where the queue was closed."""
    had = None if team.lease is None else team.lease.text.id
    lease = queue_work.in_hand(store, team.project_id, person, rather=team.preferred)
    if had is not None and had == team.preferred and (lease is None or lease.text.id != had):
        try:
            queue_work.hold(store, team.project_id, had, person)
            lease = queue_work.in_hand(store, team.project_id, person, rather=had)
        except LeaseLostError as lost:
            team.queue.fault, team.preferred = lost, None
    team.take(lease)
    return lease


def keep_lease(store: Store, person: str, team: TeamQueueState) -> bool:
    """Hold the text in hand longer while the person is there; whether the page is to be drawn anew, since the text is
    lost, or there are texts where there were none."""
    try:
        queue = get_queue(store, team.project_id)
        if queue is None:
            return team.lease is not None
        if team.lease is None:
            there = team.waiting and queue_work.in_hand(store, team.project_id, person, rather=team.preferred)
            return bool(there)
        left = (team.lease.held_until - datetime.now(UTC)).total_seconds()
        # Whoever has left an open page keeps a text for two times its time, and not for ever.
        away = monotonic() - team.active > queue.lease_seconds
        if left < queue.lease_seconds / 2 and not away:
            queue_work.hold(store, team.project_id, team.lease.text.id, person)
            team.lease = queue_work.in_hand(store, team.project_id, person, rather=team.preferred)
    except LeaseLostError as lost:
        team.queue.fault, team.preferred = lost, None
        return True
    except Re2nnError:
        # The page itself tells what is wrong when the next key is pressed.
        return False
    return False
