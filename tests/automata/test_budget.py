"""A machine that would grow past its budget is refused soon, and the refusal names the part at fault."""

from __future__ import annotations

import time

import pytest

from re2nn_core.automata import determinize
from re2nn_core.automata.blame import smallest_part
from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.matcher import build_matcher
from re2nn_core.automata.positions import POSITION_BUDGET, build_positions, refuse_long_lists
from re2nn_core.automata.transducer import minimal_transducer, position_transducer
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.logic.label_logic import default_logic
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Any, Choice, Concat, Node, Repeat, Tagged, Word, walk
from re2nn_core.tensors.machines import build_machines


def blamed(text: str, *, exact: bool = True) -> str:
    build = exact_dfa if exact else pseudo_dfa
    with pytest.raises(StateBudgetError) as refusal:
        build(parse_expression(text))
    return refusal.value.expression


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("$* a ${20}", "$* a ${20}"),
        ("$* a ${300} b", "$* a ${300}"),
        ("x y ( $* a ${20} ) z", "$* a ${20}"),
        ("hello | ( $* ( a | b ) ${30} bye )", "$* ( a | b ) ${30}"),
        ("( well | ( very $* a ${25} )? ) done", "$* a ${25}"),
        ("( $ a? ){500}", "( $ a? ){500}"),
        ("$* ( a ${1000} ){5} b", "$* ( a ${1000} ){5}"),
    ],
)
def test_refusal_names_the_part_that_multiplies(rule: str, part: str) -> None:
    assert blamed(rule) == part


def test_refusal_of_a_pseudo_machine() -> None:
    """`$` is a symbol like any other there, so that only named words multiply."""
    assert len(pseudo_dfa(parse_expression("$* a ${20}"))) == 22
    assert blamed("z ( a | b )* a ( a | b ){20} z", exact=False) == "( a | b )* a ( a | b ){20}"


def test_message_says_what_is_too_large_and_what_to_do() -> None:
    with pytest.raises(StateBudgetError) as refusal:
        exact_dfa(parse_expression("please $* a ${20}"), rule="book_flight")
    assert str(refusal.value) == (
        "rule 'book_flight' needs more than 20,000 states. The part that multiplies them is: $* a ${20}\n"
        "Write a smaller count there, or `$*` in place of a long run of any words."
    )
    assert refusal.value.budget == 20_000
    assert refusal.value.rule == "book_flight"


def test_a_list_that_is_too_large_is_told_by_its_entries() -> None:
    """Of a list of pairs of words the advice was to write smaller counts."""
    pairs = " | ".join(f"a{number} b{number}" for number in range(1_200))
    with pytest.raises(StateBudgetError) as refusal:
        exact_dfa(parse_expression(f"$* ( {pairs} ) $*"), budget=500)
    assert str(refusal.value).startswith("the rule needs more than 500 states.")
    assert "is: a list of 1,200 entries\nUse a shorter list: " in str(refusal.value)
    many = parse_expression(f"$* ( {' | '.join(f'a{number} b{number}' for number in range(51_000))} ) $*")
    with pytest.raises(StateBudgetError, match="is: a list of 51,000 entries\nUse a shorter list: "):
        build_positions(many)


def test_a_list_that_needs_too_many_states_is_refused_before_they_are_made() -> None:
    """A list of 100,000 entries with as many first words took 38 s and 2 GB until it was refused."""
    pairs = tuple(Concat((Word(f"a{number}"), Word(f"b{number}"))) for number in range(60_000))
    tree = Concat((Repeat(Any(), 0, None), Choice(pairs)))
    began = time.process_time()
    with pytest.raises(StateBudgetError, match="is: a list of 60,000 entries\nUse a shorter list: ") as refusal:
        build_positions(tree, "city")
    assert refusal.value.budget == 20_000
    assert time.process_time() - began < 5


def test_words_with_the_same_next_words_need_one_state() -> None:
    pairs = tuple(Concat((Word(f"a{number}"), Word("street"))) for number in range(30_000))
    refuse_long_lists(Choice(pairs), 20_000)
    refuse_long_lists(Choice(tuple(Word(f"a{number}") for number in range(30_000))), 20_000)


def test_tagged_words_of_a_list_are_one_position_for_each_tag() -> None:
    """A slot with 100,000 entries of two words was refused, where its automaton has a few thousand states."""
    tails = Choice(tuple(Tagged(Word(f"b{number}"), "I-city") for number in range(1_000)))
    heads = [Concat((Tagged(Word(f"a{number}"), "B-city"), tails)) for number in range(120)]
    assert len(minimal_transducer(Choice(tuple(heads)))) == 3


