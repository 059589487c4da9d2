"""Rules for slots that were read back: taken over into the rules as they are now, and their differences."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_comments import LEARNED_BY_NETWORK
from re2nn_core.services.rule_difference.language_difference import Verdict, language_verdict
from re2nn_core.services.rule_reconstruction.classification.rule_changes import (
    EDITED,
    NO_CAPTURE,
    Acceptance,
    accept_rules,
    rule_pieces_of,
)
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    LearnedRule,
    SlotReconstruction,
    SlotRuleChange,
)
from re2nn_core.services.rule_reconstruction.slot_filling.rule_changes import accept_slots, rule_difference
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.tokenization import Tokenization

WRITTEN = """\
// Cities.
@city@=( oslo | rome )
to := $* to [ @city@ ]<to_city> $*   // mostly
day := $* on [ $ ]<day> $*
"""
NEW = f"""\
@city@=( oslo | rome )
@to.words1@=( kyiv | oslo | rome )
to := $* to [ @to.words1@ ]<to_city> $*
day := $* on [ $ ]<day> $*

{LEARNED_BY_NETWORK}
@learned.from_city.words1@=( kyiv | oslo )
learned.from_city.1 := $* from [ @learned.from_city.words1@ ]<from_city> $*
learned.from_city.2 := [ @learned.from_city.words1@ ]<from_city> $+
"""


def found(new_priorities: tuple[str, ...] = ()) -> SlotReconstruction:
    return SlotReconstruction(
        rules_text=NEW,
        logic_text="",
        scores=(),
        rules=(
            SlotRuleChange("to", "slots", "", "", False, gain=3, words_added=("kyiv",)),
            SlotRuleChange("day", "slots", "", "", True),
        ),
        new_rules=(
            LearnedRule("learned.from_city.1", "from_city", "", 5),
            LearnedRule("learned.from_city.2", "from_city", "", 2),
        ),
        new_priorities=new_priorities,
    )


def taken(*names: str, rules_text: str = WRITTEN, **changes: Any) -> Acceptance:
    given = {"logic_text": "", "priorities": (), **changes}
    return accept_slots(
        found(given["priorities"]),
        names,
        trained_on=WRITTEN,
        rules_text=rules_text,
        logic_text=given["logic_text"],
        tokenization=Tokenization(),
        known_slots=given.get("known_slots", ()),
    )


def test_a_changed_rule_stands_in_its_line_with_its_comment() -> None:
    accepted = taken("to")
    assert accepted.accepted == ("to",)
    assert accepted.rules_text == (
        "// Cities.\n@city@=( oslo | rome )\n"
        "// to was changed from what was learned; its comments are older\n"
        "to := $* to [ @city@ | kyiv ]<to_city> $*   // mostly\nday := $* on [ $ ]<day> $*\n"
    )


def test_new_rules_stand_behind_with_their_word_classes_once() -> None:
    accepted = taken("learned.from_city.1", "learned.from_city.2")
    assert accepted.accepted == ("learned.from_city.1", "learned.from_city.2")
    assert accepted.rules_text.startswith(WRITTEN)
    assert accepted.rules_text.count("@learned.from_city.words1@=") == 1
    assert accepted.rules_text.count(LEARNED_BY_NETWORK) == 1
    names = [rule.name for rule in read_rules(accepted.rules_text).ruleset.rules]
    assert names == ["to", "day", "learned.from_city.1", "learned.from_city.2"]


@pytest.mark.parametrize(("extended", "former"), [("city", 1), ("far", 4)])
def test_a_word_class_of_several_rules_is_defined_once_in_whatever_order_they_are_accepted(
    extended: str, former: int
) -> None:
    """A class that extends another stands behind it. The rule that was accepted last stands above the others; another
    class goes up to it. It stood directly above a section's comment, as if that described it."""
    kyiv = (
        f"@{extended}.kyiv_10@=( bari | bern | bonn | cork | faro | kyiv | lima | lviv | nice | riga )    // 10 phrases"
    )
    first, second, third = (f"{name} := $* {name} [ @city@ ]<{name}> $*" for name in ("to", "via", "from"))
    written = f"@city@=( oslo | rome )\n{first}   // mostly\n{second}\n\n// Where from.\n{third}\n"
    wider = "\n".join(one.replace("@city@ ]", f"@city@ | @{extended}.kyiv_10@ ]") for one in (first, second, third))
    learned = f"@city@=( oslo | rome )\n{kyiv}\n{wider}\n"
    accept = partial(accept_rules, learned, trained_on=written, logic_text="", lowercase=True)
    last = accept(["from"], rules_text=written).rules_text
    assert last.splitlines().index(kyiv) == former
    assert "\n\n// Where from.\n" in last
    all_three = accept(["to", "via"], rules_text=last).rules_text
    lines = all_three.splitlines()
    assert lines.count(kyiv) == 1
    assert lines.index(kyiv) == 1
    assert all_three.count(f"| @{extended}.kyiv_10@ ]") == 3
    assert "\n\n// Where from.\n" in all_three
    same = zip(read_rules(all_three).ruleset.rules, read_rules(learned).ruleset.rules, strict=True)
    assert all(one.expanded == other.expanded for one, other in same)


