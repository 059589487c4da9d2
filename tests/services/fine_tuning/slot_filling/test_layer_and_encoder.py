"""A linear layer and an auxiliary encoder, as much of each as held-out texts confirm, next to rules as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from support.networks.tagger_samples import sample_project, sample_system

from re2nn_core.errors import Cancelled
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import load_tagger
from re2nn_core.services.fine_tuning.slot_filling import layer_and_encoder as module
from re2nn_core.services.fine_tuning.slot_filling.layer_and_encoder import (
    ALONE,
    WITH_ENCODER,
    WITH_RULES,
    Mean,
    MeasuredMean,
    folds_measured,
)
from re2nn_core.services.fine_tuning.slot_filling.linear_layer import TagLinearLayer
from re2nn_core.services.fine_tuning.slot_filling.objectives import sizes_that_differ, slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.split import layer_decides
from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize
from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport, train_tagger
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training import checkpoint
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.span_scores import span_scores

CONFIG = TaggerConfig(vectors="none", auxiliary_states=8, word_dimensions=6, dropout=0.1, linear=True)
SHORT = TrainConfig(device="cpu", epochs=1, batch_size=8, head_learning_rate=1e-2, copies=2, average="predictions")
TEXTS = Corpus(tuple(one for one in sample_project("flight_slots").corpus if one.spans is not None)[::8])


def train(folder: Path, training: TrainConfig = SHORT, **more: object) -> SlotTrainReport:
    return train_tagger(sample_system("flight_slots"), TEXTS, CONFIG, training, folder=folder, **more)


def choosing(mean: Mean | None) -> object:
    """That mean in the place of the most certain one."""

    def chosen(measured: Sequence[MeasuredMean]) -> MeasuredMean | None:
        return next((one for one in measured if one.mean == mean), None)

    return chosen


@pytest.fixture
def always_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_gains", lambda counts, rules: True)


@pytest.mark.usefixtures("always_tried")
@pytest.mark.parametrize(
    ("mean", "networks"),
    [
        pytest.param(ALONE, 1, marks=pytest.mark.long),
        (Mean(0.5, True), 2),
        pytest.param(Mean(0.75, False), 1, marks=pytest.mark.long),
        pytest.param(Mean(0.5, False), 1, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_what_is_reported_is_what_the_saved_model_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mean: Mean, networks: int
) -> None:
    monkeypatch.setattr(module, "most_certain", choosing(mean))
    report = train(tmp_path)
    bundle = load_tagger(tmp_path)
    assert (report.linear_weight, len(bundle.networks), bundle.trained) == (mean.share, networks, True)
    assert (report.best_epoch, bundle.kept_rules) == (0, True)
    assert [float(one.linear.share) for one in bundle.networks] == [mean.share] * networks
    assert (bundle.network.auxiliary is None) == (mean in WITH_RULES)
    assert ("the rest those of the rules: F1" in report.recipe) == (mean in WITH_RULES)
    assert "rules as they are, auxiliary encoder: LSTM" in report.recipe
    tested = [one for one in TEXTS if one.split == "test"]
    gold = [text.tags or () for text in tagged_texts(tested, bundle.tokenization)]
    found = predict_tags(bundle, [one.text for one in tested])
    assert span_scores(gold, [one.tags for one in found]).f1 == pytest.approx(report.test)
    assert report.test != report.zero_shot["test"]
    start = start_tagger(sample_system("flight_slots"), TEXTS, tagged_texts(tuple(TEXTS), bundle.tokenization), CONFIG)
    for name in ("trust", "head"):
        assert torch.equal(getattr(bundle.network, name), getattr(start.network, name))


@pytest.mark.long
@pytest.mark.usefixtures("always_tried")
def test_where_nothing_is_certain_a_mean_with_the_rules_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "most_certain", choosing(None))
    report = train(tmp_path)
    bundle = load_tagger(tmp_path)
    assert (report.linear_weight, len(bundle.networks), bundle.trained) == (0.75, 1, True)
    assert bundle.network.auxiliary is None


def test_where_held_out_texts_speak_against_the_layer_the_rules_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "most_certain", choosing(None))
    monkeypatch.setattr(module, "AGAINST", -100.0)
    report = train(tmp_path)
    bundle = load_tagger(tmp_path)
    assert (report.linear_weight, len(bundle.networks), bundle.trained) == (0.0, 1, False)
    assert bundle.network.linear is None
    assert report.test == report.zero_shot["test"]


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (0.06, "the rest those of the rules: F1 changes by +6.0 on 50 held-out texts (standard error 2.0)."),
        (0.01, "(standard error 2.0), no certain loss. At this rate, about 160 more annotated texts would decide; or"),
        (-0.01, "(standard error 2.0), no certain loss. Annotate more texts, or write rules for the spans"),
    ],
)
def test_a_layer_that_is_kept_without_a_certain_gain_says_what_would_decide(gain: float, words: str) -> None:
    assert words in TagLinearLayer(0.75, SpanStepSize(0.75, gain, 0.02, 50, 0.5), encoder=False).in_words


@pytest.mark.parametrize(
    ("alone", "with_rules", "with_encoder", "chosen"),
    [
        ((0.05, 0.02), (0.05, 0.01), (0.06, 0.02), WITH_ENCODER[0]),
        ((0.05, 0.02), (0.05, 0.01), (0.01, 0.02), WITH_RULES[0]),
        ((0.05, 0.02), (0.03, 0.02), (0.01, 0.02), ALONE),
        ((0.01, 0.02), (0.01, 0.02), (0.03, 0.02), WITH_RULES[0]),
        ((0.01, 0.02), (-0.02, 0.02), (0.01, 0.02), None),
    ],
    ids=["encoder", "nearer to the rules", "alone", "none is certain", "a loss"],
)
def test_a_mean_with_the_rules_stands_in_the_place_of_the_layer_alone_and_not_of_the_encoder(
    alone: tuple[float, float], with_rules: tuple[float, float], with_encoder: tuple[float, float], chosen: Mean | None
) -> None:
    given = {ALONE: alone, WITH_RULES[0]: with_rules, WITH_ENCODER[0]: with_encoder}
    measured = [
        MeasuredMean(mean, SpanStepSize(mean.share, gain, error, 50, 0.5)) for mean, (gain, error) in given.items()
    ]
    best = module._chosen(measured)
    assert (best and best.mean) == chosen


@pytest.mark.parametrize(
    ("gain", "error", "kept"),
    [(0.02, 0.02, True), (-0.01, 0.05, True), (-0.02, 0.03, False), (0.0, 0.0, False)],
    ids=["gain", "loss within half an error", "loss", "no difference"],
)
def test_a_mean_with_the_rules_is_kept_where_held_out_texts_do_not_speak_against_it(
    gain: float, error: float, kept: bool
) -> None:
    others = [MeasuredMean(mean, SpanStepSize(mean.share, -1.0, 0.0, 20, 0.0)) for mean in (ALONE, *WITH_ENCODER)]
    measured = [*others, MeasuredMean(WITH_RULES[0], SpanStepSize(0.75, gain, error, 20, 0.5))]
    assert (module._unharmed(measured) is not None) == kept


def test_an_encoder_that_does_not_gain_on_the_first_fold_is_trained_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = []
    monkeypatch.setattr(module, "_gains", lambda counts, rules: False)
    monkeypatch.setattr(module, "train_auxiliary", lambda *given, **more: trained.append(given))
    report = train(tmp_path)
    assert len(trained) == 1
    assert load_tagger(tmp_path).network.auxiliary is None or report.linear_weight in (0.0, 1.0)


def test_a_training_is_cancelled(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        train(tmp_path, should_stop=lambda: True)


@pytest.mark.long
@pytest.mark.usefixtures("always_tried")
def test_progress_grows_with_every_pass_and_a_stopped_training_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "PAUSE", 0)
    monkeypatch.setattr(module, "most_certain", choosing(Mean(0.5, True)))
    seen: list[tuple[int, int, str]] = []
    training = replace(SHORT, epochs=3)
    whole = train(tmp_path / "whole", training, on_progress=lambda *told: seen.append(told))
    done = [one for one, _, _ in seen]
    assert done == sorted(done)
    assert len({total for _, total, _ in seen}) == 1
    assert done[-1] == seen[-1][1]
    assert "auxiliary encoder, fold 1 of 5, epoch 2 of 3" in {words for _, _, words in seen}
    assert "auxiliary encoder, all texts, 2 of 2, epoch 3 of 3" in {words for _, _, words in seen}

    parts: list[str] = []
    late = "auxiliary encoder, all texts, 2 of 2, epoch 2 of 3"
    with pytest.raises(Cancelled):
        train(
            tmp_path / "broken",
            training,
            on_progress=lambda *told: parts.append(told[2]),
            should_stop=lambda: late in parts,
        )
    fitted = []
    monkeypatch.setattr(module, "fitted_layer", lambda *given, **more: fitted.append(given))
    resumed = train(tmp_path / "broken", training, on_progress=lambda *told: parts.append(told[2]))
    assert not fitted
    assert parts[parts.index(late) + 1 :][0] == "auxiliary encoder, all texts, 2 of 2, epoch 3 of 3"
    assert (resumed.dev, resumed.test, resumed.recipe) == (whole.dev, whole.test, whole.recipe)
    saved = [load_tagger(tmp_path / name).copies[0].state_dict() for name in ("whole", "broken")]
    assert all(torch.equal(saved[0][name], saved[1][name]) for name in saved[0])
    assert not (tmp_path / "broken" / "checkpoint").exists()


def test_fewer_folds_are_measured_the_more_texts_there_are() -> None:
    assert [folds_measured(texts, 5) for texts in (20, 200, 400, 1000, 7000)] == [5, 5, 2, 1, 1]
    assert folds_measured(20, 1) == 1


def test_the_recipe_has_no_steps() -> None:
    """With more texts a batch grows by a text at a time, and the auxiliary encoder by 20 states; nothing else differs
    in the network."""
    sizes = sorted({*range(10, 8000, 7), 349, 350, 1999, 2000})
    networks = [slot_network("accuracy", count) for count in sizes]
    assert {replace(one, auxiliary_states=1) for one in networks} == {replace(networks[0], auxiliary_states=1)}
    states = [one.auxiliary_states for one in networks]
    assert (states[0], states[-1]) == (100, 200)
    assert {after - before for before, after in zip(states, states[1:], strict=False)} == {0, 20}
    assert layer_decides(slot_network("accuracy", 50))
    batches = [slot_training("accuracy", count).batch_size for count in sizes]
    assert all(0 <= after - before <= 1 for before, after in zip(batches, batches[1:], strict=False))
    own = {slot_training("accuracy", count) for count in sizes_that_differ()}
    assert {slot_training("accuracy", count) for count in sizes} <= own
    assert set(networks) <= {slot_network("accuracy", count) for count in sizes_that_differ()}
