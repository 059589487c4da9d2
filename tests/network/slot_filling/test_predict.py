"""Tags and how sure they are, of one tagger and of several together."""

from __future__ import annotations

import pytest
import torch
from support.networks.tagger_samples import (
    TRIP,
    TRIP_TEXTS,
    batch_of,
    disturbed,
    predictions_of,
    system_of,
    tagger_of,
    vocabulary_of,
)

from re2nn_core.network.slot_filling.predict import run_taggers


def test_predictions_of_one_network() -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network, done = disturbed(tagger_of(system, vocabulary), 0.02), []
    codes = [vocabulary.encode(text) for text in TRIP_TEXTS]
    network.train()
    predictions = run_taggers([network], codes, on_progress=lambda so_far, of: done.append((so_far, of)))
    assert network.training
    assert done == [(5, 5)]
    for text, prediction in zip(TRIP_TEXTS, predictions, strict=True):
        batch = batch_of(vocabulary, [text])
        with torch.no_grad():
            shares = torch.softmax(network(batch), 2)[0].tolist() if text else []
        best = [max(range(len(row)), key=row.__getitem__) for row in shares]
        assert prediction.tags == tuple(network.tags[number].replace("OO", "O") for number in best)
        confidence = [sum(row[:2]) if number < 2 else row[number] for number, row in zip(best, shares, strict=True)]
        assert prediction.token_confidences.tolist() == pytest.approx(confidence)
    assert {"O", "B-city"} <= {tag for prediction in predictions for tag in prediction.tags}
    uncertain = run_taggers([network], codes, with_confidences=False)
    assert [prediction.tags for prediction in uncertain] == [prediction.tags for prediction in predictions]
    assert all((prediction.token_confidences == 1).all() for prediction in uncertain)


@pytest.mark.parametrize("decoding", ["softmax", "crf"])
def test_predictions_of_several_networks_are_those_of_their_mean(decoding: str) -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    networks = [disturbed(tagger_of(system, vocabulary, decoding=decoding), 0.5, seed) for seed in range(3)]
    codes = [vocabulary.encode(text) for text in TRIP_TEXTS]
    batch = batch_of(vocabulary, [TRIP_TEXTS[0]])
    with torch.no_grad():
        mean = torch.stack([network.probabilities(network(batch), batch.inside()) for network in networks]).mean(0)[0]
    for confidence in (True, False):
        first = run_taggers(networks, codes, with_confidences=confidence)[0]
        assert first.tags == tuple(networks[0].tags[n].replace("OO", "O") for n in mean.argmax(1).tolist())
    confidence = torch.where(mean.argmax(1) < 2, mean[:, :2].sum(1), mean.amax(1))
    assert run_taggers(networks, codes)[0].token_confidences.tolist() == pytest.approx(confidence.tolist(), abs=1e-6)


@pytest.mark.parametrize("form", [{}, {"decoding": "crf"}, {"auxiliary": "lstm", "detached": True}], ids=str)
def test_doubt_passes_over_tags_that_are_not_sure(form: dict[str, object]) -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    codes = [vocabulary.encode(text) for text in TRIP_TEXTS]
    confidence = run_taggers([tagger_of(system, vocabulary, **form)], codes)
    for minimum in (0.3, 0.6):
        network = tagger_of(system, vocabulary, **form, minimum_confidence=minimum)
        assert not network.config.is_exact
        for with_confidences in (True, False):
            for one, other in zip(
                confidence, run_taggers([network], codes, with_confidences=with_confidences), strict=True
            ):
                kept = [
                    tag if share >= minimum else "O" for tag, share in zip(one.tags, one.token_confidences, strict=True)
                ]
                assert other.tags == tuple(kept)
    assert "B-date" in confidence[0].tags
    never = run_taggers([tagger_of(system, vocabulary, **form, minimum_confidence=0.9, logit_scale=0.5)], codes)
    assert {tag for prediction in never for tag in prediction.tags} == {"O"}


def test_of_two_tags_with_equal_votes_neither_is_sure() -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    assert predictions_of(tagger_of(system, vocabulary), vocabulary, [("to", "oslo")]) == [("O", "B-city")]
    assert predictions_of(tagger_of(system, vocabulary, minimum_confidence=0.6), vocabulary, [("to", "oslo")]) == [
        ("O", "O")
    ]
