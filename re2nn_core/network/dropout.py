"""Dropout (Srivastava et al., JMLR 15, 2014) from bits drawn many at once.

torch draws each entry by itself on a processor, which took a sixth of a training on few texts. Here four entries come
from one random number, a third of the time; shares are whole multiples of 1 / 65,536.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

_LEVELS = 2**16  # values of the 16 bits that an entry has
_LOWEST = -(2**15)


class Dropout(nn.Module):
    """Sets a share of entries to zero in training, each by chance, and scales the others so that the mean stays."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, values: Tensor, random: torch.Generator | None = None) -> Tensor:
        """The axes stay. `random`: where chance comes from, torch's own generator if it is not given."""
        if not self.training or not self.share:
            return values
        if values.device.type != "cpu":
            return nn.functional.dropout(values, self.share)
        return values * kept_entries(values.shape, self.share, random) * (1 / (1 - self.share))

    def of_members(self, values: Tensor, counts: Sequence[int], chance: Sequence[torch.Generator]) -> Tensor:
        """Values of several networks, `counts` entries of each, one network's behind the other's: as `forward` of each
        by its own chance. The axes stay."""
        if not self.training or not self.share:
            return values
        kept = torch.cat(
            [kept_entries((count,), self.share, random) for count, random in zip(counts, chance, strict=True)]
        )
        return values * kept.view(values.shape) * (1 / (1 - self.share))


def kept_entries(shape: torch.Size | tuple[int, ...], share: float, random: torch.Generator | None) -> Tensor:
    """Whether each entry is kept where a `share` of them is not. The axes are those of `shape`."""
    drawn, lowest = drawn_numbers(torch.Size(shape).numel(), share, random)
    kept: Tensor = drawn.view(shape) >= lowest
    return kept


def drawn_numbers(count: int, share: float, random: torch.Generator | None) -> tuple[Tensor, int]:
    """A number of 16 bits for each entry, [count], and the lowest number with which an entry is kept."""
    drawn = torch.empty(-(-count // 4), dtype=torch.long).random_(-(2**63), None, generator=random)
    return drawn.view(torch.int16)[:count], round(share * _LEVELS) + _LOWEST
