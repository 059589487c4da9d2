"""The texts whose prediction two rule systems disagree on, each once, the most frequent first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.spans import Span

NO_PREDICTION = "(none)"


@dataclass(frozen=True)
class MovedText:
    """A text, how often it comes, the first place where it does, and what either side predicts. Predictions are labels;
    for slots the spans in words (`to_city: new york`)."""

    text: str
    count: int
    place: int
    before: str
    after: str


@dataclass(frozen=True)
class MovedTexts:
    """All that moved, and of how many texts."""

    moved: tuple[MovedText, ...]
    texts: int

    @property
    def count(self) -> int:
        """How many texts moved, repeated ones counted each time."""
        return sum(text.count for text in self.moved)

    @property
    def ways(self) -> list[tuple[str, str, int]]:
        """(prediction before, prediction after, texts), the most frequent way first."""
        found: Counter[tuple[str, str]] = Counter()
        for text in self.moved:
            found[text.before, text.after] += text.count
        return [(before, after, count) for (before, after), count in found.most_common()]


def moved_labels(left: RuleSystem, right: RuleSystem, texts: Sequence[str]) -> MovedTexts:
    """Texts that two systems give another label; label logic counts. StateBudgetError."""
    counts = Counter(texts)
    different = list(counts)
    before, after = (
        [prediction or NO_PREDICTION for prediction in side.predictions(different)] for side in (left, right)
    )
    return _moved(texts, counts, different, before, after)


def moved_spans(left: SlotSystem, right: SlotSystem, texts: Sequence[str]) -> MovedTexts:
    """Texts in which two systems mark other words. StateBudgetError."""
    counts = Counter(texts)
    different = list(counts)
    before, after = (
        [slots_and_words(text, spans) for text, spans in zip(different, side.spans(different), strict=True)]
        for side in (left, right)
    )
    return _moved(texts, counts, different, before, after)


def slots_and_words(text: str, spans: Sequence[Span]) -> str:
    """`to_city: new york, day: friday`; of words that come more than once the place stands behind them."""
    if not spans:
        return NO_PREDICTION
    shown = []
    for span in spans:
        words = text[span.start : span.end]
        twice = text.count(words) > 1
        shown.append(f"{span.slot}: {words}" + (f" ({span.start})" if twice else ""))
    return ", ".join(shown)


def _moved(
    texts: Sequence[str], counts: Counter[str], different: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> MovedTexts:
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        first.setdefault(text, place)
    found = [
        MovedText(text, counts[text], first[text], one, other)
        for text, one, other in zip(different, before, after, strict=True)
        if one != other
    ]
    found.sort(key=lambda moved: (-moved.count, moved.place))
    return MovedTexts(tuple(found), len(texts))
