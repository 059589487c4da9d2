"""Priorities between the tags that rules give one word, as a TOML file (Jiang et al., EMNLP 2021, appendix E).

    priorities = ["time > party_size", "city > O"]   of two slots that both claim a word, the first keeps it
    longest = true                                   inside a slot I goes before B, and both before O

A name is a slot, O, or one tag such as I-city. Every fault of the file is reported at once.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from re2nn_core.errors import LogicError
from re2nn_core.files import read_toml
from re2nn_core.rules.logic.decisions import find_circle
from re2nn_core.rules.logic.logic_source import Item, LogicSource
from re2nn_core.rules.names import did_you_mean
from re2nn_core.rules.tagging import WILDCARD, slot_of
from re2nn_core.text.spans import OUTSIDE

KEYS = ("priorities", "longest")


@dataclass(frozen=True)
class SlotLogic:
    """`priorities`: pairs (stronger, weaker) of slots, tags or O. `longest`: longer matches go before shorter ones."""

    priorities: tuple[tuple[str, str], ...] = ()
    longest: bool = False

    def silences(self, tags: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """Pairs of places in `tags`: where the first has a vote, the second is silent."""
        pairs = dict.fromkeys(
            (strong, weak)
            for stronger, weaker in self.priorities
            for strong in _named(stronger, tags)
            for weak in _named(weaker, tags)
        )
        if self.longest:
            pairs |= dict.fromkeys(_longest(tags))
        return tuple(pair for pair in pairs if pair[0] != pair[1])


def _named(name: str, tags: Sequence[str]) -> list[int]:
    """The places of the tags that a name stands for."""
    return [place for place, tag in enumerate(tags) if name in (tag, slot_of(tag))]


def _longest(tags: Sequence[str]) -> list[tuple[int, int]]:
    """I before B of one slot, and every tag of a slot before O."""
    places = {tag: place for place, tag in enumerate(tags)}
    pairs = [(places[f"I-{slot}"], places[f"B-{slot}"]) for slot in _slots(tags) if f"I-{slot}" in places]
    outside = places.get(OUTSIDE)
    if outside is not None:
        pairs += [(place, outside) for tag, place in places.items() if slot_of(tag) is not None]
    return pairs


def _slots(tags: Sequence[str]) -> list[str]:
    """The slots that begin somewhere."""
    return [tag[2:] for tag in tags if tag.startswith("B-")]


def read_slot_logic(text: str, slots: Sequence[str], *, file: str = "<logic>") -> SlotLogic:
    """The logic of a text for rules that give these slots; LogicError with every fault in it."""
    source = LogicSource(text, file)
    try:
        values = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        source.faults.append(source.toml_fault(str(error)))
        raise LogicError(source.faults) from None
    for key in values:
        if key not in KEYS:
            source.fault_at_key(key, f"there is no setting '{key}' for slots", did_you_mean(key, KEYS, "setting"))
    pairs = _priorities(source, values.get("priorities", []), slots)
    longest = values.get("longest", False)
    if not isinstance(longest, bool):
        source.fault_at_key("longest", "'longest' is neither true nor false", "Write longest = true, or leave it out.")
    logic = SlotLogic(tuple(dict.fromkeys(pairs)), longest is True)
    if not source.faults and (circle := _circle_of_tags(logic, slots)):
        also = " together with longest = true" if logic.longest else ""
        message = f"the priorities{also} form a cycle: {' > '.join(circle)}"
        source.fault_at_key("priorities", message, "Change one of them: tags that silence each other are all silent.")
    if source.faults:
        raise LogicError(sorted(source.faults, key=lambda fault: (fault.line, fault.column)))
    return logic


def priorities_that_hold(text: str, slots: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The logic of a text without the priorities of slots that the rules do not give any more, and those that were
    left out; the text as it is where there are none. LogicError for a text that is at fault in another way."""
    try:
        given = tomllib.loads(text).get("priorities", [])
    except tomllib.TOMLDecodeError:
        given = []
    texts = [pair for pair in given if isinstance(pair, str)] if isinstance(given, list) else []
    named = [slot_of(name.strip()) for pair in texts for name in pair.split(">")]
    removed = [slot for slot in dict.fromkeys(named) if slot and _spelt(slot, slots) not in slots]
    if not removed:
        return text, ()
    logic = read_slot_logic(text, [*slots, *removed])
    left_out = [pair for pair in logic.priorities if any(slot_of(name) in removed for name in pair)]
    kept = tuple(pair for pair in logic.priorities if pair not in left_out)
    reported = tuple(f"{strong} > {weak}" for strong, weak in left_out)
    note = "".join(f"# left out, since the rules have no slot of the name: {pair}\n" for pair in reported)
    return note + write_slot_logic(SlotLogic(kept, logic.longest)), reported


