"""Training a tagger on a sample project: it gains on texts that it has not seen, resumes, and tells what it did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from support.networks.tagger_samples import sample_project, sample_system

from re2nn_core.errors import Cancelled, InputError
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.services.fine_tuning.slot_filling import training as module
from re2nn_core.services.fine_tuning.slot_filling.minimum_confidence import (
    MINIMUM_CONFIDENCES,
    choose_minimum_confidence,
)
from re2nn_core.services.fine_tuning.slot_filling.split import shares_of, split_slots
from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport, tagger_resumes, train_tagger
from re2nn_core.services.prediction.f1_interval import f1_interval
from re2nn_core.services.prediction.slot_filling import untrained_tagger as untrained_tagger_module
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger, untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.span_errors import count_spans
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tagged_texts import known_tags, tagged_texts
from re2nn_core.training import checkpoint
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import TrainingPart
from re2nn_core.training.loop import Epoch, TrainResult
from re2nn_core.training.span_scores import span_scores
from re2nn_core.training.tagged_examples import TagExamples

SMALL = TaggerConfig(vectors="none", auxiliary="lstm", auxiliary_states=12, word_dimensions=12, dropout=0.1)
ALONE = TaggerConfig(vectors="none", auxiliary="none", decoding="softmax")
LARGER = replace(SMALL, auxiliary_states=24, word_dimensions=24)
FAST = TrainConfig(device="cpu", epochs=3, batch_size=4, head_learning_rate=2e-2)
QUICK = TrainConfig(device="cpu", epochs=3, batch_size=8, head_learning_rate=1e-2)
SHORT = TrainConfig(device="cpu", epochs=2, batch_size=16)


def system() -> SlotSystem:
    return sample_system("flight_slots")


def corpus(every: int = 1) -> Corpus:
    """The texts of the sample project, or every so manyth."""
    return Corpus(tuple(sample_project("flight_slots").corpus)[::every])


def marked(count: int, split: str | None = "train") -> list[Example]:
    """So many marked texts, put into a split."""
    found = [example for example in corpus() if example.spans is not None]
    return [replace(example, split=split) for example in found[:count]]


def train(
    texts: Corpus, folder: Path, config: TaggerConfig = ALONE, train_config: TrainConfig = SHORT, **more: object
) -> SlotTrainReport:
    return train_tagger(system(), texts, config, train_config, folder=folder, **more)


@pytest.fixture
def always_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned is kept, however few texts and epochs a test takes."""
    monkeypatch.setattr(module, "choose_span_step_size", lambda bundle, *rest: (bundle, None))


# --- what it learns


def test_training_gains_on_dev(tmp_path: Path) -> None:
    reported: list[tuple[Epoch, int]] = []
    report = train(corpus(), tmp_path, LARGER, FAST, on_epoch=lambda epoch, best: reported.append((epoch, best)))
    before, after = report.zero_shot["dev"], report.dev
    assert before is not None
    assert after is not None
    assert after > before + 0.03
    dev, *_ = report.figures
    assert dev.spans is not None
    low, high = (float(end.removesuffix("%")) / 100 for end in dev.interval.split(" to "))
    assert low < after < high
    assert (report.epochs, len(report.history), len(reported)) == (3, 4, 4)
    assert [epoch for epoch, _ in reported] == list(report.history)
    # What is kept may be a part of the way to the best epoch.
    assert report.history[report.best_epoch].dev == max(epoch.dev for epoch in report.history)
    assert report.history[-1].loss < report.history[1].loss
    plan = "225 training texts; 84 dev texts decide when to stop; auxiliary encoder: LSTM."
    assert report.recipe.startswith(plan)
    assert f"F1 changes by {100 * (after - before):+.1f} on 84 held-out texts" in report.recipe
    assert (report.train_size, report.vectors, report.device, report.notes) == (225, "none", "cpu", ())


