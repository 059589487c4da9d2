"""The spans behind the figures: hits, missed, wrong, conflicts, each in its text."""

from __future__ import annotations

from collections.abc import Sequence

from pages._rules.slot_filling.proposals import draw_slot_proposals
from pages._rules.texts import Views, sums
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape
from pages._shared.drawing.spans import Shown, SpanText, quoted, span_html, span_row, spans_html
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.slot_filling.disputed_tokens import Claim, Dispute, disputes
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.services.rule_writing.slot_filling.span_errors import ErrorKind, SpanError, errors_in, meeting
from re2nn_core.services.values.rules import Rule, write_marked
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.spans import Span

_WRONG: dict[ErrorKind, str] = {
    "boundary": "other boundaries",
    "type": "another slot",
    "both": "another slot and other boundaries",
    "invented": "no span is annotated there",
}
_TOO_MANY = "one span too many"  # what is marked there counts for another one
Spans = tuple[Span, ...]


def _as_sentence(analysis: SlotAnalysis, text: str, place: int, behind: Sequence[object], draft: Draft) -> str:
    """A text with the spans that the chosen rule gives, should give, or should not."""
    if draft.rule is None or draft.view == "conflicts":
        return ""
    spans = analysis.matches(draft.rule)[place] if draft.view == "matches" else behind
    if draft.view == "matches":
        spans = _wrong_spans(analysis, place, draft.rule) or spans
    return write_marked(text, [span for span in spans if isinstance(span, Span)])


def _wrong_spans(analysis: SlotAnalysis, place: int, rule: str) -> Spans:
    """The spans of a rule in a text that is marked otherwise."""
    return tuple(span for span in analysis.wrong(rule).get(place, ()) if isinstance(span, Span))


def _refused(analysis: SlotAnalysis, records: Sequence[TextRecord], rule: Rule) -> list[str]:
    """The texts that a rule does not read."""
    index = analysis.rule_index[rule.name]
    read = {text for text, own in analysis.accepting.items() if any(one.rule == index for one in own)}
    return [record.text for place, record in enumerate(records) if place not in read]


def _row(
    analysis: SlotAnalysis, text: str, place: int, behind: Sequence[object], draft: Draft, palette: Palette
) -> SpanText:
    gold = analysis.gold[place]
    unannotated = '<span class="re2-muted">not annotated yet</span>' if gold is None else ""
    if draft.view == "conflicts":
        found = disputes(analysis, place, tuple(word for word in behind if isinstance(word, int)))
        shown = [Shown(Span(one.start, one.end, one.winner.slot or "O")) for one in found]
        return SpanText(
            spans_html(text, shown, palette), unannotated, tuple(_dispute(text, one, palette) for one in found)
        )
    spans: Spans = tuple(span for span in behind if isinstance(span, Span))
    if draft.view == "missed":
        notes = [note for span in spans if (note := _missed(analysis, place, text, span, palette))]
        return SpanText(spans_html(text, [Shown(span, "missed") for span in spans], palette), "", tuple(notes))
    shown = [Shown(span, "wrong" if gold is not None and span not in gold else "given") for span in spans]
    notes = [] if draft.view == "matches" or gold is None else _wrong(text, spans, gold, palette)
    return SpanText(spans_html(text, shown, palette), unannotated, tuple(notes))


def _wrong(text: str, spans: Spans, gold: Spans, palette: Palette) -> list[str]:
    found = {error.prediction: error for error in errors_in(0, gold, spans)}
    return [f"{quoted(text, span)}: {_what(text, found[span], gold, palette)}" for span in spans if span in found]


def _what(text: str, error: SpanError, gold: Spans, palette: Palette) -> str:
    marked, what = error.gold, _WRONG[error.kind]
    if marked is None and error.prediction is not None and (met := meeting(error.prediction, gold)):
        marked, what = met[0], _TOO_MANY
    return what if marked is None else f"{what}, annotated: {span_html(text, marked, palette)}"


