"""How training is done for the examples at hand: which settings, how many copies, and what decides when to stop.

Found on train and dev texts of the three published sets: forty texts spoil strong rules unless steps are small, arcs
are pulled towards the rules and the state head is left alone; and a dev set of forty texts is too small to choose an
epoch by, so that all labelled texts take turns at being held out.

Batches of 32 in the place of 16 take half as many steps and did better on the published sets (dev of ATIS / TREC / SMS,
three seeds: 50 texts 91.8 / 60.4 / 95.3 against 91.9 / 59.6 / 95.3; 200 texts 91.9 / 64.6 / 96.8 against 92.0 / 62.3 /
96.5; 413 texts 92.0 / 67.7 / 97.5 against 91.8 / 68.3 / 97.1), and worse on the samples (out-of-fold, four seeds:
Message spam 86.3 against 87.8, Flight intents 74.7 against 75.3).

Without dev texts copies that predict together take turns below 3,000 texts, and so learn all of them. Dev, 1,000 train
texts, two seeds, three copies that leave out the same fifth / five in turns: TREC 87.2, 88.6 / 88.8, 90.0, ATIS 96.1,
97.2 / 96.9, 97.1, in 77 to 111 / 130 to 154 CPU seconds. With 3,982 texts of ATIS it is 97.8 either way, and 15,000 of
150 labels would take 3 GB and more than nine minutes (116 seconds). One network of the mean weights of five has less
(objective interpretable, TREC 78.2, 78.8 / 75.4, 77.8): after so many steps the copies are no longer near each other.
So is one that is trained once more on all texts, for as many epochs, not better (78.2, 78.8, 79.0 / 79.4, 78.2, 79.4;
ATIS 93.0, 94.1, 95.6 / 92.4, 94.1, 94.8).
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.setting_titles import setting_in_words
from re2nn_core.services.prediction.classification.pseudo_labels import PseudoLabels
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.learner import LATEST
from re2nn_core.training.loop import WithoutTraining

HELD_OUT = 5  # without dev texts, every fifth labelled training text is held out to decide when to stop
FEWEST = 10
GENTLE_BELOW = 1000  # fewer examples than this are trained gently, so that they cannot spoil good rules
LEFT_OUT_FROM = 3000  # with so many texts copies that predict together can spare a fifth of them
TINY_DEV = 200  # fewer dev texts than this do not decide alone where examples are few
FOLDS = 5  # copies side by side, each with another share of the texts held out
JOINT = 3  # copies whose predictions are averaged
_GENTLY = {"l2_to_initial": 1e-3, "embedding_learning_rate": 2.5e-3, "batch_size": 16, "epochs": 40}
_SELF_EPOCHS = 3  # passes over the rules' own predictions where no label says what helps
_TAUGHT_EPOCHS = 6  # the same of an auxiliary encoder, which has all to learn
_HELD = {
    "learning_rate": 0.0,
    "embedding_learning_rate": 0.0,
    "head_learning_rate": 0.0,
}  # their own predictions teach rules nothing
_NOT_REPORTED = ("seed", "device", "threads")
_OF_AN_OBJECTIVE = (
    "average",
    "auxiliary_learning_rate",
)  # an objective sets these (classification/objectives.py), nobody by hand; copies tell what is averaged
_NOBODY = PseudoLabels()
HIGHER = 4.0  # times the low rates, where these change nothing
_GENTLE_HEAD = 1e-3  # for labels without rules, which nothing but the state head can learn


@dataclass(frozen=True)
class TrainingPlan:
    """`turns`: train and dev texts take turns at being held out, one share for each copy. Otherwise dev decides, and
    each copy sees all train texts in an order of its own. `steady`: it decides for the latest epoch that it cannot tell
    from the best, with the mean weights of the last ones. `sooner`: it may end after a quarter of the patience
    (loop.py). `reason` says what was chosen and why. `higher`: settings to try where those of `config` leave the rules
    as they are (None: there are none). `given`: what is reached without a training (loop.py)."""

    config: TrainConfig
    copies: int
    turns: bool
    reason: str
    steady: bool = False
    sooner: bool = False
    higher: TrainConfig | None = None
    given: WithoutTraining | None = None


@dataclass(frozen=True)
class Split:
    """A corpus's labelled texts. `decided_by`: dev texts were given, or every fifth train text was taken for them."""

    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    test: tuple[Example, ...]
    decided_by: Literal["dev", "held out"]


def split_examples(corpus: Corpus) -> Split:
    """Labelled train (or unsplit), dev and test texts."""
    labelled = [example for example in corpus if example.label is not None]
    train = tuple(example for example in labelled if example.split in ("train", None))
    dev = tuple(example for example in labelled if example.split == "dev")
    test = tuple(example for example in labelled if example.split == "test")
    if dev or len(train) < FEWEST:
        return Split(train, dev, test, "dev")
    held = train[HELD_OUT - 1 :: HELD_OUT]
    kept = tuple(example for place, example in enumerate(train) if place % HELD_OUT != HELD_OUT - 1)
    return Split(kept, held, test, "held out")


