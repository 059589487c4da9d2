"""A data set of an experiment: rules, label logic, and labelled texts in three splits.

The published sets (Jiang et al., EMNLP 2020, section 4.1) are read where somebody has put them; only the label logic,
which was written here, comes with the package.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from re2nn_core.errors import InputError
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead
from re2nn_core.experiments.datasets.kinds import REST
from re2nn_core.services.rule_systems.classification.sources import load_rules
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.tokenization import Tokenization, words_of_all
from re2nn_core.training.resuming import mark_of

Read = TypeVar("Read", CorpusRead, SlotCorpusRead)
FOLDER_VARIABLE = "RE2NN_BENCHMARKS"
LOGIC = Path(__file__).resolve().parents[1] / "logic"
_BESIDE = Path(__file__).resolve().parents[4] / "shared" / "benchmarks"  # beside a clone of the repository
# Name in the paper -> (folder of its texts and name of its label logic, its rule file).
KNOWN = {
    "ATIS": ("atis", "atis.rules.v0.config"),
    "QC": ("trec", "trec.rules.old.config"),
    "SMS": ("sms", "sms.rules.config"),
}


@dataclass(frozen=True)
class DataSet:
    """Examples all have labels. `folder` holds the published figures too; None for a set of somebody's own. `on_rest`:
    what a run does not draw from train is measured on, in the place of test."""

    name: str
    system: RuleSystem
    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    test: tuple[Example, ...]
    folder: Path | None = None
    on_rest: bool = False

    def __post_init__(self) -> None:
        for split in ("train", "test"):
            if not getattr(self, split):
                raise InputError(
                    f"The data set {self.name} has no {split} text with a label. "
                    "Give a file of labelled texts for it: an experiment trains on train and measures on test."
                )

    @cached_property
    def repeated(self) -> tuple[bool, ...]:
        """For each test text, whether it stands word for word in train."""
        train = {tuple(sentence) for sentence in self._words(self.train)}
        return tuple(tuple(sentence) in train for sentence in self._words(self.test))

    @cached_property
    def digest(self) -> str:
        """A mark of rules, logic, tokenizer and all texts."""
        system = self.system
        texts = (self.train, self.dev, self.test, *([REST] if self.on_rest else []))
        return mark_of(system.rules_text, system.logic_text, system.tokenization, *texts)

    @property
    def measurable(self) -> tuple[Example, ...]:
        """The texts that one run or another measures on."""
        return self.train if self.on_rest else self.test

    def _words(self, examples: Iterable[Example]) -> list[list[str]]:
        return [list(words) for words in words_of_all([e.text for e in examples], self.system.tokenization)]


def data_set(name: str, system: RuleSystem, corpus: Corpus) -> DataSet:
    """The data set of a corpus whose examples carry splits; texts without a label are left out."""
    train, dev, test = (_labelled(corpus.of_split(split)) for split in SPLITS)
    return DataSet(name, system, train, dev, test)


def on_rest_of_train(data: DataSet) -> DataSet:
    """The set, measured on the training texts that a run does not draw: with a small portion many more than test has.
    Published figures are none of these."""
    return replace(data, name=data.name + REST, folder=None, on_rest=True)


def _labelled(corpus: Corpus) -> tuple[Example, ...]:
    return tuple(example for example in corpus if example.label is not None)


def benchmark_folder(given: Path | None = None) -> Path:
    """The folder of the published data: the given one, the one that RE2NN_BENCHMARKS names, or shared/benchmarks
    beside the repository. InputError where it is not there."""
    named = os.environ.get(FOLDER_VARIABLE, "")
    folder = given or (Path(named) if named else _BESIDE)
    if folder.is_dir():
        return folder
    holds = f"the folder with rules/ and {'/, '.join(place for place, _ in KNOWN.values())}/ in it"
    if given or named:
        where = "--folder" if given else FOLDER_VARIABLE
        raise InputError(f"{folder}: there is no such folder ({where}). Give {holds}.")
    raise InputError(
        f"The published data are not on this machine. Write --folder DIR (or set {FOLDER_VARIABLE}): {holds}.\n"
        "For texts of your own, write --rules FILE --train FILE --dev FILE --test FILE instead of --data."
    )


def known_name(name: str) -> str:
    """The name as KNOWN has it, whatever its case. InputError for any other."""
    if name.upper() in KNOWN:
        return name.upper()
    raise InputError(
        f"'{name}' is no published data set; {', '.join(KNOWN)} are.\n"
        "For texts of your own, write --rules FILE --train FILE --dev FILE --test FILE instead of --data."
    )


def known_data(name: str, folder: Path, tokenization: Tokenization | None = None) -> DataSet:
    """A published set, with the published rules under the label logic of this package."""
    known = known_name(name)
    place, rules = KNOWN[known]
    loaded = load_rules(folder / "rules" / rules, LOGIC / f"{place}.toml", tokenization or Tokenization())
    train, dev, test = (_read_split(folder / place / f"{split}.tsv", split) for split in SPLITS)
    return DataSet(known, loaded.system(), train, dev, test, folder)


def _read_split(path: Path, split: str) -> tuple[Example, ...]:
    read = read_whole(path, "label TAB text", partial(read_corpus, format="tsv", header=False))
    return _labelled(Corpus(tuple(Example(example.text, example.label, split) for example in read.corpus)))


def read_whole(path: Path, lines: str, read: Callable[[Path], Read]) -> Read:
    """A published file, of which every line is used; `lines` says what is expected in it. InputError."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file. Lines of {lines} are expected in it.")
    found = read(path)
    if found.bad_rows:
        raise InputError(f"{path}: {len(found.bad_rows):,} lines cannot be read, the first: {found.bad_rows[0]}.")
    return found
