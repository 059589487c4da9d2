"""train for slots: fine-tune rules that capture words on texts with spans."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands.answer import Answer, counted, percent, table
from re2nn_core.commands.options import Reading, note
from re2nn_core.commands.slot_data import joined_slots, read_slot_texts
from re2nn_core.commands.slot_inputs import load_slot_system
from re2nn_core.commands.slot_settings import slot_configs
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.slot_systems import SlotSystem
    from re2nn_core.services.slot_training import SlotTrainReport
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
    system = load_slot_system(*rules, tokenization, corpus.slots if ignore_case else ())
    return _train(system, corpus, output, settings)


def _train(system: SlotSystem, corpus: Corpus, output: Path, settings: dict[str, Any]) -> Answer:
    from re2nn_core.commands.training import stop_on_interrupt
    from re2nn_core.services.slot_training import split_slots, train_tagger, will_resume

    network, train = slot_configs(settings, len(split_slots(corpus).train))
    tell_former_training(output, resumes=will_resume(system, corpus, network, train, folder=output))
    began = time.perf_counter()
    with stop_on_interrupt() as should_stop:
        report = train_tagger(
            system, corpus, network, train, folder=output, on_epoch=_tell_epoch, should_stop=should_stop
        )
    seconds = round(time.perf_counter() - began, 2)
    return Answer({"task": "slots", **asdict(report), "seconds": seconds}, _summary(report))


def tell_former_training(output: Path, *, resumes: bool) -> None:
    """Say what becomes of an unfinished training in the folder."""
    from re2nn_core.training.resuming import unfinished_elsewhere

    if resumes:
        note(f"Going on from the checkpoint in {output}.")
    elif unfinished := unfinished_elsewhere(output):
        note(
            f"{output} holds an unfinished training of other rules, texts or settings. It is kept in {unfinished}; the "
            "former command goes on with it."
        )


def _tell_epoch(epoch: Epoch, best: int) -> None:
    mark = "  best so far" if best == epoch.epoch else ""
    note(
        f"epoch {epoch.epoch:>3}  loss {epoch.loss:.4f}  train F1 {percent(epoch.train):>7}"
        f"  dev F1 {percent(epoch.dev):>7}  {epoch.seconds:.1f} s{mark}"
    )


def _summary(report: SlotTrainReport) -> str:
    rows = [
        ["untrained", percent(report.zero_shot.get("dev")), percent(report.zero_shot.get("test"))],
        ["trained", percent(report.dev), percent(report.test)],
    ]
    notes = "".join(f"{told}\n" for told in report.notes)
    return (
        f"{table(['F1 of spans', 'dev', 'test'], rows)}\n\n"
        f"{counted(report.epochs, 'epoch')} on {report.device}, the best was {report.best_epoch}. "
        f"{report.recipe}\n{notes}"
        f"The model is in {report.model}. Next:\n"
        f"    re2nn predict --model {report.model} TEXTS -o answers.jsonl\n"
        f"    re2nn evaluate --model {report.model} --data FILE"
    )
