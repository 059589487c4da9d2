"""Which classes of the rules are extended, and by what: held-out texts decide.

The annotated texts are divided into five parts. Of each part is counted how many texts get better and worse by the
values that the other parts have, and by the words that are like these and like the members of the class. A class is
extended where two get better for each that gets worse, and more than chance would explain (two and a half standard
errors); so many of the like words come in that most get better (by one).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from re2nn_core.reconstruction.progress import STEPS, OnProgress, part_of
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.class_values import (
    OpenClass,
    Outcome,
    further_values,
    outcomes,
    tried_values,
    values_by_class,
)
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.exchange import (
    Exchange,
    ExchangeBench,
    Phrase,
)
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.like_members import LikeMembers, like_members
from re2nn_core.services.rule_writing.like_words import NearWords

PARTS = 5
SEED = 0
LEAST_GAIN = 3  # texts more that get better than worse
CERTAIN, LIKELY = 2.5, 1  # standard errors: that a class is extended at all, and that like words come in
SIZES = (30, 100, 200)  # like words that are tried
VectorsOf = Callable[[Sequence[str]], NearWords]  # the vectors of words, and of those near to them


@dataclass(frozen=True)
class ClassExtension:
    """What a class is to have more: values of annotated texts, and like words with the members that stand for all.
    `fixed` and `broken`: texts with fewer errors, and with more, of those that had no part in choosing."""

    name: str
    values: tuple[Phrase, ...]
    like: LikeMembers | None
    fixed: int
    broken: int

    @property
    def phrases(self) -> frozenset[Phrase]:
        """All that the class is to have more."""
        return frozenset(self.values) | {(word,) for word in self.like.words} if self.like else frozenset(self.values)


def chosen_extensions(
    bench: ExchangeBench,
    classes: Sequence[OpenClass],
    near: VectorsOf,
    *,
    most_words: int,
    on_progress: OnProgress,
    stop: Stop,
) -> tuple[ClassExtension, ...]:
    """The classes that are to be extended, those first that gain most, by at most so many words together; half of the
    progress are the values that are tried. Once `stop` is asked to, those that were looked at by then."""
    tried = tried_values(bench, classes, part_of(on_progress, (0, STEPS // 2)), stop)
    chooser, report = _Chooser(bench, classes, near, tried), part_of(on_progress, (STEPS // 2, STEPS))
    found: list[ClassExtension] = []
    for number, own in enumerate(classes if tried else ()):
        if stop.asked():
            break
        report(number, len(classes))
        if (one := chooser.extension(own, most_words)) is not None:
            found.append(one)
    report(1, 1)
    kept: list[ClassExtension] = []
    for one in sorted(found, key=lambda one: one.broken - one.fixed):
        left = most_words - sum(len(other.phrases) for other in kept)
        if len(one.phrases) > left:
            one = chooser.extension(next(own for own in classes if own.name == one.name), left) or one
        if len(one.phrases) <= left:
            kept.append(one)
    return tuple(kept)


@dataclass(eq=False)
class _Chooser:
    bench: ExchangeBench
    classes: Sequence[OpenClass]
    near: VectorsOf
    tried: Sequence[Outcome]

    @cached_property
    def parts(self) -> Sequence[int]:
        """[texts]: the part of each."""
        return [int(part) for part in np.random.default_rng(SEED).permutation(len(self.bench.texts)) % PARTS]

    @cached_property
    def values(self) -> Mapping[str, dict[Phrase, int]]:
        """The values of all texts."""
        return values_by_class(self.tried, range(len(self.parts)))

    @cached_property
    def values_without(self) -> list[Mapping[str, dict[Phrase, int]]]:
        """The values of all texts but those of each part."""
        return [values_by_class(self.tried, self._without(part)) for part in range(PARTS)]

    def _without(self, part: int) -> frozenset[int]:
        return frozenset(text for text, own in enumerate(self.parts) if own != part)

    def extension(self, own: OpenClass, most_words: int) -> ClassExtension | None:
        """What a class is to have more; None for nothing."""
        values, further = self._values(own)
        best = ClassExtension(own.name, _by_gain(values[0], self.values), None, *self._held_out(own, values[1:]))
        if len(further[0]) <= most_words:
            fixed, broken = self._held_out(own, further[1:])
            if fixed - broken > best.fixed - best.broken:
                best = ClassExtension(own.name, _by_gain(further[0], self.values), None, fixed, broken)
                values = further
        if not values[0] or len(values[0]) > most_words:
            return None
        for like, again in self._like(own, values, most_words - len(values[0])):
            fixed, broken = self._held_out(
                own, [one | {(word,) for word in more.words} for one, more in zip(values[1:], again, strict=True)]
            )
            if _is_gain(fixed - best.fixed, broken - best.broken, LIKELY):
                best = replace(best, like=like, fixed=fixed, broken=broken)
        return best if _is_gain(best.fixed, best.broken) and best.fixed >= 2 * best.broken else None

    def _values(self, own: OpenClass) -> tuple[list[frozenset[Phrase]], list[frozenset[Phrase]]]:
        """The values by which errors go, and those and further ones: of all texts, then of those without each part."""
        values = [frozenset(found.get(own.name, ())) for found in (self.values, *self.values_without)]
        texts = [frozenset(range(len(self.parts))), *map(self._without, range(PARTS))]
        pairs = zip(values, texts, strict=True)
        return values, [one | further_values(self.bench, own, self.tried, among) for one, among in pairs]

    def _like(
        self, own: OpenClass, values: Sequence[frozenset[Phrase]], most: int
    ) -> list[tuple[LikeMembers, list[LikeMembers]]]:
        """The like words by the values of all texts, and by those without each part, for each size."""
        members = [sorted(phrase[0] for phrase in own.members | more if len(phrase) == 1) for more in values]
        near, sizes = self.near(members[0]), [size for size in SIZES if size <= most]
        each = [like_members(words, near, sizes) for words in members]
        if not all(each):
            return []
        words = self._own_words(own, [one for found in each for one in found])
        tried = outcomes(self.bench, [(own, (word,)) for word in words])
        harmful = [_harmful(tried, among) for among in (range(len(self.parts)), *map(self._without, range(PARTS)))]
        found = []
        for known in zip(*each, strict=True):
            whole, *without = [
                replace(one, words=tuple(word for word in one.words if word in words and (word,) not in bad))
                for one, bad in zip(known, harmful, strict=True)
            ]
            found.append((whole, without))
        return found

    def _own_words(self, own: OpenClass, found: Sequence[LikeMembers]) -> Collection[str]:
        """Like words without those of other classes."""
        elsewhere = {phrase for one in self.classes if one is not own for phrase in one.members}
        elsewhere |= {phrase for name, more in self.values.items() if name != own.name for phrase in more}
        return dict.fromkeys(word for one in found for word in one.words if (word,) not in elsewhere)

    def _held_out(self, own: OpenClass, phrases: Sequence[frozenset[Phrase]]) -> tuple[int, int]:
        """How many texts get better, and worse, where the class has the phrases for their part too."""
        texts = enumerate(self.parts)
        fewer = self.bench.errors_fewer([Exchange(text, phrases[part], own.word) for text, part in texts])
        return sum(less > 0 for less in fewer), sum(less < 0 for less in fewer)


def _by_gain(phrases: Collection[Phrase], values: Mapping[str, Mapping[Phrase, int]]) -> tuple[Phrase, ...]:
    """The phrases by the errors that they save, those first that save most."""
    gains = {phrase: gain for found in values.values() for phrase, gain in found.items()}
    return tuple(sorted(phrases, key=lambda phrase: (-gains.get(phrase, 0), phrase)))


def _harmful(tried: Sequence[Outcome], among: Collection[int]) -> frozenset[Phrase]:
    """The phrases that make as many errors in these texts as they save, and make some."""
    gains: dict[Phrase, int] = {}
    worse: set[Phrase] = set()
    for one in tried:
        if one.text in among:
            gains[one.phrase] = gains.get(one.phrase, 0) + one.fewer
            worse |= {one.phrase} if one.fewer < 0 else set()
    return frozenset(phrase for phrase in worse if gains[phrase] <= 0)


def _is_gain(fixed: int, broken: int, errors: float = CERTAIN) -> bool:
    """Whether more texts got better than chance explains. Both may be differences of counts, of any sign."""
    return fixed - broken >= max(LEAST_GAIN, errors * (abs(fixed) + abs(broken)) ** 0.5)
