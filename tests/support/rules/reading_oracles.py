"""Spans by definition: every reading of every rule is written out, and every way to divide words is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby

from support.rules.tagging_oracles import output_sequences, tag_sets

from re2nn_core.rules.logic.priorities import SlotLogic, ordered_tags
from re2nn_core.rules.tagging import slot_of, tagged, tags_of_tree
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.slot_filling.decided_tags import decide_tag, silenced
from re2nn_core.text.spans import Span, token_spans

Tags = tuple[str, ...]
_FEW = 12  # spans of one slot over neighbouring words: all sets of them are looked at


def tags_by_definition(trees: Sequence[Node], logic: SlotLogic, words: Sequence[str]) -> tuple[Tags, frozenset[Span]]:
    """The tags that are decided word by word, and the spans of all readings."""
    order = ordered_tags([tags_of_tree(tagged(tree)) for tree in trees])
    silent = silenced(logic, order)
    sets = [found for tree in trees if (found := tag_sets(tree, words)) is not None]
    claims = zip(*sets, strict=True) if sets else [()] * len(words)
    readings = {sequence for tree in trees for sequence in output_sequences(tree, words)}
    spans = {span for tags in readings for span in token_spans(["O" if tag == "OO" else tag for tag in tags])}
    return tuple(decide_tag(one, order, silent) for one in claims), frozenset(spans)


def spans_by_definition(trees: Sequence[Node], logic: SlotLogic, words: Sequence[str]) -> frozenset[Span] | None:
    """The spans of a sentence, in numbers of words; None where there are too many to look at all divisions."""
    tags, readings = tags_by_definition(trees, logic, words)
    if any("O" in tags_of_tree(tagged(tree)) for tree in trees):
        return frozenset(token_spans(tags))
    found: set[Span] = set()
    for slot, begin, end in _neighbours(tags):
        ranges = {
            (max(begin, one.start), min(end, one.end))
            for one in readings
            if one.slot == slot and one.start < end and begin < one.end
        }
        decided = {(begin + one.start, begin + one.end) for one in token_spans(tags[begin:end])}
        if not decided <= ranges:
            if len(ranges) > _FEW:
                return None
            decided = set(_longest(ranges) if logic.longest else _fullest(ranges, tags))
        found |= {Span(first, behind, slot) for first, behind in decided}
    return frozenset(found)


def _neighbours(tags: Tags) -> Iterator[tuple[str, int, int]]:
    place = 0
    for slot, group in groupby(map(slot_of, tags)):
        begin, place = place, place + len(list(group))
        if slot is not None:
            yield slot, begin, place


def _longest(ranges: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    left = sorted(ranges)
    while left:
        longest = max(left, key=lambda one: one[1] - one[0])  # of equals the first
        yield longest
        left = [one for one in left if one[1] <= longest[0] or one[0] >= longest[1]]


def _fullest(ranges: set[tuple[int, int]], tags: Tags) -> tuple[tuple[int, int], ...]:
    sets = [one for size in range(len(ranges) + 1) for one in combinations(sorted(ranges), size)]
    apart = [one for one in sets if all(a[1] <= b[0] for a, b in zip(one, one[1:], strict=False))]

    def worth(chosen: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        prefixes = {place: "B" if place == first else "I" for first, end in chosen for place in range(first, end)}
        return len(prefixes), sum(tags[place][0] == prefix for place, prefix in prefixes.items())

    most = max(map(worth, apart))
    return min(one for one in apart if worth(one) == most)
