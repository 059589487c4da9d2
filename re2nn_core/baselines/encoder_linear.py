"""The sentence encoder under a linear layer: vectors of whole texts, which stay as they are, and a logistic regression
over them. What one would use for labels without rules; it needs neither epochs nor a GPU.

A text's vector is that of the sentence encoder (Reimers and Gurevych, 2019; embeddings/encoder.py). The strength of the
L2 penalty is the one with which most dev texts are predicted rightly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.text.corpus import Example
from re2nn_core.text.counting import counted

NAME = "encoder"
STRENGTHS = (1.0, 4.0, 16.0, 64.0, 256.0)  # C of scikit-learn: the inverse of the penalty
USUAL = 16.0  # without dev texts
_STEPS = 1000
Floats = NDArray[np.float32]
OnProgress = Callable[[float], None]
ShouldStop = Callable[[], bool]


@dataclass(frozen=True)
class EncoderPredictions:
    """The prediction for each text; `dev`: the share of the dev texts that are predicted rightly, None without any;
    `strength`: C of scikit-learn."""

    predictions: list[str]
    dev: float | None
    strength: float


def encoder_predictions(
    train: Sequence[Example],
    dev: Sequence[Example],
    texts: Sequence[str],
    *,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> EncoderPredictions:
    """Fit to the labelled texts of train, choose the strength on those of dev, predict the texts. EncoderUnavailable;
    InputError where train has a single label; Cancelled when `should_stop()`."""
    # Imported here: torch and scikit-learn take seconds to load.
    from sklearn.linear_model import LogisticRegression

    labels = [example.label or "" for example in train]
    if len(set(labels)) < 2:
        raise InputError(single_label(labels))
    of = _encoded([*(example.text for example in (*train, *dev)), *texts], on_progress, should_stop)
    learned, tried = of([example.text for example in train]), of([example.text for example in dev])
    gold = np.asarray([example.label or "" for example in dev])
    best: tuple[float, LogisticRegression, float] | None = None
    for strength in STRENGTHS if len(dev) else (USUAL,):
        _refuse_stopped(should_stop)
        model = LogisticRegression(C=strength, max_iter=_STEPS).fit(learned, labels)
        right = float((model.predict(tried) == gold).mean()) if len(dev) else 0.0
        if best is None or right > best[0]:
            best = right, model, strength
    assert best is not None  # noqa: S101 - there is a strength
    right, model, strength = best
    predictions = [str(label) for label in model.predict(of(texts))] if len(texts) else []
    return EncoderPredictions(predictions, right if len(dev) else None, strength)


def single_label(labels: Sequence[str]) -> str:
    """What to tell where training texts have one label, or none."""
    if not labels:
        return "No training text has a label, so nothing can be trained. Give train texts of at least two labels."
    have = "The only labelled training text has"
    if len(labels) > 1:
        have = f"All {counted(len(labels), 'labelled training text')} have"
    return f"{have} the label {labels[0]!r}; training needs at least two labels. Give texts of another label, too."


def _encoded(
    texts: Sequence[str], on_progress: OnProgress | None, should_stop: ShouldStop | None
) -> Callable[[Sequence[str]], Floats]:
    """The vectors [texts, 384] of some of these texts, each distinct one encoded once."""
    from re2nn_core.embeddings.encoder import encode_words

    def report(share: float) -> None:
        _refuse_stopped(should_stop)
        if on_progress is not None:
            on_progress(share)

    distinct = list(dict.fromkeys(texts))
    vectors = encode_words(distinct, on_progress=report)
    place = {text: number for number, text in enumerate(distinct)}
    return lambda asked: vectors[[place[text] for text in asked]]


def _refuse_stopped(should_stop: ShouldStop | None) -> None:
    if should_stop is not None and should_stop():
        raise Cancelled("training was cancelled")
