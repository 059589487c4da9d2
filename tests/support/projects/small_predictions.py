"""What rules by themselves answer to texts of a project."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.services.prediction.classification.predictions import Predictions, predict_texts
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.store import TextRecord
from re2nn_core.text.tokenization import Tokenization


def predictions(rules: str, records: Sequence[TextRecord], logic: str = "") -> Predictions:
    return predict_texts(read_system(rules, logic, Tokenization())[0], None, [record.text for record in records])
