"""One person's work on a team's queue: the text in their hands, and what they say of it. All of it is in the store
before the screen moves on, so it goes on after a reload, at another machine, or on another day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.services.team.people import require_role
from re2nn_core.store import (
    ANNOTATION_EVENTS,
    RESOLVE,
    LabelEvent,
    Lease,
    Store,
    TextRecord,
    extend_lease,
    flag,
    flagged_texts,
    get_queue,
    has_accounts,
    lease_next,
    leases_of,
    left_for,
    list_accounts,
    list_events,
    record_open_labels,
    resolve_flag,
    save,
    skip,
    undo_last_action,
)
from re2nn_core.text.counting import counted

_LABEL = "label texts"
_RESOLVE = "adjudicate flagged texts"
MOST_NAMES = 6


def in_hand(store: Store, project_id: int, person: str, *, rather: int | None = None) -> Lease | None:
    """The text for this person: `rather` where they hold it, else one that they hold, else the next one of the queue;
    None where nothing is left for them. NotFoundError where there is no queue."""
    require_role(store, person, "annotator", _LABEL)
    held = leases_of(store, project_id, person)
    return next((lease for lease in held if lease.text.id == rather), None) or (
        held[0] if held else lease_next(store, project_id, person)
    )


@dataclass(frozen=True)
class SavedLabel:
    """A label that was saved, by the id of its event, and whether the queue was still there."""

    event_id: int
    in_queue: bool


def label_open_text(store: Store, text: TextRecord, label: str, person: str) -> SavedLabel:
    """Save the label of the text in hand. LeaseLostError where the text was given to somebody else meanwhile: then
    nothing was stored.

    The next text is leased in the same step, unless the person holds another one, as after an undo.
    """
    require_role(store, person, "annotator", _LABEL)
    others = any(lease.text.id != text.id for lease in leases_of(store, text.project_id, person))
    event, following = save(store, text.id, label, person, take_next=not others)
    return SavedLabel(event.id, following is not None or get_queue(store, text.project_id) is not None)


def decide_same(store: Store, text: TextRecord, texts: Sequence[int], label: str, person: str) -> tuple[int, ...]:
    """Give the text in hand and all others that are word for word the same this label, as one action; the ids of those
    that got it. What waits for nobody, is flagged or in others' hands stays as it is."""
    require_role(store, person, "annotator", _LABEL)
    return record_open_labels(store, [(text_id, label) for text_id in {text.id, *texts}], person, how="same text")


def leave(store: Store, text_id: int, person: str) -> str:
    """Skip a text: this person does not get it again. Who may, in a sentence."""
    require_role(store, person, "annotator", _LABEL)
    skip(store, text_id, person)
    return _gets_it(store, text_id, person)


def _gets_it(store: Store, text_id: int, person: str) -> str:
    """Who gets a text that this person left."""
    left = left_for(store, text_id)
    if not left:
        return "Skipped. It already has all its annotations."
    names = [name for name in left if name not in ("", person)]
    if "" in left:
        accounts = [account.name for account in list_accounts(store) if account.active and account.name != person]
        if has_accounts(store) and not accounts:
            return "Skipped. No other annotator can get it; press U to undo."
        return "Skipped; another annotator gets it."
    if names:
        return f"Skipped; {names_in_words(names)} {'gets' if len(names) == 1 else 'get'} it."
    return "Skipped. It was assigned only to you, so nobody gets it. A reviewer can open the queue again."


def names_in_words(names: Sequence[str]) -> str:
    """Names as a sentence has them, the first few."""
    if len(names) == 1:
        return names[0]
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[: MOST_NAMES - 1])} and {len(names) - MOST_NAMES + 1:,} others"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def flag_text(store: Store, text_id: int, person: str, note: str = "") -> None:
    """Flag a text: nobody gets it until a reviewer has resolved it, or the flag was undone."""
    require_role(store, person, "annotator", _LABEL)
    flag(store, text_id, person, note)


def hold(store: Store, project_id: int, text_id: int, person: str) -> None:
    """Hold the text for its whole time anew; LeaseLostError where somebody else has it by now."""
    require_role(store, person, "annotator", _LABEL)
    extend_lease(store, project_id, text_id, person)


@dataclass(frozen=True)
class TakenBack:
    """What an undo took back: a "label", "skip", "flag" or "settle", of which texts, and the label of the first.
    `flagged`: the flags of this text stand again, which it had settled."""

    kind: str
    text_ids: tuple[int, ...]
    label: str
    flagged: bool = False

    @property
    def sentence(self) -> str:
        if len(self.text_ids) > 1:
            return f"{counted(len(self.text_ids), 'label was', 'labels were')} undone."
        if self.flagged:
            return (
                "Your label was undone; the text is flagged again."
                if self.kind == "label"
                else "The text is flagged again."
            )
        return {"skip": "The text is assigned to you again.", "flag": "The flag was removed."}.get(
            self.kind, "Your label was undone."
        )


def take_back(store: Store, project_id: int, person: str) -> TakenBack | None:
    """Undo the last label, skip or flag of this person, what they settled last of others' flags, or the whole of a bulk
    acceptance, also one from before a reload; None where there is nothing."""
    require_role(store, person, "annotator", _LABEL)
    undone = undo_last_action(store, project_id, person, ANNOTATION_EVENTS)
    if not undone:
        return None
    texts = dict.fromkeys(event.text_id for event in sorted(undone, key=lambda event: event.undoes or 0))
    first, last = undone[-1], undone[0]
    kind, flagged = (_kind_undone(store, project_id, event) for event in (first, last))
    return TakenBack(kind, tuple(texts), first.label if kind == "label" else "", flagged == RESOLVE)


def _kind_undone(store: Store, project_id: int, undo: LabelEvent) -> str:
    """What an undo took back."""
    events = list_events(store, project_id, text_id=undo.text_id, before=(undo.undoes or 0) + 1, limit=1)
    return events[0].kind if events else "label"


@dataclass(frozen=True)
class Flagged:
    """A flagged text, by whom, and why."""

    text: TextRecord
    person: str
    note: str


def flagged(store: Store, project_id: int, person: str) -> tuple[Flagged, ...]:
    """The texts that wait for a reviewer, those that were flagged first in front; each once, with its newest flag."""
    require_role(store, person, "reviewer", _RESOLVE)
    found = {text.id: Flagged(text, who, note) for text, who, note in reversed(flagged_texts(store, project_id))}
    return tuple(found.values())


def resolve_flagged_text(store: Store, text_id: int, person: str, label: str | None) -> None:
    """Label a flagged text, or (None) give it back to the queue. ConflictError where somebody has resolved it."""
    require_role(store, person, "reviewer", _RESOLVE)
    resolve_flag(store, text_id, person, label)
