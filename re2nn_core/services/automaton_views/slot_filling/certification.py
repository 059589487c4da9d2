"""The equality certificate for slots: the untrained network gives every word the tag that the rules give it.

Two halves, as for labels. State by state: the factors move as the transducers do and give the same outputs, for every
word and every state of each rule (tensors/tagged_state_certificate.py), and the network's scores join each state with
the tag of its output. Sentence by sentence: on every text of a corpus the network's tags are those of the rule system,
which has votes and priorities in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch

from re2nn_core.network.slot_filling.bundle import TASK, TaggerBundle
from re2nn_core.services.automaton_views.classification.certification import (
    FORMAT,
    SHOWN,
    hash_of,
    no_longer_fitting,
    read_as,
)
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.tensors.tagged_factors import TransducerKind
from re2nn_core.tensors.tagged_state_certificate import check_transducers
from re2nn_core.text.tokenization import words_of_all


@dataclass(frozen=True)
class SlotCertificate:
    """`equal` is the verdict. Hashes are SHA-256 of the rule text, the text of priorities and the corpus; `known_slots`
    says how the slots of the rules were spelt. `agree` counts texts on which every word has the same tag, `differing`
    lists the first of the others."""

    equal: bool
    rules_hash: str
    logic_hash: str
    texts_hash: str
    tokenization: dict[str, Any]
    known_slots: tuple[str, ...]
    transducer: str
    states: int
    rank: int
    words_checked: int
    transitions_checked: int
    outputs_checked: int
    max_error: float
    state_faults: tuple[str, ...]
    sentences: int
    tokens: int
    agree: int
    differing: tuple[str, ...]
    task: str = TASK
    format: int = FORMAT


def certify_slots(
    system: SlotSystem, texts: Sequence[str], transducer: TransducerKind = "positions"
) -> SlotCertificate:
    """Compare the rule system with its untrained network, state by state and text by text."""
    bundle = untrained_tagger(system, texts, transducer)
    states = check_transducers(system.trees, bundle.factors, transducer)
    faults = (*states.faults, *_score_faults(bundle))[:SHOWN]
    sentences = words_of_all(texts, system.tokenization)
    pairs = zip(
        texts, system.tags_of_words(sentences), predict_tags(bundle, texts, with_confidences=False), strict=True
    )
    differing = [text for text, by_rules, prediction in pairs if by_rules != prediction.tags]
    return SlotCertificate(
        equal=not faults and not differing,
        rules_hash=hash_of([system.rules_text]),
        logic_hash=hash_of([system.logic_text]),
        texts_hash=hash_of(texts),
        tokenization=system.tokenization.settings,
        known_slots=system.known_slots,
        transducer=transducer,
        states=states.states,
        rank=bundle.factors.factors.rank,
        words_checked=states.words,
        transitions_checked=states.transitions,
        outputs_checked=states.outputs,
        max_error=states.max_error,
        state_faults=faults,
        sentences=len(texts),
        tokens=sum(map(len, sentences)),
        agree=len(texts) - len(differing),
        differing=tuple(differing[:SHOWN]),
    )


def _score_faults(bundle: TaggerBundle) -> list[str]:
    """The states that the network joins with other tags than that of their output."""
    network = bundle.network
    numbers = {tag: number for number, tag in enumerate(network.tags)}
    joined = network.emitting @ (network.trust[:, None] * network.voting)  # [states, tags]
    expected = torch.zeros_like(joined)
    for state, output in enumerate(bundle.factors.outputs):
        if output is not None:
            expected[state, numbers[output]] = 1
    wrong = (joined + network.head != expected).any(1).nonzero()[:, 0].tolist()
    return [f"the network scores state {state} as another tag than {bundle.factors.outputs[state]}" for state in wrong]


def check_slot_certificate(
    path: Path, system: SlotSystem, texts: Sequence[str]
) -> tuple[SlotCertificate, tuple[str, ...]]:
    """Do the comparison of a stored certificate again. The new certificate, and in words what no longer fits the
    stored one (empty: it holds). InputError for a file that is no certificate for slots."""
    stored = read_as(path, SlotCertificate)
    made = certify_slots(system, texts, cast(TransducerKind, stored.transducer))
    names = {
        "rules_hash": "the rules are not the certified ones",
        "logic_hash": "the priorities are not the certified ones",
        "texts_hash": "the texts are not the certified ones",
        "tokenization": "the texts are tokenized in another way",
        "known_slots": "the slots of the rules are spelt otherwise",
        "states": "the transducers have another number of states",
        "rank": "the factors have another rank",
        "agree": "another number of texts agree",
    }
    return made, no_longer_fitting(stored, made, names)
