"""Words that rules want for several tags: who wants them for what, who gets them, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from re2nn_core.automata.output_sets import RuleTags
from re2nn_core.rules.tagging import WILDCARD, slot_of
from re2nn_core.services.rule_systems.slot_filling.decided_tags import votes_left
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.text.spans import OUTSIDE
from re2nn_core.text.tokenization import Token


@dataclass(frozen=True)
class Claim:
    """What rules want a word for: a slot, or no slot (None); `tag` is the tag of the first word. `silent`: another
    claim has priority over it."""

    slot: str | None
    tag: str
    rules: tuple[str, ...]
    silent: bool = False


@dataclass(frozen=True)
class Dispute:
    """One or several words, the first of them by its number, their characters `[start, end)`, the claims on them, the
    one that wins in front, and why it does. `borders`: all claims are of one slot, and differ in where it begins."""

    word: int
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
    def open(self) -> tuple[Claim, ...]:
        """The claims that no priority decides between."""
        return tuple(claim for claim in self.claims if not claim.silent)

    @property
    def _theme(self) -> object:
        return tuple((claim.slot, claim.rules) for claim in self.claims), self.why, self.borders


def disputes(analysis: SlotAnalysis, text: int, places: Sequence[int]) -> tuple[Dispute, ...]:
    """The disputes over words of a text; neighbours that are disputed alike are one."""
    found: list[Dispute] = []
    before = -2
    for place in places:
        one = _dispute(analysis.system, analysis.accepting[text], place, analysis.bench.tokens[text][place])
        alike = found and before == place - 1 and not one.borders and found[-1]._theme == one._theme
        if alike and not one.winner.tag.startswith("B-"):
            found[-1] = replace(found[-1], end=one.end)
        else:
            found.append(one)
        before = place
    return tuple(found)


def open_disputes(system: SlotSystem, readings: Sequence[RuleTags], tokens: Sequence[Token]) -> tuple[Dispute, ...]:
    """The words of a sentence for which more than one claim is left behind all priorities, each on its own; `readings`
    are those of the rules that accept it."""
    claims = enumerate(zip(*(one.sets for one in readings), strict=True))
    contested = [word for word, claimed in claims if system.disputed(claimed)]
    return tuple(_dispute(system, readings, word, tokens[word]) for word in contested)


def _dispute(system: SlotSystem, readings: Sequence[RuleTags], word: int, token: Token) -> Dispute:
    wanting: dict[str, list[str]] = {}
    for own in readings:
        for tag in own.sets[word] - {WILDCARD}:
            wanting.setdefault(tag, []).append(system.rule_names[own.rule])
    left = votes_left([own.sets[word] for own in readings], system.silent)
    order = sorted(wanting, key=lambda tag: (tag not in left, -len(wanting[tag]), system.tags.index(tag)))
    claims = tuple(Claim(slot_of(tag), tag, tuple(wanting[tag]), tag not in left) for tag in order)
    return Dispute(word, token.start, token.end, claims, _why(claims))


def _why(claims: Sequence[Claim]) -> str:
    first, second = claims[0], claims[1]
    if second.silent:
        return "by priority"
    if len(first.rules) > len(second.rules):
        return f"by {len(first.rules)} votes to {len(second.rules)}"
    if first.tag == OUTSIDE or first.slot == second.slot:
        return "as the first with equal votes"
    return "as the first in the rules"
