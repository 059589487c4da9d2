"""The parts of an explanation for labels, from the parts of the network's scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.score_parts import Doubles, ScoreParts
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.services.explanation.classification.explanation import (
    Explanation,
    HeatedWord,
    LabelSum,
    RulePart,
    RulePath,
)
from re2nn_core.services.explanation.classification.network_explanation import limits_of, paths_of
from re2nn_core.text.kinds import spelling
from re2nn_core.text.tokenization import Token


def label_sums(labels: Sequence[str], parts: ScoreParts, probabilities: Doubles) -> tuple[LabelSum, ...]:
    """Each label's sum, the best one first; probabilities [labels]."""
    total, rules = parts.total, parts.by_machine.sum(0)
    return tuple(
        LabelSum(
            labels[place],
            float(rules[place]),
            float(parts.logic[place]),
            float(parts.outside[place]),
            float(total[place]),
            float(probabilities[place]),
        )
        for place in np.argsort(-total, kind="stable").tolist()
    )


def heated(tokens: Sequence[Token], heat: Sequence[float], bundle: Bundle) -> tuple[HeatedWord, ...]:
    """The words with how much each counts, and whether the network knows it."""
    known = bundle.vocabulary.index
    return tuple(
        HeatedWord(spelling(token.text), token.start, token.end, token.text in known, value)
        for token, value in zip(tokens, heat, strict=True)
    )


def without_network(
    text: str, tokens: Sequence[Token], prediction: str | None, about: str | None, refusal: str
) -> Explanation:
    """What is left to tell where the rules are too large for a network, which `refusal` says."""
    words = tuple(HeatedWord(spelling(token.text), token.start, token.end, True, 0.0) for token in tokens)
    note = f"There is no network of these rules, so scores and paths are not available: {refusal}"
    return Explanation(text, prediction, prediction, about or prediction, words, (), (), (), (note,), False)


def rule_parts(
    bundle: Bundle, parts: ScoreParts, before: Doubles, order: Sequence[int], matched: frozenset[str]
) -> tuple[RulePart, ...]:
    """What each machine adds, in this order; `before` [machines]: their scores without training."""
    owner, labels, machines = _owners(bundle), bundle.network.logic.labels, bundle.machines.machines
    return tuple(
        RulePart(
            machines[machine].name,
            owner[machine],
            any(rule in matched for rule in machines[machine].rules),
            float(before[machine]),
            float(parts.machine_scores[machine]),
            dict(zip(labels, parts.by_machine[machine].tolist(), strict=True)),
        )
        for machine in order
    )


def rule_paths(
    bundle: Bundle, before: Bundle, batch: Batch, sentence: Sequence[str], machines: Sequence[int]
) -> tuple[RulePath, ...]:
    """The best paths through some machines; `before`: the network without training."""
    owner = _owners(bundle)
    every = [paths_of(bundle, before, batch, sentence, machine, owner[machine]) for machine in machines]
    return tuple(path for paths in every for path in paths)


def _owners(bundle: Bundle) -> list[str]:
    """The label of each machine's rules."""
    label_of = {rule.name: rule.label for rule in bundle.ruleset.rules}
    return [label_of[machine.rules[0]] for machine in bundle.machines.machines]


def explanation_notes_of(bundle: Bundle, sentence: Sequence[str], rules_text: str, *, trained: bool) -> list[str]:
    """What has to be known beside the figures, in words; `rules_text` are the rules that were chosen."""
    notes = []
    if not sentence:
        notes.append("The text has no words: only rules that accept the empty sentence can match.")
    elif not any(word in bundle.vocabulary.index for word in sentence):
        known = "The network knows" if trained else "The rules name"
        notes.append(f"{known} none of these words: they are treated as unknown words.")
    if trained and rules_text != bundle.rules_text:
        notes.append(
            "The network was trained from other rules than those chosen: its parts and paths are of the rules that it "
            "was trained from."
        )
    return [*notes, *limits_of(bundle.config, len(bundle.networks), trained=trained)]
