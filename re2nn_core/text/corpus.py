"""A corpus: texts, each with a label and a split where these are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Example:
    """One text. `label` is None where nobody has given one; `split` is train, dev, test or None."""

    text: str
    label: str | None = None
    split: str | None = None

    def __post_init__(self) -> None:
        if self.split is not None and self.split not in SPLITS:
            raise ValueError(f"split must be one of {', '.join(SPLITS)} or None (got {self.split!r})")


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

    def of_split(self, split: str) -> Corpus:
        """The examples of one split."""
        return Corpus(tuple(example for example in self.examples if example.split == split))
