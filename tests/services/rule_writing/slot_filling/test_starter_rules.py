"""First rules for slots: they read, mark what fills slots, keep dev and test out, and take any word and name."""

from __future__ import annotations

from itertools import permutations

import pytest
from support.projects.span_samples import EXAMPLES, PLAIN, marked

from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.rule_writing.slot_filling.span_errors import count_spans
from re2nn_core.services.rule_writing.slot_filling.starter_rules import slot_starter_rules
from re2nn_core.services.rule_writing.suggested_rules import suggested_in
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example

CITIES = ("rome", "oslo", "paris", "kyiv")
TRIPS = tuple(
    marked(f"from {one} to {other} at {hour} pm", (one, "from"), (other, "to"), (f"{hour} pm", "time"))
    for one, other, hour in [(one, other, place) for place, (one, other) in enumerate(permutations(CITIES, 2))]
)


def read(examples: tuple[Example, ...]) -> tuple[str, SlotSystem]:
    text = slot_starter_rules(Corpus(examples), PLAIN)
    found, warnings = read_slot_system(text, "", PLAIN)
    assert warnings == ()
    return text, found


def test_what_fills_several_slots_is_told_apart_by_the_word_before() -> None:
    text, found = read(TRIPS)
    assert "from := $* from [ @from@ ]<from> $*" in text
    assert "to := $* to [ @from@ ]<to> $*" in text
    scores = count_spans([example.spans for example in TRIPS], found.spans([example.text for example in TRIPS]))
    assert scores.f1 == 1


def test_numbers_stand_for_all_numbers() -> None:
    text, found = read(TRIPS)
    assert "$* [ % pm ]<time> $*" in text
    assert [span.slot for span in found.spans(["at 11 pm"])[0]] == ["time"]


def test_dev_and_test_are_not_looked_at() -> None:
    dev = marked("in lagos", ("lagos", "place"))
    text, _ = read((*TRIPS, Example(dev.text, None, "dev", dev.spans)))
    assert "lagos" not in text
    assert "place" not in text


def test_texts_that_nobody_has_marked_get_rules_to_begin_with() -> None:
    text, found = read((Example("a text"), Example("another")))
    assert "Name your own slots" in text
    assert found.slots == ("my_slot",)


def test_the_rule_to_write_over_marks_a_slot_of_the_texts() -> None:
    text = slot_starter_rules(Corpus(TRIPS), PLAIN, suggest=False)
    assert "No text is marked yet" not in text
    assert read_slot_system(text, "", PLAIN)[0].slots == ("from",)


def test_marked_texts_without_any_span_get_them_as_well() -> None:
    assert read((Example("a text", spans=()),))[1].slots == ("my_slot",)


@pytest.mark.parametrize("slot", ["a(b)", "<x>", "a@b", '"'])
def test_a_slot_that_rules_cannot_name_is_a_comment(slot: str) -> None:
    text, found = read((*TRIPS, *[marked("see paris", ("paris", slot))] * 3))
    assert "a rule cannot name this slot" in text
    assert slot not in found.slots


def test_slots_of_nearly_the_same_name_do_not_share_one() -> None:
    examples = [marked("x y", ("x", "a:b"), ("y", "a/b"))] * 3
    _, found = read(tuple(examples))
    assert found.rule_names == ("a_b", "a_b_2")
    assert set(found.slots) == {"a:b", "a/b"}


def test_any_word_can_fill_a_slot() -> None:
    odd = ["( a", '"', "%", "//", "BOS", "\\", "a|b", "@x@", "<:>y", "3.5", "]<z>", "\u200b"]
    examples = tuple(marked(f"say {words} now", (words, "odd")) for words in odd for _ in range(2))
    _, found = read(examples)
    assert found.slots == ("odd",)
    given = found.spans([example.text for example in examples])
    assert sum(one == example.spans for one, example in zip(given, examples, strict=True)) >= 20


def test_what_fills_a_slot_once_makes_no_rule_alone() -> None:
    few, _ = read(EXAMPLES)
    assert "bergen" not in few
    many, _ = read((*EXAMPLES, *[marked("to oslo", ("oslo", "to_city"))] * 20))
    assert suggested_in(many, Task.SLOT_FILLING) == ("to_city",)
