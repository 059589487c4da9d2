"""The reconstruction of a run for labels, kept as `reconstruction.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from re2nn_core.reconstruction.classification.predicted_texts import predicted_texts
from re2nn_core.reconstruction.classification.report import edges_from
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.rule_reconstruction.classification.reconstruction import (
    AddedRule,
    KeptPredictions,
    OnProgress,
    Reconstruction,
    RuleChange,
    SplitAccuracy,
    reconstruct,
)
from re2nn_core.services.rule_review.classification.sizes import label_sizes
from re2nn_core.services.rule_review.stored_reconstruction import (
    ShouldStop,
    StoredReconstruction,
    read_stored,
    refuse_nothing,
    store_now,
)
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example

StoredLabelReconstruction = StoredReconstruction[Reconstruction]
FILE = "reconstruction.json"


def stored_reconstruction(folder: Path) -> StoredLabelReconstruction | None:
    """What was kept in a run's folder; None where there is nothing, or nothing that this version can read."""
    return read_stored(folder / FILE, _reconstruction, lambda split: SplitAccuracy(**split))


def reconstruct_run(
    run: RunRecord,
    records: Sequence[TextRecord],
    *,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StoredLabelReconstruction:
    """Reconstruct the rules of a finished run on the project's texts, and keep the outcome; once `should_stop` says so,
    the changes found by then.

    ModelError where the network cannot be read; InputError without labelled texts; Cancelled where it is to stop before
    it has found a change: then what was kept stays.
    """
    bundle, corpus, stop = bundle_of(run), _corpus(records), Stop(should_stop)
    predicted = KeptPredictions(bundle)
    found = reconstruct(bundle, corpus, on_progress=on_progress, predictions=predicted, stop=stop)
    refuse_nothing(found, stop)
    sizes = label_sizes(bundle, found, predicted_texts(bundle, corpus, predicted))
    return store_now(run.folder / FILE, found, records, sizes, stopped=stop.was_asked)


def _corpus(records: Sequence[TextRecord]) -> Corpus:
    return Corpus(tuple(Example(record.text, record.label, record.split) for record in records))


def _reconstruction(values: Mapping[str, Any]) -> Reconstruction:
    return Reconstruction(
        str(values["rules_text"]),
        str(values["logic_text"]),
        tuple(SplitAccuracy(**split) for split in values["accuracy"]),
        tuple(_change(rule) for rule in values["rules"]),
        tuple(values.get("new_logic", ())),
        tuple(values.get("unclear_logic", ())),
        tuple(AddedRule(**{**rule, "texts": tuple(rule["texts"])}) for rule in values["new_rules"]),
        tuple(values["dropped"]),
        values.get("new_words"),
    )


def _change(values: Mapping[str, Any]) -> RuleChange:
    tuples = {
        name: None if values[name] is None else tuple(values[name])
        for name in ("witness_only_original", "witness_only_reconstructed", "lost", "won")
    }
    return RuleChange(**{**values, **tuples, "learned": edges_from(values["learned"])})
