"""Rules that are proposed for spans that reconstructed rules miss."""

from __future__ import annotations

from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.rules.read import read_rules
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


def test_spans_that_the_tagger_gives_make_rules_too() -> None:
    system, _ = read_slot_system(RULES, "", Tokenization())
    few, others = FLIGHTS[:2], FLIGHTS[2:]
    corpus = Corpus((*few, *(Example(one.text, None, "train") for one in others)))
    assert with_proposed_slot_rules(corpus, system) == (RULES, ())
    rules_text, rules = with_proposed_slot_rules(corpus, system, [one.spans for one in FLIGHTS])
    assert rules
    after = read_slot_system(rules_text, "", Tokenization())[0]
    assert after.spans(["flight near porto please"])[0] == (Span(12, 17, "city"),)


def test_no_more_words_are_named_than_are_given() -> None:
    system, _ = read_slot_system(RULES, "", Tokenization())
    assert with_proposed_slot_rules(Corpus(FLIGHTS), system, most_words=0) == (RULES, ())
    rules_text, rules = with_proposed_slot_rules(Corpus(FLIGHTS), system, most_words=2)
    assert rules
    assert 0 < len(read_rules(rules_text).ruleset.words - system.ruleset.words) <= 2


def test_classes_that_are_there_stay_as_they_are() -> None:
    own = "@town@=( rome | oslo )\nto := $* [ @town@ ]<city> $*\n"
    system, _ = read_slot_system(own, "", Tokenization())
    texts = [in_split(f"word{2 * n} {town} word{2 * n + 1}", town, "train") for n, town in enumerate(TOWNS[:4] * 6)]
    texts.append(in_split("hello rome", "rome", "train"))  # the class gives a span
    rules_text, rules = with_proposed_slot_rules(Corpus(tuple(texts)), system)
    assert rules
    assert rules_text.startswith(own)


def test_no_rule_is_added_once_it_is_to_stop() -> None:
    system, _ = read_slot_system(RULES, "", Tokenization())
    assert with_proposed_slot_rules(Corpus(FLIGHTS), system)[1]
    assert with_proposed_slot_rules(Corpus(FLIGHTS), system, stop=Stop(lambda: True)) == (RULES, ())
