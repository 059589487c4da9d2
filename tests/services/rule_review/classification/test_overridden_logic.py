"""What a new rule overrides of the label logic."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.classification.overridden_logic import OverriddenLogic, overridden_logic
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import analyse
from re2nn_core.text.tokenization import Tokenization

RULES = "[ham]\nreal_code := $* code $*\nsee_you := $* see you $*\n[spam]\nprize := $* prize $*\n"
NEW = RULES + "spam.new := $* now $*\n"
VETO = '"prize & !real_code -> spam"'


def overridden(texts: list[str], logic: str) -> OverriddenLogic:
    bench, gold = TextBench(texts, Tokenization()), [None] * len(texts)
    before = analyse(bench, gold, RULES, logic)
    now = analyse(bench, gold, NEW, f'{logic}first = ["spam.new -> spam"]\n')
    return overridden_logic(now.system.ruleset.rules[3], before, now, texts)


def test_a_veto_and_a_priority_are_named_with_a_text_of_the_project() -> None:
    """That the new rule does not know of a veto was not seen behind “no priority and no other formula counts”."""
    logic = f'default = "ham"\npriorities = ["ham > spam"]\nlogic = [{VETO}]\n'
    found = overridden(["the code now, or else", "code now", "a prize now", "code"], logic)
    assert found == OverriddenLogic(("real_code",), ("ham",), "code now", "ham")


def test_where_no_text_of_the_project_shows_it_one_is_made_up() -> None:
    found = overridden(["win now", "your code", "prize"], f"logic = [{VETO}]\n")
    assert found == OverriddenLogic(("real_code",), (), "your code win now", "ham", made_up=True)


@pytest.mark.parametrize(
    "logic", ['default = "ham"\n', 'priorities = ["spam > ham"]\n', 'logic = ["!!prize -> spam"]\n']
)
def test_a_label_without_vetoes_has_nothing_to_override(logic: str) -> None:
    assert overridden(["code now", "prize now"], logic) == OverriddenLogic()


def test_one_more_way_to_a_label_overrides_its_vetoes_and_no_priority() -> None:
    logic = f'priorities = ["ham > spam"]\nlogic = [{VETO}]\n'
    bench = TextBench(["code now", "see you now", "win now"], Tokenization())
    before = analyse(bench, [None] * 3, RULES, logic)
    now = analyse(bench, [None] * 3, NEW, logic.replace("prize &", "spam.new | prize &"))
    found = overridden_logic(now.system.ruleset.rules[3], before, now, ["code now", "see you now", "win now"])
    assert found == OverriddenLogic(("real_code",), first=False)


def test_a_rule_that_predicted_first_before_is_no_veto() -> None:
    logic = f'logic = [{VETO}]\nfirst = ["see_you -> ham"]\n'
    bench = TextBench(["see you", "now"], Tokenization())
    before = analyse(bench, [None, None], RULES, logic)
    logic = logic.replace('-> ham"', '-> ham", "spam.new -> spam"')
    now = analyse(bench, [None, None], NEW, logic)
    assert overridden_logic(now.system.ruleset.rules[3], before, now, ["see you", "now"]).vetoes == ("real_code",)
