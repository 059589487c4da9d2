"""Figures of slot rules on texts, the spans behind them, disputes over words, the effect of an edit."""

from __future__ import annotations

import pytest
from support.projects.span_samples import EXAMPLES, PLAIN, RULES, analysis, marked

from re2nn_core.errors import InputError, LogicError, RuleError
from re2nn_core.services.rule_writing.slot_filling import incremental_matcher
from re2nn_core.services.rule_writing.slot_filling.disputed_tokens import disputes
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import (
    Found,
    SlotAnalysis,
    analyse_slots,
    slot_effect,
    spans_evaluated_by,
)
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanCounts
from re2nn_core.text.tokenization import Tokenization

BY_DAY = 'priorities = ["day > to_city"]\n'


def words(found: Found) -> dict[int, list[tuple[str, str]]]:
    """Spans as (words, slot), by the number of their text."""
    return {
        text: [(EXAMPLES[text].text[span.start : span.end], span.slot) for span in spans]
        for text, spans in found.items()
    }


def test_predictions_are_counted_against_marked_spans_of_marked_texts_alone() -> None:
    found = analysis()
    assert found.counts == SpanCounts(marked=7, given=6, right=4)
    assert found.annotated_texts == 5
    assert (found.counts.precision, found.counts.recall) == (4 / 6, 4 / 7)
    assert found.counts.f1 == pytest.approx(8 / 13)


def test_counts_of_nothing_are_no_shares() -> None:
    nothing = SpanCounts(0, 0, 0)
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)


def test_each_slot_of_a_rule_has_its_own_figures() -> None:
    rows = {(row.name, row.slot): row for row in analysis().rule_figures}
    assert list(rows) == [("to", "to_city"), ("from_to", "from_city"), ("from_to", "to_city"), ("day", "day")]
    assert (rows["to", "to_city"].spans, rows["to", "to_city"].counts) == (4, SpanCounts(3, 3, 2))
    assert rows["to", "to_city"].wrong == 1
    assert rows["from_to", "from_city"].counts == SpanCounts(2, 1, 1)
    assert [row.conflicts for row in rows.values()] == [1, 0, 0, 1]


def test_figures_of_a_slot_are_those_of_the_predictions() -> None:
    rows = {row.slot: row for row in analysis().slot_figures}
    assert rows["to_city"].rules == 2
    assert (rows["to_city"].spans, rows["to_city"].wrong, rows["to_city"].missed) == (4, 1, 1)
    assert rows["day"].counts == SpanCounts(2, 2, 1), "the rule is right about it, but loses the word"
    assert (rows["from_city"].missed, rows["day"].conflicts) == (1, 1)


def test_slots_that_only_texts_have_come_behind_those_of_the_rules() -> None:
    examples = [marked("in may", ("may", "month"))]
    found = analyse_slots(SlotBench(["in may"], PLAIN), [examples[0].spans], RULES, "")
    assert found.slots == ("to_city", "from_city", "day", "month")
    assert found.slot_figures[-1].rules == 0
    assert found.slot_figures[-1].missed == 1


def test_the_same_predictions_judged_by_other_spans() -> None:
    gold = [None if place % 2 else example.spans for place, example in enumerate(EXAMPLES)]
    gold[0] = marked("in may", ("may", "month")).spans
    slow = analyse_slots(SlotBench([example.text for example in EXAMPLES], PLAIN), gold, RULES, "")
    quick = spans_evaluated_by(analysis(), gold)
    assert (quick.slots, quick.gold, quick.predictions) == (slow.slots, slow.gold, slow.predictions)
    assert (quick.counts, quick.rule_figures, quick.slot_figures) == (slow.counts, slow.rule_figures, slow.slot_figures)
    assert quick.counts != analysis().counts


def test_hits_missed_and_wrong_are_the_spans_behind_the_figures() -> None:
    found = analysis()
    assert words(found.matches("day")) == {1: [("friday", "day")], 2: [("monday", "day")], 3: [("monday", "day")]}
    assert words(found.matches(slot="day")) == {1: [("friday", "day")], 3: [("monday", "day")]}
    assert words(found.wrong()) == {2: [("bergen monday", "to_city")], 3: [("monday", "day")]}
    assert words(found.wrong("to")) == {2: [("bergen monday", "to_city")]}
    assert words(found.missed(slot="from_city")) == {4: [("tromso", "from_city")]}
    assert words(found.missed("day")) == {2: [("monday", "day")]}
    assert words(found.matches("from_to", "from_city")) == {1: [("rome", "from_city")]}


