"""The texts behind the figures: hits, missed, wrong, conflicts, with the matched words marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages._rules.draft import Draft, View
from pages._rules.rule_list import VIEWS
from pages._rules.sentences import draw_sentences, keep_button, report_of, sentences_title
from pages._shared.drawing.labels import NO_ANSWER, Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import MarkedText, text_row
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, Mark, matched_words
from re2nn_core.services.values.rules import Kind
from re2nn_core.services.values.stored import ProjectRecord, TextRecord

TITLES: dict[View, str] = {"hits": "Hits", "missed": "Missed", "wrong": "Wrong", "conflicts": "Conflicts"}
MORE = 50
_NOTHING: dict[View, str] = {
    "hits": "No text is accepted. Try a shorter rule, or $* at both ends: a rule has to read the whole text.",
    "missed": "No text of the label is missed.",
    "wrong": "No hit carries another label.",
    "conflicts": "Nowhere does another label speak as well.",
}


def draw_texts(
    analysis: Analysis,
    records: Sequence[TextRecord],
    draft: Draft,
    palette: Palette,
    project: ProjectRecord,
) -> None:
    """The chosen view of the chosen rule, label, or all."""
    if draft.rule is not None and draft.rule not in analysis.rule_index:
        draft.focus()
    found = {view: _texts_of(analysis, draft, view) for view in VIEWS}
    report = report_of(draft, analysis.system)
    titles: dict[View, str] = {view: f"{TITLES[view]} {len(found[view]):,}" for view in VIEWS}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        choose_view(draft, titles | {"sentences": sentences_title(report, draft.rule)})
        _heading(analysis, draft, palette)
    with st.container(height=300, border=False, key="re2_texts"):
        if draft.view == "sentences":
            draw_sentences(draft, analysis.system, report, lambda rule: _others(analysis, records, rule.label))
            return
        places = found[draft.view]
        if not len(places):
            html(f'<div class="re2-empty re2-muted">{escape(_NOTHING[draft.view])}</div>')
            return
        shown = [int(place) for place in places[: draft.shown]]
        rows = list(map(text_row, _marked(analysis, records, draft, palette, project, shown)))
        draw_rows(draft, rows, [records[place].text for place in shown])
        if len(places) > draft.shown and st.button(
            f"Show {min(MORE, len(places) - draft.shown)} more of {len(places):,}", key="rules_more"
        ):
            draft.shown += MORE
            st.rerun(scope="fragment")


def _texts_of(analysis: Analysis, draft: Draft, view: View) -> NDArray[np.int64]:
    label = draft.label
    if draft.rule is not None:
        label = analysis.system.ruleset.rules[analysis.rule_index[draft.rule]].label
    if view == "missed":
        return analysis.missed(label)
    if draft.rule is not None:
        return getattr(analysis, view)(rule=draft.rule)
    return getattr(analysis, view)(label=draft.label)


def choose_view(draft: Draft, titles: Mapping[View, str]) -> None:
    """The views with their counts; the chosen one is kept in the draft."""
    key = f"_rules_view_{draft.project_id}"
    if st.session_state.get(key) != draft.view:
        st.session_state[key] = draft.view
    st.segmented_control(
        "Which texts",
        tuple(titles),
        format_func=titles.__getitem__,
        key=key,
        required=True,
        label_visibility="collapsed",
        # By a callback: at the top of the run the draft's view, which a click in the list may have set, goes first.
        on_change=_take_view,
        args=(draft, key),
    )


def draw_rows(draft: Draft, rows: Sequence[str], sentences: Sequence[str]) -> None:
    """Texts one below the other, as HTML. Where a rule is chosen, each with a button that makes it a sentence of it."""
    kind: Kind = "must_not" if draft.view == "wrong" else "must"
    if draft.rule is None or draft.view == "conflicts":
        html(f'<div class="re2-texts">{"".join(rows)}</div>')
        return
    with st.container(gap=None):
        for place, (row, sentence) in enumerate(zip(rows, sentences, strict=True)):
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"re2_row_text_{place}"):
                html(row)
                keep_button(draft, kind, sentence, place)


def _others(analysis: Analysis, records: Sequence[TextRecord], label: str) -> list[str]:
    """Texts that carry another label."""
    return [record.text for record in records if record.label is not None and record.label != label]


def _take_view(draft: Draft, key: str) -> None:
    draft.view, draft.shown = st.session_state[key], 25


def _heading(analysis: Analysis, draft: Draft, palette: Palette) -> None:
    if draft.rule is not None:
        rule = analysis.system.ruleset.rules[analysis.rule_index[draft.rule]]
        html(f"of <b>{escape(rule.name)}</b> {palette.chip(rule.label)}")
    elif draft.label is not None:
        html(f"of {palette.chip(draft.label)}")
    else:
        html("of all rules")
    if (draft.rule or draft.label) and st.button("All", key="rules_all", help="Texts of all rules", type="tertiary"):
        draft.focus()
        st.rerun(scope="fragment")


def _marked(
    analysis: Analysis,
    records: Sequence[TextRecord],
    draft: Draft,
    palette: Palette,
    project: ProjectRecord,
    places: Sequence[int],
) -> list[MarkedText]:
    speakers = {place: _speaker(analysis, draft, place) for place in places}
    marks: dict[int, tuple[Mark, ...]] = {}
    for name in {name for name in speakers.values() if name is not None}:
        mine = [place for place in places if speakers[place] == name]
        tree = analysis.system.ruleset.rules[analysis.rule_index[name]].expanded
        found = matched_words(tree, [records[place].text for place in mine], project.tokenization)
        marks.update(zip(mine, found, strict=True))
    return [
        MarkedText(
            records[place].text,
            marks.get(place, ()),
            _meta(analysis, records[place], place, draft, palette),
            _colour(analysis, palette, speakers[place]),
        )
        for place in places
    ]


def _speaker(analysis: Analysis, draft: Draft, place: int) -> str | None:
    """The rule whose words are marked: the chosen one, else the first that accepts the text."""
    if draft.rule is not None and analysis.fired[place, analysis.rule_index[draft.rule]]:
        return draft.rule
    names = analysis.rules_that_hit(place, label=draft.label) if draft.view != "missed" else ()
    return names[0] if names else next(iter(analysis.rules_that_hit(place)), None)


def _colour(analysis: Analysis, palette: Palette, rule: str | None) -> str:
    if rule is None:
        return ""
    return palette.colour(analysis.system.ruleset.rules[analysis.rule_index[rule]].label)


def _meta(analysis: Analysis, record: TextRecord, place: int, draft: Draft, palette: Palette) -> str:
    """The text's own label; where the answer differs, the answer; in a conflict all labels that speak."""
    gold = palette.chip(record.label)
    if draft.view == "conflicts":
        speaking = [analysis.labels[n] for n in np.flatnonzero(analysis.label_holds[place])]
        return " ".join(map(palette.chip, speaking)) + f' <span class="re2-muted">is</span> {gold}'
    answer = analysis.answer(place)
    if answer == record.label:
        return gold
    said = palette.chip(answer, missing=NO_ANSWER)
    if record.label is None:
        return f'{said} <span class="re2-muted">· unlabelled</span>'
    return f'<span class="re2-muted">says</span> {said} <span class="re2-muted">is</span> {gold}'
