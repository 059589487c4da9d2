"""The smallest change that changes a rule set's prediction, against all changes of short sentences."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import TEXT_WORDS, sentences, word_trees
from support.rules.edited_sentences import one_edit_away
from support.rules.oracles import accepts

from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.automata.matcher import Matcher
from re2nn_core.explain.flips import smallest_flip
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node


@settings(max_examples=40, deadline=None)
@given(st.lists(word_trees(4), min_size=1, max_size=3), sentences(3), st.data())
def test_it_is_right_and_as_small_as_by_trying_all(
    rules: list[Node], sentence: tuple[str, ...], data: st.DataObject
) -> None:
    matcher = Matcher([exact_dfa(tree) for tree in rules])
    flipped = data.draw(st.integers(0, len(rules) - 1))
    before = accepts(rules[flipped], sentence)

    def wanted(matched: tuple[int, ...]) -> bool:
        return (flipped in matched) != before

    found = smallest_flip(matcher, sentence, wanted, most=2)
    reached, distance = {sentence}, None
    for size in (1, 2):
        reached = {other for one in reached for other in one_edit_away(one, TEXT_WORDS)}
        if any(accepts(rules[flipped], other) != before for other in reached):
            distance = size
            break
    assert (None if found.change is None else len(found.change)) == distance
    if found.change is not None:
        assert accepts(rules[flipped], found.change.words) != before
        assert found.complete == len(found.change) - 1


def test_budget_ends_the_search_and_says_how_far_it_came() -> None:
    tree = read_rules("[x]\nr := a b c d e\n").ruleset.rules[0].expanded
    matcher = Matcher([exact_dfa(tree)])
    found = smallest_flip(matcher, ("x",), lambda matched: bool(matched), most=9, budget=20)
    assert found.change is None
    assert (found.looked_at, found.stopped) == (20, True)
    assert found.complete < 5
    whole = smallest_flip(matcher, ("x",), lambda matched: bool(matched), most=9)
    assert whole.change is not None
    assert whole.change.words == ("a", "b", "c", "d", "e")
    assert len(whole.change) == 5
    assert not whole.stopped


def test_a_budget_that_is_just_enough_stops_nothing() -> None:
    tree = read_rules("[x]\nr := a b c d e\n").ruleset.rules[0].expanded
    matcher = Matcher([exact_dfa(tree)])
    everything = smallest_flip(matcher, ("x",), bool, most=2)
    assert (everything.change, everything.stopped) == (None, False)
    enough = smallest_flip(matcher, ("x",), bool, most=2, budget=everything.looked_at)
    assert enough == everything
    short = smallest_flip(matcher, ("x",), bool, most=2, budget=everything.looked_at - 1)
    assert (short.looked_at, short.complete, short.stopped) == (everything.looked_at - 1, 1, True)
