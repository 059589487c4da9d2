"""Overlaps of two sides: new, gone, decided by whom, and undecided."""

from __future__ import annotations

import pytest

from re2nn_core.automata.output_sets import tag_sets
from re2nn_core.services.rule_difference.dead_and_subsumed_rules import Findings, Overlap, find_dead_and_subsumed
from re2nn_core.services.rule_difference.language_difference import RuleSide, label_side, slot_side
from re2nn_core.services.rule_difference.overlap_changes import (
    Came,
    Decides,
    OverlapChange,
    overlap_changes,
    what_decides,
)
from re2nn_core.services.rule_difference.rule_set_difference import rule_set_difference
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.tokenization import Tokenization

RULES = "[a]\none := $* x $*\n[b]\ntwo := $* y $*\n[c]\nthree := z\n"


def labels(text: str, logic: str = "") -> tuple[RuleSide, Decides]:
    system = read_system(text, logic, Tokenization())[0]
    side = label_side(system.ruleset, "A")
    return side, what_decides(system, side)


def slots(text: str, logic: str = "") -> tuple[RuleSide, Decides]:
    system = read_slot_system(text, logic, Tokenization())[0]
    side = slot_side(system, "A")
    return side, what_decides(system, side)


def compared(left: tuple[RuleSide, Decides], right: tuple[RuleSide, Decides]) -> tuple[OverlapChange, ...]:
    return overlap_changes(find_dead_and_subsumed(left[0]), find_dead_and_subsumed(right[0]), (left[1], right[1]))


def test_what_came_stands_in_front_and_what_is_decided_tells_nothing() -> None:
    after = RULES.replace("three := z", "three := $* x $* z")
    decided = 'priorities = ["a > b"]'
    found = compared(labels(RULES, decided), labels(after, decided))
    assert [(change.overlap.groups, change.came, change.tells) for change in found] == [
        (("a", "c"), Came.NEW, True),
        (("b", "c"), Came.NEW, True),
        (("a", "b"), Came.BOTH, False),
    ]
    assert [change.now for change in found] == ["", "", "a > b"]
    removed = compared(labels(after, decided), labels(RULES, decided))
    assert [change.came for change in removed] == [Came.REMOVED, Came.REMOVED, Came.BOTH]
    assert removed[0].decided == ("", None)


def test_an_overlap_that_nothing_decides_any_more_is_told() -> None:
    [found] = compared(labels(RULES, 'priorities = ["b > a"]'), labels(RULES))
    assert found.tells
    assert found.decision_in_words() == "A: b > a, B: nothing"


def test_formulas_decide_for_the_sentence() -> None:
    [found] = compared(labels(RULES), labels(RULES, 'logic = ["two & !one -> b"]'))
    assert found.now == "label logic, here for a"
    assert not found.tells


def test_without_logic_nobody_knows_who_decides() -> None:
    side = labels(RULES)[0]
    [found] = overlap_changes(find_dead_and_subsumed(side), find_dead_and_subsumed(side), (None, None))
    assert (found.came, found.now, found.tells, found.decision_in_words()) == (Came.BOTH, None, False, "")


def test_what_was_not_looked_at_may_be_no_news() -> None:
    whole, part = find_dead_and_subsumed(labels(RULES)[0]), Findings((), (), ("cut short",), all_pairs=False)
    assert [change.came for change in overlap_changes(part, whole, (None, None))] == [Came.PERHAPS_NEW]
    assert [change.came for change in overlap_changes(whole, part, (None, None))] == [Came.PERHAPS_REMOVED]
    assert not find_dead_and_subsumed(labels(RULES)[0], most_pairs=1).all_pairs


TAKES = "to := $* to [ $ ]<city> $*\nday := $* [ monday ]<day> $*\n"


def test_slots_that_claim_one_word_and_their_priority() -> None:
    [plain] = compared(slots(TAKES), slots(TAKES))
    assert plain.overlap == Overlap(("city", "day"), ("to", "monday"), (("to",), ("day",)), ("B-city", "B-day"))
    assert plain.tells
    assert (plain.groups_in_words, plain.rules_in_words()) == ("city and day", "to says B-city, day says B-day")
    [decided] = compared(slots(TAKES, 'priorities = ["day > city"]'), slots(TAKES, 'priorities = ["day > city"]'))
    assert decided.now == "B-day > B-city"
    assert not decided.tells


def test_two_places_in_one_slot_are_told_by_their_tags() -> None:
    rules = "day := $* [ monday ]<date> $*\nlater := $* may<:>B-date monday<:>I-date $*\n"
    [found] = compared(slots(rules), slots(rules))
    assert (found.groups_in_words, found.rules_in_words()) == (
        "B-date and I-date",
        "day says B-date, later says I-date",
    )


def test_a_rule_of_several_slots_names_the_one_that_is_claimed() -> None:
    text = "trip := from [ $ ]<start> to [ $ ]<end>\nday := $* to [ monday ]<day>\n"
    [found] = find_dead_and_subsumed(slots(text)[0]).overlaps
    assert found.groups == ("end", "day")
    assert found.rules == (("trip",), ("day",))


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("friday | monday", "monday | sunday", "to monday"),
        ("monday | sunday", "friday | monday", "to monday"),
        ("friday", "monday", "to monday to friday"),
    ],
)
def test_slots_that_meet_on_both_sides_do_so_in_one_sentence(before: str, after: str, sentence: str) -> None:
    sides = [slots(TAKES.replace("monday", days))[0] for days in (before, after)]
    found = rule_set_difference(*sides)
    [change] = overlap_changes(*found.findings, (None, None))
    assert (change.came, change.sentence_in_words(), change.in_left) == (Came.BOTH, sentence, None)
    for side, findings in zip(sides, found.findings, strict=True):
        [overlap] = findings.overlaps
        claims = [tag_sets(side.machines[rule], overlap.sentence) for [rule] in overlap.rules]
        assert overlap.tags is not None
        assert all(claim is not None for claim in claims)
        assert any(
            overlap.tags[0] in one and overlap.tags[1] in other
            for one, other in zip(claims[0] or (), claims[1] or (), strict=True)
        )


def test_where_no_sentence_holds_on_both_sides_each_tells_its_own() -> None:
    [found] = compared(labels("[a]\none := red\n[b]\ntwo := red\n"), labels("[a]\none := blue\n[b]\nsky := blue\n"))
    assert found.came is Came.BOTH
    assert found.sentence_in_words() == "A: red; B: blue"
    assert found.sentence_in_words(("v1", "v2")) == "v1: red; v2: blue"
    assert found.rules_in_words(("v1", "v2")) == "v1: one / two; v2: one / sky"


def test_more_rules_than_can_be_named_are_counted() -> None:
    overlap = Overlap(("a", "b"), (), (("1", "2", "3", "4", "5"), ("6",)))
    found = OverlapChange(overlap, Came.NEW, (None, None))
    assert found.rules_in_words() == "1, 2, 3 and 2 more / 6"
    assert found.sentence_in_words() == "(the empty sentence)"
