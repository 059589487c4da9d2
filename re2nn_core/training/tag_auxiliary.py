"""Training the auxiliary encoder of a tagger alone, with the rules as they are.

What rules and word vectors say of a text does not change then, so that it is computed once for all epochs, and the
recurrence of the rules is not run again. The last epoch is taken: held-out texts decide afterwards how much the encoder
counts.

Half of the texts of each step hold other values in their spans (varied_texts.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from re2nn_core.network.recurrence.batch import Batch, reading_order
from re2nn_core.network.recurrence.batching import shuffled_places
from re2nn_core.network.slot_filling.predict import evaluating
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.training.adam import Adam, Moments, RateGroup
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.part_progress import PartProgress
from re2nn_core.training.tagged_examples import TagExamples
from re2nn_core.training.varied_texts import varied_copies

VARIED = 0.5  # of the texts of a step
LONGEST_STEP = 5.0  # of gradients: longer ones are scaled down to this norm
_LEARNED = ("auxiliary.", "chain.", "bias")  # names of the parameters that learn
_MOMENTS = {"exp_avg": "first", "exp_avg_sq": "second", "step": "steps"}  # of Adam, as a checkpoint names them


@dataclass(frozen=True)
class ReadText:
    """What rules and vectors say of a text of so many words: words [words] numbers; vectors [words, dimensions]; votes
    and scores [words, tags], what the encoder is given of the rules and their own; gold [words], the tags' numbers."""

    words: Tensor
    vectors: Tensor
    votes: Tensor
    scores: Tensor
    gold: Tensor


def learned_parameters(network: FstRnn) -> dict[str, nn.Parameter]:
    """Those of auxiliary encoder, bias and chain by name."""
    return {name: value for name, value in network.named_parameters() if name.startswith(_LEARNED)}


def train_auxiliary(
    network: FstRnn,
    texts: TagExamples,
    config: TrainConfig,
    seed: int,
    *,
    progress: PartProgress | None = None,
    part: str = "",
) -> None:
    """Train a network's auxiliary encoder, bias and chain in place. `progress` knows of it as a `part`, goes on from
    the state that it kept, and may cancel it.

    Nothing to do without an auxiliary encoder."""
    if network.auxiliary is None or not len(texts):
        return
    texts = texts if network.reader.takes_context else texts.of_words()
    read = read_texts(network, texts)
    copies = [read_texts(network, copy) for copy in varied_copies(texts, seed)]
    codes = [text.words.tolist() for text in read]
    learned = learned_parameters(network)
    steps = Adam([RateGroup(list(learned.values()), config.head_learning_rate)])
    random = torch.Generator().manual_seed(seed)
    network.train()
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            begun = _resume(learned, steps, random, progress.state(part) if progress else None)
            for epoch in range(begun, config.epochs):
                for places in shuffled_places(codes, config.batch_size, random):
                    if progress is not None:
                        progress.stop_if_asked()
                    for value in learned.values():
                        value.grad = None
                    step = _some_varied(read, copies, places, random)
                    (-log_likelihood(network, step).mean()).backward()
                    nn.utils.clip_grad_norm_(learned.values(), LONGEST_STEP)
                    steps.step(config.decay**epoch)
                if progress is not None:
                    progress.passed(part, epoch + 1, partial(_state, learned, steps, random, epoch + 1))
    finally:
        network.eval()


def _state(learned: Mapping[str, nn.Parameter], steps: Adam, random: torch.Generator, epochs: int) -> dict[str, Tensor]:
    """All that the training goes on from after so many epochs."""
    found = {"epochs": torch.tensor(epochs), "order": random.get_state(), "chance": torch.get_rng_state()}
    for name, parameter in learned.items():
        found[f"value.{name}"] = parameter.detach()
        found |= {f"{kind}.{name}": vars(steps.moments[parameter])[own] for kind, own in _MOMENTS.items()}
    return found


def _resume(
    learned: Mapping[str, nn.Parameter],
    steps: Adam,
    random: torch.Generator,
    state: Mapping[str, Tensor] | None,
) -> int:
    """Take up a state; how many epochs it has behind it, 0 where there is none."""
    if state is None:
        return 0
    epochs = int(state["epochs"])
    random.set_state(state["order"])
    torch.set_rng_state(state["chance"])
    for name, parameter in learned.items():
        parameter.data.copy_(state[f"value.{name}"])
        first, second, taken = (state[f"{kind}.{name}"] for kind in _MOMENTS)
        steps.moments[parameter] = Moments(first.to(parameter.device), second.to(parameter.device), taken)
    return epochs


def _some_varied(
    read: Sequence[ReadText], copies: Sequence[Sequence[ReadText]], places: Sequence[int], random: torch.Generator
) -> list[ReadText]:
    """The texts at these places, or copies of some, the longest first."""
    found = [read[place] for place in places]
    if copies:
        chances = torch.rand(len(places), generator=random).tolist()
        chosen = torch.randint(len(copies), (len(places),), generator=random).tolist()
        drawn = zip(places, chances, chosen, strict=True)
        found = [(copies[copy] if chance < VARIED else read)[place] for place, chance, copy in drawn]
    return sorted(found, key=lambda text: -len(text.words))


def read_texts(network: FstRnn, texts: TagExamples) -> list[ReadText]:
    """What rules and vectors say of each text, in the order of the texts."""
    found: dict[int, ReadText] = {}
    with evaluating([network]), torch.no_grad():
        for numbered, gold in texts.with_gold(network.device):
            batch = network.of_rules(numbered.batch)
            read = network.read(batch)
            votes = network.silenced((read.emitted * network.trust) @ network.voting)
            vectors = network.reader.auxiliary_vectors(batch, read.order)
            given = network.rules_given(votes, read.scores)
            frozen = [network.padded(part, read.order, batch) for part in (vectors, given, read.scores)]
            parts = [batch.words, *frozen, gold]
            for row, (place, length) in enumerate(zip(numbered.places, batch.lengths, strict=True)):
                found[place] = ReadText(*(part[row, :length].clone() for part in parts))
    return [found[place] for place in range(len(found))]


def log_likelihood(network: FstRnn, texts: Sequence[ReadText]) -> Tensor:
    """[texts]: of the tags of texts, the longest first, by rules, auxiliary encoder, bias and chain."""
    batch = Batch(_padded([text.words for text in texts]), [len(text.words) for text in texts])
    order = reading_order(batch)
    vectors, votes, scores = (
        _padded([getattr(text, name) for text in texts]).flatten(0, 1)[order.places]
        for name in ("vectors", "votes", "scores")
    )
    logits = network.config.logit_scale * scores + network.bias
    if network.auxiliary is not None:
        words = batch.words.flatten()[order.places]
        logits = logits + network.auxiliary(words, vectors, votes, order.running)
    rows = logits.new_zeros(batch.words.numel(), logits.shape[1]).index_copy(0, order.places, logits)
    gold = _padded([text.gold for text in texts])
    return network.log_likelihood(rows.unflatten(0, tuple(batch.words.shape)), gold, batch.inside())


def _padded(parts: Sequence[Tensor]) -> Tensor:
    """[texts, time, ...], zeros behind the end of a text."""
    return nn.utils.rnn.pad_sequence(list(parts), batch_first=True)
