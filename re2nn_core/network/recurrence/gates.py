"""Update and reset gates (Jiang et al., EMNLP 2020, equation 7), open at the start.

    f = sigmoid(z W_f + h U_f + b_f)          how much of the new state is taken
    r = sigmoid(z W_r + h U_r + b_r)          how much of the old state is kept against h_0
    h' = (1 - f) h + f step((1 - r) h_0 + r h, z)

With large biases both gates are near one and the cell is the ungated one, up to the sigmoid's distance from one:
START_BIAS 10 leaves 5e-5. The paper draws W and U by Xavier's rule; here they are drawn so small (1e-3) that the gates
open alike for every word.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from re2nn_core.network.recurrence.semiring_loop import Step

START_BIAS = 10.0


class Gates(nn.Module):
    """The gates of one reader. Weights [width of a word or states, states], biases [states]."""

    def __init__(self, width: int, states: int, *, seed: int) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(seed)

        def small(rows: int) -> nn.Parameter:
            return nn.Parameter(1e-3 * torch.randn(rows, states, generator=random))

        self.update_word, self.update_state = small(width), small(states)
        self.reset_word, self.reset_state = small(width), small(states)
        self.update_bias = nn.Parameter(torch.full((states,), START_BIAS))
        self.reset_bias = nn.Parameter(torch.full((states,), START_BIAS))

    def around(self, step: Step, start: Tensor) -> Step:
        """The gated step around a plain one; `start` [states] is h_0."""

        def gated(state: Tensor, word: Tensor) -> Tensor:
            update = torch.sigmoid(word @ self.update_word + state @ self.update_state + self.update_bias)
            reset = torch.sigmoid(word @ self.reset_word + state @ self.reset_state + self.reset_bias)
            taken = step((1 - reset) * start + reset * state, word)
            return (1 - update) * state + update * taken

        return gated
