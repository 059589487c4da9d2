"""What was read otherwise than it stands, counted: one remark for each kind of case, with the place of the first."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from re2nn_core.text.counting import counted

_FIGURES = re.compile(r"\d[\d,]*")


def without_figures(note: str) -> str:
    """What notes on several parts or files have in common that differ in their figures alone."""
    return _FIGURES.sub("0", note)


@dataclass
class Remarks:
    """How often each remark was due, and where first ("on line 7")."""

    found: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, what: str, where: str) -> None:
        """Remember that a row at this place was read in a way that has to be reported."""
        count, first = self.found.get(what, (0, where))
        self.found[what] = (count + 1, first)

    def notes(self) -> list[str]:
        """Each remark with the number of its rows."""
        return [f"{counted(count, 'row')} {what} (first {first})." for what, (count, first) in self.found.items()]
