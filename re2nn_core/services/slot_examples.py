"""What a training for slots would learn from: the spans of marked texts by slot and source, and where there are too
few."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from re2nn_core.network.tagger_config import TaggerConfig
from re2nn_core.rules.tagging import slots_of
from re2nn_core.services.recipes import FEWEST
from re2nn_core.services.slot_systems import SlotSystem
from re2nn_core.services.slot_texts import examples_of, spans_of_record
from re2nn_core.services.slot_training import SlotSplit, dev_decides, recipe_in_words, split_slots, used
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

# Below these a slot or a figure is named in a warning.
FEW_OF_A_SLOT = 5
FEW_DEV = 60
_NAMED = 6


@dataclass(frozen=True)
class SlotSpans:
    """The spans of one slot. `by_people` and `with_data` are those of train texts by who marked the text, and stand in
    `texts` of them; `rules` names the rules that capture it."""

    slot: str
    by_people: int
    with_data: int
    texts: int
    dev: int
    test: int
    rules: tuple[str, ...]

    @property
    def train(self) -> int:
        return self.by_people + self.with_data


@dataclass(frozen=True)
class SlotExamples:
    """`unmarked`: texts of which nobody has said what stands in them; `empty`: train texts that are marked and hold no
    span. `missing` says why training cannot start, None where it can; `warnings` what may spoil it. What it would
    learn from follows from `split` and the network."""

    slots: tuple[SlotSpans, ...]
    unmarked: int
    empty: int
    missing: str | None
    warnings: tuple[str, ...]
    split: SlotSplit

    @property
    def spans(self) -> int:
        """All that a training would learn from, with those held out from it."""
        return sum(slot.train for slot in self.slots)

    @property
    def train(self) -> int:
        """Marked training texts, with those held out from them."""
        return self.split.marked

    def learned(self, network: TaggerConfig) -> SlotSplit:
        """What a network would learn from, stop by, and be measured on."""
        return used(self.split, network)

    def decides(self, network: TaggerConfig) -> bool:
        """Whether dev texts would tell it when to stop."""
        return dev_decides(self.split, network)

    def rough(self, network: TaggerConfig) -> str:
        """A warning where few dev spans make its F1 rough; empty where there are enough, or none at all."""
        split = self.learned(network)
        spans = sum(len(example.spans or ()) for example in split.dev)
        if not split.dev or spans >= FEW_DEV:
            return ""
        return f"Only {spans} spans in {'held-out' if split.held_out else 'dev'} texts: the F1 on them is rough."

    def recipe(self, network: TaggerConfig, train: TrainConfig) -> str:
        """What would be trained from what with these settings, in a sentence."""
        return recipe_in_words(self.split, train, network)


def slot_examples_of(records: Sequence[TextRecord], system: SlotSystem) -> SlotExamples:
    """The examples that a project's texts hold for these rules."""
    split = split_slots(Corpus(examples_of(records)))
    slots = _by_slot(records, system)
    train = sum(record.label is not None and record.split in ("train", None) for record in records)
    empty = sum(spans_of_record(record) == () and record.split in ("train", None) for record in records)
    return SlotExamples(
        slots=slots,
        unmarked=sum(record.label is None for record in records),
        empty=empty,
        missing=_missing(train, train - empty),
        warnings=_warnings(slots),
        split=split,
    )


def _by_slot(records: Sequence[TextRecord], system: SlotSystem) -> tuple[SlotSpans, ...]:
    """The slots of the rules, then those of texts alone."""
    capturing: dict[str, list[str]] = {slot: [] for slot in system.slots}
    for name, tree in system.trees:
        for slot in slots_of([tree]):
            capturing[slot].append(name)
    marked = [(record, [span.slot for span in spans_of_record(record) or ()]) for record in records]
    slots = dict.fromkeys((*system.slots, *(slot for _, found in marked for slot in found)))
    return tuple(_count(slot, marked, tuple(capturing.get(slot, ()))) for slot in slots)


def _count(slot: str, marked: Sequence[tuple[TextRecord, Sequence[str]]], rules: tuple[str, ...]) -> SlotSpans:
    of_slot = [(record, found.count(slot)) for record, found in marked if slot in found]
    train = [(record, spans) for record, spans in of_slot if record.split in ("train", None)]
    by_people = sum(spans for record, spans in train if record.annotator is not None)
    return SlotSpans(
        slot=slot,
        by_people=by_people,
        with_data=sum(spans for _, spans in train) - by_people,
        texts=len(train),
        dev=sum(spans for record, spans in of_slot if record.split == "dev"),
        test=sum(spans for record, spans in of_slot if record.split == "test"),
        rules=rules,
    )


def _missing(train: int, with_spans: int) -> str | None:
    if train < FEWEST:
        return f"{train} marked training texts; at least {FEWEST} are needed. Mark more texts first."
    if not with_spans:
        return f"None of the {train} marked training texts holds a span. Mark texts in which some words fill a slot."
    return None


def _warnings(slots: Sequence[SlotSpans]) -> tuple[str, ...]:
    found = []
    if few := [entry for entry in slots if 0 < entry.train < FEW_OF_A_SLOT]:
        found.append(f"Fewer than {FEW_OF_A_SLOT} spans to learn from: {_names(few)}. Mark a few more of these.")
    if none := [entry for entry in slots if not entry.train and (entry.rules or entry.dev or entry.test)]:
        found.append(f"No span to learn from at all: {_names(none)}. Only a written rule can find these.")
    if ruleless := [entry for entry in slots if entry.train and not entry.rules]:
        found.append(
            f"No rule captures {_names(ruleless)}. The network has to learn this from texts alone, which takes one "
            "trained for the highest accuracy."
        )
    return tuple(found)


def _names(entries: Collection[SlotSpans]) -> str:
    names = ", ".join([entry.slot for entry in entries][:_NAMED])
    return names + (f" and {len(entries) - _NAMED} more" if len(entries) > _NAMED else "")
