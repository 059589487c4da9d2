"""Predictions of a model as values that JSON holds, for servers and for engines that send work to other processes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from re2nn_core.api.classification import LabelModel, LabelPrediction
from re2nn_core.api.models import Model, load
from re2nn_core.api.slot_filling import SlotModel, SlotPrediction
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.task import Task

_DIGITS = 6  # of confidence in files and JSON: as close as single precision goes


def rounded(confidence: float | None) -> float | None:
    """Confidence as files and JSON hold it; None stays."""
    return None if confidence is None else round(confidence, _DIGITS)


def label_row(found: LabelPrediction) -> dict[str, Any]:
    """A label as a JSON object: its probability where a network predicts, the rules that predict it too."""
    return {
        "text": found.text,
        "label": found.label,
        "confidence": rounded(found.confidence),
        "rules": list(found.rules),
    }


def slot_row(found: SlotPrediction) -> dict[str, Any]:
    """Spans as a JSON object, as `read_slot_corpus` reads it."""
    spans = [
        {
            "start": span.start,
            "end": span.end,
            "slot": span.slot,
            "text": span.text,
            "confidence": rounded(span.confidence),
            "rules": list(span.rules),
        }
        for span in found.spans
    ]
    return {"text": found.text, "spans": spans, "confidence": rounded(found.confidence)}


def prediction_rows(model: Model, texts: Sequence[str]) -> list[dict[str, Any]]:
    """The predictions of a model for texts, in their order. InputError."""
    if isinstance(model, LabelModel):
        return [label_row(found) for found in model.predictions(texts)]
    return [slot_row(found) for found in model.predictions(texts)]


class BatchScorer:
    """A model that is loaded once, when it is first asked, and that goes to another process as its path.

    scorer = BatchScorer("model")
    scorer(["two suitcases"])
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)

    @cached_property
    def model(self) -> Model:
        """The model of the folder. ModelError."""
        return load(self.folder)

    def __call__(self, texts: Sequence[str]) -> list[dict[str, Any]]:
        """One object for each text. ModelError, InputError."""
        return prediction_rows(self.model, texts)

    @property
    def state(self) -> str:
        """What is another where the folder holds another model."""
        files = (self.folder / name for name in ("bundle.json", "parameters.safetensors"))
        return repr([(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in files])

    def __getstate__(self) -> dict[str, Any]:
        return {"folder": self.folder}


class RuleScorer(BatchScorer):
    """Rules that predict, which go to another process as their text."""

    def __init__(self, rules: Model) -> None:
        system = rules.system
        slots = rules.system.known_slots if isinstance(rules, SlotModel) else ()
        self.written = (rules.task, system.rules_text, system.logic_text, system.tokenization, slots)

    @cached_property
    def model(self) -> Model:
        """The rules, read again."""
        task, rules, logic, tokenization, slots = self.written
        if task is Task.CLASSIFICATION:
            return LabelModel(read_system(rules, logic, tokenization)[0])
        return SlotModel(read_slot_system(rules, logic, tokenization, known_slots=slots)[0])

    @property
    def state(self) -> str:
        """What is another for other rules."""
        return repr(self.written)

    def __getstate__(self) -> dict[str, Any]:
        return {"written": self.written}