def without_rules(split: Split, ruled: Collection[str]) -> bool:
    """Whether some label to learn has no rule; `ruled` are the labels that have one."""
    return not {example.label for example in split.train} <= set(ruled)


def choose_training_plan(
    config: TrainConfig,
    split: Split,
    *,
    ruleless: bool = False,
    predicted: PseudoLabels = _NOBODY,
    auxiliary: bool = False,
    manual_overrides: Collection[str] = (),
) -> TrainingPlan:
    """What suits the number of examples. `ruleless`: some label has no rule, so that only the state head can learn
    it. `predicted` texts without a label are learned with the rules' predictions. `auxiliary`: an auxiliary encoder
    learns with the rules. What somebody set by hand stays: whatever is not the default, and the settings
    `manual_overrides`, which may be."""
    train, dev = len(split.train), len(split.dev)
    if not train or (predicted and train < FEWEST):
        return _from_predictions(config, split, predicted, auxiliary, manual_overrides)
    set_by_hand = _set_by_hand(config, manual_overrides)
    few = train < GENTLE_BELOW
    turns = config.copies != 1 and ((few and dev < TINY_DEV) or _learns_all(config, split))
    steady, sooner = few and auxiliary and not turns, turns and not auxiliary
    if few:
        config = _gently(config, {**_GENTLY, "head_learning_rate": _GENTLE_HEAD if ruleless else 0.0}, manual_overrides)
    copies = _copies(config, train + dev, turns=turns)
    reasons = [
        # Where all texts are trained on in turn, no fifth of them is set apart.
        _steps_in_words(config, train + (dev if turns and split.decided_by == "held out" else 0), few=few),
        *_predictions_in_words(config, predicted),
        *_stopping_in_words(config, split, copies, turns=turns),
        *([_STEADY] if steady else []),
    ]
    higher = _higher(config, manual_overrides) if few else None
    return TrainingPlan(config, copies, turns, "; ".join(reasons) + set_by_hand + ".", steady, sooner, higher)


def _learns_all(config: TrainConfig, split: Split) -> bool:
    """Whether copies that predict together each hold out another share, so that they learn every text between them."""
    texts = len(split.train) + len(split.dev)
    return config.average == "predictions" and split.decided_by == "held out" and texts < LEFT_OUT_FROM


def _copies(config: TrainConfig, labelled: int, *, turns: bool) -> int:
    """How many networks learn; no more take turns than there are labelled texts."""
    if turns:
        return max(2, min(config.copies or FOLDS, labelled))
    return config.copies or (JOINT if config.average == "predictions" else 1)


def _steps_in_words(config: TrainConfig, train: int, *, few: bool) -> str:
    """How large the steps are."""
    texts = counted(train, "train text")
    if not few:
        return f"{texts}: default learning rates"
    rate = config.head_learning_rate
    return f"{texts}: low learning rates" + (f", output layer with learning rate {rate:g}" if rate else "")


def _predictions_in_words(config: TrainConfig, predicted: PseudoLabels) -> list[str]:
    """What texts without a label count."""
    if not predicted:
        return []
    counts = "counts" if len(predicted) == 1 else "count"
    texts = f"{counted(len(predicted), 'text')} without a label {counts} {config.unlabelled:g} each"
    return [f"{texts}, with the rules' predictions", *predicted.in_words]


def _stopping_in_words(config: TrainConfig, split: Split, copies: int, *, turns: bool) -> list[str]:
    """What decides when to stop, and what the copies are for."""
    if turns:
        dev = len(split.dev)
        few = f"{counted(dev, 'dev text')} alone {'is' if dev == 1 else 'are'} too few to decide when to stop"
        return [
            f"{few if split.decided_by == 'dev' else 'no dev texts'}: "
            f"{copies}-fold cross-validation on all {len(split.train) + dev:,} labelled texts ('out-of-fold')"
        ]
    held_out = f"no dev texts: every fifth labelled text is held-out and decides when to stop ({len(split.dev)})"
    return [*([held_out] if split.decided_by == "held out" else []), *_orders_in_words(copies)]


def _orders_in_words(copies: int) -> list[str]:
    """What copies that learn from the same texts are for."""
    if copies <= 1:
        return []
    return [f"{copies} ensemble members that see the texts in different orders"]


