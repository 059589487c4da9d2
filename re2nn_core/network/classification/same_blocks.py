"""Whether rules have the very same weights in two networks with blocks: the proof that an edit left them alone.

A rule's score follows from the states, terms and arcs of its own block and from the words' vectors. Where all these are
the same bit by bit, the score is the same too, up to the order in which matrices of another size are summed.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer


def _same_standard(old: RecurrentLayer, new: RecurrentLayer) -> bool:
    """Whether vectors of words in their sentences are moved and scaled alike."""
    if old.config.vectors != CONTEXT:
        return True
    return torch.equal(old.context_mean, new.context_mean) and torch.equal(old.context_scale, new.context_scale)


def same_blocks(before: Bundle, after: Bundle, names: Sequence[str]) -> bool:
    """Whether all of these machines, which both networks have, have the same weights; of words that only the newer one
    knows, those that the older one gives to any unknown word."""
    new_words = torch.arange(len(after.vocabulary))
    old_words = torch.tensor(
        [
            before.vocabulary.index.get(word, kind)
            for word, kind in zip(after.vocabulary.words, after.vocabulary.kinds, strict=True)
        ]
    )
    for old, new in zip(before.network.readers, after.network.readers, strict=True):
        if not torch.equal(old.vectors[old_words], new.vectors[new_words]):
            return False
        if not _same_standard(old, new):
            return False
        for name in names:
            was = _weights(old, before.network.names.index(name), old_words)
            now = _weights(new, after.network.names.index(name), new_words)
            if not all(torch.equal(a, b) for a, b in zip(was, now, strict=True)):
                return False
    return True


def _weights(reader: RecurrentLayer, machine: int, words: Tensor) -> list[Tensor]:
    """All weights that a machine's score follows from, but the vectors of the words."""
    begin, end = reader.blocks[machine]
    own = slice(begin, end)
    terms = torch.nonzero(torch.tensor(reader.term_machine) == machine)[:, 0]
    return [
        reader.word_factors[words][:, terms],  # [words, terms]
        reader.vector_map[:, terms],  # [dimensions, terms]
        reader.sources[own][:, terms],  # [states, terms]
        reader.targets[own][:, terms],  # [states, terms]
        reader.wildcard[own, own],  # [states, states]
        reader.start[own],  # [states]
        reader.final[machine, own],  # [states]
    ]