def test_a_missed_span_knows_the_rules_that_would_give_it() -> None:
    found, span = analysis(), EXAMPLES[2].spans[1]  # type: ignore[index]
    assert found.gives(2, "day", span.start, span.end) == ("day",)
    assert found.gives(2, "to_city", span.start, span.end) == ()


def test_a_word_for_two_slots_is_in_conflict_and_says_who_wins_and_why() -> None:
    found = analysis()
    assert found.conflicts() == {2: (2,)}
    assert found.conflicts("to") == found.conflicts(slot="day") == {2: (2,)}
    assert found.conflicts(slot="from_city") == {}
    [one] = disputes(found, 2, (2,))
    assert [(claim.slot, claim.rules) for claim in one.claims] == [("to_city", ("to",)), ("day", ("day",))]
    assert (one.winner.tag, one.why) == ("I-to_city", "as the first in the rules")


def test_priorities_and_votes_decide_and_are_named() -> None:
    found = analysis(logic=BY_DAY)
    [one] = disputes(found, 2, (2,))
    assert (one.winner.slot, one.why) == ("day", "by priority")
    assert words(found.matches(slot="day"))[2] == [("monday", "day")]
    twice = analysis(RULES + "again := $* [ monday ]<day> $*\n")
    [one] = disputes(twice, 2, (2,))
    assert (one.winner.rules, one.why) == (("day", "again"), "by 2 votes to 1")


def test_neighbours_that_are_disputed_alike_are_one_dispute() -> None:
    rules = "a := [ one two ]<x> $*\nb := [ one two ]<y> $*\n"
    found = analyse_slots(SlotBench(["one two three"], PLAIN), [None], rules, "")
    [one] = disputes(found, 0, found.contested[0])
    assert (one.start, one.end, one.winner.slot) == (0, 7, "x")


def test_where_a_slot_begins_can_be_disputed_by_a_rule_with_itself() -> None:
    found = analyse_slots(SlotBench(["next friday"], PLAIN), [None], "a := $* [ next? friday ]<day> $*", "")
    [one] = disputes(found, 0, found.contested[0])
    assert one.borders
    assert [claim.tag for claim in one.claims] == ["B-day", "I-day"]
    longest = analyse_slots(
        SlotBench(["next friday"], PLAIN), [None], "a := $* [ next? friday ]<day> $*", "longest = true"
    )
    assert [(span.start, span.end) for span in longest.predictions[0]] == [(0, 11)]


def test_o_of_a_tagging_rule_is_a_conflict_only_where_it_wins() -> None:
    rules = "a := to<:>O $<:>B-city\nb := $<:>OO* oslo<:>B-city\nc := to<:>B-verb $<:>OO*\n"
    found = analyse_slots(SlotBench(["to oslo"], PLAIN), [None], rules, "")
    assert found.contested == {0: (0,)}, "oslo is wanted for one slot alone; to for O and a slot"
    [one] = disputes(found, 0, (0,))
    assert (one.winner.slot, one.why) == (None, "as the first with equal votes")


def test_an_edit_wins_loses_and_changes_texts() -> None:
    before = analysis()
    now = analysis(RULES.replace("$* to [ $ $? ]", "$* to [ @city@ | bergen ]").replace("monday | ", ""))
    change = slot_effect(now, before)
    assert list(change.fixed) == [2, 3], "bergen without monday, and no monday where none is marked"
    assert list(change.broken) == []
    assert list(change.changed) == [5], "nobody has marked it"
    assert (change.before.right, change.now.right) == (4, 5)
    assert list(slot_effect(before, now).broken) == [2, 3]
    assert slot_effect(before, before).nothing


