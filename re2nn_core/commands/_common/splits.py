"""Texts of several splits: a file for each, or one file that names them, so that test texts never teach anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from re2nn_core.commands._common.options import note
from re2nn_core.errors import InputError
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted


@dataclass(frozen=True)
class ChoosingTexts:
    """The texts of `reconstruct`: one file that names splits, of which one may be chosen, or a file for each split."""

    data: Path | None
    split: str | None
    files: Mapping[str, Path | None]

    @property
    def given(self) -> bool:
        """Whether any of the options was given."""
        return self.data is not None or self.split is not None or any(self.files.values())

    def read(self, read: Callable[[Path], Corpus]) -> Corpus:
        """The texts, those to choose on as dev. InputError where there are none, or options contradict each other."""
        if self.data is None:
            if self.split is not None:
                raise InputError("--split is for --data, one file that names the split of each text. Leave it out.")
            if self.files["dev"] is None:
                raise InputError(f"There are no texts to choose on{self._without_dev()}")
            return joined_splits(self.files, read)
        if given := [f"--{name}" for name, path in self.files.items() if path is not None]:
            raise InputError(f"--data holds all splits in one file. Leave out {' and '.join(given)}, or --data.")
        return _choosing_of(read(self.data), self.split, self.data)

    def _without_dev(self) -> str:
        """What the files that were given are for, and what to write."""
        train, test = self.files.get("train"), self.files.get("test")
        if train is not None:
            return (
                f": {train}, given as --train, only helps to choose. Write --dev FILE, too, or --data {train} in place "
                "of --train: then the changes are chosen on its texts."
            )
        only = "" if test is None else f": {test}, given as --test, is only measured"
        return f"{only}. Write --dev FILE, or --data FILE where each text names its split."


def _choosing_of(corpus: Corpus, split: str | None, path: Path) -> Corpus:
    if split is not None:
        return Corpus(tuple(replace(example, split="dev") for example in of_split(corpus, split, path)))
    if not len(corpus.of_split("dev")):
        note(f"{path} has no text of the split 'dev', so all but test texts are chosen on, and measured as dev.")
        return Corpus(tuple(e if e.split == "test" else replace(e, split="dev") for e in corpus))
    return corpus


def of_split(corpus: Corpus, split: str | None, path: Path) -> Corpus:
    """The texts of the split that was asked for, or all of them. InputError where there are none."""
    if split is not None and not len(corpus := corpus.of_split(split)):
        raise InputError(f"{path} has no text of the split '{split}'. Leave --split out, or choose another.")
    return corpus


@dataclass(frozen=True)
class TrainingTexts:
    """The texts of `train`: one file that names splits, with the column that does, or a file for each split."""

    data: Path | None
    files: Mapping[str, Path | None]
    split_column: str | None

    def read(self, read: Callable[[Path], Corpus]) -> Corpus:
        """All of them, each with its split."""
        return joined_splits(self.files, read) if self.data is None else read(self.data)

    def refuse_unclear(self) -> None:
        """InputError where there is nothing to learn from, or options contradict each other."""
        if self.data is None and self.files["train"] is None:
            raise InputError(
                "There are no training texts. Write --train FILE --dev FILE, or --data FILE with a split column."
            )
        if self.data is not None and any(self.files.values()):
            raise InputError(
                "--data holds all splits in one file. Leave out --train, --dev and --test, or leave out --data."
            )


def joined_splits(files: Mapping[str, Path | None], read: Callable[[Path], Corpus]) -> Corpus:
    """One corpus of several files, each a split of it. Rows that name another split are left out, so that test texts
    of a file with all splits teach nothing. InputError for a file that is given twice without naming splits."""
    given = {split: path for split, path in files.items() if path is not None}
    examples: list[Example] = []
    for split, path in given.items():
        corpus = read(path)
        if any(example.split is None for example in corpus):
            _refuse_second_use(split, path, given)
        examples += _of_split(corpus, split, path)
    return Corpus(tuple(examples))


def _refuse_second_use(split: str, path: Path, given: Mapping[str, Path]) -> None:
    """InputError for texts that are learned from and measured on; a word on others that are given twice."""
    for other, its in given.items():
        if other == split or its.resolve() != path.resolve():
            continue
        if {split, other} == {"train", "test"}:
            raise InputError(
                f"{path} is given as --train and as --test: figures on training texts do not hold for new "
                "texts.\nGive different files, or name the split of each text in the file."
            )
        if list(given).index(split) < list(given).index(other):
            note(f"{path} is given as --{split} and as --{other}: {_CHOSEN_TWICE[frozenset((split, other))]}")


_CHOSEN_TWICE = {
    frozenset(("train", "dev")): "dev texts that are used for training cannot decide when to stop.",
    frozenset(("dev", "test")): "figures on texts that something was chosen on flatter.",
}


def _of_split(corpus: Corpus, split: str, path: Path) -> list[Example]:
    """The examples as those of a split, without those that say they are of another."""
    kept = [replace(example, split=split) for example in corpus if example.split in (None, split)]
    others = Counter(example.split for example in corpus if example.split not in (None, split))
    named = ", ".join(f"{count:,} {other}" for other, count in others.items())
    if not kept:
        raise InputError(
            f"{path} is given as --{split}, but its texts name other splits ({named}).\n"
            f"Give a file of {split} texts, or correct the splits in it."
        )
    if others:
        note(f"{path}: {counted(others.total(), 'text')} of other splits ({named}) left out of --{split}.")
    return kept
