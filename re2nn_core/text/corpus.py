"""A corpus: texts, each with a label or the spans of its slots, and a split, where these are known; and the check of
texts that a program gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from re2nn_core.errors import InputError, shortened
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


def shown_value(value: object) -> str:
    """A value as messages quote it: its kind and the first of its characters."""
    return f"{type(value).__name__} {shortened(repr(value))[:80]}"


def is_table(given: object) -> bool:
    """Whether a value has rows and columns, as a DataFrame or a matrix has."""
    shape = getattr(given, "shape", ())
    return isinstance(shape, tuple) and len(shape) > 1


def checked_texts(texts: Any) -> list[str]:
    """The texts that a program gives, as a list. InputError for what is no list of strings."""
    if isinstance(texts, str | bytes):
        raise InputError(
            f"The texts are one {type(texts).__name__}, not a list. Put the text in a list: predict([text])."
        )
    _refuse_no_list(texts)
    found = list(texts)
    for place, text in enumerate(found):
        if not isinstance(text, str):
            raise InputError(
                f"Text {place + 1:,} of {len(found):,} is no string (got {shown_value(text)}). "
                "Give strings; leave missing texts out."
            )
        if type(text) is not str:  # a string of NumPy is one too, and prints otherwise
            found[place] = str(text)
    return found


def checked_text(text: Any) -> str:
    """One text. InputError for what is no string."""
    if not isinstance(text, str):
        raise InputError(f"The text is no string (got {shown_value(text)}). Give one text as a string: explain(text).")
    return str(text)


def _refuse_no_list(texts: object) -> None:
    """InputError for what would be read otherwise than was meant: names of columns, keys, letters of a path."""
    if is_table(texts):
        raise InputError(
            f"The texts are a table of shape {texts.shape}, not a list. "  # type: ignore[attr-defined]
            'Give a list of strings, or one column of the table, as in table["text"].'
        )
    if isinstance(texts, Mapping):
        raise InputError(
            f"The texts are a {type(texts).__name__}, of which only the keys would be read. "
            "Give a list of strings, as in predict(list(texts.values()))."
        )
    if isinstance(texts, set | frozenset):
        raise InputError(
            f"The texts are a {type(texts).__name__}, which has no order, so predictions would belong to no text. "
            "Give a list of strings, as in predict(sorted(texts))."
        )
    if isinstance(texts, Path):
        raise InputError(
            f"The texts are the path {texts}, not a list. Read the file first: predict(read_texts(path).texts)."
        )
    if not hasattr(texts, "__iter__") or getattr(texts, "shape", None) == ():
        raise InputError(f"The texts are no list (got {shown_value(texts)}). Give a list of strings: predict([text]).")
