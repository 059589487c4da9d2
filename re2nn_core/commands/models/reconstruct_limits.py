"""How large a reconstruction may become, and how long it may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from re2nn_core.commands._common.watching import after_seconds
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.reconstruction.classification.report import Reconstruction
    from re2nn_core.reconstruction.slot_filling.report import SlotReconstruction
    from re2nn_core.reconstruction.stopping import Stop

Found = TypeVar("Found", "Reconstruction", "SlotReconstruction")


@dataclass(frozen=True)
class Limits:
    """`most_words` that rules name in addition to the written ones, None for the default; `most_seconds` of work, None
    for no limit."""

    most_words: int | None = None
    most_seconds: float | None = None

    def within(self, reconstruct: Callable[[Stop], Found]) -> tuple[Found, str]:
        """What is found in the time, and what to say where it ended early: where nothing was found, these are the rules
        as written."""
        from re2nn_core.reconstruction.stopping import Stop

        stop = Stop(None if self.most_seconds is None else after_seconds(self.most_seconds))
        found = reconstruct(stop)
        if not stop.was_asked:
            return found, ""
        if not found.changed and not found.new_rules:
            return found, (
                f"Stopped after {self.most_seconds:g} s, before a change of a rule was found; the rules are written as "
                "they were. Give more time with --most-seconds."
            )
        kept = f"{counted(found.changed, 'changed rule')} and {counted(len(found.new_rules), 'new rule')}"
        return found, (
            f"Stopped after {self.most_seconds:g} s; the changes found by then are kept: {kept}. Give more time with "
            "--most-seconds."
        )
