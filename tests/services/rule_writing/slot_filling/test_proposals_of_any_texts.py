"""Rules for slots proposed from texts of any kind: whatever they hold, what is proposed can be read and run, and its
figures are those of the rule that runs."""

from __future__ import annotations

import random

import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of
from re2nn_core.services.rule_writing.slot_filling.proposals import propose_for_slots
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tokenization import Tokenization, tokenize

WORDS = ("a", "b", "(", "5", "//", "BOS", "$", "%", "x|y", "]<z>", "\\", "to", "@c@", "[^", "...", '"')
SLOTS = ("from", "to", "a b", "(odd)", "day")
RULES = (
    "none := $* [ yourword ]<from> $*\n",
    "@c@=( a | b )\none := $* [ @c@ ]<from> $*\ntwo := $* to [ $ $? ]<to> $*\n",
    "$* a<:>from 5 $*\n",
)
LOGIC = ("", "longest = true\n")


def _texts(seed: int) -> tuple[list[str], list[tuple[Span, ...] | None]]:
    drawn = random.Random(seed)
    texts, gold = [], []
    for _ in range(drawn.randint(1, 40)):
        words = drawn.choices(WORDS, k=drawn.randint(1, 9))
        text = " ".join(words)
        tags = []
        for _ in words:
            slot = drawn.choice(SLOTS).replace(" ", "_")
            tags.append(drawn.choice(["O", "O", f"B-{slot}", f"I-{slot}"]))
        texts.append(text)
        gold.append(None if drawn.random() < 0.1 else spans_of(tags, tokenize(text, Tokenization())))
    return texts, gold


def _analysed(texts: list[str], gold: list[tuple[Span, ...] | None], rules: str, logic: str) -> SlotAnalysis:
    return analyse_slots(SlotBench(texts, Tokenization()), gold, rules, logic)


@pytest.mark.parametrize("seed", range(30))
def test_proposals_run_as_their_figures_say(seed: int) -> None:
    texts, gold = _texts(seed)
    rules, logic = RULES[seed % len(RULES)], LOGIC[seed // 3 % 2]
    now = _analysed(texts, gold, rules, logic)
    splits = [("dev" if place % 7 == 6 else None) for place in range(len(texts))]
    material = slot_material_of(gold, splits)
    if not any(gold[place] for place in material.places):
        with pytest.raises(InputError, match="to propose a rule from"):
            propose_for_slots(now, material)
        return
    found = propose_for_slots(now, material)
    for one in found:
        after = _analysed(texts, gold, with_slot_proposals(rules, [one]), logic)
        assert len(one.fixed) - sum(_lost(now, after)) == after.counts.right - now.counts.right
    _analysed(texts, gold, with_slot_proposals(rules, found), logic)


def _lost(before: SlotAnalysis, after: SlotAnalysis) -> list[int]:
    """Correct spans of each text that are not given any more."""
    return [
        sum(span in (gold or ()) and span not in now for span in was)
        for gold, was, now in zip(before.gold, before.predictions, after.predictions, strict=True)
    ]
