"""What a training for slots would learn from: the spans of marked texts by slot and source, and where there are too
few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.rules.tagging import slots_of
from re2nn_core.services.fine_tuning.slot_filling.split import (
    SlotSplit,
    dev_decides,
    learned_split,
    plan_in_words,
    split_slots,
)
from re2nn_core.services.fine_tuning.training_plan import FEWEST
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig

# Below these a slot or a figure is named in a warning.
FEW_OF_A_SLOT = 5
FEW_DEV = 60
_NAMED = 6


@dataclass(frozen=True)
class SlotSpans:
    """The spans of one slot. `by_people` and `with_data` are those of train texts by who marked the text, and stand in
    `texts` of them, those held out included; `dev`: those of texts that decide when to stop, or measure; `rules` names
    the rules that capture it."""

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
    """`unannotated`: texts of which nobody has said what stands in them; `empty`: train texts that are marked and hold
    no span. `missing` says why training cannot start, None where it can; `warnings` what may spoil it. What it would
    learn from follows from `split` and the network."""

    slots: tuple[SlotSpans, ...]
    unannotated: int
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

    @property
    def dev_title(self) -> str:
        """What the texts that decide when to stop are: of the split dev, or held out of the training texts."""
        return "held-out" if self.split.held_out else "dev"

    def learned(self, network: TaggerConfig, train: TrainConfig) -> SlotSplit:
        """What a network would learn from, stop by, and be measured on."""
        return learned_split(self.split, network, train)

    def decides(self, network: TaggerConfig) -> bool:
        """Whether dev texts would tell it when to stop."""
        return dev_decides(self.split, network)

    def rough(self, network: TaggerConfig, train: TrainConfig) -> str:
        """A warning where few dev spans make its F1 rough; empty where there are enough, or none at all."""
        split = self.learned(network, train)
        spans = sum(len(example.spans or ()) for example in split.dev)
        if not split.dev or spans >= FEW_DEV:
            return ""
        which = "held-out" if split.held_out else "dev"
        return f"Only {counted(spans, 'span')} in {which} texts: the F1 on them is rough."

    def recipe(self, network: TaggerConfig, train: TrainConfig) -> str:
        """What would be trained from what with these settings, in a sentence."""
        return plan_in_words(self.split, train, network)


def slot_examples_of(records: Sequence[TextRecord], system: SlotSystem) -> SlotExamples:
    """The examples that a project's texts hold for these rules."""
    examples = span_examples_of(records, system.known_slots)
    split = split_slots(Corpus(examples))
    dev = Counter(span.slot for example in split.dev for span in example.spans or ())
    slots = _by_slot(list(zip(records, examples, strict=True)), system, dev)
    train = [example for example in examples if example.spans is not None and example.split in ("train", None)]
    empty = sum(not example.spans for example in train)
    return SlotExamples(
        slots=slots,
        unannotated=sum(example.spans is None for example in examples),
        empty=empty,
        missing=_missing(len(train), len(train) - empty),
        warnings=_warnings(slots),
        split=split,
    )


def _by_slot(
    texts: Sequence[tuple[TextRecord, Example]], system: SlotSystem, dev: Mapping[str, int]
) -> tuple[SlotSpans, ...]:
    """The slots of the rules, then those of texts alone."""
    capturing: dict[str, list[str]] = {slot: [] for slot in system.slots}
    for name, tree in system.trees:
        for slot in slots_of([tree]):
            capturing[slot].append(name)
    by_people, with_data, holding, test = (Counter[str]() for _ in range(4))
    for record, example in texts:
        found = [span.slot for span in example.spans or ()]
        if record.split in ("train", None):
            (with_data if record.annotator is None else by_people).update(found)
            holding.update(set(found))
        elif record.split == "test":
            test.update(found)
    order = dict.fromkeys((*system.slots, *(span.slot for _, example in texts for span in example.spans or ())))
    return tuple(
        SlotSpans(
            slot,
            by_people[slot],
            with_data[slot],
            holding[slot],
            dev.get(slot, 0),
            test[slot],
            tuple(capturing.get(slot, ())),
        )
        for slot in order
    )


def _missing(train: int, with_spans: int) -> str | None:
    if train < FEWEST:
        return f"There are {train} annotated training texts; at least {FEWEST} are needed. Annotate more texts first."
    if not with_spans:
        return f"None of the {train} annotated training texts has a span. Annotate texts in which words fill a slot."
    return None


def _warnings(slots: Sequence[SlotSpans]) -> tuple[str, ...]:
    found = []
    if few := [entry for entry in slots if 0 < entry.train < FEW_OF_A_SLOT]:
        found.append(f"Fewer than {FEW_OF_A_SLOT} training spans: {_names(few)}. Annotate a few more of these.")
    if none := [entry for entry in slots if not entry.train and (entry.rules or entry.dev or entry.test)]:
        found.append(f"No training span: {_names(none)}. Only a written rule can find these.")
    if ruleless := [entry for entry in slots if entry.train and not entry.rules]:
        found.append(
            f"No rule captures {_names(ruleless)}. The network has to learn this from texts alone, which takes one "
            "trained for the highest accuracy."
        )
    return tuple(found)


def _names(entries: Collection[SlotSpans]) -> str:
    names = ", ".join([entry.slot for entry in entries][:_NAMED])
    return names + (f" and {len(entries) - _NAMED} more" if len(entries) > _NAMED else "")
