"""Texts with labels behind the figures, with the matched words marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages._rules.texts import Behind, Views
from pages._shared.drawing.labels import NO_ANSWER, Palette
from pages._shared.drawing.tables import MarkedText, text_row
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, Mark, matched_words
from re2nn_core.services.rule_writing.draft import Draft, View
from re2nn_core.services.values.rules import Rule
from re2nn_core.services.values.stored import TextRecord


def _label_of(analysis: Analysis, rule: str) -> str:
    return analysis.system.ruleset.rules[analysis.rule_index[rule]].label


def _behind(analysis: Analysis, draft: Draft, view: View) -> Behind:
    if view == "missed":
        found = analysis.missed(draft.label if draft.rule is None else _label_of(analysis, draft.rule))
    elif draft.rule is not None:
        found = getattr(analysis, view)(rule=draft.rule)
    else:
        found = getattr(analysis, view)(label=draft.label)
    return {int(place): () for place in found}


def _others(analysis: Analysis, records: Sequence[TextRecord], rule: Rule) -> list[str]:
    """Texts that carry another label."""
    return [record.text for record in records if record.label is not None and record.label != rule.label]


def _marked(
    analysis: Analysis,
    records: Sequence[TextRecord],
    draft: Draft,
    palette: Palette,
    behind: Behind,
) -> list[str]:
    places = list(behind)
    speakers = {place: _speaker(analysis, draft, place) for place in places}
    marks: dict[int, tuple[Mark, ...]] = {}
    for name in {name for name in speakers.values() if name is not None}:
        mine = [place for place in places if speakers[place] == name]
        tree = analysis.system.ruleset.rules[analysis.rule_index[name]].expanded
        found = matched_words(tree, [records[place].text for place in mine], analysis.system.tokenization)
        marks.update(zip(mine, found, strict=True))
    return [
        text_row(
            MarkedText(
                records[place].text,
                marks.get(place, ()),
                _meta(analysis, records[place], place, draft, palette),
                _colour(analysis, palette, speakers[place]),
            )
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
    return "" if rule is None else palette.colour(_label_of(analysis, rule))


def _meta(analysis: Analysis, record: TextRecord, place: int, draft: Draft, palette: Palette) -> str:
    """The text's own label; where the answer differs, the answer; in a conflict all labels that speak."""
    gold = palette.chip(record.label)
    if draft.view == "conflicts":
        speaking = [analysis.labels[n] for n in np.flatnonzero(analysis.speaking[place])]
        return " ".join(map(palette.chip, speaking)) + f' <span class="re2-muted">is</span> {gold}'
    answer = analysis.answer(place)
    if answer == record.label:
        return gold
    said = palette.chip(answer, missing=NO_ANSWER)
    if record.label is None:
        return f'{said} <span class="re2-muted">· unlabelled</span>'
    return f'<span class="re2-muted">says</span> {said} <span class="re2-muted">is</span> {gold}'


VIEWS = Views(
    behind=_behind,
    count=len,
    names=lambda analysis, draft, rule: (_label_of(analysis, rule),),
    nothing={
        "hits": "No text is accepted. Try a shorter rule, or $* at both ends: a rule has to read the whole text.",
        "missed": "No text of the label is missed.",
        "wrong": "No hit carries another label.",
        "conflicts": "Nowhere does another label speak as well.",
    },
    refused=_others,
    rows=_marked,
    sentence=lambda analysis, text, place, about, draft: text,
)
