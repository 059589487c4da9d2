"""Rule systems for slots and untrained taggers of them, made from text or from trees, for tests of networks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch
from hypothesis import strategies as st
from support.rules.automata_strategies import RULE_WORDS
from support.rules.tagged_rules import slot_trees

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.network.slot_filling.predict import run_taggers
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.rules.tree import Node
from re2nn_core.services.projects.project_files import ProjectFiles, read_project_files
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags, read_slot_system
from re2nn_core.tensors.tagged_factors import tag_factors
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary

torch.set_num_threads(1)  # as the application does: small matrices gain nothing from more
CPU = torch.device("cpu")
SAMPLES = Path(__file__).resolve().parents[3] / "sample_projects"
# The words that random rules name and one that they do not; the number 9 and the sign ! of the texts stay unknown.
VOCABULARY = build_vocabulary([("d",)], always=RULE_WORDS)
TRIP = """[slots]
from_city := $* from [ $ $? ]<city> $*
to_city := $* to [ @city@ ]<goal> $*
city := $* [ @city@ ]<city> $*
date := $* on [ % @month@ ]<date> $*
"""
TRIP = "@city@=( oslo | new york | york )\n@month@=( may | june )\n" + TRIP
TRIP_TEXTS = (
    ("fly", "from", "new", "york", "to", "oslo", "on", "3", "may"),
    ("oslo",),
    ("from", "x", "y", "z"),
    ("nothing", "here"),
    (),
)
# All that leaves the untrained tagger exact; every form has a residual reader and a chain of tags where it says so.
EXACT_FORMS: tuple[dict[str, object], ...] = (
    {},
    {"transducer": "ifst"},
    {"decoding": "crf"},
    {"auxiliary": "lstm"},
    {"auxiliary": "gru", "decoding": "crf", "transducer": "ifst"},
    {"extra_states": 3},
    {"extra_states": 2, "block_diagonal": False, "transducer": "ifst", "decoding": "crf"},
    {"vectors": "given", "auxiliary": "lstm", "decoding": "crf"},
    {"vectors": "given", "rule_weight": 1.0, "train_words": True},
    {"threshold": 0.9, "logit_scale": 0.5},
    {"auxiliary": "lstm", "decoding": "crf", "detached": True},
)


def system_of(text: str, logic: str = "", **more: object) -> SlotSystem:
    """The system of a rule text."""
    system, _ = read_slot_system(text, logic, Tokenization(), **more)
    return system


def system_of_trees(trees: Sequence[Node], logic: SlotLogic | None = None) -> SlotSystem:
    """A system whose rules are trees as they are written."""
    rules = tuple(Rule(f"r{number}", "slots", tree, tree) for number, tree in enumerate(trees))
    return SlotSystem(RuleSet(rules), logic or SlotLogic(), Tokenization(), "", "")


def config_of(**chosen: object) -> TaggerConfig:
    """Small settings without vectors, residual reader and chain, where nothing else is chosen."""
    usual = {"vectors": "none", "auxiliary": "none", "decoding": "softmax", "auxiliary_states": 4, "word_dimensions": 3}
    return TaggerConfig(**{**usual, **chosen})


def tagger_of(
    system: SlotSystem, vocabulary: Vocabulary = VOCABULARY, extra_tags: Sequence[str] = (), **chosen: object
) -> FstRnn:
    """The untrained tagger of a system; `vectors` given: random ones."""
    config = config_of(**chosen)
    tags = (*system.tags, *extra_tags)
    random = np.random.default_rng(5).normal(size=(len(vocabulary), 3)).astype(np.float32)
    vectors = None if config.vectors == "none" else random
    factors = tag_factors(system.trees, vocabulary, config.transducer)
    seen = range(3, len(vocabulary), 2)
    return FstRnn(factors, tags, system.logic.silences(tags), vectors, config, seen).eval()


def vocabulary_of(system: SlotSystem, sentences: Sequence[Sequence[str]]) -> Vocabulary:
    """The rules' words and those of every other sentence: the rest stay unknown."""
    return build_vocabulary(sentences[::2], always=system.ruleset.words)


def predictions_of(network: FstRnn, vocabulary: Vocabulary, sentences: Sequence[Sequence[str]]) -> list[Tags]:
    """What a tagger answers."""
    return [prediction.tags for prediction in run_taggers([network], [vocabulary.encode(one) for one in sentences])]


def batch_of(vocabulary: Vocabulary, sentences: Sequence[Sequence[str]]) -> Batch:
    """Sentences as one batch, longest first."""
    codes = [vocabulary.encode(sentence) for sentence in sentences]
    return make_batch(sorted(codes, key=len, reverse=True), CPU)


def disturbed(network: FstRnn, size: float = 0.2, seed: int = 5) -> FstRnn:
    """The network with noise on every parameter, as if it had been trained."""
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += (size * torch.randn(parameter.shape, generator=random)).to(parameter)
    return network


@st.composite
def slot_systems(draw: st.DrawFn, most: int = 4) -> SlotSystem:
    """One to `most` random rules, with priorities that run in no circle, and `longest` or not."""
    trees = draw(st.lists(slot_trees(3), min_size=1, max_size=most))
    bare = system_of_trees(trees)
    order = draw(st.permutations([*bare.slots, "O"]))
    pairs = [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3, unique=True)) if pairs else []
    return system_of_trees(trees, SlotLogic(tuple(chosen), draw(st.booleans())))


@cache
def sample_project(name: str) -> ProjectFiles:
    """A project that comes with the application."""
    return read_project_files({path.name: path.read_bytes() for path in (SAMPLES / name).iterdir() if path.is_file()})


@cache
def sample_system(name: str) -> SlotSystem:
    """The rules of a project that comes with the application."""
    project = sample_project(name)
    system, _ = read_slot_system(project.rules_text, project.logic_text, project.tokenization)
    return system


def tags_named(trees: Sequence[Node]) -> tuple[str, ...]:
    """The tags of tagged trees, without the wildcard."""
    return tuple(dict.fromkeys(tag for tree in trees for tag in tags_of_tree(tree)))
