"""The file of predictions that rules are reconstructed from, and what in it fits neither texts nor rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.inputs import read_label_texts, report_unknown_labels
from re2nn_core.commands._common.options import ReadingOptions, note
from re2nn_core.errors import DataFileError, InputError, shortened
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, join_names

if TYPE_CHECKING:
    from re2nn_core.exchange.corpora import CorpusRead

_NAMED = 5  # labels
_SHOWN = 10  # texts with several predictions


@dataclass(frozen=True)
class GivenPredictions:
    """A file of predictions. `column`: that of the predictions, None where it is found in the file."""

    path: Path
    column: str | None = None

    def read(self, reading: ReadingOptions, *, alone: bool) -> Corpus:
        """The predicted labels as those of the texts. Each text counts once; texts with several
        predictions are left out and said.
        `reading`: the options of the other texts, which hold for this file where it is `alone`."""
        own = ReadingOptions(text_column=reading.text_column, all_faults=reading.all_faults)
        column = self.column or (reading.label_column if alone else None)
        own = replace(reading if alone else own, label_column=column, predicted=True, needs_columns=alone)
        return self._distinct(read_label_texts(self.path, own, labelled=True), every=reading.all_faults)

    def _distinct(self, read: CorpusRead, *, every: bool) -> Corpus:
        """Each text of a split once. Rows that repeat one, and texts with several predictions, are reported."""
        lines: dict[str, dict[str, int]] = {}  # of each text: of each prediction the first line
        for example, line in zip(read.corpus, read.lines, strict=True):
            own = lines.setdefault(example.text, {})
            if example.label is not None:
                own.setdefault(example.label, line)
        several = {text: own for text, own in lines.items() if len(own) > 1}
        self._report_several(several, alone=not any(len(own) == 1 for own in lines.values()), every=every)
        left = [example for example in read.corpus if example.text not in several]
        kept: dict[tuple[str, str], Example] = {}
        for one in left:
            kept.setdefault((one.text, one.split or "train"), replace(one, label=next(iter(lines[one.text]), None)))
        if same := len(left) - len(kept):
            rows = counted(same, "row repeats a text", "rows repeat a text")
            note(f"{self.path}: {rows} with the same prediction; each text counts once.")
        return Corpus(tuple(kept.values()))

    def _report_several(self, several: Mapping[str, Mapping[str, int]], *, alone: bool, every: bool) -> None:
        """Say which rows contradict each other. DataFileError where no text has a single prediction."""
        if not several:
            return
        shown = list(several.items())[: None if every else _SHOWN]
        rows = [
            f"  lines {join_names([f'{line:,}' for line in own.values()])}: {shortened(text)!r} is "
            f"{first_names(list(own), _NAMED)}"
            for text, own in shown
        ]
        if len(several) > len(shown):
            rows.append(f"  and {counted(len(several) - len(shown), 'more such text')}; write --all-faults to see each")
        listed = "\n".join(rows)
        if alone:
            raise DataFileError(
                f"{self.path}: each text has several predictions. Give one prediction a text.\n{listed}"
            )
        note(f"{self.path}: {counted(len(several), 'text')} with several predictions left out:\n{listed}")

    def joined(self, texts: Sequence[Example], found: Corpus) -> tuple[Corpus, list[str | None]]:
        """The texts and those of the file that are none of them, and what is predicted of each (None: nothing).
        InputError where no text has a prediction."""
        by_text = {example.text: example.label for example in found}
        without = [example.text for example in texts if by_text.get(example.text) is None]
        alike = {_letters(text) for text, label in by_text.items() if label is not None}
        near = sum(_letters(text) in alike for text in without)
        if texts and len(without) == len(texts):
            others = f"its {counted(len(by_text), 'text')} are others"
            others = f"{counted(near, 'text')} differ from one in it in capitals or blanks alone" if near else others
            raise InputError(
                f"{self.path} has no prediction for any of the {counted(len(texts), 'text')}: {others}. "
                "Give predictions of these texts, with each text unchanged."
            )
        if without:
            more = f", {near:,} of them because of capitals or blanks alone: leave texts unchanged" if near else ""
            head = f"{self.path}: {counted(len(without), 'text')} of {len(texts):,} without a prediction left out"
            note(f"{head}{more}.")
        known = {example.text for example in texts}
        further = [Example(example.text, None, example.split) for example in found if example.text not in known]
        if texts and further:
            note(f"{self.path}: {counted(len(further), 'other text')} used as texts without a label.")
        corpus = Corpus((*texts, *further))
        return corpus, [by_text.get(text) for text in corpus.texts]


def report_labels(found: Corpus, known: Collection[str], file: str, *, out: str) -> None:
    """Say which labels of a file the rules lack, which have `known` ones. InputError where they lack all of them; `out`
    names the options that bring the rules."""
    from re2nn_core.exchange.corpora import unknown_labels

    unknown = unknown_labels(found, known)
    if not unknown or not known:
        return
    if {one.label for one in unknown} == set(found.labels):
        near = next((one for one in unknown if one.nearest), None)
        meant = f" Is '{near.label}' meant to be '{near.nearest}'?" if near is not None else ""
        raise InputError(
            f"None of the labels in {file} is one of the rules' labels: there it is {_first(found.labels)}, "
            f"in the rules {_first(list(known))}.{meant}\n"
            f"Name labels as the rules do, or leave out {out} to find rules for these labels alone."
        )
    report_unknown_labels(unknown, file, "none that the rules can give; new rules may")


def _first(labels: Sequence[str]) -> str:
    return first_names(labels, _NAMED)


def _letters(text: str) -> str:
    return "".join(text.casefold().split())
