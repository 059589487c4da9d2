"""Two finished runs of a project for slots side by side: figures by slot, and texts that are predicted otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.services.fine_tuning.classification.run_comparison import Winner
from re2nn_core.services.prediction.slot_filling.figures import counts_by_slot
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts, count_spans
from re2nn_core.text.spans import Span

Spans = tuple[Span, ...]


@dataclass(frozen=True)
class SlotPair:
    """The figures of one slot in both runs."""

    slot: str
    first: SpanCounts
    second: SpanCounts

    @property
    def change(self) -> float:
        """F1 of the second run less that of the first one; a run that neither gave the slot nor had to has none."""
        return (self.second.f1 or 0.0) - (self.first.f1 or 0.0)


@dataclass(frozen=True)
class OtherSpans:
    """A text that two runs predict differently. `place` is its place among the project's texts, `gold` what is marked;
    each run comes with the rules it was trained from."""

    place: int
    gold: Spans
    first: Spans
    second: Spans
    first_rules: Spans
    second_rules: Spans

    @property
    def winner(self) -> Winner:
        """The run with fewer mistakes in the text: marked spans that it missed, and given ones that are not marked."""
        first, second = (len(set(self.gold) ^ set(spans)) for spans in (self.first, self.second))
        if first == second:
            return "neither"
        return "first" if first < second else "second"

    @property
    def slots(self) -> frozenset[str]:
        """The slots on which the two differ."""
        return frozenset(span.slot for span in set(self.first) ^ set(self.second))


@dataclass(frozen=True)
class SlotRunComparison:
    """Two runs on the same marked texts. `slots`: the largest difference in F1 in front; `differing`: the texts with
    different spans, in their order."""

    texts: int
    first: SpanCounts
    second: SpanCounts
    slots: tuple[SlotPair, ...]
    differing: tuple[OtherSpans, ...]


def compare_slot_runs(
    first: SpanPredictions, second: SpanPredictions, gold: Sequence[Spans | None], places: Sequence[int]
) -> SlotRunComparison:
    """Two networks' predictions for the same texts, measured on the marked ones of these places; `gold` are all texts'
    own."""
    if first.texts != second.texts or len(gold) != len(first):
        raise ValueError("two runs can be compared on the same texts alone, with spans or None for each")
    marked = [(place, spans) for place in places if (spans := gold[place]) is not None]
    there = [spans for _, spans in marked]
    one, other = ([side.spans[place] for place, _ in marked] for side in (first, second))
    differing = (
        OtherSpans(place, spans, left, right, first.by_rules[place], second.by_rules[place])
        for (place, spans), left, right in zip(marked, one, other, strict=True)
        if left != right
    )
    return SlotRunComparison(
        texts=len(marked),
        first=count_spans(there, one),
        second=count_spans(there, other),
        slots=slot_pairs(there, one, other),
        differing=tuple(differing),
    )


def slot_pairs(gold: Sequence[Spans], first: Sequence[Spans], second: Sequence[Spans]) -> tuple[SlotPair, ...]:
    """The slots of all three, the largest difference in F1 in front, equal ones by their names."""
    one, other = (counts_by_slot(gold, side) for side in (first, second))
    nothing = SpanCounts(0, 0, 0)  # of a slot that one of the two never gave, and that is never marked
    pairs = [SlotPair(name, one.get(name, nothing), other.get(name, nothing)) for name in {**one, **other}]
    return tuple(sorted(pairs, key=lambda pair: (-abs(pair.change), pair.slot)))
