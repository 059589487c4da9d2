"""Figures of rules and labels on texts, the texts behind them, and the effect of an edit."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from support.processor_time import takes_less_than

from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.errors import LogicError, RuleError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import (
    Analysis,
    analyse,
    effect,
    evaluated_by,
    matched_words,
)
from re2nn_core.text.tokenization import Tokenization

PLAIN = Tokenization()
RULES = """\
[flight]
fly := $* ( fly | flight ) $*
to_place := $* to ( rome | paris ) $*

[baggage]
bag := $* ( bag | bags ) $*
"""
TEXTS = (
    ("book a flight to rome", "flight"),
    ("fly me home", "flight"),
    ("bags to rome", "baggage"),
    ("where is my suitcase", "baggage"),
    ("a bag on my flight", None),
    ("good morning", "chat"),
)


def analysed(rules: str = RULES, logic: str = "") -> Analysis:
    bench = TextBench([text for text, _ in TEXTS], PLAIN)
    return analyse(bench, [label for _, label in TEXTS], rules, logic)


def test_figures_of_a_rule_count_texts() -> None:
    fly, to_place, bag = analysed().rule_figures
    assert (fly.name, fly.label, fly.line) == ("fly", "flight", 2)
    assert (fly.matches, fly.labelled, fly.correct, fly.wrong, fly.alone, fly.conflicts) == (3, 2, 2, 0, 2, 1)
    assert (to_place.matches, to_place.correct, to_place.wrong, to_place.precision) == (2, 1, 1, 0.5)
    assert (bag.matches, bag.labelled, bag.precision) == (2, 1, 1.0)


def test_figures_of_a_label_name_labels_without_rules_too() -> None:
    figures = {row.label: row for row in analysed().label_figures}
    assert list(figures) == ["flight", "baggage", "chat"]
    assert (figures["chat"].rules, figures["chat"].texts, figures["chat"].missed) == (0, 1, 1)
    assert figures["chat"].precision is None
    assert (figures["baggage"].texts, figures["baggage"].missed, figures["baggage"].recall) == (2, 1, 0.0)


def test_texts_behind_the_figures() -> None:
    found = analysed()
    assert found.matches(rule="to_place").tolist() == [0, 2]
    assert found.matches(label="flight").tolist() == [0, 1, 2, 4]
    assert found.matches().tolist() == [0, 1, 2, 4]
    assert found.missed("baggage").tolist() == [3]
    assert found.missed().tolist() == [3, 5]
    assert found.wrong(rule="to_place").tolist() == [2]
    assert found.wrong(label="baggage").tolist() == []
    assert found.conflicts().tolist() == [2, 4]
    assert found.conflicts(rule="fly").tolist() == [4]


def test_accuracy_counts_no_prediction_as_wrong() -> None:
    found = analysed()
    assert (found.labelled, found.covered, found.predicted) == (5, 4, 4)
    assert found.accuracy == pytest.approx(2 / 5)
    assert [found.prediction(place) for place in range(6)] == ["flight", "flight", "flight", None, "flight", None]


def test_without_labels_there_is_no_accuracy() -> None:
    bench = TextBench(["a flight"], PLAIN)
    found = analyse(bench, [None], RULES, "")
    assert found.accuracy is None
    assert found.rule_figures[0].precision is None


def test_what_a_priority_decides_is_no_conflict() -> None:
    found = analysed(logic='priorities = ["baggage > flight"]')
    assert found.prediction(2) == "baggage"
    assert found.conflicts().tolist() == []
    assert [row.conflicts for row in found.rule_figures] == [0, 0, 0]


THREE = RULES + "[other]\nhome := $* ( home | rome ) $*\n"


@pytest.mark.parametrize(
    ("priorities", "conflicts"),
    [
        ([], [0, 1, 2, 4]),
        (["baggage > flight"], [0, 1, 2]),  # in the third the order decides between baggage and other
        (["flight > other"], [2, 4]),
        (["baggage > flight", "flight > other"], []),  # baggage beats flight, which beats other
        (["other > baggage", "other > flight", "baggage > flight"], []),
    ],
)
def test_a_conflict_is_what_no_priority_decides(priorities: list[str], conflicts: list[int]) -> None:
    found = analysed(THREE, f"priorities = {priorities}".replace("'", '"'))
    assert found.conflicts().tolist() == conflicts
    assert [text for text in range(6) if int(found.active[text].sum()) > 1] == conflicts


@pytest.mark.parametrize(
    "logic", ["", 'default = "flight"', 'default = "baggage"', 'priorities = ["baggage > flight"]']
)
@pytest.mark.parametrize("rules", [RULES, THREE, "[chat]\nhello := hello\n[flight]\nx := $*\n[baggage]\ny := y\n"])
def test_right_wrong_and_missed_texts_are_the_labelled_ones(rules: str, logic: str) -> None:
    found = analysed(rules, logic)
    wrong, missed = set(found.wrong().tolist()), set(found.missed().tolist())
    right = set(np.flatnonzero(found.correct).tolist())
    assert len(right) + len(wrong) + len(missed) == found.labelled == len(right | wrong | missed)
    assert wrong <= set(found.matches().tolist())
    for label in found.labels:
        assert not set(found.missed(label).tolist()) & {*found.matches(label=label).tolist(), *right}


def test_what_the_default_label_sets_right_is_not_missed() -> None:
    found = analysed(logic='default = "baggage"')
    assert found.missed("baggage").tolist() == []
    assert found.missed().tolist() == [5]


def test_a_rule_that_no_formula_names_moves_no_figure_but_its_own() -> None:
    logic = 'logic = ["fly | to_place -> flight"]\n'
    before = analysed(logic=logic)
    after = analysed(RULES.replace("[baggage]", "case := $* ( suitcase | morning ) $*\n\n[baggage]"), logic)
    assert [rule.name for rule in after.unused] == ["case"]
    assert [warning.where for warning in after.warnings] == ["rule 'case'"]
    assert {figures.name: figures.matches for figures in after.rule_figures}["case"] == 2
    assert after.covered == before.covered
    assert after.label_figures == tuple(
        replace(figures, rules=figures.rules + (figures.label == "flight")) for figures in before.label_figures
    )
    for view in ("matches", "missed", "wrong", "conflicts"):
        for label in (None, "flight"):
            assert getattr(after, view)(label=label).tolist() == getattr(before, view)(label=label).tolist(), view
    assert effect(after, before).nothing


def test_effect_of_an_edit_is_won_lost_and_changed() -> None:
    before = analysed()
    fixed = effect(analysed(RULES.replace("bags )", "bags | suitcase )")), before)
    assert (fixed.fixed.tolist(), fixed.broken.tolist(), fixed.changed.tolist()) == ([3], [], [])
    broken = effect(analysed(RULES.replace("( fly | flight )", "fly")), before)
    assert (broken.fixed.tolist(), broken.broken.tolist()) == ([], [])
    assert broken.changed.tolist() == [4]
    assert effect(analysed(), before).nothing


def test_effect_of_a_label_that_only_the_old_rules_know() -> None:
    before = analysed(RULES + "\n[other]\nrest := good morning\n")
    change = effect(analysed(), before)
    assert change.changed.tolist() == [5]
    assert (change.accuracy_before, change.accuracy_now) == (2 / 5, 2 / 5)


@pytest.mark.parametrize(
    "labels",
    [
        ["flight", None, "baggage", "spam", "flight", None],  # one that nothing had before, and one that has gone
        [None] * 6,
        [label for _, label in TEXTS],
    ],
)
def test_the_same_predictions_judged_by_other_labels(labels: list[str | None]) -> None:
    """As if the rules had run anew with these labels."""
    found, texts = analysed(), [text for text, _ in TEXTS]
    slow, quick = analyse(TextBench(texts, PLAIN), labels, RULES, ""), evaluated_by(found, labels)
    assert quick.labels == slow.labels
    for name in ("gold", "matched", "label_holds", "predictions", "correct"):
        assert np.array_equal(getattr(quick, name), getattr(slow, name)), name
    assert (quick.rule_figures, quick.label_figures) == (slow.rule_figures, slow.label_figures)
    assert found.accuracy == analysed().accuracy


def test_faults_are_raised_all_at_once() -> None:
    with pytest.raises(RuleError) as caught:
        analysed("[flight]\n( fly\n$* {2\n")
    assert [fault.line for fault in caught.value.faults] == [2, 3]
    assert "is never closed" in str(caught.value)
    with pytest.raises(LogicError, match="label logic"):
        analysed(logic='priorities = ["a > b"]')


def test_matched_words_are_those_the_rule_names() -> None:
    tree = parse_expression("$* from $ to ( rome | paris ) $* %")
    [marks] = matched_words(tree, ["Ticket from Oslo to Rome at 5"], PLAIN)
    text = "Ticket from Oslo to Rome at 5"
    assert [(text[start:end], kind) for start, end, kind in marks] == [
        ("from", "hit"),
        ("Oslo", "any"),
        ("to", "hit"),
        ("Rome", "hit"),
        ("5", "hit"),
    ]
    assert matched_words(tree, ["nothing of it"], PLAIN) == [()]


def test_a_rule_past_the_live_budget_is_run_on_its_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("re2nn_core.automata.matcher.MATCH_BUDGET", 2)
    found = analysed()
    tree = found.system.ruleset.rules[1].expanded
    expected = [accepts(build_positions(tree), text.split()) for text, _ in TEXTS]
    assert found.matched[:, 1].tolist() == expected


def test_only_changed_rules_are_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = TextBench([text for text, _ in TEXTS], PLAIN)
    ran: list[int] = []
    original = TextBench._run
    monkeypatch.setattr(TextBench, "_run", lambda self, trees: ran.append(len(trees)) or original(self, trees))
    for rules in (RULES, RULES.replace("fly |", "fly | plane |"), RULES):
        analyse(bench, [label for _, label in TEXTS], rules, "")
    assert ran == [3, 1, 0]


def test_an_edit_on_ten_thousand_texts_takes_less_than_half_a_second() -> None:
    bench = TextBench([text for text, _ in TEXTS] * 1_700, PLAIN)
    gold = [label for _, label in TEXTS] * 1_700
    before = analyse(bench, gold, RULES, "")
    tries = count()

    def edit() -> None:
        """Another rule each time: what was run is kept."""
        now = analyse(bench, gold, RULES.replace("bags )", f"bags | suitcase | trunk{next(tries)} )"), "")
        assert len(effect(now, before).fixed) == 1_700
        assert now.rule_figures
        assert now.label_figures

    assert takes_less_than(0.5, edit)


def test_figures_of_four_thousand_rules_take_less_than_half_a_second() -> None:
    """Rules are not compared in pairs."""
    rules = RULES + "".join(f"$* word{number} $*\n" for number in range(4_000))
    kept = analysed(rules)

    def figures() -> None:
        found = replace(kept)  # without what it remembers
        assert len(found.rule_figures) == 4_003

    assert takes_less_than(0.5, figures)
