"""Reading the network of a run for slots back as rules, kept beside the network as
classification/stored_reconstruction.py does for labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from re2nn_core.services.fine_tuning.result_file import keep
from re2nn_core.services.fine_tuning.runs import fingerprint
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    LearnedRule,
    OnProgress,
    SlotReconstruction,
    SlotRuleChange,
    SplitScores,
    reconstruct_slots,
)
from re2nn_core.services.rule_systems.slot_filling.stored_spans import examples_of
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.span_scores import SpanScores

FILE = "slot_reconstruction.json"
FORMAT = 2
_MEASURED = ("original", "network", "changed", "reconstructed")
Value = TypeVar("Value", SlotRuleChange, LearnedRule)


@dataclass(frozen=True)
class SlotReadback:
    """A reconstruction, when it was made, and the fingerprint of the texts and spans it was measured on."""

    reconstruction: SlotReconstruction
    texts: str
    made_at: datetime

    def fits(self, records: Sequence[TextRecord]) -> bool:
        """False once texts or spans have changed since."""
        return self.texts == fingerprint(records)


def kept_slot_readback(folder: Path) -> SlotReadback | None:
    """What was kept in a run's folder; None where there is nothing, or nothing that this version can read."""
    try:
        values = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if values.get("format") != FORMAT:
            return None
        return SlotReadback(
            _reconstruction(values["reconstruction"]),
            str(values["texts"]),
            datetime.fromisoformat(values["made_at"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        # It costs seconds to make again, so a damaged file is as good as none.
        return None


def read_slots_back(
    run: RunRecord, records: Sequence[TextRecord], *, on_progress: OnProgress | None = None
) -> SlotReadback:
    """Reconstruct the rules of a finished run on the project's texts, and keep the outcome.

    ModelError where the network cannot be read; InputError without marked texts.
    """
    bundle = tagger_of(run)
    corpus = Corpus(examples_of(records, bundle.parts.known_slots))
    found = reconstruct_slots(bundle, corpus, on_progress=on_progress)
    made = SlotReadback(found, fingerprint(records), datetime.now(UTC))
    values = {
        "format": FORMAT,
        "texts": made.texts,
        "made_at": made.made_at.isoformat(),
        "reconstruction": asdict(found),
    }
    keep(run.folder / FILE, values)
    return made


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
