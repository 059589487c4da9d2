"""A tagger with all it needs to run elsewhere: rules, priorities, vocabulary, settings, figures.

On disk a folder like that of a classifier (bundle.py), whose description says that its task is slots.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from re2nn_core.errors import ModelError
from re2nn_core.network.bundle import (
    COPY,
    DAMAGE,
    DESCRIPTION,
    LOGIC,
    PARAMETERS,
    RULES,
    copy_of,
    read_description,
    unreadable,
    write_file,
)
from re2nn_core.network.config import config_from
from re2nn_core.network.tagger import FstRnn
from re2nn_core.network.tagger_config import TaggerConfig
from re2nn_core.network.tuned_encoder import TunedEncoder, own_name
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.slot_logic import SlotLogic, ordered_tags, read_slot_logic
from re2nn_core.rules.tagging import slots_of, tagged, tags_of, with_slot_case
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.decompose import low_rank
from re2nn_core.tensors.factors import Floats
from re2nn_core.tensors.tag_factors import TagFactors, tag_factors, with_factors
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import Vocabulary

FORMAT = 2
TASK = "slots"
ENCODER = "encoder."  # in front of the names of its parameters


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
    same form: the mean of all probabilities answers."""

    network: FstRnn
    parts: TaggerParts
    ruleset: RuleSet
    logic: SlotLogic
    factors: TagFactors
    trained: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)
    copies: tuple[FstRnn, ...] = ()

    @property
    def networks(self) -> tuple[FstRnn, ...]:
        """The network and its copies."""
        return (self.network, *self.copies)

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
    trees = [(rule.name, tagged(with_slot_case(rule.expanded, parts.known_slots))) for rule in ruleset.rules]
    bare = [tree for _, tree in trees]
    logic = read_slot_logic(parts.logic_text, slots_of(bare))
    factors = _factors(trees, parts.vocabulary, parts.config)
    tags = ordered_tags([tags_of(tree) for tree in bare], parts.extra_tags)
    network = FstRnn(factors, tags, logic.silences(tags), vectors, parts.config, parts.seen, encoder)
    network.eval()
    return TaggerBundle(network, parts, ruleset, logic, factors)


def _factors(trees: Sequence[tuple[str, Node]], vocabulary: Vocabulary, config: TaggerConfig) -> TagFactors:
    tags = tag_factors(trees, vocabulary, config.transducer)
    if config.rank is not None and config.rank < tags.factors.rank:
        return with_factors(tags, low_rank(tags.factors, config.rank, seed=config.seed).factors)
    return tags


def save_tagger(folder: Path, bundle: TaggerBundle) -> None:
    """Write a bundle; files are complete before they get their names."""
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: value.detach().cpu().contiguous() for name, value in bundle.network.state_dict().items()}
    for number, copy in enumerate(bundle.copies):  # what is not trained is the network's
        for name, value in copy.named_parameters():
            state[f"{COPY}{number}/{name}"] = value.detach().cpu().contiguous()
    temporary = folder / (PARAMETERS + ".part")
    save_file(state, str(temporary))
    temporary.replace(folder / PARAMETERS)
    parts = bundle.parts
    description = {
        "format": FORMAT,
        "task": TASK,
        "config": asdict(parts.config),
        "tokenization": asdict(parts.tokenization),
        "vocabulary": list(parts.vocabulary.words),
        "known_slots": list(parts.known_slots),
        "extra_tags": list(parts.extra_tags),
        "seen": list(parts.seen),
        "vectors_name": parts.vectors_name,
        "encoder": None if bundle.network.encoder is None else bundle.network.encoder.description,
        "trained": bundle.trained,
        "copies": len(bundle.copies),
        "figures": dict(bundle.figures),
    }
    write_file(folder / RULES, parts.rules_text)
    write_file(folder / LOGIC, parts.logic_text)
    write_file(folder / DESCRIPTION, json.dumps(description, ensure_ascii=False))


def load_tagger(folder: Path) -> TaggerBundle:
    """Read a bundle. ModelError says what is missing or damaged."""
    description = read_description(folder)
    if description.get("task") != TASK:
        raise ModelError(f"the model in {folder} gives labels, not slots. Choose the model of a project with slots.")
    try:
        state = load_file(str(folder / PARAMETERS))
        parts = TaggerParts(
            (folder / RULES).read_text(encoding="utf-8"),
            (folder / LOGIC).read_text(encoding="utf-8"),
            Tokenization(**description["tokenization"]),
            Vocabulary(tuple(description["vocabulary"])),
            config_from(TaggerConfig, description["config"]),
            tuple(description["known_slots"]),
            tuple(description["extra_tags"]),
            tuple(description["seen"]),
            str(description["vectors_name"]),
        )
        bundle = build_tagger(parts, _vectors(state), _encoder(parts.config, state, description))
        bundle.network.load_state_dict({name: v for name, v in state.items() if not name.startswith(COPY)})
        copies = tuple(copy_of(bundle.network, state, number) for number in range(int(description["copies"])))
        trained, figures = bool(description["trained"]), dict(description["figures"])
    except DAMAGE as fault:
        raise unreadable(folder, fault) from fault
    return replace(bundle, trained=trained, figures=figures, copies=copies)


def _encoder(
    config: TaggerConfig, state: Mapping[str, torch.Tensor], description: Mapping[str, Any]
) -> TunedEncoder | None:
    """The encoder that has learned along, from the parameters of a model folder."""
    if not config.tune_encoder:
        return None
    found = description["encoder"]
    own = {name.removeprefix(ENCODER): value for name, value in state.items() if name.startswith(ENCODER)}
    return TunedEncoder({name: own[own_name(name)] for name in found["names"]}, tuple(found["marks"]))


def _vectors(state: Mapping[str, torch.Tensor]) -> Floats | None:
    given = state["reader.vectors"]
    return np.asarray(given.numpy(), dtype=np.float32) if given.shape[1] else None
