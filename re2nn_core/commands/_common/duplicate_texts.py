"""Texts that are given several times: what they do to figures, and labels or spans that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from re2nn_core.commands._common.options import note
from re2nn_core.errors import shortened
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_MANY = 0.1  # of the labelled texts
_NAMED = 5  # labels
_SHOWN = 10  # texts with different labels
_LINES = 5  # of a text


class ReadTexts(Protocol):
    """What was read of a file: texts, and the line that each came from."""

    @property
    def corpus(self) -> Corpus: ...

    @property
    def lines(self) -> tuple[int, ...]: ...


class TextLines:
    """Where the texts that were read stand in their files."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = {}

    def corpus_of(self, path: Path, read: ReadTexts) -> Corpus:
        """The texts of a file, whose lines are kept."""
        for example, line in zip(read.corpus, read.lines, strict=True):
            self._places.setdefault(example.text, []).append(f"{path.name}:{line}")
        return read.corpus

    def of(self, texts: Sequence[str]) -> str:
        """` (train.tsv:4, train.tsv:9)`; empty where the files are not known."""
        places = [place for text in dict.fromkeys(texts) for place in self._places.get(text, ())]
        return f" ({first_names(places, _LINES)})" if places else ""


def report_duplicates(corpus: Corpus, lines: TextLines, *, every: bool = False) -> None:
    """Say of a training where many labelled texts are duplicates, and where duplicates have different labels: the first
    of these, or `every`."""
    alike: dict[str, list[Example]] = {}
    for example in corpus:
        if example.label is not None:
            alike.setdefault(" ".join(example.text.split()).casefold(), []).append(example)
    total = sum(map(len, alike.values()))
    duplicates = total - len(alike)
    if duplicates > _MANY * total:
        note(
            f"{duplicates:,} of {counted(total, 'labelled text')} are duplicates, so figures are higher and surer "
            "than on new texts. Leave duplicates out to measure new texts."
        )
    rows = {}
    for own in alike.values():
        if len(labels := sorted({one.label for one in own if one.label is not None})) > 1:
            rows[own[0].text] = f" is {first_names(labels, _NAMED)}{lines.of([one.text for one in own])}"
    if rows:
        which = f"{counted(len(rows), 'text')} with different labels"
        note("\n".join([f"{which}: training uses them all. Correct the labels:", *_first(rows, every=every)]))


def distinct_texts(corpus: Corpus, lines: TextLines, *, every: bool = False) -> Corpus:
    """Each text of a split once for each label, or set of spans, that it has. What is left out is reported, and which
    texts have different ones: the first of these, or `every`."""
    examples = tuple(dict.fromkeys(corpus.examples))
    if same := len(corpus) - len(examples):
        what = "spans" if any(one.spans is not None for one in examples) else "label"
        rows = counted(same, "row repeats a text", "rows repeat a text")
        note(f"{rows} with the same {what}; each text counts once.")
    _report_unlike(examples, lines, every=every)
    return Corpus(examples)


def _report_unlike(examples: Sequence[Example], lines: TextLines, *, every: bool) -> None:
    annotated = [one for one in examples if one.label is not None or one.spans is not None]
    known: dict[str, dict[object, str]] = {}
    for one in annotated:
        known.setdefault(one.text, {})[one.label or one.spans] = one.label or ""
    unlike = {text: list(filter(None, own.values())) for text, own in known.items() if len(own) > 1}
    if not unlike:
        return
    what = "labels" if any(unlike.values()) else "sets of spans"
    rows = {
        text: f"{f' is {first_names(own, _NAMED)}' if own else ''}{lines.of([text])}" for text, own in unlike.items()
    }
    which = f"{counted(len(unlike), 'text')} with different {what}"
    note("\n".join([f"{which}, of which a prediction matches one alone:", *_first(rows, every=every)]))


def _first(rows: Mapping[str, str], *, every: bool) -> list[str]:
    """Texts with what is said of them, the first or `every` one."""
    shown = [f"  {shortened(text)!r}{message}" for text, message in rows.items()][: None if every else _SHOWN]
    if len(rows) > len(shown):
        shown.append(f"  and {counted(len(rows) - len(shown), 'more such text')}; write --all-faults to see each")
    return shown
