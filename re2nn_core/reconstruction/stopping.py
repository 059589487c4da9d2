"""Long work that can be asked to end early: it keeps what it has found by then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from re2nn_core.errors import Cancelled


@dataclass
class Stop:
    """Whether work is to end (None: never); remembers that it was asked to."""

    should_stop: Callable[[], bool] | None = None
    was_asked: bool = False

    def asked(self) -> bool:
        self.was_asked = self.was_asked or (self.should_stop is not None and self.should_stop())
        return self.was_asked

    def refuse(self) -> None:
        """Cancelled where work is to end before it has found anything."""
        if self.asked():
            raise Cancelled("Cancelled before a change of a rule was found.")
