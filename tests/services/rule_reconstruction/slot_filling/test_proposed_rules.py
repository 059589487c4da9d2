"""Rules that are proposed for spans that reconstructed rules miss."""

from __future__ import annotations

from re2nn_core.services.rule_reconstruction.slot_filling.proposed_rules import with_proposed_slot_rules
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

RULES = "to := $* to [ ( rome | oslo ) ]<city> $*\n"
TOWNS = ("paris", "cairo", "quito", "lyon", "graz", "bonn", "metz", "turin", "genoa", "kyoto", "osaka", "lagos")


def in_split(words: str, value: str, split: str) -> Example:
    begin = words.index(value)
    return Example(words, None, split, (Span(begin, begin + len(value), "city"),))


FLIGHTS = tuple(in_split(f"flight near {town} please", town, "train") for town in TOWNS)


def proposed(*more: Example) -> tuple[SlotSystem, list[str]]:
    system, _ = read_slot_system(RULES, "", Tokenization())
    rules_text, rules = with_proposed_slot_rules(Corpus((*FLIGHTS, *more)), system)
    return read_slot_system(rules_text, "", Tokenization())[0], [rule.name for rule in rules]


def test_a_context_of_annotated_spans_becomes_a_rule() -> None:
    system, names = proposed(in_split("flight near porto please", "porto", "dev"))
    assert names == [rule.name for rule in system.ruleset.rules][1:] != []
    assert system.spans(["flight near porto please"])[0] == (Span(12, 17, "city"),)


def test_rules_by_which_dev_loses_are_left_out() -> None:
    against = [Example(f"flight near {what} please", None, "dev", ()) for what in ("noon", "christmas", "home")]
    assert proposed(*against)[1] == []


def test_test_texts_take_no_part() -> None:
    against = [Example(f"flight near {what} please", None, "test", ()) for what in ("noon", "christmas", "home")]
    assert proposed(*against)[1] != []
    system, _ = read_slot_system(RULES, "", Tokenization())
    assert with_proposed_slot_rules(Corpus(tuple(against)), system) == (RULES, ())
