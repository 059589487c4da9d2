"""A tagger with all it needs to run elsewhere: rules, priorities, vocabulary, settings, figures.

On disk a folder (model_folder.py) whose description says that its task is slots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from re2nn_core.errors import ModelError
from re2nn_core.network.auxiliary.tuned_encoder import TunedEncoder, own_name
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.model_card import card_text
from re2nn_core.network.model_folder import (
    State,
    as_model_error,
    read_description,
    read_parameters,
    read_rule_system,
    restore,
    state_of,
    stored_vectors,
    write_model,
)
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.rules.logic.priorities import SlotLogic, ordered_tags, read_slot_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet, tokenization_for
from re2nn_core.rules.tagging import slots_of, tagged, tags_of_tree, with_slot_case
from re2nn_core.rules.tree import Node
from re2nn_core.task import Task
from re2nn_core.tensors.decompose import low_rank
from re2nn_core.tensors.factors import Floats
from re2nn_core.tensors.tagged_factors import TagFactors, tag_factors, with_factors
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import Vocabulary

TASK = "slots"
ENCODER = "encoder."  # in front of the names of its parameters
RULES = "rules/"  # in front of those of a network of the rules that was trained alone


@dataclass(frozen=True)
class TaggerParts:
    """What a tagger is built from. `known_slots`: how the data spell slots; `extra_tags`: those of the data that no
    rule gives; `seen`: numbers of the words that are learned from."""

    rules_text: str
    logic_text: str
    tokenization: Tokenization
    vocabulary: Vocabulary
    config: TaggerConfig
    known_slots: tuple[str, ...] = ()
    extra_tags: tuple[str, ...] = ()
    seen: tuple[int, ...] = ()
    vectors_name: str = "none"


@dataclass(frozen=True)
class TaggerBundle:
    """`trained` is False for the exact network; `figures` are what training measured. `copies`: further networks of the
    same form: the mean of all probabilities predicts. `rules_network`: the network of the same rules and words that
    training has moved, where the rules as they are and a linear layer predict in its place."""

    network: FstRnn
    parts: TaggerParts
    ruleset: RuleSet
    logic: SlotLogic
    factors: TagFactors
    trained: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)
    copies: tuple[FstRnn, ...] = ()
    rules_network: TaggerBundle | None = None

    @property
    def learned(self) -> TaggerBundle:
        """The tagger whose weights say what the rules have learned."""
        return self.rules_network or self

    @property
    def networks(self) -> tuple[FstRnn, ...]:
        """The network and its copies."""
        return (self.network, *self.copies)

    @property
    def kept_rules(self) -> bool:
        """Whether training left the rules as they are. A linear layer may have come to them (auxiliary/tag_linear.py),
        which makes the tagger a trained one."""
        return not self.trained or self.figures.get("best_epoch") == 0

    def with_words(self, words: Sequence[str], vectors: Floats) -> Self:
        """The bundle whose networks have these vectors [words, dimensions] for words that had none; those that are not
        in its vocabulary stand behind it."""
        vocabulary, stand_ins = self.vocabulary.with_words(words)
        numbers = vocabulary.encode(words)
        network, *copies = (one.with_words(stand_ins, numbers, vectors) for one in self.networks)
        parts = replace(self.parts, vocabulary=vocabulary)
        learned = self.rules_network and self.rules_network.with_words(words, vectors)
        return replace(self, network=network, copies=tuple(copies), parts=parts, rules_network=learned)

    @property
    def vectors_name(self) -> str:
        return self.parts.vectors_name

    @property
    def config(self) -> TaggerConfig:
        return self.parts.config

    @property
    def vocabulary(self) -> Vocabulary:
        return self.parts.vocabulary

    @property
    def tokenization(self) -> Tokenization:
        return self.parts.tokenization


def build_tagger(
    parts: TaggerParts, vectors: Floats | None = None, encoder: TunedEncoder | None = None
) -> TaggerBundle:
    """The untrained tagger of a rule system; `encoder` learns along where the settings say so. RuleError, LogicError,
    StateBudgetError."""
    ruleset = read_rules(parts.rules_text, lowercase=parts.tokenization.lowercase).ruleset
    parts = replace(parts, tokenization=tokenization_for(ruleset, parts.tokenization))
    trees = [(rule.name, tagged(with_slot_case(rule.expanded, parts.known_slots))) for rule in ruleset.rules]
    bare = [tree for _, tree in trees]
    logic = read_slot_logic(parts.logic_text, slots_of(bare))
    factors = _factors(trees, parts.vocabulary, parts.config)
    tags = ordered_tags([tags_of_tree(tree) for tree in bare], parts.extra_tags)
    network = FstRnn(factors, tags, logic.silences(tags), vectors, parts.config, parts.seen, encoder)
    network.eval()
    return TaggerBundle(network, parts, ruleset, logic, factors)


def with_tagger_config(bundle: TaggerBundle, config: TaggerConfig) -> TaggerBundle:
    """The same networks, which predict by other settings from now on; such settings alone may differ that change no
    weight (minimum_confidence)."""
    for network in bundle.networks:
        network.config = config
    return replace(bundle, parts=replace(bundle.parts, config=config))


def _factors(trees: Sequence[tuple[str, Node]], vocabulary: Vocabulary, config: TaggerConfig) -> TagFactors:
    tags = tag_factors(trees, vocabulary, config.transducer)
    if config.rank is not None and config.rank < tags.factors.rank:
        return with_factors(tags, low_rank(tags.factors, config.rank, seed=config.seed).factors)
    return tags


def save_tagger(folder: Path, bundle: TaggerBundle) -> None:
    """Write a bundle; files are complete before they get their names."""
    parts = bundle.parts
    description = {
        "task": TASK,
        "config": asdict(parts.config),
        "tokenization": parts.tokenization.settings,
        "vocabulary": list(parts.vocabulary.words),
        "known_slots": list(parts.known_slots),
        "extra_tags": list(parts.extra_tags),
        "seen": list(parts.seen),
        "vectors_name": parts.vectors_name,
        "encoder": None if bundle.network.encoder is None else bundle.network.encoder.description,
        "trained": bundle.trained,
        "figures": dict(bundle.figures),
        "rules_network": None if bundle.rules_network is None else _own_parts(bundle.rules_network),
    }
    slots = [tag.removeprefix("B-") for tag in bundle.network.tags if tag.startswith("B-")]
    rules = [(rule.name, rule.label) for rule in bundle.ruleset.rules]
    card = card_text(folder.name, Task.SLOT_FILLING, slots, rules, description)
    learned = {} if bundle.rules_network is None else state_of(bundle.rules_network.networks)
    further = {f"{RULES}{name}": value for name, value in learned.items()}
    write_model(folder, bundle.networks, (parts.rules_text, parts.logic_text), description, card, further=further)


def load_tagger(folder: Path) -> TaggerBundle:
    """Read a bundle. ModelError says what is missing or damaged."""
    description = read_description(folder)
    if description.get("task") != TASK:
        raise ModelError(f"the model in {folder} gives labels, not slots. Choose the model of a project with slots.")
    with as_model_error(folder):
        every = read_parameters(folder, description)
        state = {name: value for name, value in every.items() if not name.startswith(RULES)}
        parts = TaggerParts(
            *read_rule_system(folder),
            Tokenization(**description["tokenization"]),
            Vocabulary(tuple(description["vocabulary"])),
            config_from(TaggerConfig, description["config"]),
            tuple(description["known_slots"]),
            tuple(description["extra_tags"]),
            tuple(description["seen"]),
            str(description["vectors_name"]),
        )
        bundle = build_tagger(parts, stored_vectors(state), _encoder(parts.config, state, description))
        copies = restore(bundle.network, state, int(description["copies"]))
        trained, figures = bool(description["trained"]), dict(description["figures"])
        learned = _rules_network(parts, every, description)
    return replace(bundle, trained=trained, figures=figures, copies=copies, rules_network=learned)


def _own_parts(bundle: TaggerBundle) -> dict[str, Any]:
    """What a network of the rules has of its own: it may have learned from fewer texts."""
    parts = bundle.parts
    own = {"config": asdict(parts.config), "extra_tags": list(parts.extra_tags), "seen": list(parts.seen)}
    return {**own, "copies": len(bundle.copies)}


def _rules_network(parts: TaggerParts, state: State, description: Mapping[str, Any]) -> TaggerBundle | None:
    """The network of the rules that was trained alone; None where there is none, as in models of former versions."""
    if not (found := description.get("rules_network")):
        return None
    own = {name.removeprefix(RULES): value for name, value in state.items() if name.startswith(RULES)}
    config = config_from(TaggerConfig, found["config"])
    parts = replace(parts, config=config, extra_tags=tuple(found["extra_tags"]), seen=tuple(found["seen"]))
    bundle = build_tagger(parts, stored_vectors(own))
    return replace(bundle, trained=True, copies=restore(bundle.network, own, int(found["copies"])))


def _encoder(config: TaggerConfig, state: State, description: Mapping[str, Any]) -> TunedEncoder | None:
    """The encoder that has learned along, from the parameters of a model folder."""
    if not config.tune_encoder:
        return None
    found = description["encoder"]
    own = {name.removeprefix(ENCODER): value for name, value in state.items() if name.startswith(ENCODER)}
    return TunedEncoder({name: own[own_name(name)] for name in found["names"]}, tuple(found["marks"]))
