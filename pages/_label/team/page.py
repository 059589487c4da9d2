"""The page Label while the queue of a team is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st

from pages._label.name import is_named
from pages._label.parts import LabelParts
from pages._label.session_states import show_fault, team_state_of
from pages._label.team.bulk import draw_bulk
from pages._label.team.flagged import flagged_now
from pages._label.team.keys import draw_empty
from pages._label.team.line import draw_line, progress_now
from pages._label.team.opening import draw_opening
from pages._label.team.ways import BULK, FLAGGED, QUEUE, choose_team_way
from pages._label.wording import Wording
from pages._shared.cached.recent import recent
from pages._shared.drawing.labels import Palette, read_palette
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.acting import acting
from re2nn_core.errors import NotFoundError
from re2nn_core.services.annotation.queue_progress import QueueProgress
from re2nn_core.services.annotation.queue_work import names_in_words
from re2nn_core.services.annotation.removed_members import removed_with_texts, who_can_help
from re2nn_core.services.annotation.stored_queue import waiting_for
from re2nn_core.services.annotation.team_annotation import TeamQueueState, take_leased_text
from re2nn_core.services.values.stored import Lease, ProjectRecord, Queue, RuleVersion

_A_MINUTE = 60


def draw_team(
    parts: LabelParts[Any], project: ProjectRecord, queue: Queue, version: RuleVersion, predicted: Any
) -> None:
    """What stands above the texts, and the chosen one of: one text after the other, flagged ones, many at once, the
    queue's own settings."""
    if not is_named():
        html(
            '<div class="re2-empty"><b>A team queue is open.</b><br>It assigns texts by name: enter your name '
            "above.</div>"
        )
        return
    team = team_state_of(project.id)
    team.waiting, team.blind = False, queue.blind
    found = progress_now(project.id, team.changed)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        way = choose_team_way(found.value.flagged)
        if way == QUEUE:
            found = progress_now(project.id, monotonic())  # the panel below tells the same figures
        draw_line(team, found, queue.overlap)
    if way == QUEUE:
        draw_opening(project, version, parts.predictions, predicted, queue, found.value)
        return
    palette = _palette_now(project, parts.names(predicted))
    if way == BULK:
        draw_bulk(parts, team, project, predicted, palette)
    elif way == FLAGGED:
        _draw_flagged(parts, team, predicted, palette)
    else:
        _draw_leased(parts, team, queue, predicted, palette, found.value)


def _palette_now(project: ProjectRecord, more: tuple[str, ...]) -> Palette:
    """The labels' colours, in a large project a moment old: the labels of 100,000 texts are not read for each key."""
    opened = store()
    return recent(("palette", opened.url, project.id, more), lambda: read_palette(opened, project, more)).value


def _lease_of(team: TeamQueueState, wording: Wording, predicted_texts: int) -> Lease | None:
    """The text in hand; the page is drawn anew where it has gone past what it knows."""
    try:
        lease = acting(take_leased_text)(team)
    except NotFoundError:
        st.rerun()  # the queue was closed this very moment
    if lease is not None and lease.text.position >= predicted_texts:
        st.rerun()  # texts were added since the predictions were made
    show_fault(team.queue, wording)
    return lease


def _draw_terms(queue: Queue) -> None:
    """How texts are given out, in one quiet line."""
    minutes = max(1, queue.lease_seconds // _A_MINUTE)
    terms = [f"assigned to you for {minutes:,} minute{'' if minutes == 1 else 's'} after your last key"]
    if queue.overlap > 1:
        terms.append(f"{queue.overlap} annotations per text")
    if queue.blind:
        terms.append("blind: labels of others and imported labels are hidden")
    html(f'<div class="re2-queue"><span>{escape(" · ".join(terms))}</span></div>')


def _nothing_waits(team: TeamQueueState, found: QueueProgress, undo: Callable[[], object]) -> None:
    """There is no text for this person: why, and what may still come."""
    others = [
        f"{found.held:,} {'text is' if found.held == 1 else 'texts are'} assigned to others and may return"
        if found.held
        else "",
        f"{found.flagged:,} flagged" if found.flagged else "",
        f"{found.second:,} need the annotation of another annotator" if found.second else "",
    ]
    reported = "; ".join(part for part in others if part)
    sentence = f"{reported[0].upper()}{reported[1:]}. New texts appear here automatically." if reported else ""
    shared = _shared_out(team)
    team.waiting = True
    done = "The queue is done." if not shared else ""
    title = "No text is waiting for you in the team queue."
    draw_empty(team, title, " ".join(part for part in (shared, sentence or done) if part), undo)


def _shared_out(team: TeamQueueState) -> str:
    """For whom annotations wait where none waits for this person."""
    counts = {
        name: count for name, count in waiting_for(store(), team.project_id).items() if name not in ("", state.person())
    }
    if not counts:
        return ""
    waiting = sum(counts.values())
    wait = "annotation waits" if waiting == 1 else "annotations wait"
    them = "them" if len(counts) > 1 else "this annotator"
    removed = tuple(removed_with_texts(store(), team.project_id))
    absent = (
        f" {names_in_words(removed)} {'has' if len(removed) == 1 else 'have'} no account any more." if removed else ""
    )
    return (
        f"This queue is assigned to {names_in_words(list(counts))}; {waiting:,} {wait} for {them}.{absent} "
        f"{who_can_help(store(), state.person())}"
    )


def _draw_leased(
    parts: LabelParts[Any],
    team: TeamQueueState,
    queue: Queue,
    predicted: Any,
    palette: Palette,
    found: QueueProgress,
) -> None:
    lease = _lease_of(team, parts.wording, len(predicted))
    if lease is None:
        _nothing_waits(team, found, partial(parts.undo_team, team))
        return
    _draw_terms(queue)
    record = lease.text
    undone = team.undone == record.id
    why = "Undone: your last annotation." if undone else parts.why_in_queue(predicted, record, state.person())
    parts.draw_leased(team, record, predicted, palette, why, predicted.copies.get(record.text, 1))


def _draw_flagged(parts: LabelParts[Any], team: TeamQueueState, predicted: Any, palette: Palette) -> None:
    found = flagged_now(team, len(predicted), partial(parts.undo_team, team))
    if found is not None:
        one, others = found
        parts.draw_flagged(team, one.text, predicted, palette, f"Flagged by {one.person}.", others)
