"""Rules proposed for slots: from what, evaluated on what, and what they do when they run."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from support.projects.span_samples import PLAIN, RULES, marked

from re2nn_core.errors import InputError
from re2nn_core.services.rule_writing.slot_filling import proposals
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of
from re2nn_core.services.rule_writing.slot_filling.proposals import propose_for_slots, search_through
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import SlotProposal, with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span

NOTHING = "none := $* [ yourword ]<from> $*\n"
CITIES = ("rome", "oslo", "bonn", "bern", "kyiv", "riga", "porto", "new york")


def trips(count: int = 60) -> list[Example]:
    """Texts in which only the word in front tells where a city belongs."""
    drawn = random.Random(1)
    found = []
    for number in range(count):
        one, other = drawn.sample(CITIES, 2)
        text, pairs = f"fly from {one} to {other}", [(one, "from"), (other, "to")]
        if number % 3 == 0:
            text, pairs = f"{text} at {number} pm", [*pairs, (f"{number} pm", "time")]
        found.append(marked(text, *pairs))
    return found


def analysed(examples: Sequence[Example], rules: str = NOTHING, logic: str = "longest = true\n") -> SlotAnalysis:
    bench = SlotBench([example.text for example in examples], PLAIN)
    return analyse_slots(bench, [example.spans for example in examples], rules, logic)


def proposed(analysis: SlotAnalysis, splits: Sequence[str | None] = (), **options: object) -> tuple[SlotProposal, ...]:
    material = slot_material_of(analysis.gold, splits or [None] * analysis.texts)
    return propose_for_slots(analysis, material, **options)  # type: ignore[arg-type]


def test_values_get_the_words_in_front_where_they_are_ambiguous() -> None:
    now = analysed(trips())
    found = proposed(now)
    expressions = {one.slot: one.expression for one in found}
    assert expressions["from"] == "$* from [ @from@ ]<from> $*"
    assert expressions["to"] == "$* to [ @from@ ]<to> $*"
    assert expressions["time"] == "$* [ % pm ]<time> $*"
    after = analysed(trips(), with_slot_proposals(NOTHING, found))
    assert (after.counts.right, after.counts.given) == (after.counts.marked, after.counts.marked)


def test_figures_are_those_of_the_rule_that_runs() -> None:
    now = analysed(trips())
    for one in proposed(now):
        after = analysed(trips(), with_slot_proposals(NOTHING, [one]))
        assert len(one.fixed) == after.counts.right == one.correct
        assert len(one.broken) == after.counts.given - after.counts.right == one.matches - one.correct


def test_a_quick_look_makes_rules_of_fewer_texts_and_evaluates_them_on_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "QUICK_TEXTS", 20)
    monkeypatch.setattr(proposals, "QUICK_RULES", 2)
    found = proposed(analysed(trips()), quick=True)
    assert len(found) == 2
    assert all(one.fixed_unseen <= 20 < len(one.fixed) == one.correct for one in found)


def test_rules_for_chosen_texts_fix_one_of_them() -> None:
    now = analysed(trips())
    timeless = [place for place, example in enumerate(trips()) if " pm" not in example.text]
    assert {one.slot for one in proposed(now, chosen=timeless[:3])} == {"from", "to"}
    assert {one.slot for one in proposed(now, chosen=[0])} == {"from", "to", "time"}
    with pytest.raises(InputError, match="No selected text is annotated outside of dev and test"):
        proposed(now, ["dev", *[None] * (now.texts - 1)], chosen=[0])


def test_a_value_of_one_text_alone_fixes_nothing() -> None:
    apart = [marked(f"a{number} b{number} c{number}", (f"b{number}", "odd")) for number in range(9)]
    assert proposed(analysed(apart)) == ()


def test_dev_and_test_only_evaluate() -> None:
    examples = trips()
    splits = ["dev" if "rome" in example.text else None for example in examples]
    found = proposed(analysed(examples), splits)
    assert all("rome" not in line for one in found for line in one.lines)
    assert any(splits[place] == "dev" for one in found for place, _ in one.fixed)


def test_one_slot_alone() -> None:
    assert {one.slot for one in proposed(analysed(trips()), slot="time")} == {"time"}


def test_what_rules_give_already_is_not_proposed() -> None:
    now = analysed(trips())
    rules = with_slot_proposals(NOTHING, proposed(now))
    assert proposed(analysed(trips(), rules)) == ()


def test_classes_that_are_there_are_used() -> None:
    city = " | ".join(CITIES)
    found = proposed(analysed(trips(), f"@city@=( {city} )\nnone := $* [ yourword ]<from> $*\n"))
    assert {one.expression for one in found if one.slot == "from"} == {"$* from [ @city@ ]<from> $*"}
    assert all(not one.classes for one in found)


def test_values_that_a_class_lacks_are_added_to_it() -> None:
    days = [marked(f"fly on {day} please", (day, "day")) for day in ("monday", "friday", "sunday", "easter") * 5]
    rules = (
        "@day@=( monday | friday )    // of the week\nday := $* [ @day@ ]<day> $*\nnext := $* next $* [ % ]<day> $*\n"
    )
    now = analysed(days, rules)
    [found] = proposed(now)
    assert (found.name, found.extends, set(found.values)) == ("day", "day", {"sunday", "easter"})
    changed = with_slot_proposals(rules, [found])
    assert changed.startswith("@day@=( monday | friday | ")
    assert "    // of the week\nday := $* [ @day@ ]<day> $*\n" in changed
    after = analysed(days, changed)
    assert (len(found.fixed), after.counts.right, found.matches, found.correct) == (10, 20, 20, 20)


def test_a_class_of_several_rules_is_left_as_it_is() -> None:
    days = [marked(f"fly on {day} please", (day, "day")) for day in ("monday", "friday", "sunday") * 5]
    rules = "@day@=( monday | friday )\nday := $* [ @day@ ]<day> $*\nto := $* to [ @day@ ]<to> $*\n"
    [found] = proposed(analysed(days, rules))
    assert (found.extends, found.expression) == (None, "$* [ sunday ]<day> $*")


def test_votes_of_the_rules_that_there_are_give_their_spans() -> None:
    examples = [*trips(), marked("to oslo on monday", ("oslo", "to_city"), ("monday", "day"))]
    for logic in ("", "longest = true\n"):
        now = analysed(examples, RULES, logic)
        material = slot_material_of(now.gold, [None] * now.texts)
        _, search = search_through(now, material)
        votes = search.votes
        starts = np.flatnonzero(votes.spans_now()[0])
        texts = votes.row.text[starts]
        given = [
            (int(text), int(start - votes.row.begins[text]), int(votes.length[start]), votes.slots[votes.slot[start]])
            for text, start in zip(texts, starts, strict=True)
        ]
        assert given == [
            (text, *_in_words(now, text, span)) for text, spans in enumerate(now.predictions) for span in spans
        ]


def _in_words(analysis: SlotAnalysis, text: int, span: Span) -> tuple[int, int, str]:
    tokens = analysis.bench.tokens[text]
    own = [place for place, token in enumerate(tokens) if span.start <= token.start < span.end]
    return own[0], len(own), span.slot


def test_what_gains_nothing_is_not_proposed_and_what_gains_most_comes_first() -> None:
    """Rules that break more spans than they fix came in front of rules that break none."""
    examples = trips()
    for number, city in enumerate(CITIES * 3):
        examples.append(marked(f"what a day in {city}", *([(city, "to")] if number % 5 < 2 else [])))
        examples.append(marked(f"it is {number} degrees"))
    now = analysed(examples)
    found = proposed(now)
    assert found
    gains = [one.fixed_unseen - one.broken_unseen for one in found]
    assert min(gains) > 0
    assert gains == sorted(gains, reverse=True)
    for one in found:
        assert len(one.fixed) > len(one.broken), one.expression


def test_nothing_to_propose_from_is_an_error() -> None:
    plain = [Example("a text"), Example("another")]
    with pytest.raises(InputError, match="There is no annotated text to propose a rule from"):
        proposed(analysed(plain))
    with pytest.raises(InputError, match="2 annotated texts, and no span to propose a rule from"):
        proposed(analysed([marked("a text"), marked("another")]))
    with pytest.raises(InputError, match="no span of the slot 'from' to propose a rule from"):
        proposed(analysed([marked("at 3 pm", ("3 pm", "time"))]), slot="from")
    with pytest.raises(InputError, match="The 1 annotated text of dev and test only evaluates"):
        proposed(analysed([marked("at 3 pm", ("3 pm", "time"))]), ["dev"])
    with pytest.raises(InputError, match="has the slot 'city'.\nThe slots are: from, to, time"):
        proposed(analysed(sorted(trips(), key=lambda one: len(one.spans or ()))), slot="city")


def test_a_value_may_leave_one_of_its_words_open() -> None:
    """`two` and `miles` alone tell nothing: what is in the slot is `two $ miles`."""
    words = ("long", "short", "steep", "easy", "hard", "slow", "fast", "dull", "flat", "wet")
    examples = [marked(f"walk two {word} miles", (f"two {word} miles", "distance")) for word in words]
    others = [f"walk ten {word} miles" for word in words] + [f"buy two {word} bags" for word in words]
    now = analysed([*examples, *(Example(text, None, None, ()) for text in others)])
    assert "$* [ two $ miles ]<distance> $*" in {one.expression for one in proposed(now)}
