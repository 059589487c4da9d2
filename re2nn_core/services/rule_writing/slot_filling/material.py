"""The texts that rules for slots are made from: annotated ones outside of dev and test, and unannotated ones whose
spans can be guessed with enough precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.proposals.one_blas_thread import one_blas_thread
from re2nn_core.proposals.slot_filling.span_guesses import SpanGuesser
from re2nn_core.proposals.slot_filling.word_row import span_row, word_row
from re2nn_core.rules.leaves import SLOT
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench, Spans
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import Span

MOST_TEXTS = 20_000  # that rules are made from; of more, so many by chance
FOLDS, FOLDS_OF_FEW, FEW = 10, 20, 1000  # parts of the texts; more where there are fewer texts than this
SEED = 0
HELD_OUT = ("dev", "test")
LEAST_ANNOTATED, MOST_ANNOTATED = 20, 1000  # texts with which spans of others are guessed
MOST_TRIED, MOST_GUESSED = 3000, 1500  # unannotated texts that are looked at, and those whose guesses count at most
LEAST_PRECISION = 0.7  # of the guesses that count, on annotated texts that they were not made from
_TRIED_FOLDS = 3
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class GuessedSpans:
    """Texts with guessed spans: their `places` among all texts, and the `spans` of each in numbers of words."""

    places: tuple[int, ...]
    spans: tuple[tuple[Span, ...], ...]


@dataclass(frozen=True)
class SlotMaterial:
    """The texts that rules may be made from. `places`: the annotated ones, among all texts; `held_out`: annotated texts
    of dev and test, which only evaluate."""

    places: tuple[int, ...]
    held_out: int
    guessed: GuessedSpans = GuessedSpans((), ())

    @property
    def every_place(self) -> tuple[int, ...]:
        """The annotated texts, then those with guessed spans."""
        return self.places + self.guessed.places

    @property
    def folds(self) -> Integers:
        """[texts]: a fold for each; texts with guessed spans are in folds of their own, from `guessed_from` on."""
        own, guessed = span_folds(len(self.places)), span_folds(len(self.guessed.places))
        return np.concatenate([own, self.guessed_from + guessed])

    @property
    def guessed_from(self) -> int:
        """The first fold of texts with guessed spans."""
        return _folds(len(self.places))

    def sample(self, most: int = MOST_TEXTS) -> SlotMaterial:
        """At most so many of the annotated ones, the same whenever it is asked for."""
        if len(self.places) <= most:
            return self
        drawn = np.random.default_rng(SEED).permutation(len(self.places))[:most]
        return replace(self, places=tuple(self.places[place] for place in sorted(drawn.tolist())))

    def without_guesses(self) -> SlotMaterial:
        """The annotated texts alone."""
        return replace(self, guessed=GuessedSpans((), ()))

    def refuse_nothing(self, slot: str | None, gold: Sequence[Spans | None]) -> None:
        """InputError where there is nothing to propose from."""
        own = [place for place in self.places if any(slot in (None, span.slot) for span in gold[place] or ())]
        if own:
            return
        kept = _only_evaluate(self.held_out) if self.held_out else ""
        if not self.places:
            raise InputError(f"There is no annotated text to propose a rule from.{kept}\nAnnotate a few texts first.")
        spans = "span" if slot is None else f"span of the slot {slot!r}"
        texts = counted(len(self.places), "annotated text")
        raise InputError(f"{texts}, and no {spans} to propose a rule from.{kept}\nAnnotate a few spans first.")


def _only_evaluate(held_out: int) -> str:
    texts = counted(held_out, "annotated text")
    return f" The {texts} of dev and test only {'evaluates' if held_out == 1 else 'evaluate'}."


def slot_material_of(gold: Sequence[Spans | None], splits: Sequence[str | None]) -> SlotMaterial:
    """The annotated texts outside of dev and test."""
    annotated = [place for place, spans in enumerate(gold) if spans is not None]
    own = tuple(place for place in annotated if splits[place] not in HELD_OUT)
    return SlotMaterial(own, len(annotated) - len(own))


@one_blas_thread()
def with_guessed_spans(material: SlotMaterial, analysis: SlotAnalysis, splits: Sequence[str | None]) -> SlotMaterial:
    """The material with guessed spans of unannotated texts, those that are most certain, so many that they are precise
    enough on annotated texts that they were not made from. Without them where the rules are right as often."""
    others = [p for p, spans in enumerate(analysis.gold) if spans is None and splits[p] not in HELD_OUT]
    count = len(material.places)
    if not others or not LEAST_ANNOTATED <= count <= MOST_ANNOTATED:
        return material
    tried = np.random.default_rng(SEED).permutation(others)[:MOST_TRIED].tolist()
    bench, slots = analysis.bench, tuple(one for one in analysis.slots if SLOT.fullmatch(one))
    row = word_row(
        [bench.sentences[place] for place in (*material.places, *tried)], np.zeros(count + len(tried), dtype=np.int64)
    )
    words = [in_words(bench, place, analysis.gold[place] or ()) for place in material.places]
    annotated = np.arange(row.texts) < count
    guesser = SpanGuesser(row, span_row(row, [*words, *((),) * len(tried)], slots), annotated, slots)
    least = _least_confidence(guesser, annotated, words, analysis.counts_on(material.places).f1 or 0.0)
    if least is None:
        return material
    found = guesser.guess(annotated, ~annotated)
    order = np.argsort(-found.confidence, kind="stable")[:MOST_GUESSED]
    kept = np.sort(order[found.confidence[order] >= least]).tolist()
    guessed = GuessedSpans(tuple(tried[place] for place in kept), tuple(found.spans[place] for place in kept))
    return replace(material, guessed=guessed)


def _least_confidence(
    guesser: SpanGuesser, annotated: NDArray[np.bool_], words: Sequence[tuple[Span, ...]], f1_of_rules: float
) -> float | None:
    """The least confidence of guesses that are precise enough, all of at least that confidence together; None where
    none are, or where rules are right as often. `words`: the spans of the annotated texts."""
    folds = np.full(len(annotated), -1, dtype=np.int64)
    folds[annotated] = np.random.default_rng(SEED).permutation(len(words)) % _TRIED_FOLDS
    confidence, correct, given = np.zeros(len(words)), np.zeros(len(words)), np.zeros(len(words))
    for fold in range(_TRIED_FOLDS):
        out = folds == fold
        found = guesser.guess(annotated & ~out, out)
        own = np.flatnonzero(out)
        confidence[own] = found.confidence
        correct[own] = [len({*spans} & {*words[text]}) for text, spans in zip(own.tolist(), found.spans, strict=True)]
        given[own] = [len(spans) for spans in found.spans]
    if 2 * correct.sum() <= f1_of_rules * (given.sum() + sum(map(len, words))):
        return None
    order = np.argsort(-confidence, kind="stable")
    precise = np.flatnonzero(correct[order].cumsum() >= LEAST_PRECISION * given[order].cumsum())
    if not len(precise) or not given[order[: precise[-1] + 1]].any():
        return None
    return -np.inf if precise[-1] == len(order) - 1 else float(confidence[order[precise[-1]]])


def in_words(bench: SlotBench, place: int, spans: Spans) -> tuple[Span, ...]:
    """Spans in numbers of words; those that meet no borders of words are left out."""
    if not spans:
        return ()
    tokens = bench.tokens[place]
    first = {token.start: number for number, token in enumerate(tokens)}
    found = []
    for span in spans:
        begin = end = first.get(span.start, len(tokens))
        while end < len(tokens) and tokens[end].end < span.end:
            end += 1
        if end < len(tokens) and tokens[end].end == span.end:
            found.append(Span(begin, end + 1, span.slot))
    return tuple(found)


def span_folds(count: int) -> Integers:
    """[texts]: a fold for each text by chance, the same whenever it is asked for."""
    return np.asarray(np.random.default_rng(SEED).permutation(count) % _folds(count), dtype=np.int64)


def _folds(count: int) -> int:
    return FOLDS_OF_FEW if count < FEW else FOLDS
