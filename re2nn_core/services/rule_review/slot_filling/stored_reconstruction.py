"""The reconstruction of a run for slots, kept as `slot_reconstruction.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from re2nn_core.reconstruction.progress import OnProgress, part_of
from re2nn_core.reconstruction.slot_filling.predicted_texts import predicted_tags
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import reconstruct_tagger
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    LearnedRule,
    SlotReconstruction,
    SlotRuleChange,
    SplitScores,
    TaggerPredictions,
)
from re2nn_core.services.rule_review.slot_filling.sizes import RECONSTRUCTED, SIZED, slot_sizes
from re2nn_core.services.rule_review.stored_reconstruction import (
    ShouldStop,
    StoredReconstruction,
    read_stored,
    refuse_nothing,
    store_now,
)
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.span_scores import SpanScores

StoredSlotReconstruction = StoredReconstruction[SlotReconstruction]
FILE = "slot_reconstruction.json"
_MEASURED = ("original", "network", "changed", "reconstructed")
Value = TypeVar("Value", SlotRuleChange, LearnedRule)


def stored_slot_reconstruction(folder: Path) -> StoredSlotReconstruction | None:
    """What was kept in a run's folder; None where there is nothing, or nothing that this version can read."""
    return read_stored(folder / FILE, _reconstruction, _scores)


def reconstruct_slot_run(
    run: RunRecord,
    records: Sequence[TextRecord],
    *,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StoredSlotReconstruction:
    """Reconstruct the rules of a finished run on the project's texts, and keep the outcome; once `should_stop` says so,
    the changes found by then.

    ModelError where the network cannot be read; InputError without marked texts; Cancelled where it is to stop before
    it has found a change: then what was kept stays.
    """
    bundle, stop = tagger_of(run), Stop(should_stop)
    corpus = Corpus(span_examples_of(records, bundle.parts.known_slots))
    predictions = TaggerPredictions(bundle)
    report, sized = part_of(on_progress, RECONSTRUCTED), part_of(on_progress, SIZED)
    found = reconstruct_tagger(bundle, corpus, on_progress=report, predictions=predictions, stop=stop)
    refuse_nothing(found, stop)
    sizes = slot_sizes(bundle, found, predictions, predicted_tags(bundle, corpus, predictions), sized)
    sized(1, 1)
    return store_now(run.folder / FILE, found, records, sizes, stopped=stop.was_asked)


def _reconstruction(values: Mapping[str, Any]) -> SlotReconstruction:
    return SlotReconstruction(
        rules_text=str(values["rules_text"]),
        logic_text=str(values["logic_text"]),
        scores=tuple(_scores(split) for split in values["scores"]),
        rules=tuple(_read(SlotRuleChange, rule) for rule in values["rules"]),
        new_rules=tuple(_read(LearnedRule, rule) for rule in values["new_rules"]),
        new_priorities=tuple(values["new_priorities"]),
    )


def _scores(values: Mapping[str, Any]) -> SplitScores:
    measured = {name: None if values[name] is None else SpanScores(**values[name]) for name in _MEASURED}
    return SplitScores(**{**values, **measured})


def _read(kind: type[Value], values: Mapping[str, Any]) -> Value:
    """A record without other records in it, its lists as tuples."""
    names = [field.name for field in fields(kind)]
    given: dict[str, Any] = {
        name: tuple(values[name]) if isinstance(values[name], list) else values[name] for name in names
    }
    return kind(**given)
