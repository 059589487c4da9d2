"""Files of the former version, and what they predict."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.store import (
    restore_backup,
)
from re2nn_core.store.schema import SCHEMA_VERSION
from re2nn_core.text.spans import Span

FORMER = Path(__file__).resolve().parents[2] / "testdata" / "former"


# The projects and runs of the store.
TRIPS, JOURNEYS = 1, 2


TRAINED, EDITED, CURVE, BETA, COMPARED, NEAR, TAGGED = range(1, 8)


NEAR_ENOUGH = 1e-4


TRIPS_RULES = (
    "[travel]\ngo := $* ( flight | flights ) $*\n[money]\nprice := $* ( price | fare ) $*\n",
    "@city@=( boston | oslo )\n[travel]\ngo := $* ( flight | flights ) $*\nto_city := $* fly to @city@ $*\n"
    "[money]\nprice := $* ( price | fare ) $*     // what it costs\nmuch := $* how much $*\n",
)


TRIPS_LOGIC = 'default = "travel"\npriorities = ["money > travel"]\n'


@cache
def predictions() -> dict[str, Any]:
    """What that version answered, by model, and by run."""
    found: dict[str, Any] = json.loads((FORMER / "answers.json").read_text(encoding="utf-8"))
    return found


def restore(path: Path, backup: Path) -> None:
    """Bring the backup into a new database; where the schema is another one by now it is refused, which is reported."""
    with zipfile.ZipFile(backup) as archive:
        schema = json.loads(archive.read("backup.json"))["schema"]
    if schema != SCHEMA_VERSION:
        with pytest.raises(DataFileError, match=f"was written with schema {schema}; this version reads"):
            restore_backup(path, backup)
        pytest.skip(f"the backup is of schema {schema}; the database, which is of it too, is brought up to date")
    assert restore_backup(path, backup).files == 30


def predictions_labels(bundle: Bundle, reported: Mapping[str, Any]) -> None:
    """The labels of the texts, and what each label scores."""
    found = predict(bundle, [one["text"] for one in reported["answers"]])
    assert list(found.labels) == reported["labels"]
    assert found.predictions == [one["label"] for one in reported["answers"]]
    for scores, one in zip(found.label_scores, reported["answers"], strict=True):
        assert scores.tolist() == pytest.approx(one["scores"], abs=NEAR_ENOUGH)


def predictions_slots(bundle: TaggerBundle, reported: Mapping[str, Any]) -> None:
    """The tags and spans of the texts, and how sure each tag is, where the network has each word: others have had no
    vectors of their own in that version."""
    known = [one for one in reported["answers"] if set(one["text"].lower().split()) <= set(bundle.vocabulary.index)]
    assert len(known) >= 3
    found = predict_tags(bundle, [one["text"] for one in known])
    for prediction, one in zip(found, known, strict=True):
        assert list(prediction.tags) == one["tags"]
        assert list(prediction.spans) == [Span(*span) for span in one["spans"]]
        assert list(prediction.token_confidences) == pytest.approx(one["sureness"], abs=NEAR_ENOUGH)
