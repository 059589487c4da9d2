"""One change as the review shows it: in the queue, with its rule, its drawing and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.conflicts import why_left_out
from pages._compare.newest import Newest
from pages._shared.drawing.markup import escape
from re2nn_core.plots.change_html import effect_as_html
from re2nn_core.services.rule_review.change_effects import ChangeEffect, held_count
from re2nn_core.services.rule_review.decisions import ChangeDecision, ReviewState
from re2nn_core.services.values.stored import TextRecord

Records = Sequence[TextRecord]
_SHOWN = 30  # texts of a list
_LOST = "The edit of this rule names a word class that is not there any more. Edit it again, accept it or reject it."


@dataclass(frozen=True)
class Card:
    """`chips`, `rule` and `evidence` are HTML; `drawing` is what the browser draws, None where `refusal` says why there
    is none. `text`: the reconstructed rule, to begin an edit with."""

    name: str
    chips: str
    new: bool
    effect: ChangeEffect
    rule: str
    evidence: str
    text: str
    drawing: dict[str, Any] | None = None
    refusal: str = ""

    def with_evidence(self, more: str) -> Card:
        """With more evidence behind what there is."""
        return replace(self, evidence=self.evidence + more)


@dataclass(frozen=True)
class Held:
    """The held-out texts: where they are, and of how many there."""

    split: str | None
    places: frozenset[int] = field(default_factory=frozenset)

    def count(self, effect: ChangeEffect) -> tuple[int, int]:
        """How many of them a change fixes, and breaks."""
        return held_count(effect, self.places)


def held_places(split: str | None, records: Sequence[TextRecord]) -> Held:
    """The labelled texts of the split that was held out."""
    own = (place for place, record in enumerate(records) if record.split == split and record.label is not None)
    return Held(split, frozenset(own) if split is not None else frozenset())


def card_data(card: Card, trial: AcceptedChanges[Any, Any, Any, Any], newest: Newest, held: Held) -> dict[str, Any]:
    """A card with what was decided about it, as the browser takes it."""
    decision = trial.decision(card.name)
    saved = card.name in trial.offered.there
    refused = trial.why_not(card.name, newest)
    conflict = trial.conflicts.get(card.name)
    return shown_card(card, held) | {
        "state": "saved" if saved else "edited since" if refused else decision.state.value,
        "by": _by(decision),
        "note": escape(refused) if refused else why_left_out(card.name, conflict) if conflict else _lost(card, trial),
        "text": decision.text or card.text,
        "closed": bool(saved or refused),
    }


def _lost(card: Card, trial: AcceptedChanges[Any, Any, Any, Any]) -> str:
    return _LOST if card.name in trial.lost_edits else ""


def shown_card(card: Card, held: Held, state: str = "") -> dict[str, Any]:
    """A card about which nothing is decided, as the browser takes it."""
    return {
        "rule": card.name,
        "chips": card.chips,
        "effect": list(held.count(card.effect)),
        "tone": _tone(card.effect, held),
        "state": state,
        "by": "",
        "summary": _summary(card, held),
        "note": "",
        "html": card.rule,
        "text": card.text,
        "evidence": card.evidence,
        "drawing": card.drawing,
        "refusal": card.refusal,
        "fresh": card.new,
        "closed": False,
    }


def _tone(effect: ChangeEffect, held: Held) -> str:
    if held.split is None or effect.gain is None:
        return ""
    return "up" if effect.gain > 0 else "down" if effect.gain < 0 else ""


def _by(decision: ChangeDecision) -> str:
    if not decision.by or decision.state is ReviewState.OPEN:
        return ""
    return f"{decision.state.value} by {decision.by}{' in an earlier run' if decision.earlier else ''}"


def _summary(card: Card, held: Held) -> str:
    """What the change does, in one sentence of HTML."""
    moved = card.effect.moved
    counts = len(moved.fixed), len(moved.broken), len(moved.changed)
    return effect_as_html(counts, held.split, len(held.places), held.count(card.effect))


def text_section(title: str, tone: str, rows: Sequence[str], count: int, note: str = "") -> str:
    """Texts below a head that counts them; `rows` are HTML, and `note` says what the texts have in common."""
    if not count:
        return f'<h4 class="{tone}">{escape(title)} 0</h4>'
    noted = f' <span class="re2-muted">{escape(note)}</span>' if note else ""
    more = f'<div class="re2-muted">and {count - len(rows):,} more</div>' if count > len(rows) else ""
    return f'<h4 class="{tone}">{escape(title)} {count:,}{noted}</h4><div class="re2-texts">{"".join(rows)}</div>{more}'


Sections = Sequence[tuple[str, str, Sequence[int], str]]  # title, tone, the places of the texts, and what they share


def evidence_of(sections: Sections, held: Held, rows: Callable[[Sequence[int]], Sequence[str]]) -> str:
    """Texts in sections as HTML; a section without a tone is left out where it is empty. `rows` are those of places."""
    shown = [section for section in sections if len(section[2]) or section[1]]
    parts = (
        text_section(title, tone, rows(held_first(places, held)), len(places), note)
        for title, tone, places, note in shown
    )
    return "".join(parts)


def held_first(places: Sequence[int], held: Held) -> list[int]:
    """The first places of a list, held-out texts in front."""
    return sorted(map(int, places), key=lambda place: (place not in held.places, place))[:_SHOWN]


def split_of(record: TextRecord) -> str:
    """The split of a text, as a quiet word behind it."""
    return f'<span class="re2-muted">{escape(record.split or "")}</span>' if record.split else ""
