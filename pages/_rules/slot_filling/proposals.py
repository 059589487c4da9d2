"""Rules for slots that are proposed for spans that are missed, each with the spans that it fixes and breaks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pages._rules.draft import draft_of
from pages._rules.proposal_cards import (
    MANY,
    Card,
    draw_cards,
    draw_found,
    effect_html,
    figures_html,
    keep_accepted,
    mark_html,
)
from pages._rules.selected_words import draw_words, nothing_advice
from pages._rules.slot_filling.analysis import excluded_for_slots, proposed_for_slots
from pages._shared.components.guide import learn_more
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.spans import Kind, Shown, SpanText, span_row, spans_html
from pages._shared.session import state
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.slot_filling.exclusions import SlotExclusion
from re2nn_core.services.rule_writing.slot_filling.proposed_changes import accept_slot_proposal, held_out_spans
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import Located, SlotProposal
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.counting import counted

_FIXED_SHOWN, _BROKEN_SHOWN, _VALUES_SHOWN = 2, 1, 8
_Found = tuple[tuple[SlotProposal, ...], tuple[SlotExclusion, ...]]
_NOTHING = "Nothing to propose."
_NO_CONDITION = "No condition excludes incorrect spans on texts that it was not made from. Other proposals:"
_ADVICE = (
    "No value and no context fixes spans of texts that it was not made from. Annotate more texts, or write a rule for "
    "a missed span."
)


def draw_slot_proposals(analysis: SlotAnalysis, records: Sequence[TextRecord], draft: Draft, palette: Palette) -> None:
    """What is proposed for the selected texts, for the slot that is looked at, or for all."""
    if draft.editors.both != (analysis.system.rules_text, analysis.system.logic_text):
        messages.empty("Rules are proposed once these have no errors.", "See the errors on the left.")
        return
    project, slot, chosen = state.require_project(), _slot(analysis, draft), tuple(sorted(draft.selected or ()))
    many = analysis.texts >= MANY and not chosen
    words = draw_words(draft, [analysis.bench.sentences[place] for place in chosen])

    def look(quick: bool) -> _Found:
        found = proposed_for_slots(project, analysis, slot, chosen, words, quick=quick)
        return found, () if chosen or quick else excluded_for_slots(project, analysis, slot, draft.rule)

    draw_found(
        (project.id, project.updated_at, draft.editors.both, slot, draft.rule, chosen, words),
        look,
        partial(_draw_found, analysis, records, draft, palette),
        "Looking at more texts …" if many else None,
    )


def _draw_found(
    analysis: SlotAnalysis,
    records: Sequence[TextRecord],
    draft: Draft,
    palette: Palette,
    found: _Found,
    first: bool,
) -> None:
    rules, exclusions = found
    if not (rules or exclusions) and not first:
        messages.empty(_NOTHING, nothing_advice(draft, _ADVICE))
        return
    if draft.came == "wrong" and not (exclusions or draft.selected or first):
        html(f'<div class="re2-muted">{_NO_CONDITION}</div>')
    every = (*exclusions, *rules)
    ordered = every if draft.came == "wrong" else sorted(every, key=lambda one: -one.gain)
    cards = [_card(one, analysis, records, palette) for one in ordered]
    draw_cards(cards, _accept, draft.project_id, analysis, first=first)
    if not first:
        learn_more("propose-rules", "How rules are proposed")


def _slot(analysis: SlotAnalysis, draft: Draft) -> str | None:
    """The slot that is looked at: the chosen one, or that of the chosen rule if it has one alone."""
    if draft.rule is None or draft.label is not None:
        return draft.label
    slots = analysis.slots_of_rule[draft.rule]
    return slots[0] if len(slots) == 1 else None


def _card(
    one: SlotProposal | SlotExclusion, analysis: SlotAnalysis, records: Sequence[TextRecord], palette: Palette
) -> Card:
    if isinstance(one, SlotExclusion):
        return Card(_exclusion(one, analysis, records, palette), one)
    return Card(_rule(one, analysis, records, palette), one)


def _rule(proposal: SlotProposal, analysis: SlotAnalysis, records: Sequence[TextRecord], palette: Palette) -> str:
    """The rule, what it does to unseen spans and to each split that made no proposal, and the first of these spans."""
    splits = [record.split for record in records]
    guessed = (proposal.fixed_guessed, proposal.broken_guessed)
    figures = figures_html(
        (
            f"{effect_html(proposal.fixed_unseen, proposal.broken_unseen)} unseen spans",
            *([f"{effect_html(*guessed)} guessed spans"] if any(guessed) else []),
            f"{proposal.correct:,} of {proposal.matches:,} spans correct",
            *(f"{split} {effect_html(*effect)}" for split, *effect in held_out_spans(proposal, splits)),
        )
    )
    rule = f"<code>{escape(proposal.name)} := {escape(proposal.expression)}</code>"
    texts = _texts(proposal.fixed, proposal.broken, analysis, records, palette)
    return f"<div>{palette.chip(proposal.slot)} {rule}{_classes(proposal)}{figures}{texts}</div>"


def _classes(proposal: SlotProposal) -> str:
    """The word classes, each with its first alternatives."""
    lines = []
    for name, alternatives in proposal.alternatives_shown:
        shown = " | ".join(alternatives[:_VALUES_SHOWN])
        more = len(alternatives) - _VALUES_SHOWN
        rest = f" and {counted(more, 'more', 'more')}" if more > 0 else ""
        also = "also " if proposal.extends is not None else ""
        lines.append(f"<div><code>@{escape(name)}@</code> {also}{escape(shown)}{rest}</div>")
    return "".join(lines)


def _exclusion(one: SlotExclusion, analysis: SlotAnalysis, records: Sequence[TextRecord], palette: Palette) -> str:
    """The condition, and what it does to unseen spans, to each split that made no proposal and to all spans."""
    splits = [record.split for record in records]
    parts = (
        f"{effect_html(one.fixed_unseen, one.broken_unseen)} unseen spans",
        *(f"{split} {effect_html(*effect)}" for split, *effect in held_out_spans(one, splits)),
        f"{effect_html(len(one.fixed), len(one.broken))} all annotated texts",
    )
    chips = " ".join(map(palette.chip, one.slots))
    condition = f"{chips} <code>{escape(one.rule)} … {escape(one.condition)}</code>"
    return f"<div>{condition}{figures_html(parts)}{_texts(one.fixed, one.broken, analysis, records, palette)}</div>"


def _texts(
    fixed: Sequence[Located],
    broken: Sequence[Located],
    analysis: SlotAnalysis,
    records: Sequence[TextRecord],
    palette: Palette,
) -> str:
    shown = [(one, True) for one in fixed[:_FIXED_SHOWN]]
    shown += [(one, False) for one in broken[:_BROKEN_SHOWN]]
    rows = []
    for (place, span), good in shown:
        annotated = span in (analysis.gold[place] or ())
        kind: Kind = "given" if good and annotated else "missed" if annotated else "wrong"
        body = spans_html(records[place].text, [Shown(span, kind)], palette)
        rows.append(span_row(SpanText(body, meta=mark_html(fixed=good))))
    return "".join(rows)


def _accept(project_id: int, analysis: SlotAnalysis, proposal: SlotProposal | SlotExclusion) -> None:
    """Put a proposal into the editor."""
    keep_accepted(accept_slot_proposal(draft_of(project_id), analysis, proposal))
