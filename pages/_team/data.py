"""What the parts of the page look at, kept between reruns and shared by all sessions.

Reading what everybody said of a hundred thousand texts takes seconds. Where it does, what was read is used a while
longer, though somebody has labelled since.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Lock
from time import monotonic, thread_time

import streamlit as st

from pages._shared.cached.models import all_records_of, followed_from, records_of
from pages._shared.resources import store
from pages._shared.session.state import ModelChoice
from pages._shared.session.visible_labels import blind_for
from pages._team.task_parts import parts_of
from re2nn_core.services.team.annotations import TeamAnnotations, as_seen_by, team_annotations_of
from re2nn_core.services.team.raters import Matrix
from re2nn_core.services.team.team_agreement import AgreementFigures
from re2nn_core.services.team.team_progress import TeamProgress
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

# What took so many seconds to read is kept for so many times as long.
_SLOW_SECONDS, _KEPT_TIMES = 0.5, 20


@dataclass(frozen=True, eq=False)
class Team:
    """What a team has said, when it was read, and a stamp of it that only this has."""

    annotations: TeamAnnotations
    stamp: tuple[Hashable, ...]
    read_at: datetime
    is_newest: bool = True


@dataclass
class _Holder:
    """What was read last of one project."""

    lock: Lock = field(default_factory=Lock)
    team: Team | None = None
    fresh_until: float = 0.0

    def get(self, project: ProjectRecord) -> Team:
        stamp = (store().url, project.id, project.updated_at)
        with self.lock:
            if self.team is None or (self.team.stamp != stamp and monotonic() > self.fresh_until):
                begun = thread_time()
                self.team = Team(team_annotations_of(store(), project.id), stamp, datetime.now(UTC))
                taken = thread_time() - begun
                self.fresh_until = monotonic() + (_KEPT_TIMES * taken if taken > _SLOW_SECONDS else 0)
            if self.team.stamp == stamp:
                return self.team
            return Team(self.team.annotations, self.team.stamp, self.team.read_at, is_newest=False)


@st.cache_resource(show_spinner=False, max_entries=16)
def _holder(url: str, project_id: int) -> _Holder:
    return _Holder()


def team_of(project: ProjectRecord) -> Team:
    """What the project's team has said, as it is now, or as it was a moment ago."""
    return _holder(store().url, project.id).get(project)


def seen_team_of(project: ProjectRecord) -> Team:
    """The same as far as the person in front of the page may see it: their own part while they label blind."""
    team, blind = team_of(project), blind_for(project)
    if not blind:
        return team
    return replace(team, annotations=_seen(team.stamp, blind, project.id, team), stamp=(*team.stamp, blind))


@st.cache_resource(show_spinner=False, max_entries=16)
def _seen(stamp: Hashable, person: str, project_id: int, _team: Team) -> TeamAnnotations:
    return as_seen_by(store(), project_id, person, _team.annotations)


def progress_of(project: ProjectRecord, team: Team) -> TeamProgress:
    """How far the team is, or the person alone, where `team` is what they see."""
    return _progress(team.stamp, project, team)


@st.cache_resource(show_spinner=False, max_entries=16)
def _progress(stamp: Hashable, _project: ProjectRecord, _team: Team) -> TeamProgress:
    return parts_of(_project).progress(records_of(_project), _team.annotations)


def figures_of(project: ProjectRecord, team: Team) -> AgreementFigures:
    """How far people agree."""
    return _figures(team.stamp, project, team)


@st.cache_resource(show_spinner=False, max_entries=8)
def _figures(stamp: Hashable, _project: ProjectRecord, _team: Team) -> AgreementFigures:
    return parts_of(_project).figures(_project, _team.annotations)


def matrix_of(project: ProjectRecord, team: Team, version: RuleVersion, model: ModelChoice) -> Matrix:
    """People, rule set, each rule and the chosen network against each other. RuleError, LogicError, ModelError."""
    key = (team.stamp, *followed_from(project, version, model.run))
    return _matrix(key, project, team, version, model)


@st.cache_resource(show_spinner=False, max_entries=4)
def _matrix(key: Hashable, _project: ProjectRecord, _team: Team, _version: RuleVersion, _model: ModelChoice) -> Matrix:
    ids, parts = [record.id for record in all_records_of(_project)], parts_of(_project)
    return parts.matrix(_team.annotations, ids, parts.predictions(_project, _version, _model.run), _model.title)
