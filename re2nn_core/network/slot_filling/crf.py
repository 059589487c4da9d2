"""A linear chain over the tags of a sentence (Jiang et al., EMNLP 2021, section 3.6, algorithm 4).

    score(y) = start[y_1] + sum_t emission[t, y_t] + sum_t transition[y_t-1, y_t] + end[y_m]

All weights start at zero, so that every tag may follow every other one alike: the untrained chain predicts as each word
would by itself. Scores up to a word are kept apart from the size that they have in common, so that long texts lose no
digits.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

FAR_APART = 60.0  # transitions that differ by more would be lost in sums of their exponentials


class LinearChain(nn.Module):
    """transitions [tags, tags], from the row's tag to the column's; start, end [tags]."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        self.transitions = nn.Parameter(torch.zeros(tags, tags))
        self.start = nn.Parameter(torch.zeros(tags))
        self.end = nn.Parameter(torch.zeros(tags))

    def log_likelihood(self, emissions: Tensor, tags: Tensor, inside: Tensor) -> Tensor:
        """[batch]: of tags [batch, time] given emissions [batch, time, tags]; inside [batch, time] is True for words.
        0 for a sentence without words, which has one sequence of tags only."""
        if not emissions.shape[1]:
            return emissions.sum((1, 2))
        likelihood = self._score(emissions, tags, inside) - self._forward(emissions, inside)[0]
        return likelihood * inside[:, 0]

    def _score(self, emissions: Tensor, tags: Tensor, inside: Tensor) -> Tensor:
        own = emissions.gather(2, tags[:, :, None])[:, :, 0]  # [batch, time]
        joined = self.transitions[tags[:, :-1], tags[:, 1:]]  # [batch, time - 1]
        last = tags.gather(1, (inside.sum(1, keepdim=True) - 1).clamp(min=0))[:, 0]
        total = (own * inside).sum(1) + (joined * inside[:, 1:]).sum(1)
        return total + self.start[tags[:, 0]] + self.end[last]

    def _forward(self, emissions: Tensor, inside: Tensor) -> tuple[Tensor, list[Tensor]]:
        """The logarithm of the sum over all sequences, [batch], and of those up to each word, each [batch, tags], short
        of what all tags there have in common."""
        state = emissions[:, 0] + self.start
        states, common = [state], torch.zeros_like(state[:, 0])
        # exp(transitions) once, and one product a word, instead of a sum over [batch, tags, tags]
        largest = self.transitions.amax()
        weights = (self.transitions - largest).exp()
        apart = float((largest - self.transitions.amin()).detach()) > FAR_APART
        for time in range(1, emissions.shape[1]):
            top = state.detach().amax(1, keepdim=True)
            state = state - top
            common = common + top[:, 0]
            if apart:
                summed = torch.logsumexp(state[:, :, None] + self.transitions, 1)
            else:
                summed = (state.exp() @ weights).log() + largest
            state = torch.where(inside[:, time, None], summed + emissions[:, time], state)
            states.append(state)
        return torch.logsumexp(state + self.end, 1) + common, states

    def marginals(self, emissions: Tensor, inside: Tensor) -> Tensor:
        """[batch, time, tags]: the probability of each tag at each word; zeros behind the end."""
        if not emissions.shape[1]:
            return emissions
        _, forward = self._forward(emissions, inside)
        state = self.end.expand_as(emissions[:, 0])
        states = [state]
        for time in range(emissions.shape[1] - 1, 0, -1):
            following = state + emissions[:, time]
            summed = torch.logsumexp(self.transitions + following[:, None, :], 2)
            state = torch.where(inside[:, time, None], summed - summed.amax(1, keepdim=True), state)
            states.append(state)
        joined = torch.stack(forward, 1) + torch.stack(states[::-1], 1)
        return torch.softmax(joined, 2) * inside[:, :, None]

    def best(self, emissions: Tensor, inside: Tensor) -> Tensor:
        """[batch, time]: the best sequence (Viterbi); 0 behind the end. Of equal tags the first is taken."""
        if not emissions.shape[1]:
            return inside.long()
        state = emissions[:, 0] + self.start
        came_from: list[Tensor] = []
        for time in range(1, emissions.shape[1]):
            scores, sources = (state[:, :, None] + self.transitions).max(1)
            running = inside[:, time, None]
            scores = scores - scores.amax(1, keepdim=True)
            state = torch.where(running, scores + emissions[:, time], state)
            came_from.append(torch.where(running, sources, torch.arange(state.shape[1], device=state.device)))
        tag = (state + self.end).argmax(1, keepdim=True)
        tags = [tag]
        for sources in reversed(came_from):
            tag = sources.gather(1, tag)
            tags.append(tag)
        return torch.cat(tags[::-1], 1) * inside


def mean_chain(chains: Sequence[LinearChain]) -> LinearChain:
    """The chain of mean weights. With the mean of their emissions it gives each sequence of tags the geometric mean of
    what the chains give it, but for a factor (a logarithmic opinion pool; Smith, Cohn and Osborne, ACL 2005)."""
    found = LinearChain(len(chains[0].start)).to(chains[0].start)
    with torch.no_grad():
        for name, weights in found.named_parameters():
            weights.copy_(torch.stack([chain.get_parameter(name) for chain in chains]).mean(0))
    return found
