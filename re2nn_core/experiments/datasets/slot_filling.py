"""A data set of a slot experiment: rules, priorities, and texts with spans in three splits (Jiang et al., EMNLP 2021,
section 4.1). Of the published sets only the priorities come with the package; they were written here."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.experiments.datasets.classification import LOGIC, read_whole
from re2nn_core.rules.text_file import read_text_file
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.resuming import mark_of

# Name in the paper -> (folder of its texts, its rule file).
KNOWN_SLOTS = {"ATIS": ("atis", "atis_bio.bio.rules.config"), "SNIPS": ("snips", "snips_bio.bio.rules.v1.config")}
ALL_OF_DEV_FROM = 0.1  # of train; with fewer examples a dev set of their number is drawn, since nobody has a large one


@dataclass(frozen=True)
class SlotDataSet:
    """All examples have spans. `folder` holds the published figures too; None for a set of somebody's own."""

    name: str
    system: SlotSystem
    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    test: tuple[Example, ...]
    folder: Path | None = None

    @cached_property
    def digest(self) -> str:
        """A mark of rules, priorities, tokenizer and all texts."""
        system = self.system
        parts = (system.rules_text, system.logic_text, system.tokenization, system.known_slots)
        return mark_of(*parts, self.train, self.dev, self.test)


@dataclass(frozen=True)
class SlotsDrawn:
    """What is learned from, and the dev texts that decide when to stop."""

    train: tuple[Example, ...]
    dev: tuple[Example, ...]


def known_slot_data(name: str, folder: Path) -> SlotDataSet:
    """A published set, with the published rules under the priorities of this package. InputError."""
    if name.upper() not in KNOWN_SLOTS:
        raise InputError(f"'{name}' is no published set with slots; {', '.join(KNOWN_SLOTS)} are.")
    known = name.upper()
    place, rules = KNOWN_SLOTS[known]
    tokenization = Tokenization()
    splits = [_read_split(folder / place / f"{split}.jsonl", split, tokenization) for split in SPLITS]
    slots = sorted({span.slot for examples in splits for example in examples for span in example.spans or ()})
    system, _ = read_slot_system(
        read_text_file(folder / "rules" / rules, "a rule file"),
        read_text_file(LOGIC / f"{place}_slots.toml", "a file of priorities"),
        tokenization,
        known_slots=slots,
        rules_file=rules,
    )
    train, dev, test = splits
    return SlotDataSet(known, system, train, dev, test, folder)


def _read_split(path: Path, split: str, tokenization: Tokenization) -> tuple[Example, ...]:
    reading = partial(read_slot_corpus, tokenization=tokenization, split=split)
    return tuple(read_whole(path, "tokens and tags (JSONL)", reading).corpus)


def slot_data_set(name: str, system: SlotSystem, corpus: Corpus) -> SlotDataSet:
    """The set of a corpus whose examples carry splits; texts that nobody has marked are left out. InputError."""
    splits = [tuple(e for e in corpus.of_split(split) if e.spans is not None) for split in SPLITS]
    for split, examples in zip(SPLITS, splits, strict=True):
        if split != "dev" and not examples:
            raise InputError(
                f"There is no {split} text with spans: an experiment trains on train and measures on test."
            )
    train, dev, test = splits
    return SlotDataSet(name, system, train, dev, test)


def count_of(amount: float, data: SlotDataSet) -> int:
    """How many examples an amount is: a share of train up to 1, or a number above it. InputError."""
    count = round(amount * len(data.train)) if amount <= 1 else int(amount)
    if count > len(data.train):
        raise InputError(f"{data.name} has {len(data.train):,} training texts (asked for {count:,}).")
    return count


def draw_slots(data: SlotDataSet, amount: float, seed: int) -> SlotsDrawn:
    """The training and dev texts of an amount for a seed; of one seed a larger amount holds the smaller ones."""
    count = count_of(amount, data)
    train = _sample(data.train, count, f"train {seed}")
    few = count < ALL_OF_DEV_FROM * len(data.train)
    return SlotsDrawn(train, _sample(data.dev, count, f"dev {seed}") if few else data.dev)


def _sample(examples: Sequence[Example], count: int, seed: str) -> tuple[Example, ...]:
    places = list(range(len(examples)))
    random.Random(seed).shuffle(places)
    return tuple(examples[place] for place in sorted(places[:count]))
