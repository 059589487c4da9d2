"""Which conditions of a rule changed, in words: for labels and for slots."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.conditions import Condition, changed_conditions
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.services.values.rules import read_rules
from re2nn_core.text.tokenization import Tokenization

_CALL = "( call | dial | ring ) on?"
LABELS = {
    "a number that need not be there": (
        f"$* {_CALL} % $*",
        f"$* {_CALL} %? $*",
        ["No longer required: a number after “call” … | call"],
    ),
    "a number that need not be there beside some words of a class": (
        "$* @day@ % $*",
        "$* ( @day@ % | friday ) $*",
        ["No longer required: a number after “friday” | friday"],
    ),
    "a class that need not be there beside itself": (
        "$* @day@ @day@ $*",
        "$* ( @day@ @day@ | friday ) $*",
        [
            "No longer required: a word of @day@ before “friday” | friday",
            "No longer required: a word of @day@ after “friday” | friday",
        ],
    ),
    "a number that need not be there beside a class": (
        "$* @day@ % $*",
        "$* @day@ %? $*",
        ["No longer required: a number after a word of @day@ | friday"],
    ),
    "a word is enough in the place of a number": (
        "$* call % $*",
        "$* call ( % | us | back ) $*",
        ["Also accepted: “back” or “us” in place of a number after “call” | call back"],
    ),
    "any word in the place of one": (
        "$* lost my bag $*",
        "$* lost $ bag $*",
        ["No longer required: “my” after “lost”; any word fits there | lost something bag"],
    ),
    "a word of a class": (
        "$* fly on @day@ $*",
        "$* fly on ( @day@ | noon ) $*",
        ["Also accepted: “noon” in place of a word of @day@ after “on” | fly on noon"],
    ),
    "one of several words": (
        "$* ( do | go ) my $*",
        "$* ( do | go | in | on | at | by | with ) my $*",
        ["Also accepted: “at”, “by”, “in” or one of 2 other words in place of “do” or “go” before “my” | at my"],
    ),
    "four words are all named": (
        "$* ( bring | pack ) my $*",
        "$* ( bring | pack | in | on | at | by ) my $*",
        ["Also accepted: “at”, “by”, “in” or “on” in place of “bring” or “pack” before “my” | at my"],
    ),
    "none of several alternatives": (
        "$* ( how much | what ) price $*",
        "$* price $*",
        ["No longer required: “how much” or “what” before “price” | price"],
    ),
    "any words in the place of an alternative": (
        "( BOS | $* & ) ( when | what ) $*",
        "( BOS | $+ ) ( when | what ) $*",
        ["No longer required: the start of the text or a sign before “when” …; any word fits there | something what"],
    ),
    "any words between": (
        "$* paid daily $*",
        "$* paid $* daily $*",
        ["Any words may now come between “paid” and “daily” | paid something daily"],
    ),
    "any word between": (
        "$* paid daily $*",
        "$* paid $? daily $*",
        ["Any word may now come between “paid” and “daily” | paid something daily"],
    ),
    "one word between": (
        "$* paid daily $*",
        "$* paid not? daily $*",
        ["“not” may now come between “paid” and “daily” | paid not daily"],
    ),
    "any order": (
        "$* cheap flight $*",
        "$* ( cheap flight | flight cheap ) $*",
        ["Any order now: “flight” may come before “cheap” | flight cheap"],
    ),
    "the start of the text": (
        "BOS hello $*",
        "$* hello $*",
        ["No longer required: the start of the text before “hello” | something hello"],
    ),
    "a word in front": (
        "$+ gate",
        "$* gate",
        ["No longer required: a word before “gate” | gate"],
    ),
    "a sign that has to be there": (
        "$* off &? now $*",
        "$* off & now $*",
        ["Now required: a sign after “off” | off now (refused)"],
    ),
    "words that are refused now": (
        "$* gate",
        "[^ no not ]* gate",
        ["Now refused anywhere before “gate”: “no” or “not” | no gate (refused)"],
    ),
    "no longer any word": (
        "$* from $ to $*",
        "$* from ( here | there ) to $*",
        ["Only “here” or “there” instead of any word after “from” | from something to (refused)"],
    ),
    "a further word is one word now": (
        "$* from $ $? to $*",
        "$* from $ city? to $*",
        ["Only “city” instead of any word after “from …” | from something something to (refused)"],
    ),
    "numbers are left of any word": (
        "$* from $ on $*",
        "$* from ( % | home ) on $*",
        ["Only “home” or a number instead of any word after “from” | from something on (refused)"],
    ),
    "a part of an alternative is named by its own neighbour": (
        "$* back ( @day@ | @month@ % | % @month@ ) $*",
        "$* back ( @day@ | @month@ % | % @month@ | may | june ) $*",
        [
            "No longer required: a number after a word of @month@ | back june",
            "No longer required: a number before a word of @month@ | back may",
        ],
    ),
    "an alternative that came is a word, and no condition": (
        "$* ( golf | skis ) $*",
        "$* ( golf | skis | tent ) $*",
        [],
    ),
    "an alternative with more words": (
        "$* ( golf bag | skis ) $*",
        "$* ( golf bag | skis | tent ) $*",
        [],
    ),
    "the same language": ("$* ( a | b ) $*", "$* ( b | a | a b ) $*", []),
}


@pytest.mark.parametrize(("before", "after", "expected"), LABELS.values(), ids=list(LABELS))
def test_conditions_of_a_rule_for_a_label(before: str, after: str, expected: list[str]) -> None:
    found = changed_conditions(_rule(before, after), {}, lowercase=True)
    assert [_shown(one) for one in found] == expected


SLOTS = {
    # Nothing was said of it: the start of a text and `$* &` are alternatives of different lengths.
    "any word in the place of a sign": (
        "( BOS | $* & ) [ oslo | rome ]<city> to $+",
        "( BOS | $* [^ ! to ] ) [ oslo | rome ]<city> to $+",
        [
            "No longer required: the start of the text or a sign before “oslo” …; any word fits there | "
            "something oslo to something"
        ],
    ),
    "a word around a span": (
        "$* from [ $ ]<city> to $*",
        "$* from [ $ ]<city> ( to | , ) $*",
        [],  # it is a learned word behind the slot
    ),
    "a part of a span": (
        "$* [ ( first | economy ) class ]<class> $*",
        "$* [ first | economy ]<class> class? $*",
        ["No longer required: “class” after “first” … | first"],
    ),
    "a part beside some of several words": (
        "$* [ ( first | economy | business ) class ]<class> $*",
        "$* ( [ ( first | economy | business ) class ]<class> | ( business | economy )<:>I-class ) $*",
        ["No longer required: “class” after “business” or “economy” | business"],
    ),
    "other words get the tag": ("$* from [ $ ]<city> $*", "$* from $<:>B-town $*", []),
}


@pytest.mark.parametrize(("before", "after", "expected"), SLOTS.values(), ids=list(SLOTS))
def test_conditions_of_a_rule_for_slots(before: str, after: str, expected: list[str]) -> None:
    sides = [read_slot_system(f"r := {text}", "", Tokenization())[0].ruleset for text in (before, after)]
    found = changed_conditions(ChangedRule("r", (sides[0], sides[1])), {}, lowercase=True)
    assert [_shown(one) for one in found] == expected


OWN = {
    "the shortest text that shows it": (("please call on us now", "call on us"), "call on us", True),
    "one in which another word matches shows nothing": (("dial or call",), "call on", False),
    "a long text is not shown": (("call on " + "and wait " * 9,), "call on", False),
}


@pytest.mark.parametrize(("texts", "example", "own"), OWN.values(), ids=list(OWN))
def test_a_text_of_the_project_is_the_example(texts: tuple[str, ...], example: str, own: bool) -> None:
    words = {text: tuple(text.split()) for text in texts}
    (found, *_) = changed_conditions(_rule("$* call % $*", "$* ( call ( % | on ) | dial ) $*"), words, lowercase=True)
    assert (found.example, found.own) == (example, own)


def test_the_place_is_named_by_the_word_that_the_example_has() -> None:
    rule = _rule("$* ( business | economy ) class $*", "$* ( business | economy ) class? $*")
    (found,) = changed_conditions(rule, {"Economy is fine.": ("economy", "is", "fine", ".")}, lowercase=True)
    assert (found.in_words, found.own) == ("No longer required: “class” after “economy” …", True)
    (found,) = changed_conditions(rule, {}, lowercase=True)
    assert (found.in_words, found.example) == ("No longer required: “class” after “business” …", "business")


def test_words_that_are_left_of_any_word_and_those_that_are_refused() -> None:
    (found,) = changed_conditions(_rule("$* from $ to $*", "$* from ( here | there ) to $*"), {}, lowercase=True)
    assert (found.only, found.without) == ({"here", "there"}, frozenset())
    # "here" opens something new elsewhere.
    elsewhere = _rule("$* from $ to $*", "$* from ( here | there ) to $* | here please")
    found = next(one for one in changed_conditions(elsewhere, {}, lowercase=True) if "Only" in one.in_words)
    assert found.only == {"there"}
    (found,) = changed_conditions(_rule("$* gate", "[^ no not ]* gate"), {}, lowercase=True)
    assert (found.only, found.without) == (frozenset(), {"no", "not"})


def test_a_text_that_another_change_refuses_is_no_example_of_refused_words() -> None:
    rule = _rule("$* to ( oslo | prague )", "[^ no not ]* to oslo")
    texts = {text: tuple(text.split()) for text in ("go to prague", "rather not to oslo")}
    (found,) = [one for one in changed_conditions(rule, texts, lowercase=True) if "Now refused" in one.in_words]
    assert (found.in_words, found.example) == ("Now refused anywhere before “to”: “no” or “not”", "rather not to oslo")


def test_a_rule_that_came_or_is_too_large_has_no_conditions() -> None:
    sides = [read_rules(text, lowercase=True).ruleset for text in ("[a]\nother := x\n", "[a]\nr := x\n")]
    assert changed_conditions(ChangedRule("r", (sides[0], sides[1])), {}, lowercase=True) == ()


def _rule(before: str, after: str) -> ChangedRule:
    classes = "@day@=( monday | friday )\n@month@=( may | june )\n"
    sides = [read_rules(f"[a]\n{classes}r := {text}\n", lowercase=True).ruleset for text in (before, after)]
    return ChangedRule("r", (sides[0], sides[1]))


def _shown(one: Condition) -> str:
    return f"{one.in_words} | {one.example}{' (refused)' if one.refused else ''}"
