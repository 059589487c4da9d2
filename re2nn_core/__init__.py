"""RE2NN: word-level rules that run as an exactly equal neural network.

    import re2nn_core as re2nn
    model = re2nn.compile(Path("rules.txt"), logic=Path("logic.toml"), tokenizer="punctuation")
    model.predict(["how much is a flight to oslo"])

`re2nn help python` describes the interface. A name is loaded when it is asked for, so that importing the package loads
neither torch nor NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re2nn_core.api.classification import LabelModel, LabelPrediction
    from re2nn_core.api.comparing import diff, evaluate, reconstruct
    from re2nn_core.api.models import compile, from_pretrained, load
    from re2nn_core.api.slot_filling import FoundSpan, SlotModel, SlotPrediction
    from re2nn_core.api.texts import read_texts
    from re2nn_core.api.training import train

__all__ = [
    "FoundSpan",
    "LabelModel",
    "LabelPrediction",
    "SlotModel",
    "SlotPrediction",
    "compile",
    "diff",
    "evaluate",
    "from_pretrained",
    "load",
    "read_texts",
    "reconstruct",
    "train",
]

_MODULES = {
    "FoundSpan": "slot_filling",
    "LabelModel": "classification",
    "LabelPrediction": "classification",
    "SlotModel": "slot_filling",
    "SlotPrediction": "slot_filling",
    "compile": "models",
    "diff": "comparing",
    "evaluate": "comparing",
    "from_pretrained": "models",
    "load": "models",
    "read_texts": "texts",
    "reconstruct": "comparing",
    "train": "training",
}


def __getattr__(name: str) -> Any:
    """A name of the interface, loaded now."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; its names are: {', '.join(__all__)}")
    return getattr(import_module(f"re2nn_core.api.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
