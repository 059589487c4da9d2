"""What is measured of a network on a data set: accuracy, precision and recall in per cent, and its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from re2nn_core.experiments.datasets.classification import DataSet
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.services.prediction.classification.evaluation import accuracy, score
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.corpus import Example

_DIGITS = 4
# Parameters that a mask holds at zero outside each rule's own machine.
_MASKS = {"sources": "source_mask", "targets": "target_mask", "wildcard": "wildcard_mask", "final": "final_mask"}


@dataclass(frozen=True)
class RunFigures:
    """`dev` is None where there are no dev texts; `test_without_duplicates` leaves out test texts that stand in train.
    `precision` and `recall` are means over the labels that test texts carry."""

    dev: float | None
    test: float
    test_without_duplicates: float | None
    precision: float
    recall: float


Labels = Mapping[str, tuple[float, float]]  # precision and recall of each label that test texts carry


def measure(bundle: Bundle, data: DataSet, *, dev: float | None) -> tuple[RunFigures, Labels]:
    """Ask the network for every test text, as `re2nn predict` would. `dev` is known already, as a share of 1."""
    return figures_of(_predictions(bundle, data.test), data, dev=dev)


def figures_of(predictions: Sequence[str | None], data: DataSet, *, dev: float | None) -> tuple[RunFigures, Labels]:
    """What predictions for every test text come to."""
    labels = _precision_and_recall(data.test, predictions)
    figures = RunFigures(
        dev=None if dev is None else _percent(dev),
        test=share_right(data.test, predictions) or 0.0,
        test_without_duplicates=_without_duplicates(data, predictions),
        precision=_rounded(fmean(precision for precision, _ in labels.values())),
        recall=_rounded(fmean(recall for _, recall in labels.values())),
    )
    return figures, labels


def share_right(examples: Iterable[Example], predictions: Sequence[str | None]) -> float | None:
    """Accuracy in per cent; None for no examples."""
    share = accuracy([example.label for example in examples], predictions)
    return None if share is None else _percent(share)


def accuracy_on(bundle: Bundle, examples: Sequence[Example]) -> float | None:
    """A share of 1; None for no examples."""
    return accuracy([example.label for example in examples], _predictions(bundle, examples)) if examples else None


def count_parameters(bundle: Bundle) -> tuple[int, int]:
    """(All parameters that training may set, those of them that no mask holds at zero), of all copies together."""
    network = bundle.network
    buffers = dict(network.named_buffers())
    every = free = 0
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad or (name == "head" and not bundle.config.state_head):
            continue
        prefix, _, own = name.rpartition(".")
        mask = buffers.get(f"{prefix}.{_MASKS[own]}") if own in _MASKS else None
        every += parameter.numel()
        free += parameter.numel() if mask is None else int(mask.sum())
    return every * len(bundle.networks), free * len(bundle.networks)


def _without_duplicates(data: DataSet, predictions: Sequence[str | None]) -> float | None:
    """Accuracy over the test texts that do not stand word for word in train."""
    apart = [place for place, repeated in enumerate(data.repeated) if not repeated]
    return share_right([data.test[place] for place in apart], [predictions[place] for place in apart])


def _precision_and_recall(examples: Iterable[Example], predictions: Sequence[str | None]) -> Labels:
    """Of each label that the examples carry."""
    scores = score([example.label for example in examples], predictions)
    return {part.label: (_percent(part.precision), _percent(part.recall)) for part in scores.per_label if part.support}


def _predictions(bundle: Bundle, examples: Sequence[Example]) -> list[str | None]:
    return predict(bundle, [example.text for example in examples]).predictions


def _percent(share: float) -> float:
    return _rounded(100 * share)


def _rounded(value: float) -> float:
    return round(value, _DIGITS)