def test_words_of_a_rule_that_is_named_as_a_class_stand_above_the_rule() -> None:
    written = "@day@=( monday | friday )\nto := $* to [ oslo ]<to> $*\nday := $* on [ @day@ ]<day> $*\n"
    learned = written.replace(
        "day := $* on [ @day@ ]", "@day.fri_2@=( fri | sun )\nday := $* on [ @day@ | @day.fri_2@ ]"
    )
    options = {"trained_on": written, "rules_text": written, "logic_text": "", "lowercase": True}
    done = accept_rules(learned, ["day"], **options, edited=["day"])  # type: ignore[arg-type]
    assert done.rules_text.splitlines()[2] == "@day.fri_2@=( fri | sun )"


def test_one_new_rule_alone_brings_its_words() -> None:
    accepted = taken("learned.from_city.2")
    assert "@learned.from_city.words1@=( kyiv | oslo )\nlearned.from_city.2 :=" in accepted.rules_text


def test_all_together_are_the_rules_that_were_read_back() -> None:
    accepted = taken("to", "learned.from_city.1", "learned.from_city.2")
    now, new = (read_rules(text).ruleset for text in (accepted.rules_text, NEW))
    for first, second in zip(now.rules, new.rules, strict=True):
        assert first.name == second.name
        assert language_verdict(first.name, first.expanded, second.expanded).verdict is Verdict.SAME
    assert accepted.left_out == ()


def test_what_was_edited_since_is_left_alone_and_named() -> None:
    edited = WRITTEN.replace("$* to [", "$* to the? [")
    assert taken("to", rules_text=edited).left_out == (("to", EDITED),)


def test_what_was_taken_over_before_is_there_and_not_edited_by_somebody() -> None:
    every = ("to", "learned.from_city.1", "learned.from_city.2")
    once = taken(*every)
    again = taken(*every, rules_text=once.rules_text)
    assert (again.accepted, again.refused, again.there) == ((), (), every)
    assert again.rules_text == once.rules_text
    one = taken(*every, rules_text=taken("to").rules_text)
    assert (one.accepted, one.there) == (every[1:], ("to",))


def test_priorities_of_slots_that_the_texts_spell_otherwise_are_kept() -> None:
    shouted = WRITTEN.replace("<day>", "<DAY>")
    given = {"logic_text": "", "priorities": ("to_city > day",), "rules_text": shouted}
    assert taken("learned.from_city.1", **given).logic_text == ""
    known = taken("learned.from_city.1", **given, known_slots=("day", "to_city"))
    assert "to_city > day" in known.logic_text


@pytest.mark.parametrize(
    ("added", "why"),
    [
        ("learned.from_city.1 := $* [ cairo ]<from_city>\n", "the rules have a rule of this name already"),
        (
            "@learned.from_city.words1@=( cairo )\nx := [ @learned.from_city.words1@ ]<from_city>\n",
            "the rules have a word class @learned.from_city.words1@ of other words already",
        ),
    ],
)
def test_names_that_are_taken_are_left_alone_and_named(added: str, why: str) -> None:
    accepted = taken("learned.from_city.1", rules_text=WRITTEN + added)
    assert accepted.accepted == ()
    assert accepted.left_out == (("learned.from_city.1", why),)
    assert accepted.rules_text == WRITTEN + added


