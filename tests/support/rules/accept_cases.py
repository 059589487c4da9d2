"""The table of rules, sentences and predictions in testdata/accept and testdata/regression.toml; see
testdata/README.md."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.text.tokenization import Tokenization, words

TESTDATA = Path(__file__).parents[2] / "testdata"
KEYS = {"name", "rule", "accepts", "rejects", "classes", "lowercase"}

Sentence = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """One rule with sentences that it accepts and sentences that it rejects."""

    file: str
    name: str
    written: str
    accepted: tuple[Sentence, ...]
    rejected: tuple[Sentence, ...]
    classes: tuple[str, ...] = ()
    lowercase: bool = True

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """As the tokenizer has them, where the rule tells spellings from others."""
        both = (*self.accepted, *self.rejected)
        tokenization = Tokenization("whitespace", self.lowercase, self.ruleset.cased)
        return tuple(words(" ".join(sentence), tokenization) for sentence in both) if tokenization.cased else both

    @property
    def predictions(self) -> tuple[bool, ...]:
        """One a sentence, in the order of `sentences`."""
        return (True,) * len(self.accepted) + (False,) * len(self.rejected)

    @property
    def rules_text(self) -> str:
        """A rule file that holds the rule, named `it`, under the label `yes`."""
        return "\n".join([*self.classes, "[yes]", f"it := {self.written}"])

    @cached_property
    def ruleset(self) -> RuleSet:
        return read_rules(self.rules_text, lowercase=self.lowercase).ruleset

    @property
    def rule(self) -> Rule:
        return self.ruleset.rules[0]


def read_cases(path: Path) -> list[Case]:
    """The cases of one file."""
    with path.open("rb") as file:
        tables = tomllib.load(file)["case"]
    return [_case(path.stem, table) for table in tables]


def _case(file: str, table: dict[str, object]) -> Case:
    unknown = set(table) - KEYS
    if unknown:
        raise ValueError(f"{file}.toml: case {table.get('name')!r} has unknown keys: {', '.join(sorted(unknown))}")
    accepted, rejected = (tuple(tuple(text.split()) for text in table[key]) for key in ("accepts", "rejects"))
    return Case(
        file,
        str(table["name"]),
        str(table["rule"]),
        accepted,
        rejected,
        tuple(table.get("classes", ())),
        bool(table.get("lowercase", True)),
    )


def all_cases() -> list[Case]:
    """Every case of the table, file by file."""
    files = [*sorted((TESTDATA / "accept").glob("*.toml")), TESTDATA / "regression.toml"]
    return [case for file in files for case in read_cases(file)]
