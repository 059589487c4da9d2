"""Slot rules as transducers to look at: sizes, sentences with their tags, refusals."""

from __future__ import annotations

import pytest
from support.projects.span_samples import system

from re2nn_core.errors import InputError
from re2nn_core.plots.transducer import shown_tag
from re2nn_core.services.automaton_views.slot_filling.views import (
    TagMachineView,
    expected_words,
    marks_words,
    trace_tags,
    view_slot,
    view_slot_rule,
)

RULES = "city := $* to [ new york | oslo ]<city> $*\nday := $* [ monday ]<day>\n"


@pytest.fixture(scope="module")
def city() -> TagMachineView:
    return view_slot_rule(system(RULES), "city")


def test_sizes_go_from_the_expression_to_the_rank(city: TagMachineView) -> None:
    assert [(size.stage, size.count) for size in city.sizes] == [
        ("expression", 12),
        ("positions", 6),
        ("FST states", 4),
        ("i-FST states", 6),
        ("rank", 4),
    ]


def test_the_independent_one_splits_the_state_that_two_tags_enter(city: TagMachineView) -> None:
    assert city.independent is not None
    assert sorted(map(shown_tag, city.independent.outputs)) == ["", "", "", "B-city", "B-city", "I-city"]


@pytest.mark.parametrize("form", ["transducer", "independent"])
def test_a_sentence_tells_tags_of_accepting_ways(city: TagMachineView, form: str) -> None:
    found = trace_tags(getattr(city, form), ["fly", "to", "new", "york", "new"])
    assert found.accepted
    assert [step.tags for step in found.steps] == [(), (), (), ("B-city",), ("I-city",), ()]
    assert all(step.alive for step in found.steps)


def test_a_sentence_that_is_not_accepted_tells_the_tags_on_its_way() -> None:
    found = trace_tags(view_slot_rule(system("a := to [ new york ]<city>"), "a").transducer, ["to", "new"])  # type: ignore[arg-type]
    assert not found.accepted
    assert found.died_at is None
    assert found.steps[-1].tags == ("B-city",)


def test_a_sentence_dies_where_nothing_reads_the_word() -> None:
    machine = view_slot_rule(system("a := to [ new york ]<city>"), "a").transducer
    assert machine is not None
    found = trace_tags(machine, ["to", "old", "york"])
    assert (found.died_at, len(found.steps)) == (1, 3)
    assert found.steps[-1].alive == ()
    assert expected_words(machine, found.steps[1].alive) == ["new"]


def test_a_slot_is_all_rules_that_name_it() -> None:
    view = view_slot(system(RULES + "also := [ oslo ]<city> please\n"), "city")
    assert view.transducer is not None
    assert marks_words(view.transducer, ["oslo", "please"])
    assert marks_words(view.transducer, ["to", "oslo"])
    assert not marks_words(view.transducer, ["on", "monday"])


def test_names_that_are_not_there_are_told_with_those_that_are() -> None:
    with pytest.raises(InputError, match="The rules are: city, day"):
        view_slot_rule(system(RULES), "town")
    with pytest.raises(InputError, match="The slots are: city, day"):
        view_slot(system(RULES), "town")


def test_a_machine_past_the_budget_is_refused_in_words() -> None:
    view = view_slot_rule(system("a := ( a | b )* a ( a | b ){13} [ oslo ]<city>"), "a")
    assert (view.transducer, view.independent) == (None, None)
    assert "rule 'a' needs more than 5,000 states" in view.refusal
    assert [size.count for size in view.sizes][2:] == [None, None, None]
