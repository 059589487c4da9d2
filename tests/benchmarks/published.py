"""The published rules and splits, read next to the repository, with the label logic of the package; and two sets with
rules that were written for a trial in twenty minutes each by somebody who saw train alone: CLINC150 and MITR."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.experiments.datasets.classification import LOGIC
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.tokenization import Tokenization

BENCHMARKS = HERE.parents[2] / "shared" / "benchmarks"
RULES = {"atis": "atis.rules.v0.config", "trec": "trec.rules.old.config", "sms": "sms.rules.config"}


TRIAL = "clinc150"
SLOT_RULES = {
    "atis": ("atis_bio.bio.rules.config", None),
    "snips": ("snips_bio.bio.rules.v1.config", None),
    "mitr": ("mitr.trial.rules.txt", "mitr.trial.logic.toml"),
}


def load(name: str) -> tuple[RuleSystem, Corpus]:
    """The rules of a set and all of its texts, each with its split."""
    trial = name == TRIAL
    rules = (BENCHMARKS / "rules" / (f"{name}.trial.rules.txt" if trial else RULES[name])).read_text(encoding="utf-8")
    logic = "" if trial else (LOGIC / f"{name}.toml").read_text(encoding="utf-8")
    examples: list[Example] = []
    for split in SPLITS:
        corpus = read_corpus(BENCHMARKS / name / f"{split}.tsv").corpus
        examples += [Example(example.text, example.label, split) for example in corpus]
    tokenization = Tokenization("punctuation") if trial else Tokenization()
    return read_system(rules, logic, tokenization)[0], Corpus(tuple(examples))


def load_slots(name: str) -> tuple[SlotSystem, Corpus]:
    """The same for slots, without the package's priorities. `name`: a key of SLOT_RULES."""
    rules, logic = SLOT_RULES[name]
    examples: list[Example] = []
    for split in SPLITS:
        corpus = read_slot_corpus(BENCHMARKS / name / f"{split}.jsonl", tokenization=Tokenization()).corpus
        examples += [replace(example, split=split) for example in corpus]
    slots = sorted({span.slot for one in examples if one.split == "train" for span in one.spans or ()})
    rules_text = (BENCHMARKS / "rules" / rules).read_text(encoding="utf-8")
    logic_text = (BENCHMARKS / "rules" / logic).read_text(encoding="utf-8") if logic else ""
    return read_slot_system(rules_text, logic_text, Tokenization(), known_slots=slots)[0], Corpus(tuple(examples))
