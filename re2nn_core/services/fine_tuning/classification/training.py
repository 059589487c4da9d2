"""Fine-tuning a rule system on labelled texts, and the job that does it for a project."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from torch import Tensor

from re2nn_core.exchange.corpora import nearest
from re2nn_core.network.classification.bundle import Bundle, save_bundle, with_config
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.proposals.one_blas_thread import one_blas_thread
from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.services.fine_tuning.classification.auxiliary_weight import auxiliary_weight_in_words
from re2nn_core.services.fine_tuning.classification.learning import Attempt, learn
from re2nn_core.services.fine_tuning.classification.linear_alone import linear_alone, nothing_trained
from re2nn_core.services.fine_tuning.classification.linear_layer import (
    KnownFits,
    LinearLayer,
    LinearTexts,
    choose_linear_layer,
    without_layer,
)
from re2nn_core.services.fine_tuning.classification.objectives import network_in_words
from re2nn_core.services.fine_tuning.classification.step_size import missing_texts
from re2nn_core.services.fine_tuning.classification.taught_phrases import encoded_phrases
from re2nn_core.services.fine_tuning.classification.word_weights import listed_words
from re2nn_core.services.fine_tuning.dev_figures import LEARNED_FROM, TEST, FigurePair, dev_name, with_figures
from re2nn_core.services.fine_tuning.training_plan import (
    Split,
    TrainingPlan,
    check_enough,
    choose_training_plan,
    split_examples,
    training_parts,
    without_rules,
)
from re2nn_core.services.fine_tuning.training_report import TrainingReport, dev_before_and_after, finish, of_loop
from re2nn_core.services.prediction.classification.encoding import Contexts, contexts_here
from re2nn_core.services.prediction.classification.pseudo_labels import PseudoLabels, pseudo_labels_by
from re2nn_core.services.prediction.classification.untrained_network import ExampleEncoder, start_network
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import MEASURED, EncodedExamples, TrainingPart, joint_accuracy_and_loss
from re2nn_core.training.learner import ShouldStop
from re2nn_core.training.loop import OnEpoch, use_threads
from re2nn_core.training.resuming import can_resume, claim, mark_of

if TYPE_CHECKING:
    from re2nn_core.services.fine_tuning.classification.faithful_training import FaithfulNetwork

TIE_MARGIN = 0.25  # of a score, so that steps of training leave equal labels in their order
NAMED = 5  # so many labels are named in a note


@dataclass(frozen=True)
class TrainReport(TrainingReport):
    """What `train_system` did. `turns`: all labelled texts took turns at being held out: dev is cross-validated, and
    learned from. `linear_weight`: that of the linear layer, 0 where there is none; `strongest_words`: those with the
    largest weights in it, by label."""

    turns: bool = False
    linear_weight: float = 0.0
    strongest_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class PlannedTraining:
    """The labelled texts, those that are learned with the rules' predictions, and how."""

    split: Split
    predicted: PseudoLabels
    plan: TrainingPlan

    def with_reason(self, reason: str) -> PlannedTraining:
        """The same for another reason."""
        return replace(self, plan=replace(self.plan, reason=reason))


@dataclass(frozen=True)
class _Material:
    """What a network learns from and is measured on, encoded for it: `test` without the `missing` texts whose label it
    cannot give, `seen` the dev texts that it learns from too, `held_out` dev, or where all texts take turns the share
    of each copy. `bundle` is the untrained network."""

    bundle: Bundle
    encode: ExampleEncoder
    parts: list[TrainingPart[FaRnn]]
    held_out: list[EncodedExamples]
    known_test: list[Example]
    test: EncodedExamples
    missing: int
    seen: EncodedExamples | None