def _circle_of_tags(logic: SlotLogic, slots: Sequence[str]) -> tuple[str, ...]:
    """Tags of which each silences the next, the first again at the end; else empty. `city > O` and `O > B-city` name
    three things and are a circle all the same."""
    tags = (OUTSIDE, *(f"{prefix}-{slot}" for slot in slots for prefix in "BI"))
    return find_circle([(tags[strong], tags[weak]) for strong, weak in logic.silences(tags)])


def _priorities(source: LogicSource, value: object, slots: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs (stronger, weaker); `a > b > c` gives two."""
    if not (isinstance(value, list) and all(isinstance(text, str) for text in value)):
        advice = 'Write it as priorities = ["time > party_size"].'
        source.fault_at_key("priorities", "'priorities' is no list of texts", advice)
        return []
    pairs: list[tuple[str, str]] = []
    for item in source.items("priorities", value):
        names = [_spelt(name.strip(), slots) for name in item.text.split(">")]
        if len(names) < 2:
            source.fault_in(item, "this is no priority", "Write the stronger slot first: time > party_size.")
        elif _all_known(source, item, slots):
            pairs.extend(pairwise(names))
    if circle := find_circle(pairs):
        message = f"the priorities form a cycle: {' > '.join(circle)}"
        source.fault_at_key("priorities", message, "Remove one of them, so that some slot is the strongest.")
    return pairs


def _spelt(name: str, slots: Sequence[str]) -> str:
    """A slot or tag as the rules spell it, where it differs in the case of letters alone."""
    if name == OUTSIDE:
        return name
    prefix, slot = (name[:2].upper(), name[2:]) if name[:2].upper() in ("B-", "I-") else ("", name)
    if slot in slots:
        return prefix + slot
    alike = [known for known in slots if known.casefold() == slot.casefold()]
    return prefix + alike[0] if alike else name


def _all_known(source: LogicSource, item: Item, slots: Sequence[str]) -> bool:
    """True where each name of a priority is a slot, a tag of one, or O; a fault for each that is none."""
    offset, fine = 0, True
    for part in item.text.split(">"):
        name = _spelt(part.strip(), slots)
        if name != OUTSIDE and slot_of(name) not in slots:
            fine = False
            message = f"there is no slot '{name}' in the rules" if name else "a slot is missing here"
            place = offset + len(part) - len(part.lstrip())
            source.fault_in(item, message, did_you_mean(name, [*slots, OUTSIDE], "slot"), place, len(name))
        offset += len(part) + 1
    return fine


def write_slot_logic(logic: SlotLogic) -> str:
    """TOML from which `read_slot_logic` makes the same."""
    pairs = [json.dumps(f"{stronger} > {weaker}", ensure_ascii=False) for stronger, weaker in logic.priorities]
    lines = ["priorities = [", *(f"    {pair}," for pair in pairs), "]"] if pairs else []
    return "\n".join([*lines, *(["longest = true"] if logic.longest else []), ""])


def ordered_tags(trees_tags: Sequence[Sequence[str]], further: Sequence[str] = ()) -> tuple[str, ...]:
    """The wildcard, O, then the tags in the order of their first appearance, then further ones."""
    found = dict.fromkeys((WILDCARD, OUTSIDE))
    for tags in trees_tags:
        found |= dict.fromkeys(tags)
    return tuple(found | dict.fromkeys(further))
