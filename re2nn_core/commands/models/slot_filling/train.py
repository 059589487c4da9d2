"""train for slots: fine-tune rules that capture words on texts with spans."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import CommandResult, percent
from re2nn_core.commands._common.options import ReadingOptions, note, refuse_given
from re2nn_core.commands._common.slot_filling.data import read_slot_texts, report_each
from re2nn_core.commands._common.slot_filling.inputs import rules_and_tagger
from re2nn_core.commands._common.slot_filling.settings import slot_configs
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.splits import TrainingTexts
from re2nn_core.commands._common.watching import (
    counting_work,
    epoch_line,
    report_former_training,
    training_summary,
    watched,
)
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
    from re2nn_core.training.loop import Epoch


def train_slot_files(
    sources: Sources, texts: TrainingTexts, output: Path, reading: ReadingOptions, settings: dict[str, Any]
) -> CommandResult:
    """The result of `re2nn train` for slots."""
    refuse_given(Task.SLOT_FILLING, "split_column")
    corpus = texts.read(lambda path: read_slot_texts(path, reading, sources.tokenization).corpus)
    corpus = corpus.spelt_alike() if sources.ignore_slot_case else corpus
    system = rules_and_tagger(sources, None, corpus.slots if sources.ignore_slot_case else ()).system
    return _train(system, corpus, output, settings)


def _train(system: SlotSystem, corpus: Corpus, output: Path, settings: dict[str, Any]) -> CommandResult:
    from re2nn_core.services.fine_tuning.slot_filling.dev_figures import slot_dev_name
    from re2nn_core.services.fine_tuning.slot_filling.split import split_slots
    from re2nn_core.services.fine_tuning.slot_filling.training import slots_apart, tagger_resumes, train_tagger

    split = split_slots(corpus)
    apart = slots_apart(system, split.train)
    report_each(apart, system.slots, corpus.slots)
    network, train = slot_configs(settings, len(split.train))
    report_former_training(output, resumes=tagger_resumes(system, corpus, network, train, folder=output))
    report_progress = partial(_report_epoch, slot_dev_name(split, network, train, system.rules_text))
    added = counting_work("linear layer" if network.auxiliary == "none" else "layer and encoder")
    work = partial(train_tagger, system, corpus, network, train, folder=output, on_progress=added)
    report, seconds = watched(work, report_progress)
    following = (
        f"re2nn predict --model {report.model} TEXTS -o predictions.jsonl",
        f"re2nn evaluate --model {report.model} --data FILE",
        f"re2nn reconstruct --model {report.model} --data FILE -o RULES",
        f"re2nn review {report.model} --data FILE --html REVIEW",
    )
    unreported = replace(report, notes=tuple(reported for reported in report.notes if reported not in apart))
    text = training_summary(unreported, "F1 of spans", following)
    return CommandResult({"task": "slots", **asdict(report), "seconds": seconds}, text)


def _report_epoch(dev: str, epoch: Epoch, best: int) -> None:
    note(epoch_line(epoch, best, f"train F1 {percent(epoch.train):>7}  {dev} F1 {percent(epoch.dev):>7}"))