@dataclass(frozen=True)
class _Outcome:
    """A training and what it is measured by, on test texts and on the dev texts that it learns from. `trained` is the
    freely trained network."""

    learned: Attempt
    trained: Bundle
    linear: LinearLayer | None
    faithful: FaithfulNetwork | None
    test: tuple[float | None, float | None]
    seen: tuple[float | None, float | None]

    @property
    def kept(self) -> Bundle:
        """The network that is kept."""
        return self.faithful.bundle if self.faithful else self.trained


def train_system(  # noqa: PLR0913 - what is trained, and who follows it, each by keyword
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    *,
    folder: Path,
    on_epoch: OnEpoch | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    manual_overrides: Collection[str] = (),
) -> TrainReport:
    """Train on the corpus's labelled texts of split train (or none), stop on dev, measure on test at the end, and
    write the bundle to `folder`. A checkpoint of a broken run in that folder is taken up again. `manual_overrides`:
    settings of training that the plan leaves as they are, even where they are the defaults. `on_progress` reports how
    far the linear layer is.

    InputError where there is too little to learn from; Cancelled when `should_stop()`.
    """
    planned = plan_of(system, corpus, network_config, train_config, manual_overrides)
    check_enough(planned.split, len(planned.predicted))
    checkpoint, moved = claim(folder, _mark(system, corpus, network_config, train_config, manual_overrides))
    use_threads(train_config)
    contexts = contexts_here(on_disk=True)
    material = _material(system, corpus, network_config, train_config, planned, contexts)
    before = _share(material.bundle, material.test, material.missing), _seen_share(material.bundle, material)

    known: KnownFits = {}

    def fit(bundle: Bundle, learned: Attempt | None = None) -> tuple[Bundle, LinearLayer | None]:
        if train_config.faithful:  # what is kept is what rules can say
            return without_layer(bundle), None
        members = learned.members if learned is not None and planned.plan.turns else ()
        return _with_linear_layer(
            system, bundle, material, planned, contexts, (members, known, should_stop, on_progress)
        )

    alone = None if train_config.faithful else linear_alone(material.bundle, fit)
    if alone is not None and not alone.leaves_enough(len(material.parts[0].train)):
        learned = nothing_trained(material.bundle, material.parts, on_epoch, should_stop)
    else:
        margin = network_config.tie_margin or TIE_MARGIN
        with_config(material.bundle, replace(material.bundle.config, tie_margin=margin))
        learned = learn(
            material.bundle,
            material.parts,
            material.held_out,
            replace(planned.plan, given=alone.reached if alone else None),
            on_epoch=on_epoch,
            should_stop=should_stop,
            folder=checkpoint,
        )
    trained, linear = learned.bundle, None
    if not learned.result.given_up and (alone is None or trained.trained):
        if not trained.trained:
            trained = with_config(trained, replace(trained.config, tie_margin=0.0))  # these are the rules
        trained, linear = fit(trained, learned)
    is_alone = alone is not None and alone.kept_of(learned, linear)
    if alone is not None and is_alone:
        trained, linear = alone.bundle, alone.layer
        planned = planned.with_reason(f"{planned.plan.reason} {alone.in_words(learned)}")
        learned = replace(learned, result=replace(learned.result, best=0), bundle=trained, step=None)
    seen = before[1], _seen_share(trained, material)
    faithful: FaithfulNetwork | None = None
    if train_config.faithful:
        # Imported here: reconstruction takes long to load, and few trainings ask for it.
        from re2nn_core.services.fine_tuning.classification.faithful_training import end_faithful

        faithful = end_faithful(trained, corpus, planned.split, train_config, contexts, should_stop=should_stop)
        after = _share(faithful.bundle, faithful.encode(material.known_test), material.missing)
    else:
        after = _share(trained, material.test, material.missing)
    outcome = _Outcome(learned, trained, linear, faithful, (before[0], after), seen)
    notes = (
        *filter(None, (learned.result.warning, moved, faithful.in_words if faithful else None)),
        *_notes(system, planned),
    )
    report = _report(
        folder,
        trained if is_alone else material.bundle,
        planned,
        outcome,
        dev_name(planned.split, train_config, system.rules_text),
        notes,
    )
    split, all_learned = planned.split, planned.plan.turns or train_config.faithful
    used = (*split.train, *(split.dev if all_learned else ()), *planned.predicted.examples)
    finish(folder, outcome.kept, report, save_bundle, used)
    return report


