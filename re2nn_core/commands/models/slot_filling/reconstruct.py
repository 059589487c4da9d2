"""reconstruct for slots: read a trained tagger back as rules with captures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.command_result import percent, table
from re2nn_core.commands._common.duplicate_texts import TextLines, distinct_texts
from re2nn_core.commands._common.inputs import unlike_defaults
from re2nn_core.commands._common.options import ReadingOptions, refuse_given
from re2nn_core.commands._common.slot_filling.data import read_slot_texts
from re2nn_core.commands._common.splits import ChoosingTexts
from re2nn_core.commands._common.watching import counting_up
from re2nn_core.commands.models.reconstruct_json import slots_data
from re2nn_core.commands.models.reconstruct_limits import Limits
from re2nn_core.commands.models.reconstructed import Reconstructed, cut_short
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import join_names

if TYPE_CHECKING:
    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.reconstruction.progress import OnProgress
    from re2nn_core.reconstruction.slot_filling.predicted_texts import PredictedTags
    from re2nn_core.reconstruction.stopping import Stop
    from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
        SlotReconstruction,
        SplitScores,
        TaggerPredictions,
    )
    from re2nn_core.services.rule_review.evidence.measured_split import MeasuredSplit
    from re2nn_core.text.corpus import Corpus
    from re2nn_core.training.span_scores import SpanScores

SHOWN_STEPS = 3


def reconstruct_slot_model(
    model: Path, sources: ChoosingTexts, reading: ReadingOptions, limits: Limits
) -> Reconstructed:
    """What `re2nn reconstruct` reads from a network for slots."""
    from re2nn_core.reconstruction.progress import part_of
    from re2nn_core.reconstruction.slot_filling.predicted_texts import predicted_tags
    from re2nn_core.services.rule_review.slot_filling.reviewed_slots import slot_review
    from re2nn_core.services.rule_review.slot_filling.sizes import RECONSTRUCTED, SIZED, slot_sizes

    refuse_given(Task.SLOT_FILLING, "weights_output")
    bundle, corpus = _spans_of(model, sources, reading)
    predictions = _predictions_of(bundle)
    report = counting_up("reconstructing")
    parts = part_of(report, RECONSTRUCTED), part_of(report, SIZED)
    result, stopped = limits.within(partial(_reconstruct_on, bundle, corpus, predictions, parts[0]))
    texts = predicted_tags(bundle, corpus, predictions)
    sizes = slot_sizes(bundle, result, predictions, texts, parts[1])
    report(1, 1)
    known = bundle.parts.known_slots
    changed = sum(not rule.kept_original for rule in result.rules)
    return Reconstructed(
        bundle,
        result,
        slots_data(result),
        result.scores,
        labelled=lambda one: one.marked,
        score=_value,
        measured=partial(_measured, bundle, result, predictions, texts),
        chosen="changes",
        measure="F1",
        header=("written rules", "network", "rules changed", "with new ones", "agreement"),
        row=_row,
        parts=_parts(result),
        summary=f"{counted(changed, 'rule')} of {len(result.rules):,} changed, "
        f"{counted(len(result.new_rules), 'rule')} new. ",
        options=unlike_defaults(bundle.tokenization, ignores_slot_case=bool(known)),
        review=lambda learned, report: slot_review(
            bundle, result, corpus, learned_from_dev=learned, on_progress=report
        ),
        figures_of=partial(_figures_of, bundle, predictions, texts),
        dev_texts=corpus.of_split("dev").texts,
        sizes=sizes,
        stopped=stopped,
    )


def reconstruct_slots_on(
    model: Path, sources: ChoosingTexts, reading: ReadingOptions
) -> tuple[TaggerBundle, Corpus, SlotReconstruction]:
    """A tagger, the texts that were given, and its rules as they were chosen on them."""
    from re2nn_core.reconstruction.stopping import Stop

    bundle, corpus = _spans_of(model, sources, reading)
    report = counting_up("reconstructing")
    return bundle, corpus, _reconstruct_on(bundle, corpus, _predictions_of(bundle), report, Stop())


def _spans_of(model: Path, sources: ChoosingTexts, reading: ReadingOptions) -> tuple[TaggerBundle, Corpus]:
    """A tagger, and the texts that were given."""
    from re2nn_core.network.slot_filling.bundle import load_tagger

    bundle = load_tagger(model)
    known = bundle.parts.known_slots
    lines = TextLines()
    corpus = sources.read(
        lambda path: lines.corpus_of(path, read_slot_texts(path, reading, bundle.tokenization, model=model))
    )
    corpus = corpus.spelt_alike(known) if known else corpus
    return bundle, distinct_texts(corpus, lines, every=reading.all_faults)


def _predictions_of(bundle: TaggerBundle) -> TaggerPredictions:
    from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import TaggerPredictions

    return TaggerPredictions(bundle)


def _reconstruct_on(
    bundle: TaggerBundle, corpus: Corpus, predictions: TaggerPredictions, on_progress: OnProgress, stop: Stop
) -> SlotReconstruction:
    from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import reconstruct_tagger

    result = reconstruct_tagger(bundle, corpus, on_progress=on_progress, predictions=predictions, stop=stop)
    on_progress(1, 1)  # it may have ended early
    return result


def _figures_of(
    bundle: TaggerBundle, predictions: TaggerPredictions, texts: PredictedTags, rules_text: str, logic_text: str
) -> Iterator[SplitScores]:
    from re2nn_core.reconstruction.slot_filling.rule_comparison import split_scores

    both = (bundle.parts.rules_text, bundle.parts.logic_text), (rules_text, logic_text)
    before, now = (texts.by_rules(rules, predictions.rules(*rules)) for rules in both)
    return split_scores(texts, before, now, now)


def _measured(
    bundle: TaggerBundle,
    result: SlotReconstruction,
    predictions: TaggerPredictions,
    texts: PredictedTags,
    one: SplitScores,
) -> MeasuredSplit | None:
    from re2nn_core.services.rule_review.evidence.measured_split import f1_of_split
    from re2nn_core.services.rule_review.slot_filling.split_counts import counts_of_split

    both = (bundle.parts.rules_text, bundle.parts.logic_text), (result.rules_text, result.logic_text)
    return f1_of_split(
        *(counts_of_split(texts, texts.by_rules(written, predictions.rules(*written)), one.split) for written in both)
    )


def _row(scores: SplitScores) -> list[str]:
    of_spans = (scores.original, scores.network, scores.changed, scores.reconstructed)
    return [*(percent(_value(part)) for part in of_spans), percent(scores.fidelity)]


def _parts(result: SlotReconstruction) -> list[str]:
    """What was done to each rule, new rules with the spans that they gain, and new priorities."""
    changed = [rule for rule in result.rules if not rule.kept_original]
    chosen_on = f"in the annotated {join_names([one.split for one in result.scores if one.split != 'test'])} texts"
    parts = []
    if changed:
        title = (
            "Changed rules, with how many errors fewer each makes, in addition to those chosen before it, "
            f"{chosen_on} that it was chosen on:"
        )
        parts.append(
            "\n".join([title, *(line for rule in changed for line in [f"{rule.name}:", *_in_words(rule.steps)])])
        )
    if result.new_rules:
        rows = [[rule.name, rule.slot, rule.gain, cut_short(rule.text)] for rule in result.new_rules]
        title = f"New rules; gain: how many errors fewer they make {chosen_on}:"
        parts.append(f"{title}\n{table(['new rule', 'slot', 'gain', ''], rows)}")
    if result.new_priorities:
        parts.append(f"New priorities: {', '.join(result.new_priorities)}")
    return parts


def _in_words(steps: tuple[str, ...]) -> list[str]:
    """What was done to a rule, the first steps of it."""
    more = len(steps) - SHOWN_STEPS
    return [*(f"    {step}" for step in steps[:SHOWN_STEPS]), *([f"    and {more} more"] if more > 0 else [])]


def _value(scores: SpanScores | None) -> float | None:
    return None if scores is None else scores.f1
