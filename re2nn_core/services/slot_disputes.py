"""Words that rules want for several tags: who wants them for what, who gets them, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from re2nn_core.rules.tagging import OUTSIDE, WILDCARD, slot_of
from re2nn_core.services.slot_hits import SlotAnalysis


@dataclass(frozen=True)
class Claim:
    """What rules want a word for: a slot, or no slot (None); `tag` is the tag of the first word."""

    slot: str | None
    tag: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Dispute:
    """The characters `[start, end)` of one or several words, the claims on them, the one that wins in front, and why it
    does. `borders`: all claims are of one slot, and differ in where it begins."""

    start: int
    end: int
    claims: tuple[Claim, ...]
    why: str

    @property
    def winner(self) -> Claim:
        return self.claims[0]

    @property
    def borders(self) -> bool:
        return len({claim.slot for claim in self.claims}) == 1

    @property
    def _theme(self) -> object:
        return tuple((claim.slot, claim.rules) for claim in self.claims), self.why, self.borders


def disputes(analysis: SlotAnalysis, text: int, places: Sequence[int]) -> tuple[Dispute, ...]:
    """The disputes over words of a text; neighbours that are disputed alike are one."""
    found: list[Dispute] = []
    before = -2
    for place in places:
        one = _dispute(analysis, text, place)
        alike = found and before == place - 1 and not one.borders and found[-1]._theme == one._theme
        if alike and not one.winner.tag.startswith("B-"):
            found[-1] = replace(found[-1], end=one.end)
        else:
            found.append(one)
        before = place
    return tuple(found)


def _dispute(analysis: SlotAnalysis, text: int, place: int) -> Dispute:
    system, names = analysis.system, analysis.system.rule_names
    wanting: dict[str, list[str]] = {}
    for own in analysis.accepting[text]:
        for tag in own.sets[place] - {WILDCARD}:
            wanting.setdefault(tag, []).append(names[own.rule])
    silent = frozenset(tag for strong in wanting for tag in system.silent.get(strong, ()))
    order = sorted(wanting, key=lambda tag: (tag in silent, -len(wanting[tag]), system.tags.index(tag)))
    token = analysis.bench.tokens[text][place]
    claims = tuple(Claim(slot_of(tag), tag, tuple(wanting[tag])) for tag in order)
    return Dispute(token.start, token.end, claims, _why(claims, silent))


def _why(claims: Sequence[Claim], silent: frozenset[str]) -> str:
    first, second = claims[0], claims[1]
    if second.tag in silent:
        return "by priority"
    if len(first.rules) > len(second.rules):
        return f"by {len(first.rules)} votes to {len(second.rules)}"
    if first.tag == OUTSIDE:
        return "which goes first where votes are equal"
    if first.slot == second.slot:
        return "which goes first where votes are equal"
    return "which the rules name first"
