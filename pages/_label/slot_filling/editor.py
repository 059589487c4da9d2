"""The editor of one text's marks: the component in the browser, and what it is given."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from pages._label.slot_filling.message import read_message
from pages._shared.components.scripts import attached, draw_script
from pages._shared.drawing.labels import COLOURS, Palette
from re2nn_core.services.annotation.equal_spans import SpanProposal
from re2nn_core.services.annotation.slot_filling import (
    Source,
    SpanOpinion,
    offered_spans,
    opinions,
    spans_of_tokens,
    uncertain_tokens,
)
from re2nn_core.services.annotation.span_annotation import Notice, SpanAnnotationState, SpanMessage
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Token

_ASSETS = Path(__file__).resolve().parent / "assets"
_SCRIPTS = ("marks.js", "drawing.js", "input.js", "editor.js")
_WHO: Mapping[Source, str] = {"rules": "rules", "network": "network", "data": "imported"}


@dataclass(frozen=True)
class Team:
    """What is different for a text of a team's queue. `person`: who works on it; `copies`: how often the text is there,
    word for word; `note`: the key of the field with the note for a flag. `flagged`: it was flagged and is to be
    resolved; `others`: the flagged texts behind it."""

    person: str
    copies: int = 1
    note: str = ""
    flagged: bool = False
    others: tuple[int, ...] = ()


@dataclass(frozen=True)
class Shown:
    """A text as it is drawn. `why` it comes, `where` it stands; `before`: there is a text in front of it."""

    record: TextRecord
    predicted: SpanPredictions
    slots: tuple[str, ...]
    palette: Palette
    why: str
    where: str
    before: bool
    team: Team | None = None

    @property
    def own(self) -> TextRecord:
        """The text with the marks to begin with: in a team's queue what another person said is no proposal."""
        if self.team is None or self.record.annotator in (None, self.team.person):
            return self.record
        return replace(self.record, label=self.record.gold, annotator=None)

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.predicted.tokens[self.record.position]

    def in_words(self, spans: Sequence[Span] | None) -> tuple[Span, ...]:
        """Spans in numbers of words; None stands for those that are offered."""
        return self.offered if spans is None else spans_of_tokens(spans, self.tokens)

    @property
    def offered(self) -> tuple[Span, ...]:
        """The marks to begin with, in numbers of words."""
        return spans_of_tokens(offered_spans(self.own, self.predicted, self.record.position), self.tokens)

    @property
    def source(self) -> str:
        """Where these marks come from."""
        own = self.own
        if own.label is None:
            return f"predicted by the {'network' if self.predicted.trained else 'rules'}, not saved"
        return "imported" if own.annotator is None else f"saved by {own.annotator}"


def draw_editor_script() -> None:
    """What the editor is in the browser: drawn once a page, outside of the fragment that calls `draw_editor`."""
    draw_script("marks", *(_ASSETS / name for name in _SCRIPTS))


def draw_editor(shown: Shown, annotation: SpanAnnotationState, do: Callable[[SpanMessage], None]) -> None:
    """The editor; `do` is called with each message, before anything is drawn again."""
    key = f"_marks_{shown.record.project_id}"

    def on_did() -> None:
        message = read_message((st.session_state.get(key) or {}).get("did"))
        if message is not None:
            do(message)

    _component()(key=key, data=_data(shown, annotation), on_did_change=on_did)


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return attached("marks", _ASSETS / "spans.html", _ASSETS / "spans.css")


def _data(shown: Shown, annotation: SpanAnnotationState) -> dict[str, Any]:
    record, predicted, tokens = shown.record, shown.predicted, shown.tokens
    marks, draft = _triples(shown.offered), annotation.draft_of(record.id)
    return {
        "text_id": record.id,
        # What was marked here is good only for the text as it was: another annotation or prediction begins anew.
        "base": json.dumps([shown.own.label, shown.own.annotator, marks], ensure_ascii=False),
        "storage": f"re2nn_marks_{record.project_id}",
        "words": [record.text[token.start : token.end] for token in tokens],
        "keys": list(predicted.words[record.position]),
        "gaps": _gaps(record.text, tokens),
        "marks": marks,
        "draft": None if draft is None else _triples(spans_of_tokens(draft, tokens)),
        "labelled": shown.own.label is not None,
        "doubts": {str(uncertain.word): uncertain.reason for uncertain in uncertain_tokens(predicted, record.position)},
        "others": [_opinion(opinion, tokens) for opinion in opinions(record, predicted, record.position)],
        "slots": [{"name": slot, "colour": shown.palette.colour(slot)} for slot in shown.slots],
        "next": {"colours": list(COLOURS), "from": len(shown.palette.labels)},
        "why": shown.why,
        "where": shown.where,
        "source": shown.source,
        "before": shown.before,
        "can_undo": annotation.queue.can_undo,
        "said": annotation.queue.message,
        "seen": annotation.seen,
        "session": annotation.session,
        "saved": annotation.saved,
        "team": _team(shown.team),
        "notice": _notice(annotation.notice, shown),
    }


def _gaps(text: str, tokens: Sequence[Token]) -> list[str]:
    """What stands between the words, before the first and behind the last."""
    ends = [0, *(token.end for token in tokens)]
    starts = [*(token.start for token in tokens), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def _opinion(opinion: SpanOpinion, tokens: Sequence[Token]) -> Mapping[str, Any]:
    who = _WHO.get(opinion.source, f"saved by {opinion.name}")
    return {"who": who, "marks": _triples(spans_of_tokens(opinion.spans, tokens))}


def _notice(notice: Notice | None, shown: Shown) -> Mapping[str, Any] | None:
    if notice is None or notice.text_id != shown.record.id:
        return None
    return {
        "id": notice.id,
        "sentence": notice.sentence,
        "acts": [vars(act) for act in notice.acts],
        "proposals": [_proposal(proposal, shown.predicted) for proposal in notice.proposals],
    }


def _proposal(proposal: SpanProposal, predicted: SpanPredictions) -> Mapping[str, Any]:
    text, tokens = predicted.texts[proposal.position], predicted.tokens[proposal.position]
    return {
        "text_id": proposal.text_id,
        "where": f"text {proposal.position + 1}",
        "words": [text[token.start : token.end] for token in tokens],
        "gaps": _gaps(text, tokens),
        "doubts": {},
        "marks": _triples(proposal.spans),
        "new": _triples(proposal.new),
    }


def _team(team: Team | None) -> Mapping[str, Any] | None:
    """The acts that a team's queue has in place of a walk through the texts."""
    if team is None:
        return None
    return {"copies": team.copies, "settling": team.flagged, "next": bool(team.others)}


def _triples(spans: Sequence[Span]) -> list[list[Any]]:
    return [[span.start, span.end, span.slot] for span in spans]
