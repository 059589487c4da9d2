"""Tags and slots of a whole rule, or of a whole file, that are read but say something else than their writer means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.source import Problem
from re2nn_core.rules.tagging import may_have_slots, slots_of, tagged
from re2nn_core.rules.tree import ButNot, Choice, Concat, Node, Repeat, SentenceEnd, SentenceStart, Tagged

_INSIDE = re.compile(r"<:>[Ii]-([^\s()|*+?{}\[\]@]+)")


def lonely_tags(rule: Rule) -> Iterator[Problem]:
    """A warning for each slot of a rule with an I- that no B- of the rule can stand before."""
    if rule.written is None:
        return
    found = {match[1]: match for match in reversed(list(_INSIDE.finditer(rule.written.line.text)))}
    if not found:
        return
    ways: dict[str, bool] = {}
    _last_tags(tagged(rule.expanded), frozenset([""]), ways)
    for slot, match in sorted(found.items(), key=lambda item: item[1].start()):
        if not ways.get(slot, True):
            yield Problem(
                match.start(),
                len(match.group()),
                f"no word tagged B-{slot} can come before 'I-{slot}', so the span begins here, as with B-{slot}",
                f"Write <:>B-{slot}, or tag the word before it <:>B-{slot}.",
            )


def _last_tags(node: Node, before: frozenset[str], ways: dict[str, bool]) -> frozenset[str]:
    """The tags that the last word may have behind a part of a tagged tree, from those it may have before. `ways` tells
    of each slot with an I- whether one of them can continue a span."""
    if isinstance(node, Concat):
        for part in node.parts:
            before = _last_tags(part, before, ways)
        return before
    if isinstance(node, Choice):
        return frozenset[str]().union(*(_last_tags(option, before, ways) for option in node.options))
    if isinstance(node, Repeat):
        return _repeated(node, before, ways)
    if isinstance(node, ButNot):
        return _last_tags(node.inner, before, ways)
    if not isinstance(node, Tagged):
        return before  # BOS and EOS, and nothing at all
    if isinstance(node.inner, SentenceStart | SentenceEnd):
        return before
    if node.tag.startswith("I-"):
        slot = node.tag[2:]
        ways[slot] = ways.get(slot, False) or f"B-{slot}" in before
        # One that continues nothing is reported at its place; what follows it is not.
        return frozenset([node.tag, *({f"B-{slot}"} & before)])
    return frozenset([node.tag])


def _repeated(node: Repeat, before: frozenset[str], ways: dict[str, bool]) -> frozenset[str]:
    """A time more until it adds no tag; times that must be are as good as those that may."""
    reached = before
    while not (further := _last_tags(node.inner, reached, ways)) <= reached:
        reached |= further
    return reached if node.least == 0 else _last_tags(node.inner, reached, ways)


def same_but_for_case(rules: Sequence[Rule]) -> Iterator[tuple[Rule, Problem]]:
    """A warning for each slot that an earlier rule spells with other small and capital letters."""
    first: dict[str, tuple[str, int]] = {}
    reported: set[str] = set()
    for rule in rules:
        if rule.written is not None and not may_have_slots(rule.written.line.text):
            continue
        for slot in slots_of([rule.expanded]):
            spelling, line = first.setdefault(slot.casefold(), (slot, rule.line))
            if slot == spelling or slot in reported:
                continue
            reported.add(slot)
            where = f"in line {line:,}" if line != rule.line else "in the same rule"
            start, width = _place_of(slot, rule)
            yield (
                rule,
                Problem(
                    start,
                    width,
                    f"the slots '{slot}' and '{spelling}' ({where}) differ in small and capital letters alone, and "
                    "are two slots",
                    "Write one of the two everywhere.",
                ),
            )


def _place_of(slot: str, rule: Rule) -> tuple[int, int]:
    """Where a rule names a slot; all of it where a class does."""
    written = rule.written
    if written is None:
        return 0, 1
    text = written.line.text
    match = re.search(rf"(?:<|<:>(?:[BIbi]-)?){re.escape(slot)}(?![^\s()|*+?{{}}\[\]@>])", text)
    return (match.start(), len(match.group())) if match else (0, len(text))