def test_new_priorities_stand_behind_those_there_are() -> None:
    given = {"logic_text": 'priorities = ["day > O"]\nlongest = true\n', "priorities": ("to_city > day", "seat > day")}
    accepted = taken("to", **given)
    assert accepted.logic_text == 'priorities = [\n    "day > O",\n    "to_city > day",\n]\nlongest = true\n'
    assert taken(**given).logic_text == given["logic_text"]  # nothing is taken over
    only = taken("to", logic_text="# none\n", priorities=("seat > day",))
    assert only.logic_text == "# none\n"  # of a slot that no rule names


def test_priorities_of_a_slot_that_the_accepted_rules_lost_are_left_out() -> None:
    written = 'priorities = ["day > to_city", "seat > day"]\n'
    accepted = taken("to", logic_text=written, priorities=())
    assert '"seat > day"' not in accepted.logic_text
    assert '"day > to_city"' in accepted.logic_text


LOST = "[slots]\nto := $* to [ oslo ]<to_city> $*\nday := $* on [ friday ]<Day> $*\n"


@pytest.mark.parametrize(
    ("logic", "kept"),
    [
        ('priorities = ["Day > to_city"]\nlongest = true\n', ()),
        ('priorities = ["to_city > O", "to_city > B-day"]\n', (("to_city", "O"),)),
        ('priorities = ["to_city > O > day"]\n', (("to_city", "O"),)),
        ('priorities = ["to_city > O"]\n', (("to_city", "O"),)),
        ("", ()),
    ],
)
def test_a_rule_that_loses_its_slot_at_a_threshold_or_by_an_edit_leaves_the_priorities_that_hold(
    logic: str, kept: tuple[tuple[str, str], ...]
) -> None:
    new = LOST.replace("[ friday ]<Day>", "friday")
    done = accept_rules(new, ["day"], trained_on=LOST, rules_text=LOST, logic_text=logic, lowercase=True)
    assert done.accepted == ("day",)
    system, _ = read_slot_system(done.rules_text, done.logic_text, Tokenization())
    assert (system.slots, system.logic.priorities, system.logic.longest) == (("to_city",), kept, "longest" in logic)


def test_changes_after_which_no_rule_captures_a_word_are_left_out() -> None:
    new = LOST.replace("[ friday ]<Day>", "friday").replace("[ oslo ]<to_city>", "oslo")
    logic = 'priorities = ["Day > to_city"]\n'
    done = accept_rules(new, ["day", "to"], trained_on=LOST, rules_text=LOST, logic_text=logic, lowercase=True)
    assert (done.rules_text, done.logic_text, done.accepted) == (LOST, logic, ())
    assert done.left_out == (("to", NO_CAPTURE), ("day", NO_CAPTURE))


def test_differences_are_words_and_the_signs_around_them() -> None:
    old = read_rules("to := $* to [ oslo | rome ]<to_city> $*").ruleset
    new = read_rules("to := $* to [ ( oslo | rome ) $? ]<to_city> kyiv? $*").ruleset
    change = rule_difference(old, new, "to")
    assert (change.removed, change.new) == ((), ("kyiv",))
    assert [piece.text for piece in change.before if piece.kind == "changed"] == []
    assert [piece.text for piece in change.after if piece.kind == "changed"] == ["$", "?", "kyiv", "?"]


def test_any_word_that_came_in_the_place_of_a_word_is_told() -> None:
    old, new = (read_rules(f"to := 飞 往 [ {first} 州 ]<to_city> $*").ruleset for first in ("广", "$"))
    change = rule_difference(old, new, "to")
    assert (change.removed, change.new) == (("广",), ("any word instead of 广",))
    back = rule_difference(new, old, "to")
    assert (back.removed, back.new) == (("any word instead of 广",), ("广",))
    number = read_rules("to := 飞 往 [ % 州 ]<to_city> $*").ruleset
    assert rule_difference(old, number, "to").new == ("a number instead of 广",)


def test_the_beginning_of_a_text_is_a_difference_too() -> None:
    old, new = (read_rules(f"to := {begin} to [ oslo ]<to_city> $*").ruleset for begin in ("BOS", "$*"))
    assert [piece.text for piece in rule_difference(old, new, "to").before if piece.kind == "changed"] == ["BOS"]


def test_a_rule_that_stands_alone_has_no_differences() -> None:
    pieces = rule_pieces_of(read_rules(NEW).ruleset, "learned.from_city.2")
    assert "".join(piece.text for piece in pieces) == "[ @learned.from_city.words1@ ]<from_city> $+"
    assert {piece.kind for piece in pieces} == {"same"}
