"""Where the states and transitions of one automaton are drawn, and what is written at them."""

from __future__ import annotations

from itertools import combinations

import pytest

from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.independent import independent
from re2nn_core.automata.transducer import minimal_transducer
from re2nn_core.explain.rule_paths import rule_path
from re2nn_core.plots.automaton_folding import row_label
from re2nn_core.plots.automaton_scene import AutomatonScene, Drawing, automaton_scene, state_names
from re2nn_core.plots.drawn_automaton import DrawnMachine
from re2nn_core.plots.scene_geometry import NO_COUNTS, RADIUS, Counts
from re2nn_core.plots.transducer import DrawnArc
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged


def scene(expression: str, *, folded: bool = False, counts: Counts = NO_COUNTS) -> AutomatonScene:
    machine = DrawnMachine(pseudo_dfa(parse_expression(expression)), "rule", folded=folded, counts=counts)
    return automaton_scene(machine.drawing)


def test_every_state_and_transition_is_drawn_once() -> None:
    drawn = scene("$* ( cheap | less expensive ) $*")
    assert [state.number for state in drawn.states] == [0, 1, 2]
    assert [state.number for state in drawn.states if state.final] == [1]
    assert sorted((arc.source, arc.target, arc.label) for arc in drawn.transitions) == [
        (0, 0, "$"),
        (0, 1, "cheap"),
        (0, 2, "less"),
        (1, 1, "$"),
        (2, 1, "expensive"),
    ]


def test_states_do_not_overlap_and_all_is_inside() -> None:
    drawn = scene("$* ( a b c | d ( e | f ) g? | h{2,3} ) $*")
    for one, other in combinations(drawn.states, 2):
        across, down = (abs(one.at[axis] - other.at[axis]) for axis in (0, 1))
        assert across >= one.half_width + other.half_width or down >= 2 * RADIUS
    for arc in drawn.transitions:
        for x, y in (arc.curve[0], arc.curve[-1], arc.label_at):
            assert 0 <= x <= drawn.width
            assert 0 <= y <= drawn.height


def test_the_start_comes_first_whatever_its_number() -> None:
    arcs = [DrawnArc(2, 0, frozenset({"a"}), ""), DrawnArc(0, 1, frozenset({"b"}), "")]
    drawn = automaton_scene(Drawing("rule", "automaton", 3, 2, {1}, arcs))
    assert [state.number for state in drawn.states] == [2, 0, 1]
    places = {state.number: state.at[0] for state in drawn.states}
    assert places[2] < places[0] < places[1]


def test_a_transition_of_a_transducer_names_its_tag() -> None:
    machine = minimal_transducer(tagged(parse_expression("to [ rome | new york ]<city>")))
    drawn = automaton_scene(DrawnMachine(machine, "rule").drawing)
    assert {(arc.label, arc.slot) for arc in drawn.transitions} >= {
        ("rome / B-city", "city"),
        ("new / B-city", "city"),
        ("york / I-city", "city"),
    }


def test_signs_that_nobody_can_see_are_made_visible() -> None:
    drawn = automaton_scene(Drawing("rule", "automaton", 2, 0, {1}, [DrawnArc(0, 1, frozenset({"a\u202eb"}), "")]))
    [arc] = drawn.transitions
    assert arc.label == "a�b"


def test_rows_without_a_branch_are_one_transition() -> None:
    drawn = scene("$* ( a b c | less expensive than you ) $*", folded=True)
    assert [state.number for state in drawn.states] == [0, 5]
    assert [(arc.label, len(arc.members)) for arc in drawn.transitions] == [
        ("$", 1),
        ("a b c", 3),
        ("less expensive than you", 4),
        ("$", 1),
    ]


@pytest.mark.parametrize(
    ("expression", "labels"),
    [
        ("a{120}", ["a ×120"]),
        ("( a | b | c | d | e ){3} x", ["(a | b and 3 more) ×3 x"]),
        ("a b c d e f g h", ["a b c … 4 more … h"]),
        ("a b? c", ["a", "b c", "c"]),  # state 1 branches
        ("a b+ c", ["a b", "b", "c"]),  # a loop stays
        ("a ( b c )?", ["a", "b c"]),  # state 1 is final
        ("a", ["a"]),
    ],
)
def test_a_row_says_its_words_once(expression: str, labels: list[str]) -> None:
    assert sorted(arc.label for arc in scene(expression, folded=True).transitions) == sorted(labels)


def test_states_that_are_not_drawn_are_told_from_those_that_are() -> None:
    """The title counted states that nobody sees: of `new york city` two lie inside one transition."""
    tree = parse_expression("new york city | rome")
    sizes = [DrawnMachine(pseudo_dfa(tree), "rule", folded=folded).drawing.shown_size for folded in (True, False)]
    assert sizes == ["automaton, 2 of 4 states drawn", "automaton with 4 states and 4 transitions"]


def test_a_row_of_one_slot_names_it_once() -> None:
    machine = minimal_transducer(tagged(parse_expression("[ new york city ]<city> or ( [ a ]<one> [ b ]<two> )")))
    drawn = automaton_scene(DrawnMachine(machine, "rule", folded=True).drawing)
    assert [(arc.label, arc.slot) for arc in drawn.transitions] == [
        ("new / B-city york / I-city city / I-city … 2 more … b / B-two", ""),
    ]
    machine = minimal_transducer(tagged(parse_expression("[ new york ]<city> $* end")))
    drawn = automaton_scene(DrawnMachine(machine, "rule", folded=True).drawing)
    assert ("new york / city", "city") in {(arc.label, arc.slot) for arc in drawn.transitions}


def test_the_words_that_texts_have_most_come_first() -> None:
    drawn = scene("( a | b | c | d | e | $ ) x", counts={"d": 3, "b": 9})
    assert [arc.label for arc in drawn.transitions] == ["$ | b | d and 3 more", "x"]


def test_tags_of_states_stay_in_sight() -> None:
    machine = independent(minimal_transducer(tagged(parse_expression("to [ new york ]<city> please"))))
    drawing = DrawnMachine(machine, "rule", folded=True).drawing
    scene = automaton_scene(drawing)
    named = [name for state in scene.states for name in state_names(drawing, state.number)]
    assert [name.partition(" ")[2] for name in named if " " in name] == ["B-city", "I-city"]


def test_each_word_has_the_line_that_takes_it() -> None:
    machine = exact_dfa(parse_expression("$* ( a b | c ) $*"))
    drawn = DrawnMachine(machine, "rule", folded=True)
    labels = [row_label(row, drawn.drawing.arcs) for row in drawn.drawing.rows]
    taken = []
    for sentence in (("a", "b", "x"), ("a", "c"), ("x", "a", "x", "a", "b")):
        path = rule_path(machine, sentence)
        assert path is not None
        lines = [drawn.lines(move.word, [(move.source, move.target)]) for move in path]
        taken.append([labels[line] for [line] in lines])
    assert taken == [
        ["a b ↩0", "a b ↩0", "$"],
        ["a b ↩0", "c"],
        ["any other word", "a b ↩0", "any other word", "a b ↩0", "a b ↩0"],
    ]
