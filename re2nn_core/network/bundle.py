"""A network with all it needs to run elsewhere: rules, label logic, vocabulary, settings, figures.

On disk a bundle is a folder: `parameters.safetensors`, `bundle.json`, `rules.txt`, `logic.toml`. No pickle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch
from safetensors.torch import load_file, save_file

from re2nn_core.errors import InputError, ModelError
from re2nn_core.network.classifier import FaRnn, Network, twin_of
from re2nn_core.network.config import NetworkConfig, config_from
from re2nn_core.rules.logic import NEVER, LabelLogic, read_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.tensors.decompose import low_rank
from re2nn_core.tensors.factors import Factors, Floats, exact_factors, normalise
from re2nn_core.tensors.machines import Machines, build_machines, reversed_machines
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import Vocabulary

FORMAT = 2
COPY = "copy"  # with a number, in front of the names of a copy's parameters
PARAMETERS, DESCRIPTION, RULES, LOGIC = "parameters.safetensors", "bundle.json", "rules.txt", "logic.toml"


MODEL_FILES = (PARAMETERS, DESCRIPTION, RULES, LOGIC)
# What a damaged folder raises: values of any other kind or size than was written may stand in its description.
DAMAGE = (
    InputError,
    OSError,
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    RuntimeError,
    safetensors.SafetensorError,
)


@dataclass(frozen=True)
class Bundle:
    """`logic` is the rules' own; the network's knows the `extra_labels` too, which examples carry but no rule speaks
    for. `trained` is False for the exact network; `figures` are what training measured. `copies` are further networks
    of the same form: the mean of all probabilities answers."""

    network: FaRnn
    ruleset: RuleSet
    logic: LabelLogic
    machines: Machines
    vocabulary: Vocabulary
    tokenization: Tokenization
    config: NetworkConfig
    rules_text: str
    logic_text: str
    extra_labels: tuple[str, ...] = ()
    vectors_name: str = "none"
    trained: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)
    copies: tuple[FaRnn, ...] = ()

    @property
    def networks(self) -> tuple[FaRnn, ...]:
        """The network and its copies."""
        return (self.network, *self.copies)


def build_bundle(
    rules_text: str,
    logic_text: str,
    tokenization: Tokenization,
    vocabulary: Vocabulary,
    config: NetworkConfig,
    vectors: Floats | None = None,
    vectors_name: str = "none",
    extra_labels: Sequence[str] = (),
) -> Bundle:
    """The untrained network of a rule system. RuleError, LogicError, StateBudgetError."""
    ruleset = read_rules(rules_text, lowercase=tokenization.lowercase).ruleset
    logic = read_logic(logic_text, ruleset, format="toml")
    machines = build_machines(ruleset, logic, config.machines)
    extra = tuple(dict.fromkeys(label for label in extra_labels if label not in logic.labels))
    factors = _factors(machines, vocabulary, config)
    reverse = _factors(reversed_machines(machines), vocabulary, config) if config.bidirectional else None
    network = FaRnn(factors, with_labels(machines.logic, extra), vectors, config, reverse)
    network.eval()
    return Bundle(
        network=network,
        ruleset=ruleset,
        logic=logic,
        machines=machines,
        vocabulary=vocabulary,
        tokenization=tokenization,
        config=config,
        rules_text=rules_text,
        logic_text=logic_text,
        extra_labels=extra,
        vectors_name=vectors_name,
    )


def _factors(machines: Machines, vocabulary: Vocabulary, config: NetworkConfig) -> Factors:
    factors = exact_factors(machines, vocabulary)
    if config.rank is not None and config.rank < factors.rank:
        factors = low_rank(factors, config.rank, seed=config.seed).factors
    return normalise(factors) if config.normalise else factors


def with_labels(logic: LabelLogic, labels: Sequence[str]) -> LabelLogic:
    """The logic with further labels behind its own, which no rule speaks for."""
    formulas = (*logic.formulas, *(NEVER for _ in labels))
    return LabelLogic((*logic.labels, *labels), formulas, logic.priorities, logic.default)


def save_bundle(folder: Path, bundle: Bundle) -> None:
    """Write a bundle; files are complete before they get their names."""
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: value.detach().cpu().contiguous() for name, value in bundle.network.state_dict().items()}
    for number, copy in enumerate(bundle.copies):  # what is not trained is the network's
        for name, value in copy.named_parameters():
            state[f"{COPY}{number}/{name}"] = value.detach().cpu().contiguous()
    temporary = folder / (PARAMETERS + ".part")
    save_file(state, str(temporary))
    temporary.replace(folder / PARAMETERS)
    description = {
        "format": FORMAT,
        "config": asdict(bundle.config),
        "tokenization": asdict(bundle.tokenization),
        "vocabulary": list(bundle.vocabulary.words),
        "extra_labels": list(bundle.extra_labels),
        "vectors_name": bundle.vectors_name,
        "trained": bundle.trained,
        "copies": len(bundle.copies),
        "figures": dict(bundle.figures),
    }
    write_file(folder / RULES, bundle.rules_text)
    write_file(folder / LOGIC, bundle.logic_text)
    write_file(folder / DESCRIPTION, json.dumps(description, ensure_ascii=False))


def write_file(path: Path, text: str) -> None:
    """Write a file that is complete before it gets its name."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def load_bundle(folder: Path) -> Bundle:
    """Read a bundle. ModelError says what is missing or damaged."""
    description = read_description(folder)
    if description.get("task", "classification") != "classification":
        raise ModelError(
            f"the model in {folder} gives slots, not labels. Choose the model of a classification project."
        )
    try:
        state = load_file(str(folder / PARAMETERS))
        bundle = build_bundle(
            (folder / RULES).read_text(encoding="utf-8"),
            (folder / LOGIC).read_text(encoding="utf-8"),
            Tokenization(**description["tokenization"]),
            Vocabulary(tuple(description["vocabulary"])),
            config_from(NetworkConfig, description["config"]),
            vectors=_vectors(state),
            vectors_name=str(description["vectors_name"]),
            extra_labels=description["extra_labels"],
        )
        own = {name: value for name, value in state.items() if not name.startswith(COPY)}
        bundle.network.load_state_dict(own)
        copies = tuple(copy_of(bundle.network, state, number) for number in range(int(description.get("copies", 0))))
        trained, figures = bool(description["trained"]), dict(description["figures"])
    except DAMAGE as fault:
        raise unreadable(folder, fault) from fault
    return replace(bundle, trained=trained, figures=figures, copies=copies)


