"""Texts with labels behind the figures, with the matched words marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pages._rules.proposals import draw_proposals
from pages._rules.texts import Behind, Views, sums
from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.tables import MarkedText, Side, text_row
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
    if draft.view == "conflicts":
        rules_for = {place: _winners(analysis, place) for place in places}
    else:
        rules_for = {place: (name,) if (name := _deciding_rule(analysis, draft, place)) else () for place in places}
    marks: dict[tuple[int, str], tuple[Mark, ...]] = {}
    for name in {name for names in rules_for.values() for name in names}:
        mine = [place for place in places if name in rules_for[place]]
        tree = analysis.system.ruleset.rules[analysis.rule_index[name]].expanded
        found = matched_words(tree, [records[place].text for place in mine], analysis.system.tokenization)
        marks.update({(place, name): own for place, own in zip(mine, found, strict=True)})
    return [
        text_row(
            MarkedText(
                records[place].text,
                meta=_meta(analysis, records[place], place, draft, palette),
                sides=tuple(Side(marks[place, name], _colour(analysis, palette, name)) for name in rules_for[place]),
            )
        )
        for place in places
    ]


def _winners(analysis: Analysis, place: int) -> tuple[str, ...]:
    """Of a text in conflict a rule of each active label, that of the prediction first."""
    labels = [analysis.labels[number] for number in np.flatnonzero(analysis.active[place])]
    return tuple(name for label in labels for name in analysis.rules_that_hit(place, label=label)[:1])


def _deciding_rule(analysis: Analysis, draft: Draft, place: int) -> str | None:
    """The rule whose words are marked: the chosen one, else the first that accepts the text."""
    if draft.rule is not None and analysis.matched[place, analysis.rule_index[draft.rule]]:
        return draft.rule
    names = analysis.rules_that_hit(place, label=draft.label) if draft.view != "missed" else ()
    return names[0] if names else next(iter(analysis.rules_that_hit(place)), None)


def _colour(analysis: Analysis, palette: Palette, rule: str) -> str:
    return palette.colour(_label_of(analysis, rule))


def _meta(analysis: Analysis, record: TextRecord, place: int, draft: Draft, palette: Palette) -> str:
    """The text's own label; where the prediction differs, the prediction; in a conflict which label won over which."""
    gold = palette.chip(record.label)
    if draft.view == "conflicts":
        winner, *others = (palette.chip(analysis.labels[number]) for number in np.flatnonzero(analysis.active[place]))
        return (
            f"""{winner} <span class="re2-muted">wins by the order of labels over</span> {" ".join(others)} <span """
            f'class="re2-muted">· label</span> {gold}'
        )
    prediction = analysis.prediction(place)
    if prediction == record.label:
        return gold
    message = palette.chip(prediction, missing=NO_PREDICTION)
    if record.label is None:
        return f'{message} <span class="re2-muted">· unlabelled</span>'
    return f'<span class="re2-muted">predicted</span> {message} <span class="re2-muted">label</span> {gold}'


def _total(analysis: Analysis, draft: Draft) -> str:
    """Of a rule or a label, its matches by their own label, whatever the label logic makes of them; of all rules, texts
    with and without a match by what is predicted."""
    unknown = analysis.gold < 0
    if draft.rule is not None or draft.label is not None:
        matches = analysis.matches(rule=draft.rule, label=draft.label)
        wrong, unlabelled = len(analysis.wrong(rule=draft.rule, label=draft.label)), int(unknown[matches].sum())
        right = len(matches) - wrong - unlabelled
        parts = sums((right, "correct"), (wrong, "incorrect"), (unlabelled, "unlabelled"))
        return f"{parts}, before label logic"
    texts, bad, what = analysis.of_label(None), (len(analysis.wrong()), "incorrect"), "matches"
    if draft.view == "missed":
        texts, bad, what = ~texts, (len(analysis.missed()), "missed"), "without a match"
    right = int((texts & analysis.correct).sum())
    parts = sums((right, "correct"), bad, (int((texts & unknown).sum()), "unlabelled"))
    return f"{parts} = {int(texts.sum()):,} {what}, after label logic"


VIEWS = Views(
    behind=_behind,
    count=len,
    names=lambda analysis, draft, rule: (),
    nothing={
        "matches": "No text matches. Try a shorter rule, or $* at both ends: a rule matches whole texts.",
        "missed": "No text of the label is missed.",
        "wrong": "No match has another label.",
        "conflicts": "No text matches rules of several labels, or priorities decide them all.",
    },
    refused=_others,
    against=lambda analysis, records, place, draft: (
        draft.rule is not None and records[place].label not in (None, _label_of(analysis, draft.rule))
    ),
    total=_total,
    rows=_marked,
    sentence=lambda analysis, text, place, about, draft: text,
    propose=draw_proposals,
    selectable=True,
)
