"""The sentence encoder as a part of a network that trains it along (Jiang et al., EMNLP 2021, section 3.4, equation 4).

Its layers learn; its tables of pieces and places, which hold half of its numbers, stay as they are. It gives what
embeddings/context.py gives: for each word the mean of the last states of its pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from re2nn_core.embeddings.encoder import states_of_padded

_TABLES = "embeddings."
_LONGEST = 510  # pieces of a sentence beside its two marks; words behind have a vector of zeros


class TunedEncoder(nn.Module):
    """`weights` by their names in the encoder's file; `marks`: the pieces that begin and end a sentence."""

    def __init__(self, weights: Mapping[str, Tensor], marks: tuple[int, int]) -> None:
        super().__init__()
        self.begin, self.end = marks
        self.names = tuple(name for name in weights if name != "embeddings.position_ids")
        for name in self.names:
            value = weights[name].detach().clone().float()
            if name.startswith(_TABLES):
                self.register_buffer(own_name(name), value)
            else:
                self.register_parameter(own_name(name), nn.Parameter(value))

    @property
    def description(self) -> dict[str, Any]:
        """What a model folder keeps beside the weights."""
        return {"names": list(self.names), "marks": [self.begin, self.end]}

    def forward(self, pieces: Tensor, lengths: list[int]) -> Tensor:
        """[words, dimensions], sentence after sentence, from pieces [words, pieces of a word], -1 where none is."""
        device = pieces.device
        sentences = len(lengths)
        owner = torch.repeat_interleave(torch.arange(sentences, device=device), torch.tensor(lengths, device=device))
        real = pieces >= 0
        flat = pieces[real]  # pieces in the order of words
        word = torch.repeat_interleave(torch.arange(len(pieces), device=device), real.sum(1))
        sentence = owner[word]
        count = torch.bincount(sentence, minlength=sentences)
        place = torch.arange(len(flat), device=device) - (count.cumsum(0) - count)[sentence]
        kept = place < _LONGEST
        flat, word, sentence, place = flat[kept], word[kept], sentence[kept], place[kept]
        count = count.clamp(max=_LONGEST)
        numbers = torch.zeros(sentences, int(count.max()) + 2, dtype=torch.long, device=device)
        numbers[:, 0] = self.begin
        numbers[sentence, place + 1] = flat.long()
        numbers[torch.arange(sentences, device=device), count + 1] = self.end
        present = (torch.arange(numbers.shape[1], device=device) < (count + 2)[:, None]).float()
        states = states_of_padded(numbers, present, {name: getattr(self, own_name(name)) for name in self.names})
        summed = states.new_zeros(len(pieces), states.shape[2]).index_add(0, word, states[sentence, place + 1])
        return summed / torch.bincount(word, minlength=len(pieces)).clamp(min=1)[:, None]


def own_name(name: str) -> str:
    """A name that a module may give to its parts."""
    return name.replace(".", "_")
