"""Where the states and transitions of one automaton are drawn, and what is written at them."""

from __future__ import annotations

from itertools import combinations

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.transducer import minimal_transducer
from re2nn_core.plots.automaton_scene import AutomatonScene, automaton_scene
from re2nn_core.plots.scene_geometry import RADIUS
from re2nn_core.plots.transducer import DrawnArc, drawn_arcs
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged


def scene(expression: str) -> AutomatonScene:
    automaton = pseudo_dfa(parse_expression(expression))
    arcs = [DrawnArc(source, target, symbols, "") for source, target, symbols in automaton.shown_arcs()]
    return automaton_scene(len(automaton), 0, automaton.finals, arcs)


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
    drawn = automaton_scene(3, 2, {1}, arcs)
    assert [state.number for state in drawn.states] == [2, 0, 1]
    places = {state.number: state.at[0] for state in drawn.states}
    assert places[2] < places[0] < places[1]


def test_a_transition_of_a_transducer_names_its_tag() -> None:
    machine = minimal_transducer(tagged(parse_expression("to [ rome | new york ]<city>")))
    drawn = automaton_scene(len(machine), machine.start, machine.finals, list(drawn_arcs(machine)))
    assert {(arc.label, arc.slot) for arc in drawn.transitions} >= {
        ("rome / B-city", "city"),
        ("new / B-city", "city"),
        ("york / I-city", "city"),
    }


def test_signs_that_nobody_can_see_are_made_visible() -> None:
    drawn = automaton_scene(2, 0, {1}, [DrawnArc(0, 1, frozenset({"a\u202eb"}), "")])
    [arc] = drawn.transitions
    assert (arc.label, arc.words) == ("a�b", ("a�b",))
