"""The settings of a team's queue: what is given out, to whom and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import streamlit as st

from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.selection import selection
from re2nn_core.services.annotation.annotator_lookup import known_people
from re2nn_core.services.annotation.queue_orders import QUEUE_ORDERS, QueueOrder
from re2nn_core.services.annotation.stored_queue import MOST_OVERLAP, queue_texts
from re2nn_core.services.annotation.team_queue import QueueSettings, Remembered, remembered
from re2nn_core.services.projects.stored_projects import list_texts
from re2nn_core.services.rule_review.prediction_changes import PredictionChange, prediction_changes
from re2nn_core.services.team.stored_people import has_accounts, people_in_log
from re2nn_core.services.values.stored import ProjectRecord, Queue, RuleVersion

_TITLES = {
    "uncertain": "Lowest confidence first",
    "differ": "Rules and network differ first",
    "versions": "Rule versions differ first",
    "rare": "Rare labels first",
    "diverse": "As different as possible",
    "random": "At random",
    "first": "In imported order",
}
_OPEN, _ALL, _CHOSEN, _SAME = "unlabelled", "all", "selected on Predict", "texts of the queue"
_A_MINUTE = 60
_LONGEST = 7 * 24 * 60  # minutes


def choose_settings(
    project: ProjectRecord, version: RuleVersion, queue: Queue | None
) -> tuple[QueueSettings, PredictionChange | None]:
    """The settings, and what today's predictions are compared with."""
    was = queue or Queue()
    last_queue = remembered(store(), project.id)
    # What the newest queue was like is good for laying an open one out anew; a new queue begins with what is usual.
    kept = Remembered() if queue is None else last_queue
    changes = prediction_changes(store(), project, version)
    versions = any(one.kind == "version" for one in changes)
    orders = [name for name in QUEUE_ORDERS if versions or name != "versions"]
    first, second, third = st.columns([5, 3, 4], gap="medium")
    with first:
        order = st.selectbox(
            'Order', orders, orders.index(kept.order) if kept.order in orders else 0,
            format_func=_TITLES.__getitem__, key="queue_order",
        )  # fmt: skip
        chosen, same = selection(project.id), _texts_now(project, queue, kept)
        kinds = [_OPEN, _ALL, *([_CHOSEN] if chosen else []), *([_SAME] if same else [])]
        which = st.segmented_control(
            "Texts", kinds, default=_which(project, kept, same), required=True, key="queue_which",
            help='Imported labels are only annotated again with “all”',
        )  # fmt: skip
    with second:
        overlap = st.number_input(
            'Annotations per text', 1, MOST_OVERLAP, was.overlap, key="queue_overlap",
            help='Number of different annotators per text',
        )  # fmt: skip
        minutes = st.number_input(
            'Minutes per text', 1, _LONGEST, max(1, was.lease_seconds // _A_MINUTE), key="queue_minutes",
            help='A text without activity returns to the queue after this time',
        )  # fmt: skip
    with third:
        people = st.multiselect(
            'Assign to', _people(project, last_queue), default=_shared_with(last_queue, queue), accept_new_options=True,
            key="queue_people", placeholder='anyone who opens this page',
            help='These annotators get different texts each. Empty: anyone who opens this page',
        )  # fmt: skip
        with st.container(horizontal=True, gap="medium"):
            blind = st.toggle(
                'Blind annotation', was.blind, key="queue_blind",
                help='Annotators see predictions, but neither labels of others nor imported labels',
            )  # fmt: skip
            decided = st.toggle(
                'Include adjudicated texts', was.with_decided, key="queue_decided",
                help='Texts that a reviewer has adjudicated, or will adjudicate, are assigned, too',
            )  # fmt: skip
    changed, since = _since(order == "versions", changes, kept)
    newcomers = _newcomers(people, _shared_with(last_queue, queue))
    settings = QueueSettings(
        order=cast(QueueOrder, order),
        overlap=int(overlap),
        share_with=tuple(people),
        blind=blind,
        lease_minutes=int(minutes),
        with_labelled=which != _OPEN,
        only={_CHOSEN: chosen, _SAME: same}.get(which or _OPEN, ()),
        changed_first=changed,
        with_decided=decided,
        newcomers=newcomers,
        compared_with="" if since is None else since.title,
    )
    return settings, since


def _texts_now(project: ProjectRecord, queue: Queue | None, kept: Remembered) -> tuple[int, ...]:
    """The texts of the open queue, where they are others than a word can say: chosen one by one, or not told."""
    if queue is None or kept.texts in ("open", "all"):
        return ()
    return tuple(sorted(queue_texts(store(), project.id)))


def _which(project: ProjectRecord, kept: Remembered, same: Sequence[int]) -> str:
    """The texts to begin with: those of the open queue."""
    if same:
        return _SAME
    if kept.texts in ("open", "all"):
        return _OPEN if kept.texts == "open" else _ALL
    return _OPEN if _some_open(project) else _ALL


def _some_open(project: ProjectRecord) -> bool:
    """Whether there are texts without a label: else all there is to do is to check those that have one."""
    return bool(list_texts(store(), project.id, labelled=False, limit=1))


def _since(
    versions_alone: bool, changes: Sequence[PredictionChange], kept: Remembered
) -> tuple[bool, PredictionChange | None]:
    """Whether texts whose prediction changed come first, and what today's rules are compared with. `versions_alone`:
    the order compares rule versions, whatever comes first."""
    if not changes:
        return False, None
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        changed = st.toggle(
            'Changed predictions first', kept.changed_first, key="queue_changed",
            help='Compares the newest rules with older rules, with the newest network, or with reconstructed rules '
                'from Compare',
        )  # fmt: skip
        if not (changed or versions_alone):
            return False, None
        offered = [one for one in changes if one.kind == "version" or not versions_alone]
        titles = [one.title for one in offered]
        since = st.selectbox(
            'Compare with', range(len(offered)),
            titles.index(kept.compared_with) if kept.compared_with in titles else 0,
            format_func=lambda place: f"compared with {titles[place]}",
            key=f"queue_since_{versions_alone}", label_visibility="collapsed", width=330,
        )  # fmt: skip
    return changed, offered[since or 0]


def _newcomers(people: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether texts may be assigned to people who have never been here; asked only where there are some. Where
    people have accounts, whoever has none cannot come. `expected`: for whom the open queue has texts already."""
    new = {*people} - {*known_people(store()), state.person()}
    if has_accounts(store()) or not new:
        return False
    return st.checkbox("Allow names without an account yet", new <= {*expected}, key="queue_newcomers")


def _people(project: ProjectRecord, last_queue: Remembered) -> list[str]:
    """Those who can be named: the project's own people in front."""
    known = known_people(store())
    own = {*people_in_log(store(), project.id), state.person()}
    return list(dict.fromkeys([*sorted(known, key=lambda name: name not in own), *last_queue.share_with]))


def _shared_with(last_queue: Remembered, queue: Queue | None) -> list[str]:
    return list(last_queue.share_with) if queue is not None and queue.shared else []
