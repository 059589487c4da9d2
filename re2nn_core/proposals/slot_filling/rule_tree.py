"""A family's alternatives as one rule that people read, with the word classes that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.proposals.slot_filling.claims import (
    ClaimKind,
    Pattern,
    Values,
    known_elsewhere,
    least_elsewhere,
    telling,
    words_inside,
)
from re2nn_core.proposals.slot_filling.contexts import Alternatives, ContextShape
from re2nn_core.proposals.slot_filling.word_row import BOS, EOS, NUMBER, Integers, SpanRow, WordRow
from re2nn_core.rules.tree import (
    Any,
    Capture,
    Concat,
    Node,
    Number,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Word,
    choice,
    concat,
    except_of,
)

_ANYTHING = Repeat(Any(), 0, None)
MOST_WORDS, MOST_WORDS_EACH = 6000, 400  # in one rule, its word classes put in, and in each capture
FEW_VALUES = 3  # so many stand in the rule itself


@dataclass(frozen=True)
class ProposedSlotRule:
    """A rule for a slot: its expression, and the word classes that it names, each with its alternatives in order."""

    slot: str
    tree: Node
    classes: Mapping[str, Node]


@dataclass(frozen=True, eq=False)
class RuleMaterial:
    """What rules are made of. `groups` [slots]: slots that are alike have one number."""

    row: WordRow
    gold: SpanRow
    slots: tuple[str, ...]
    values: Values
    groups: Integers
    alternatives: Alternatives

    def phrase(self, value: int) -> tuple[int, ...]:
        """The words of a value, by number."""
        first = int(self.values.first[value])
        return tuple(self.row.word[first : first + int(self.values.length[value])].tolist())


# Of a wished name, the alternatives of a class, and whether it must have these alone: what names them in a rule, and
# the classes that this needs and that are not there yet.
ClassNamer = Callable[[str, Sequence[Node], bool], tuple[Node, Mapping[str, Node]]]


def written_rule(
    material: RuleMaterial, family: int, kept: Integers, name_class: ClassNamer, most_words: int = MOST_WORDS
) -> ProposedSlotRule:
    """The rule of some alternatives of a family; `most_words`: that the rule has, its classes put in."""
    alternatives = material.alternatives
    slot = material.slots[alternatives.slot[family]]
    kind, shape = ClaimKind(alternatives.kind[family]), ContextShape(alternatives.shape[family])
    classes: dict[str, Node] = {}

    def capture(wanted: str, options: Sequence[Node], kind: ClaimKind) -> Node:
        if len(options) <= FEW_VALUES:
            inner = choice(list(options))
            inner = except_of(list(options)) if kind == ClaimKind.NEW else inner
        else:
            inner, new = name_class(wanted, options, kind in (ClaimKind.WORDS, ClaimKind.NEW))
            classes.update(new)
            inner = except_of([inner]) if kind == ClaimKind.NEW else inner
        return Capture(Repeat(inner, 1, None) if kind in (ClaimKind.WORDS, ClaimKind.NEW) else inner, slot)

    options = [_options(material, family, kind, shape, kept, int(length)) for length in _lengths(material, kind, kept)]
    stem = _stem(material, family, kind)
    parts = []
    for length, values in zip(_lengths(material, kind, kept), options, strict=True):
        own = kept if kind != ClaimKind.ANY else kept[alternatives.value[kept] == length]
        captures = len(list(_in_context(material, shape, own, Any())))
        inner = capture(stem, values if kind == ClaimKind.NEW else _most_frequent(values, most_words // captures), kind)
        parts += list(_in_context(material, shape, own, inner))
    return ProposedSlotRule(slot, concat([_ANYTHING, choice(parts), _ANYTHING]), classes)


def _most_frequent(values: list[Node], most: int) -> list[Node]:
    """The first of the values, so many that they have so many words at most."""
    words = np.cumsum([len(value.parts) if isinstance(value, Concat) else 1 for value in values])
    return values[: max(1, int(np.searchsorted(words, min(most, MOST_WORDS_EACH), side="right")))]


def _lengths(material: RuleMaterial, kind: ClaimKind, kept: Integers) -> list[int]:
    """Any words are captured for each number of words apart."""
    return np.unique(material.alternatives.value[kept]).tolist() if kind == ClaimKind.ANY else [0]


def _options(
    material: RuleMaterial, family: int, kind: ClaimKind, shape: ContextShape, kept: Integers, length: int
) -> list[Node]:
    """What the capture holds."""
    alternatives, values = material.alternatives, material.values
    slot = int(alternatives.slot[family])
    if kind == ClaimKind.ANY:
        return [concat([Any()] * length)]
    if kind == ClaimKind.PATTERN:
        return [_pattern(material, int(value)) for value in alternatives.value[kept]]
    if kind == ClaimKind.NEW:
        return _known_elsewhere(material, slot)
    if kind == ClaimKind.WORDS:
        word, of_slot, inside, anywhere = words_inside(material.row, material.gold, len(material.slots))
        good = telling(inside.sum(axis=1), anywhere.sum(axis=1)[word]) & (of_slot == slot)
        return [_word(material, int(one)) for one in word[good]]
    if shape == ContextShape.ALONE:
        chosen = alternatives.value[kept]
    elif kind == ClaimKind.SHARED:
        chosen = np.unique(values.value[material.groups[values.slot] == material.groups[slot]])
    else:
        chosen = np.unique(values.value[values.slot == slot])
    totals = np.bincount(values.value, values.count.sum(axis=1), minlength=len(values.length))
    order = np.argsort(-totals[chosen], kind="stable")
    return [concat([_word(material, one) for one in material.phrase(int(value))]) for value in chosen[order]]


def _known_elsewhere(material: RuleMaterial, slot: int) -> list[Node]:
    """The words that stand outside of spans of a slot, the most frequent ones."""
    row = material.row
    word, of_slot, inside, anywhere = words_inside(row, material.gold, len(material.slots))
    totals = anywhere.sum(axis=1)
    within = np.zeros(len(totals), dtype=np.int64)
    own = of_slot == slot
    within[word[own]] = inside[own].sum(axis=1)
    known = known_elsewhere(within, totals, least_elsewhere(anywhere))
    known[:NUMBER] = False  # BOS and EOS are no words
    order = np.argsort(-totals, kind="stable")
    return [_word(material, int(one)) for one in order[known[order]]]


def _word(material: RuleMaterial, number: int) -> Node:
    signs: dict[int, Node] = {BOS: SentenceStart(), EOS: SentenceEnd(), NUMBER: Number()}
    return signs.get(number) or Word(material.row.names[number])


def _pattern(material: RuleMaterial, value: int) -> Node:
    one = Pattern.of(value)
    words = material.row.word[one.place : one.place + one.length].tolist()
    return concat([_word(material, word) if step in one.named else Any() for step, word in enumerate(words)])


def _in_context(material: RuleMaterial, shape: ContextShape, kept: Integers, inner: Node) -> Iterator[Node]:
    """The capture with what stands around it."""
    many = len(material.row.names)
    keys = material.alternatives.key[kept].tolist()

    def either(words: Sequence[int]) -> Node:
        return choice([_word(material, word) for word in words])

    if shape == ContextShape.ALONE:
        yield inner
    elif shape == ContextShape.LEFT:
        yield concat([either(keys), inner])
    elif shape == ContextShape.RIGHT:
        yield concat([inner, either(keys)])
    elif shape == ContextShape.EARLIER:
        yield concat([either(keys), _ANYTHING, inner])
    elif shape == ContextShape.LEFT_TWO:
        before = [concat([_word(material, key // many), _word(material, key % many)]) for key in keys]
        yield concat([choice(before), inner])
    else:
        lefts: dict[int, list[int]] = {}
        for key in keys:
            lefts.setdefault(key % many, []).append(key // many)
        together: dict[tuple[int, ...], list[int]] = {}
        for right, left in lefts.items():
            together.setdefault(tuple(left), []).append(right)
        for together_left, rights in together.items():
            yield concat([either(together_left), inner, either(rights)])


def _stem(material: RuleMaterial, family: int, kind: ClaimKind) -> str:
    """What a class is named after: the slot, or what the names of alike slots end with."""
    alternatives = material.alternatives
    slot = int(alternatives.slot[family])
    name = material.slots[slot]
    if kind == ClaimKind.SHARED:
        own = [material.slots[one] for one in np.flatnonzero(material.groups == material.groups[slot])]
        ends = [one.rsplit(".", 1)[-1] for one in own]
        return max(sorted(set(ends)), key=ends.count)
    if kind == ClaimKind.WORDS:
        return f"{name}_word"
    if kind == ClaimKind.NEW:
        return f"not_{name}"
    return name
