"""A network as ONNX with all that a program needs to run it, kept once it predicts what torch does."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError, ModelError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.predict import run_taggers, tag_names
from re2nn_core.network.slot_filling.tagger import OUTSIDE_NUMBER
from re2nn_core.onnx_model import DESCRIPTION, FORMAT, GRAPH, INSTALL, OnnxModel
from re2nn_core.services.model_export.new_folder import new_folder
from re2nn_core.services.prediction.classification.predictor import predict, predicting
from re2nn_core.services.prediction.new_words import knowing
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags, tag_probabilities
from re2nn_core.task import Task, by_task, read_task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

CLOSE = 1e-5  # two runtimes add in other orders
OWN_TEXTS, _LONGEST = 1000, 20
_AT_ONCE = 4096
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class OnnxExport:
    """texts: how many were compared, `given` or made of the model's own words; difference: the largest of a
    probability; divided: the texts whose spans the rules divide otherwise than the network's tags say (untrained
    networks for slots)."""

    texts: int
    given: bool
    difference: float
    divided: int


def export_onnx(
    bundle: Bundle | TaggerBundle, folder: Path, texts: Sequence[str], on_progress: OnProgress | None = None
) -> OnnxExport:
    """Write `model.onnx`, `model.json` and `README.md` into a new folder. Without `texts`, texts made of the model's
    words are compared.

    InputError where the extra is missing, for networks that ONNX cannot express, and for a folder that is not empty;
    ModelError where onnxruntime predicts anything else than torch, and then nothing is written.
    """
    if importlib.util.find_spec("onnx") is None:
        raise InputError(f"Writing ONNX needs the package onnx. Install it with {INSTALL}.")
    compared = list(texts) or texts_to_check(bundle)
    # The graph has a table of words: those of the texts that are at hand get their vectors now.
    bundle = knowing(bundle, words_of_all(compared, bundle.tokenization))
    graph, description = _graph_of(bundle), _description_of(bundle)
    found = _compared(bundle, OnnxModel.of(graph, description), compared, on_progress)
    with new_folder(folder) as part:
        (part / GRAPH).write_bytes(graph)
        (part / DESCRIPTION).write_text(json.dumps(description, ensure_ascii=False), encoding="utf-8")
        (part / "README.md").write_text(_readme(description), encoding="utf-8")
    return OnnxExport(len(compared), bool(texts), *found)


def texts_to_check(bundle: Bundle | TaggerBundle) -> list[str]:
    """Texts without sense made of the words of the rules and of the vocabulary, always the same."""
    chosen = random.Random(0)
    words = [word for word in bundle.vocabulary.words[len(UNKNOWN_KINDS) :] if " " not in word] or ["a"]
    named = [word for word in sorted(bundle.ruleset.words) if " " not in word] or words
    return [
        "",
        *(
            " ".join(chosen.choice(chosen.choice((words, named))) for _ in range(chosen.randint(1, _LONGEST)))
            for _ in range(OWN_TEXTS - 1)
        ),
    ]


def _graph_of(bundle: Bundle | TaggerBundle) -> bytes:
    # Imported here: they need the extra.
    if isinstance(bundle, Bundle):
        from re2nn_core.network.onnx_graph.classification import classifier_as_onnx

        return classifier_as_onnx(bundle.networks, **predicting(bundle))
    from re2nn_core.network.onnx_graph.slot_filling import tagger_as_onnx

    return tagger_as_onnx(bundle.networks)


def _description_of(bundle: Bundle | TaggerBundle) -> dict[str, Any]:
    labels = isinstance(bundle, Bundle)
    names = bundle.network.logic.labels if isinstance(bundle, Bundle) else tag_names(bundle.network)[OUTSIDE_NUMBER:]
    return {
        "format": FORMAT,
        "task": Task.CLASSIFICATION if labels else Task.SLOT_FILLING,
        "outputs": list(names),
        "no_prediction": -1 if labels else None,
        "trained": bundle.trained,
        "tokenizer": {**bundle.tokenization.settings, "cased": sorted(bundle.tokenization.cased)},
        "unknown": {"word": 0, "number": 1, "punctuation": 2},
        "words": list(bundle.vocabulary.words),
    }


def _compared(
    bundle: Bundle | TaggerBundle, model: OnnxModel, texts: Sequence[str], on_progress: OnProgress | None
) -> tuple[float, int]:
    """The largest difference of a probability, and how many texts have other spans by rules. ModelError."""
    difference, divided = 0.0, 0
    for begin in range(0, len(texts), _AT_ONCE):
        part = texts[begin : begin + _AT_ONCE]
        if isinstance(bundle, Bundle):
            own = predict(bundle, part)
            expected: Sequence[object] = own.predictions
            shares: Sequence[NDArray[np.float32]] = list(own.label_scores)
            found: Sequence[object] = model.predict(part)
        else:
            codes = [bundle.vocabulary.encode(words) for words in words_of_all(part, bundle.tokenization)]
            tags = [one.tags for one in run_taggers(bundle.networks, codes, with_confidences=False)]
            expected, shares, found = tags, tag_probabilities(bundle, part), model.tags(part)
            spans = predict_tags(bundle, part, with_confidences=False)
            divided += sum(one.tags != own_tags for one, own_tags in zip(spans, tags, strict=True))
        rows = zip(part, expected, found, shares, model.predict_proba(part), strict=True)
        for text, wanted, given, share, other in rows:
            apart = float(np.abs(share - other).max(initial=0.0))
            if wanted != given or not apart <= CLOSE:
                raise ModelError(
                    f"onnxruntime and torch differ on the text {text[:80]!r}: {_short(given)} and {_short(wanted)}, "
                    f"probabilities differ by {apart:.1e}. Nothing was written. Export with --format folder."
                )
            difference = max(difference, apart)
        if on_progress is not None:
            on_progress(begin + len(part), len(texts))
    return difference, divided


def _short(prediction: object) -> str:
    return "no prediction" if prediction is None else str(prediction)[:80]


def _readme(description: Mapping[str, Any]) -> str:
    task = read_task(description["task"])
    first = by_task(
        task,
        classification="label [batch], the number of a label, -1 for no prediction",
        slot_filling="tags [batch, time], the number of the tag of each word, 0 (O) behind the end of a text",
    )
    shape = by_task(task, classification="[batch, labels]", slot_filling="[batch, time, tags]")
    return f"""# A network of rules as ONNX

`{GRAPH}` takes `words` [batch, time], int64, and `lengths` [batch], int64: the number of each word, 0 behind the end of
a text, and how many words each text has. Batch and time may be any size. It returns:

- {first}; the numbers count `outputs` of `{DESCRIPTION}` from 0
- probabilities {shape}

`{DESCRIPTION}` has the word numbers: the place of a word in `words`. A word that is not in it has the number 0, 1 for
a number (digits with at most one dot), 2 for punctuation. Entries that begin with `like ` stand for all words for which
the patterns behind their second word hold, and no others. `tokenizer` says how texts become words: {
        counted(len(description["words"]), "word")
    }, `{description["tokenizer"]["kind"]}`{", in lower case" if description["tokenizer"]["lowercase"] else ""}.
A spelling in `cased` has an entry of its own: `case ` in front of it.

In Python, with onnxruntime alone (no torch):

```python
from re2nn_core.onnx_model import OnnxModel

model = OnnxModel.load(FOLDER)
model.predict([TEXT]), model.predict_proba([TEXT])
```
"""
