"""One change as the review shows it: in the queue, with its rule, its drawing and its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.conflicts import why_left_out
from pages._compare.accepting.held_out import ChangeEffect
from pages._compare.newest import Newest
from pages._shared.drawing.markup import escape
from re2nn_core.services.rule_review.decisions import Decision, ReviewState
from re2nn_core.services.rule_systems.inline_difference import InlinePiece, Side
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.counting import counted

Records = Sequence[TextRecord]
_FOLD = 14  # words in a row that only one side has, from which the rest is folded
_SHOWN = 30  # texts of a list
_SIGNS = frozenset("|()[")
_ORDER: tuple[Side, ...] = ("added", "removed", "kept")
_TAGS: dict[Side, tuple[str, str]] = {
    "kept": ("", ""),
    "added": ('<ins class="re2-new">', "</ins>"),
    "removed": ('<del class="re2-gone">', "</del>"),
}


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
        return tuple(len(self.places.intersection(map(int, side))) for side in (effect.moved.won, effect.moved.lost))  # type: ignore[return-value]


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
        "note": escape(refused) if refused else why_left_out(card.name, conflict) if conflict else "",
        "text": decision.text or card.text,
        "closed": bool(saved or refused),
    }


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


def _by(decision: Decision) -> str:
    if not decision.by or decision.state is ReviewState.OPEN:
        return ""
    return f"{decision.state.value} by {decision.by}{' in an earlier run' if decision.earlier else ''}"


def _summary(card: Card, held: Held) -> str:
    """What the change does, in one sentence of HTML."""
    won, lost = len(card.effect.moved.won), len(card.effect.moved.lost)
    changed = len(card.effect.moved.changed)
    if not won and not lost:
        other = f" {counted(changed, 'prediction')} without a label changes." if changed == 1 else ""
        other = f" {changed:,} other predictions change." if changed > 1 else other
        return f"Fixes and breaks no labelled text.{other}"
    first = f"Fixes <b>{counted(won, 'text')}</b>, breaks <b>{lost:,}</b>"
    if held.split is None:
        return f"{first}. There are no held-out texts, so the effect on new texts is unknown."
    fixed, broken = held.count(card.effect)
    where = f"{escape(held.split)}, {counted(len(held.places), 'text')}"
    return f"{first}. On held-out texts ({where}): <b>{fixed:,}</b> fixed, <b>{broken:,}</b> broken."


def rule_as_html(pieces: Sequence[InlinePiece]) -> str:
    """A rule with what came and went marked; long rows of words are folded."""
    return f'<div class="re2-rule-text">{"".join(map(_piece, pieces))}</div>'


def _piece(piece: InlinePiece) -> str:
    if piece.words:
        return _class(piece)
    parts = piece.text.split(" | ")
    if piece.side == "kept" or len(parts) <= _FOLD:
        return _marked(piece.text, piece.side)
    rest = _marked(" | ".join(parts[_FOLD:]), piece.side)
    more = f"<details><summary>… {len(parts) - _FOLD:,} more</summary>{rest}</details>"
    return f"{_marked(' | '.join(parts[:_FOLD]), piece.side)} | {more}"


def _marked(text: str, side: Side) -> str:
    """The text, marked; of what came the words alone, since bars and brackets would only disturb."""
    before, after = _TAGS[side]
    if side != "added":
        return f"{before}{escape(text)}{after}"
    tokens = (token if token in _SIGNS or not token else f"{before}{escape(token)}{after}" for token in text.split(" "))
    return " ".join(tokens)


def _class(piece: InlinePiece) -> str:
    """A word class: how many words came and went, and all of them behind a click, those that changed in front."""
    before, after = _TAGS[piece.side]
    sides: dict[Side, list[str]] = {side: [word for word, own in piece.words if own == side] for side in _ORDER}
    moved = [f"{sign}{len(sides[side]):,}" for sign, side in (("+", "added"), ("−", "removed")) if sides[side]]
    told = ", ".join(moved) if moved and piece.side == "kept" else counted(len(piece.words), "word")
    words = " | ".join(f"{_TAGS[side][0]}{escape(word)}{_TAGS[side][1]}" for side, own in sides.items() for word in own)
    head = f"{before}{escape(piece.text)}{after} <i>{told}</i>"
    return f"<details><summary>{head}</summary><div>{words}</div></details>"


def text_section(title: str, tone: str, rows: Sequence[str], count: int) -> str:
    """Texts below a head that counts them; `rows` are HTML."""
    if not count:
        return f'<h4 class="{tone}">{escape(title)} 0</h4>'
    more = f'<div class="re2-muted">and {count - len(rows):,} more</div>' if count > len(rows) else ""
    return f'<h4 class="{tone}">{escape(title)} {count:,}</h4><div class="re2-texts">{"".join(rows)}</div>{more}'


def held_first(places: Sequence[int], held: Held) -> list[int]:
    """The first places of a list, held-out texts in front."""
    return sorted(map(int, places), key=lambda place: (place not in held.places, place))[:_SHOWN]


def split_of(record: TextRecord) -> str:
    """The split of a text, as a quiet word behind it."""
    return f'<span class="re2-muted">{escape(record.split or "")}</span>' if record.split else ""
