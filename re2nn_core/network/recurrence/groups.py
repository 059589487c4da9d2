"""Machines in groups of equal size, for a recurrence that multiplies by small matrices instead of one large one.

Where no weight joins two machines, D1, D2 and W are block diagonal: of 107 x 107 entries on ATIS, 475 may be anything
but zero. One product a machine would be many tiny ones, so machines are put together until a group has as many states
and terms as a processor multiplies quickly (WIDTH). What stands between the machines of a group stays zero.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from re2nn_core.network.recurrence.fused import GroupedWeights
from re2nn_core.network.recurrence.semiring_loop import Weights

WIDTH = 16  # states and terms of a group: 7 groups of 16 take a fifth of the time of one matrix of 107


class Groups(nn.Module):
    """Where each state and term stands among `count` groups of `width` states and as many terms. What is left over in
    a group is filled with the first state or term, by weights of zero."""

    states: Tensor
    terms: Tensor
    state_places: Tensor
    source_places: Tensor
    source_kept: Tensor
    target_places: Tensor
    target_kept: Tensor
    wildcard_places: Tensor
    wildcard_kept: Tensor

    def __init__(self, states: list[list[int]], terms: list[list[int]], owners: Tensor, term_owners: Tensor) -> None:
        """States and terms of each group; the machine of each state [states] and each term [rank]."""
        super().__init__()
        self.count = len(states)
        self.width = _rounded(max(len(part) for part in (*states, *terms)))
        held, held_terms = _filled(states, self.width), _filled(terms, self.width)  # [groups, width], -1 where none
        machine, term_machine = _owners_of(held, owners), _owners_of(held_terms, term_owners)
        state, term = held.clamp(min=0), held_terms.clamp(min=0)
        rank = len(term_owners)
        joins = machine[:, :, None] == term_machine[:, None, :]  # [groups, width of states, width of terms]
        inside = machine[:, :, None] == machine[:, None, :]
        parts = {
            "states": state.reshape(-1),
            "terms": term.reshape(-1),
            "state_places": _places_of(held, len(owners)),
            "source_places": (state[:, :, None] * rank + term[:, None, :]).reshape(-1),
            "source_kept": joins & (machine >= 0)[:, :, None],
            "target_places": (state[:, None, :] * rank + term[:, :, None]).reshape(-1),
            "target_kept": (joins & (machine >= 0)[:, :, None]).transpose(1, 2),
            "wildcard_places": (state[:, :, None] * len(owners) + state[:, None, :]).reshape(-1),
            "wildcard_kept": inside & (machine >= 0)[:, :, None],
        }
        for name, value in parts.items():
            self.register_buffer(name, value.contiguous(), persistent=False)

    def weights(self, start: Tensor, weights: Weights) -> GroupedWeights:
        """By group, from start [states] and factors; what blocks forbid is left out."""
        return GroupedWeights(
            start.index_select(0, self.states).reshape(self.count, self.width),
            self._picked(weights.sources, self.source_places, self.source_kept),
            self._picked(weights.wildcard, self.wildcard_places, self.wildcard_kept),
            self._picked(weights.targets, self.target_places, self.target_kept),
        )

    def member_weights(self, start: Tensor, weights: Weights) -> GroupedWeights:
        """As `weights`, of several networks, [members, ...] each; the groups of the first one stand first."""
        return GroupedWeights(
            start.index_select(1, self.states).reshape(-1, self.width),
            self._picked_of_members(weights.sources, self.source_places, self.source_kept),
            self._picked_of_members(weights.wildcard, self.wildcard_places, self.wildcard_kept),
            self._picked_of_members(weights.targets, self.target_places, self.target_kept),
        )

    def words(self, terms: Tensor) -> Tensor:
        """[rows, groups * width] from the terms of words [rows, rank]."""
        return terms.index_select(1, self.terms)

    def by_group(self, states: Tensor) -> Tensor:
        """[groups, width] from values of states [states]; what is left over in a group is zero."""
        picked = states.index_select(0, self.states).reshape(self.count, self.width)
        return picked * self.wildcard_kept.diagonal(dim1=1, dim2=2)

    def last(self, states: Tensor) -> Tensor:
        """[batch, states] from states by group [groups, batch, width]."""
        return states.transpose(0, 1).flatten(1).index_select(1, self.state_places)

    def _picked(self, weights: Tensor, places: Tensor, kept: Tensor) -> Tensor:
        return weights.reshape(-1).index_select(0, places).reshape(kept.shape) * kept

    def _picked_of_members(self, weights: Tensor, places: Tensor, kept: Tensor) -> Tensor:
        return (weights.flatten(1).index_select(1, places).view(-1, *kept.shape) * kept).flatten(0, 1)


class Whole(nn.Module):
    """All states in one group, as they are."""

    count = 1
    wildcard_mask: Tensor
    source_mask: Tensor
    target_mask: Tensor

    def __init__(self, sources: Tensor, targets: Tensor, wildcard: Tensor) -> None:
        """What may be anything but zero of D1 and D2 [states, rank] and W [states, states]."""
        super().__init__()
        for name, mask in (("source_mask", sources), ("target_mask", targets), ("wildcard_mask", wildcard)):
            self.register_buffer(name, mask, persistent=False)

    def weights(self, start: Tensor, weights: Weights) -> GroupedWeights:
        """As one group, from start [states] and factors; what blocks forbid is left out."""
        return GroupedWeights(
            start[None],
            (weights.sources * self.source_mask)[None],
            (weights.wildcard * self.wildcard_mask)[None],
            (weights.targets * self.target_mask).T[None],
        )

    def member_weights(self, start: Tensor, weights: Weights) -> GroupedWeights:
        """As `weights`, of several networks, [members, ...] each."""
        return GroupedWeights(
            start,
            weights.sources * self.source_mask,
            weights.wildcard * self.wildcard_mask,
            (weights.targets * self.target_mask).transpose(1, 2),
        )

    def words(self, terms: Tensor) -> Tensor:
        """Terms [rows, rank] as they are."""
        return terms

    def by_group(self, states: Tensor) -> Tensor:
        """[1, states] from values of states [states]."""
        return states[None]

    def last(self, states: Tensor) -> Tensor:
        """[batch, states] from states [1, batch, states]."""
        return states[0]


def group_machines(blocks: Sequence[tuple[int, int]], term_machine: Sequence[int]) -> Groups | None:
    """The largest machines first, each into the first group that has room for it; None where that saves nothing, or
    where a term belongs to no single machine."""
    if min(term_machine, default=-1) < 0:
        return None
    terms: list[list[int]] = [[] for _ in blocks]
    for term, machine in enumerate(term_machine):
        terms[machine].append(term)
    sizes = [max(end - begin, len(own)) for (begin, end), own in zip(blocks, terms, strict=True)]
    width = _rounded(max(sizes))
    grouped: list[list[int]] = []
    room: list[tuple[int, int]] = []
    for machine in sorted(range(len(blocks)), key=lambda number: -sizes[number]):
        need = (blocks[machine][1] - blocks[machine][0], len(terms[machine]))
        place = next((n for n, (s, t) in enumerate(room) if s >= need[0] and t >= need[1]), len(room))
        if place == len(room):
            grouped.append([])
            room.append((width, width))
        grouped[place].append(machine)
        room[place] = (room[place][0] - need[0], room[place][1] - need[1])
    states = sum(end - begin for begin, end in blocks)
    if 3 * len(grouped) * width**2 > states * (states + 2 * len(term_machine)) / 2:
        return None
    owners = torch.cat([torch.full((end - begin,), machine) for machine, (begin, end) in enumerate(blocks)])
    return Groups(
        [[state for machine in group for state in range(*blocks[machine])] for group in grouped],
        [[term for machine in group for term in terms[machine]] for group in grouped],
        owners,
        torch.tensor(term_machine, dtype=torch.long),
    )


def _rounded(size: int) -> int:
    """The next multiple of half a width, one width at least."""
    half = WIDTH // 2
    return max(WIDTH, -(-size // half) * half)


def _filled(parts: list[list[int]], width: int) -> Tensor:
    return torch.tensor([part + [-1] * (width - len(part)) for part in parts], dtype=torch.long)


def _owners_of(held: Tensor, owners: Tensor) -> Tensor:
    """The machine at each place, -1 where there is none."""
    return torch.where(held >= 0, owners[held.clamp(min=0)], torch.tensor(-1))


def _places_of(held: Tensor, states: int) -> Tensor:
    """[states]: where each state stands."""
    flat = held.reshape(-1)
    places = torch.zeros(states, dtype=torch.long)
    filled = torch.nonzero(flat >= 0).reshape(-1)
    places[flat[filled]] = filled
    return places
