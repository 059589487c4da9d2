"""How many parameters the networks of the family have for a project's rules (Jiang et al., EMNLP 2020, table 8).

Nothing is trained. A number hangs on how long word vectors are, never on what is in them, so the words of the rules
alone are looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from re2nn_core.embeddings.choose import word_vectors
from re2nn_core.experiments.runs.figures import count_parameters
from re2nn_core.experiments.runs.published_systems import MODELS, PARAMETER_MODELS
from re2nn_core.network.classification.bundle import build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

_TITLES = {"fa-rnn": "FA-RNN", "fa-gru": "FA-GRU", "bifa-rnn": "BiFA-RNN", "bifa-gru": "BiFA-GRU"}


@dataclass(frozen=True)
class ParameterCount:
    """`parameters` may all be set by training; `free` are those of them that are not held at zero to keep machines
    apart."""

    name: str
    parameters: int
    free: int


def parameter_counts(
    system: RuleSystem, texts: Sequence[str], labels: Sequence[str], network: NetworkConfig
) -> tuple[ParameterCount, ...]:
    """The networks of the published table with these settings. `labels` are those that the texts carry. RuleError,
    EncoderUnavailable, StateBudgetError."""
    vocabulary = build_vocabulary(words_of_all(texts, system.tokenization), always=system.ruleset.words)
    dimensions = _dimensions(system, network)
    vectors = np.zeros((len(vocabulary.words), dimensions), dtype=np.float32) if dimensions else None
    parts = (system.rules_text, system.logic_text, system.tokenization, vocabulary)
    plain = asdict(replace(network, cell="rnn", bidirectional=False))
    found = []
    for model in PARAMETER_MODELS:
        config = config_from(NetworkConfig, {**plain, **MODELS[model]})
        every, free = count_parameters(build_bundle(*parts, config, vectors, extra_labels=labels))
        found.append(ParameterCount(_TITLES[model], every, free))
    return tuple(found)


def _dimensions(system: RuleSystem, network: NetworkConfig) -> int:
    """How long the network's word vectors are."""
    source = "encoder" if network.vectors == CONTEXT else network.vectors
    return int(word_vectors(tuple(system.ruleset.words), (), source).vectors.shape[1])
