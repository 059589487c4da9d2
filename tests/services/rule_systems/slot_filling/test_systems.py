"""The symbolic predictions against the definition of a vote: one reading after the other, then one word after the
other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import TRIP, TRIP_TEXTS, slot_systems, system_of
from support.rules import tagging_oracles
from support.rules.automata_strategies import sentences

from re2nn_core.errors import InputError, LogicError, RuleError
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.tagging import WILDCARD, slot_of
from re2nn_core.services.rule_systems.slot_filling.decided_tags import decide_tag
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.spans import OUTSIDE, Span
from re2nn_core.text.tokenization import Tokenization


def prediction(system: SlotSystem, text: Sequence[str]) -> tuple[str, ...]:
    """The slow twin, by the words of the agreement: each rule votes for what it may give; stronger tags silence."""
    claims = [tagging_oracles.tag_sets(rule.expanded, text) for rule in system.ruleset.rules]
    accepted = [sets for sets in claims if sets is not None]
    return tuple(tag_of([sets[place] for sets in accepted], system) for place in range(len(text)))


def tag_of(claims: list[frozenset[str]], system: SlotSystem) -> str:
    votes = {tag: sum(tag in tags for tags in claims) for tag in system.tags if tag != WILDCARD}
    voted = {tag: count for tag, count in votes.items() if count}
    left = [tag for tag in voted if not any(beats(other, tag, system.logic) for other in voted)]
    best = max((voted[tag] for tag in left), default=0)
    return next((tag for tag in left if voted[tag] == best), OUTSIDE)


def beats(strong: str, weak: str, logic: SlotLogic) -> bool:
    if strong == weak:
        return False
    for stronger, weaker in logic.priorities:
        if stronger in (strong, slot_of(strong)) and weaker in (weak, slot_of(weak)):
            return True
    inside = strong[:2] == "I-" and weak == f"B-{strong[2:]}"
    return logic.longest and (inside or (weak == OUTSIDE and slot_of(strong) is not None))


@settings(max_examples=30, deadline=None)
@given(slot_systems(), st.lists(sentences(4), min_size=1, max_size=5))
def test_random_rules_with_priorities(system: SlotSystem, texts: list[tuple[str, ...]]) -> None:
    wanted = [prediction(system, text) for text in texts]
    assert system.tags_of_words(texts) == wanted
    assert system.tags_of_words(texts[::-1]) == wanted[::-1]


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("", "O O B-city I-city O B-city O B-date I-date"),
        ('priorities = ["goal > city"]', "O O B-city I-city O B-goal O B-date I-date"),
        ('priorities = ["city > goal"]', "O O B-city I-city O B-city O B-date I-date"),
        ('priorities = ["O > city"]', "O O B-city I-city O B-city O B-date I-date"),
    ],
)
def test_trip(logic: str, expected: str) -> None:
    assert system_of(TRIP, logic).tags_of_words(TRIP_TEXTS[:1]) == [tuple(expected.split())]


def test_votes_of_rules_not_of_readings() -> None:
    """One rule in two ways is one vote; two rules are two, and the wildcard of many is none."""
    rules = "[slots]\none := $* [ a ]<x> $* | [ a ]<x>\ntwo := [ $ ]<y>\nthree := a<:>B-y\n"
    system = system_of(rules + "\n".join(f"w{n} := $*" for n in range(5)))
    assert system.tags_of_words([("a",), ("b",)]) == [("B-y",), ("B-y",)]
    assert system.rule_names[:3] == ("one", "two", "three")
    assert system.tags == ("OO", "O", "B-x", "B-y")
    assert system.slots == ("x", "y")


def test_of_equal_votes_o_then_the_first_named() -> None:
    assert system_of("[slots]\n[ a ]<x>\n[ a ]<y>\n").tags_of_words([("a",)]) == [("B-x",)]
    assert system_of("[slots]\na<:>B-x b?\na<:>O b<:>B-x?\n").tags_of_words([("a",)]) == [("O",)]
    logic = 'priorities = ["x > O"]'
    assert system_of("[slots]\na<:>B-x b?\na<:>O b<:>B-x?\n", logic).tags_of_words([("a",)]) == [("B-x",)]


def test_a_silent_tag_silences_all_the_same() -> None:
    """a > b > c: where a and b claim a word, b is silent, and c as well."""
    system = system_of("[slots]\n[ w ]<c>\n[ w ]<c>\n[ w ]<b>\n[ w ]<a>\n", 'priorities = ["a > b > c"]')
    assert system.tags_of_words([("w",)]) == [("B-a",)]
    assert decide_tag([frozenset({"B-a"})], ("OO", "O", "B-a"), {}) == "B-a"
    assert decide_tag([frozenset({"OO"})], ("OO", "O", "B-a"), {}) == "O"
    assert decide_tag([], ("OO", "O"), {}) == "O"


def test_spans_in_characters() -> None:
    system, _ = read_slot_system(TRIP, None, Tokenization("punctuation"))
    texts = ["Fly from New York, to Oslo!", "", "  on 3  May ", "nothing"]
    wanted = [(Span(9, 17, "city"),), (), (Span(5, 11, "date"),), ()]
    found = system.spans(texts)
    assert found[1:] == wanted[1:]
    assert wanted[0][0] in found[0]
    assert Span(22, 26, "city") in found[0]


def test_no_sentences_and_sentences_without_words() -> None:
    assert system_of(TRIP).tags_of_words([]) == []
    assert system_of(TRIP).tags_of_words([(), ("oslo",), ()]) == [(), ("B-city",), ()]
    assert system_of("[slots]\n[ a* ]<x>\n").tags_of_words([()]) == [()]


def test_slots_are_spelt_as_in_the_data_where_it_is_known() -> None:
    system = system_of(TRIP, 'priorities = ["GOAL > city"]', known_slots=("City", "GOAL"))
    assert system.slots == ("City", "GOAL", "date")
    assert system.logic.priorities == (("GOAL", "City"),)
    assert system.tags_of_words([("oslo",)]) == [("B-City",)]


def test_what_cannot_be_read_is_told() -> None:
    with pytest.raises(InputError) as caught:
        read_slot_system("[slots]\n$* from $*\n", "", Tokenization(), rules_file="r.txt")
    assert str(caught.value) == (
        "r.txt: no rule captures a word. Write [ ... ]<slot> around what fills a slot, as in: $* from [ $ ]<city> $*"
    )
    with pytest.raises(RuleError, match="r.txt:2"):
        read_slot_system("[slots]\n$* [ a ]<x\n", "", Tokenization(), rules_file="r.txt")
    with pytest.raises(LogicError, match=r"l.toml:1:16: there is no slot 'y' in the rules"):
        read_slot_system("[slots]\n$* [ a ]<x>\n", 'priorities = ["y > x"]', Tokenization(), logic_file="l.toml")
