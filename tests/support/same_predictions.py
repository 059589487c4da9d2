"""What a model folder predicts in each place where models run: Python, the command line, scikit-learn, spaCy, ONNX, the
server, Ray. Python's own predictions are those that all others are compared with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spacy
from starlette.testclient import TestClient

import re2nn_core as re2nn
import re2nn_core.spacy
from re2nn_core.api.batch_scorer import BatchScorer
from re2nn_core.api.classification import LabelModel
from re2nn_core.api.file_scoring import score_file
from re2nn_core.api.models import Model
from re2nn_core.api.ray_scoring import score_with_ray
from re2nn_core.onnx_model import OnnxModel
from re2nn_core.server.application import application
from re2nn_core.server.settings import Settings
from re2nn_core.services.model_export.onnx_files import export_onnx
from re2nn_core.sklearn import RuleClassifier, RuleTagger

NEAR = 1e-5  # of scores; what files hold is rounded to six digits
_AT_ONCE = 500  # texts of a request
Found = tuple[list[Any], list[float | None]]  # labels, or spans as lists, and a score each


@dataclass(frozen=True)
class Given:
    """A model in `folder`, the texts, a file of them, and a folder for what is written on the way."""

    model: Model
    folder: Path
    texts: tuple[str, ...]
    data: Path
    scratch: Path


@dataclass(frozen=True)
class Compared:
    """Texts of other predictions than Python's, the largest difference of a score, and how many scores there are."""

    place: str
    differing: int
    difference: float
    scores: int


def compare_places(given: Given, places: Sequence[str]) -> Iterator[Compared]:
    """What each place predicts, beside Python."""
    expected, predictions = predicted(given.model, given.texts), given.model.predictions(given.texts)
    whole = [one.confidence for one in predictions]
    of_spans = [
        one.confidence
        if isinstance(one, re2nn.LabelPrediction)
        else min((span.confidence for span in one.spans if span.confidence is not None), default=None)
        for one in predictions
    ]
    for place in places:
        found, scores = PLACES[place](given)
        assert len(found) == len(scores) == len(expected)
        own = of_spans if place == "spaCy" else whole
        both = [(a, b) for a, b in zip(scores, own, strict=True) if a is not None and b is not None]
        differing = sum(a != b for a, b in zip(found, expected, strict=True))
        yield Compared(place, differing, max((abs(a - b) for a, b in both), default=0.0), len(both))


def predicted(model: Model, texts: Sequence[str]) -> list[Any]:
    """Labels, or spans as lists."""
    found = model.predict(texts)
    return list(found) if isinstance(model, LabelModel) else _listed(found)  # type: ignore[arg-type]


def _listed(found: Sequence[Any]) -> list[Any]:
    return [[[span.start, span.end, span.slot] for span in one] for one in found]


def _of_rows(rows: Sequence[dict[str, Any]]) -> Found:
    found = [
        row["label"] if "label" in row else [[one["start"], one["end"], one["slot"]] for one in row["spans"]]
        for row in rows
    ]
    return found, [row["confidence"] for row in rows]


def by_command(*arguments: object) -> Found:
    """What `re2nn predict` predicts, with confidence."""
    code = "import sys; from re2nn_core.cli import main; main(sys.argv[1:])"
    call = [sys.executable, "-c", code, "predict", *map(str, arguments), "--json"]
    return _of_rows(json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)["predictions"])


def _by_workers(given: Given) -> Found:
    output = given.scratch / "workers.jsonl"
    score_file(BatchScorer(given.folder), given.data, output, workers=2)
    return _of_rows([json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()])


def _by_ray(given: Given) -> Found:
    output = given.scratch / "ray"
    score_with_ray(BatchScorer(given.folder), given.data, output, workers=2)
    lines = [line for path in sorted(output.iterdir()) for line in path.read_text(encoding="utf-8").splitlines()]
    return _of_rows([json.loads(line) for line in lines])


def _by_scikit_learn(given: Given) -> Found:
    if isinstance(given.model, LabelModel):
        found = RuleClassifier(model=given.folder).fit([])
        return found.predict(given.texts).tolist(), found.predict_proba(given.texts).max(1).tolist()
    tagger = RuleTagger(model=given.folder).fit([])
    spans = [[list(span) for span in one] for one in tagger.predict(given.texts)]
    tags = [one.tags for one in given.model.predictions(given.texts)]
    return spans, _least(tagger.classes_.tolist(), tags, tagger.predict_proba(given.texts))


def _least(names: Sequence[str], tags: Sequence[Sequence[str]], shares: Sequence[Any]) -> list[float | None]:
    """The probability of the least certain tag of each text; None for a text without tokens."""
    place = {name: number for number, name in enumerate(names)}
    return [
        min((float(row[place[tag]]) for row, tag in zip(rows, own, strict=True)), default=None)
        for rows, own in zip(shares, tags, strict=True)
    ]


def _by_spacy(given: Given) -> Found:
    """Of a text with spans the score of its least certain span."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("re2nn", config={"model": str(given.folder)})
    docs = list(nlp.pipe(given.texts))
    if isinstance(given.model, LabelModel):
        return [max(doc.cats, key=doc.cats.__getitem__) for doc in docs], [max(doc.cats.values()) for doc in docs]
    groups = [doc.spans["re2nn"] for doc in docs]
    spans = [
        [[*place, one.label_] for place, one in zip(group.attrs["characters"], group, strict=True)] for group in groups
    ]
    return spans, [min(group.attrs["scores"], default=None) for group in groups]


def _by_onnx(given: Given) -> Found:
    assert given.model.bundle is not None
    export_onnx(given.model.bundle, given.scratch / "onnx", given.texts)  # a file has the words of texts at hand
    model = OnnxModel.load(given.scratch / "onnx")
    found, shares = model.predict(given.texts), model.predict_proba(given.texts)
    if isinstance(given.model, LabelModel):
        return list(found), [float(row.max()) for row in shares]
    return _listed(found), _least(model.names, model.tags(given.texts), shares)


def _by_server(given: Given) -> Found:
    settings = Settings((("model", str(given.folder)),), None, 600.0, 2 * _AT_ONCE, str(given.scratch))
    rows = []
    with TestClient(application(settings), base_url="http://localhost") as client:
        for begin in range(0, len(given.texts), _AT_ONCE):
            body = {"texts": given.texts[begin : begin + _AT_ONCE]}
            rows += client.post("/v1/predict", json=body).raise_for_status().json()["predictions"]
    return _of_rows(rows)


PLACES: dict[str, Callable[[Given], Found]] = {
    "command line": lambda given: by_command(given.data, "--model", given.folder),
    "command line, two workers": _by_workers,
    "scikit-learn": _by_scikit_learn,
    "spaCy": _by_spacy,
    "ONNX": _by_onnx,
    "server": _by_server,
    "Ray": _by_ray,
}