@pytest.mark.usefixtures("always_certain")
def test_what_is_told_is_what_the_saved_model_does(tmp_path: Path) -> None:
    report = train(corpus(2), tmp_path, SMALL, QUICK)
    bundle = load_tagger(tmp_path)
    assert (bundle.trained, report.model) == (True, str(tmp_path))
    for split, figure in (("dev", report.dev), ("test", report.test)):
        texts = [example for example in corpus(2) if example.split == split and example.spans is not None]
        gold = [text.tags for text in tagged_texts(texts, bundle.tokenization)]
        predictions = predict_tags(bundle, [example.text for example in texts])
        assert span_scores(gold, [prediction.tags for prediction in predictions]).f1 == pytest.approx(figure)
        marked = [text.spans or () for text in texts]
        counts = [count_spans([own], [found.spans]) for own, found in zip(marked, predictions, strict=True)]
        ends = f1_interval(counts)
        assert ends is not None
    told = next(pair for pair in report.figures if pair.name == "test")
    assert told.interval == f"{ends[0]:.0%} to {ends[1]:.0%}"
    assert report.test_scores is not None
    assert report.test_scores.f1 == report.test
    assert bundle.figures["dev"] == report.dev
    assert len(bundle.figures["history"]) == 4
    assert bundle.figures["test_scores"]["support"] == report.test_scores.support
    assert report.parameters == sum(p.numel() for p in bundle.network.parameters() if p.requires_grad)
    assert not (tmp_path / "checkpoint").exists()


def test_epoch_zero_is_the_rules(tmp_path: Path) -> None:
    nothing = TrainConfig(device="cpu", epochs=1, learning_rate=0, embedding_learning_rate=0, head_learning_rate=0)
    report = train(corpus(2), tmp_path, SMALL, nothing)
    texts = [example for example in corpus(2) if example.split == "test" and example.spans is not None]
    read = tagged_texts(texts, system().tokenization)
    predictions = system().tags_of_words([text.words for text in read])
    assert report.zero_shot["test"] == report.test == span_scores([text.tags for text in read], predictions).f1
    assert (report.best_epoch, load_tagger(tmp_path).trained) == (0, False)


def test_the_same_seed_gives_the_same_figures(tmp_path: Path) -> None:
    one, same, other = (
        train(corpus(8), tmp_path / str(place), SMALL, replace(SHORT, seed=seed))
        for place, seed in enumerate((0, 0, 1))
    )
    assert losses(one) == losses(same)
    assert losses(one) != losses(other)


def losses(report: SlotTrainReport) -> list[float]:
    return [epoch.loss for epoch in report.history]


@pytest.mark.usefixtures("always_certain")
def test_copies_whose_predictions_are_averaged_are_kept(tmp_path: Path) -> None:
    report = train(corpus(6), tmp_path, SMALL, replace(FAST, epochs=2, copies=2, average="predictions"))
    bundle = load_tagger(tmp_path)
    assert report.best_epoch > 0
    assert len(bundle.networks) == 2
    own = sum(p.numel() for p in bundle.network.parameters() if p.requires_grad)
    assert report.parameters == 2 * own
    assert "auxiliary encoder: LSTM. 2 ensemble members." in report.recipe


# --- broken off


def test_a_broken_run_goes_on_as_the_unbroken_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checkpoint, "PAUSE", 0)  # a checkpoint after each epoch
    config = replace(QUICK, epochs=4)
    whole = train(corpus(6), tmp_path / "whole", SMALL, config)
    folder, seen = tmp_path / "broken", []
    with pytest.raises(Cancelled, match="cancelled"):
        train(
            corpus(6), folder, SMALL, config,
            on_epoch=lambda epoch, best: seen.append(epoch.epoch), should_stop=lambda: len(seen) > 2,
        )  # fmt: skip
    assert seen == [0, 1, 2]
    assert tagger_resumes(system(), corpus(6), SMALL, config, folder=folder)
    assert not tagger_resumes(system(), corpus(7), SMALL, config, folder=folder)
    assert not tagger_resumes(system(), corpus(6), replace(SMALL, seed=1), config, folder=folder)
    resumed = train(corpus(6), folder, SMALL, config, on_epoch=lambda epoch, best: seen.append(epoch.epoch))
    assert seen == [0, 1, 2, 3, 4]
    assert losses(resumed) == pytest.approx(losses(whole))
    assert (resumed.dev, resumed.test, resumed.zero_shot) == (whole.dev, whole.test, whole.zero_shot)
    states = [load_tagger(tmp_path / name).network.state_dict() for name in ("whole", "broken")]
    assert all(torch.allclose(value, states[1][name], atol=1e-6) for name, value in states[0].items())
    assert not tagger_resumes(system(), corpus(6), SMALL, config, folder=folder)


