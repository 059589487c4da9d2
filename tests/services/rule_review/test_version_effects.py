"""The part that one rule has in the predictions that move between two versions."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.version_effects import effect_of_rule
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import analyse, effect
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slots, slot_effect
from re2nn_core.task import Task
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

TEXTS = ("the fare", "the cost", "a flight", "a plane", "cost and plane")
GOLD = ("money", "money", "travel", "travel", None)
BEFORE = "[money]\nprice := $* fare $*\n[travel]\ngo := $* flight $*\nstay := $* hotel $*\n"
AFTER = "[money]\nprice := $* ( fare | cost ) $*\n[travel]\ngo := $* plane $*\nstay := $* hotel $*\n"


@pytest.mark.parametrize(
    ("rule", "fixed", "broken", "changed", "gain"),
    [
        ("price", [1], [], [4], 0.25),
        ("go", [3], [2], [], 0.0),  # in the last text `price` decides, which stands first
        ("stay", [], [], [], 0.0),
        ("nobody", [], [], [], 0.0),
    ],
)
def test_a_rule_has_a_part_where_it_matches_otherwise(rule, fixed, broken, changed, gain) -> None:
    bench = TextBench(TEXTS, Tokenization())
    before, now = (analyse(bench, GOLD, rules, None) for rules in (BEFORE, AFTER))
    found = effect_of_rule(Task.CLASSIFICATION, rule, before, now, effect(now, before), {0, 1, 2, 3})
    assert (found.moved.fixed, found.moved.broken, found.moved.changed, found.gain) == (fixed, broken, changed, gain)


def test_two_rules_that_lead_to_a_label_alone_both_have_a_part() -> None:
    bench = TextBench(("the cost fee", "a flight"), Tokenization())
    rules = "[money]\na := $* dear $*\nb := $* cheap $*\n[travel]\ngo := $* flight $*\n"
    before, now = (
        analyse(bench, ("money", "travel"), text, None)
        for text in (rules, rules.replace("dear", "cost").replace("cheap", "fee"))
    )
    for name in ("a", "b"):
        found = effect_of_rule(Task.CLASSIFICATION, name, before, now, effect(now, before), {0, 1})
        assert (found.moved.fixed, found.gain) == ([0], 0.5)


def test_a_span_counts_for_the_rule_that_captures_it_and_f1_is_that_of_all_held_out_texts() -> None:
    texts = ("from rome to oslo", "from bern", "to bonn", "stay in rome")
    spans = [
        (Span(5, 9, "from"), Span(13, 17, "to")),
        (),
        (Span(3, 7, "to"),),
        (Span(8, 12, "in"),),
    ]
    bench = SlotBench(texts, Tokenization())
    rules = "in_city := $* in ( rome<:>B-in ) $*\n"
    new = (
        "from_city := $* from ( rome<:>B-from | bern<:>B-from ) $*\nto_city := $* to ( oslo<:>B-to | bonn<:>B-to ) $*\n"
    )
    before, now = (analyse_slots(bench, spans, text, "") for text in (rules, rules + new))
    moved = slot_effect(now, before)
    found = {
        name: effect_of_rule(Task.SLOT_FILLING, name, before, now, moved, {0, 1, 2, 3})
        for name in ("in_city", "from_city", "to_city")
    }
    moves = {name: (one.moved.fixed, one.moved.broken) for name, one in found.items()}
    assert moves == {"in_city": ([], []), "from_city": ([0], [1]), "to_city": ([0, 2], [])}
    gains = {name: round(one.gain, 4) for name, one in found.items()}
    # 1 of 4 spans before: F1 2/5; with from_city 2 of 3 given: 4/7; with to_city 3 of 3: 6/7.
    assert gains == {"in_city": 0.0, "from_city": round(4 / 7 - 2 / 5, 4), "to_city": round(6 / 7 - 2 / 5, 4)}
