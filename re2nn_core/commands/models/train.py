"""train: fine-tune a rule system on labelled texts. For slots see slot_filling/train.py."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, percent
from re2nn_core.commands._common.duplicate_texts import TextLines, report_duplicates
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import read_label_texts, rules_and_network
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    json_option,
    logic_option,
    note,
    refuse_given,
    rules_option,
    slot_case_option,
    task_option,
    tokenization_options,
    transducer_option,
)
from re2nn_core.commands._common.settings import objective_option, setting_options
from re2nn_core.commands._common.slot_filling.settings import refuse_slot_settings, slot_setting_options
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands._common.splits import TrainingTexts
from re2nn_core.commands._common.watching import (
    counting_up,
    epoch_line,
    report_former_training,
    training_summary,
    watched,
)
from re2nn_core.commands.models.slot_filling.train import train_slot_files
from re2nn_core.rules.word_lists.content import read_rule_text
from re2nn_core.task import Task, by_task
from re2nn_core.text.corpus import SPLITS, Corpus

if TYPE_CHECKING:
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem
    from re2nn_core.training.loop import Epoch


@click.command("train", cls=GroupedCommand)
@rules_option
@logic_option
@click.option("--train", "train_path", type=PATH, help="Training texts with labels or spans.")
@click.option("--dev", "dev_path", type=PATH, help="Dev texts: they decide which epoch is kept.")
@click.option("--test", "test_path", type=PATH, help="Test texts, measured on once, at the end.")
@click.option("--data", "data_path", type=PATH, help="Train, dev and test texts in one file with a split column.")
@click.option("--split-column", help="Column of train, dev, test in --data; found in the file.")
@click.option("--output", type=PATH, required=True, help="Folder for the model.")
@task_option
@slot_case_option
@data_options
@objective_option("interpretable")
@setting_options
@transducer_option
@slot_setting_options
@tokenization_options
@json_option
@with_sources
def train_command(
    sources: Sources,
    data_path: Path | None,
    split_column: str | None,
    output: Path,
    reading: ReadingOptions,
    **more: Any,
) -> CommandResult:
    """Train the network of the rules on texts with labels, or with slots.

    Training starts from the network that equals the rules, and keeps the best epoch on --dev. Ctrl+C stops it; the
    same command continues from the last epoch.

    \b
    Example: re2nn train --rules rules.txt --train train.tsv --dev dev.tsv --output model
    """
    texts = TrainingTexts(data_path, {split: more.pop(f"{split}_path") for split in SPLITS}, split_column)
    texts.refuse_unclear()
    _check_output(output, sources)
    train = by_task(sources.task, classification=_train_label_files, slot_filling=train_slot_files)
    return train(sources, texts, output, reading, more)


def _train_label_files(
    sources: Sources, texts: TrainingTexts, output: Path, reading: ReadingOptions, settings: dict[str, Any]
) -> CommandResult:
    refuse_given(Task.CLASSIFICATION, "ignore_slot_case")
    refuse_slot_settings(settings)
    system = rules_and_network(sources).system
    # With --unlabelled the rules' own predictions may be all there is to learn.
    bare = (texts.data, texts.files["train"]) if settings.get("unlabelled") else ()
    column = texts.split_column if texts.data is not None else None
    lines = TextLines()
    corpus = texts.read(
        lambda path: lines.corpus_of(
            path, read_label_texts(path, reading, split_column=column, labelled=path not in bare)
        )
    )
    report_duplicates(corpus, lines, every=reading.all_faults)
    return _train(system, corpus, output, settings)


def _check_output(output: Path, sources: Sources) -> None:
    from re2nn_core.services.fine_tuning.output_folder import check_output, replaced_model

    check_output(output, sources.task, "--output")
    if sources.rules is not None and (replaced := replaced_model(output, read_rule_text(sources.rules))):
        note(f"{output} already contains {replaced}; it is replaced when training is done.")


def _train(system: RuleSystem, corpus: Corpus, output: Path, settings: dict[str, Any]) -> CommandResult:
    from re2nn_core.services.fine_tuning.classification.given_settings import given_of, label_configs
    from re2nn_core.services.fine_tuning.classification.training import train_system, training_resumes
    from re2nn_core.services.fine_tuning.dev_figures import dev_name
    from re2nn_core.services.fine_tuning.training_plan import split_examples
    from re2nn_core.training.config import TrainConfig

    split = split_examples(corpus)
    network, train = label_configs(system, corpus, settings)
    manual_overrides = given_of(TrainConfig, settings)
    resumes = training_resumes(system, corpus, network, train, folder=output, manual_overrides=tuple(manual_overrides))
    report_former_training(output, resumes=resumes)
    report_progress = partial(_report_epoch, dev_name(split, train, system.rules_text))
    work = partial(
        train_system,
        system,
        corpus,
        network,
        train,
        folder=output,
        on_progress=counting_up("linear layer"),
        manual_overrides=tuple(manual_overrides),
    )
    report, seconds = watched(work, report_progress)
    following = (
        f"re2nn predict --model {report.model} TEXTS",
        f"re2nn reconstruct --model {report.model} --data FILE -o RULES",
        f"re2nn review {report.model} --data FILE --html REVIEW",
    )
    return CommandResult({**asdict(report), "seconds": seconds}, training_summary(report, "accuracy", following))


def _report_epoch(dev: str, epoch: Epoch, best: int) -> None:
    note(epoch_line(epoch, best, f"train {percent(epoch.train):>7}  {dev} {percent(epoch.dev):>7}"))
