"""What an ordinary system predicts that was trained on somebody's labelled texts: a baseline, or the sentence encoder
with a linear layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from re2nn_core.baselines import encoder_linear
from re2nn_core.baselines.config import config_for
from re2nn_core.baselines.spec import BaselineSpec, spec_of, unknown_name
from re2nn_core.embeddings.choose import ENCODER
from re2nn_core.errors import InputError
from re2nn_core.experiments.runs.baseline_cell import BaselineSystem
from re2nn_core.experiments.runs.baseline_run import Given, run_texts
from re2nn_core.experiments.runs.baseline_texts import LabelTexts, UnruledTexts
from re2nn_core.experiments.runs.classification import OnEpoch, ShouldStop
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

_EVERY = 5  # without dev, every so many-th train text decides when to stop
Drawn = TypeVar("Drawn")
ENCODER_VECTORS = f"{ENCODER}, whole texts"


@dataclass(frozen=True)
class BaselinePredictions:
    """The prediction for each text of a corpus. `learned` and `held_out`: labelled texts that were trained on, and that
    decided when to stop, or how strong the linear layer's penalty is; `of_dev`: the latter are dev texts; `predicted`:
    texts without a label that were trained on with the rules' predictions. `epochs` and `best_epoch` are None for the
    sentence encoder."""

    name: str
    predictions: tuple[str | None, ...]
    learned: int
    held_out: int
    of_dev: bool
    predicted: int
    epochs: int | None
    best_epoch: int | None
    vectors: str


def check_baseline_name(name: str, *, rules: bool) -> str:
    """The name in small letters. InputError for a name that no baseline for labels has, and for a system that learns
    from rules where there are no `rules`."""
    if (known := name.strip().lower()) == encoder_linear.NAME:
        return known
    try:
        spec = spec_of(name, Task.CLASSIFICATION)
    except InputError:
        other = f" Or write {encoder_linear.NAME}: the sentence encoder with a linear layer."
        raise InputError(f"{unknown_name(name, Task.CLASSIFICATION)}{other}") from None
    if not rules and (spec.knowledge or spec.unlabelled):
        raise InputError(f"{spec.name} needs rules, and there are none. Give rules, or choose {spec.base}.")
    return spec.name


def baseline_predictions(
    name: str,
    rules: RuleSystem | None,
    corpus: Corpus,
    tokenization: Tokenization,
    *,
    seed: int = 0,
    on_epoch: OnEpoch | None = None,
    on_progress: Callable[[float], None] | None = None,
    should_stop: ShouldStop | None = None,
) -> BaselinePredictions:
    """Train on the labelled texts of train, dev deciding when to stop, and predict every text. Texts without a split
    are of train. `on_epoch` for networks, `on_progress` with the share of texts read for the sentence encoder.
    InputError for an unknown name, where too few texts are labelled, and where they have one label;
    EncoderUnavailable; Cancelled when `should_stop()`."""
    name = check_baseline_name(name, rules=rules is not None)
    train, dev = _labelled(corpus)
    learned, held_out = (train, dev) if dev else _held_out(train)
    if name == encoder_linear.NAME:
        found = encoder_linear.encoder_predictions(
            learned, held_out, corpus.texts, on_progress=on_progress, should_stop=should_stop
        )
        predicted = tuple(found.predictions)
        return BaselinePredictions(
            name, predicted, len(learned), len(held_out), bool(dev), 0, None, None, ENCODER_VECTORS
        )
    spec = spec_of(name, Task.CLASSIFICATION)
    names = [example.label or "" for example in learned]
    reading = UnruledTexts(tokenization, names) if rules is None else LabelTexts(rules, names)
    guessed = _guessed(spec, reading, corpus)
    # A text without a label has one that the network lacks, since each text has one unit that is predicted.
    texts = tuple(replace(example, label=example.label or "") for example in corpus)
    system = BaselineSystem(spec, config_for(spec, len(learned), {}))
    given = Given(learned, held_out, texts, guessed)
    ran = run_texts(system, seed, reading, given, on_epoch=on_epoch, should_stop=should_stop)
    labels = tuple(None if one[0] < 0 else ran.test.names[one[0]] for one in ran.after)
    epochs, best = (len(ran.result.history) - 1, ran.result.best) if ran.result else (0, 0)
    counts = (len(learned), len(held_out), bool(dev), len(guessed))
    return BaselinePredictions(name, labels, *counts, epochs, best, ran.lessons.vectors_name)


def with_held_out(train: Sequence[Drawn]) -> tuple[tuple[Drawn, ...], tuple[Drawn, ...]]:
    """What is learned from, and every so many-th text, which decides when to stop."""
    kept = tuple(one for place, one in enumerate(train) if place % _EVERY != _EVERY - 1)
    return kept, tuple(train[_EVERY - 1 :: _EVERY])


def _labelled(corpus: Corpus) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """The labelled texts of train and of dev. InputError where there is nothing to learn from."""
    known = [example for example in corpus if example.label is not None]
    train = tuple(example for example in known if example.split in (None, "train"))
    labels = [example.label or "" for example in train]
    if len(set(labels)) < 2:
        raise InputError(encoder_linear.single_label(labels))
    return train, tuple(example for example in known if example.split == "dev")


def _held_out(train: Sequence[Example]) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """As `with_held_out`; all and none where what is learned from would have a single label."""
    kept, held_out = with_held_out(train)
    return (kept, held_out) if len({example.label for example in kept}) > 1 else (tuple(train), ())


def _guessed(spec: BaselineSpec, reading: LabelTexts | UnruledTexts, corpus: Corpus) -> tuple[Example, ...]:
    """The unlabelled train texts that the rules predict, with these predictions; for +u alone."""
    if not spec.unlabelled or isinstance(reading, UnruledTexts):
        return ()
    return reading.predicted([one for one in corpus if one.label is None and one.split in (None, "train")])
