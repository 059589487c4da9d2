"""A corpus: texts, each with a label or the spans of its slots, and a split, where these are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from re2nn_core.text.spans import Span

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Example:
    """One text. `label` is None where nobody has given one; `split` is train, dev, test or None.

    `spans` are for slots, in order and apart from each other: None where nobody has said which there are, empty where
    somebody has said that there are none.
    """

    text: str
    label: str | None = None
    split: str | None = None
    spans: tuple[Span, ...] | None = None

    def __post_init__(self) -> None:
        if self.split is not None and self.split not in SPLITS:
            raise ValueError(f"split must be one of {', '.join(SPLITS)} or None (got {self.split!r})")
        if not self.spans:
            return
        if any(after.start < before.end for before, after in pairwise(self.spans)):
            raise ValueError(f"spans must be in order and must not overlap (got {', '.join(map(str, self.spans))})")
        if self.spans[-1].end > len(self.text):
            raise ValueError(f"{self.spans[-1]} ends past the text, which has {len(self.text)} characters")


def spelt_alike(examples: Iterable[Example], known: Sequence[str] = ()) -> tuple[Example, ...]:
    """The examples with one spelling for slots that differ in small and capital letters alone: that of the `known`
    slots, else the one met first."""
    spelling = {slot.casefold(): slot for slot in reversed(known)}
    return tuple(
        example if example.spans is None else replace(example, spans=_respelt(example.spans, spelling))
        for example in examples
    )


def _respelt(spans: Iterable[Span], spelling: dict[str, str]) -> tuple[Span, ...]:
    """The spans with their slots as spelt so far; new ones are added to that."""
    return tuple(replace(span, slot=spelling.setdefault(span.slot.casefold(), span.slot)) for span in spans)


@dataclass(frozen=True)
class Corpus:
    """Examples in their order."""

    examples: tuple[Example, ...]

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[Example]:
        return iter(self.examples)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(example.text for example in self.examples)

    @property
    def labels(self) -> tuple[str, ...]:
        """The distinct labels in the order of their first appearance."""
        return tuple(dict.fromkeys(e.label for e in self.examples if e.label is not None))

    @property
    def slots(self) -> tuple[str, ...]:
        """The distinct slots in the order of their first appearance."""
        return tuple(dict.fromkeys(span.slot for example in self.examples for span in example.spans or ()))

    def spelt_alike(self, known: Sequence[str] = ()) -> Corpus:
        """The corpus with one spelling for each slot, as `spelt_alike` has it."""
        return Corpus(spelt_alike(self.examples, known))

    def of_split(self, split: str) -> Corpus:
        """The examples of one split."""
        return Corpus(tuple(example for example in self.examples if example.split == split))
