"""Somebody saved first: what each side changed, what both did side by side, and what becomes of this edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import unified_diff

import streamlit as st

from pages._rules.draft import Saving, conflict_key, keep
from pages._rules.strip import report_what_stopped, save
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_writing.draft import Draft, begin_anew, rebase, texts_of_version
from re2nn_core.services.rule_writing.rule_merge import MergeConflict, Merged, Side, merge_versions
from re2nn_core.services.rule_writing.word_lists import with_digests
from re2nn_core.services.values.stored import RuleVersion
from re2nn_core.text.joined_names import first_names

_NAMED = 12
_REMOVED = "(removed)"


def draw_conflict(draft: Draft) -> None:
    """The panel, while a newer version than the one that is edited stands against the draft."""
    saving: Saving | None = st.session_state.get(conflict_key(draft.project_id))
    if saving is None:
        return
    theirs = latest_version(store(), draft.project_id)
    if not draft.dirty or theirs.number <= draft.newest:
        st.session_state.pop(conflict_key(draft.project_id))
        return
    with messages.guard("Merging the rules"), st.container(border=True, key="rules_conflict"):
        merged = _merged(draft, theirs, {})
        decided = _draw_sides(draft, theirs, merged)
        if decided:
            merged = _merged(draft, theirs, decided)
        _draw_buttons(draft, theirs, merged, saving, undecided=len(merged.conflicts) - len(decided))
        with st.expander(f"Compare your edit with rules v{theirs.number}"):
            st.code(_difference(draft, theirs), language="diff")


def _merged(draft: Draft, theirs: RuleVersion, decided: Mapping[str, Side]) -> Merged:
    return merge_versions(draft.saved, texts_of_version(theirs), draft.texts, decided)


def _draw_sides(draft: Draft, theirs: RuleVersion, merged: Merged) -> dict[str, Side]:
    """What both sides changed; the conflicts that were decided, by name."""
    by = "you" if theirs.author == state.person() else theirs.author
    message = f" (“{theirs.message}”)" if theirs.message else ""
    st.warning(
        messages.plain(f"Not saved: {by} saved rules v{theirs.number}{message} after you opened rules v{draft.base}."),
        icon=":material/group:",
    )
    sides = ((f"Rules v{theirs.number} changed", merged.theirs), ("You changed", merged.mine))
    html(
        "".join(
            f"<div>{title}: <b>{escape(first_names(names, _NAMED) or 'nothing')}</b></div>" for title, names in sides
        )
    )
    return {
        conflict.name: side for conflict in merged.conflicts if (side := _decide(draft, theirs, conflict)) is not None
    }


def _decide(draft: Draft, theirs: RuleVersion, conflict: MergeConflict) -> Side | None:
    """A conflict side by side, and which side is kept."""
    html(f'<div class="re2-head">Both edits changed {escape(conflict.name)}</div>')
    titles: dict[Side, str] = {"theirs": f"Rules v{theirs.number}", "mine": "Your edit"}
    for column, side, text in zip(st.columns(2), titles, (conflict.theirs, conflict.mine), strict=True):
        with column:
            shown = _REMOVED if text is None else with_digests(text)
            html(f'<div class="re2-muted">{titles[side]}</div><pre>{escape(shown)}</pre>')
    chosen: Side | None = st.segmented_control(
        f"Keep for {messages.plain(conflict.name)}",
        list(titles),
        format_func=lambda side: f"Keep {titles[side][0].lower()}{titles[side][1:]}",
        key=f"_merge_{draft.project_id}_{draft.base}_{theirs.number}_{conflict.name}",
        label_visibility="collapsed",
    )
    return chosen


def _draw_buttons(draft: Draft, theirs: RuleVersion, merged: Merged, saving: Saving, *, undecided: int) -> None:
    why = access.why_not("reviewer")
    number = theirs.number + 1
    with st.container(horizontal=True, gap="small"):
        if st.button(
            f"Save both as rules v{number}",
            key="conflict_merge",
            type="primary",
            icon=":material/merge:",
            disabled=why is not None or undecided > 0,
            help=why or ("Choose one side where both changed the same rule." if undecided else None),
        ):
            _save(rebase(draft, theirs, merged.texts), saving)
        if st.button(
            f"Overwrite rules v{theirs.number}",
            key="conflict_overwrite",
            disabled=why is not None,
            help=why
            or f"Saves your edit as rules v{number} without the changes of rules v{theirs.number}: "
            f"{messages.plain(first_names(merged.theirs, _NAMED) or 'nothing')}.",
        ):
            _save(replace(draft, newest=theirs.number), saving)
        if st.button(f"Discard your edit and load rules v{theirs.number}", key="conflict_theirs"):
            st.session_state.pop(conflict_key(draft.project_id))
            keep(begin_anew(draft, theirs, theirs.number))
            state.choose_version(None)
            st.rerun()


def _save(draft: Draft, saving: Saving) -> None:
    st.session_state.pop(conflict_key(draft.project_id))
    save(keep(draft), saving)
    report_what_stopped(draft)


def _difference(draft: Draft, theirs: RuleVersion) -> str:
    """What overwriting would change, line by line: rules, label logic, sentences."""
    names, saved = ("rules", "label logic", "sentences"), f"rules v{theirs.number}"
    lines = [
        line
        for name, old, new in zip(names, texts_of_version(theirs), draft.texts, strict=True)
        for line in unified_diff(
            with_digests(old).splitlines(),
            with_digests(new).splitlines(),
            f"{name}, {saved}",
            f"{name}, your edit",
            lineterm="",
            n=1,
        )
    ]
    return "\n".join(lines) or "No difference."