def unreadable(folder: Path, fault: Exception) -> ModelError:
    """What to tell of a damaged model folder."""
    what = f"there is no {fault} in it" if isinstance(fault, KeyError) else str(fault)
    return ModelError(f"the model in {folder} cannot be read: {what}\nTrain it again, or choose another model folder.")


def copy_of(network: Network, state: Mapping[str, torch.Tensor], number: int) -> Network:
    """The further network of a number, from the parameters of a model folder."""
    prefix = f"{COPY}{number}/"
    parameters = {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
    if not parameters:
        raise KeyError(prefix)
    copy = twin_of(network)
    copy.load_state_dict({**network.state_dict(), **parameters})
    return copy


def _vectors(state: Mapping[str, torch.Tensor]) -> Floats | None:
    given = state["reader.vectors"]
    return np.asarray(given.numpy(), dtype=np.float32) if given.shape[1] else None


def read_description(folder: Path) -> dict[str, Any]:
    """What bundle.json of a model folder says; ModelError."""
    path = folder / DESCRIPTION
    if not path.is_file():
        raise ModelError(
            f"{folder} is not a model folder: it has no {DESCRIPTION}.\n"
            "Give the folder that training wrote (re2nn train --output DIR)."
        )
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise ModelError(f"{path} is damaged: {fault}\nTrain the model again.") from fault
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        found = description.get("format") if isinstance(description, dict) else type(description).__name__
        raise ModelError(f"{path} has format {found!r}, this version reads format {FORMAT}.\nTrain the model again.")
    return description
