"""The auxiliary encoder of a tagger trained alone: the likelihood of the whole network, and rules as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
import torch
from support.networks.tagger_samples import sample_project, sample_system

from re2nn_core.errors import Cancelled
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training import checkpoint
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.part_progress import Part, PartProgress
from re2nn_core.training.tag_auxiliary import learned_parameters, log_likelihood, read_texts, train_auxiliary
from re2nn_core.training.tagged_examples import TagExamples

CONFIG = TaggerConfig(vectors="builtin", auxiliary_states=8, word_dimensions=6, dropout=0.1, linear=True)
PART = Part("encoder0", "auxiliary encoder", 3, "epoch")
SHORT = TrainConfig(device="cpu", epochs=3, batch_size=8, head_learning_rate=1e-2, decay=0.8)


def started(rules: Literal["votes", "tags"] = "votes") -> tuple[TaggerBundle, TagExamples]:
    system = sample_system("flight_slots")
    corpus = Corpus(tuple(one for one in sample_project("flight_slots").corpus if one.spans is not None)[:40])
    texts = tagged_texts(tuple(corpus), system.tokenization)
    bundle = start_tagger(system, corpus, texts, replace(CONFIG, auxiliary_rules=rules))
    return bundle, TagEncoder(bundle).examples(texts)


def loss(bundle: TaggerBundle, texts: TagExamples) -> float:
    return texts.measure([bundle.network])[1]


@pytest.mark.parametrize("rules", ["votes", "tags"])
def test_the_likelihood_of_what_was_read_once_is_that_of_the_network(rules: Literal["votes", "tags"]) -> None:
    bundle, texts = started(rules)
    train_auxiliary(bundle.network, texts, SHORT, 0)  # so that no part is zero
    read = read_texts(bundle.network, texts)
    longest_first = sorted(read, key=lambda text: -len(text.words))
    with torch.no_grad():
        found = log_likelihood(bundle.network, longest_first)
    assert float(-found.mean()) == pytest.approx(loss(bundle, texts), rel=1e-5)


def test_training_learns_and_leaves_the_rules_as_they_are() -> None:
    bundle, texts = started()
    before = {name: value.detach().clone() for name, value in bundle.network.named_parameters()}
    first = loss(bundle, texts)
    train_auxiliary(bundle.network, texts, SHORT, 0)
    assert loss(bundle, texts) < 0.7 * first
    learned = learned_parameters(bundle.network)
    moved = {name for name, value in bundle.network.named_parameters() if not torch.equal(value, before[name])}
    assert moved
    assert moved <= set(learned)
    assert not bundle.network.training


def test_the_same_seed_gives_the_same_encoder_and_another_one_another() -> None:
    found = []
    for seed in (0, 0, 1):
        bundle, texts = started()
        train_auxiliary(bundle.network, texts, SHORT, seed)
        found.append(loss(bundle, texts))
    assert found[0] == found[1] != found[2]


def test_it_stops_where_it_is_asked_to() -> None:
    bundle, texts = started()
    with pytest.raises(Cancelled):
        train_auxiliary(bundle.network, texts, SHORT, 0, progress=PartProgress([PART], should_stop=lambda: True))
    assert not bundle.network.training


def test_a_training_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PAUSE", 0)
    whole, texts = started()
    train_auxiliary(whole.network, texts, SHORT, 0)
    epochs: list[int] = []
    stopped = PartProgress(
        [PART], tmp_path, on_progress=lambda done, *_: epochs.append(done), should_stop=lambda: len(epochs) == 1
    )
    bundle, texts = started()
    with pytest.raises(Cancelled):
        train_auxiliary(bundle.network, texts, SHORT, 0, progress=stopped, part=PART.name)
    resumed, texts = started()
    progress = PartProgress([PART], tmp_path, on_progress=lambda done, *_: epochs.append(done))
    train_auxiliary(resumed.network, texts, SHORT, 0, progress=progress, part=PART.name)
    assert epochs == [1, 2, 3]
    of_whole, of_resumed = (learned_parameters(one.network) for one in (whole, resumed))
    assert all(torch.equal(of_whole[name], of_resumed[name]) for name in of_whole)