def test_a_loss_that_is_no_number_is_told_and_the_rules_are_kept(tmp_path: Path) -> None:
    report = train(corpus(4), tmp_path, SMALL, replace(SHORT, head_learning_rate=1e38))
    assert (report.best_epoch, report.epochs) == (0, 0)
    reported = "Training stopped in epoch 1: the loss was not a number. The rules are kept as they were.\n"
    assert report.notes[0].startswith(
        reported + "Lower head_learning_rate (--head-learning-rate; it was 1e+38, usual is 0.005)"
    )
    texts = [example.text for example in corpus(4)]
    spans = [prediction.spans for prediction in predict_tags(load_tagger(tmp_path), texts)]
    assert spans == system().spans(texts)


# --- what it is given


@pytest.mark.parametrize("count", [0, 3, 9])
def test_too_few_texts(tmp_path: Path, count: int) -> None:
    unannotated = [replace(example, spans=None) for example in marked(30)]
    blank = [Example(" ", split="train", spans=()) for _ in range(20)]
    with pytest.raises(InputError) as caught:
        train(Corpus((*marked(count), *unannotated, *blank, *marked(20, "dev"))), tmp_path / "model")
    wanted = "at least 10 are needed. Annotate more texts, or add annotated ones."
    assert str(caught.value) == f"There are {count} annotated training texts; {wanted}"
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(("count", "kept", "held"), [(10, 8, 2), (23, 19, 4)])
def test_without_dev_texts_every_fifth_is_held_out(tmp_path: Path, count: int, kept: int, held: int) -> None:
    """Ten texts are enough, though eight of them are left to learn from."""
    texts = Corpus(tuple(marked(count, None)))
    split = split_slots(texts)
    assert split.held_out
    assert (len(split.train), len(split.dev), split.marked) == (kept, held, count)
    assert split.dev == tuple(texts)[4::5]
    assert not set(split.train) & set(split.dev)
    report = train(texts, tmp_path)
    assert (report.train_size, report.test, report.zero_shot["test"], report.test_scores) == (kept, None, None, None)
    assert report.dev is not None
    wanted = f"{kept} training texts; every fifth annotated text is held-out and decides when to stop ({held})."
    assert report.recipe.startswith(wanted)


def test_with_dev_texts_nothing_is_held_out() -> None:
    split = split_slots(Corpus((*marked(20), *marked(5, "dev"), *marked(7, "test"), *marked(3, None))))
    assert (len(split.train), len(split.dev), len(split.test), split.held_out, split.marked) == (23, 5, 7, False, 23)


def test_texts_without_words_or_marks_are_left_out() -> None:
    texts = [Example("", None, "train", ()), Example(" \t", None, "dev", ()), Example("to oslo", None, "train", None)]
    split = split_slots(Corpus((*texts, *marked(10))))
    assert (split.held_out, split.marked) == (True, 10)


def said_of(texts: Sequence[Example], folder: Path) -> tuple[str, ...]:
    return train(Corpus(tuple(texts)), folder, train_config=replace(SHORT, epochs=1)).notes


def test_slots_of_texts_and_rules_that_do_not_meet_are_told(tmp_path: Path) -> None:
    ours = Example("pets fly free", None, "train", (Span(0, 4, "pet"), Span(9, 13, "fare")))
    assert said_of([*corpus(2), ours], tmp_path / "a") == (
        "No rule captures fare, pet: only the network can learn it, from texts alone.",
    )
    without = [example for example in corpus(2) if all(span.slot != "stops" for span in example.spans or ())]
    assert said_of(without, tmp_path / "b") == (
        "No training text has stops: what its rules find in these texts counts as incorrect. Annotate such spans, or "
        "leave the rules out.",
    )


