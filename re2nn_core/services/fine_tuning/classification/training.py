"""Fine-tuning a rule system on labelled texts, and the job that does it for a project."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.network.classification.bundle import Bundle, save_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.auxiliary_weight import choose_share, share_in_words
from re2nn_core.services.fine_tuning.classification.faithful_training import Near, end_near_rules
from re2nn_core.services.fine_tuning.classification.objectives import network_in_words
from re2nn_core.services.fine_tuning.dev_figures import LEARNED_FROM, TEST, FigurePair, dev_name, measured
from re2nn_core.services.fine_tuning.run_material import forget_material
from re2nn_core.services.fine_tuning.training_plan import (
    Recipe,
    Split,
    check_enough,
    choose_recipe,
    parts_of,
    split_examples,
    without_rules,
)
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.services.prediction.classification.pseudo_labels import Answered, answered_by
from re2nn_core.services.prediction.classification.untrained_network import ExampleEncoder, start_network
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples, TrainingPart, joint_accuracy_and_loss
from re2nn_core.training.loop import Epoch, train_parts
from re2nn_core.training.resuming import can_resume, claim, mark_of, release

if TYPE_CHECKING:
    pass

NAMED = 5  # so many labels are named in a note


@dataclass(frozen=True)
class TrainReport:
    """What `train_system` did. Accuracies are shares of 1, None where there are no such texts. `recipe` says how it
    trained and why, `notes` what else the user should know."""

    model: str
    device: str
    epochs: int
    best_epoch: int
    train_size: int
    zero_shot: Mapping[str, float | None]
    dev: float | None
    test: float | None
    history: tuple[Epoch, ...]
    recipe: str
    vectors: str
    parameters: int = 0
    notes: tuple[str, ...] = ()
    turns: bool = False  # all labelled texts took turns at being held out: dev is cross-validated, and learned from
    figures: tuple[FigurePair, ...] = ()  # before and after, each named by what it is measured on


OnEpoch = Callable[[Epoch, int], None]


def train_system(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    *,
    folder: Path,
    on_epoch: OnEpoch | None = None,
    should_stop: Callable[[], bool] | None = None,
    by_hand: Collection[str] = (),
) -> TrainReport:
    """Train on the corpus's labelled texts of split train (or none), stop on dev, measure on test at the end, and
    write the bundle to `folder`. A checkpoint of a broken run in that folder is taken up again. `by_hand`: settings of
    training that the recipe leaves as they are, even where they are the defaults.

    InputError where there is too little to learn from; Cancelled when `should_stop()`.
    """
    split, answered, recipe = plan_of(system, corpus, network_config, train_config, by_hand)
    check_enough(split, len(answered))
    checkpoint, aside = claim(folder, _mark(system, corpus, network_config, train_config, by_hand))
    parts = parts_of(recipe, split)
    learned = {example.label for part, _ in parts for example in part if example.label is not None}
    contexts = Contexts()
    bundle = start_network(system, corpus, network_config, sorted(learned), contexts)
    encode = ExampleEncoder(bundle, [*split.train, *split.dev, *split.test, *answered.examples], contexts)
    known = [example for example in split.test if example.label in encode.labels]
    test, missing = encode(known), len(split.test) - len(known)
    before = _share(bundle, test, missing, untrained=True)
    seen = encode(split.dev) if recipe.turns and (split.decided_by == "dev" or train_config.faithful) else None
    seen_before = None if seen is None else _share(bundle, seen, 0, untrained=True)
    shares = {id(held): encode(held) for _, held in parts}
    result = train_parts(
        bundle.network,
        [TrainingPart(encode(part, answered, train_config.unlabelled), shares[id(held)]) for part, held in parts],
        recipe.config,
        steady=recipe.steady,
        on_epoch=on_epoch,
        should_stop=should_stop,
        folder=checkpoint,
    )
    held_out = bool(split.dev)
    trained = replace(bundle, copies=result.copies, trained=result.best > 0)
    apart = [shares[id(held)] for _, held in parts] if recipe.turns else [shares[id(parts[0][1])]]
    trained, with_reader = choose_share(trained, apart) if trained.trained else (trained, None)
    seen_after = None if seen is None else _share(trained, seen, 0, untrained=not trained.trained)
    near: Near | None = None
    if train_config.faithful:
        near = end_near_rules(trained, corpus, split, train_config, contexts, should_stop=should_stop)
        trained = near.bundle
    zero_dev, best_dev = (result.history[epoch].dev if held_out else None for epoch in (0, result.best))
    best_dev = best_dev if with_reader is None else with_reader
    after = _share(trained, near.encode(known) if near else test, missing, untrained=not trained.trained)
    near_dev = near.dev if near else None
    reader = "" if with_reader is None else share_in_words(trained, turns=recipe.turns)
    report = TrainReport(
        model=str(folder),
        device=result.device,
        epochs=len(result.history) - 1,
        best_epoch=result.best,
        train_size=len(split.train) + len(answered),
        zero_shot={"dev": zero_dev, "test": before},
        dev=near_dev if near and held_out else best_dev,
        test=after,
        history=result.history,
        recipe=" ".join(filter(None, (recipe.reason, network_in_words(bundle.config), reader))),
        vectors=bundle.vectors_name,
        parameters=len(trained.networks) * sum(p.numel() for p in trained.network.parameters() if p.requires_grad),
        notes=(*filter(None, (result.warning, aside, near.in_words if near else None)), *_notes(system, split)),
        turns=recipe.turns,
        figures=measured(
            [
                FigurePair(dev_name(split, train_config), zero_dev, best_dev, None if recipe.turns else near_dev),
                FigurePair(LEARNED_FROM, seen_before, seen_after, near_dev if recipe.turns else None),
                FigurePair(TEST, before, None if near else after, after if near else None),
            ]
        ),
    )
    forget_material(folder)
    save_bundle(folder, _finished(trained, report))
    release(folder)
    return report


def plan_of(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    by_hand: Collection[str],
) -> tuple[Split, Answered, Recipe]:
    """The labelled texts, those that are learned with the rules' answers, and how."""
    split = split_examples(corpus)
    answered = answered_by(system, corpus) if train_config.unlabelled else Answered()
    ruleless, reader = without_rules(split, system.ruleset.labels), network_config.auxiliary != "none"
    recipe = choose_recipe(train_config, split, ruleless=ruleless, answered=answered, reader=reader, by_hand=by_hand)
    return split, answered, recipe


