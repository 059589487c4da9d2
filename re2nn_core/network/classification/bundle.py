"""A network with all it needs to run elsewhere: rules, label logic, vocabulary, settings, figures. On disk a folder
(model_folder.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from re2nn_core.errors import ModelError
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.network.model_card import card_text
from re2nn_core.network.model_folder import (
    as_model_error,
    read_description,
    read_parameters,
    read_rule_system,
    restore,
    stored_vectors,
    write_model,
)
from re2nn_core.rules.logic.label_logic import NEVER, LabelLogic, read_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet, tokenization_for
from re2nn_core.task import Task
from re2nn_core.tensors.decompose import low_rank
from re2nn_core.tensors.factors import Factors, Floats, exact_factors, normalise
from re2nn_core.tensors.machines import Machines, build_machines, reversed_machines
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Bundle:
    """`logic` is the rules' own; the network's knows the `extra_labels` too, which examples carry but no rule speaks
    for. `trained` is False for the exact network; `figures` are what training measured. `copies` are further networks
    of the same form: the mean of all probabilities predicts."""

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

    def with_words(self, words: Sequence[str], vectors: Floats) -> Self:
        """The bundle whose networks have these vectors [words, dimensions] for words that had none; those that are not
        in its vocabulary stand behind it."""
        vocabulary, stand_ins = self.vocabulary.with_words(words)
        numbers = vocabulary.encode(words)
        network, *copies = (one.with_words(stand_ins, numbers, vectors) for one in self.networks)
        return replace(self, network=network, copies=tuple(copies), vocabulary=vocabulary)

    @property
    def faithful(self) -> bool:
        """Whether training was faithful: the network was built again from its reconstructed rules."""
        return "written" in self.figures

    @property
    def written(self) -> tuple[str, str]:
        """The rules and the label logic as people wrote them, as texts: the network's own, or where training ended near
        rules, those that it began with."""
        before = self.figures.get("written")
        return (self.rules_text, self.logic_text) if before is None else (str(before["rules"]), str(before["logic"]))

    @property
    def moved(self) -> Mapping[str, Mapping[str, Any]]:
        """Where training ended near rules: what had changed by then, rule by rule (reconstruction/edges.py)."""
        moved: Mapping[str, Mapping[str, Any]] = self.figures.get("moved", {})
        return moved


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
    if vectors is None or not config.decomposed:
        config = replace(config, auxiliary="none")  # it would have nothing to read
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
        tokenization=tokenization_for(ruleset, tokenization),
        config=config,
        rules_text=rules_text,
        logic_text=logic_text,
        extra_labels=extra,
        vectors_name=vectors_name,
    )


def with_config(bundle: Bundle, config: NetworkConfig) -> Bundle:
    """The same networks, which predict by other settings from now on; such settings alone may differ that change no
    weight (auxiliary_weight)."""
    for network in bundle.networks:
        network.config = config
    return replace(bundle, config=config)


def _factors(machines: Machines, vocabulary: Vocabulary, config: NetworkConfig) -> Factors:
    factors = exact_factors(machines, vocabulary)
    if config.rank is not None and config.rank < factors.rank:
        factors = low_rank(factors, config.rank, seed=config.seed).factors
    return normalise(factors) if config.normalize else factors


def with_labels(logic: LabelLogic, labels: Sequence[str]) -> LabelLogic:
    """The logic with further labels behind its own, which no rule predicts."""
    formulas = (*logic.formulas, *(NEVER for _ in labels))
    return LabelLogic((*logic.labels, *labels), formulas, logic.priorities, logic.default)


def save_bundle(folder: Path, bundle: Bundle) -> None:
    """Write a bundle; files are complete before they get their names."""
    description = {
        "config": asdict(bundle.config),
        "tokenization": bundle.tokenization.settings,
        "vocabulary": list(bundle.vocabulary.words),
        "extra_labels": list(bundle.extra_labels),
        "vectors_name": bundle.vectors_name,
        "trained": bundle.trained,
        "figures": dict(bundle.figures),
    }
    rules = [(rule.name, rule.label) for rule in bundle.ruleset.rules]
    card = card_text(folder.name, Task.CLASSIFICATION, bundle.network.logic.labels, rules, description)
    write_model(folder, bundle.networks, (bundle.rules_text, bundle.logic_text), description, card)


def load_bundle(folder: Path) -> Bundle:
    """Read a bundle. ModelError says what is missing or damaged."""
    description = read_description(folder)
    if description.get("task", "classification") != "classification":
        raise ModelError(
            f"the model in {folder} gives slots, not labels. Choose the model of a classification project."
        )
    with as_model_error(folder):
        state = read_parameters(folder, description)
        bundle = build_bundle(
            *read_rule_system(folder),
            Tokenization(**description["tokenization"]),
            Vocabulary(tuple(description["vocabulary"])),
            config_from(NetworkConfig, description["config"]),
            vectors=stored_vectors(state),
            vectors_name=str(description["vectors_name"]),
            extra_labels=description["extra_labels"],
        )
        copies = restore(bundle.network, state, int(description.get("copies", 0)))
        trained, figures = bool(description["trained"]), dict(description["figures"])
    return replace(bundle, trained=trained, figures=figures, copies=copies)
