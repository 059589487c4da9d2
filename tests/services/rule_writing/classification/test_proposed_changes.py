"""All that is proposed at once, for one label or all, and a draft that takes one of them."""

from __future__ import annotations

import dataclasses

import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material, material_of
from re2nn_core.services.rule_writing.classification.proposed_changes import (
    ProposedChanges,
    accept_change,
    held_out_effects,
    propose_changes,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.editor_texts import EditorTexts
from re2nn_core.text.tokenization import Tokenization

RULES = "[fare]\nprice := $* price $*\n\n[seat]\nseat := $* seat $*\n"
ROWS = (
    *((f"how much is {city}", "fare", "train") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"the seat price to {city}", "seat", "train") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"soup for {city}", "meal", "train") for city in ("paul", "anna", "otto")),
    *((f"good {what}", "other", "train") for what in ("morning", "evening", "bye", "one", "idea")),
    ("how much", "fare", "dev"),
    ("seat price", "seat", "test"),
)
SPLITS = [row[2] for row in ROWS]
BENCH = TextBench([row[0] for row in ROWS], Tokenization())


def _analysis(rules: str = RULES, logic: str = "") -> tuple[Analysis, Material]:
    gold = [row[1] for row in ROWS]
    return analyse(BENCH, gold, rules, logic), material_of(gold, SPLITS)


def _proposed(label: str | None = None) -> tuple[Analysis, ProposedChanges]:
    now, material = _analysis()
    return now, propose_changes(BENCH, now, material, label=label)


def _draft(rules: str = RULES, logic: str = "") -> Draft:
    return Draft(1, 1, 1, (rules, logic, ""), EditorTexts(rules, logic), "")


def test_rules_priorities_and_a_default_label_are_proposed_together() -> None:
    _, found = _proposed()
    assert [(one.label, one.expression) for one in found.rules] == [
        ("fare", "$* much $*"),
        ("other", "$* good $*"),
        ("meal", "$* soup $*"),
    ]
    assert [str(one) for one in found.priorities] == ["seat > fare"]
    assert found.default is not None
    assert (found.default.label, found.default.fixed, found.default.of) == ("fare", 6, 14)


@pytest.mark.parametrize(
    ("label", "rules", "priorities", "default"),
    [
        ("fare", ["$* much $*"], ["seat > fare"], "fare"),
        ("meal", ["$* soup $*"], [], None),
        ("seat", [], ["seat > fare"], None),
    ],
)
def test_of_one_label_only_what_it_takes_part_in(
    label: str, rules: list[str], priorities: list[str], default: str | None
) -> None:
    _, found = _proposed(label)
    assert [one.expression for one in found.rules] == rules
    assert [str(one) for one in found.priorities] == priorities
    assert (found.default and found.default.label) == default
    assert not found.nothing


def test_an_accepted_rule_is_in_the_editor_and_in_sight() -> None:
    now, found = _proposed()
    draft = accept_change(_draft(), now, found.rules[0])
    assert draft is not None
    assert draft.rules_text.splitlines()[2] == "much := $* much $*"
    assert (draft.reveal_line, draft.reveal_nonce, draft.dirty) == (3, 1, True)


def test_accepted_priorities_and_default_label_are_in_the_label_logic() -> None:
    now, found = _proposed()
    assert found.default is not None
    with_order = accept_change(_draft(), now, found.priorities)
    with_label = accept_change(_draft(), now, found.default)
    assert with_order is not None
    assert with_label is not None
    assert (with_order.rules_text, with_order.logic_text) == (RULES, 'priorities = [\n    "seat > fare",\n]\n')
    assert (with_label.rules_text, with_label.logic_text) == (RULES, 'default = "fare"\n')


def test_what_was_typed_meanwhile_is_never_replaced() -> None:
    now, found = _proposed()
    typed = dataclasses.replace(_draft(), editors=EditorTexts(RULES + "\n// more\n", ""))
    assert accept_change(typed, now, found.rules[0]) is None


def test_what_it_does_to_dev_and_test_is_counted_apart() -> None:
    _, found = _proposed()
    shown = [(one.split, one.fixed, one.broken) for one in held_out_effects(found.rules[0], SPLITS)]
    assert shown == [("dev", 1, 0), ("test", 0, 0)]
    assert held_out_effects(found.rules[0], ["train"] * len(ROWS)) == ()


def test_nothing_is_proposed_from_no_labelled_text() -> None:
    now, _ = _analysis()
    with pytest.raises(InputError, match="There is no labelled text to propose a rule from"):
        propose_changes(BENCH, now, material_of([None] * len(ROWS), SPLITS))