def test_a_list_whose_table_of_words_and_states_is_too_large_is_refused() -> None:
    """A network of such a slot asked for 32 GB of memory."""
    pairs = [
        Concat((Tagged(Word(f"a{number}"), "B-city"), Tagged(Word(f"b{number}"), "I-city"))) for number in range(12_000)
    ]
    with pytest.raises(StateBudgetError, match="more than 300,000,000 pairs of a word and a state. .* 12,000 entries"):
        position_transducer(Choice(tuple(pairs)), "city")


def test_budget_may_be_set_and_is_kept() -> None:
    tree = parse_expression("$* a ${6}")
    with pytest.raises(StateBudgetError, match="needs more than 100 states"):
        exact_dfa(tree, budget=100)
    assert len(exact_dfa(tree, budget=200)) == 2**7


def test_long_rules_are_not_blamed_for_being_long() -> None:
    """A small budget is passed by a long row too; then the row is what is at fault."""
    with pytest.raises(StateBudgetError) as refusal:
        exact_dfa(parse_expression("x a{40} y"), budget=20)
    assert refusal.value.expression == "a{40}"


def test_too_many_positions_are_refused_before_they_are_made() -> None:
    began = time.process_time()
    with pytest.raises(StateBudgetError) as refusal:
        build_positions(parse_expression("b ( ( a{1000} ){1000} ){1000}"), "endless")
    assert time.process_time() - began < 5
    assert refusal.value.budget == POSITION_BUDGET
    assert str(refusal.value).startswith("rule 'endless' needs more than 20,000 states. The part")


def test_a_rule_past_the_budget_is_matched_on_its_positions() -> None:
    """One rule that explodes must not stop all the others."""
    rules = read_rules("[x]\nlarge := $* a ${20}\nfine := $* b $*").ruleset
    matcher = build_matcher(rules.rules)
    assert matcher.large == (0,)
    sentences = [("a", *"c" * 20), ("a", *"c" * 19), ("b", "a", *"c" * 20), ()]
    assert matcher.matched(sentences).tolist() == [[True, False], [False, False], [True, True], [False, False]]


def test_machines_of_a_network_name_the_label() -> None:
    rules = read_rules("[x]\n( a | b )* a ( a | b ){20}").ruleset
    with pytest.raises(StateBudgetError, match=r"rule '\[x\]' needs more than 500 states"):
        build_machines(rules, default_logic(rules), "label", budget=500)


@pytest.mark.parametrize(
    ("rule", "states"),
    [
        ("$* a ${300} $*", 302),
        ("( a | b ){1000} c{900}", 1901),
        ("( a? b? c? ){300}", 901),
        ("$* ( a? b? c? ){300} x", 2),
        ("$* a{1,500} $*", 2),
    ],
)
def test_long_rules_that_fit_are_made_soon(rule: str, states: int) -> None:
    """Each of these took from ten seconds to minutes before pruning and minimising were mended."""
    began = time.process_time()
    assert len(exact_dfa(parse_expression(rule))) == states
    assert time.process_time() - began < 10


def test_long_pseudo_machines_are_made_soon() -> None:
    began = time.process_time()
    assert len(pseudo_dfa(parse_expression("$* ( a ${1000} ){5} b"))) == 5007
    assert time.process_time() - began < 5


def test_pruning_makes_machines_that_plain_subsets_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    alternatives = " | ".join(f"$* {x} $* {y} $*" for x, y in zip("acegik", "bdfhjl", strict=True))
    tree = parse_expression(alternatives)
    assert len(exact_dfa(tree)) == 65
    monkeypatch.setattr(determinize, "dominated_by", lambda automaton, masks: lambda states: states)
    with pytest.raises(StateBudgetError):
        exact_dfa(tree, budget=400)


def test_smallest_part_is_a_part_and_still_too_large() -> None:
    tree = parse_expression("x ( y | a a a ( b c d ) a ) z")

    def has_b_and_c(part: Node) -> bool:
        text = print_expression(part)
        return "b" in text.split() and "c" in text.split()

    part = smallest_part(tree, has_b_and_c)
    assert print_expression(part) == "b c"
    whole = smallest_part(tree, lambda _: False)
    assert whole == tree
    assert tree in list(walk(tree))
