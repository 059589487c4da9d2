"""The models of a server, each read again when its files change."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model, compile, load
from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.server.settings import ServedRules, Settings
from re2nn_core.text.tokenization import Tokenization

# The description is written last, and a folder without it is no model.
_FILES = ("bundle.json", "parameters.safetensors", "rules.txt", "logic.toml")
Stamp = tuple[tuple[int, int] | None, ...]


@dataclass
class ServedModel:
    """A model with what it was read from. `problem`: why the newest files are not used; empty where they are."""

    name: str
    files: tuple[Path, ...]
    read: Callable[[], Model]
    model: Model
    stamp: Stamp
    loaded: float = field(default_factory=time.time)
    problem: str = ""

    def refresh(self) -> bool:
        """Read the model again where a file has changed; whether it was. A model that cannot be read leaves the former
        one in place."""
        stamp = _stamp(self.files)
        if stamp == self.stamp:
            return False
        try:
            model = self.read()
        except (Re2nnError, OSError) as error:
            self.stamp, self.problem = stamp, str(error)
            return False
        if _stamp(self.files) != stamp:
            return False  # still being written
        self.model, self.stamp, self.loaded, self.problem = model, stamp, time.time(), ""
        return True

    @property
    def described(self) -> dict[str, Any]:
        """What `GET /v1/models` lists."""
        model = self.model
        names = {"labels": list(model.labels)} if isinstance(model, LabelModel) else {"slots": list(model.slots)}
        return {
            "name": self.name,
            "task": model.task.value,
            **names,
            "trained": model.trained,
            "tokenizer": model.tokenization.kind,
            "lowercase": model.tokenization.lowercase,
            "loaded": round(self.loaded, 3),
            "problem": self.problem or None,
        }


def served_models(settings: Settings) -> dict[str, ServedModel]:
    """All models by name, in the order given. ModelError, InputError, RuleError, LogicError."""
    found: dict[str, ServedModel] = {}
    for name, folder in settings.models:
        path = Path(folder)
        found[name] = _served(name, tuple(path / file for file in _FILES), partial(load, path))
    if settings.rules is not None:
        rules = settings.rules
        files = (Path(rules.rules), *(() if rules.logic is None else (Path(rules.logic),)))
        name = files[0].stem
        if name in found:
            raise InputError(f"A model and the rules are both called {name!r}. Name the model: --model NAME=DIR.")
        found[name] = _served(name, files, partial(_compiled, rules))
    return found


def _served(name: str, files: tuple[Path, ...], read: Callable[[], Model]) -> ServedModel:
    stamp = _stamp(files)
    return ServedModel(name, files, read, read(), stamp)


def _compiled(rules: ServedRules) -> Model:
    logic = None if rules.logic is None else Path(rules.logic)
    tokenization = Tokenization(rules.tokenizer, rules.lowercase)  # type: ignore[arg-type]  # it refuses others
    return compile(Path(rules.rules), logic=logic, tokenizer=tokenization)


def _stamp(files: tuple[Path, ...]) -> Stamp:
    """What changes where a file does."""
    return tuple(map(_stamp_of, files))


def _stamp_of(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
