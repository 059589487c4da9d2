"""The rule that is looked at travels from page to page, in the address as `rule`: here links to it are followed, which
drawing/rule_link.py makes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from pages._shared.catalog import ASSETS, AUTOMATON, COMPARE, RULES, PageEntry
from pages._shared.drawing.markup import escape, html
from pages._shared.session import state
from re2nn_core.services.rule_writing.rule_history import changed_rules
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

_LINKS = "_script_rule_links"
_FOLLOWED = "_rule_link_followed"
_TARGETS: Mapping[str, PageEntry] = {PurePosixPath(page.file).stem: page for page in (RULES, AUTOMATON, COMPARE)}


def follow_links() -> None:
    """Go where a link was clicked. Every page calls this before it reads anything."""
    sent = st.session_state.get(_LINKS)
    asked = sent.get("to") if sent else None
    if not isinstance(asked, Mapping) or asked.get("nonce") == st.session_state.get(_FOLLOWED):
        return
    st.session_state[_FOLLOWED] = asked.get("nonce")
    parts = urlsplit(str(asked.get("href", "")))
    page, rule = _TARGETS.get(PurePosixPath(parts.path).name), parse_qs(parts.query).get("rule")
    project = state.project_id()
    if page is not None and rule and project is not None:
        # Also where it is the rule of the address: what was chosen since on the page gives way.
        st.session_state.pop(_seen(PurePosixPath(page.file).stem, project), None)
        st.session_state.pop(_saved(project), None)
        state.name_rule(rule[0])
        st.switch_page(page.file, query_params={"project": str(project), "rule": rule[0]})


def draw_link_script() -> None:
    """What hears the clicks on links to rules; once a page."""
    _component()(key=_LINKS, height=0, on_to_change=_nothing)


def followed_rule(page: PageEntry, project_id: int) -> str | None:
    """The rule that was chosen elsewhere since this page looked last; None where none was."""
    state.named_rule()
    return _newly_chosen(page, project_id)


def linked_rule(page: PageEntry, project_id: int) -> tuple[str | None, bool]:
    """The same where a link or the address named it, for a page that has a rule of its own to begin with; and whether
    another rule was chosen elsewhere at all."""
    named, chosen = state.named_rule(), _newly_chosen(page, project_id)
    return (chosen if chosen == named else None), chosen is not None


def _newly_chosen(page: PageEntry, project_id: int) -> str | None:
    chosen, seen = state.current_rule(), _seen(PurePosixPath(page.file).stem, project_id)
    if chosen == st.session_state.get(seen):
        return None
    st.session_state[seen] = chosen
    return chosen


def choose_rule(page: PageEntry, project_id: int, name: str | None) -> None:
    """Look at this rule from now on, by the choice of somebody on this page."""
    st.session_state[_seen(PurePosixPath(page.file).stem, project_id)] = name
    if name != state.current_rule():
        state.choose_rule(name)


def remember_saved(project: ProjectRecord, before: RuleVersion, saved: RuleVersion) -> None:
    """That a version was saved on another page than Write rules, which opens on what changed by it."""
    names = changed_rules(before, saved, lowercase=project.tokenization.lowercase)
    st.session_state[_saved(project.id)] = names


def saved_rules(project_id: int) -> tuple[str, ...]:
    """The rules that were changed by a save on another page since this was asked last."""
    names: tuple[str, ...] = st.session_state.pop(_saved(project_id), ())
    return names


def report_missing(name: str | None, rules: Collection[str], version: int) -> None:
    """That the rule of a link is not among the rules, where it is not."""
    if name is not None and name not in rules:
        html(
            f'<div class="re2-warn">Rules v{version} have no rule “{escape(name)}”. It was renamed or '
            "deleted, or is in another version. Choose a rule from the list, or another version above.</div>"
        )


def _saved(project_id: int) -> str:
    return f"_rule_saved_{project_id}"


def _seen(page: str, project_id: int) -> str:
    return f"_rule_seen_{page}_{project_id}"


def _nothing() -> None:
    """Makes the key known to the component; the next run reads the value itself."""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    js = (ASSETS / "rule_links.js").read_text(encoding="utf-8")
    return st.components.v2.component("re2nn_rule_links", js=js)
