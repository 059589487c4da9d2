"""What a training would learn from: the labelled texts by label and source, and where there are too few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from re2nn_core.embeddings.language import encoder_knows
from re2nn_core.rules.logic.label_logic import NEVER
from re2nn_core.services.fine_tuning.classification.objectives import MANY
from re2nn_core.services.fine_tuning.training_plan import (
    FEWEST,
    Split,
    TrainingPlan,
    choose_training_plan,
    split_examples,
    without_rules,
)
from re2nn_core.services.prediction.classification.pseudo_labels import PseudoLabels, pseudo_labels_by
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization, tokenize
from re2nn_core.training.config import TrainConfig

if TYPE_CHECKING:  # the store takes half a second to load, and training from files needs none
    from re2nn_core.store import TextRecord

# Below these a figure or a label is named in a warning.
FEW_OF_A_LABEL = 5
FEW_DEV = 30
SAMPLE = 200  # texts that show a language; a page asks at each click
_NAMED = 6
_WITHOUT = "Label some of these, or write rules for them."
_TAUGHT = "A network trained on the rules' predictions also learns their mistakes."


@dataclass(frozen=True)
class LabelExamples:
    """Labelled texts of one label. `by_people` and `with_data` are the train texts by who gave the label, those held
    out of them included; `dev`: those that decide when to stop; `rules` counts the label's rules."""

    label: str
    by_people: int
    with_data: int
    dev: int
    test: int
    rules: int

    @property
    def train(self) -> int:
        return self.by_people + self.with_data


@dataclass(frozen=True)
class LabelledExamples:
    """`missing` says why training cannot start, None where it can; `warnings` what may spoil it; `split` what it would
    learn from; `encoder_knows`: the encoder is there and knows the words of the train texts; `ruleless`: some label to
    learn has no rule; `predicted`: the texts that have a prediction of the rules and no label, where too few train
    texts have one to learn from; `can_be_taught`: an auxiliary encoder can learn from these predictions."""

    labels: tuple[LabelExamples, ...]
    train: int
    dev: int
    test: int
    unlabelled: int
    missing: str | None
    warnings: tuple[str, ...]
    split: Split
    encoder_knows: bool = False
    ruleless: bool = False
    predicted: PseudoLabels = PseudoLabels()
    can_be_taught: bool = False

    @property
    def turns(self) -> bool:
        """Whether train and dev texts all take turns at being held out, with the usual settings."""
        return self.missing is None and choose_training_plan(TrainConfig(), self.split).turns

    def recipe(
        self, config: TrainConfig, manual_overrides: Collection[str] = (), *, auxiliary: bool = False
    ) -> TrainingPlan:
        """Which steps are taken with these settings, and why; those set `manual_overrides` stay as they are.
        `auxiliary`: one learns beside the rules."""
        return choose_training_plan(
            config, self.split, ruleless=self.ruleless, auxiliary=auxiliary, manual_overrides=manual_overrides
        )


def label_examples_of(records: Sequence[TextRecord], system: RuleSystem) -> LabelledExamples:
    """The examples that a project's texts hold for these rules."""
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))
    split = split_examples(corpus)
    train, dev, test = split.train, split.dev, split.test
    turns = choose_training_plan(TrainConfig(), split).turns if train else False
    stopping = dev if split.decided_by == "dev" else ()
    labels = _by_label(records, system, Counter(example.label for example in stopping))
    predicted = pseudo_labels_by(system, corpus) if len(train) < FEWEST else PseudoLabels()
    known = encoder_knows_texts([*train, *predicted.examples], system.tokenization)
    taught = known and len(predicted) >= MANY
    return LabelledExamples(
        labels=labels,
        train=len(train),
        dev=len(dev),
        test=len(test),
        unlabelled=sum(record.label is None for record in records),
        missing=_missing(len(train), len(dev), {example.label for example in train}),
        warnings=_warnings(labels, system, 0 if turns else len(dev), taught),
        split=split,
        encoder_knows=known,
        ruleless=without_rules(split, system.ruleset.labels),
        predicted=predicted,
        can_be_taught=taught,
    )


def encoder_knows_texts(examples: Sequence[Example], tokenization: Tokenization) -> bool:
    """Whether the encoder is there and knows the words of these texts; of many, those of a spread sample show it."""
    sample = examples[:: 1 + len(examples) // SAMPLE]
    return encoder_knows(token.text for example in sample for token in tokenize(example.text, tokenization))


def _by_label(
    records: Sequence[TextRecord], system: RuleSystem, dev: Mapping[str | None, int]
) -> tuple[LabelExamples, ...]:
    names = dict.fromkeys((*system.logic.labels, *(r.label for r in records if r.label is not None)))
    return tuple(_count(label, [r for r in records if r.label == label], system, dev.get(label, 0)) for label in names)


def _count(label: str, records: Sequence[TextRecord], system: RuleSystem, dev: int) -> LabelExamples:
    train = [record for record in records if record.split in ("train", None)]
    by_people = sum(record.annotator is not None for record in train)
    return LabelExamples(
        label=label,
        by_people=by_people,
        with_data=len(train) - by_people,
        dev=dev,
        test=sum(record.split == "test" for record in records),
        rules=len(system.ruleset.of_label(label)),
    )


def _missing(train: int, dev: int, labels: Collection[str | None]) -> str | None:
    if train < FEWEST:
        return f"{train} labelled training texts; at least {FEWEST} are needed. Label more texts first."
    if len(labels) < 2:
        return f"All training texts have the label {next(iter(labels))}. Use at least two labels."
    if not dev:
        return "No labelled dev text decides when to stop. Give some labelled texts the split 'dev'."
    return None


def _warnings(labels: Sequence[LabelExamples], system: RuleSystem, dev: int, taught: bool) -> tuple[str, ...]:
    # Imported here: a training asks this module for its settings alone, and drafts of rules load the store.
    from re2nn_core.services.rule_writing.classification.unused_rules import unused_by_label

    found = [
        f"{unused} Training leaves {'them' if len(unused.rules) > 1 else 'it'} out. "
        f"Add {'them' if len(unused.rules) > 1 else 'it'} to the formula on Write rules first."
        for unused in unused_by_label(system)
    ]
    if few := [entry for entry in labels if 0 < entry.train < FEW_OF_A_LABEL]:
        found.append(f"Fewer than {FEW_OF_A_LABEL} training texts: {_names(few)}. Label a few more of these.")
    none = [entry for entry in labels if not entry.train and (entry.rules or entry.dev or entry.test)]
    if none and (taught or len(none) < len(labels)):  # of no label at all, there is more to say than this
        found.append(f"No training text at all: {_names(none)}. {_TAUGHT if taught else _WITHOUT}")
    logic = system.logic
    silent = {name for name, formula in zip(logic.labels, logic.formulas, strict=True) if formula == NEVER}
    silent |= {entry.label for entry in labels} - set(logic.labels)
    if ruleless := [e for e in labels if e.label in silent and e.train and e.label != logic.default]:
        found.append(f"No rule: {_names(ruleless)}. The network has to learn these from texts alone.")
    if 0 < dev < FEW_DEV:
        found.append(f"Only {counted(dev, 'dev text')}: one text more or less moves the dev accuracy by {1 / dev:.1%}.")
    return tuple(found)


def _names(entries: Sequence[LabelExamples]) -> str:
    names = ", ".join(entry.label for entry in entries[:_NAMED])
    return names + (f" and {len(entries) - _NAMED} more" if len(entries) > _NAMED else "")
