"""Priorities between slots: how they are read and written, what they silence, and every fault that they may have."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from re2nn_core.errors import LogicError
from re2nn_core.rules.logic.priorities import (
    SlotLogic,
    ordered_tags,
    priorities_that_hold,
    read_slot_logic,
    write_slot_logic,
)

SLOTS = ("city", "date", "Time", "x")
TAGS = ("OO", "O", "B-city", "I-city", "B-date", "B-Time", "I-Time", "I-x")


def silenced(logic: SlotLogic) -> set[tuple[str, str]]:
    """Pairs of tags by name."""
    return {(TAGS[strong], TAGS[weak]) for strong, weak in logic.silences(TAGS)}


def test_nothing_is_silenced_by_itself() -> None:
    assert read_slot_logic("", SLOTS) == SlotLogic()
    assert SlotLogic().silences(TAGS) == ()


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("date", "city"), {("B-date", "B-city"), ("B-date", "I-city")}),
        (("city", "O"), {("B-city", "O"), ("I-city", "O")}),
        (("O", "Time"), {("O", "B-Time"), ("O", "I-Time")}),
        (("I-city", "date"), {("I-city", "B-date")}),
        (("city", "I-city"), {("B-city", "I-city")}),
        (("date", "not there"), set()),
    ],
)
def test_a_name_is_a_slot_or_a_tag_or_o(pair: tuple[str, str], expected: set[tuple[str, str]]) -> None:
    assert silenced(SlotLogic((pair,))) == expected


def test_longest_silences_what_begins_inside_and_o() -> None:
    inside = {("I-city", "B-city"), ("I-Time", "B-Time")}
    assert silenced(SlotLogic(longest=True)) == inside | {(tag, "O") for tag in TAGS[2:]}
    assert SlotLogic(longest=True).silences(("OO", "B-a", "I-a")) == ((2, 1),)


def test_pairs_stand_once_and_the_wildcard_in_none() -> None:
    logic = SlotLogic((("city", "O"), ("I-city", "O")), longest=True)
    pairs = logic.silences(TAGS)
    assert len(set(pairs)) == len(pairs)
    assert all("OO" not in pair for pair in silenced(logic))


def test_reading() -> None:
    text = 'priorities = ["date > city > x", "TIME>O", "b-CITY > I-x", "date > city"]\nlongest = true\n'
    logic = read_slot_logic(text, SLOTS)
    assert logic.priorities == (("date", "city"), ("city", "x"), ("Time", "O"), ("B-city", "I-x"))
    assert logic.longest


@pytest.mark.parametrize(
    ("text", "place", "reported"),
    [
        ('priorities = ["town > city"]', (1, 16), "there is no slot 'town' in the rules"),
        ('priorities = ["date > citi"]', (1, 23), "there is no slot 'citi' in the rules"),
        ('priorities = ["o > city"]', (1, 16), "there is no slot 'o' in the rules"),
        ('priorities = ["OO > city"]', (1, 16), "there is no slot 'OO' in the rules"),
        ('priorities = ["date > > city"]', (1, 23), "a slot is missing here"),
        ('priorities = [\n  "date > city",\n  "date",\n]', (3, 4), "this is no priority"),
        ("priorities = 3", (1, 1), "'priorities' is no list of texts"),
        ('priorities = "date > city"', (1, 1), "'priorities' is no list of texts"),
        ("longest = 1", (1, 1), "'longest' is neither true nor false"),
        ("longests = true", (1, 1), "there is no setting 'longests' for slots"),
        ('priorities = ["date > city"', (1, 27), "Unclosed array"),
        ('priorities = ["date > date"]', (1, 1), "the priorities form a cycle: date > date"),
        ('priorities = ["date > city", "city > x > date"]', (1, 1), "the priorities form a cycle: "),
        ('priorities = ["city > O", "O > B-city"]', (1, 1), "the priorities form a cycle: O > B-city > O"),
        (
            'longest = true\npriorities = ["B-city > I-city"]',
            (2, 1),
            "the priorities together with longest = true form a cycle: I-city > B-city > I-city",
        ),
        (
            'longest = true\npriorities = ["O > city"]',
            (2, 1),
            "the priorities together with longest = true form a cycle: B-city > O > B-city",
        ),
    ],
)
def test_faults(text: str, place: tuple[int, int], reported: str) -> None:
    with pytest.raises(LogicError) as caught:
        read_slot_logic(text, SLOTS, file="logic.toml")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column) == place
    assert reported in fault.message
    assert "logic.toml" in str(caught.value)


def test_what_to_do_is_told() -> None:
    with pytest.raises(LogicError, match="Did you mean 'city'"):
        read_slot_logic('priorities = ["date > citi"]', SLOTS)
    with pytest.raises(LogicError, match="Did you mean 'longest'"):
        read_slot_logic("longests = true", SLOTS)
    with pytest.raises(LogicError, match="Write the stronger slot first: time > party_size"):
        read_slot_logic('priorities = ["city"]', SLOTS)
    with pytest.raises(LogicError, match="Change one of them: tags that silence each other are all silent"):
        read_slot_logic('priorities = ["city > O", "O > I-city"]', SLOTS)


def test_all_faults_are_told_at_once_in_their_order() -> None:
    text = 'colour = 1\npriorities = ["a > city", "date > b"]\nlongest = "yes"\n'
    with pytest.raises(LogicError) as caught:
        read_slot_logic(text, SLOTS)
    assert [fault.line for fault in caught.value.faults] == [1, 2, 2, 3]


@given(st.permutations([*SLOTS, "O"]), st.data(), st.booleans())
def test_what_is_written_is_read_again(order: list[str], data: st.DataObject, longest: bool) -> None:
    names = [name for name in order if not (longest and name == "O")]
    chosen = data.draw(st.lists(st.sampled_from(list(pairwise(names))), unique=True))
    logic = SlotLogic(tuple(chosen), longest)
    assert read_slot_logic(write_slot_logic(logic), SLOTS) == logic


def test_slots_of_any_name_are_written_and_read() -> None:
    logic = SlotLogic((('a"b', "\u57ce\u5e02"),))
    assert read_slot_logic(write_slot_logic(logic), ('a"b', "\u57ce\u5e02")) == logic
    assert write_slot_logic(SlotLogic()).strip() == ""


def test_tags_in_the_order_of_their_first_appearance() -> None:
    assert ordered_tags([("B-y", "I-y"), ("O", "B-x"), ("B-y",)], ("I-x", "B-x")) == (
        *("OO", "O", "B-y", "I-y", "B-x", "I-x"),
    )
    assert ordered_tags([]) == ("OO", "O")


def test_priorities_of_slots_that_are_gone_are_left_out_and_told() -> None:
    text = '# mine\npriorities = ["city > date > O", "gone > city", "B-gone > O", "time > other"]\nlongest = true\n'
    held, removed = priorities_that_hold(text, SLOTS)
    assert removed == ("gone > city", "B-gone > O", "Time > other")
    assert read_slot_logic(held, SLOTS) == SlotLogic((("city", "date"), ("date", "O")), True)
    assert "# left out, since the rules have no slot of the name: gone > city\n" in held
    for fine in ("", "# as it is\nlongest = true", 'priorities = ["city > date"]  # kept'):
        assert priorities_that_hold(fine, SLOTS) == (fine, ())
    with pytest.raises(LogicError, match="there is no setting"):
        priorities_that_hold('other = 1\npriorities = ["gone > city"]', SLOTS)
