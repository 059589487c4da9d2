"""A training of several parts, one after the other: how far it is, and what is finished, kept in a checkpoint.

A part is finished by the tensors that it leaves, so that a training which is taken up again does not compute them once
more. The part that is at work may keep a state too, from which it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from re2nn_core.errors import Cancelled
from re2nn_core.training.checkpoint import Checkpoint, Pace, load_checkpoint, save_checkpoint

OnProgress = Callable[[int, int, str], None]  # work that is done, all work, and what is at work in words
Tensors = Mapping[str, Tensor]


@dataclass(frozen=True)
class Part:
    """A part by its `name` in a checkpoint. `title`: what it is, for the user; it takes so many `passes` over its texts
    at most, each called a `unit` and each as much work as `weight` says."""

    name: str
    title: str
    passes: int
    unit: str
    weight: int = 1


class PartProgress:
    """The parts of a training in their order. `folder`: of the checkpoint, None to keep none."""

    def __init__(
        self,
        parts: Sequence[Part],
        folder: Path | None = None,
        *,
        on_progress: OnProgress | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self._parts = {part.name: part for part in parts}
        self._total = sum(part.passes * part.weight for part in parts)
        self._folder, self._on_progress, self._should_stop = folder, on_progress, should_stop
        self._pace = Pace()
        found = load_checkpoint(folder) if folder is not None else None
        self._finished, self._state = _by_part(found.parameters if found else {}), _by_part(found.best if found else {})

    def finished(self, name: str) -> Tensors | None:
        """What a part left when it was finished; None where it is not."""
        return self._finished.get(name)

    def state(self, name: str) -> Tensors | None:
        """The state that a part kept when it was last at work; None where it kept none."""
        return self._state.get(name)

    def finish(self, name: str, tensors: Tensors) -> None:
        """Keep what a part leaves."""
        self._finished[name] = {key: value.detach().cpu().clone() for key, value in tensors.items()}
        self._state = {}
        self._save()
        self._report(name, self._parts[name].passes)

    def passed(self, name: str, done: int, state: Callable[[], Tensors] | None = None) -> None:
        """A part at work has made so many passes. `state` is kept where a checkpoint is due. Cancelled."""
        stops = self._should_stop is not None and self._should_stop()
        if state is not None and self._folder is not None and (self._pace.due() or stops):
            self._state = {name: dict(state())}
            self._save()
        self.stop_if_asked()
        self._report(name, done)

    def stop_if_asked(self) -> None:
        """Raise Cancelled where the training is to stop."""
        if self._should_stop is not None and self._should_stop():
            raise Cancelled("the training was stopped")

    def end(self) -> None:
        """All parts are done, or none that is left is needed."""
        if self._on_progress is not None:
            self._on_progress(self._total, self._total, "measuring the trained network")

    def _report(self, name: str, done: int) -> None:
        if self._on_progress is None:
            return
        before = 0
        for part in self._parts.values():
            if part.name == name:
                done = min(done, part.passes)
                words = f"{part.title}, {part.unit} {done} of {part.passes}"
                self._on_progress(before + done * part.weight, self._total, words)
                return
            before += part.passes * part.weight

    def _save(self) -> None:
        if self._folder is None:
            return
        self._pace.due()
        values = {"epoch": len(self._finished), "parts": 0}
        save_checkpoint(self._folder, Checkpoint(_flat(self._finished), _flat(self._state), {}, [], values))
        self._pace.ended()


def _flat(parts: Mapping[str, Tensors]) -> dict[str, Tensor]:
    return {f"{part}/{name}": value for part, tensors in parts.items() for name, value in tensors.items()}


def _by_part(flat: Tensors) -> dict[str, Tensors]:
    parts: dict[str, dict[str, Tensor]] = {}
    for key, value in flat.items():
        part, name = key.split("/", 1)
        parts.setdefault(part, {})[name] = value
    return dict(parts)
