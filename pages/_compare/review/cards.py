"""One change as the review shows it: in the queue, with its rule, its drawing and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.conflicts import why_left_out
from pages._compare.newest import Newest
from pages._shared.drawing.markup import escape
from re2nn_core.plots.review.change_verdict import ChangeFigures, verdict_as_html
from re2nn_core.plots.review.pattern_table import left_out_as_html
from re2nn_core.services.rule_review.change_effects import ChangeEffect, Weakness, held_count
from re2nn_core.services.rule_review.change_repairs import NOTHING_BESIDE, Beside
from re2nn_core.services.rule_review.decisions import ChangeDecision, ReviewState
from re2nn_core.services.rule_review.split_roles import held_name
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.joined_names import join_names

Records = Sequence[TextRecord]
_SHOWN, _OPEN = 100, 6  # texts of a list, and those of them that need no click
_TEST, _DEV = "Test texts", "Dev texts"
_SPLITS: dict[str | None, str] = {"test": _TEST, "dev": _DEV, "train": "Train texts"}
_NO_SPLIT = "Other texts"
_LOST = "The edit of this rule names a word class that is not there any more. Edit it again, accept it or reject it."


@dataclass(frozen=True)
class Card:
    """`chips`, `learned` (with the conditions that changed), `rule` and `evidence` are HTML; `drawing` is what the
    browser draws, None where `refusal` says why there is none. `text`: the reconstructed rule, to begin an edit
    with; `measure`: the figure of the task, where it is none of whole texts; `brief`: the first learned words."""

    name: str
    chips: str
    new: bool
    effect: ChangeEffect
    learned: str
    rule: str
    evidence: str
    text: str
    drawing: dict[str, Any] | None = None
    refusal: str = ""
    measure: str = ""
    brief: str = ""

    def with_evidence(self, more: str) -> Card:
        """With more evidence behind what there is."""
        return replace(self, evidence=self.evidence + more)


@dataclass(frozen=True)
class Held:
    """The texts that decide: their split, and where they are. `base` is what they are called, as `102 held-out test
    texts`, `others` are other labelled texts by their split."""

    split: str | None
    places: frozenset[int] = field(default_factory=frozenset)
    base: str = ""
    others: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @property
    def why(self) -> str:
        """Why these texts decide, or which check them; empty where there are no other ones that could."""
        if self.split == "test" and _DEV in self.others:
            return " (dev was used for training)"
        return ", test texts check" if self.split == "dev" and _TEST in self.others else ""

    def count(self, effect: ChangeEffect) -> tuple[int, int]:
        """How many of them a change fixes, and breaks."""
        return held_count(effect, self.places)


def held_places(split: str | None, records: Sequence[TextRecord]) -> Held:
    """The labelled texts of the split that was held out."""
    of_split: dict[str | None, set[int]] = {}
    for place, record in enumerate(records):
        if record.label is not None:
            of_split.setdefault(record.split, set()).add(place)
    own = frozenset(of_split.pop(split, ())) if split is not None else frozenset[int]()
    named = ((_SPLITS.get(name, _NO_SPLIT), frozenset(of_split.get(name, ()))) for name in (*_SPLITS, None))
    others = {name: places for name, places in named if places}
    return Held(split, own, held_name(split or "", len(own)), others)


def card_data(
    card: Card, learned: Card | None, trial: AcceptedChanges[Any, Any, Any, Any], newest: Newest, held: Held
) -> dict[str, Any]:
    """A card with what was decided about it, as the browser takes it; `learned` is that of the change as it was learned
    where it is reviewed in another form."""
    decision = trial.decision(card.name)
    saved = card.name in trial.offered.there
    refused = trial.why_not(card.name, newest)
    conflict = trial.conflicts.get(card.name)
    stopped, weak = conflict is not None, trial.held_out.weak(card.name)
    beside = trial.counted_repairs.beside(card.name, {*trial.chosen, *trial.offered.there})
    if (saved or refused) and newest.trained is not None and held.base:  # in the newest version it changes nothing
        held = replace(held, base=f"{held.base} in v{newest.trained}")
    better = trial.leaner.get(card.name)
    leaner = card.name in trial.as_advised
    if better is not None and learned is not None:
        card = replace(card, learned=card.learned + left_out_as_html(better, held.count(learned.effect), held.base))
    former = None if learned is None else shown_card(learned, held, advice=False)
    shown = shown_card(card, held, advice=not (saved or refused), stopped=stopped, weak=weak, beside=beside)
    return shown | {
        "former": former,
        "state": "saved" if saved else _why_closed(card.name, trial) if refused else decision.state.value,
        "by": _by(decision, leaner=leaner),
        "leaner": leaner,
        "better": None if better is None else {"text": better.text, "without": better.named},
        "form": "Recommended" if leaner or better is not None else "Edited",
        "note": escape(refused) if refused else why_left_out(card.name, conflict) if conflict else _lost(card, trial),
        "text": decision.text if card.name in trial.lost_edits else card.text,
        "closed": bool(saved or refused),
    }


def _why_closed(name: str, trial: AcceptedChanges[Any, Any, Any, Any]) -> str:
    return "edited since" if name in trial.before.rule_index else f"not in v{trial.newest.number}"


def _lost(card: Card, trial: AcceptedChanges[Any, Any, Any, Any]) -> str:
    return _LOST if card.name in trial.lost_edits else ""


def shown_card(
    card: Card,
    held: Held,
    state: str = "",
    *,
    advice: bool = True,
    stopped: bool = False,
    weak: Weakness = "",
    beside: Beside = NOTHING_BESIDE,
) -> dict[str, Any]:
    """A card about which nothing is decided, as the browser takes it; `advice`: something is to be, `stopped`: a test
    sentence is against it, `weak`: why a gain may be chance, `beside`: what it does with other changes."""
    figures = replace(
        _figures(card, held, advice=advice),
        stopped=stopped,
        weak=weak,
        repairs=beside.repairs,
        repaired=beside.repaired,
        safely=beside.safely,
    )
    return {
        "rule": card.name,
        "chips": card.chips,
        "effect": list(held.count(card.effect)),
        "elsewhere": _elsewhere(card.effect, held),
        "tone": figures.tone,
        "words": card.brief,
        "verdict": figures.verdict,
        "state": state,
        "by": "",
        "summary": verdict_as_html(figures) + card.learned,
        "note": "",
        "html": card.rule,
        "text": card.text,
        "evidence": card.evidence,
        "drawing": card.drawing,
        "refusal": card.refusal,
        "fresh": card.new,
        "better": None,
        "form": "",
        "closed": False,
    }


def _elsewhere(effect: ChangeEffect, held: Held) -> dict[str, Any]:
    """What a change fixes and breaks among labelled texts that do not decide, and which these are."""
    fixed, broken = held_count(effect, frozenset[int]().union(*held.others.values()))
    names = join_names([_in_sentence(name) for name in held.others]) if held.others else ""
    return {"fixed": fixed, "broken": broken, "texts": f"{names} texts, which do not decide"}


def _in_sentence(name: str) -> str:
    """`train` of `Train texts`."""
    return name.partition(" ")[0].lower()


def _by(decision: ChangeDecision, *, leaner: bool) -> str:
    """Who decided what; `leaner`: it was accepted without what is not recommended of it."""
    if not decision.by or decision.state is ReviewState.OPEN:
        return ""
    edited = decision.state is ReviewState.EDITED
    state = ("accepted" if leaner else "edited and accepted") if edited else decision.state.value
    return f"{state} by {decision.by}{' in an earlier run' if decision.earlier else ''}"


def _figures(card: Card, held: Held, *, advice: bool) -> ChangeFigures:
    effect = card.effect
    # Dev texts had a part in choosing the changes: then those that had none have a word too.
    test = {_TEST: held.others[_TEST]} if held.split == "dev" and _TEST in held.others else {}
    others = [(name, *held_count(effect, places)) for name, places in test.items()]
    changed = len(effect.moved.changed)
    elsewhere = [
        (f"{_in_sentence(name)} text", held_count(effect, places)[1])
        for name, places in held.others.items()
        if name not in test
    ]
    return ChangeFigures(
        held.base,
        held.count(effect),
        others,
        changed,
        effect.gain,
        card.measure,
        advice,
        elsewhere=elsewhere,
        broken=len(effect.moved.broken),
        test_gain=effect.on_test if test else None,
    )


def text_section(title: str, tone: str, rows: Sequence[str], count: int, note: str = "") -> str:
    """Texts below a head that counts them; `rows` are HTML, and `note` says what the texts have in common."""
    if not count:
        return f'<h4 class="re2-muted">{escape(title)} 0</h4>'
    noted = f' <span class="re2-muted">{escape(note)}</span>' if note else ""
    left = count - len(rows)
    rest = f'<div class="re2-muted">{left:,} more: view Automata</div>' if left else ""
    more = f"<details><summary>{len(rows) - _OPEN:,} more</summary>{''.join(rows[_OPEN:])}</details>{rest}"
    shown = f'<div class="re2-texts">{"".join(rows[:_OPEN])}{more if len(rows) > _OPEN else ""}</div>'
    return f'<h4 class="{tone}">{escape(title)} {count:,}{noted}</h4>{shown}'


Sections = Sequence[tuple[str, str, Sequence[int]]]  # title, tone, and the places of the texts


def evidence_of(sections: Sections, held: Held, rows: Callable[[Sequence[int]], Sequence[str]]) -> str:
    """Texts in sections as HTML; a section without a tone is left out where it is empty. `rows` are those of places."""
    shown = [section for section in sections if len(section[2]) or section[1]]
    parts = (
        text_section(title, tone, rows(held_first(places, held)), len(places), _of_them(places, held))
        for title, tone, places in shown
    )
    return "".join(parts)


def _of_them(places: Sequence[int], held: Held) -> str:
    """How many of some texts decide, and how many of the others there are: of each split, and without a label."""
    if not held.base or not len(places):
        return ""
    own = len(held.places.intersection(map(int, places)))
    others = [(name, len(there.intersection(map(int, places)))) for name, there in held.others.items()]
    others.append(("unlabelled", len(places) - own - sum(count for _, count in others)))
    rest = "".join(f", {count:,} {_in_sentence(name)}" for name, count in others if count)
    return f"{own:,} {held.split}{rest}" if rest or held.others else ""


def held_first(places: Sequence[int], held: Held) -> list[int]:
    """The first places of a list, held-out texts in front."""
    return sorted(map(int, places), key=lambda place: (place not in held.places, place))[:_SHOWN]


def split_of(record: TextRecord) -> str:
    """The split of a text, or that it has no label, as a quiet word behind it."""
    word = "unlabelled" if record.label is None else record.split
    return f'<span class="re2-muted">{escape(word)}</span>' if word else ""