def _material(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    planned: PlannedTraining,
    contexts: Contexts,
) -> _Material:
    split, predicted = planned.split, planned.predicted
    parts = training_parts(planned.plan, split)
    learned = {example.label for part, _ in parts for example in part if example.label is not None}
    bundle = start_network(system, corpus, network_config, sorted(learned), contexts)
    encode = ExampleEncoder(bundle, [*split.train, *split.dev, *split.test, *predicted.examples], contexts)
    known = [example for example in split.test if example.label in encode.labels]
    test = encode(known)
    learns_dev = planned.plan.turns and (split.decided_by == "dev" or train_config.faithful)
    seen = encode(split.dev) if learns_dev else None
    shares = {id(held): encode(held) for _, held in parts}
    measured = -(-MEASURED // len(parts))
    encoded = [
        TrainingPart(replace(encode(part, predicted, train_config.unlabelled), measured=measured), shares[id(held)])
        for part, held in parts
    ]
    held_out = [shares[id(held)] for _, held in parts[: None if planned.plan.turns else 1]]
    return _Material(bundle, encode, encoded, held_out, known, test, len(split.test) - len(known), seen)


@one_blas_thread()
def _with_linear_layer(
    system: RuleSystem,
    trained: Bundle,
    material: _Material,
    planned: PlannedTraining,
    contexts: Contexts,
    fitted: tuple[Sequence[Mapping[str, Tensor]], KnownFits, ShouldStop | None, OnProgress | None],
) -> tuple[Bundle, LinearLayer | None]:
    """The bundle with a linear layer where that is asked for and helps; `fitted`: Attempt.members, what was fitted
    before, whether to stop, and who is told how far it is."""
    if trained.network.linear is None:
        return trained, None
    split, turns = planned.split, planned.plan.turns
    every = [*split.train, *(split.dev if turns or split.decided_by == "held out" else ())]
    place = {id(example): number for number, example in enumerate(every)}
    parts = training_parts(planned.plan, split)[: None if turns else 1]
    folds = [[place[id(example)] for example in part] for part, _ in parts]
    phrases = encoded_phrases(system, trained, contexts)
    few = material.bundle.network.auxiliary is None and missing_texts(material.held_out) > 0
    texts = LinearTexts(material.encode(every), folds, material.held_out, phrases, few)
    return choose_linear_layer(trained, texts, *fitted)


def _report(
    folder: Path, started: Bundle, planned: PlannedTraining, outcome: _Outcome, dev: str, notes: tuple[str, ...]
) -> TrainReport:
    """What is reported of a training; `started` has its settings, `dev` is what its dev figure is called."""
    turns, kept, learned = planned.plan.turns, outcome.kept, outcome.learned
    zero_dev, best_dev = dev_before_and_after(learned.result, bool(planned.split.dev))
    best_dev = best_dev if learned.step is None else learned.step.accuracy
    if outcome.linear and outcome.linear.weight:
        best_dev = outcome.linear.gain.accuracy
    faithful_dev = outcome.faithful.dev if outcome.faithful else None
    auxiliary = auxiliary_weight_in_words(kept, turns=turns) if learned.step else ""
    moved = [part.in_words for part in (learned.step, learned, outcome.linear) if part is not None]
    before, after = outcome.test
    test_trained, test_faithful = (None, after) if outcome.faithful else (after, None)
    dev_texts = len(planned.split.dev)
    measured = dev_texts + len(planned.split.train) if turns else dev_texts
    return TrainReport(
        **of_loop(folder, learned.result, kept.networks),
        train_size=len(planned.split.train) + len(planned.predicted),
        zero_shot={"dev": zero_dev, "test": before},
        dev=faithful_dev if outcome.faithful and planned.split.dev else best_dev,
        test=after,
        recipe=" ".join(filter(None, (planned.plan.reason, *moved, network_in_words(started.config), auxiliary))),
        vectors=started.vectors_name,
        notes=notes,
        turns=turns,
        linear_weight=outcome.linear.weight if outcome.linear else 0.0,
        strongest_words=listed_words(kept),
        figures=with_figures(
            [
                FigurePair(dev, zero_dev, best_dev, None if turns else faithful_dev, measured),
                FigurePair(LEARNED_FROM, *outcome.seen, faithful_dev if turns else None, dev_texts),
                FigurePair(TEST, before, test_trained, test_faithful, len(planned.split.test)),
            ]
        ),
    )


def plan_of(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    manual_overrides: Collection[str],
) -> PlannedTraining:
    """What a training learns from, and how."""
    split = split_examples(corpus)
    predicted = pseudo_labels_by(system, corpus) if train_config.unlabelled else PseudoLabels()
    ruleless, auxiliary = without_rules(split, system.ruleset.labels), network_config.auxiliary != "none"
    plan = choose_training_plan(
        train_config,
        split,
        ruleless=ruleless,
        predicted=predicted,
        auxiliary=auxiliary,
        manual_overrides=manual_overrides,
    )
    return PlannedTraining(split, predicted, plan)


def training_resumes(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    *,
    folder: Path,
    manual_overrides: Collection[str] = (),
) -> bool:
    """Whether `train_system` would go on from a checkpoint in the folder."""
    return can_resume(folder, _mark(system, corpus, network_config, train_config, manual_overrides))


def _mark(
    system: RuleSystem,
    corpus: Corpus,
    network_config: NetworkConfig,
    train_config: TrainConfig,
    manual_overrides: Collection[str],
) -> str:
    texts = (system.rules_text, system.logic_text, system.tokenization)
    return mark_of(*texts, corpus, network_config, train_config, *sorted(manual_overrides))


def _notes(system: RuleSystem, planned: PlannedTraining) -> tuple[str, ...]:
    """Where labels of texts and labels of rules do not meet."""
    parts = training_parts(planned.plan, planned.split)
    learned = {example.label for part, _ in parts for example in part if example.label is not None}
    decided = [label for label in dict.fromkeys((*system.ruleset.labels, system.logic.default)) if label is not None]
    notes = []
    if alone := sorted(learned - set(decided)):
        near = ((label, nearest(label, decided)) for label in alone)
        meant = "".join(f" Is {label!r} meant to be {name!r}?" for label, name in near if name is not None)
        notes.append(f"No rule predicts {_listed(alone)}: only the output layer can learn it from texts.{meant}")
    if unseen := sorted(set(decided) - learned):
        whose = "its" if len(unseen) == 1 else "their"
        notes.append(f"No training text has the label {_listed(unseen)}: nothing confirms or corrects {whose} rules.")
    return tuple(notes)


def _listed(labels: Sequence[str]) -> str:
    shown = ", ".join(repr(label) for label in labels[:NAMED])
    return shown if len(labels) <= NAMED else f"{shown} and {len(labels) - NAMED} more"


def _share(bundle: Bundle, examples: EncodedExamples, missing: int = 0) -> float | None:
    """Accuracy over the examples and `missing` more whose label the network cannot give."""
    total = len(examples) + missing
    if not total:
        return None
    right, _ = joint_accuracy_and_loss(bundle.networks, examples, untrained=not bundle.trained)
    return right * len(examples) / total


def _seen_share(bundle: Bundle, material: _Material) -> float | None:
    """Accuracy on the dev texts that are learned from; None where none are."""
    return None if material.seen is None else _share(bundle, material.seen)
