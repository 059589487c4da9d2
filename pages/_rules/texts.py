"""The texts behind the figures: matches, missed, wrong, conflicts, and what is proposed for them. The same for labels
and slots.

What differs is told by Views (label_texts.py, slot_filling/texts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Generic, TypeVar

import streamlit as st

from pages._rules.draft import change_draft, keep
from pages._rules.effect import EffectView
from pages._rules.rule_list import VIEWS
from pages._rules.sentences import draw_sentences, keep_button, report_of, sentences_title
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.messages import plain
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.draft import Draft, View, begin_selection, choose_view, focus, select_text
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.rules import Kind, Rule
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.counting import counted

Found = TypeVar("Found", Analysis, SlotAnalysis)
_TITLES: dict[View, str] = {"matches": "Matches", "missed": "Missed", "conflicts": "Conflicts"}
_MORE = 50
Behind = Mapping[int, Sequence[object]]


@dataclass(frozen=True)
class Views(Generic[Found]):
    """What differs between labels and slots.

    behind      the texts of a view by their places, each with the spans or words that it is about
    count       how many there are
    names       the slots of the chosen rule, where it has several
    nothing     what is said where a view has no text
    refused     texts that a rule should rather refuse
    rows        texts as HTML
    sentence    what the chosen rule would be held to by a text; told what the text is about
    against     whether a text that the chosen rule matches is a wrong one, which it must not match
    total       how the matches of what is looked at add up, and those that nothing matches
    missed_with_rule    the title of what is missed where a rule is chosen: by all rules of its label, or in its slots
    wrong       the title of what is wrong: matches of rules, or spans
    noun        behind the number of texts
    propose     draws what is proposed for the label of the chosen rule, for the chosen label, or for all
    selectable  whether texts can be selected to propose rules for
    """

    behind: Callable[[Found, Draft, View], Behind]
    count: Callable[[Behind], int]
    names: Callable[[Found, Draft, str], Sequence[str]]
    nothing: Mapping[View, str]
    refused: Callable[[Found, Sequence[TextRecord], Rule], Sequence[str]]
    rows: Callable[[Found, Sequence[TextRecord], Draft, Palette, Behind], list[str]]
    sentence: Callable[[Found, str, int, Sequence[object], Draft], str]
    against: Callable[[Found, Sequence[TextRecord], int, Draft], bool]
    total: Callable[[Found, Draft], str] = lambda _, draft: ""
    missed_with_rule: str = "Missed by label"
    wrong: str = "Incorrect matches"
    noun: str = ""
    propose: Callable[[Found, Sequence[TextRecord], Draft, Palette], None] | None = None
    selectable: bool = False


def draw_texts(
    views: Views[Found],
    analysis: Found,
    records: Sequence[TextRecord],
    draft: Draft,
    palette: Palette,
    edit: EffectView | None,
) -> None:
    """The chosen view of the chosen rule, label or slot, or all, or the effect of the edit in hand."""
    if draft.view == "effect" and edit is None:
        draft = keep(choose_view(draft, draft.came))
    if draft.rule is not None and draft.rule not in analysis.rule_index:
        draft = keep(focus(draft))
    found = {view: views.behind(analysis, draft, view) for view in VIEWS}
    report = report_of(draft, analysis.system)
    # A text that no rule of its label matches is not missed by one rule more than by another.
    of_label = {"missed": views.missed_with_rule} if draft.rule is not None else {}
    names = _TITLES | {"wrong": views.wrong} | of_label
    titles: dict[View, str] = {view: f"{names[view]} {views.count(found[view]):,}" for view in VIEWS}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        further: dict[View, str] = {"sentences": sentences_title(report, draft.rule)}
        if views.propose is not None and draft.view == "proposals":  # else the button leads there
            further["proposals"] = "Proposals"
        if edit is not None:
            further["effect"] = edit.title
        _choose_view(draft, titles | further)
        if draft.view != "effect":
            _heading(
                draft,
                palette,
                () if draft.rule is None else views.names(analysis, draft, draft.rule),
                views.total(analysis, draft),
            )
            if views.propose is not None and draft.view != "proposals":
                _propose_button(draft)
            if views.selectable and (draft.view in VIEWS or draft.selected is not None):
                _select_button(draft)
    with st.container(height=300, border=False, key="re2_texts"):
        if draft.view == "sentences":
            draw_sentences(draft, analysis.system, report, lambda rule: views.refused(analysis, records, rule))
            return
        if draft.view == "proposals" and views.propose is not None:
            views.propose(analysis, records, draft, palette)
            return
        if draft.view == "effect":
            if edit is not None:
                edit.draw()
            return
        behind = found[draft.view]
        if not behind:
            html(f'<div class="re2-empty re2-muted">{escape(views.nothing[draft.view])}</div>')
            return
        shown = dict(islice(behind.items(), draft.shown))
        sentences = [views.sentence(analysis, records[at].text, at, what, draft) for at, what in shown.items()]
        kinds: list[Kind] = ["must_not" if views.against(analysis, records, at, draft) else "must" for at in shown]
        rows = views.rows(analysis, records, draft, palette, shown)
        if draft.selected is not None:
            _draw_selectable(draft, tuple(shown), rows, [records[place].text for place in shown])
        else:
            _draw_rows(draft, rows, sentences, kinds)
        if len(behind) > draft.shown:
            more = f"Show {min(_MORE, len(behind) - draft.shown)} more of {len(behind):,}{views.noun}"
            st.button(more, key="rules_more", on_click=_show_more, args=(draft.project_id,))


def _show_more(project_id: int) -> None:
    change_draft(project_id, lambda draft: replace(draft, shown=draft.shown + _MORE))


def _select_button(draft: Draft) -> None:
    """Begins and ends the selection of texts."""
    begun = draft.selected is not None
    st.button(
        "Clear selection" if begun else "Select texts",
        key="rules_select",
        icon=":material/deselect:" if begun else ":material/select_check_box:",
        type="tertiary",
        help=None if begun else "Select texts to propose rules for",
        on_click=change_draft,
        args=(draft.project_id, lambda now: replace(now, selected=None) if begun else begin_selection(now)),
    )


def _draw_selectable(draft: Draft, places: Sequence[int], rows: Sequence[str], texts: Sequence[str]) -> None:
    """Texts one below the other, each with a box behind it that selects it."""
    with st.container(gap=None):
        for place, row, text in zip(places, rows, texts, strict=True):
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"re2_row_text_{place}"):
                key = f"rules_select_{place}"
                chosen = place in (draft.selected or ())
                html(row)
                st.checkbox(
                    plain(text), chosen, key=key, label_visibility="collapsed", on_change=_select, args=(draft, place)
                )


def _select(draft: Draft, place: int) -> None:
    on = bool(st.session_state[f"rules_select_{place}"])
    change_draft(draft.project_id, lambda now: select_text(now, place, on=on))


def _propose_button(draft: Draft) -> None:
    selected = len(draft.selected or ())
    st.button(
        f"Propose rules for {counted(selected, 'text')}" if selected else "Propose rules",
        key="rules_propose",
        icon=":material/lightbulb:",
        type="tertiary",
        shortcut="P",
        help="Propose rules",
        on_click=change_draft,
        args=(draft.project_id, lambda now: choose_view(now, "proposals")),
    )


def _choose_view(draft: Draft, titles: Mapping[View, str]) -> None:
    """The views with their counts; the chosen one is kept in the draft."""
    key = f"_rules_view_{draft.project_id}"
    if st.session_state.get(key) != draft.view:
        st.session_state[key] = draft.view
    st.segmented_control(
        "Texts to show",
        tuple(titles),
        format_func=titles.__getitem__,
        key=key,
        required=True,
        label_visibility="collapsed",
        # By a callback: at the top of the run the draft's view, which a click in the list may have set, goes first.
        on_change=_take_view,
        args=(draft.project_id, key),
    )


def _draw_rows(draft: Draft, rows: Sequence[str], sentences: Sequence[str], kinds: Sequence[Kind]) -> None:
    """Texts one below the other, as HTML. Where a rule is chosen, each with a button that makes it a sentence of it:
    one that it must match, or must not."""
    if draft.rule is None or draft.view == "conflicts":
        html(f'<div class="re2-texts">{"".join(rows)}</div>')
        return
    with st.container(gap=None):
        for place, (row, sentence, kind) in enumerate(zip(rows, sentences, kinds, strict=True)):
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"re2_row_text_{place}"):
                html(row)
                keep_button(draft, kind, sentence, place)


def sums(*parts: tuple[int, str]) -> str:
    """Parts of a number, each with what it counts; the third and later ones only where there are some."""
    return " + ".join(f"{count:,} {what}" for place, (count, what) in enumerate(parts) if count or place < 2)


def _take_view(project_id: int, key: str) -> None:
    # A view that is gone, as that of the effect after saving, comes back as none.
    if (view := st.session_state[key]) is not None:
        change_draft(project_id, lambda draft: choose_view(draft, view))


def _heading(draft: Draft, palette: Palette, names: Sequence[str], total: str) -> None:
    if draft.view == "proposals" and draft.selected:
        html(f"<b>{counted(len(draft.selected), 'selected text')}</b>")
        return
    if draft.rule is not None:
        of = f"<b>{escape(draft.rule)}</b> {' '.join(map(palette.chip, names))}"
    else:
        of = "all rules" if draft.label is None else palette.chip(draft.label)
    html(f'{of} <span class="re2-muted">{escape(total)}</span>')
    if draft.rule or draft.label:
        back = partial(change_draft, draft.project_id, focus)
        st.button("All", key="rules_all", help="Texts of all rules", type="tertiary", on_click=back)