def test_a_slot_without_rules_is_learned(tmp_path: Path) -> None:
    """From texts alone: the word `pet` where nothing else is said."""
    words = ("hold", "a", "seat", "for", "my", "please", "and", "me")
    texts = [
        Example(f"{words[n % 8]} {words[n % 7]} pet {words[n % 5]}", None, ("train", "dev")[n % 4 == 0],
                (span_of_pet(f"{words[n % 8]} {words[n % 7]} pet"),))
        for n in range(64)
    ]  # fmt: skip
    report = train(Corpus(tuple(texts)), tmp_path, SMALL, replace(FAST, epochs=10))
    assert (report.zero_shot["dev"], report.dev) == (0, 1)
    assert report.notes[0] == "No rule captures pet: only the network can learn it, from texts alone."
    assert predict_tags(load_tagger(tmp_path), ["seat hold pet me"])[0].spans == (Span(10, 13, "pet"),)


def span_of_pet(text: str) -> Span:
    return Span(text.index("pet"), text.index("pet") + 3, "pet")


def test_a_started_tagger_knows_all_words_and_the_tags_it_may_learn() -> None:
    ours = Example("pets fly free", None, "train", (Span(0, 4, "pet"), Span(5, 13, "fare")))
    unseen = Example("wholly unknown", None, "test", (Span(0, 6, "never"),))
    texts = Corpus((*corpus(8), ours, unseen))
    learned = tagged_texts(split_slots(texts).train, system().tokenization)
    bundle = start_tagger(system(), texts, learned, SMALL)
    assert bundle.parts.extra_tags == ("B-fare", "I-fare", "B-pet")
    assert set(known_tags(learned)) <= set(bundle.network.tags)
    assert {"pets", "wholly", "unknown"} <= set(bundle.vocabulary.words)
    seen = {bundle.vocabulary.words[number] for number in bundle.parts.seen}
    assert seen == {word for text in learned for word in text.words}
    assert "pets" in seen
    assert "wholly" not in seen
    assert (bundle.trained, bundle.parts.vectors_name, bundle.parts.rules_text) == (False, "none", system().rules_text)


def test_vectors_are_never_learned_from_texts_kept_for_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def word_vectors(words: Sequence[str], texts: object, name: str) -> SimpleNamespace:
        asked.append((words, texts, name))
        return SimpleNamespace(vectors=np.ones((len(words), 2), dtype=np.float32), name="mine")

    monkeypatch.setattr(untrained_tagger_module, "word_vectors", word_vectors)
    learned = tagged_texts(split_slots(corpus(8)).train, system().tokenization)
    bundle = start_tagger(system(), corpus(8), learned, replace(SMALL, vectors="builtin"))
    usable = [replace(example, spans=None) for example in corpus(8) if example.split not in ("dev", "test")]
    words = [text.words for text in tagged_texts(usable, system().tokenization)]
    assert asked == [(bundle.vocabulary.words, words, "builtin")]
    assert len(words) < len(corpus(8))
    assert (bundle.network.reader.vectors.shape[1], bundle.parts.vectors_name) == (2, "mine")


@pytest.mark.parametrize("kind", ["positions", "ifst"])
def test_an_untrained_tagger_is_the_rules(kind: str) -> None:
    texts = [*(example.text for example in corpus(3)), "", "wholly unknown to oslo"]
    bundle = untrained_tagger(system(), texts[::2], kind)
    assert (bundle.config.is_exact, bundle.trained, bundle.config.transducer) == (True, False, kind)
    assert [prediction.spans for prediction in predict_tags(bundle, texts)] == system().spans(texts)


