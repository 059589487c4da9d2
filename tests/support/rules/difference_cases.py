"""The table testdata/differences.toml: pairs of rules and what is drawn of their difference."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node

TABLE = Path(__file__).parents[2] / "testdata" / "differences.toml"


@dataclass(frozen=True)
class DifferenceCase:
    """Two rules, how their sentences compare, and how many states and transitions are marked."""

    name: str
    classes: tuple[str, ...]
    before: str
    after: str
    verdict: str
    changes: int

    @property
    def tagging(self) -> bool:
        return "<" in self.before

    def file(self, rule: str) -> str:
        """One of the two as a rule file."""
        return "\n".join([*self.classes, "[slots]" if self.tagging else "[label]", f"rule := {rule}", ""])

    @property
    def trees(self) -> tuple[Node, Node]:
        """Both with their classes written out, and their tags."""
        before, after = (read_rules(self.file(rule)).ruleset.rules[0].expanded for rule in (self.before, self.after))
        return (tagged(before), tagged(after)) if self.tagging else (before, after)


def difference_cases() -> list[DifferenceCase]:
    """The cases of the table; their names are distinct."""
    cases = [
        DifferenceCase(**{**case, "classes": tuple(case.get("classes", ()))})
        for case in tomllib.loads(TABLE.read_text(encoding="utf-8"))["case"]
    ]
    assert len({case.name for case in cases}) == len(cases)
    return cases
