"""Rules and classes renamed wherever they are used, and words of rules found and replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages._rules.cards import draw_plain_switch
from pages._rules.draft import change_draft
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.errors import RuleError
from re2nn_core.services.rule_writing.draft import Draft, put_texts, reveal
from re2nn_core.services.rule_writing.renaming import RuleTexts, names_in, rename_class, rename_rule
from re2nn_core.services.rule_writing.replacing import Place, find_words, place_from, replace_next, replace_words
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

Change = Callable[[RuleTexts], RuleTexts]
_SHOWN = 6  # places
_AROUND = 40  # signs of a line in front of a place, and behind it


def draw_renaming(project: ProjectRecord, draft: Draft) -> None:
    """The button that opens both, and the switch to a plain editor."""
    with st.popover("Edit", icon=":material/edit_note:"):
        _draw_rename(project, draft)
        _draw_replace(project, draft)
        draw_plain_switch()


def _draw_rename(project: ProjectRecord, draft: Draft) -> None:
    lowercase = project.tokenization.lowercase
    try:
        named = names_in(draft.rules_text, lowercase=lowercase)
    except RuleError:
        st.markdown("Rules and classes can be renamed once the rules have no errors.")
        return
    chosen = st.selectbox(
        "Rename",
        [*named.rules, *(f"@{name}@" for name in named.classes)],
        index=None,
        placeholder="Choose a rule or a class",
        key="rules_rename_which",
    )
    new = st.text_input("New name", key="rules_rename_new").strip().strip("@")
    change: Change | None = None
    if chosen is not None and new:
        rename = rename_class if chosen.startswith("@") else rename_rule
        change = partial(rename, old=chosen.strip("@"), new=new, lowercase=lowercase)
    st.button(
        "Rename everywhere",
        key="rules_rename_do",
        disabled=change is None,
        help="In rules, comments, label logic and sentence tests. Nothing is saved before you save.",
        on_click=_change,
        args=(project.id, change),
    )


def _draw_replace(project: ProjectRecord, draft: Draft) -> None:
    wanted = st.text_input(
        "Find",
        key="rules_find",
        help="Whole words of rules and classes. Names of labels, rules and classes stay: rename those.",
    )
    instead = st.text_input("Replace with", key="rules_replace")
    places = find_words(draft.rules_text, wanted)
    if wanted.strip():
        html(_listed(places))
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Next place",
            key="rules_find_next",
            disabled=not places,
            on_click=_show_next,
            args=(project.id, tuple(place.line for place in places)),
        )
        here = place_from(places, _line(draft))
        if len(places) > 1 and here is not None:
            st.button(
                f"Replace in line {here.line:,}",
                key="rules_replace_one",
                help="The first place in this line, which is shown next.",
                on_click=_replace_one,
                args=(project.id, wanted, instead),
            )
        st.button(
            f"Replace {counted(len(places), 'place')}" if wanted.strip() else "Replace",
            key="rules_replace_do",
            disabled=not places,
            on_click=_replace,
            args=(project.id, wanted, instead),
        )


def _listed(places: Sequence[Place]) -> str:
    """The first places, each in its line."""
    if not places:
        return '<div class="re2-muted">No rule has these words.</div>'
    rows = [
        f'<div class="re2-muted">Line {place.line:,}: <code>{_quoted(place)}</code></div>' for place in places[:_SHOWN]
    ]
    more = len(places) - _SHOWN
    return "".join(rows) + (f'<div class="re2-muted">and {more:,} more</div>' if more > 0 else "")


def _quoted(place: Place) -> str:
    """The place, and what stands around it."""
    before, behind = place.text[: place.start].lstrip(), place.text[place.end :].rstrip()
    before = "…" + before[-_AROUND:] if len(before) > _AROUND else before
    behind = behind[:_AROUND] + "…" if len(behind) > _AROUND else behind
    found = escape(place.text[place.start : place.end])
    return f'{escape(before)}<mark class="re2-hit">{found}</mark>{escape(behind)}'


def _line(draft: Draft) -> int:
    """The line that the editor shows; 0 where nobody has gone to one."""
    return draft.reveal_line if draft.reveal_nonce else 0


def _show_next(project_id: int, lines: tuple[int, ...]) -> None:
    """Bring the next line with a place into sight, behind the last one the first."""

    def shown(draft: Draft) -> Draft:
        return reveal(draft, next((line for line in lines if line > _line(draft)), lines[0]))

    change_draft(project_id, shown)


def _replace(project_id: int, wanted: str, instead: str) -> None:
    def changed(draft: Draft) -> Draft:
        rules_text = replace_words(draft.rules_text, find_words(draft.rules_text, wanted), instead)
        return put_texts(draft, rules_text, draft.logic_text)

    change_draft(project_id, changed)


def _replace_one(project_id: int, wanted: str, instead: str) -> None:
    """Replace the place that is shown, and show the next one."""

    def changed(draft: Draft) -> Draft:
        rules_text, line = replace_next(draft.rules_text, wanted, instead, _line(draft))
        return draft if rules_text == draft.rules_text else reveal(put_texts(draft, rules_text, draft.logic_text), line)

    change_draft(project_id, changed)


def _texts(draft: Draft) -> RuleTexts:
    return RuleTexts(draft.rules_text, draft.logic_text, draft.sentences_text)


def _change(project_id: int, change: Change) -> None:
    def changed(draft: Draft) -> Draft:
        new = change(_texts(draft))
        return replace(put_texts(draft, new.rules, new.logic), sentences_text=new.sentences)

    with messages.guard_click("Renaming"):
        change_draft(project_id, changed)