def will_resume(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    *,
    folder: Path,
    by_hand: Collection[str] = (),
) -> bool:
    """Whether `train_system` would go on from a checkpoint in the folder."""
    return can_resume(folder, _mark(system, corpus, network_config, train_config, by_hand))


def _mark(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    by_hand: Collection[str],
) -> str:
    texts = (system.rules_text, system.logic_text, system.tokenization)
    return mark_of(*texts, corpus, network_config, train_config, *sorted(by_hand))


def _notes(system: RuleSystem, split: Split) -> tuple[str, ...]:
    """Where labels of texts and labels of rules do not meet."""
    learned = {example.label for example in split.train if example.label is not None}
    spoken = {*system.ruleset.labels, system.logic.default} - {None}
    notes = []
    if alone := sorted(learned - spoken):
        notes.append(f"No rule answers with {_listed(alone)}: only the state head can learn it, from texts alone.")
    if unseen := sorted(label for label in spoken if label is not None and label not in learned):
        notes.append(f"No training text has the label {_listed(unseen)}: nothing confirms or corrects its rules.")
    return tuple(notes)


def _listed(labels: Sequence[str]) -> str:
    shown = ", ".join(repr(label) for label in labels[:NAMED])
    return shown if len(labels) <= NAMED else f"{shown} and {len(labels) - NAMED} more"


def _share(bundle: Bundle, examples: EncodedExamples, missing: int, *, untrained: bool) -> float | None:
    """Accuracy over the examples and `missing` more whose label the network cannot give."""
    total = len(examples) + missing
    if not total:
        return None
    right, _ = joint_accuracy_and_loss(bundle.networks, examples, untrained=untrained)
    return right * len(examples) / total


def _finished(trained: Bundle, report: TrainReport) -> Bundle:
    figures = {key: value for key, value in asdict(report).items() if key not in ("history", "model")}
    figures["history"] = [asdict(epoch) for epoch in report.history]
    # Where no epoch did better than the rules the network still is the rules, and answers as they do.
    return replace(trained, figures={**trained.figures, **figures})
