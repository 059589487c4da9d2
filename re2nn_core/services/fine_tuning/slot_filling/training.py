"""Fine-tuning a rule system for slots on texts with spans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.exchange.slot_filling.corpora import slots_without_data, unknown_slots
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, save_tagger
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.services.fine_tuning.dev_figures import LEARNED_FROM, TEST, FigurePair, held_out_name, with_figures
from re2nn_core.services.fine_tuning.slot_filling.dev_figures import slot_dev_name
from re2nn_core.services.fine_tuning.slot_filling.layer_and_encoder import (
    LayerTexts,
    choose_layer_and_encoder,
    folds_measured,
)
from re2nn_core.services.fine_tuning.slot_filling.layer_or_network import WITH_NETWORK, predicts_better
from re2nn_core.services.fine_tuning.slot_filling.linear_layer import TagLinearLayer, choose_tag_linear_layer
from re2nn_core.services.fine_tuning.slot_filling.minimum_confidence import choose_minimum_confidence
from re2nn_core.services.fine_tuning.slot_filling.split import (
    SlotSplit,
    dev_decides,
    layer_decides,
    learned_split,
    may_have_layer,
    network_plan_in_words,
    plan_in_words,
    shares_of,
    split_slots,
    texts_of_layer,
)
from re2nn_core.services.fine_tuning.slot_filling.step_size import (
    SpanStepSize,
    choose_span_step_size,
    counts_of_tags,
    worth_of,
)
from re2nn_core.services.fine_tuning.training_plan import FEWEST
from re2nn_core.services.fine_tuning.training_report import TrainingReport, dev_before_and_after, finish, of_loop
from re2nn_core.services.prediction.classification.encoding import contexts_here
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.services.prediction.slot_filling.untrained_tagger import VectorsOf, start_tagger, vectors_once
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import MEASURED, TrainingPart
from re2nn_core.training.loop import OnEpoch, TrainResult, measured_rules, train_parts, use_threads
from re2nn_core.training.part_progress import OnProgress
from re2nn_core.training.resuming import can_resume, claim, mark_of
from re2nn_core.training.span_scores import SpanScores, span_scores
from re2nn_core.training.tagged_examples import TagExamples


@dataclass(frozen=True)
class SlotTrainReport(TrainingReport):
    """What `train_tagger` did; its figures are F1 of spans. `from_dev` of the `train_size` texts were dev texts.
    `linear_weight`: the share of the linear layer, 0 where there is none."""

    test_scores: SpanScores | None = None
    from_dev: int = 0
    linear_weight: float = 0.0


@dataclass(frozen=True)
class _Material:
    """What a tagger learns from and is measured on, encoded for it: `seen` are the dev texts that it learns from too,
    `held_out` dev, or where all texts take turns the share of each copy. `bundle` is the untrained tagger;
    `learned`: what is learned from where a share is held out; `every`: that of all shares together."""

    bundle: TaggerBundle
    parts: list[TrainingPart[FstRnn]]
    held_out: list[TagExamples]
    test: TagExamples
    seen: TagExamples
    learned: list[TagExamples]
    every: TagExamples

    @property
    def of_layer(self) -> LayerTexts:
        """Those for the linear layer."""
        return LayerTexts(self.learned, self.held_out, self.every)


def train_tagger(
    system: SlotSystem,
    corpus: Corpus,
    config: TaggerConfig,
    train_config: TrainConfig,
    *,
    folder: Path,
    on_epoch: OnEpoch | None = None,
    on_progress: OnProgress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> SlotTrainReport:
    """Train on the corpus's annotated texts of split train (or none), stop on dev, measure on test at the end, and
    write the bundle to `folder`. A checkpoint of a broken run in that folder is taken up again. Where rules stay as
    they are, there is no epoch but that of the rules; `on_progress` reports how far layer and encoders are.

    InputError where there is too little to learn from; Cancelled when `should_stop()`.
    """
    given = split_slots(corpus)
    split = learned_split(given, config, train_config)
    if given.marked < FEWEST:
        raise InputError(
            f"There are {given.marked} annotated training texts; at least {FEWEST} are needed. "
            "Annotate more texts, or add annotated ones."
        )
    checkpoint, moved = claim(folder, _mark(system, corpus, config, train_config))
    use_threads(train_config)
    from_dev = given.dev if split.turns and not given.held_out else ()
    vectors_of = vectors_once()
    material = _material(system, corpus, config, train_config, split, from_dev, vectors_of)
    before, seen = _measured(material.test, material.bundle), _f1(material.seen, material.bundle)
    watch = _Watch(on_epoch, on_progress, should_stop, checkpoint)
    kept = (_layer_and_encoder if layer_decides(config) else _trained)(material, train_config, watch)
    dev_name = slot_dev_name(given, config, train_config, system.rules_text)
    if may_have_layer(config):
        every, own = texts_of_layer(split), replace(config, decoding="crf", linear_vectors="words")
        beside = _material(system, corpus, own, train_config, every, from_dev, vectors_of)
        other = _layer_and_encoder(beside, train_config, replace(watch, on_epoch=None, checkpoint=None))
        if predicts_better(other.linear, kept.step):
            kept, split = _with_network(other, kept), every
            dev_name = held_out_name(system.rules_text, turns=True) if every.turns else dev_name
    material, trained, result = kept.material, kept.bundle, kept.result
    moved_by = [part.in_words for part in (kept.step, kept.linear) if part is not None]
    if trained.rules_network:  # the step is not of what predicts
        of_network = [f"The network: {kept.step.in_words[0].lower()}{kept.step.in_words[1:]}"] if kept.step else []
        moved_by = [*moved_by[len(of_network) :], WITH_NETWORK, *of_network]
    zero_dev, dev = kept.zero_dev, kept.dev
    tested = _measured(material.test, trained)
    report = SlotTrainReport(
        **of_loop(folder, result, trained.networks),
        train_size=len(split.train),
        zero_shot={"dev": zero_dev, "test": before.f1},
        dev=dev,
        test=tested.f1,
        test_scores=tested.scores,
        recipe=" ".join(
            [(network_plan_in_words if kept.linear else plan_in_words)(given, train_config, config), *moved_by]
        ),
        vectors=material.bundle.parts.vectors_name,
        notes=(*filter(None, (result.warning, moved)), *slots_apart(system, split.train)),
        from_dev=len(from_dev),
        linear_weight=kept.linear.share if kept.linear else 0.0,
        figures=with_figures(
            [
                FigurePair(
                    dev_name,
                    zero_dev,
                    dev,
                    texts=len(split.train) if split.turns else len(split.dev),
                    spans=_dev_worth(kept),
                ),
                FigurePair(LEARNED_FROM, seen, _f1(material.seen, trained), texts=len(from_dev), spans=(None, None)),
                FigurePair(TEST, before.f1, tested.f1, texts=len(split.test), spans=(before.worth, tested.worth)),
            ]
        ),
    )
    finish(folder, trained, report, save_tagger, (*split.train, *from_dev))
    return report


@dataclass(frozen=True)
class _Watch:
    """Who is told how far a training is, who may stop it, and the folder of its checkpoint."""

    on_epoch: OnEpoch | None
    on_progress: OnProgress | None
    should_stop: Callable[[], bool] | None
    checkpoint: Path | None


@dataclass(frozen=True)
class _Kept:
    """What a training keeps, and by what texts: `zero_dev` and `dev` are F1 on these of the rules and of it; `step` and
    `linear`: what they say of the network of rules and of the linear layer, None where there is none."""

    material: _Material
    bundle: TaggerBundle
    result: TrainResult[FstRnn]
    zero_dev: float | None
    dev: float | None
    step: SpanStepSize | None = None
    linear: TagLinearLayer | None = None


def _layer_and_encoder(material: _Material, config: TrainConfig, watch: _Watch) -> _Kept:
    """The rules as they are, with what comes to them."""
    result = measured_rules(material.bundle.network, material.parts, config, on_epoch=watch.on_epoch)
    zero_dev, dev = dev_before_and_after(result, any(map(len, material.held_out)))
    bundle, linear = choose_layer_and_encoder(
        material.bundle,
        material.of_layer,
        config,
        on_progress=watch.on_progress,
        should_stop=watch.should_stop,
        folder=watch.checkpoint,
    )
    if linear and linear.share:  # of all folds together, as the layer is
        zero_dev, dev = linear.gain.f1 - linear.gain.gain, linear.gain.f1
    return _Kept(material, bundle, result, zero_dev, dev, None, linear)


def _trained(material: _Material, config: TrainConfig, watch: _Watch) -> _Kept:
    """The network of the rules, trained as far as held-out texts confirm."""
    result = train_parts(
        material.bundle.network,
        material.parts,
        config,
        on_epoch=watch.on_epoch,
        should_stop=watch.should_stop,
        folder=watch.checkpoint,
    )
    step = None
    bundle = replace(material.bundle, copies=result.copies, trained=result.best > 0)
    bundle, with_confidence = choose_minimum_confidence(bundle, material.held_out)
    if bundle.trained:
        bundle, step = choose_span_step_size(bundle, material.bundle, result, material.held_out)
        result = result if bundle.trained else replace(result, best=0)
    bundle, linear = choose_tag_linear_layer(bundle, material.learned, material.held_out, material.every)
    zero_dev, dev = dev_before_and_after(result, any(map(len, material.held_out)))
    if bundle.trained:
        dev = step.f1 if step and step.share < 1 else with_confidence or dev
    if linear and linear.share:
        dev = linear.gain.f1
    return _Kept(material, bundle, result, zero_dev, dev, step, linear)


def _with_network(layer: _Kept, network: _Kept) -> _Kept:
    """Rules with a layer, and the network that was trained before, to be reconstructed: its epochs are reported."""
    learned = network.bundle if network.bundle.trained else None
    bundle, result = replace(layer.bundle, rules_network=learned), replace(network.result, best=0)
    return replace(layer, bundle=bundle, result=result, step=network.step)


def _material(
    system: SlotSystem,
    corpus: Corpus,
    config: TaggerConfig,
    train_config: TrainConfig,
    split: SlotSplit,
    from_dev: Sequence[Example],
    vectors_of: VectorsOf,
) -> _Material:
    train, dev, test, seen = (
        tagged_texts(examples, system.tokenization) for examples in (split.train, split.dev, split.test, from_dev)
    )
    # Those that the linear layer alone reads come from the encoder's middle layers.
    contexts = contexts_here(middle=config.vectors != CONTEXT, on_disk=True)
    if not layer_decides(config):
        config = replace(config, linear_vectors="words")
    bundle = start_tagger(system, corpus, train, config, contexts, vectors_of=vectors_of)
    encode = TagEncoder(bundle, contexts)
    if split.turns:
        shares = shares_of(train, split.turns, train_config.seed)
        measured = -(-MEASURED // len(shares))
        every = train
        pairs = [(encode.examples(learned, measured), encode.examples(held)) for learned, held in shares]
    else:
        every = [*train, *dev] if split.held_out else train
        pairs = [(encode.examples(train, MEASURED), encode.examples(dev))] * max(1, train_config.copies)
    decides = dev_decides(split, config)
    folds = split.turns or 1
    if layer_decides(config):
        folds = folds_measured(len(train), folds)
        pairs = pairs[:folds]
    parts = [TrainingPart(learned, held, decides=decides) for learned, held in pairs]
    held_out = [held for _, held in pairs[:folds]]
    learned = [part for part, _ in pairs[:folds]]
    others = [encode.examples(texts) for texts in (test, seen, every)]
    return _Material(bundle, parts, held_out, others[0], others[1], learned, others[2])


@dataclass(frozen=True)
class _Measured:
    """Scores of a network, and as many independent spans as their F1 is worth (step_size.py); None without texts."""

    scores: SpanScores | None = None
    worth: float | None = None

    @property
    def f1(self) -> float | None:
        return None if self.scores is None else self.scores.f1


def _measured(examples: TagExamples, bundle: TaggerBundle) -> _Measured:
    if not len(examples):
        return _Measured()
    found = examples.predicted(bundle.networks, untrained=not bundle.trained)
    return _Measured(span_scores(examples.tags, found), worth_of(counts_of_tags(found, examples.tags)))


def _f1(examples: TagExamples, bundle: TaggerBundle) -> float | None:
    """F1 of spans of a network; None without texts."""
    return _measured(examples, bundle).f1


def _dev_worth(kept: _Kept) -> tuple[float | None, float | None]:
    """As many independent spans as the dev figures of the rules and of what is kept are worth. A layer is measured
    against what the step led to, on all texts that it is measured on where that is the rules."""
    step, linear = kept.step, kept.linear if kept.linear and kept.linear.share else None
    if linear and not kept.result.best:
        return linear.gain.worth
    measured = [one for one in (step, kept.linear.gain if kept.linear else None) if one is not None]
    if not measured:
        return None, None
    rules, of_kept = measured[0].worth[0], linear.gain if linear else step
    return rules, rules if of_kept is None else of_kept.worth[1]


def tagger_resumes(
    system: SlotSystem, corpus: Corpus, config: TaggerConfig, train_config: TrainConfig, *, folder: Path
) -> bool:
    """Whether `train_tagger` would go on from a checkpoint in the folder."""
    return can_resume(folder, _mark(system, corpus, config, train_config))


def _mark(system: SlotSystem, corpus: Corpus, config: TaggerConfig, train_config: TrainConfig) -> str:
    texts = (system.rules_text, system.logic_text, system.tokenization, system.known_slots)
    return mark_of(*texts, corpus, config, train_config)


def slots_apart(system: SlotSystem, learned: Sequence[Example]) -> tuple[str, ...]:
    """Where slots of the texts that are learned from and slots of the rules do not meet, with names that are near."""
    unseen = slots_without_data(learned, system.slots)
    alone = sorted(unknown_slots(learned, system.slots), key=lambda found: found.slot)
    notes = []
    if alone:
        named = ", ".join(
            f"{found.slot} (did you mean {found.nearest}?)" if found.nearest in unseen else found.slot
            for found in alone
        )
        notes.append(f"No rule captures {named}: only the network can learn it, from texts alone.")
    if unseen:
        whose = "its" if len(unseen) == 1 else "their"
        notes.append(
            f"No training text has {', '.join(sorted(unseen))}: what {whose} rules find in these texts counts as "
            "incorrect. Annotate such spans, or leave the rules out."
        )
    return tuple(notes)