def test_only_rules_that_changed_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = SlotBench([example.text for example in EXAMPLES], PLAIN)
    first = analysis(bench=bench)
    read: list[str] = []
    made = SlotBench._read

    def counting(self: SlotBench, trees: dict, logic: object) -> dict:
        read.extend(trees.values())
        return made(self, trees, logic)  # type: ignore[arg-type]

    monkeypatch.setattr(SlotBench, "_read", counting)
    again: SlotAnalysis = analysis(bench=bench)
    assert (again.predictions, read) == (first.predictions, [])
    analysis(RULES.replace("monday", "sunday"), bench=bench)
    assert read == ["day"]


def test_a_part_of_the_texts_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening Compare and saving read each rule anew for the texts that each change breaks."""
    whole, places = analysis(), (3, 1)
    texts = [EXAMPLES[place].text for place in places]
    gold = [whole.gold[place] for place in places]
    alone = analyse_slots(SlotBench(texts, whole.system.tokenization), gold, RULES, "")

    def never(*_: object) -> None:
        raise AssertionError("it was read before")

    part = whole.bench.part(places)
    with monkeypatch.context() as patch:
        patch.setattr(incremental_matcher, "TagReader", never)
        found = analyse_slots(part, gold, RULES, "")
    assert (found.predictions, found.accepting) == (alone.predictions, alone.accepting)
    assert list(map(vars, found.readings)) == list(map(vars, alone.readings))
    assert any(found.predictions)
    other = RULES.replace("day :=", "further := $* [ oslo ]<to_city> $*\nday :=")
    fresh = analyse_slots(SlotBench(texts, whole.system.tokenization), gold, other, "")
    assert analyse_slots(part, gold, other, "").predictions == fresh.predictions


def test_kept_readings_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("re2nn_core.services.rule_writing.slot_filling.incremental_matcher.KEPT_WORDS", 5)
    bench = SlotBench([example.text for example in EXAMPLES], PLAIN)
    for day in ("monday", "friday", "sunday"):
        analysis(f"day := $* [ {day} ]<day> $*", bench=bench)
    assert len(bench._readings) <= 2


def test_faults_are_told_as_such() -> None:
    with pytest.raises(RuleError, match="never closed"):
        analysis("a := $* [ x $*")
    with pytest.raises(LogicError, match="there is no slot 'night'"):
        analysis(logic='priorities = ["night > day"]')
    with pytest.raises(InputError, match="no rule captures a word"):
        analysis("[label]\n$* x $*")


def test_slots_of_the_rules_that_no_text_is_marked_with_are_known() -> None:
    found = analysis(RULES + "seat := $* [ window | aisle ]<seat> $*\nlong := $* [ monday ]<Day> $*\n")
    assert found.unseen == ("seat", "Day")
    assert (found.spelt_in_texts("Day"), found.spelt_in_texts("seat"), found.spelt_in_texts("day")) == (
        "day",
        None,
        None,
    )
    assert analysis().unseen == ()
    bench = SlotBench(["to oslo"], PLAIN)
    assert (
        analyse_slots(bench, [None], RULES, "").unseen == ()
    )  # nobody has marked anything: that is reported elsewhere


def test_slots_are_spelt_as_the_texts_spell_them_where_case_does_not_count() -> None:
    bench = SlotBench([example.text for example in EXAMPLES], PLAIN)
    gold = [example.spans for example in EXAMPLES]
    shouted = RULES.replace("<day>", "<DAY>")
    apart = analyse_slots(bench, gold, shouted, BY_DAY.replace("day", "DAY"))
    assert apart.unseen == ("DAY",)
    known = analyse_slots(bench, gold, shouted, BY_DAY.replace("day", "DAY"), ("day", "to_city"))
    assert known.slots == analysis().slots
    assert known.predictions == analysis(logic=BY_DAY).predictions
    assert known.system.spelt == {"DAY": "day"}


def test_spans_of_some_texts_are_counted_alone() -> None:
    assert analysis().counts_on([0, 1]) == SpanCounts(marked=4, given=4, right=4)
    assert analysis().counts_on([]) == SpanCounts(0, 0, 0)


def test_words_that_the_tokenizer_cuts_are_a_warning() -> None:
    bench = SlotBench(["at 7:15"], Tokenization("punctuation"))
    [warning] = analyse_slots(bench, [None], "at := $* [ 7:15 ]<time> $*\n", "").warnings
    assert "'7:15'" in warning.message
    assert (warning.file, warning.line) == ("rules", 1)
