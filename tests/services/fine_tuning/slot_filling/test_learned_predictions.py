"""A tagger that keeps its rules and adds a layer is read back through a network of the rules that learns from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.reconstruction.slot_filling.report import ExtendedRules
from re2nn_core.services.fine_tuning.slot_filling import learned_predictions
from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import reconstruct_tagger
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SlotReconstruction, reconstruct_slots
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig

RULES = "goes := $* to [ $ ]<city> $*\nairline := $* [ delta | united ]<airline> $*\n"
CITIES = tuple(f"{first}{last}" for first in ("os", "ber", "ro", "par") for last in ("lo", "na", "me", "is", "ton"))
FRAMES = ("i fly into {} today", "take me to {} please", "land at {} soon")


def _trips(frame: str, split: str, cities: Sequence[str] = CITIES) -> list[Example]:
    texts = [(frame.format(city), city) for city in cities]
    return [
        Example(text, None, split, (Span(text.index(city), text.index(city) + len(city), "city"),))
        for text, city in texts
    ]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> TaggerBundle:
    """Rules as they were, with a linear layer."""
    folder = tmp_path_factory.mktemp("model")
    texts = [example for frame in FRAMES for example in _trips(frame, "train")]
    still = {"learning_rate": 0.0, "embedding_learning_rate": 0.0, "head_learning_rate": 0.0, "epochs": 1}
    system = read_slot_system(RULES, "", Tokenization())[0]
    config = TaggerConfig(vectors="none", auxiliary="none", linear=True)
    train_tagger(system, Corpus(tuple(texts)), config, TrainConfig(**still, device="cpu"), folder=folder)  # type: ignore[arg-type]
    made = load_tagger(folder)
    assert made.kept_rules
    assert made.trained
    return made


@pytest.fixture
def corpus() -> Corpus:
    """Annotated texts of train and dev, unannotated ones, and some of test."""
    own = [example for frame in FRAMES for example in _trips(frame, "dev" if "take" in frame else "train")]
    others = [replace(example, spans=None) for example in _trips("they fly into {} tonight", "train")]
    return Corpus((*own, *others, *_trips("we fly into {} now", "test")))


def test_the_network_learns_annotated_spans_and_the_taggers_of_other_texts(
    bundle: TaggerBundle, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Corpus] = []
    train = learned_predictions.train_tagger

    def watched(system: Any, corpus: Corpus, *given: Any, **named: Any) -> Any:
        seen.append(corpus)
        return train(system, corpus, *given, **named)

    monkeypatch.setattr(learned_predictions, "train_tagger", watched)
    steps: list[int] = []
    found = reconstruct_tagger(bundle, corpus, on_progress=lambda done, total: steps.append(100 * done // total))
    (learned,) = seen
    assert not [text for text in learned.texts if text.startswith("we fly")]
    by_text = {example.text: example.spans for example in learned}
    assert len(by_text) == 80
    assert by_text["they fly into oslo tonight"] == (Span(14, 18, "city"),)
    assert sorted(steps) == steps
    assert steps[-1] > 30  # beyond the reconstruction of the rules as they are
    assert found.scores[0].reconstructed.f1 == 1.0  # type: ignore[union-attr]


def _with_f1(found: SlotReconstruction, value: float) -> SlotReconstruction:
    """The same as if it had reached as much; the value stands in its rules, too."""
    split = found.scores[0]
    assert split.reconstructed is not None
    scores = replace(split, reconstructed=replace(split.reconstructed, f1=value))
    return replace(found, scores=(scores,), rules_text=f"{found.rules_text}// {value}\n")


@pytest.mark.parametrize(("before", "after", "kept"), [(0.7, 0.8, 0.8), (0.8, 0.8, 0.8), (0.8, 0.7, 0.8)])
def test_of_both_reconstructions_the_better_one_is_kept(
    bundle: TaggerBundle,
    corpus: Corpus,
    monkeypatch: pytest.MonkeyPatch,
    before: float,
    after: float,
    kept: float,
) -> None:
    real = reconstruct_slots(bundle, corpus)
    values = iter((before, after))
    student = replace(bundle, figures={"best_epoch": 3})
    monkeypatch.setattr(learned_predictions, "_student", lambda *_: student)
    monkeypatch.setattr(learned_predictions, "reconstruct_slots", lambda *_, **__: _with_f1(real, next(values)))
    assert f"// {kept}" in reconstruct_tagger(bundle, corpus).rules_text


def test_a_tagger_whose_rules_have_moved_is_read_itself_and_without_dev_every_one(
    bundle: TaggerBundle, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> TaggerBundle:
        raise AssertionError("its weights are rules")

    monkeypatch.setattr(learned_predictions, "_student", never)
    moved = replace(bundle, figures={"best_epoch": 3})
    assert reconstruct_tagger(moved, corpus).scores
    without_dev = Corpus(tuple(one for one in corpus if one.split != "dev"))
    assert reconstruct_tagger(bundle, without_dev).scores


@pytest.mark.parametrize(("most", "again"), [(1_000, True), (10, False)])
def test_a_tagger_whose_rules_have_moved_is_read_again_where_word_classes_of_few_texts_are_extended(
    bundle: TaggerBundle, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, most: int, again: bool
) -> None:
    """A network that began from classes without the cities of the texts learned a list of cities for each rule."""
    written = bundle.parts.rules_text
    grown = written.replace("delta | united", "delta | united | klm")
    extended = ExtendedRules(written, grown, {"airline": "also matches klm"}, {"airline": 1})
    taught: list[str] = []
    student = replace(bundle, figures={"best_epoch": 3})

    def taught_by(_: object, rules_text: str, *__: object) -> TaggerBundle:
        taught.append(rules_text)
        return student

    monkeypatch.setattr(learned_predictions, "MOST_TEXTS", most)
    monkeypatch.setattr(learned_predictions, "with_extended_classes", lambda *_, **__: extended)
    monkeypatch.setattr(learned_predictions, "_student", taught_by)
    assert reconstruct_tagger(replace(bundle, figures={"best_epoch": 3}), corpus).scores
    assert taught == ([grown] if again else [])
