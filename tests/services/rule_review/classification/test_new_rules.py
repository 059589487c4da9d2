"""New rules taken over one by one: where they stand, their classes, and that they predict as where they were read."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from re2nn_core.errors import LogicError
from re2nn_core.proposals.phrases import START
from re2nn_core.reconstruction.classification.mined_phrases import PhraseForLabel
from re2nn_core.reconstruction.classification.new_rules import with_new_rules
from re2nn_core.rules.logic.label_logic import write_logic
from re2nn_core.rules.printer import write_rules
from re2nn_core.services.rule_review.classification.new_rules import accept_new
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.tokenization import Tokenization

RULES = """\
// What people ask
@place@=( home | oslo )
[fly]
go := $* fly $*    // any flight

[pay]
$* cost $*         // without a name
[fly]
$* to @place@ $*
"""
LOGIC = 'default = "fly"   # most ask for flights\npriorities = ["pay > see"]\n'
WORDS = ["fly", "cost", "price", "say", "to", "home", "far", "ride1", "view"]
RIDES = [PhraseForLabel(("ride", f"w{n}"), 0) for n in range(9)]
IN_WORDS = [PhraseForLabel(("price",), 1), PhraseForLabel((START, "say"), 0), *RIDES, PhraseForLabel(("view",), 2)]
NAMES = ("fly.new", "pay.new", "see.new")


def system(rules: str, logic: str) -> RuleSystem:
    return read_system(rules, logic, Tokenization())[0]


WRITTEN = system(RULES, LOGIC + 'labels = ["fly", "pay", "see"]\n')


@pytest.fixture(scope="module")
def found() -> RuleSystem:
    """The rules with three new ones; `see` has no other."""
    ruleset, logic = with_new_rules(WRITTEN.ruleset, WRITTEN.logic, IN_WORDS)
    return system(write_rules(ruleset), write_logic(logic))


def taken(found: RuleSystem, names, rules=RULES, logic=WRITTEN.logic_text):
    return accept_new((found.rules_text, found.logic_text), names, rules_text=rules, logic_text=logic, lowercase=True)


def test_a_rule_stands_behind_those_of_its_label_and_all_else_stays(found):
    made = taken(found, ["pay.new"])
    assert made.accepted == ("pay.new",)
    assert made.rules_text == RULES.replace("without a name\n", "without a name\npay.new := $* price $*\n")
    said = "# Where one of these is true, its label is predicted: no other formula and no priority counts.\n"
    assert made.logic_text == WRITTEN.logic_text + said + 'first = [\n    "pay.new -> pay",\n]\n'


def test_classes_stand_above_the_rule(found):
    made = taken(found, ["fly.new"])
    [above, rule] = made.rules_text.splitlines()[-2:]
    assert above == (
        "@fly.new.w0_9@=( w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7 | w8 )    // 9 words; strongest: w0, w1, w2"
    )
    assert rule == "fly.new := $* ( ride @fly.new.w0_9@ | BOS say ) $*"


def test_a_rule_that_is_accepted_for_trial_again_is_not_read_again(found, monkeypatch):
    first = taken(found, ["see.new"])
    monkeypatch.setattr("re2nn_core.services.rule_review.classification.new_rules.read_logic", None)
    assert taken(found, ["see.new"]) == first


def test_a_label_without_a_section_gets_one(found):
    made = taken(found, ["see.new"])
    assert made.rules_text == RULES + "\n[see]\nsee.new := $* view $*\n"
    made = taken(found, ["see.new"], RULES + "[see] // nothing yet\n// end")
    assert made.rules_text == RULES + "[see] // nothing yet\nsee.new := $* view $*\n// end"


def test_names_that_are_taken_get_a_number(found):
    rules = RULES.replace("[pay]", "@fly.new.w0_9@=( x )\n[pay]\nfly.new := y")
    made = taken(found, ["fly.new"], rules)
    assert "@fly.new.w0_9_2@=( w0 |" in made.rules_text
    assert "fly.new_2 := $* ( ride @fly.new.w0_9_2@ | BOS say ) $*" in made.rules_text
    assert '"fly.new_2 -> fly"' in made.logic_text
    assert system(made.rules_text, made.logic_text).predictions(["ride w3 cost", "cost"]) == ["fly", "pay"]


def test_a_class_that_is_there_is_not_defined_again(found):
    nine = " | ".join(f"w{n}" for n in range(9))
    made = taken(found, ["fly.new"], f"@fly.new.w0_9@=( {nine} )\n" + RULES)
    assert made.rules_text.count("@fly.new.w0_9@=") == 1
    # One that is defined only below does not count there.
    made = taken(found, ["fly.new"], RULES + f"[see]\n@fly.new.w0_9@=( {nine} )\nlook := see\n")
    assert made.rules_text.count("@fly.new.w0_9_2@=") == 1


def test_what_is_there_is_not_taken_again(found):
    once = taken(found, ["pay.new"])
    again = taken(found, ["pay.new"], once.rules_text, once.logic_text)
    assert (again.rules_text, again.logic_text, again.accepted) == (once.rules_text, once.logic_text, ())
    assert again.there == ("pay.new",)


def test_a_rule_that_somebody_wrote_as_well_only_comes_first(found):
    rules = RULES.replace("[pay]", "[pay]\nprices := $* price $*")
    made = taken(found, ["pay.new"], rules)
    assert made.rules_text == rules
    assert '"prices -> pay"' in made.logic_text


def test_two_first_rules_of_a_label_stand_together(found):
    logic = WRITTEN.logic_text + 'first = ["go -> fly"] # flights\n'
    made = taken(found, ["fly.new"], logic=logic)
    assert made.logic_text == logic.replace('"go -> fly"', '"go | fly.new -> fly"')


def test_a_label_that_the_list_of_labels_lacks_is_put_there(found):
    made = taken(found, ["see.new"], logic='labels = ["pay", "fly"]\n')
    assert made.logic_text.startswith('labels = ["pay", "fly", "see"]\n')
    assert system(made.rules_text, made.logic_text).predictions(["view"]) == ["see"]


def test_a_logic_that_cannot_be_read_is_told(found):
    with pytest.raises(LogicError, match="this is no TOML"):
        taken(found, ["pay.new"], logic="default = ")


def test_a_rule_that_is_one_way_among_others_becomes_one():
    """A rule whose figures are those of one more way to its label was accepted as one that overrides all others."""
    logic = 'logic = ["go & !pay.1 -> fly"]\n'
    plain = system(RULES + "[fly]\nairborne := $* airborne $*\n[see]\nlook := $* look $*\n", logic)
    made = taken(plain, ["airborne", "look"], logic='labels = ["fly", "pay"]\n' + logic)
    assert made.accepted == ("airborne", "look")
    assert made.logic_text == 'labels = ["fly", "pay", "see"]\nlogic = ["(go & !pay.1) | airborne -> fly"]\n'


@pytest.mark.parametrize("order", list(permutations(NAMES)))
def test_one_by_one_they_predict_as_they_were_read(found, order):
    """In whatever order, and so does all at once: on all texts of up to three words."""
    texts = [" ".join(words) for n in (1, 2, 3) for words in permutations(WORDS, n)]
    rules, logic = RULES, WRITTEN.logic_text
    for name in order:
        made = taken(found, [name], rules, logic)
        rules, logic = made.rules_text, made.logic_text
    predictions = found.predictions(texts)
    assert system(rules, logic).predictions(texts) == predictions
    together = taken(found, NAMES)
    assert system(together.rules_text, together.logic_text).predictions(texts) == predictions
    # They do differ from the written ones, so the above says something.
    assert predictions != WRITTEN.predictions(texts)


@given(st.sampled_from(NAMES), st.lists(st.sampled_from(WORDS), max_size=4))
@settings(max_examples=80, deadline=None)
def test_a_rule_alone_decides_where_it_accepts_and_nothing_else(name, words):
    ruleset, logic = with_new_rules(WRITTEN.ruleset, WRITTEN.logic, IN_WORDS)
    source = write_rules(ruleset), write_logic(logic)
    made = accept_new(source, [name], rules_text=RULES, logic_text=WRITTEN.logic_text, lowercase=True)
    after, text = system(made.rules_text, made.logic_text), " ".join(words)
    decided = bool(after.matched([text])[0][after.rule_names.index(name)])
    assert after.predictions([text]) == ([name.removesuffix(".new")] if decided else WRITTEN.predictions([text]))