def _from_predictions(
    config: TrainConfig, split: Split, predicted: PseudoLabels, auxiliary: bool, manual_overrides: Collection[str]
) -> TrainingPlan:
    """With too few labelled texts to learn from: the rules' own predictions, and the labels there are."""
    train, dev = len(split.train), len(split.dev)
    alike = not train or config.unlabelled == 1.0  # all weigh the same: no weight to tell of
    set_by_hand = _set_by_hand(
        replace(config, unlabelled=TrainConfig().unlabelled) if alike else config, manual_overrides
    )
    steps = (
        {**_HELD, "epochs": _TAUGHT_EPOCHS}
        if auxiliary
        else {**_GENTLY, "head_learning_rate": 0.0, "epochs": _SELF_EPOCHS}
    )
    config = _gently(config, steps, manual_overrides)
    predictions = f"the rules' predictions for {counted(len(predicted), 'text')}"
    few = f"{counted(train, 'labelled training text')}, too few alone, and {predictions}"
    copies = _copies(config, train + dev, turns=False)
    reasons = [
        few if train else f"no labelled training text: {predictions}",
        *predicted.in_words,
        *(["the auxiliary encoder is trained on them, the rules stay unchanged"] if auxiliary else []),
        "dev texts decide when to stop"
        if dev
        else f"{epochs_in_words(config.epochs)}, with nothing to measure them by",
        *_orders_in_words(copies),
    ]
    return TrainingPlan(config, copies, False, "; ".join(reasons) + set_by_hand + ".")


def epochs_in_words(count: int) -> str:
    """`1 epoch`, `40 epochs`."""
    return counted(count, "epoch")


_STEADY = (
    "of the epochs not clearly worse than the best one on dev, the latest is kept, each measured with the mean "
    f"weights of its last {epochs_in_words(LATEST)}"
)


def _set_by_hand(config: TrainConfig, manual_overrides: Collection[str]) -> str:
    """The settings of learning that are not the defaults or were given all the same, as the end of a sentence."""
    usual = TrainConfig()
    given = {field.name: getattr(config, field.name) for field in fields(config) if field.name not in _NOT_REPORTED}
    changed = {
        name: setting_in_words(name, value)
        for name, value in given.items()
        if name in manual_overrides or value != getattr(usual, name)
    }
    by_people = [
        reported for name, reported in changed.items() if name in manual_overrides or name not in _OF_AN_OBJECTIVE
    ]
    rate = changed.get("auxiliary_learning_rate") if "auxiliary_learning_rate" not in manual_overrides else None
    found = f"; set by the objective ({rate})" if rate else ""
    return f"{found}; set by hand ({', '.join(by_people)})" if by_people else found


def training_parts(plan: TrainingPlan, split: Split) -> list[tuple[tuple[Example, ...], tuple[Example, ...]]]:
    """For each copy what it learns from and what is held out from it."""
    if not plan.turns:
        return [(split.train, split.dev)] * plan.copies
    pool = [*split.train, *split.dev]
    random.Random(plan.config.seed).shuffle(pool)
    pool.sort(key=lambda example: example.label or "")  # each label is dealt out evenly
    shares = [tuple(pool[number :: plan.copies]) for number in range(plan.copies)]
    return [
        (tuple(e for other, share in enumerate(shares) if other != number for e in share), shares[number])
        for number in range(plan.copies)
    ]


def check_enough(split: Split, predicted: int = 0) -> None:
    """InputError where there is too little to learn from; `predicted` texts without a label may be learned, too."""
    train, dev = split.train, split.dev
    if predicted and len(train) < FEWEST:
        if predicted < FEWEST:
            raise InputError(
                f"Labelled training texts: {len(train)}. The rules predict {counted(predicted, 'unlabelled text')}; "
                f"training on their predictions needs at least {FEWEST}.\n"
                "Label texts, or add more texts without a label."
            )
        return
    if len(train) < FEWEST:
        raise InputError(
            f"There are {len(train)} labelled training texts; training needs at least {FEWEST}.\n"
            "Label more texts, or add labelled ones."
        )
    if not dev:
        raise InputError(
            "There is no labelled dev text to decide when training stops.\n"
            "Assign some labelled texts to the split 'dev'."
        )
    if len({example.label for example in train}) < 2:
        raise InputError(
            f"All {len(train)} training texts have the label {train[0].label!r}; training needs at least two labels.\n"
            "Label texts of at least one other label."
        )


def _gently(config: TrainConfig, gentle: dict[str, Any], manual_overrides: Collection[str]) -> TrainConfig:
    """Settings for few examples in the place of defaults."""
    usual = TrainConfig()
    unset = {
        name: value
        for name, value in gentle.items()
        if name not in manual_overrides and getattr(config, name) == getattr(usual, name)
    }
    return replace(config, **unset)


def _higher(config: TrainConfig, manual_overrides: Collection[str]) -> TrainConfig | None:
    """The settings with rates of transitions that are higher than the low ones; None where somebody set a rate."""
    usual = {
        "learning_rate": TrainConfig().learning_rate,
        "embedding_learning_rate": _GENTLY["embedding_learning_rate"],
    }
    if any(name in manual_overrides or getattr(config, name) != value for name, value in usual.items()):
        return None
    return replace(
        config,
        learning_rate=HIGHER * config.learning_rate,
        embedding_learning_rate=HIGHER * config.embedding_learning_rate,
    )
