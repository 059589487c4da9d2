"""Changing the rules of a trained network without training it again (Jiang et al., EMNLP 2020, section 6, equation 10).

A network of one machine a rule is block diagonal: each machine has states and terms of its own. The network of a
changed rule set is built anew, exact, and every block whose rule has not changed takes its trained parameters over.
Added rules are blocks beside the old ones, a disabled rule is a block less; all other scores stay what
they were, up to the order in which a larger matrix is summed (1e-6 at most in the tests). Trained aggregation layers
are carried over clause by clause (carry_layers.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from re2nn_core.network.auxiliary.auxiliary_encoder import TextAuxiliary
from re2nn_core.network.auxiliary.text_linear import TextLinear
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.carry_layers import carry_layers, same_form
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Correspondence:
    """Which places of the new network are which of the old one; pairs of index tensors of equal length. `new_words`
    pairs each word that is new with the unknown kind that stood for it."""

    words: tuple[Tensor, Tensor]
    new_words: tuple[Tensor, Tensor]
    machines: tuple[Tensor, Tensor]
    labels: tuple[Tensor, Tensor]
    kept: tuple[str, ...]


def transplant(old: Bundle, new: Bundle) -> tuple[str, ...]:
    """Copy the trained parameters of `old` into the untrained `new`, in place; the names of the machines that were
    kept. Both must have the same settings; words that are new have no vector, so that they do what the rules say."""
    kept = _kept(old, new)
    matching = Correspondence(
        _places(new.vocabulary.words, old.vocabulary.words),
        _unknown_before(new.vocabulary, old.vocabulary),
        _places(kept, old.machines.names, within=new.machines.names),
        _places(new.network.logic.labels, old.network.logic.labels),
        kept,
    )
    with torch.no_grad():
        states = [
            _copy_reader(after, before, matching)
            for after, before in zip(new.network.readers, old.network.readers, strict=True)
        ]
        _copy_head(new.network, old.network, states, matching)
        if new.network.auxiliary is not None and old.network.auxiliary is not None:
            _copy_auxiliary(new.network.auxiliary, old.network.auxiliary, matching)
        if new.network.linear is not None and old.network.linear is not None:
            _copy_linear(new.network.linear, old.network.linear, matching)
        if new.network.layers is not None and old.network.layers is not None and new.config.train_aggregation:
            carry_layers(new.network.layers, old.network.layers, kept, matching.machines, matching.labels)
    return kept


def restarted_labels(old: Bundle, new: Bundle) -> tuple[str, ...]:
    """The labels whose trained aggregation layers `transplant` cannot carry over, because their clauses are others now:
    they are made of their rules as the label logic says."""
    before, after = old.network.layers, new.network.layers
    if before is None or after is None or not new.config.train_aggregation:
        return ()
    both = [label for label in after.labels if label in before.labels]
    return tuple(label for label in both if not same_form(after, before, label, _kept(old, new)))


def _kept(old: Bundle, new: Bundle) -> tuple[str, ...]:
    """The machines that both have, in the order of the new ones."""
    same = {m.name: m.tree for m in old.machines.machines}
    return tuple(m.name for m in new.machines.machines if same.get(m.name) == m.tree)


def _places(
    wanted: tuple[str, ...], there: tuple[str, ...], within: tuple[str, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """(places in the new list, places in the old one) of the names that both have."""
    old = {name: place for place, name in enumerate(there)}
    new = {name: place for place, name in enumerate(within if within is not None else wanted)}
    pairs = [(new[name], old[name]) for name in wanted if name in old]
    return (
        torch.tensor([place for place, _ in pairs], dtype=torch.long),
        torch.tensor([place for _, place in pairs], dtype=torch.long),
    )


def _unknown_before(new: Vocabulary, old: Vocabulary) -> tuple[Tensor, Tensor]:
    places = [place for place, word in enumerate(new.words) if word not in old.index]
    kinds = [new.kinds[place] for place in places]
    return torch.tensor(places, dtype=torch.long), torch.tensor(kinds, dtype=torch.long)


def _states(reader: RecurrentLayer, machines: Tensor) -> Tensor:
    """The states of the given machines in their order, then the extra states."""
    ranges = [torch.arange(*reader.blocks[int(machine)]) for machine in machines]
    last = reader.blocks[-1][1] if reader.blocks else 0
    return torch.cat([*ranges, torch.arange(last, len(reader.start))])


def _terms(reader: RecurrentLayer, machines: Tensor) -> Tensor:
    """The rank-one terms of the given machines in their order."""
    owner = torch.tensor(reader.term_machine)
    return torch.cat([torch.zeros(0, dtype=torch.long), *(torch.nonzero(owner == m)[:, 0] for m in machines)])


def _copy_reader(after: RecurrentLayer, before: RecurrentLayer, matching: Correspondence) -> tuple[Tensor, Tensor]:
    """Copy one direction; (states of the new reader, states of the old one) that belong together."""
    words_new, words_old = matching.words
    machines_new, machines_old = matching.machines
    states_new, states_old = _states(after, machines_new), _states(before, machines_old)
    terms_new, terms_old = _terms(after, machines_new), _terms(before, machines_old)
    after.vectors[words_new] = before.vectors[words_old]
    if after.config.vectors == CONTEXT:
        after.context_mean.copy_(before.context_mean)
        after.context_scale.copy_(before.context_scale)
    for words_after, words_before in (matching.words, matching.new_words):
        copied = before.word_factors[words_before[:, None], terms_old]
        after.word_factors[words_after[:, None], terms_new] = copied
    after.vector_map[:, terms_new] = before.vector_map[:, terms_old]
    for name in ("sources", "targets"):
        getattr(after, name)[states_new[:, None], terms_new] = getattr(before, name)[states_old[:, None], terms_old]
    # A new machine's terms do not touch the extra states, which serve all the others.
    own = torch.ones(len(after.term_machine), dtype=torch.bool)
    own[terms_new] = False
    extra = after.blocks[-1][1]
    after.sources[extra:, own] = 0
    after.wildcard[states_new[:, None], states_new] = before.wildcard[states_old[:, None], states_old]
    after.start[states_new] = before.start[states_old]
    after.final[machines_new[:, None], states_new] = before.final[machines_old[:, None], states_old]
    return states_new, states_old


def _copy_auxiliary(after: TextAuxiliary, before: TextAuxiliary, matching: Correspondence) -> None:
    labels_new, labels_old = matching.labels
    after.states.load_state_dict(before.states.state_dict())
    after.out[:, labels_new] = before.out[:, labels_old]
    after.bias[labels_new] = before.bias[labels_old]


def _copy_linear(after: TextLinear, before: TextLinear, matching: Correspondence) -> None:
    labels_new, labels_old = matching.labels
    after.by_vector[:, labels_new] = before.by_vector[:, labels_old]
    after.bias[labels_new] = before.bias[labels_old]
    for words_new, words_old in (matching.words, matching.new_words):
        after.idf[words_new] = before.idf[words_old]
        after.by_word[words_new[:, None], labels_new] = before.by_word[words_old[:, None], labels_old]


def _copy_head(after: FaRnn, before: FaRnn, states: list[tuple[Tensor, Tensor]], matching: Correspondence) -> None:
    labels_new, labels_old = matching.labels
    new_offset = old_offset = 0
    for (new, old), reader_new, reader_old in zip(states, after.readers, before.readers, strict=True):
        rows_new, rows_old = (new + new_offset)[:, None], (old + old_offset)[:, None]
        after.head[rows_new, labels_new] = before.head[rows_old, labels_old]
        new_offset, old_offset = new_offset + len(reader_new.start), old_offset + len(reader_old.start)
    after.bias[labels_new] = before.bias[labels_old]
