"""What a run says of the edit that it was made by: a run of an edited model was never trained itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Protocol

from re2nn_core.store import RunRecord
from re2nn_core.text.counting import counted

_KEY = "edit"
_NAMED = 5  # more rules than this are counted

ROUNDING = 1e-4  # scores of the same weights differ by less, in matrices of another size


@dataclass(frozen=True)
class RunEdit:
    """An edit and its check. `former` is the id of the run it was made from; `off` are all rules that are off now;
    `same_weights`, `max_difference`, `bit_equal` and `restarted` are the check of the other rules (`EditCheck`) over
    `texts` texts, `changed` the number of them whose prediction is another one; the accuracies are shares of 1, None
    where they were not measured. `learned`: the network has learned from the dev texts too; then test texts tell what
    the edit did, and dev texts only where there are none of these."""

    former: int
    added: tuple[str, ...]
    disabled: tuple[str, ...]
    enabled: tuple[str, ...]
    off: tuple[str, ...]
    untouched: int
    same_weights: bool
    max_difference: float
    bit_equal: bool
    restarted: tuple[str, ...]
    texts: int
    changed: int
    dev_texts: int
    dev_before: float | None
    dev_after: float | None
    test_texts: int = 0
    test_before: float | None = None
    test_after: float | None = None
    learned: bool = False

    @property
    def measured_on(self) -> str:
        """The texts that the accuracies are of, as people say it."""
        if self.test_after is not None:
            return f"on {counted(self.test_texts, 'test text')}"
        return f"on {counted(self.dev_texts, 'dev text')}{' that were also used for training' if self.learned else ''}"

    @property
    def accuracies(self) -> tuple[float, float] | None:
        """Before and after the edit, on the texts of `measured_on`."""
        for before, after in ((self.test_before, self.test_after), (self.dev_before, self.dev_after)):
            if before is not None and after is not None:
                return before, after
        return None

    @property
    def words(self) -> str:
        """What was done, as people say it."""
        done = (("switched off", self.disabled), ("switched on again", self.enabled), ("added", self.added))
        return "; ".join(f"{verb} {_listed(names)}" for verb, names in done if names)

    @property
    def untouched_in_words(self) -> str:
        """What the check of the other rules found."""
        return untouched_in_words(self.untouched, self.texts, self)


class Checked(Protocol):
    """A check of the rules that an edit leaves alone."""

    @property
    def same_weights(self) -> bool: ...
    @property
    def max_difference(self) -> float: ...
    @property
    def bit_equal(self) -> bool: ...


def untouched_in_words(rules: int, texts: int, check: Checked) -> str:
    """What a check of the untouched rules found, in a sentence."""
    if not rules:
        return "There is no other rule that could have changed."
    which = "The one other rule" if rules == 1 else f"The {rules:,} other rules"
    on_texts = f"on {counted(texts, 'text')}"
    if check.bit_equal:
        scores = f"scores {on_texts} bit by bit the same"
    else:
        scores = f"scores {on_texts} different by {check.max_difference:.1e} at most"
    if not check.same_weights:
        return f"{which}: weights changed, {scores}."
    rounding = "" if check.bit_equal or check.max_difference > ROUNDING else ", which is rounding"
    return f"{which}: weights bit by bit the same, {scores}{rounding}."


def edit_of(run: RunRecord) -> RunEdit | None:
    """The edit that a run was made by; None for a run that was trained."""
    values = (run.result or {}).get(_KEY)
    if values is None:
        return None
    given: dict[str, Any] = {field.name: values[field.name] for field in fields(RunEdit) if field.name in values}
    given |= {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return RunEdit(**given)


def as_result(edit: RunEdit) -> dict[str, Any]:
    """The part of a run's result that `edit_of` reads."""
    return {_KEY: asdict(edit)}


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"
