"""reconstruct: read a trained network, or the predictions of any model, back as rules. For slots see
slot_filling/reconstruct.py."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, percent, sentence, table
from re2nn_core.commands._common.duplicate_texts import TextLines, distinct_texts
from re2nn_core.commands._common.grouped_help import GroupedCommand
from re2nn_core.commands._common.inputs import read_label_texts, unlike_defaults
from re2nn_core.commands._common.options import (
    PATH,
    ReadingOptions,
    data_options,
    given_options,
    json_option,
    logic_option,
    tokenization_options,
)
from re2nn_core.commands._common.sources import Sources, with_sources
from re2nn_core.commands._common.splits import ChoosingTexts
from re2nn_core.commands._common.watching import counting_up
from re2nn_core.commands._common.written_files import overwrite_option, refuse_existing_rules, refuse_outputs
from re2nn_core.commands.models.given_predictions import GivenPredictions
from re2nn_core.commands.models.reconstruct_baseline import refuse_beside_baseline
from re2nn_core.commands.models.reconstruct_json import labels_data
from re2nn_core.commands.models.reconstruct_limits import Limits
from re2nn_core.commands.models.reconstruct_predictions import PredictionSources, reconstruct_from_predictions
from re2nn_core.commands.models.reconstructed import OutputFiles, Reconstructed, cut_short
from re2nn_core.commands.models.slot_filling.reconstruct import reconstruct_slot_model
from re2nn_core.errors import InputError
from re2nn_core.task import by_task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.network.classification.bundle import Bundle
    from re2nn_core.reconstruction.classification.predicted_texts import PredictedTexts
    from re2nn_core.reconstruction.stopping import Stop
    from re2nn_core.services.rule_reconstruction.classification.reconstruction import (
        KeptPredictions,
        Reconstruction,
        SplitAccuracy,
    )
    from re2nn_core.services.rule_review.evidence.measured_split import MeasuredSplit
    from re2nn_core.text.corpus import Corpus


@click.command("reconstruct", cls=GroupedCommand)
@click.option("--model", type=PATH, help="Folder of a trained model.")
@click.option("--predictions", type=PATH, help="For labels only: texts with a model's predictions, for any model.")
@click.option(
    "--prediction-column", help="Column of the predictions in --predictions. [default: found in the file, by its name]"
)
@click.option("--from-predictions", is_flag=True, help="For labels only: as if predictions of --model were given.")
@click.option(
    "--baseline",
    metavar="NAME",
    help="For labels only: train this baseline on the labelled train texts, such as bigru, bigru+kd or encoder (the "
    "sentence encoder with a linear layer), and find rules from its predictions.",
)
@click.option(
    "--most-words",
    type=click.IntRange(0),
    help="For labels only: changed and new rules name at most so many new words. [default: 400; from predictions: the "
    "fewest that agree as much]",
)
@click.option(
    "--most-seconds",
    type=click.FloatRange(0, min_open=True),
    help="Search no longer than this, and keep the changes and rules found by then; loading the model and measuring "
    "the result come on top. [default: no limit]",
)
@click.option("--rules", "rules_path", type=PATH, help="From predictions: rules to add to. [default: of the model]")
@logic_option
@click.option("--dev", "dev_path", type=PATH, help="Texts with labels or spans on which the reconstruction is chosen.")
@click.option("--train", "train_path", type=PATH, help="Training texts, which help to choose; dev never gets worse.")
@click.option("--test", "test_path", type=PATH, help="Test texts, measured on once, at the end.")
@click.option("--data", "data_path", type=PATH, help="Train, dev and test texts in one file with a split column.")
@click.option("--split", type=click.Choice(["train", "dev"]), help="Choose on this split of --data alone.")
@click.option("-o", "--output", type=PATH, required=True, help="File for the reconstructed rules.")
@click.option("--logic-output", type=PATH, help="File for their label logic (TOML). [default: next to the rules]")
@click.option(
    "--predictions-output", type=PATH, help="Of --baseline and --from-predictions: file for their predictions."
)
@overwrite_option
@click.option(
    "--weights-output", type=PATH, help="File for the weights behind the rules (JSON lines; for labels only)."
)
@data_options
@tokenization_options
@json_option
@with_sources
def reconstruct_command(
    sources: Sources,
    data_path: Path | None,
    split: str | None,
    output: Path,
    logic_output: Path | None,
    weights_output: Path | None,
    reading: ReadingOptions,
    **more: Any,
) -> CommandResult:
    """Reconstruct rules from a trained network, or from what a baseline or any other model predicts.

    --model reads the weights of a trained network. A rule that training did not change, or whose reconstruction would
    lose accuracy on --dev, stays as written.

    --baseline, --predictions and --from-predictions find rules that predict what a model predicts, in addition to
    --rules. A table shows fidelity and accuracy by the number of words.

    `re2nn help reconstruction` explains the result and lists the keys of --json.

    \b
    Example: re2nn reconstruct --model model --dev dev.tsv --test test.tsv -o new_rules.txt
             re2nn reconstruct --model model --data texts.jsonl -o new_rules.txt
             re2nn reconstruct --baseline bigru --rules rules.txt --data texts.tsv -o new_rules.txt
    """
    logic_path = logic_output or output.with_suffix(".logic.toml")
    beside = {} if logic_output else {"logic_output": logic_path}
    refuse_outputs("output", "logic_output", "weights_output", "predictions_output", **beside)
    refuse_existing_rules(output, logic_path)
    paths = {name: more[f"{name}_path"] for name in ("dev", "train", "test")}
    files = OutputFiles(output, logic_path, weights_output)
    if more["predictions"] is not None or more["from_predictions"] or more["baseline"] is not None:
        predictions = more["predictions"] and GivenPredictions(more["predictions"], more["prediction_column"])
        _refuse_beside_predictions(sources, predictions=more["predictions"], baseline=more["baseline"])
        own = {name: more[name] for name in ("most_words", "most_seconds", "baseline", "predictions_output")}
        given = PredictionSources(sources, predictions, data_path, paths, **own)
        return reconstruct_from_predictions(given, reading, files)
    model = _model_alone(sources)
    texts = ChoosingTexts(data_path, split, paths)
    reconstruct = by_task(
        Sources(model=model).task, classification=_reconstruct_labels, slot_filling=_reconstruct_slots
    )
    limits = Limits(more["most_words"], more["most_seconds"])
    return reconstruct(model, texts, reading, files, limits).prediction(model, files)


def _refuse_beside_predictions(sources: Sources, *, predictions: Path | None, baseline: str | None) -> None:
    """InputError for options that contradict a reconstruction from predictions."""
    if baseline is not None:
        refuse_beside_baseline()
    elif predictions is not None and given_options("from_predictions"):
        raise InputError("--predictions is a file, --from-predictions asks the model. Give one of them.")
    elif predictions is None and sources.model is None:
        raise InputError("--from-predictions asks a model. Write --model DIR too, or give --predictions FILE.")
    elif predictions is None and given_options("prediction_column"):
        raise InputError("--prediction-column is for a file. Write --predictions FILE too, or leave it out.")
    elif predictions is not None and given_options("predictions_output"):
        raise InputError("--predictions-output: the predictions are those of --predictions. Leave it out.")
    if options := given_options("split", "weights_output"):
        raise InputError(f"{options}: this has no effect on rules found from predictions. Leave it out.")


def _model_alone(sources: Sources) -> Path:
    """The model whose weights are read. InputError without one, or for options of predictions."""
    own = ("rules_path", "logic_path", "tokenizer", "no_lowercase")
    if options := given_options(*own, "prediction_column", "predictions_output"):
        options = options.replace("-path", "")
        raise InputError(
            f"{options}: this is for rules found from predictions. Write --predictions FILE or --from-predictions too."
        )
    if sources.model is None:
        raise InputError("There is nothing to reconstruct. Write --model DIR, or --predictions FILE.")
    return sources.model


def _reconstruct_slots(
    model: Path, sources: ChoosingTexts, reading: ReadingOptions, files: OutputFiles, limits: Limits
) -> Reconstructed:
    if limits.most_words is not None:
        raise InputError("--most-words: this is for labels, and the model is for slots. Leave it out.")
    return reconstruct_slot_model(model, sources, reading, limits)


def _reconstruct_labels(
    model: Path, sources: ChoosingTexts, reading: ReadingOptions, files: OutputFiles, limits: Limits
) -> Reconstructed:
    from re2nn_core.reconstruction.classification.predicted_texts import predicted_texts
    from re2nn_core.services.rule_review.classification.reviewed_labels import label_review
    from re2nn_core.services.rule_review.classification.sizes import label_sizes
    from re2nn_core.services.rule_review.classification.written_lines import reconstruction_in_written_lines

    bundle, corpus = _labels_of(model, sources, reading)
    predictions = _predictions_of(bundle)
    found, stopped = limits.within(partial(_reconstruct_on, bundle, corpus, predictions, limits.most_words))
    texts = predicted_texts(bundle, corpus, predictions)
    sizes = label_sizes(bundle, found, texts)
    result = reconstruction_in_written_lines(found, bundle, corpus.texts)
    changed = sum(not rule.kept_original for rule in result.rules)
    return Reconstructed(
        bundle,
        result,
        labels_data(result),
        result.accuracy,
        labelled=lambda one: one.labelled,
        score=lambda accuracy: accuracy,
        measured=_measured,
        chosen="thresholds",
        measure="accuracy",
        header=("written rules", "network", "reconstructed", "agreement"),
        row=lambda one: [percent(share) for share in (one.original, one.network, one.reconstructed, one.fidelity)],
        parts=_parts(result, lowercase=bundle.tokenization.lowercase),
        summary=f"{counted(changed, 'rule')} of {len(result.rules):,} changed: {result.in_words}\n",
        options=unlike_defaults(bundle.tokenization),
        review=lambda learned, report: label_review(
            bundle, found, corpus, learned_from_dev=learned, on_progress=report
        ),
        figures_of=partial(_figures_of, bundle, texts),
        weights_text="" if files.weights is None else _weights_text(bundle, result),
        dev_texts=corpus.of_split("dev").texts,
        sizes=sizes,
        stopped=stopped,
    )


def _figures_of(bundle: Bundle, texts: PredictedTexts, rules_text: str, logic_text: str) -> Iterator[SplitAccuracy]:
    from re2nn_core.reconstruction.classification.rule_comparison import split_accuracies

    lowercase = bundle.tokenization.lowercase
    read = (texts.read(*rules, lowercase=lowercase) for rules in (bundle.written, (rules_text, logic_text)))
    return split_accuracies(texts, *read)


def _measured(one: SplitAccuracy) -> MeasuredSplit | None:
    from re2nn_core.services.rule_review.evidence.measured_split import accuracy_of_split
    from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves

    if one.original is None or one.reconstructed is None:
        return None
    return accuracy_of_split(one.original, one.reconstructed, SplitMoves(one.labelled, one.better, one.worse))


def reconstruct_labels_on(
    model: Path, sources: ChoosingTexts, reading: ReadingOptions
) -> tuple[Bundle, Corpus, Reconstruction]:
    """A network for labels, the texts that were given, and its rules as they were chosen on them."""
    from re2nn_core.reconstruction.stopping import Stop

    bundle, corpus = _labels_of(model, sources, reading)
    return bundle, corpus, _reconstruct_on(bundle, corpus, _predictions_of(bundle), None, Stop())


def _labels_of(model: Path, sources: ChoosingTexts, reading: ReadingOptions) -> tuple[Bundle, Corpus]:
    """A network for labels, and the texts that were given."""
    from re2nn_core.network.classification.bundle import load_bundle

    bundle = load_bundle(model)
    lines = TextLines()
    corpus = sources.read(
        lambda path: lines.corpus_of(path, read_label_texts(path, reading, labelled=True, model=model))
    )
    return bundle, distinct_texts(corpus, lines, every=reading.all_faults)


def _predictions_of(bundle: Bundle) -> KeptPredictions:
    from re2nn_core.services.rule_reconstruction.classification.reconstruction import KeptPredictions

    return KeptPredictions(bundle)


def _reconstruct_on(
    bundle: Bundle, corpus: Corpus, predictions: KeptPredictions, most_words: int | None, stop: Stop
) -> Reconstruction:
    """Its rules, with at most so many new words (None: the default)."""
    from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
    from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct

    most = MOST_WORDS if most_words is None else most_words
    report_progress = counting_up("reconstructing")
    result = reconstruct(
        bundle, corpus, on_progress=report_progress, most_words=most, predictions=predictions, stop=stop
    )
    report_progress(1, 1)  # it may have ended early
    return result


def _origin(result: Reconstruction, *, lowercase: bool) -> str:
    """Where new rules come from, as a line above them; empty where they decide before all others."""
    from re2nn_core.plots.review.overridden import PROPOSED
    from re2nn_core.rules.logic.first import predicts_first
    from re2nn_core.rules.logic.logic_read import read_logic
    from re2nn_core.rules.read import read_rules

    ruleset = read_rules(result.rules_text, lowercase=lowercase).ruleset
    logic = read_logic(result.logic_text, ruleset, format="toml")
    first = any(predicts_first(logic, rule.name, rule.label) for rule in result.new_rules)
    return "" if first else f"New rules, {PROPOSED}, in addition to yours:\n"


def _weights_text(bundle: Bundle, result: Reconstruction) -> str:
    from re2nn_core.reconstruction.classification.weights_file import weight_lines
    from re2nn_core.reconstruction.weights.weighted import weighted_machines

    thresholds = {rule.name: rule.threshold for rule in result.rules if rule.threshold is not None}
    lines = weight_lines(weighted_machines(bundle.network, bundle.vocabulary), thresholds)
    return "".join(f"{line}\n" for line in lines)


def _parts(result: Reconstruction, *, lowercase: bool) -> list[str]:
    """Witness sentences of changed rules, new rules, and what became of label logic."""
    parts = []
    changed = [rule for rule in result.rules if not rule.kept_original]
    if changed:
        header = ["rule", "only the written rule accepts", "only the new one accepts"]
        witnesses = [
            [rule.name, sentence(rule.witness_only_original), sentence(rule.witness_only_reconstructed)]
            for rule in changed
        ]
        parts.append(table(header, witnesses))
    if result.new_rules:
        rows = [[rule.name, rule.label, len(rule.texts), cut_short(rule.text)] for rule in result.new_rules]
        parts.append(f"{_origin(result, lowercase=lowercase)}{table(['new rule', 'label', 'accepts', ''], rows)}")
    if result.logic_in_words:
        parts.append(result.logic_in_words)
    return parts
