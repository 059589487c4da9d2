"""The texts that rules for slots are made from, with guessed spans where these are precise."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from support.projects.span_samples import PLAIN, marked

from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import SlotMaterial, slot_material_of, with_guessed_spans
from re2nn_core.services.rule_writing.slot_filling.proposals import grow_for_slots, propose_for_slots
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots
from re2nn_core.text.corpus import Example

NOTHING = "none := $* [ yourword ]<from> $*\n"
CITIES = ("rome", "oslo", "bonn", "bern", "kyiv", "riga", "porto", "quito")
KNOWN = CITIES[:5]


def trip(one: str, other: str) -> Example:
    return marked(f"fly from {one} to {other}", (one, "from"), (other, "to"))


ANNOTATED = [trip(*pair) for pair in itertools.permutations(KNOWN, 2)]
OTHERS = [Example(trip(*pair).text) for pair in itertools.permutations(CITIES, 2)]
DEV = [Example(trip(*pair).text, split="dev") for pair in itertools.permutations(CITIES, 2)]


def material(examples: Sequence[Example], rules: str = NOTHING) -> tuple[SlotAnalysis, SlotMaterial]:
    bench = SlotBench([example.text for example in examples], PLAIN)
    gold, splits = [example.spans for example in examples], [example.split for example in examples]
    now = analyse_slots(bench, gold, rules, "longest = true\n")
    return now, with_guessed_spans(slot_material_of(gold, splits), now, splits)


def test_spans_are_guessed_outside_of_dev_and_test_and_make_rules() -> None:
    now, found = material([*ANNOTATED, *OTHERS, *DEV])
    assert sorted(found.guessed.places) == list(range(len(ANNOTATED), len(ANNOTATED) + len(OTHERS)))
    assert {tuple((one.start, one.slot) for one in spans) for spans in found.guessed.spans} == {
        ((2, "from"), (4, "to"))
    }
    rules = grow_for_slots(now, found)
    assert all(one.fixed_guessed >= len(OTHERS) / 2 and one.fixed_unseen <= len(ANNOTATED) for one in rules)
    after, _ = material([trip("quito", "porto")], with_slot_proposals(NOTHING, rules))
    assert after.counts.right == 2


def test_effects_that_are_shown_are_those_on_annotated_texts() -> None:
    now, found = material([*ANNOTATED, *OTHERS])
    for one in propose_for_slots(now, found):
        assert one.matches <= len(ANNOTATED)
        assert max((place for place, _ in one.fixed), default=0) < len(ANNOTATED)
    quick = propose_for_slots(now, found, quick=True)
    assert [one.fixed_guessed for one in quick] == [0] * len(quick)


def test_guesses_do_not_count_where_rules_are_as_good_or_guesses_are_not_precise() -> None:
    _, good = material([*ANNOTATED, *OTHERS], "both := $* from [ $ ]<from> to [ $ ]<to> $*\n")
    assert good.guessed.places == ()
    drawn = random.Random(0)
    cities = [(drawn.choice(CITIES), drawn.choice(CITIES), drawn.choice(["from", "to", "time"])) for _ in range(40)]
    confused = [marked(f"{one} {other}", (one, slot)) for one, other, slot in cities]
    _, vague = material([*confused, *OTHERS])
    assert vague.guessed.places == ()


def test_without_unannotated_texts_or_enough_annotated_ones_nothing_is_guessed() -> None:
    assert material(ANNOTATED)[1].guessed.places == ()
    assert material([*ANNOTATED[:19], *OTHERS])[1].guessed.places == ()
