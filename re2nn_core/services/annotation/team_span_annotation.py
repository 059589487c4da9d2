"""One person's work on the spans of texts that a team's queue gives out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.errors import Re2nnError
from re2nn_core.services.annotation.annotation_queue import LATE
from re2nn_core.services.annotation.span_annotation import SpanAnnotationState, SpanMessage, SpanWork, saved_spans_text
from re2nn_core.services.annotation.team_annotation import (
    TeamQueueState,
    flag_leased_text,
    resolve_flagged_text,
    save_equal_texts,
    save_leased_text,
    skip_leased_text,
    undo_team_action,
)
from re2nn_core.store import Store
from re2nn_core.text.spans import Span, read_spans, write_spans


@dataclass(frozen=True)
class TeamSpanWork:
    """A text of a team's queue as it was drawn. `flagged`: it was flagged, and is to be resolved; `others`: the flagged
    texts behind it."""

    spans: SpanWork
    team: TeamQueueState
    flagged: bool = False
    others: tuple[int, ...] = ()


def handle_team_span_message(store: Store, person: str, work: TeamSpanWork, message: SpanMessage) -> None:
    """Do what a message says. One that comes late, for a text before, does nothing."""
    if work.spans.state.is_new(message):
        _do(store, person, work, message)
        # Only now: a message that was broken off by another key comes again.
        work.spans.state.seen = message.number


def _do(store: Store, person: str, work: TeamSpanWork, message: SpanMessage) -> None:
    if message.kind == "undo":
        undo_team_spans(
            store, person, work.spans.state, work.team
        )  # it means what was done last, whatever text is shown
    elif not work.spans.drawn.id == message.text_id == work.team.queue.text_id:
        work.team.queue.message = LATE
    elif message.kind in ("save", "same"):
        save_team_spans(store, person, work, message.marks, same=message.kind == "same")
    else:
        leave_team_spans(store, person, work, message.kind, message.note)


def leave_team_spans(store: Store, person: str, work: TeamSpanWork, kind: str, note: str = "") -> None:
    """Go on without saving: skip or flag the text, return it to the queue, or show the next flagged one."""
    match kind:
        case "next":
            work.team.flagged = work.others[0] if work.others else None
        case "return":
            resolve_flagged_text(store, person, work.team, work.spans.drawn, None)
        case "skip":
            skip_leased_text(store, person, work.team, work.spans.drawn)
        case "flag":
            flag_leased_text(store, person, work.team, work.spans.drawn, note)


def save_team_spans(
    store: Store, person: str, work: TeamSpanWork, found: Sequence[Span], *, same: bool = False
) -> bool:
    """Save the spans, and go on; False where they could not be saved. `same`: for all texts that are word for word this
    one."""
    try:
        spans = work.spans.in_characters(found)
    except Re2nnError as fault:
        work.team.queue.fault = fault
        return False
    save = resolve_flagged_text if work.flagged else save_equal_texts if same else save_leased_text
    if not save(store, person, work.team, work.spans.drawn, write_spans(spans), saved_spans_text(len(spans))):
        return False
    state = work.spans.state
    state.saved, state.draft = work.spans.drawn.id, None
    return True


def undo_team_spans(store: Store, person: str, state: SpanAnnotationState, team: TeamQueueState) -> None:
    """Undo the last action; spans are shown as they were before they were saved."""
    undone = undo_team_action(store, person, team)
    if undone is not None and undone.kind == "label" and len(undone.text_ids) == 1:
        state.draft = (undone.text_ids[0], read_spans(undone.label))
