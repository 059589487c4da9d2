"""Rule sets compared: verdicts with true witnesses, dead and subsumed rules, overlaps, moved texts, joint steps, and
budgets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules.automata_strategies import trees

from re2nn_core.automata.differences.difference import Mark
from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node, choice
from re2nn_core.services.rule_difference.dead_and_subsumed_rules import find_dead_and_subsumed
from re2nn_core.services.rule_difference.drawn_differences import (
    arc_rows,
    drawn_group,
    drawn_rule,
    drawn_trees,
    machine_of,
    step_both,
)
from re2nn_core.services.rule_difference.language_difference import (
    RuleSide,
    Verdict,
    group_verdicts,
    label_side,
    language_verdict,
    refuse_other_kind,
    refuse_unknown_rule,
    rule_names_of_sides,
    rule_verdicts,
    slot_side,
)
from re2nn_core.services.rule_difference.moved_texts import NO_PREDICTION, moved_labels, moved_spans
from re2nn_core.services.rule_difference.rule_set_difference import rule_set_difference
from re2nn_core.services.rule_difference.witnesses import Witness, both_sides
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.tokenization import Tokenization

BEFORE = """\
[flight]
to_city := $* ( flight | fly ) $* to $*
any_flight := $* flights $*
[fare]
price := $* ( fare | cost ) $*
"""
AFTER = """\
[flight]
to_city := $* ( flight | fly | plane ) $* to $*
any_flight := $* flights $*
[fare]
price := $* ( fare | price ) $*
[meal]
lunch := $* lunch $*
"""
SLOTS = "to := $* to [ oslo | new york ]<city> $*\nday := $* on [ $ ]<day> $*\n"


def side(text: str, title: str = "A") -> RuleSide:
    return label_side(read_rules(text).ruleset, title)


def system(text: str) -> RuleSystem:
    return read_system(text, None, Tokenization())[0]


def slot_system(text: str) -> SlotSystem:
    return read_slot_system(text, None, Tokenization())[0]


def slots(text: str, title: str = "A") -> RuleSide:
    return slot_side(slot_system(text), title)


RELATIONS = [
    ("a b", "a b", Verdict.SAME, None, None),
    ("a | b", "b | a", Verdict.SAME, None, None),
    ("a", "a | b", Verdict.MORE, None, "b"),
    ("a | b", "a", Verdict.LESS, "b", None),
    ("a", "b", Verdict.OTHER, "a", "b"),
    ("$*", "$+", Verdict.LESS, "(the empty sentence)", None),
    ("$* a $*", "$* b $*", Verdict.OTHER, "a", "b"),
    ("%", "$", Verdict.MORE, None, "something"),
    ("a BOS b", "c BOS d", Verdict.SAME, None, None),
]


@pytest.mark.parametrize(("left", "right", "verdict", "only_left", "only_right"), RELATIONS)
def test_verdicts(left: str, right: str, verdict: Verdict, only_left: str | None, only_right: str | None) -> None:
    found = language_verdict("r", parse_expression(left), parse_expression(right))
    assert found.verdict is verdict
    assert (found.only_left and found.only_left.text) == only_left
    assert (found.only_right and found.only_right.text) == only_right


@settings(max_examples=120, deadline=None)
@given(trees(6), trees(6))
def test_witnesses_are_accepted_by_one_and_not_by_the_other(left: Node, right: Node) -> None:
    """The matcher, another engine than the one that found them, says so."""
    found = language_verdict("r", left, right)
    matcher = RuleMatcher([left, right])
    for witness, wanted in ((found.only_left, [True, False]), (found.only_right, [False, True])):
        if witness is not None:
            assert matcher.matched([witness.words])[0].tolist() == wanted
    assert (found.verdict is Verdict.SAME) == (found.only_left is None and found.only_right is None)


def test_every_label_and_rule_has_its_verdict() -> None:
    left, right = side(BEFORE), side(AFTER, "B")
    groups = {found.name: found for found in group_verdicts(left, right)}
    assert [(name, found.verdict.value) for name, found in groups.items()] == [
        ("flight", "contained"),
        ("fare", "different"),
        ("meal", "contained"),
    ]
    assert groups["fare"].only_left == Witness(("cost",))
    assert groups["meal"].only_right == Witness(("lunch",))
    assert (groups["meal"].left, groups["meal"].right) == (False, True)
    rules = {found.name: found.verdict.value for found in rule_verdicts(left, right)}
    assert rules == {"to_city": "contained", "any_flight": "equivalent", "price": "different", "lunch": "contained"}


def test_rules_for_slots_are_compared_with_their_tags() -> None:
    left, right = slots(SLOTS), slots(SLOTS.replace("oslo | new york", "oslo | new york | rome"), "B")
    [to, day] = rule_verdicts(left, right)
    assert to.verdict is Verdict.MORE
    assert to.only_right == Witness(("to", "rome"), ("", "B-city"))
    assert to.only_right.text == "to [rome]<city>"
    assert to.only_right.in_words == ("to [rome]<city>", "(does not match)")
    assert day.verdict is Verdict.SAME
    renamed = rule_verdicts(left, slots(SLOTS.replace("<day>", "<date>"), "B"))[1]
    assert renamed.only_left is not None
    assert renamed.only_left.in_words == ("on [something]<day>", "on [something]<date>")
    assert renamed.only_right is not None
    assert renamed.only_right.text == "on [something]<date>"
    assert both_sides(renamed.only_left, renamed.only_right) == (("on [something]<day>", "on [something]<date>"),)


def test_a_rule_past_the_budget_is_unknown_and_the_others_are_told() -> None:
    left, right = side(BEFORE), side(AFTER.replace("price := $* ( fare", "price := $* far $* away $* ( fare"), "B")
    found = {verdict.name: verdict for verdict in rule_verdicts(left, right, budget=2)}
    assert found["price"].verdict is Verdict.UNKNOWN
    assert found["price"].refusal == "the search stopped at its budget of 2 steps"
    assert found["any_flight"].verdict is Verdict.SAME


def test_a_machine_past_the_budget_leaves_the_rest() -> None:
    found = rule_set_difference(side(BEFORE), side(AFTER, "B"), drawn_budget=5)
    assert found.machines["to_city"].by_positions.endswith("A and B would need more than 5 states.")
    assert found.machines["lunch"].difference is not None
    assert [rule.name for rule in found.differing] == ["to_city", "price", "lunch"]


def test_sides_of_two_kinds_are_refused() -> None:
    with pytest.raises(
        InputError, match="x has rules that match whole texts for labels, and y has rules that match words"
    ):
        refuse_other_kind(side(BEFORE, "x"), slots(SLOTS, "y"))


def test_a_name_that_no_side_has_is_refused() -> None:
    left, right = side(BEFORE, "old.txt"), side(AFTER, "new.txt")
    with pytest.raises(
        NotFoundError, match="Neither old.txt nor new.txt has a rule 'prize'. There are: to_city, any_f"
    ):
        refuse_unknown_rule(rule_names_of_sides(left, right), "prize", "rule", left, right)


DEAD_OR_SUBSUMED = """\
[a]
wide := $* x $*
narrow := $* x y $*
never := x BOS y
same := $* x $*
one := x | y
two := x
three := y
[b]
lone := $* z $*
"""


def test_dead_and_subsumed_rules() -> None:
    found = {
        dead_or_subsumed.name: dead_or_subsumed
        for dead_or_subsumed in find_dead_and_subsumed(side(DEAD_OR_SUBSUMED)).dead_or_subsumed
    }
    assert found["never"].dead
    assert found["never"].in_words == "accepts no sentence"
    assert {name: dead_or_subsumed.by for name, dead_or_subsumed in found.items() if not dead_or_subsumed.dead} == {
        "wide": ("same",),
        "narrow": ("wide",),
        "same": ("wide",),
        "one": ("two", "three"),
        "two": ("wide",),
        "three": ("one",),
    }


def test_a_rule_that_several_do_together() -> None:
    found = find_dead_and_subsumed(side("[a]\nboth := x | y\none := x z?\ntwo := y z?\n")).dead_or_subsumed
    assert [(dead_or_subsumed.name, dead_or_subsumed.by) for dead_or_subsumed in found] == [("both", ("one", "two"))]
    assert found[0].in_words == "is subsumed by one and two"


def test_of_two_equal_rules_one_is_enough() -> None:
    broad, narrow, same = sorted(
        find_dead_and_subsumed(side("[a]\nbroad := x+\nsame := x+\nnarrow := x x\n")).dead_or_subsumed, key=str
    )
    assert (broad.in_words, same.in_words) == (
        "is equivalent to same: one of the two is enough",
        "is equivalent to broad: one of the two is enough",
    )
    assert narrow.in_words == "is subsumed by broad"


def test_a_rule_with_other_tags_is_no_idle_one() -> None:
    assert find_dead_and_subsumed(slots("a := $* to [ $ ]<x> $*\nb := $* to [ $ ]<y> $*\n")).dead_or_subsumed == ()
    [dead_or_subsumed] = find_dead_and_subsumed(
        slots("a := $* to [ $ ]<x> $*\nb := $* to [ oslo ]<x> $*\n")
    ).dead_or_subsumed
    assert (dead_or_subsumed.name, dead_or_subsumed.by) == ("b", ("a",))


@settings(max_examples=60, deadline=None)
@given(trees(5), trees(5))
def test_subsumption_agrees_with_a_slow_twin(left: Node, right: Node) -> None:
    """A rule is subsumed by another where their union accepts no more than the other."""
    rules = RuleSide("A", {"l": left, "r": right}, {"g": ("l", "r")}, tagging=False)
    dead_or_subsumed = {found.name for found in find_dead_and_subsumed(rules).dead_or_subsumed if not found.dead}
    dead = {found.name for found in find_dead_and_subsumed(rules).dead_or_subsumed if found.dead}
    for name, own, other in (("l", left, right), ("r", right, left)):
        wider = language_verdict(name, choice([own, other]), other)
        assert (wider.verdict is Verdict.SAME) == (name in dead_or_subsumed or name in dead)


def test_overlaps_are_sentences_for_which_both_labels_speak() -> None:
    found = find_dead_and_subsumed(side(AFTER)).overlaps
    assert {overlap.groups for overlap in found} == {("flight", "fare"), ("flight", "meal"), ("fare", "meal")}
    rules = read_rules(AFTER).ruleset
    for overlap in found:
        for group, names in zip(overlap.groups, overlap.rules, strict=True):
            own = [rule for rule in rules.of_label(group) if accepts(build_positions(rule.expanded), overlap.sentence)]
            assert [rule.name for rule in own] == list(names) != []
    assert find_dead_and_subsumed(side("[a]\nx\n[b]\ny\n")).overlaps == ()


def test_words_that_two_slots_claim() -> None:
    [found] = find_dead_and_subsumed(slots("a := $* to [ $ ]<x> $*\nb := $* [ oslo ]<y> $*\n")).overlaps
    assert (found.sentence, found.groups, found.rules) == (("to", "oslo"), ("x", "y"), (("a",), ("b",)))


def test_too_many_pairs_are_told() -> None:
    text = "".join(f"[l{number}]\nw{number}\n" for number in range(5))
    assert find_dead_and_subsumed(side(text), most_pairs=3).skipped == (
        "Of 10 pairs of labels the first 3 were looked at for overlaps.",
    )


def test_texts_that_change_prediction_by_frequency() -> None:
    texts = ["what cost", "fly to oslo", "what cost", "lunch", "nothing"]
    found = moved_labels(system(BEFORE), system(AFTER), texts)
    assert [(moved.text, moved.count, moved.place, moved.before, moved.after) for moved in found.moved] == [
        ("what cost", 2, 0, "fare", NO_PREDICTION),
        ("lunch", 1, 3, NO_PREDICTION, "meal"),
    ]
    assert (found.count, found.texts) == (3, 5)
    assert found.ways == [("fare", NO_PREDICTION, 2), (NO_PREDICTION, "meal", 1)]


def test_texts_whose_spans_change() -> None:
    after = slot_system(SLOTS.replace("oslo | new york", "oslo | new york | rome"))
    found = moved_spans(slot_system(SLOTS), after, ["to rome", "To New York", "to oslo to rome"])
    assert [(moved.text, moved.before, moved.after) for moved in found.moved] == [
        ("to rome", NO_PREDICTION, "city: rome"),
        ("to oslo to rome", "city: oslo", "city: oslo, city: rome"),
    ]


def test_one_sentence_through_both() -> None:
    left, right = side(BEFORE), side(AFTER, "B")
    machines = [machine_of(one.tree_of("to_city"), "to_city", tagging=False) for one in (left, right)]
    trace = step_both(*machines, ("plane", "to"))
    assert trace.accepted == (False, True)
    assert [step.word for step in trace.steps] == [None, "plane", "to"]
    assert trace.steps[1].left.alive == (0,)
    assert trace.steps[1].right.alive == (0, 1)
    assert trace.died_at(0) is None
    died = step_both(machine_of(parse_expression("a"), "a", tagging=False), machines[1], ("b", "c"))
    assert died.died_at(0) == 0
    assert died.steps[2].left.alive == ()


def test_stepping_tells_the_tag_of_each_word_on_the_ways_that_are_accepted() -> None:
    """A word that `$*` reads first is captured once more is known; a side that does not accept gives nothing."""
    texts = ("$* to [ oslo ]<city> $*", "$* to [ $ ]<city> $* | $* [ rome ]<town>")
    left, right = (machine_of(tagged(parse_expression(text)), "r", tagging=True) for text in texts)
    trace = step_both(left, right, ("to", "oslo", "please"))
    assert trace.tags == ((("",), ("B-city",), ("",)), (("",), ("B-city",), ("",)))
    trace = step_both(left, right, ("to", "rome"))
    assert trace.tags == (((), ()), (("",), ("B-city", "B-town")))
    twice = step_both(left, left, ("to", "oslo", "to", "oslo"))
    assert twice.tags[0] == (("",), ("B-city", ""), ("",), ("B-city", ""))
    assert step_both(left, left, ()).tags == ((), ())


@settings(max_examples=80, deadline=None)
@given(trees(6))
def test_stepping_agrees_with_the_positions(tree: Node) -> None:
    machine = machine_of(tree, "r", tagging=False)
    for sentence in ((), ("a",), ("a", "b"), ("7", ","), ("d", "a", "9")):
        assert step_both(machine, machine, sentence).accepted == (accepts(build_positions(tree), sentence),) * 2


def test_rows_of_arcs_say_what_came_and_went() -> None:
    drawn = drawn_rule(side(BEFORE), side(AFTER, "B"), "price")
    assert drawn.difference is not None
    [changed, *others] = arc_rows(drawn.difference)
    assert (changed.mark, changed.before, changed.after) == ("±", ("cost", "fare"), ("fare", "price"))
    assert (changed.added, changed.removed) == (("price",), ("cost",))
    assert {row.mark for row in others} == {"="}
    group = drawn_group(side(BEFORE), side(AFTER, "B"), "meal")
    assert group.difference is not None
    assert {row.mark for row in arc_rows(group.difference)} == {"+"}


def test_a_slot_is_what_is_marked_as_it() -> None:
    """A change of another slot in the same rule, and a sentence without a mark, say nothing about this one."""
    before, after = (
        "r := to [ $ ]<city> on [ $ ]<day>\n",
        "r := to [ $ ]<city> on [ $ $? ]<day>\ns := [ hi ]<greeting>? there\n",
    )
    found = {verdict.name: verdict for verdict in group_verdicts(slots(before), slots(after, "B"))}
    assert found["day"].verdict is Verdict.MORE
    assert found["day"].only_right is not None
    assert found["day"].only_right.text == "to something on [something something]<day>"
    assert found["city"].only_right is not None
    assert "<city>" in found["city"].only_right.text
    assert "<day>" not in found["city"].only_right.text
    alone = {
        v.name: v for v in group_verdicts(slots("r := to [ $ ]<city>\n"), slots("r := to [ $ ]<city> | hi\n", "B"))
    }
    assert alone["city"].verdict is Verdict.SAME


@pytest.mark.parametrize("tagging", [False, True])
def test_machines_past_the_budget_are_drawn_by_positions(tagging: bool) -> None:
    """Nothing was drawn of a rule whose automaton has thousands of states and that is a line of twenty words."""
    words = "[ oslo ]<city> ( a | b )* a ( a | b ){13}" if tagging else "( a | b )* a ( a | b ){13}"
    before, after = (parse_expression(words.replace("{13}", end)) for end in ("{13}", "{12} ( a | b | c )"))
    forms = [tagged(tree) if tagging else tree for tree in (before, after)]
    found = drawn_trees("r", *forms, tagging=tagging, sides=("v1", "v2"))
    assert found.by_positions.endswith("as an automaton v1 and v2 would need more than 3,000 states.")
    assert found.difference is not None
    assert [arc.mark for arc in found.difference.arcs if arc.mark is not Mark.KEPT] == [Mark.CHANGED]
    same = drawn_trees("r", forms[0], forms[0], tagging=tagging)
    assert same.difference is not None
    assert same.difference.same
