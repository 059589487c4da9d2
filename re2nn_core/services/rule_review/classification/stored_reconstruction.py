"""Reading a run's network back as rules, kept beside the network so that the page opens at once the next
time.

`reconstruction.json` in the run's folder holds the outcome with a fingerprint of the texts it was measured
on, and what the best single edit of each changed rule gains, once that was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from re2nn_core.reconstruction.classification.report import edges_from
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.result_file import keep
from re2nn_core.services.fine_tuning.runs import fingerprint
from re2nn_core.services.rule_reconstruction.classification.reconstruction import (
    NewRule,
    OnProgress,
    Reconstruction,
    RuleChange,
    SplitAccuracy,
    reconstruct,
)
from re2nn_core.services.rule_review.classification.best_edits import best_edits
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example

FILE = "reconstruction.json"
FORMAT = 2


@dataclass(frozen=True)
class Readback:
    """A reconstruction, when it was made, and the fingerprint of the texts and labels it was measured on. `best_edits`:
    how many more labelled train and dev texts the best edit of each changed rule sets right; None before it was
    measured."""

    reconstruction: Reconstruction
    texts: str
    made_at: datetime
    best_edits: Mapping[str, int] | None = None

    def fits(self, records: Sequence[TextRecord]) -> bool:
        """False once texts or labels have changed since."""
        return self.texts == fingerprint(records)


def kept_readback(folder: Path) -> Readback | None:
    """What was kept in a run's folder; None where there is nothing, or nothing that this version can read."""
    try:
        values = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if values.get("format") != FORMAT:
            return None
        return Readback(
            _reconstruction(values["reconstruction"]),
            str(values["texts"]),
            datetime.fromisoformat(values["made_at"]),
            None if (best := values.get("best_edits")) is None else {str(name): int(best[name]) for name in best},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # It costs seconds to make again, so a damaged file is as good as none.
        return None


def read_back(run: RunRecord, records: Sequence[TextRecord], *, on_progress: OnProgress | None = None) -> Readback:
    """Reconstruct the rules of a finished run on the project's texts, and keep the outcome.

    ModelError where the network cannot be read; InputError without labelled texts.
    """
    found = reconstruct(bundle_of(run), _corpus(records), on_progress=on_progress)
    made = Readback(found, fingerprint(records), datetime.now(UTC))
    _keep(made, run.folder)
    return made


def with_best_edits(
    kept: Readback, run: RunRecord, records: Sequence[TextRecord], *, on_progress: OnProgress | None = None
) -> Readback:
    """The same with `best_edits`, kept beside the network too. ModelError where it cannot be read."""
    bundle = bundle_of(run)
    found = kept.reconstruction
    best = best_edits(bundle.written, bundle.tokenization, found, _corpus(records), on_progress=on_progress)
    made = replace(kept, best_edits=best)
    _keep(made, run.folder)
    return made


def _corpus(records: Sequence[TextRecord]) -> Corpus:
    return Corpus(tuple(Example(record.text, record.label, record.split) for record in records))


def _keep(made: Readback, folder: Path) -> None:
    values = {
        "format": FORMAT,
        "texts": made.texts,
        "made_at": made.made_at.isoformat(),
        "reconstruction": asdict(made.reconstruction),
        "best_edits": made.best_edits,
    }
    keep(folder / FILE, values)


def _reconstruction(values: Mapping[str, Any]) -> Reconstruction:
    return Reconstruction(
        str(values["rules_text"]),
        str(values["logic_text"]),
        tuple(SplitAccuracy(**split) for split in values["accuracy"]),
        tuple(_change(rule) for rule in values["rules"]),
        tuple(values.get("new_logic", ())),
        tuple(values.get("unclear_logic", ())),
        tuple(NewRule(**{**rule, "texts": tuple(rule["texts"])}) for rule in values["new_rules"]),
        tuple(values["dropped"]),
    )


def _change(values: Mapping[str, Any]) -> RuleChange:
    tuples = {
        name: None if values[name] is None else tuple(values[name])
        for name in ("witness_only_original", "witness_only_reconstructed", "lost", "won")
    }
    return RuleChange(**{**values, **tuples, "learned": edges_from(values["learned"])})
