"""Words that test texts alone hold: rules are reconstructed without them.

A network gives every word of its vocabulary a weight, by its vector, and the words of test texts are in it too. Rules
that listed them would know the very texts that they are measured on, and their test figure would say too much: on new
texts there are other words. So such a word is read as the unknown word that it would be then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary

Bools = NDArray[np.bool_]


def held_out_words(
    vocabulary: Vocabulary, corpus: Corpus, sentences: Sequence[Sequence[str]], named: Collection[str]
) -> Bools:
    """[vocabulary]: True for the words of test texts that no other text holds and no rule names. `sentences`: the words
    of each text; `named`: the words of the written rules."""
    test: set[str] = set()
    others = set(named)
    for example, words in zip(corpus, sentences, strict=True):
        (test if example.split == "test" else others).update(words)
    alone = test - others
    found = np.fromiter((word in alone for word in vocabulary.words), dtype=np.bool_, count=len(vocabulary))
    found[: len(UNKNOWN_KINDS)] = False
    return found


def read_as_unknown(machine: WeightedMachine, hidden: Bools) -> WeightedMachine:
    """The machine with the weights of unknown words, each of its kind, for the `hidden` ones [vocabulary]."""
    return replace(machine, arcs=machine.arcs[rows_as_unknown(machine.vocabulary, hidden)]) if hidden.any() else machine


def rows_as_unknown(vocabulary: Vocabulary, hidden: Bools) -> NDArray[np.int64]:
    """[vocabulary]: the number of each word, and for `hidden` ones that of the unknown words of their kind."""
    return np.where(hidden, np.asarray(vocabulary.kinds), np.arange(len(hidden)))
