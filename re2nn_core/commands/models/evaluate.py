"""evaluate: how often rules and network are right, and how often they agree. For slots see slot_filling/evaluate.py."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import (
    note_unmatched,
    read_label_texts,
    report_unknown_labels,
    rules_and_network,
)
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    json_option,
    logic_option,
    model_option,
    predicting_rules_option,
    refuse_given,
    slot_case_option,
    task_option,
    tokenization_options,
)
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands._common.splits import of_split
from re2nn_core.commands._common.trained_on import trained_on, training_texts_among
from re2nn_core.commands.models.agreement import agreement_text
from re2nn_core.commands.models.slot_filling.evaluate import evaluate_slot_file
from re2nn_core.task import Task, by_task

if TYPE_CHECKING:
    from re2nn_core.api.classification import LabelModel
    from re2nn_core.services.prediction.classification.evaluation import Evaluation


@click.command("evaluate", cls=GroupedCommand)
@predicting_rules_option
@logic_option
@model_option
@click.option("--data", "data_path", type=PATH, required=True, help="File of texts with labels, or with spans.")
@click.option("--split", type=click.Choice(["train", "dev", "test"]), help="Only the texts of this split.")
@task_option
@slot_case_option
@data_options
@tokenization_options
@json_option
@with_sources
def evaluate_command(sources: Sources, data_path: Path, split: str | None, reading: ReadingOptions) -> CommandResult:
    """Report the accuracy of rules and network, and their agreement.

    The network is the untrained one, equal to the rules, unless --model names a trained one. Exit code 1 if
    any prediction of the untrained network differs from the rules. For slots: precision, recall and F1 of spans,
    and the kinds of incorrect spans.

    \b
    Example: re2nn evaluate --rules rules.txt --logic logic.toml --data test.tsv
    """
    evaluate = by_task(sources.task, classification=_evaluate_label_file, slot_filling=evaluate_slot_file)
    prediction = evaluate(sources, data_path, split, reading)
    reported, message = trained_on(sources.model)
    return replace(prediction, data={**prediction.data, **reported}, text=prediction.text + message)


def _evaluate_label_file(
    sources: Sources, data_path: Path, split: str | None, reading: ReadingOptions
) -> CommandResult:
    refuse_given(Task.CLASSIFICATION, "ignore_slot_case")
    from re2nn_core.api.comparing import evaluate
    from re2nn_core.exchange.corpora import unknown_labels

    model = rules_and_network(sources)
    corpus = of_split(read_label_texts(data_path, reading, labelled=True, model=sources.model).corpus, split, data_path)
    unknown = unknown_labels(corpus, _labels_of(model))
    report_unknown_labels(unknown, str(data_path))
    evaluation = evaluate(model, corpus)
    if not evaluation.rules.accuracy:
        note_unmatched(model, corpus.texts)
    trained = model.trained
    figures = {**_figures(evaluation), "unknown_labels": [asdict(found) for found in unknown]}
    used, note = training_texts_among(sources.model, corpus.texts, measured=True)
    report = f"{_table(evaluation)}\n\n{agreement_text('prediction', evaluation, corpus.texts, trained=trained)}{note}"
    return CommandResult({**figures, **used}, report, ok=trained or evaluation.agree == evaluation.sentences)


def _labels_of(model: LabelModel) -> frozenset[str]:
    """The labels that the rules or the network can give."""
    labels = frozenset(model.system.logic.labels)
    bundle = model.bundle
    return labels if bundle is None else labels.union(bundle.logic.labels, bundle.extra_labels)


def _figures(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "sentences": evaluation.sentences,
        "labelled": evaluation.labelled,
        "agree": evaluation.agree,
        "rules": {"accuracy": evaluation.rules.accuracy},
        "network": {"accuracy": evaluation.network.accuracy},
        "labels": _label_figures(evaluation),
    }


def _label_figures(evaluation: Evaluation) -> dict[str, Any]:
    """Precision, recall and F1 of both for every label that a text carries or either gave."""
    figures: dict[str, dict[str, Any]] = {}
    for who, scores in (("rules", evaluation.rules), ("network", evaluation.network)):
        for label in scores.per_label:
            entry = figures.setdefault(label.label, {"support": label.support, "rules": None, "network": None})
            entry[who] = {"precision": label.precision, "recall": label.recall, "f1": label.f1}
    return figures


def _table(evaluation: Evaluation) -> str:
    rows = [
        [label, entry["support"], *(percent(entry[who] and entry[who]["f1"]) for who in ("rules", "network"))]
        for label, entry in sorted(_label_figures(evaluation).items(), key=lambda item: -item[1]["support"])
    ]
    accuracies = [percent(scores.accuracy) for scores in (evaluation.rules, evaluation.network)]
    rows.append(["accuracy", evaluation.labelled, *accuracies])
    return table(["F1 of each label", "texts", "rules", "network"], rows)
