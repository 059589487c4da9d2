"""Conditions proposed for slot rules: what a rule should leave out, with the spans that are removed and lost."""

from __future__ import annotations

from support.projects.span_samples import PLAIN, marked

from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.editor_texts import EditorTexts
from re2nn_core.services.rule_writing.slot_filling.exclusions import (
    SlotExclusion,
    propose_slot_exclusions,
    with_slot_exclusion,
)
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of
from re2nn_core.services.rule_writing.slot_filling.proposed_changes import accept_slot_proposal
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots

CITIES = ("rome", "oslo", "bonn", "bern", "kyiv", "riga")
RULES = "// trips\nto := $* to [ $ ]<city> $*     // too broad\n"
EXAMPLES = (
    *(marked(f"fly to {city} now", (city, "city")) for city in CITIES),
    *(marked(f"please listen to {city} music") for city in CITIES),
    marked("listen to rome", ("rome", "city")),
)


def analysed(rules: str = RULES) -> SlotAnalysis:
    bench = SlotBench([example.text for example in EXAMPLES], PLAIN)
    return analyse_slots(bench, [example.spans for example in EXAMPLES], rules, "")


def proposed(now: SlotAnalysis, **options: str) -> tuple[SlotExclusion, ...]:
    return propose_slot_exclusions(now, slot_material_of(now.gold, [None] * now.texts), **options)  # type: ignore[arg-type]


def test_a_rule_leaves_out_texts_of_incorrect_spans() -> None:
    now = analysed()
    [one] = proposed(now)
    assert (one.rule, one.condition, one.fixed_unseen, one.broken_unseen) == ("to", "but not ( $* music $* )", 6, 0)
    assert (len(one.fixed), len(one.broken)) == (6, 0)
    draft = Draft(1, 1, 1, (RULES, "", ""), EditorTexts(RULES, ""), "")
    accepted = accept_slot_proposal(draft, now, one)
    assert accepted is not None
    assert accepted.rules_text == "// trips\nto := $* to [ $ ]<city> $* but not ( $* music $* )     // too broad\n"
    after = analysed(accepted.rules_text)
    assert (after.counts.right, after.counts.given) == (7, 7)
    assert proposed(after) == ()


def test_conditions_are_for_one_slot_or_rule() -> None:
    now = analysed("other := $* fly from [ $ ]<other> $*\n" + RULES)
    assert [one.rule for one in proposed(now, slot="city")] == ["to"]
    assert [one.rule for one in proposed(now, rule="to")] == ["to"]
    assert proposed(now, rule="other") == proposed(now, slot="none") == ()


def test_a_correct_span_that_is_lost_is_counted() -> None:
    now = analysed()
    examples = (*EXAMPLES, marked("fly to lima music hall", ("lima", "city")))
    bench = SlotBench([example.text for example in examples], PLAIN)
    [one] = proposed(analyse_slots(bench, [example.spans for example in examples], RULES, ""))
    assert "music" not in one.condition or len(one.broken) == 1
    assert now.counts.right == 7


def test_the_spans_that_come_in_the_place_of_others_count() -> None:
    """What texts become without the rule counts, not the incorrect spans alone that go."""
    towns = [marked(f"go to new {city}", (f"new {city}", "city")) for city in CITIES]
    examples = (*towns, *(marked(f"go to {city} by bus", (city, "city")) for city in CITIES))
    rules = "two := $* to [ $ $ ]<city> $*\none := $* to [ $ ]<city> by $*\n"
    bench = SlotBench([example.text for example in examples], PLAIN)
    now = analyse_slots(bench, [example.spans for example in examples], rules, "longest = true\n")
    [one] = proposed(now)
    assert (one.rule, one.fixed_unseen, one.broken_unseen) == ("two", 12, 0), "incorrect ones go, correct ones come"
    after = analyse_slots(bench, now.gold, with_slot_exclusion(now.system, one), "longest = true\n")
    assert (now.counts.f1 or 0, after.counts.f1 or 0) == (0.5, 1.0)
    # Where two incorrect spans would come in the place of one, nothing is proposed.
    examples = (*towns, *(marked(f"go to {city} by bus") for city in CITIES))
    rules = "two := $* to [ $ $ ]<city> $*\none := $* to [ $ ]<city> by [ $ ]<bus> $*\n"
    bench = SlotBench([example.text for example in examples], PLAIN)
    now = analyse_slots(bench, [example.spans for example in examples], rules, "longest = true\n")
    assert [one.rule for one in proposed(now)] == ["one"]
