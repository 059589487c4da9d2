"""The published ATIS rules on the published sentences: how many pairs of sentence and label are accepted, and by how
many paths. The figures were measured once with other code, which knew no EOS; one rule, `$* what is $ EOS`, needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.networks.machine_samples import published_machines

from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.automata.matcher import Matcher
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.tensors.factors import Factors, exact_factors
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.tokenization import Tokenization, words_of_all

TEXTS = Path(__file__).resolve().parents[2].parent / "shared" / "benchmarks" / "atis"
SENTENCES, LABELS = 4875, 26
ACCEPTED, BY_SEVERAL_PATHS, MOST_PATHS = 5687, 289, 10
BY_THE_RULE_WITH_EOS = 26


@pytest.fixture(scope="module")
def sentences() -> list[tuple[str, ...]]:
    if not TEXTS.is_dir():
        pytest.skip(f"the published texts are not here: {TEXTS}")
    texts = [text for split in ("train", "test") for text in read_corpus(TEXTS / f"{split}.tsv").corpus.texts]
    return words_of_all(texts, Tokenization())


def path_counts(factors: Factors, final: np.ndarray, sentences: list[tuple[str, ...]]) -> Iterator[np.ndarray]:
    """[machines] of each sentence: the recurrence with nothing clamped."""
    for sentence in sentences:
        state = factors.start
        for word in factors.vocabulary.encode(sentence):
            state = ((state @ factors.sources) * factors.words[word]) @ factors.targets.T + state @ factors.wildcard
        yield final @ state


def written_finals(machines: Machines, factors: Factors) -> np.ndarray:
    """[machines, states]: final states as written, before EOS is folded in."""
    final = np.zeros_like(factors.final)
    for number, (machine, (begin, _)) in enumerate(zip(machines.machines, factors.blocks, strict=True)):
        final[number, [begin + state for state in machine.dfa.finals]] = 1
    return final


def test_accepted_pairs(sentences: list[tuple[str, ...]]) -> None:
    machines, _ = published_machines("atis.rules.v0.config")
    matched = Matcher([exact_dfa(machine.tree) for machine in machines.machines]).matched(sentences)
    assert matched.shape == (SENTENCES, LABELS)
    assert matched.sum() == ACCEPTED + BY_THE_RULE_WITH_EOS


def test_pairs_with_several_paths(sentences: list[tuple[str, ...]]) -> None:
    """Why states are clamped: a sum over paths is a count of them."""
    machines, vocabulary = published_machines("atis.rules.v0.config")
    factors = exact_factors(machines, vocabulary)
    counts = np.asarray(list(path_counts(factors, written_finals(machines, factors), sentences)))
    assert (counts > 0).sum() == ACCEPTED
    assert (counts > 1).sum() == BY_SEVERAL_PATHS
    assert counts.max() == MOST_PATHS
    with_eos = np.asarray(list(path_counts(factors, factors.final, sentences)))
    more = (with_eos > 0) & (counts == 0)
    assert more.sum() == BY_THE_RULE_WITH_EOS
    assert set(np.nonzero(more)[1].tolist()) == {machines.names.index("[abbreviation]")}
