"""Tags and how sure they are, of one tagger and of several together."""

from __future__ import annotations

from itertools import product

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

from re2nn_core.network.slot_filling.predict import probabilities_of_tags, run_taggers
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.text.vocabulary import Vocabulary


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


def three_networks(decoding: str) -> tuple[list[FstRnn], Vocabulary]:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    return [disturbed(tagger_of(system, vocabulary, decoding=decoding), 0.5, seed) for seed in range(3)], vocabulary


def test_several_networks_without_a_chain_predict_by_their_mean_probabilities() -> None:
    networks, vocabulary = three_networks("softmax")
    codes = [vocabulary.encode(text) for text in TRIP_TEXTS]
    batch = batch_of(vocabulary, [TRIP_TEXTS[0]])
    with torch.no_grad():
        mean = torch.stack([network.probabilities(network(batch), batch.inside()) for network in networks]).mean(0)[0]
    for confidence in (True, False):
        first = run_taggers(networks, codes, with_confidences=confidence)[0]
        assert first.tags == tuple(networks[0].tags[n].replace("OO", "O") for n in mean.argmax(1).tolist())
    confidence = torch.where(mean.argmax(1) < 2, mean[:, :2].sum(1), mean.amax(1))
    assert run_taggers(networks, codes)[0].token_confidences.tolist() == pytest.approx(confidence.tolist(), abs=1e-6)


@pytest.mark.parametrize("text", [("to", "oslo"), ("oslo", "on", "monday"), ("from", "oslo", "to", "rome")], ids=str)
def test_several_networks_with_chains_predict_the_sequence_that_is_the_likeliest_for_all_of_them(
    text: tuple[str, ...],
) -> None:
    networks, vocabulary = three_networks("crf")
    batch = batch_of(vocabulary, [text])
    tags, inside = range(len(networks[0].tags)), batch.inside()
    sequences = list(product(tags, repeat=len(text)))
    with torch.no_grad():
        every = torch.tensor(sequences)[:, None]  # [sequences, 1, words]
        logits = [network(batch) for network in networks]
        mean = torch.tensor(
            [
                sum(float(one.log_likelihood(part, gold, inside)) for one, part in zip(networks, logits, strict=True))
                for gold in every
            ]
        )
    best = sequences[int(mean.argmax())]
    shares = torch.softmax(mean / len(networks), 0)
    found = run_taggers(networks, [vocabulary.encode(text)])[0]
    assert found.tags == tuple(networks[0].tags[number].replace("OO", "O") for number in best)
    assert run_taggers(networks, [vocabulary.encode(text)], with_confidences=False)[0].tags == found.tags
    for place, (number, confidence) in enumerate(zip(best, found.token_confidences, strict=True)):
        meant = {0, 1} if number < 2 else {number}
        expected = sum(float(share) for share, one in zip(shares, sequences, strict=True) if one[place] in meant)
        assert float(confidence) == pytest.approx(expected, abs=1e-5)
    whole = probabilities_of_tags(networks, [vocabulary.encode(text)])[0]
    assert whole.sum(1).tolist() == pytest.approx([1.0] * len(text), abs=1e-5)
    assert whole[0, best[0] - 1 if best[0] else 0] == pytest.approx(float(found.token_confidences[0]), abs=1e-5)


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
