"""reconstruct from predictions: rules that predict what a model of any kind predicts, without a look at its weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.commands._common.command_result import CommandResult, percent, table
from re2nn_core.commands._common.duplicate_texts import TextLines, distinct_texts
from re2nn_core.commands._common.inputs import load_system, read_label_texts, rules_and_network, unlike_defaults
from re2nn_core.commands._common.options import ReadingOptions
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.splits import joined_splits
from re2nn_core.commands._common.watching import after_seconds, counting_parts
from re2nn_core.commands.models.given_predictions import GivenPredictions, report_labels
from re2nn_core.commands.models.reconstruct_baseline import (
    baseline_data,
    check_predictions_output,
    in_words,
    trained_baseline,
    write_predictions,
)
from re2nn_core.commands.models.reconstructed import OutputFiles
from re2nn_core.errors import InputError
from re2nn_core.files import write_together
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.experiments.runs.baseline_predictions import BaselinePredictions
    from re2nn_core.services.rule_reconstruction.classification.fidelity import RulesOfSize
    from re2nn_core.services.rule_reconstruction.classification.from_predictions import PredictedRules
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem

SIZES_SHOWN = 10


@dataclass(frozen=True)
class PredictionSources:
    """The options of a reconstruction from predictions, as given. `files`: a file of texts for each split, `data` one
    for all of them. `baseline`: the name of one to train."""

    sources: Sources
    predictions: GivenPredictions | None
    data: Path | None
    files: dict[str, Path | None]
    most_words: int | None
    most_seconds: float | None = None
    baseline: str | None = None
    predictions_output: Path | None = None


@dataclass(frozen=True)
class _Predicted:
    """The texts and what is predicted of each (None: nothing), by a `baseline` where one was trained."""

    corpus: Corpus
    predictions: list[str | None]
    baseline: BaselinePredictions | None = None


def reconstruct_from_predictions(
    given: PredictionSources, reading: ReadingOptions, files: OutputFiles
) -> CommandResult:
    """Find the rules and write them. InputError where no text or no prediction is given; of a baseline, as
    `trained_baseline`."""
    from re2nn_core.services.fine_tuning.classification.learned_predictions import rules_of_predictions
    from re2nn_core.services.rule_review.classification.written_lines import in_written_lines

    _refuse_unclear(given)
    written, tokenization = _written(given.sources)
    read = _predicted(given, reading, written, tokenization)
    if given.predictions_output is not None:
        write_predictions(given.predictions_output, read.corpus, read.predictions)
    should_stop = None if given.most_seconds is None else after_seconds(given.most_seconds)
    found = rules_of_predictions(
        written,
        read.corpus,
        read.predictions,
        tokenization,
        most_words=given.most_words,
        should_stop=should_stop,
        on_part=counting_parts(),
    )
    found = in_written_lines(found, read.corpus.texts, tokenization)
    write_together({files.rules: found.rules_text, files.logic: found.logic_text})
    about = [_stopped(given.most_seconds or 0)] if found.stopped else []
    logic = _new_logic(found, written, tokenization)
    data, model = {**_data(found, files), **logic, "warnings": _warnings(found)}, "the model"
    if read.baseline is not None:
        data["baseline"], model = baseline_data(read.baseline), read.baseline.name
        about.append(in_words(read.baseline))
    asked = given.most_words is not None
    report = [_figures(found, model, given=written is not None), _origin_in_words(found, logic, asked=asked)]
    written_to = (
        f"Written: {files.rules} and {files.logic}. Next:\n"
        f"    re2nn evaluate --rules {files.rules} --logic {files.logic} --data FILE{unlike_defaults(tokenization)}"
    )
    return CommandResult(data, "\n\n".join([*about, *report, written_to]))


def _predicted(
    given: PredictionSources, reading: ReadingOptions, written: RuleSystem | None, tokenization: Tokenization
) -> _Predicted:
    if given.baseline is None:
        return _Predicted(*_predicted_texts(given, reading, () if written is None else written.logic.labels))
    from re2nn_core.experiments.runs.baseline_predictions import check_baseline_name

    check_baseline_name(given.baseline, rules=written is not None)
    corpus = _texts(given, reading)
    if written is not None:
        files = given.data or next(path for path in given.files.values() if path is not None)
        report_labels(corpus, written.logic.labels, str(files), out="--rules")
    found = trained_baseline(given.baseline, written, corpus, tokenization)
    return _Predicted(corpus, list(found.predictions), found)


def _stopped(seconds: float) -> str:
    return f"Stopped after {seconds:g} s; the rules found by then are kept. Give more time with --most-seconds."


def _refuse_unclear(given: PredictionSources) -> None:
    check_predictions_output(given.predictions_output)
    if given.sources.task is Task.SLOT_FILLING:
        out = "the predictions" if given.baseline is None else "--baseline"
        raise InputError(f"Rules are found from predictions of labels alone. For slots, leave {out} out.")
    if given.predictions is None and given.data is None and not any(given.files.values()):
        raise InputError("There are no texts to predict. Write --data FILE, or --train FILE and --dev FILE.")
    if given.data is not None and any(given.files.values()):
        raise InputError("--data holds all splits in one file. Leave out --train, --dev and --test, or --data.")


def _written(sources: Sources) -> tuple[RuleSystem | None, Tokenization]:
    """The rules that are added to, None where neither a file nor a model has some."""
    if sources.rules is None and sources.logic is not None:
        raise InputError("--logic belongs to rules: write --rules FILE too, or leave it out.")
    if sources.rules is None and sources.model is None:
        return None, sources.tokenization or Tokenization()
    if sources.rules is not None and sources.model is None:
        system = load_system(sources.rules, sources.logic, sources.tokenization)
    else:
        system = rules_and_network(sources).system
    return system, system.tokenization


def _predicted_texts(
    given: PredictionSources, reading: ReadingOptions, labels: Sequence[str]
) -> tuple[Corpus, list[str | None]]:
    """The texts, and what the file of predictions or the model predicts for each (None: nothing). `labels`: those of
    the rules that are added to."""
    read = [] if given.data is None and not any(given.files.values()) else list(_texts(given, reading))
    if given.predictions is None and given.sources.model is not None:
        from re2nn_core.network.classification.bundle import load_bundle
        from re2nn_core.services.prediction.classification.predictor import predict

        corpus = Corpus(tuple(read))
        return corpus, predict(load_bundle(given.sources.model), corpus.texts).predictions
    if given.predictions is None:
        raise InputError("There are no predictions. Write --predictions FILE, or --model DIR --from-predictions.")
    found = given.predictions.read(reading, alone=not read)
    joined = given.predictions.joined(read, found)
    report_labels(found, labels, str(given.predictions.path), out="--rules and --model")
    return joined


def _texts(given: PredictionSources, reading: ReadingOptions) -> Corpus:
    lines = TextLines()

    def read(path: Path) -> Corpus:
        return lines.corpus_of(path, read_label_texts(path, reading))

    corpus = joined_splits(given.files, read) if given.data is None else read(given.data)
    return distinct_texts(corpus, lines, every=reading.all_faults)


def _data(found: PredictedRules, files: OutputFiles) -> dict[str, Any]:
    size = _size_data(found.chosen)
    return {
        "task": Task.CLASSIFICATION,
        "counts": {**size["counts"], "changed": len(found.changed)},
        "splits": size["splits"],
        "by_network": bool(found.by_network),
        "learned_from": found.learned_from,
        "stopped": found.stopped,
        "repeated": dict(found.repeated),
        "curve": [_size_data(one) for one in found.curve],
        "new_rules": [{"name": one.name, "label": one.label, "text": one.expression} for one in found.new_rules],
        "changed_rules": list(found.changed),
        "output": str(files.rules),
        "logic_output": str(files.logic),
    }


def _size_data(size: RulesOfSize) -> dict[str, Any]:
    return {
        "counts": {"new": size.rules, "words": size.words},
        "splits": {k: asdict(v) for k, v in size.splits.items()},
    }


def _new_logic(found: PredictedRules, written: RuleSystem | None, tokenization: Tokenization) -> dict[str, Any]:
    """What the label logic gained: priorities, and a default label where there was none."""
    from re2nn_core.services.rule_systems.classification.systems import read_system

    now = read_system(found.rules_text, found.logic_text, tokenization)[0].logic
    had, default = ((), None) if written is None else (written.logic.priorities, written.logic.default)
    added = [f"{stronger} > {weaker}" for stronger, weaker in now.priorities if (stronger, weaker) not in had]
    return {"new_priorities": added, "new_default": now.default if now.default != default else None}


def _warnings(found: PredictedRules) -> list[str]:
    """That there are too few predictions."""
    from re2nn_core.services.fine_tuning.classification.learned_predictions import LEAST_TEXTS
    from re2nn_core.services.rule_reconstruction.classification.fidelity import EVERY

    if found.learned_from >= LEAST_TEXTS - LEAST_TEXTS // EVERY:
        return []
    return [
        f"Predictions of {counted(found.learned_from, 'text')} are too few for rules that hold on new texts. Give "
        f"predictions of at least {LEAST_TEXTS:,} texts; the texts need no labels."
    ]


def _figures(found: PredictedRules, model: str, *, given: bool) -> str:
    """The table of sizes, by their words, and what its figures say."""
    from re2nn_core.services.rule_review.classification.figures_of_predicted import in_words as figures_in_words
    from re2nn_core.services.rule_review.classification.figures_of_predicted import split_name

    splits = list(found.chosen.splits)
    names = [split_name(split) for split in splits]
    header = ["new rules", "words", *(f"{split} {figure}" for split in names for figure in ("fidelity", "accuracy"))]
    shown, as_given = _shown(found), " (as given)" if given else ""
    rows = [
        [
            f"{size.rules:,}{' (in the file)' if size is found.chosen else as_given if size is shown[0] else ''}",
            size.words,
            *(
                percent(share)
                for split in splits
                for share in (size.splits[split].fidelity, size.splits[split].accuracy)
            ),
        ]
        for size in shown
    ]
    known = {split: one.model for split, one in found.chosen.splits.items() if one.model is not None}
    models = ", ".join(f"{split_name(split)} {percent(share)}" for split, share in known.items())
    models = f" Accuracy of {model}: {models}." if known else ""
    return "\n".join(
        [
            table(header, rows),
            f"Fidelity: texts with the same prediction of rules and model.{models}",
            *figures_in_words(found.chosen, found.repeated),
            *(f"Warning: {warning}" for warning in _warnings(found)),
        ]
    )


def _origin_in_words(found: PredictedRules, logic: dict[str, Any], *, asked: bool) -> str:
    """What the rules were found from, what decided, and what the label logic gained. `asked`: for so many words."""
    from re2nn_core.services.rule_reconstruction.classification.fidelity import deciding_split
    from re2nn_core.services.rule_review.classification.figures_of_predicted import split_name

    most, split = found.curve[-1], deciding_split(found.chosen.splits)
    size = "Choose a smaller set with --most-words."
    if split is not None and not asked and found.chosen.words < most.words:
        size = (
            f"All {counted(most.rules, 'rule')} that were found, with {counted(most.words, 'word')}, agree no more "
            f"with the model on {split_name(split)} texts than those in the file. Ask for more with --most-words."
        )
    texts = counted(found.learned_from, "text")
    lines = [f"The rules were found from the predictions of {texts}; {_decided(found, asked=asked)} {size}"]
    if not (most.rules or found.by_network):
        lines = [f"No new rule was found from the predictions of {texts}."]
    gained = []
    if logic["new_priorities"]:
        gained.append(f"priorities {join_names(logic['new_priorities'])}")
    if logic["new_default"] is not None:
        gained.append(f"the default label {logic['new_default']}")
    if gained:
        lines.append(f"The label logic gained {' and '.join(gained)}.")
    return "\n".join(lines)


def _decided(found: PredictedRules, *, asked: bool) -> str:
    """What dev and test had to do with it, and what the network changed."""
    from re2nn_core.services.rule_reconstruction.classification.fidelity import UNSEEN, deciding_split
    from re2nn_core.services.rule_review.classification.figures_of_predicted import split_name

    unseen = [split for split in UNSEEN if split in found.chosen.splits]
    decides = deciding_split(unseen)
    texts = f"{split_name(decides or 'dev')} texts"
    others = [split for split in unseen if split != decides]
    if found.by_network is None:
        if decides is not None and not asked:
            test = f"; {_no_part(others)}" if others else ""
            return f"{texts} decided how many of the rules are written{test}."
        return f"{_no_part(unseen)}." if unseen else "no other text is measured."
    learned = "a network of these rules learned the predictions too"
    if not found.by_network:
        test = f" {_no_part(others).capitalize()}." if others else ""
        return f"{learned}, but its rules agree no more with the model on {texts}, so they are left out.{test}"
    kept = f"With it more {texts} get the model's prediction, so it is kept"
    decided = "There are no dev texts to decide by" if decides is None else kept
    changed = counted(len(found.changed), "written rule")
    test = f"; {_no_part(others)}" if others else ""
    return f"{learned} and was reconstructed ({changed} changed). {decided}{test}."


def _no_part(splits: Sequence[str]) -> str:
    from re2nn_core.services.rule_reconstruction.classification.fidelity import DRAWN

    return f"{'the held-out texts' if DRAWN in splits else join_names(splits)} took no part"


def _shown(found: PredictedRules) -> list[RulesOfSize]:
    """Sizes from no rule to all, each with about twice the rules of the one before it, and the chosen one, by their
    words."""
    curve, chosen = found.curve, found.chosen
    places = [0, *(2**power for power in range(SIZES_SHOWN - 1) if 2**power < len(curve) - 1), len(curve) - 1]
    others = [curve[place] for place in dict.fromkeys(places)]
    shown = [one for one in others if (one.rules, one.words) != (chosen.rules, chosen.words)]
    return sorted([*shown, chosen], key=lambda one: (one.words, one.rules))
