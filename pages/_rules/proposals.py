"""Rules, priorities and a default label that are proposed for what the rules get wrong, each with the texts that it
fixes and breaks. One is accepted into the editor by its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pages._rules.analysis import bench_of, proposed
from pages._rules.draft import draft_of
from pages._rules.proposal_cards import (
    MANY,
    Card,
    draw_cards,
    draw_found,
    effect_html,
    figures_html,
    first_places,
    keep_accepted,
    mark_html,
)
from pages._rules.selected_words import draw_words, nothing_advice
from pages._shared.components.guide import learn_more
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import MarkedText, Side, text_row
from pages._shared.session import state
from re2nn_core.services.rule_writing.classification.accepted_changes import accept_change
from re2nn_core.services.rule_writing.classification.exclusions import Exclusion
from re2nn_core.services.rule_writing.classification.proposals import DefaultLabel, Priority, Proposal
from re2nn_core.services.rule_writing.classification.proposed_changes import (
    Asked,
    Change,
    ProposedChanges,
    held_out_effects,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, matched_words
from re2nn_core.services.rule_writing.classification.unlabelled_texts import NewLabel
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.values.rules import Node
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.counting import counted

_FIXED_SHOWN, _BROKEN_SHOWN = 2, 1
Places = NDArray[np.int64]
_NOTHING = "Nothing to propose."
_NO_CONDITION = "No condition excludes incorrect matches on texts that it was not made from. Other proposals:"
_ADVICE = "No word or phrase fixes texts that it was not made from. Label more texts, or write a rule for a missed one."


def draw_proposals(analysis: Analysis, records: Sequence[TextRecord], draft: Draft, palette: Palette) -> None:
    """What is proposed for the selected texts, for the label or rule that is looked at, or for all. Where the search
    takes a while, rules of single words come first, and what is found takes their place."""
    if draft.editors.both != (analysis.system.rules_text, analysis.system.logic_text):
        messages.empty("Rules are proposed once these have no errors.", "See the errors on the left.")
        return
    project = state.require_project()
    chosen = tuple(sorted(draft.selected or ()))
    sentences = bench_of(project.id, records, project.tokenization).sentences
    words = draw_words(draft, [sentences[place] for place in chosen])
    asked = Asked(_label(analysis, draft), draft.rule, chosen, words)
    many = len(records) >= MANY and not asked.chosen
    draw_found(
        (project.id, project.updated_at, draft.editors.both, asked),
        lambda quick: proposed(project, analysis, replace(asked, quick=quick)),
        partial(_draw_found, analysis, records, draft, palette),
        "Looking for phrases of several words …" if many else None,
    )


def _draw_found(
    analysis: Analysis,
    records: Sequence[TextRecord],
    draft: Draft,
    palette: Palette,
    found: ProposedChanges,
    first: bool,
) -> None:
    if found.nothing and not first:
        messages.empty(_NOTHING, nothing_advice(draft, _ADVICE))
        return
    if draft.came == "wrong" and not (found.exclusions or draft.selected or first):
        html(f'<div class="re2-muted">{_NO_CONDITION}</div>')
    cards = _cards(found, analysis, records, palette, errors_first=draft.came == "wrong")
    draw_cards(cards, _accept, draft.project_id, analysis, first=first)
    if not first:
        learn_more("propose-rules", "How rules are proposed")


def _label(analysis: Analysis, draft: Draft) -> str | None:
    """The label that is looked at: the chosen one, or that of the chosen rule."""
    if draft.rule is None:
        return draft.label
    return analysis.system.ruleset.rules[analysis.rule_index[draft.rule]].label


def _cards(
    found: ProposedChanges, analysis: Analysis, records: Sequence[TextRecord], palette: Palette, *, errors_first: bool
) -> Iterator[Card]:
    """What gains most first; behind incorrect predictions, conditions that exclude them first."""
    ranked = found.exclusions + found.rules if errors_first else found.ranked()
    if len(found.priorities) > 1 and not errors_first:
        yield Card(_all_priorities(found.priorities), found.priorities, "Accept all")
    for one in ranked:
        if isinstance(one, DefaultLabel):
            yield Card(_default(one, palette), one)
        elif isinstance(one, Proposal):
            yield Card(_rule(one, analysis, records, palette), one)
        elif isinstance(one, Exclusion):
            yield Card(_exclusion(one, analysis, records, palette), one)
        else:
            yield Card(_priority(one, palette), (one,))
    if errors_first and found.default is not None:
        yield Card(_default(found.default, palette), found.default)
    for new in found.new_labels:
        yield Card(_new_label(new, analysis, records, palette), new)


def _rule(proposal: Proposal, analysis: Analysis, records: Sequence[TextRecord], palette: Palette) -> str:
    """The rule, what it does to unseen texts and to each split that made no proposal, and the first of these texts."""
    guessed = (proposal.fixed_guessed, proposal.broken_guessed)
    parts = [
        f"{effect_html(proposal.fixed_unseen, proposal.broken_unseen)} unseen texts",
        *([f"{effect_html(*guessed)} texts with a guessed label"] if any(guessed) else []),
        f"{proposal.correct:,} of {proposal.matches:,} matches correct",
        *_held_out(proposal, records),
    ]
    colour = palette.colour(proposal.label)
    texts = _texts(proposal.tree, proposal.fixed, proposal.broken, analysis, records, colour)
    return (
        f"<div>{palette.chip(proposal.label)} <code>{escape(proposal.name)} := {escape(proposal.expression)}</code>"
        f"{figures_html(parts)}{texts}</div>"
    )


def _held_out(proposal: Proposal | Exclusion, records: Sequence[TextRecord]) -> list[str]:
    """What it does to dev and test."""
    effects = held_out_effects(proposal, [record.split for record in records])
    return [f"{one.split} {effect_html(one.fixed, one.broken)}" for one in effects]


def _exclusion(one: Exclusion, analysis: Analysis, records: Sequence[TextRecord], palette: Palette) -> str:
    """The condition, what it does to unseen texts, to each split that made no proposal and to all labelled texts, and
    the first of these texts."""
    parts = [
        f"{effect_html(one.fixed_unseen, one.broken_unseen)} unseen texts",
        *_held_out(one, records),
        f"{effect_html(len(one.fixed), len(one.broken))} all labelled texts",
    ]
    if len(one.removed):
        parts.append(f"no prediction in place of {counted(len(one.removed), 'incorrect one')}")
    fixed = one.fixed if len(one.fixed) else one.removed
    texts = _texts(one.excluded, fixed, one.broken, analysis, records, palette.colour(one.label))
    return (
        f"<div>{palette.chip(one.label)} <code>{escape(one.rule)} … {escape(one.condition)}</code>"
        f"{figures_html(parts)}{texts}</div>"
    )


def _new_label(one: NewLabel, analysis: Analysis, records: Sequence[TextRecord], palette: Palette) -> str:
    """The rule and its new label, and texts without a label that it matches."""
    head = f"New label {palette.chip(one.label)} <code>{escape(one.name)} := {escape(one.expression)}</code>"
    parts = [
        f"matches {counted(len(one.texts), 'text')} without a label",
        f"{one.within:,} of {counted(one.of, 'selected text')}" if one.selected else f"{one.within:,} of one group",
    ]
    texts = _texts(one.tree, one.texts, one.texts[:0], analysis, records, palette.colour(one.label))
    return f"<div>{head}{figures_html(parts)}{texts}</div>"


def _texts(
    tree: Node,
    fixed: Places,
    broken: Places,
    analysis: Analysis,
    records: Sequence[TextRecord],
    colour: str,
) -> str:
    """The first texts that are fixed and broken, with the words that the expression names."""
    shown = [(place, True) for place in first_places(fixed.tolist(), records, _FIXED_SHOWN)]
    shown += [(place, False) for place in first_places(broken.tolist(), records, _BROKEN_SHOWN)]
    texts = [records[place].text for place, _ in shown]
    marks = matched_words(tree, texts, analysis.system.tokenization)
    return "".join(
        text_row(MarkedText(text, meta=mark_html(fixed=fixed), sides=(Side(own, colour),)))
        for text, own, (_, fixed) in zip(texts, marks, shown, strict=True)
    )


def _priority(priority: Priority, palette: Palette) -> str:
    stronger, weaker = palette.chip(priority.stronger), palette.chip(priority.weaker)
    figures = f'<div class="re2-muted">{effect_html(priority.fixed, priority.broken)} texts that both match</div>'
    return f"<div>Priority: {stronger} wins over {weaker}{figures}</div>"


def _all_priorities(priorities: Sequence[Priority]) -> str:
    fixed, broken = (sum(getattr(one, part) for one in priorities) for part in ("fixed", "broken"))
    figures = f'<div class="re2-muted">{effect_html(fixed, broken)} texts that several labels match</div>'
    return f"<div><b>Resolve conflicts by {len(priorities)} priorities</b>{figures}</div>"


def _default(default: DefaultLabel, palette: Palette) -> str:
    figures = default_effect(default)
    return f'<div>Default label: {palette.chip(default.label)}<div class="re2-muted">{figures}</div></div>'


def default_effect(default: DefaultLabel) -> str:
    """What a default label fixes, and which texts get it, as HTML."""
    return f"{effect_html(default.fixed, 0)} {default.reach}"


def _accept(project_id: int, analysis: Analysis, change: Change) -> None:
    """Put a proposal into the editors."""
    keep_accepted(accept_change(draft_of(project_id), analysis, change))
