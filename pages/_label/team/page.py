"""The page Label while a queue is open, in a project with labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic

import streamlit as st

from pages._label.desk import show_fault
from pages._label.name import is_named
from pages._label.one_text import draw_judging
from pages._label.team.bulk import draw_bulk
from pages._label.team.desk import TeamDesk, team_desk
from pages._label.team.flagged import flagged_now, head_of
from pages._label.team.keys import draw_empty, queue_keys, queue_typing, settle_keys, settle_typing
from pages._label.team.line import draw_line, progress_now
from pages._label.team.opening import draw_opening
from pages._label.team.ways import BULK, FLAGGED, QUEUE, choose_team_way
from pages._shared.cached.recent import recent
from pages._shared.drawing.labels import Palette, read_palette
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import LeaseLostError, NotFoundError
from re2nn_core.services.annotation import queue_work
from re2nn_core.services.annotation.classification import Answers, proposed, why_in_queue
from re2nn_core.services.annotation.queue_progress import QueueProgress
from re2nn_core.services.annotation.removed_members import gone_with_texts, who_can_help
from re2nn_core.services.annotation.stored_queue import waiting_for
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.values.stored import Lease, ProjectRecord, Queue, RuleVersion

_A_MINUTE = 60


def draw_team(project: ProjectRecord, queue: Queue, version: RuleVersion, answered: Predictions) -> None:
    """Everything below the bar."""
    palette = palette_now(project, answered.labels)
    draw_frame(
        project,
        queue,
        version,
        answered,
        one=partial(_one_text, project, queue, answered, palette),
        settling=partial(_settling, project, answered, palette),
        many=lambda team: draw_bulk(team, project, answered, palette),
    )


def draw_frame(
    project: ProjectRecord,
    queue: Queue,
    version: RuleVersion,
    answered: Answers,
    *,
    one: Callable[[TeamDesk, QueueProgress], None],
    settling: Callable[[TeamDesk], None],
    many: Callable[[TeamDesk], None],
) -> None:
    """What stands above the texts, and the chosen one of: one text after the other, flagged ones, many at once, the
    queue's own settings."""
    if not is_named():
        html(
            '<div class="re2-empty"><b>A team’s queue is open.</b><br>It gives texts to people by name: say above who '
            "you are.</div>"
        )
        return
    team = team_desk(project.id)
    team.waiting = False
    found = progress_now(project.id, team.changed)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        way = choose_team_way(found.value.flagged)
        if way == QUEUE:
            found = progress_now(project.id, monotonic())  # the panel below tells the same figures
        draw_line(team, found, queue.overlap)
    if way == QUEUE:
        draw_opening(project, version, answered, queue, found.value)
    elif way == BULK:
        many(team)
    elif way == FLAGGED:
        settling(team)
    else:
        one(team, found.value)


def palette_now(project: ProjectRecord, more: tuple[str, ...]) -> Palette:
    """The labels' colours, in a large project a moment old: the labels of 100,000 texts are not read for each key."""
    opened = store()
    return recent(("palette", opened.url, project.id, more), lambda: read_palette(opened, project, more)).value


def lease_of(team: TeamDesk, answered_texts: int) -> Lease | None:
    """The text in hand, laid on the desk; the page is drawn anew where it has gone past what it knows."""
    try:
        lease = _in_hand(team)
    except NotFoundError:
        st.rerun()  # the queue was closed this very moment
    if lease is not None and lease.text.position >= answered_texts:
        st.rerun()  # texts were added since the answers were made
    team.take(lease)
    return lease


def _in_hand(team: TeamDesk) -> Lease | None:
    """The text in hand. One that was in hand before and was not let go is asked for again, or its loss is told."""
    me = state.person()
    had = None if team.lease is None else team.lease.text.id
    lease = queue_work.in_hand(store(), team.project_id, me, rather=team.rather)
    if had is None or had != team.rather or (lease is not None and lease.text.id == had):
        return lease
    try:
        queue_work.hold(store(), team.project_id, had, me)
    except LeaseLostError as lost:
        team.desk.fault, team.rather = lost, None
        show_fault(team.desk)
        return lease
    return queue_work.in_hand(store(), team.project_id, me, rather=had)


def draw_terms(queue: Queue) -> None:
    """How texts are given out, in one quiet line."""
    minutes = max(1, queue.lease_seconds // _A_MINUTE)
    terms = [f"yours for {minutes:,} minute{'' if minutes == 1 else 's'} after your last key"]
    if queue.overlap > 1:
        terms.append(f"{queue.overlap} people judge each text")
    if queue.blind:
        terms.append("blind: nobody sees what others said, nor labels of the data")
    html(f'<div class="re2-queue"><span>{escape(" · ".join(terms))}</span></div>')


def nothing_waits(team: TeamDesk, found: QueueProgress, undo: Callable[[], None] | None = None) -> None:
    """There is no text for this person: why, and what may still come."""
    others = [
        f"{found.held:,} {'text is' if found.held == 1 else 'texts are'} in others’ hands and may come back"
        if found.held
        else "",
        f"{found.flagged:,} flagged" if found.flagged else "",
        f"{found.second:,} wait for somebody else’s judgement" if found.second else "",
    ]
    told = "; ".join(part for part in others if part)
    sentence = f"{told[0].upper()}{told[1:]}. New texts show up here by themselves." if told else ""
    shared = _shared_out(team)
    team.waiting = True
    done = "The queue is done." if not shared else ""
    title = "Nothing waits for you in the team’s queue."
    draw_empty(team, title, " ".join(part for part in (shared, sentence or done) if part), undo)


def _shared_out(team: TeamDesk) -> str:
    """For whom judgements wait where none waits for this person."""
    counts = {
        name: count for name, count in waiting_for(store(), team.project_id).items() if name not in ("", state.person())
    }
    if not counts:
        return ""
    waiting = sum(counts.values())
    wait = "judgement waits" if waiting == 1 else "judgements wait"
    them = "them" if len(counts) > 1 else "that person"
    gone = tuple(gone_with_texts(store(), team.project_id))
    absent = (
        f" {queue_work.told_names(gone)} {'has' if len(gone) == 1 else 'have'} no account any more." if gone else ""
    )
    return (
        f"This queue is shared out to {queue_work.told_names(list(counts))}; {waiting:,} {wait} for {them}.{absent} "
        f"{who_can_help(store(), state.person())}"
    )


def _one_text(
    project: ProjectRecord, queue: Queue, answered: Predictions, palette: Palette, team: TeamDesk, found: QueueProgress
) -> None:
    lease = lease_of(team, len(answered))
    if lease is None:
        nothing_waits(team, found)
        return
    draw_terms(queue)
    record = lease.text
    why = (
        "You took it back."
        if team.taken_back == record.id
        else why_in_queue(answered, record.position, record, state.person())
    )
    copies = answered.copies.get(record.text, 1)
    keys, typing = partial(queue_keys, team, record, copies), queue_typing(team, record, copies)
    offer = proposed(record, answered, record.position, state.person())
    draw_judging(team.desk, record, answered, palette, why, offer, keys, typing)


def _settling(project: ProjectRecord, answered: Predictions, palette: Palette, team: TeamDesk) -> None:
    found = flagged_now(team, len(answered))
    if found is None:
        return
    one, others = found
    record = one.text
    offer = proposed(record, answered, record.position, state.person())
    keys, typing = partial(settle_keys, team, record, others), settle_typing(team, record, others)
    draw_judging(team.desk, record, answered, palette, head_of(one), offer, keys, typing)
