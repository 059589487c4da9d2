"""evaluate: how often rules and network are right, and how often they agree. For slots see slot_filling/evaluate.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.answer import Answer, percent, table
from re2nn_core.commands._common.inputs import RulesAndModel, load_speakers, read_texts, tell_unknown_labels
from re2nn_core.commands._common.options import (
    PATH,
    Reading,
    data_options,
    json_option,
    logic_option,
    model_option,
    refuse_given,
    slot_case_option,
    speaking_rules_option,
    task_option,
    tokenization_options,
)
from re2nn_core.commands._common.slot_filling.inputs import SlotSources, find_task
from re2nn_core.commands._common.trained_on import trained_on
from re2nn_core.commands.models.slot_filling.evaluate import evaluate_slot_files
from re2nn_core.errors import InputError
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.services.prediction.classification.evaluation import Evaluation


@click.command("evaluate")
@speaking_rules_option
@logic_option
@model_option
@click.option("--data", "data_path", type=PATH, required=True, help="File of texts with labels, or with spans.")
@click.option("--split", type=click.Choice(["train", "dev", "test"]), help="Only the texts of this split.")
@task_option
@slot_case_option
@data_options
@tokenization_options
@json_option
def evaluate_command(
    rules_path: Path | None,
    logic_path: Path | None,
    model: Path | None,
    data_path: Path,
    split: str | None,
    task: Task | None,
    ignore_slot_case: bool,
    tokenization: Tokenization | None,
    reading: Reading,
) -> Answer:
    """Tell how often rules and network are right, and agree.

    The network is the untrained one, equal to the rules, unless --model names a trained one. Exit code 1 if
    the untrained network gives any other answer than the rules. For slots: precision, recall and F1 of spans,
    and in which way spans are wrong.

    \b
    Example: re2nn evaluate --rules rules.txt --logic logic.toml --data test.tsv
    """
    if find_task(task, rules_path, model, tokenization) == Task.SLOT_FILLING:
        return evaluate_slot_files(
            SlotSources(rules_path, logic_path, model, data_path, split, tokenization, reading, ignore_slot_case)
        )
    refuse_given(Task.CLASSIFICATION, "ignore_slot_case")
    from re2nn_core.exchange.corpora import unknown_labels
    from re2nn_core.services.prediction.classification.evaluation import evaluate_model

    speakers = load_speakers(rules_path, logic_path, model, tokenization)
    corpus = read_texts(data_path, reading, labelled=True, model=model).corpus
    if split is not None:
        corpus = corpus.of_split(split)
        if not len(corpus):
            raise InputError(f"{data_path} has no text of the split '{split}'. Leave --split out, or choose another.")
    unknown = unknown_labels(corpus, _labels_of(speakers))
    tell_unknown_labels(unknown, str(data_path))
    evaluation = evaluate_model(speakers.system, corpus, speakers.bundle)
    trained = speakers.bundle is not None and speakers.bundle.trained
    equal = evaluation.agree == evaluation.sentences
    figures = {**_figures(evaluation), "unknown_labels": [asdict(found) for found in unknown]}
    told, said = trained_on(model)
    report = _report(evaluation, corpus.texts, trained=trained) + said
    return Answer(figures | told, report, ok=trained or equal)


def _labels_of(speakers: RulesAndModel) -> frozenset[str]:
    """The labels that the rules or the network can give."""
    labels = frozenset(speakers.system.logic.labels)
    bundle = speakers.bundle
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


def _report(evaluation: Evaluation, texts: Sequence[str], *, trained: bool) -> str:
    rows = [
        [label, entry["support"], *(percent(entry[who] and entry[who]["f1"]) for who in ("rules", "network"))]
        for label, entry in sorted(_label_figures(evaluation).items(), key=lambda item: -item[1]["support"])
    ]
    accuracies = [
        "accuracy",
        evaluation.labelled,
        *(percent(s.accuracy) for s in (evaluation.rules, evaluation.network)),
    ]
    return (
        f"{table(['F1 of each label', 'texts', 'rules', 'network'], [*rows, accuracies])}\n\n"
        f"{_agreement(evaluation, texts, trained=trained)}"
    )


def _agreement(evaluation: Evaluation, texts: Sequence[str], *, trained: bool) -> str:
    if evaluation.agree == evaluation.sentences:
        number = evaluation.sentences
        every = "the one sentence" if number == 1 else f"all {number:,} sentences"
        return f"Rules and network give the same answer on {every}."
    sentences = counted(evaluation.sentences, "sentence")
    line = f"Rules and network give the same answer on {evaluation.agree:,} of {sentences}"
    first = f"the first that differs: {texts[evaluation.differing[0]]!r}"
    if trained:
        return f"{line}; {first}."
    return f"{line}, though the network is untrained and should equal them; {first}. Please report this."
