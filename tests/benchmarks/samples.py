"""The sample projects, for labels and for slots."""

from __future__ import annotations

from pathlib import Path

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization

PROJECTS = Path(__file__).resolve().parents[2] / "sample_projects"
SAMPLES = ("flight_intents", "message_spam")
SLOT_SAMPLES = {"flight_slots": Tokenization("punctuation"), "flight_slots_zh": Tokenization("characters")}


def sample(name: str) -> tuple[RuleSystem, Corpus]:
    """A sample project for labels."""
    folder = PROJECTS / name
    rules, logic = ((folder / file).read_text(encoding="utf-8") for file in ("rules.txt", "logic.toml"))
    return read_system(rules, logic, Tokenization("punctuation"))[0], read_corpus(folder / "texts.tsv").corpus


def slot_sample(name: str) -> tuple[SlotSystem, Corpus]:
    """A sample project for slots."""
    folder, tokenization = PROJECTS / name, SLOT_SAMPLES[name]
    rules, logic = ((folder / file).read_text(encoding="utf-8") for file in ("rules.txt", "logic.toml"))
    corpus = read_slot_corpus(folder / "texts.jsonl", tokenization=tokenization).corpus
    return read_slot_system(rules, logic, tokenization, known_slots=corpus.slots)[0], corpus
