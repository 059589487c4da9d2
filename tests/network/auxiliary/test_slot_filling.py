"""The auxiliary encoder: silent at the start, one vector for all unseen words, dropout in training alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from support.networks.tagger_samples import TRIP, TRIP_TEXTS, batch_of, config_of, system_of, tagger_of, vocabulary_of
from torch import Tensor, nn

from re2nn_core.network.auxiliary.auxiliary_encoder import SIZE, WordAuxiliary
from re2nn_core.network.slot_filling.recurrent_layer import word_order

WORDS, DIMENSIONS, TAGS = 8, 2, 3
SEEN = (3, 4, 6)
RUNNING = [2, 2, 1]  # sentences of three words and of two
CODES = torch.tensor([3, 4, 5, 6, 7])  # all first words, all second ones, the third one
kinds = pytest.mark.parametrize("kind", ["gru", "lstm"])


def residual_of(seen: Sequence[int] = SEEN, *, matches: bool = True, **chosen: object) -> WordAuxiliary:
    """A reader in evaluation; where it speaks, with an output layer as if it had been trained."""
    usual = {"auxiliary": "lstm", "dropout": 0.0, "word_dropout": 0.0}
    made = WordAuxiliary(WORDS, DIMENSIONS, TAGS, config_of(**{**usual, **chosen}), seen)
    if matches:
        with torch.no_grad():
            made.out.copy_(torch.randn(made.out.shape, generator=torch.Generator().manual_seed(1)))
    return made.eval()


def inputs(seed: int = 0) -> tuple[Tensor, Tensor]:
    """Vectors [words, dimensions] and votes [words, tags]."""
    random = torch.Generator().manual_seed(seed)
    return torch.randn(5, DIMENSIONS, generator=random), torch.rand(5, TAGS, generator=random)


@kinds
def test_it_starts_silent_and_can_learn(kind: str) -> None:
    residual, (vectors, votes) = residual_of(auxiliary=kind, matches=False), inputs()
    scores = residual.train()(CODES, vectors, votes, RUNNING)
    assert scores.shape == (5, TAGS)
    assert not scores.any()
    scores[:, 1].sum().backward()
    assert residual.out.grad is not None
    assert residual.out.grad[:, 1].abs().max() > 0
    assert not residual.out.grad[:, 0].any()


@kinds
def test_it_reads_as_torch_reads_each_sentence_alone(kind: str) -> None:
    """Both directions, words in the order of reading; features are vectors, own vectors and votes."""
    residual, (vectors, votes) = residual_of(auxiliary=kind), inputs()
    with torch.no_grad():
        found = residual(CODES, vectors, votes, RUNNING)
        for places in ([0, 2, 4], [1, 3]):
            rows = [code if code in SEEN else WORDS for code in CODES[places].tolist()]
            features = torch.cat([SIZE * vectors[places], residual.own[rows], votes[places]], 1)
            alone, _ = residual.states.cell(features[None])
            assert torch.allclose(found[places], alone[0] @ residual.out, atol=1e-6)


@kinds
def test_unseen_words_share_a_row(kind: str) -> None:
    residual, (vectors, votes) = residual_of(auxiliary=kind), inputs()
    same = vectors[:1].expand(5, -1), votes[:1].expand(5, -1)

    def scores(word: int) -> Tensor:
        return residual(torch.tensor([word, 3, 4, 6, 3]), *same, [5])[0].detach()

    unseen = [word for word in range(WORDS) if word not in SEEN]
    assert all(torch.equal(scores(word), scores(unseen[0])) for word in unseen)
    found = [scores(word) for word in (*SEEN, unseen[0])]
    assert len({tuple(one.tolist()) for one in found}) == len(SEEN) + 1


def test_rows_that_nothing_reads_have_no_gradient() -> None:
    residual, (vectors, votes) = residual_of(), inputs()
    residual(CODES, vectors, votes, RUNNING).sum().backward()
    assert residual.own.grad is not None
    rows = torch.nonzero(residual.own.grad.abs().sum(1)).reshape(-1).tolist()
    assert rows == [3, 4, 6, WORDS]


def test_words_are_dropped_in_training_alone() -> None:
    residual, (vectors, votes) = residual_of(range(WORDS), word_dropout=0.5), inputs()
    many = torch.arange(WORDS).repeat(200)
    assert torch.equal(residual._rows(many), many)
    torch.manual_seed(3)
    dropped = residual.train()._rows(many)
    assert set(dropped[dropped != many].tolist()) == {WORDS}
    assert 0.4 < float((dropped != many).double().mean()) < 0.6
    torch.manual_seed(3)
    assert torch.equal(residual._rows(many), dropped)
    read = [residual.eval()(CODES, vectors, votes, RUNNING) for _ in range(2)]
    assert torch.equal(*read)
    learned = [residual.train()(CODES, vectors, votes, RUNNING) for _ in range(4)]
    assert any(not torch.equal(one, learned[0]) for one in learned)
    never = residual_of(range(WORDS)).train()
    assert torch.equal(never._rows(many), many)


@kinds
def test_dropout_in_training_alone(kind: str) -> None:
    residual, (vectors, votes) = residual_of(auxiliary=kind, dropout=0.5), inputs()
    torch.manual_seed(1)
    one, other = (residual.train()(CODES, vectors, votes, RUNNING) for _ in range(2))
    assert not torch.equal(one, other)
    one, other = (residual.eval()(CODES, vectors, votes, RUNNING) for _ in range(2))
    assert torch.equal(one, other)


@kinds
def test_without_words_without_vectors_of_its_own(kind: str) -> None:
    residual = residual_of(auxiliary=kind, word_dimensions=0)
    nothing = torch.zeros(0, dtype=torch.long)
    assert residual(nothing, torch.zeros(0, DIMENSIONS), torch.zeros(0, TAGS), []).shape == (0, TAGS)
    vectors, votes = inputs()
    scores = [residual(codes, vectors, votes, RUNNING) for codes in (CODES, torch.zeros(5, dtype=torch.long))]
    assert torch.equal(*scores)
    assert residual.own.shape == (WORDS + 1, 0)


def test_one_that_learns_apart_reads_no_votes() -> None:
    residual, (vectors, votes) = residual_of(detached=True), inputs()
    assert residual(CODES, vectors, votes[:, :0], RUNNING).shape == (5, TAGS)
    assert residual.states.cell.input_size == residual_of().states.cell.input_size - TAGS


def test_the_seed_decides_and_nothing_else_is_moved() -> None:
    torch.manual_seed(9)
    expected = torch.rand(2)
    torch.manual_seed(9)
    one, same, other = residual_of(seed=1), residual_of(seed=1), residual_of(seed=2)
    assert torch.equal(torch.rand(2), expected)
    for name, value in one.named_parameters():
        assert torch.equal(value, same.get_parameter(name)), name
        assert name == "out" or not torch.equal(value, other.get_parameter(name)), name


@kinds
def test_what_it_learns_moves_a_tagger_s_logits_by_as_much(kind: str) -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network = tagger_of(system, vocabulary, auxiliary=kind, vectors="given")
    batch = batch_of(vocabulary, TRIP_TEXTS)
    order = word_order(batch)
    assert isinstance(network.auxiliary, WordAuxiliary)
    with torch.no_grad():
        silent = network.read(batch).logits
        nn.init.normal_(network.auxiliary.out)
        votes = network.silenced((network.read(batch).emitted * network.trust) @ network.voting)
        words = batch.words.reshape(-1)[order.places]
        said = network.auxiliary(words, network.reader.auxiliary_vectors(batch, order), votes, order.running)
        assert torch.allclose(network.read(batch).logits - silent, said, atol=1e-5)
        assert said.abs().mean() > 0.1
