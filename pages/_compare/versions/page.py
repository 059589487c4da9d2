"""Two versions of a project's rules, compared as the rules of a network are: drawn, as languages, on the texts."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages._compare.drawing.union import Titles, draw_union, stamp_of
from pages._compare.language import compared_languages, draw_language, draw_moved_texts, verdict_in_words
from pages._compare.versions.figures import draw_version_figures, right_of
from pages._compare.versions.review import CHOSEN_RULE, draw_version_review
from pages._compare.versions.sentences import draw_sentence_changes
from pages._compare.views import REVIEW, choose_view
from pages._shared.cached.models import all_records_of
from pages._shared.cached.systems import system_for
from pages._shared.cached.word_counts import word_counts
from pages._shared.drawing import messages
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
AUTOMATA, TEXTS, SENTENCES, LANGUAGES = "Automata", "Texts", "Sentences", "Rules"
VIEWS = (REVIEW, AUTOMATA, TEXTS, SENTENCES, LANGUAGES)


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


def choose_versions(project: ProjectRecord) -> tuple[RuleVersion, RuleVersion, str]:
    """The two versions, at first the newest and the one before it, and what is seen of them."""
    ordered = sorted(list_versions(store(), project.id), key=lambda version: -version.number)
    titles = {version.number: _title(version) for version in ordered}
    numbers = list(titles)
    chosen = []
    for side, place in (("Before", 1), ("After", 0)):
        number = st.selectbox(
            side,
            numbers,
            index=place,
            format_func={number: f"{side}: {title}" for number, title in titles.items()}.__getitem__,
            key=f"compare_version_{side}_{numbers[0]}",
            label_visibility="collapsed",
            width=215,
        )
        chosen.append(next((version for version in ordered if version.number == number), ordered[place]))
    return chosen[0], chosen[1], choose_view(VIEWS, "compare_version_view")


@fragment()
def draw_versions(project: ProjectRecord, before: RuleVersion, after: RuleVersion, view: str) -> None:
    """Everything below the choice; a click runs this part alone."""
    with messages.guard("Comparing the versions"):
        _draw_versions(project, before, after, view)


def _draw_versions(project: ProjectRecord, before: RuleVersion, after: RuleVersion, view: str) -> None:
    if before.number == after.number:
        st.info("Both sides are the same version. Choose another one on either side.")
        return
    systems = system_for(project, before), system_for(project, after)
    left, right = side_of(project, before), side_of(project, after)
    stamp = stamp_of(before.rules_text, after.rules_text, str(project.tokenization))
    with_logic = stamp_of(stamp, before.logic_text, after.logic_text)
    titles = f"v{before.number}", f"v{after.number}"
    if view == REVIEW:
        draw_version_figures(project, before, after, titles)
        draw_version_review(project, (before, after), compared_languages(stamp, left, right).rules, titles, with_logic)
    elif view == AUTOMATA:
        _draw_automata(project, left, right, titles, stamp)
    elif view == TEXTS:
        moved = _moved(with_logic, project.updated_at, project, before, after)
        draw_moved_texts(moved, titles, right_of(project))
    elif view == SENTENCES:
        draw_sentence_changes((before, systems[0]), (after, systems[1]), titles, stamp=with_logic)
    else:
        decides = what_decides(systems[0], left), what_decides(systems[1], right)
        draw_language(
            left, right, stamp=stamp, key="versions", titles=titles, decides=decides, at_once=True, project=project
        )


def _draw_automata(
    project: ProjectRecord, left: RuleSide, right: RuleSide, titles: tuple[str, str], stamp: str
) -> None:
    """Both automata of one rule, or of all rules of a label or slot."""
    chosen, group = _choose_part(left, right, stamp)
    name, witness = chosen.name, chosen.only_right or chosen.only_left
    draw_union(
        _drawn(stamp, name, group, titles, left, right),
        Titles(*(f"{title}: {name}" for title in titles)),
        key="versions",
        stamp=stamp_of(stamp, name, str(group)),
        tokenization=project.tokenization,
        example="" if witness is None else " ".join(witness.words),
        counts=word_counts(project).counts,
    )


def _title(version: RuleVersion) -> str:
    message = f": {version.message}" if version.message else ""
    return f"v{version.number}, {version.author}{message}"[:110]


def side_of(project: ProjectRecord, version: RuleVersion) -> RuleSide:
    """The rules of a version. RuleError and LogicError with every fault in it."""
    return services_for(project.task).rule_side(system_for(project, version), f"rules v{version.number}")


def _choose_part(left: RuleSide, right: RuleSide, stamp: str) -> tuple[LanguageVerdict, bool]:
    """The rule that is drawn, changed ones first, or all rules of a label; and whether it is a label."""
    found = compared_languages(stamp, left, right)
    parts = [(verdict, False) for verdict in found.rules] + [(verdict, True) for verdict in found.groups]
    parts.sort(key=lambda part: part[0].verdict is Verdict.SAME)
    titles = [
        f"{left.kind} {one.name}, {verdict_in_words(one)}" if group else f"{one.name}, {verdict_in_words(one)}"
        for one, group in parts
    ]
    kept = st.session_state.get(CHOSEN_RULE)
    first = next((place for place, (one, group) in enumerate(parts) if one.name == kept and not group), 0)
    places = range(len(parts))
    key = f"_versions_{stamp}_{first}"
    place = st.selectbox("Rule", places, index=first, format_func=titles.__getitem__, key=key, width=390)
    return parts[place or 0]


@st.cache_resource(show_spinner=False, max_entries=32)
def _drawn(
    stamp: str, name: str, group: bool, titles: tuple[str, str], _left: RuleSide, _right: RuleSide
) -> DrawnDifference:
    return (drawn_group if group else drawn_rule)(_left, _right, name, sides=titles)


@st.cache_resource(show_spinner=False, max_entries=8)
def _moved(
    stamp: str, changed: datetime, _project: ProjectRecord, _before: RuleVersion, _after: RuleVersion
) -> MovedTexts:
    texts = [record.text for record in all_records_of(_project)]
    return services_for(_project.task).compare(system_for(_project, _before), system_for(_project, _after), texts)