def _missed(analysis: SlotAnalysis, place: int, text: str, span: Span, palette: Palette) -> str:
    """What became of a marked span: another one was given there, or a rule gave it and lost the vote; empty for
    neither."""
    met = meeting(span, analysis.predictions[place])
    givers = analysis.gives(place, span.slot, span.start, span.end)
    instead = f"predicted: {span_html(text, met[0], palette)}" if met else ""
    if not givers:
        return f"{quoted(text, span)}: {instead}" if instead else ""
    names = ", ".join(f"<b>{escape(name)}</b>" for name in givers)
    return f"{quoted(text, span)}: captured by {names}" + (f", but {instead}" if instead else ", but it loses the vote")


def _dispute(text: str, one: Dispute, palette: Palette) -> str:
    what = f"“{escape(text[one.start : one.end])}”"
    why = f'<span class="re2-muted">{escape(one.why)}</span>'
    if one.borders:
        ways = [f"{_border(claim)}{_rules(claim.rules)}" for claim in one.claims]
        return f"{what}: {palette.chip(one.winner.slot)} {' wins over '.join(ways)}, {why}"
    first, *others = (f"{palette.chip(claim.slot, missing='no slot')}{_rules(claim.rules)}" for claim in one.claims)
    return f"{what}: {first} wins over {' and '.join(others)}, {why}"


def _border(claim: Claim) -> str:
    return "a new span" if claim.tag.startswith("B-") else "the span before, continued"


def _rules(names: Sequence[str]) -> str:
    return f' <span class="re2-muted">({escape(", ".join(names))})</span>'


def _total(analysis: SlotAnalysis, draft: Draft) -> str:
    """Spans of a rule alone, or predicted ones, by how they are annotated; annotated ones by whether they are found."""
    found = analysis.matches(draft.rule, draft.label)
    spans, wrong, missed = (
        sum(map(len, texts.values()))
        for texts in (found, analysis.wrong(draft.rule, draft.label), analysis.missed(draft.rule, draft.label))
    )
    unknown = sum(len(own) for place, own in found.items() if analysis.gold[place] is None)
    right = spans - wrong - unknown
    if draft.view == "missed" and draft.rule is None:
        return f"{sums((right, 'found'), (missed, 'missed'))} = {right + missed:,} annotated"
    parts = sums((right, "correct"), (wrong, "incorrect"), (unknown, "not annotated"))
    return f"{parts} = {spans:,}" if draft.rule is None else f"{parts}, by itself"


def _slots(analysis: SlotAnalysis, draft: Draft, rule: str) -> Sequence[str]:
    """The slots whose spans are shown of a rule; none for a rule of one slot."""
    slots = analysis.slots_of_rule[rule]
    return () if len(slots) == 1 else (draft.label,) if draft.label else slots


VIEWS = Views(
    total=_total,
    behind=lambda analysis, draft, view: getattr(analysis, view)(draft.rule, draft.label),
    count=lambda behind: sum(map(len, behind.values())),
    names=lambda analysis, draft, rule: _slots(analysis, draft, rule),
    nothing={
        "matches": "No span is predicted. Try a shorter rule, or $* at both ends: a rule matches whole texts.",
        "missed": "No annotated span is missed.",
        "wrong": "Every predicted span is annotated.",
        "conflicts": "No two rules capture the same word for different slots.",
    },
    refused=_refused,
    rows=lambda analysis, records, draft, palette, behind: [
        span_row(_row(analysis, records[place].text, place, about, draft, palette)) for place, about in behind.items()
    ],
    sentence=_as_sentence,
    against=lambda analysis, records, place, draft: (
        draft.view == "wrong"
        or (draft.view == "matches" and draft.rule is not None and bool(_wrong_spans(analysis, place, draft.rule)))
    ),
    missed_with_rule="Missed in slots",
    wrong="Incorrect spans",
    noun=" texts",
    propose=draw_slot_proposals,
    selectable=True,
)
