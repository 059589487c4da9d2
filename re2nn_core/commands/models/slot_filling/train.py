"""train for slots: fine-tune rules that capture words on texts with spans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.answer import Answer, percent
from re2nn_core.commands._common.options import Reading, note
from re2nn_core.commands._common.slot_filling.data import joined_slots, read_slot_texts, tell_each
from re2nn_core.commands._common.slot_filling.inputs import load_slot_system
from re2nn_core.commands._common.slot_filling.settings import slot_configs
from re2nn_core.commands._common.watching import epoch_line, tell_former_training, training_summary, watched
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization, words_of_all

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
    from re2nn_core.training.loop import Epoch


def train_slot_files(
    rules: tuple[Path, Path | None],
    sources: tuple[Path | None, Mapping[str, Path | None]],
    output: Path,
    reading: Reading,
    tokenization: Tokenization | None,
    *,
    ignore_case: bool,
    settings: dict[str, Any],
) -> Answer:
    """The answer of `re2nn train` for slots. `rules` are rules and priorities; `sources` one file of all texts, or a
    file for each split."""
    data_path, files = sources
    if data_path is None:
        corpus = joined_slots(files, reading, tokenization)
    else:
        corpus = read_slot_texts(data_path, reading, tokenization).corpus
    corpus = corpus.spelt_alike() if ignore_case else corpus
    system = load_slot_system(*rules, tokenization, corpus.slots if ignore_case else ())
    return _train(system, corpus, output, settings)


def _train(system: SlotSystem, corpus: Corpus, output: Path, settings: dict[str, Any]) -> Answer:
    from re2nn_core.services.fine_tuning.slot_filling.dev_figures import slot_dev_name
    from re2nn_core.services.fine_tuning.slot_filling.split import split_slots
    from re2nn_core.services.fine_tuning.slot_filling.training import slots_apart, tagger_resumes, train_tagger

    split = split_slots(corpus)
    apart = slots_apart(system, split.train)
    tell_each(apart, system.slots, corpus.slots)
    words = chain.from_iterable(words_of_all([example.text for example in split.train], system.tokenization))
    network, train = slot_configs(settings, len(split.train), words)
    tell_former_training(output, resumes=tagger_resumes(system, corpus, network, train, folder=output))
    tell = partial(_tell_epoch, slot_dev_name(split, network, train))
    report, seconds = watched(partial(train_tagger, system, corpus, network, train, folder=output), tell)
    following = (
        f"re2nn predict --model {report.model} TEXTS -o answers.jsonl",
        f"re2nn evaluate --model {report.model} --data FILE",
        f"re2nn reconstruct --model {report.model} --data FILE -o RULES",
    )
    untold = replace(report, notes=tuple(told for told in report.notes if told not in apart))
    text = training_summary(untold, "F1 of spans", following)
    return Answer({"task": "slots", **asdict(report), "seconds": seconds}, text)


def _tell_epoch(dev: str, epoch: Epoch, best: int) -> None:
    note(epoch_line(epoch, best, f"train F1 {percent(epoch.train):>7}  {dev} F1 {percent(epoch.dev):>7}"))
