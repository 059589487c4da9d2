"""Measures what proposed rules for slots are worth when they are accepted blindly; a part of measure_proposals.py.

From rules that there are, with all train texts: the first ten proposals. From no rule: proposals until there are none,
for 20, 200 and 1,000 train texts drawn with each seed (the others left out, or unannotated), and for all of them. And
the time of ten proposals for 10,000 texts. Dev and test texts are only evaluated.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from benchmarks.published import SLOT_RULES as RULES

from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.material import slot_material_of, with_guessed_spans
from re2nn_core.services.rule_writing.slot_filling.proposals import grow_for_slots, propose_for_slots
from re2nn_core.services.rule_writing.slot_filling.proposed_rule import with_slot_proposals
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis, analyse_slots
from re2nn_core.services.rule_writing.slot_filling.starter_rules import slot_starter_rules
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

FEW = (20, 200, 1000)
Texts = dict[str, Sequence[Example]]


def slot_report(name: str, folder: Path, seeds: int) -> dict[str, Any]:
    """All figures of one set."""
    texts: Texts = {
        split: list(read_slot_corpus(folder / name / f"{split}.jsonl", tokenization=Tokenization()).corpus)
        for split in ("train", "dev", "test")
    }
    rules, logic = RULES[name]
    rules_text = (folder / "rules" / rules).read_text(encoding="utf-8")
    logic_text = (folder / "rules" / logic).read_text(encoding="utf-8") if logic else ""
    found: dict[str, Any] = {"ten_on_given_rules": _ten(texts, rules_text, logic_text)}
    for few in FEW:
        for part, unannotated in (("texts", False), ("texts_and_unannotated_ones", True)):
            own = [_drawn(texts["train"], few, seed, unannotated=unannotated) for seed in range(seeds)]
            draws = [_from_nothing({**texts, "train": train}) for train in own]
            means = {split: round(mean(one[split] for one in draws), 2) for split in ("dev", "test")}
            found[f"from_{few}_{part}"] = {**means, "draws": draws}
    found["from_all_texts"] = _from_nothing(texts)
    found["speed"] = _speed(texts["train"])
    return found


def _drawn(train: Sequence[Example], few: int, seed: int, *, unannotated: bool) -> list[Example]:
    """So many train texts; the others `unannotated`, if they are wanted."""
    drawn = np.random.default_rng(seed).permutation(len(train))
    own = [train[place] for place in drawn[:few]]
    return own + [Example(train[place].text, None, "train") for place in drawn[few:]] if unannotated else own


def _analysed(examples: Sequence[Example], rules: str, logic: str, known: Sequence[str] = ()) -> SlotAnalysis:
    bench = SlotBench([example.text for example in examples], Tokenization())
    return analyse_slots(bench, [example.spans for example in examples], rules, logic, known)


def _f1(analysis: SlotAnalysis) -> float:
    return round(100 * (analysis.counts.f1 or 0.0), 2)


def _ten(texts: Texts, rules: str, logic: str) -> dict[str, Any]:
    """F1 before, and after each proposal more."""
    known = sorted({span.slot for example in texts["train"] for span in example.spans or ()})
    now = _analysed(texts["train"], rules, logic, known)
    proposals = propose_for_slots(now, slot_material_of(now.gold, [None] * now.texts))
    found: dict[str, Any] = {}
    for split in ("dev", "test"):
        steps = [with_slot_proposals(rules, proposals[:count]) for count in range(len(proposals) + 1)]
        found[split] = [_f1(_analysed(texts[split], step, logic, known)) for step in steps]
    return found


def _from_nothing(texts: Texts) -> dict[str, Any]:
    nothing = slot_starter_rules(Corpus(tuple(texts["train"])), Tokenization(), suggest=False)
    now = _analysed(texts["train"], nothing, "")
    began = time.process_time()
    splits: list[str | None] = [None] * now.texts
    proposals = grow_for_slots(now, with_guessed_spans(slot_material_of(now.gold, splits), now, splits))
    seconds = time.process_time() - began
    rules = with_slot_proposals(nothing, proposals)
    figures = {split: _f1(_analysed(texts[split], rules, "")) for split in ("dev", "test")}
    return {**figures, "rules": len(proposals), "cpu_seconds": round(seconds, 2)}


def _speed(train: Sequence[Example], texts: int = 10_000) -> dict[str, Any]:
    """Seconds of the processor for ten proposals, from tokenized texts on, without any rule."""
    drawn = [train[place % len(train)] for place in range(texts)]
    nothing = slot_starter_rules(Corpus(tuple(train)), Tokenization(), suggest=False)
    now = _analysed(drawn, nothing, "")
    began = time.process_time()
    proposals = propose_for_slots(now, slot_material_of(now.gold, [None] * now.texts))
    return {"texts": texts, "proposals": len(proposals), "cpu_seconds": round(time.process_time() - began, 2)}
