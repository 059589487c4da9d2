"""Proposed rules: what is shown of one is what its rule does, and texts of dev and test make none."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_writing.classification.grown_rules import grow
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material, material_of
from re2nn_core.services.rule_writing.classification.proposals import (
    add_priorities,
    propose,
    propose_default,
    propose_priorities,
    with_default_label,
    with_proposals,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse, effect
from re2nn_core.text.tokenization import Tokenization

RULES = "[fare]\nprice := $* price $*\n\n[seat]\nseat := $* seat $*\n"
CITIES = ("rome", "oslo", "bonn", "bern", "kyiv", "riga", "porto", "paris", "delhi", "quito", "lima", "cairo")


def _texts() -> list[tuple[str, str | None, str | None]]:
    rows: list[tuple[str, str | None, str | None]] = []
    rows += [(f"how much is {city}", "fare", "train") for city in CITIES]
    rows += [(f"window to {city}", "seat", "train") for city in CITIES]
    rows += [(f"the seat price to {city}", "seat", "train") for city in CITIES[:6]]
    rows += [("how much more", "fare", "test"), ("window shut", "seat", "dev"), ("only here", "fare", "test")]
    rows += [("only here now", "fare", "dev"), ("is there a window", None, None), ("soup or salad", "meal", None)]
    return rows


class _Project:
    def __init__(self, logic: str = "", rows: list[tuple[str, str | None, str | None]] | None = None) -> None:
        rows = rows or _texts()
        self.texts, self.gold = [row[0] for row in rows], [row[1] for row in rows]
        self.material: Material = material_of(self.gold, [row[2] for row in rows])
        self.bench = TextBench(self.texts, Tokenization())
        self.logic = logic
        self.now: Analysis = analyse(self.bench, self.gold, RULES, logic)


def test_the_phrases_that_hold_on_unseen_texts_are_proposed() -> None:
    project = _Project()
    found = propose(project.bench, project.now, project.material)
    shown = [(one.label, one.name, one.expression, one.fixed_unseen, one.correct, one.matches) for one in found]
    assert shown == [
        ("fare", "much", "$* much $*", 12, 13, 13),
        ("seat", "window", "$* window $*", 12, 13, 13),
    ]
    # "the seat price" is a question of who wins, "only here" is in test and dev alone, "meal" has one text.
    assert [project.texts[place] for place in found[1].fixed][-1] == "window shut"


LOGIC = 'default = "fare"\npriorities = ["seat > fare"]\nlogic = ["price & !seat -> fare"]\n'


@pytest.mark.parametrize("logic", ["", LOGIC])
def test_what_is_shown_is_what_the_rule_does(logic: str) -> None:
    project = _Project(logic)
    for proposal in propose(project.bench, project.now, project.material):
        rules, text = with_proposals(project.now.system, [proposal])
        done = effect(analyse(project.bench, project.gold, rules, text), project.now)
        assert (done.fixed.tolist(), done.broken.tolist()) == (proposal.fixed.tolist(), proposal.broken.tolist())


def test_a_label_with_a_formula_gets_one_more_way() -> None:
    project = _Project('logic = ["price & !seat -> fare"]\n')
    rules, logic = with_proposals(project.now.system, propose(project.bench, project.now, project.material))
    assert logic == 'logic = ["(price & !seat) | much -> fare"]\n'
    assert (
        rules
        == "[fare]\nprice := $* price $*\nmuch := $* much $*\n\n[seat]\nseat := $* seat $*\nwindow := $* window $*\n"
    )
    assert read_system(rules, logic, Tokenization())[0].predictions(["how much", "a window"]) == ["fare", "seat"]


def test_for_one_label_and_so_many_at_most() -> None:
    project = _Project()
    assert [one.label for one in propose(project.bench, project.now, project.material, label="seat")] == ["seat"]
    assert len(propose(project.bench, project.now, project.material, most=1)) == 1
    assert propose(project.bench, project.now, project.material, label="meal") == ()


def test_a_label_that_nobody_knows_and_no_text_are_refused() -> None:
    project = _Project()
    with pytest.raises(
        InputError, match=r"No rule and no text has the label 'drink'.\nThe labels are: fare, seat, meal"
    ):
        propose(project.bench, project.now, project.material, label="drink")
    held = _Project(rows=[("how much", "fare", "test"), ("what", None, None)])
    with pytest.raises(InputError) as caught:
        propose(held.bench, held.now, held.material)
    assert str(caught.value) == (
        "There is no labelled text to propose a rule from. The 1 labelled text of dev and test only evaluates.\n"
        "Label a few texts first."
    )
    with pytest.raises(InputError, match="There is no labelled text of 'seat' to propose a rule from"):
        propose(held.bench, held.now, held.material, label="seat")


def test_label_logic_is_proposed_too() -> None:
    project = _Project()
    default = propose_default(project.now, project.material)
    assert default is not None
    assert (default.label, default.fixed, default.of) == ("fare", 12, 25)
    found = propose_priorities(project.now, project.material)
    assert [(str(one), one.fixed, one.broken) for one in found] == [("seat > fare", 6, 0)]
    logic = add_priorities(with_default_label("", default.label), found)
    assert propose_default(analyse(project.bench, project.gold, RULES, logic), project.material) is None
    assert propose_priorities(analyse(project.bench, project.gold, RULES, logic), project.material) == ()
    assert add_priorities("x = 1", ()) == "x = 1"


def test_rules_grow_until_nothing_is_proposed() -> None:
    project = _Project()
    rules, logic = grow(project.bench, project.now, project.material)
    grown = analyse(project.bench, project.gold, rules, logic)
    assert project.now.accuracy is not None
    wrong = np.flatnonzero((grown.gold >= 0) & ~grown.correct)
    assert [project.texts[place] for place in wrong] == [
        "only here",  # of test
        "only here now",  # of dev
        "soup or salad",  # the one text of its label
    ]
    assert 'priorities = [\n    "seat > fare",\n]' in logic
    assert "default" not in logic, "one text alone makes no default label"