def test_a_report_is_plain_values(tmp_path: Path) -> None:
    train(corpus(8), tmp_path)
    description = json.loads((tmp_path / "bundle.json").read_text("utf-8"))
    assert {"dev", "test", "zero_shot", "recipe", "notes", "best_epoch", "history"} <= set(description["figures"])


def test_an_auxiliary_encoder_that_learns_apart_adds_nothing_that_ten_dev_texts_do_not_confirm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last epoch is taken, whatever dev says of it, and the minimum confidence chosen on dev."""
    chosen: list[float] = []

    def choose(bundle: TaggerBundle, held_out: Sequence[TagExamples]) -> tuple[TaggerBundle, float | None]:
        found, f1 = choose_minimum_confidence(bundle, held_out)
        chosen.append(found.config.minimum_confidence)
        return found, f1

    monkeypatch.setattr(module, "choose_minimum_confidence", choose)
    apart = replace(SMALL, detached=True, logit_scale=30.0, minimum_confidence=0.5)
    texts = Corpus((*marked(30), *marked(40, "dev")[30:], *marked(45, "test")[40:]))
    report = train(texts, tmp_path, apart, replace(SHORT, patience=1))
    assert (report.epochs, report.best_epoch) == (SHORT.epochs, 0)
    assert (load_tagger(tmp_path).trained, load_tagger(tmp_path).config) == (False, apart)
    assert "The network stays equal to the rules: with the trained one F1 changes by " in report.recipe
    assert "trained separately and added to the rules" in report.recipe
    assert "since few dev texts would choose by chance" in report.recipe
    # A network that has learned nothing adds nothing: all are equal, and the greatest is taken.
    monkeypatch.setattr(module, "train_parts", lambda network, parts, config, **more: untouched(len(parts)))
    train(texts, tmp_path / "second", apart)
    assert chosen[1] == max(MINIMUM_CONFIDENCES)


def test_copies_of_a_reader_that_learns_apart_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dev texts are learned from too; each copy is measured on the share that it has not seen."""
    apart = replace(SMALL, detached=True, logit_scale=30.0, minimum_confidence=0.5)
    parts: list[tuple[int, int]] = []
    measured: list[list[int]] = []

    def train_parts(network: FstRnn, shares: Sequence[TrainingPart[FstRnn]], *rest: object, **more: object) -> object:
        parts.extend((len(part.train), len(part.dev)) for part in shares)
        return original(network, shares, *rest, **more)

    def chosen(bundle: TaggerBundle, held_out: Sequence[TagExamples]) -> tuple[TaggerBundle, float | None]:
        measured.append([len(share) for share in held_out])
        assert len(bundle.networks) == 3
        return choose_minimum_confidence(bundle, held_out)

    original = module.train_parts
    monkeypatch.setattr(module, "train_parts", train_parts)
    monkeypatch.setattr(module, "choose_minimum_confidence", chosen)
    three = replace(SHORT, copies=3, average="predictions")
    report = train(Corpus((*marked(20), *marked(30, "dev")[20:])), tmp_path, apart, three)
    assert parts == [(20, 10)] * 3
    assert measured == [[10, 10, 10]]
    assert (report.train_size, report.from_dev) == (30, 10)
    assert report.dev is not None
    assert report.recipe.startswith("30 training texts, including those of dev; 2 epochs, since few dev texts")
    assert "3-fold cross-validation" in report.recipe


def test_every_text_is_in_one_share() -> None:
    texts = list(range(23))
    shares = shares_of(texts, 5, 0)
    assert sorted(text for _, held in shares for text in held) == texts
    assert all(sorted(learned + held) == texts for learned, held in shares)
    assert [held for _, held in shares] != [held for _, held in shares_of(texts, 5, 1)]


def test_a_reader_needs_something_to_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no input: there are no word vectors, and word_dimensions is 0"):
        train(corpus(), tmp_path, replace(SMALL, detached=True, word_dimensions=0))


def untouched(copies: int) -> TrainResult:
    """The result of a training that changed nothing."""
    return TrainResult((Epoch(0, 0.0, 0.0, 0.5, 0.0, 0.0),), 0, "cpu")
