"""A small rule system and corpus for tests of what comes after the rules: training, reading back, services."""

from __future__ import annotations

from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

RULES = """\
[travel]
go := $* ( flight | flights ) $*
to_city := $* fly to ( boston | oslo ) $*
[money]
price := $* ( price | fare ) $*
much := $* how much $*
"""
LOGIC = 'default = "travel"\npriorities = ["money > travel"]\n'

_CITIES = ("boston", "oslo", "paris", "rome", "vienna", "lisbon", "cairo", "quito")
_TRAVEL = ("i want to fly to {}", "a flight to {} please", "planes to {} today", "show flights to {}")
_MONEY = ("what is the fare to {}", "how much to {}", "the cost of {} please", "price of a flight to {}")


def small_system(rules: str = RULES, logic: str = LOGIC) -> RuleSystem:
    """The system of RULES and LOGIC."""
    system, _ = read_system(rules, logic, Tokenization())
    return system


def small_corpus() -> Corpus:
    """64 texts: two labels, eight sentences a city; two cities are dev, two are test. The rules miss `planes` and
    `cost`."""
    splits = ("train", "train", "train", "train", "dev", "dev", "test", "test")
    examples = []
    for city, split in zip(_CITIES, splits, strict=True):
        examples += [Example(frame.format(city), "travel", split) for frame in _TRAVEL]
        examples += [Example(frame.format(city), "money", split) for frame in _MONEY]
    return Corpus(tuple(examples))
