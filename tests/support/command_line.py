"""What tests of the command line share: a small rule set with texts, and the outcome of a call."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RULES = """\
[flight]
to_city := $* ( flight | fly ) $* to $*
any_flight := $* flights $*
[fare]
price := $* ( fare | cost | how much ) $*
"""
LOGIC = """\
default = "flight"
priorities = ["fare > flight"]
"""
# With the logic above the rules are right on all but the last.
TEXTS = (
    ("flight", "show me a flight to boston"),
    ("fare", "how much is the flight to denver"),
    ("flight", "flights on monday"),
    ("fare", "what does it cost"),
    ("flight", "i want to go home"),
    ("fare", "is it cheap"),
)


@dataclass(frozen=True)
class Outcome:
    """What a call printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        loaded = json.loads(self.out)
        assert isinstance(loaded, dict)
        return loaded


Call = Callable[..., Outcome]
