"""The rules as they are now, beside those that a network was trained from: who saved them, which of the two is compared
with what was reconstructed, and the buttons that undo and redo its step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages._shared.components import jumps
from pages._shared.components.undo import draw_undo_redo, saved_meanwhile
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.projects.stored_projects import get_version, list_versions
from re2nn_core.services.rule_reconstruction.classification.rule_changes import EDITED
from re2nn_core.services.rule_review.decision_steps import DecisionSteps
from re2nn_core.services.rule_writing.rule_history import last_change
from re2nn_core.services.values.rules import RuleSet
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord

_QUOTED = 90  # signs of a version's message
STEPS = "_compare_done_"  # begins the keys of what a reviewer did in this session
SAVED = "compare_newest"  # what says of the newest version who saved it
_DRAWN, _UNSEEN = "_compare_drawn", "_compare_unseen"


@dataclass(frozen=True)
class Newest:
    """The versions of a project, the newest in front, down to the one that a run was trained from; `trained` is that
    one's number, None where the network was edited since and stands for no version."""

    versions: tuple[RuleVersion, ...]
    trained: int | None
    lowercase: bool

    @property
    def version(self) -> RuleVersion:
        return self.versions[0]

    @property
    def moved_on(self) -> bool:
        """Whether a version has been saved since the training."""
        return self.trained is not None and self.version.number > self.trained

    @property
    def titles(self) -> tuple[str, str]:
        """What the rules trained from are called, and the newest ones."""
        trained = "rules before training" if self.trained is None else f"v{self.trained}, trained from"
        return trained, f"v{self.version.number}, newest"

    def left_because(self, name: str, why: str) -> str:
        """Why a rule is not accepted; of one that was edited otherwise, when and by whom last."""
        found = last_change(self.versions, name, lowercase=self.lowercase) if why == EDITED else None
        if found is None:
            return why
        # What the newest version says of itself stands above already.
        message = "" if found.number == self.version.number else _description(found)
        return (
            f"{_who(found)} changed it in v{found.number}{message}, after the training, and accepting the whole "
            "change would undo that. What still fits is offered under By word, edit by edit"
        )


def newest_of(project: ProjectRecord, run: RunRecord, trained_on: str) -> Newest:
    """What became of the rules since a run; `trained_on` are the rules of its network. Asked for once a drawing of the
    page: the session keeps which version it shows, for `stop_unseen`."""
    versions = list_versions(store(), project.id)
    _notice(project, versions[0])
    trained = None if run.rule_version_id is None else get_version(store(), run.rule_version_id)
    if trained is None or trained.rules_text != trained_on:
        return Newest(versions, None, project.tokenization.lowercase)
    since = tuple(version for version in versions if version.number >= trained.number)
    return Newest(since, trained.number, project.tokenization.lowercase)


def _notice(project: ProjectRecord, version: RuleVersion) -> None:
    """Keep which version is drawn, and whether it is another than the one that a click now was meant for."""
    before = st.session_state.get(_DRAWN)
    st.session_state[_DRAWN] = (project.id, version.number)
    st.session_state[_UNSEEN] = before is not None and before[0] == project.id and before[1] != version.number


def stop_unseen(version: RuleVersion) -> None:
    """Where somebody saved this version after the page was drawn: say so, and begin anew instead of doing what was
    clicked, which was meant for the version before it."""
    if st.session_state.get(_UNSEEN):
        messages.remember(saved_meanwhile(version), ":material/warning:")
        st.rerun(scope="app")


def forget_drawn(*, keep_steps: bool = False) -> None:
    """What is saved now, was saved here: the page that comes next is no surprise. `keep_steps`: the decisions can
    be undone, as after a reload."""
    st.session_state.pop(_DRAWN, None)
    # A step back in the review would not take the version back: Write rules does.
    for key in [key for key in st.session_state if str(key).startswith(STEPS)]:
        if keep_steps:
            del st.session_state[key]
        else:
            st.session_state[key] = {"steps": DecisionSteps()}


def _who(version: RuleVersion) -> str:
    return "you" if version.author == state.person() else version.author


def _description(version: RuleVersion) -> str:
    text = version.message
    return f" (“{text[:_QUOTED]}{'…' if len(text) > _QUOTED else ''}”)" if text else ""


def draw_newest(project: ProjectRecord, newest: Newest, moved: Callable[[], None]) -> None:
    """Who saved the newest version, and the buttons that undo and redo, which call `moved`; nothing where none was
    saved since the training."""

    def done() -> None:
        forget_drawn(keep_steps=True)
        moved()
        jumps.land(SAVED)

    if not newest.moved_on:
        return
    version = newest.version
    moment = version.created_at.strftime("%Y-%m-%d %H:%M UTC")
    with st.container(horizontal=True, vertical_alignment="center", key=SAVED):
        html(
            jumps.landing(
                f"<b>v{version.number}</b> saved by {escape(_who(version))}{escape(_description(version))} <span "
                f'class="re2-muted">{moment}</span>'
            )
        )
        draw_undo_redo(project, list_versions(store(), project.id), done=done)


def choose_side(newest: Newest, name: str, trained: RuleSet, now: RuleSet, key: str) -> bool:
    """Whether the rule of a name is compared as it is in the newest version, and not as the network was trained from;
    asks where the two differ."""
    before, after = ([rule for rule in side.rules if rule.name == name] for side in (trained, now))
    if not before or not after or before[0].expanded == after[0].expanded:
        return False
    titles = newest.titles
    chosen = st.segmented_control(
        "Compare with",
        titles,
        default=titles[1],
        required=True,
        key=f"compare_side_{key}_{name}_{newest.version.number}",
        help="Version of the written rule on the left side.",
    )
    return chosen == titles[1]
