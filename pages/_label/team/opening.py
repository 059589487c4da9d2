"""The section "Team queue": what is given out, to whom and in which order; a look at what that means; open, lay out
anew, close."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

import streamlit as st

from pages._shared import messages, state
from pages._shared.markup import escape, html
from pages._shared.models import answers_for_project, records_of
from pages._shared.resources import store
from pages._shared.selection import selection
from pages._shared.slot_models import slot_answers_for_project
from re2nn_core.errors import Re2nnError
from re2nn_core.services.labelling import Answers
from re2nn_core.services.queue_orders import QUEUE_ORDERS, QueueOrder
from re2nn_core.services.queue_progress import QueueProgress
from re2nn_core.services.team_queue import (
    Laid,
    Preview,
    QueueSettings,
    end_queue,
    lay_texts,
    preview_queue,
    start_queue,
)
from re2nn_core.store import SLOTS, ProjectRecord, Queue, RuleVersion, list_events, list_texts, list_versions, people_of
from re2nn_core.store.queue_opening import MOST_OVERLAP
from re2nn_core.text.counting import counted

_TITLES = {
    "uncertain": "Least sure first",
    "differ": "Rules and network differ first",
    "versions": "Answers of two rule versions differ first",
    "rare": "Rare labels first",
    "diverse": "As different as possible",
    "random": "At random",
    "first": "As they came",
}
_OPEN, _ALL, _CHOSEN = "without a label", "all", "chosen on Predict"
_A_MINUTE = 60
_LONGEST = 7 * 24 * 60  # minutes


def draw_opening(
    project: ProjectRecord, version: RuleVersion, answered: Answers, queue: Queue | None, found: QueueProgress | None
) -> None:
    """All of it. `queue` and `found`: the queue that is open, and how far it is."""
    with st.container(border=True, key="label_opening"):
        html(f"<b>Team queue</b> <span class='re2-muted'>{escape(_state(queue, found))}</span>")
        settings, since = _choose(project, version, queue)
        with messages.guard("The preview") as outcome:
            laid, preview = _preview(project, version, answered, settings, since)
        if outcome.ok:
            _tell(preview)
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                _draw_open(project, settings, laid, preview, queue)
                if queue is not None:
                    _draw_close(project, found)


def _state(queue: Queue | None, found: QueueProgress | None) -> str:
    if queue is None or found is None:
        return "Everybody who opens this page gets texts one at a time, and nobody the same one."
    return f"is open: {found.done:,} of {found.wanted:,} judgements done, {found.held:,} texts in people’s hands."


def _choose(
    project: ProjectRecord, version: RuleVersion, queue: Queue | None
) -> tuple[QueueSettings, RuleVersion | None]:
    """The settings, and the older rules whose answers are compared with today's."""
    was = queue or Queue()
    older = [one for one in list_versions(store(), project.id) if one.number != version.number]
    orders = [name for name in QUEUE_ORDERS if older or name != "versions"]
    first, second, third = st.columns([5, 3, 4], gap="medium")
    with first:
        order = st.selectbox("Which come first", orders, format_func=_TITLES.__getitem__, key="queue_order")
        chosen = selection(project.id)
        kinds = [_OPEN, _ALL, *([_CHOSEN] if chosen else [])]
        which = st.segmented_control(
            "Texts", kinds, default=_OPEN if _some_open(project) else _ALL, required=True, key="queue_which",
            help="Texts that came with a label are given out only if you take all",
        )  # fmt: skip
    with second:
        overlap = st.number_input(
            "Judgements of each text", 1, MOST_OVERLAP, was.overlap, key="queue_overlap",
            help="So many different people get each text",
        )  # fmt: skip
        minutes = st.number_input(
            "Minutes for a text", 1, _LONGEST, max(1, was.lease_seconds // _A_MINUTE), key="queue_minutes",
            help="A text that is left lying goes to others after this time; each key begins it anew",
        )  # fmt: skip
    with third:
        people = st.multiselect(
            "Share out to", _people(project), default=_shared_with(project, queue), accept_new_options=True,
            key="queue_people", placeholder="anybody who opens this page",
            help="Each of these people gets texts of their own, in turns; nobody named: whoever comes",
        )  # fmt: skip
        blind = st.toggle("Blind", was.blind, key="queue_blind", help="Nobody sees what others said of a text, nor who")
    changed, since = _since(order == "versions", older)
    settings = QueueSettings(
        order=cast(QueueOrder, order),
        overlap=int(overlap),
        share_with=tuple(people),
        blind=blind,
        lease_minutes=int(minutes),
        with_labelled=which in (_ALL, _CHOSEN),
        only=chosen if which == _CHOSEN else (),
        changed_first=changed,
    )
    return settings, since


def _some_open(project: ProjectRecord) -> bool:
    """Whether there are texts without a label: else all there is to do is to check those that have one."""
    return bool(list_texts(store(), project.id, labelled=False, limit=1))


def _since(needed: bool, older: list[RuleVersion]) -> tuple[bool, RuleVersion | None]:
    """Whether texts whose answer changed come first, and since which rules."""
    if not older:
        return False, None
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        changed = st.toggle(
            "First the texts whose answer a change altered", key="queue_changed",
            help="A change of rules by you, or one that was read out of a trained network and accepted",
        )  # fmt: skip
        if not (changed or needed):
            return False, None
        since = st.selectbox(
            "Compared with", older, format_func=lambda one: f"since rules v{one.number}", key="queue_since",
            label_visibility="collapsed", width=180,
        )  # fmt: skip
    return changed, since


def _preview(
    project: ProjectRecord,
    version: RuleVersion,
    answered: Answers,
    settings: QueueSettings,
    since: RuleVersion | None,
) -> tuple[Laid, Preview]:
    """The texts in their order and what that means, kept until something changes."""
    key: Hashable = (project.id, project.updated_at, version.id, id(answered), settings, since and since.id)
    kept = st.session_state.get("_queue_preview")
    if kept is not None and kept[0] == key:
        return kept[1], kept[2]
    before = None if since is None else _answers(project, since)
    with st.spinner("Putting the texts in order …"):
        records = records_of(project)[: len(answered.confidence)]
        laid = lay_texts(records, settings, answered, before)
        preview = preview_queue(store(), project.id, state.person(), laid, settings)
    st.session_state["_queue_preview"] = (key, laid, preview)
    return laid, preview


def _answers(project: ProjectRecord, version: RuleVersion) -> Answers:
    if project.task == SLOTS:
        return slot_answers_for_project(project, version, None)
    return answers_for_project(project, version, None)


def _tell(preview: Preview) -> None:
    parts = [f"<b>{escape(preview.sentence)}</b>"]
    if preview.changed:
        parts.append(f"{preview.changed:,} whose answer changed come first.")
    if preview.unknown:
        names = " and ".join(escape(name) for name in preview.unknown)
        parts.append(
            f"Nobody called {names} has worked in this project yet: those texts wait until somebody works under "
            "exactly that name."
        )
    html(f'<div style="margin:.2rem 0">{" ".join(parts)}</div>')


def _draw_open(
    project: ProjectRecord, settings: QueueSettings, laid: Laid, preview: Preview, queue: Queue | None
) -> None:
    title = "Open the queue" if queue is None else "Lay out anew"
    pressed = st.button(
        title, key="queue_open", type="primary", disabled=not preview.judgements,
        help=None if queue is None else "What is judged or in somebody’s hands stays as it is",
    )  # fmt: skip
    if not pressed:
        return
    with messages.guard("Opening the queue") as outcome:
        waiting = start_queue(store(), project.id, state.person(), laid, settings)
    if outcome.ok:
        messages.remember(f"The queue is open: {counted(waiting, 'judgement waits', 'judgements wait')}.")
        st.rerun()


def _draw_close(project: ProjectRecord, found: QueueProgress | None) -> None:
    with st.popover("Close the queue", key="queue_closing"):
        left = 0 if found is None else found.wanted - found.done
        html(
            f"{counted(left, 'judgement is', 'judgements are')} not done. Labels stay, and a text that somebody is "
            "reading can still be saved."
        )
        st.button("Close it", key="queue_close", type="primary", on_click=_close, args=(project.id,))


def _close(project_id: int) -> None:
    try:
        end_queue(store(), project_id, state.person())
    except Re2nnError as fault:
        messages.remember(str(fault), ":material/error:")
        return
    messages.remember("The queue is closed. All labels are kept.")


def _people(project: ProjectRecord) -> list[str]:
    return list(dict.fromkeys([*people_of(store(), project.id), *_told(project)]))


def _shared_with(project: ProjectRecord, queue: Queue | None) -> list[str]:
    return _told(project) if queue is not None and queue.shared else []


def _told(project: ProjectRecord) -> list[str]:
    """Among whom the newest queue was shared out."""
    told = list_events(store(), project.id, kinds=("queue",), limit=1)
    return list((told[0].data or {}).get("share_with", ())) if told else []
