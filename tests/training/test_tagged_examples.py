"""Losses and scores of a tagger on encoded sentences, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from support.networks.tagger_samples import (
    CPU,
    TRIP,
    TRIP_TEXTS,
    batch_of,
    disturbed,
    predictions_of,
    system_of,
    tagger_of,
    vocabulary_of,
)

from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.batching import batches_by_length
from re2nn_core.network.slot_filling.predict import run_taggers
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.training.span_scores import span_scores
from re2nn_core.training.tagged_examples import TagExamples

SYSTEM = system_of(TRIP)
VOCABULARY = vocabulary_of(SYSTEM, TRIP_TEXTS)
TEXTS = [*TRIP_TEXTS[:4], ("to", "oslo"), ("on", "5", "june", "from", "q")]
GOLD = [
    "O O B-city I-city O B-goal O B-date I-date",
    "B-city",
    "O O O O",
    "O B-new",  # a slot that the network does not know
    "O B-goal",
    "O B-date I-date O B-city",
]
decodings = pytest.mark.parametrize("decoding", ["softmax", "crf"])


def network_of(seed: int = 5, **form: object) -> FstRnn:
    return disturbed(tagger_of(SYSTEM, VOCABULARY, **form), 0.3, seed)


def examples(network: FstRnn, measured: int | None = None) -> TagExamples:
    tags = [tuple(one.split()) for one in GOLD]
    numbers = [[network.tags.index(tag) if tag in network.tags else 1 for tag in one] for one in tags]
    return TagExamples([VOCABULARY.encode(text) for text in TEXTS], numbers, tags, None, measured)


def loss_of(network: FstRnn, place: int) -> float:
    """The negative log likelihood of one sentence, alone."""
    batch: Batch = batch_of(VOCABULARY, [TEXTS[place]])
    with torch.no_grad():
        logits = network(batch)
        gold = torch.tensor([examples(network).numbers[place]])
        return -float(network.log_likelihood(logits, gold, batch.inside()))


@decodings
def test_the_loss_of_a_batch_is_the_mean_of_its_sentences(decoding: str) -> None:
    network = network_of(decoding=decoding)
    given = examples(network)
    for size in (1, 2, 6):
        for numbered in batches_by_length(given.codes, size, CPU):
            expected = sum(loss_of(network, place) for place in numbered.places) / len(numbered.places)
            assert float(given.loss(network, numbered).detach()) == pytest.approx(expected, rel=1e-5)


@decodings
def test_measures(decoding: str) -> None:
    """F1 of the spans that are predicted, and the mean loss over sentences."""
    network = network_of(decoding=decoding)
    given = examples(network)
    f1, loss = given.measure([network])
    scores = span_scores(given.tags, predictions_of(network, VOCABULARY, TEXTS))
    assert f1 == scores.f1
    assert given.scores([network]) == scores
    assert loss == pytest.approx(sum(loss_of(network, place) for place in range(6)) / 6, rel=1e-5)
    assert scores.support == 8


def test_untrained_scores_are_those_of_the_rules() -> None:
    network = tagger_of(SYSTEM, VOCABULARY)
    f1, _ = examples(network).measure([network], untrained=True)
    assert f1 == span_scores([one.split() for one in GOLD], SYSTEM.tags_of_words(TEXTS)).f1
    assert 0.5 < f1 < 1


def test_several_networks_predict_together() -> None:
    networks = [network_of(seed) for seed in range(3)]
    given = examples(networks[0])
    predictions = run_taggers(networks, given.codes)
    f1, loss = given.measure(networks)
    assert (
        f1 == span_scores(given.tags, [prediction.tags for prediction in predictions]).f1 == given.scores(networks).f1
    )
    assert loss == pytest.approx(given.measure(networks[:1])[1])


@pytest.mark.parametrize(
    ("measured", "places"), [(None, range(6)), (6, range(6)), (99, range(6)), (3, (0, 2, 5)), (1, (0,))]
)
def test_some_sentences_spread_evenly_are_measured(measured: int | None, places: Sequence[int]) -> None:
    network = network_of()
    given = examples(network, measured)
    predictions = predictions_of(network, VOCABULARY, [TEXTS[place] for place in places])
    f1, loss = given.measure([network])
    assert f1 == span_scores([GOLD[place].split() for place in places], predictions).f1
    assert loss == pytest.approx(sum(loss_of(network, place) for place in places) / len(places), rel=1e-5)


def test_no_examples() -> None:
    nothing = TagExamples([], [], [])
    assert len(nothing) == 0
    assert nothing.measure([network_of()]) == (0.0, 0.0)
    assert nothing.scores([network_of()]).f1 == 0


def test_measuring_leaves_a_network_as_it_was() -> None:
    network = network_of(auxiliary="lstm", dropout=0.5).train()
    given = examples(network)
    first = given.measure([network])
    assert network.training
    assert given.measure([network]) == first, "dropout is left out"
    assert all(parameter.grad is None for parameter in network.parameters())


def test_an_epoch_has_each_sentence_once() -> None:
    given = examples(network_of())
    places = [n for numbered in given.shuffled(4, CPU, torch.Generator().manual_seed(1)) for n in numbered.places]
    assert sorted(places) == list(range(6))
    again = [n for numbered in given.shuffled(4, CPU, torch.Generator().manual_seed(1)) for n in numbered.places]
    assert again == places


def test_context_goes_with_its_sentence() -> None:
    """Each word's vector says which sentence and word it is of."""
    context = [torch.full((len(text), 3), float(place)).numpy() for place, text in enumerate(TEXTS)]
    network = network_of(vectors="context")
    given = examples(network, 3)
    given = TagExamples(given.codes, given.numbers, given.tags, context, 3)
    for numbered in given.shuffled(4, CPU, torch.Generator().manual_seed(1)):
        assert numbered.batch.context is not None
        rows = [place for place in numbered.places for _ in TEXTS[place]]
        assert numbered.batch.context[:, 0].tolist() == rows
    chosen = [0, 2, 5]
    part = TagExamples(*([part[p] for p in chosen] for part in (given.codes, given.numbers, given.tags, context)))
    assert given.measure([network]) == part.measure([network])
    assert given.measure([network]) != TagExamples(given.codes, given.numbers, given.tags, context).measure([network])
