"""Two versions of a project's rules, compared as the rules of a network are: drawn, as languages, on the texts."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages._compare.drawing.union import Titles, draw_union, stamp_of
from pages._compare.language import compared_languages, draw_language, draw_moved_texts, said
from pages._compare.versions.figures import draw_version_figures, right_of
from pages._compare.versions.sentences import draw_sentence_changes
from pages._shared.cached.models import all_records_of
from pages._shared.cached.systems import system_for
from pages._shared.components.grid import height_of, walk_rows
from pages._shared.drawing import messages
from pages._shared.drawing.markup import html
from pages._shared.resources import store
from pages._shared.session.fragments import fragment
from re2nn_core.services.fine_tuning.runs import finished_runs
from re2nn_core.services.projects.stored_projects import list_versions
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_group, drawn_rule
from re2nn_core.services.rule_difference.language_difference import (
    LanguageVerdict,
    RuleSide,
    Verdict,
)
from re2nn_core.services.rule_difference.moved_texts import MovedTexts
from re2nn_core.services.rule_difference.overlap_changes import what_decides
from re2nn_core.services.task_services import services_for
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

TRAINING, VERSIONS = "What training changed", "Two rule versions"
_MOST_ROWS = 10


def compares_versions(project: ProjectRecord) -> bool:
    """Whether two versions are compared, and not a network with its rules; asks where there are both."""
    if len(list_versions(store(), project.id)) < 2:
        return False
    trained = bool(finished_runs(store(), project.id))
    chosen = st.segmented_control(
        "Compare",
        [TRAINING, VERSIONS],
        default=TRAINING if trained else VERSIONS,
        key=f"compare_what_{project.id}",
        label_visibility="collapsed",
        persist_state="session",
    )
    return (chosen or (TRAINING if trained else VERSIONS)) == VERSIONS


@fragment()
def draw_versions(project: ProjectRecord) -> None:
    """Everything below the choice; a click runs this part alone."""
    with messages.guard("Comparing the versions"):
        _draw_versions(project)


def _draw_versions(project: ProjectRecord) -> None:
    before, after = _choose_versions(list_versions(store(), project.id))
    systems = system_for(project, before), system_for(project, after)
    left, right = side_of(project, before), side_of(project, after)
    stamp = stamp_of(before.rules_text, after.rules_text, str(project.tokenization))
    titles = f"v{before.number}", f"v{after.number}"
    if before.number == after.number:
        st.info("Both sides are the same version. Choose another one on either side.")
        return
    moved = _moved(stamp_of(stamp, before.logic_text, after.logic_text), project.updated_at, project, before, after)
    rules, texts = st.columns(2, gap="medium")
    with rules:
        chosen, group = _choose_part(left, right, stamp)
    with texts:
        draw_version_figures(project, before, after, titles)
        draw_moved_texts(moved, titles, right_of(project))
    draw_sentence_changes(
        (before, systems[0]),
        (after, systems[1]),
        titles,
        stamp=stamp_of(stamp, before.logic_text, after.logic_text),
    )
    name = chosen.name
    drawn = _drawn(stamp, name, group, left, right)
    witness = chosen.only_right or chosen.only_left
    draw_union(
        drawn,
        Titles(*(f"{title}: {name}" for title in titles)),
        key="versions",
        stamp=stamp_of(stamp, name, str(group)),
        tokenization=project.tokenization,
        example="" if witness is None else " ".join(witness.words),
    )
    decides = what_decides(systems[0], left), what_decides(systems[1], right)
    draw_language(left, right, stamp=stamp, key="versions", titles=titles, decides=decides, at_once=True)


def _choose_versions(versions: tuple[RuleVersion, ...]) -> tuple[RuleVersion, RuleVersion]:
    """The newest one and the one before it, unless others are chosen."""
    ordered = sorted(versions, key=lambda version: -version.number)
    titles = {version.number: _title(version) for version in ordered}
    numbers = list(titles)
    chosen = []
    for side, place, column in zip(("Before", "After"), (1, 0), st.columns(2, gap="small"), strict=True):
        number = column.selectbox(
            side, numbers, index=place, format_func=titles.__getitem__, key=f"compare_version_{side}_{numbers[0]}"
        )
        chosen.append(next((version for version in ordered if version.number == number), ordered[place]))
    return chosen[0], chosen[1]


def _title(version: RuleVersion) -> str:
    said = f": {version.message}" if version.message else ""
    return f"v{version.number}, {version.author}{said}"[:110]


def side_of(project: ProjectRecord, version: RuleVersion) -> RuleSide:
    """The rules of a version. RuleError and LogicError with every fault in it."""
    return services_for(project.task).rule_side(system_for(project, version), f"version {version.number}")


def _choose_part(left: RuleSide, right: RuleSide, stamp: str) -> tuple[LanguageVerdict, bool]:
    """The rule that is drawn, changed ones first, or all rules of a label; and whether it is a label."""
    html('<div class="re2-head">Changes of rules and labels; the selected one is drawn below</div>')
    found = compared_languages(stamp, left, right)
    rows = [(verdict, False) for verdict in found.rules] + [(verdict, True) for verdict in found.groups]
    rows.sort(key=lambda row: row[0].verdict is Verdict.SAME)
    row = walk_rows(
        {
            "name": [verdict.name for verdict, _ in rows],
            "kind": [left.kind if group else "rule" for _, group in rows],
            "verdict": [said(verdict) for verdict, _ in rows],
        },
        key=f"_versions_{stamp}",
        config={
            "name": st.column_config.TextColumn("Name", width=190),
            "kind": st.column_config.TextColumn("Kind", width=64),
            "verdict": st.column_config.TextColumn("Verdict", width=150),
        },
        height=height_of(len(rows), _MOST_ROWS),
        first=True,
    )
    return rows[row or 0]


@st.cache_resource(show_spinner=False, max_entries=32)
def _drawn(stamp: str, name: str, group: bool, _left: RuleSide, _right: RuleSide) -> DrawnDifference:
    return (drawn_group if group else drawn_rule)(_left, _right, name)


@st.cache_resource(show_spinner=False, max_entries=8)
def _moved(
    stamp: str, changed: datetime, _project: ProjectRecord, _before: RuleVersion, _after: RuleVersion
) -> MovedTexts:
    texts = [record.text for record in all_records_of(_project)]
    return services_for(_project.task).compare(system_for(_project, _before), system_for(_project, _after), texts)
