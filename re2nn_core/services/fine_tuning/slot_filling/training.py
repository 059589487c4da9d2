"""Fine-tuning a rule system for slots on texts with spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from re2nn_core.errors import InputError
from re2nn_core.exchange.slot_filling.corpora import slots_without_data, unknown_slots
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, save_tagger
from re2nn_core.services.fine_tuning.dev_figures import LEARNED_FROM, TEST, FigurePair, measured
from re2nn_core.services.fine_tuning.run_material import forget_material
from re2nn_core.services.fine_tuning.slot_filling.dev_figures import slot_dev_name
from re2nn_core.services.fine_tuning.slot_filling.minimum_confidence import choose_doubt
from re2nn_core.services.fine_tuning.slot_filling.split import (
    SlotSplit,
    dev_decides,
    recipe_in_words,
    shares_of,
    split_slots,
    used,
)
from re2nn_core.services.fine_tuning.training_plan import FEWEST
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder, TaggedText, tagged_texts
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import TrainingPart
from re2nn_core.training.loop import Epoch, OnEpoch, TrainResult, train_parts
from re2nn_core.training.resuming import can_resume, claim, mark_of, release
from re2nn_core.training.span_scores import SpanScores
from re2nn_core.training.tagged_examples import TagExamples

MEASURED = 1000  # so many training texts, spread evenly, tell how well a network has learned


@dataclass(frozen=True)
class SlotTrainReport:
    """What `train_tagger` did. F1 of spans as shares of 1, None where there are no such texts; `from_dev` of the
    `train_size` texts were dev texts."""

    model: str
    device: str
    epochs: int
    best_epoch: int
    train_size: int
    zero_shot: Mapping[str, float | None]
    dev: float | None
    test: float | None
    test_scores: SpanScores | None
    history: tuple[Epoch, ...]
    recipe: str
    vectors: str
    parameters: int = 0
    notes: tuple[str, ...] = ()
    from_dev: int = 0
    figures: tuple[FigurePair, ...] = ()  # before and after, each named by what it is measured on


def train_tagger(
    system: SlotSystem,
    corpus: Corpus,
    config: TaggerConfig,
    train_config: TrainConfig,
    *,
    folder: Path,
    on_epoch: OnEpoch | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> SlotTrainReport:
    """Train on the corpus's marked texts of split train (or none), stop on dev, measure on test at the end, and write
    the bundle to `folder`. A checkpoint of a broken run in that folder is taken up again.

    InputError where there is too little to learn from; Cancelled when `should_stop()`.
    """
    given = split_slots(corpus)
    split = used(given, config, train_config)
    if given.marked < FEWEST:
        raise InputError(
            f"There are {given.marked} marked training texts; at least {FEWEST} are needed to learn from. "
            "Mark more texts, or give more of them."
        )
    checkpoint, aside = claim(folder, _mark(system, corpus, config, train_config))
    texts = {name: tagged_texts(getattr(split, name), system.tokenization) for name in ("train", "dev", "test")}
    contexts = Contexts()
    bundle = start_tagger(system, corpus, texts["train"], config, contexts)
    encode = TagEncoder(bundle, contexts)
    pairs = _pairs(encode, texts, split, train_config)
    decides = dev_decides(split, config)
    test = encode.examples(texts["test"])
    before = _f1(test, bundle)
    from_dev = given.dev if split.turns and not given.held_out else ()
    seen = encode.examples(tagged_texts(from_dev, system.tokenization))
    seen_before = _f1(seen, bundle)
    result = train_parts(
        bundle.network,
        [TrainingPart(train, dev, decides=decides) for train, dev in pairs],
        train_config,
        on_epoch=on_epoch,
        should_stop=should_stop,
        folder=checkpoint,
    )
    held_out = [dev for _, dev in pairs[: split.turns or 1]]
    has_dev = any(map(len, held_out))
    done, doubted = choose_doubt(replace(bundle, copies=result.copies), held_out)
    scores = test.scores(done.networks) if len(test) else None
    zero_dev = result.history[0].dev if has_dev else None
    dev = doubted or (result.history[result.best].dev if has_dev else None)
    report = SlotTrainReport(
        model=str(folder),
        device=result.device,
        epochs=len(result.history) - 1,
        best_epoch=result.best,
        train_size=len(split.train),
        zero_shot={"dev": zero_dev, "test": before},
        dev=dev,
        test=None if scores is None else scores.f1,
        test_scores=scores,
        history=result.history,
        recipe=recipe_in_words(given, train_config, config),
        vectors=bundle.parts.vectors_name,
        parameters=(1 + len(result.copies)) * sum(p.numel() for p in bundle.network.parameters() if p.requires_grad),
        notes=(*filter(None, (result.warning, aside)), *slots_apart(system, split.train)),
        from_dev=len(from_dev),
        figures=measured(
            [
                FigurePair(slot_dev_name(given, config, train_config), zero_dev, dev),
                FigurePair(LEARNED_FROM, seen_before, _f1(seen, done)),
                FigurePair(TEST, before, None if scores is None else scores.f1),
            ]
        ),
    )
    forget_material(folder)
    save_tagger(folder, _finished(done, report, result))
    release(folder)
    return report


def _f1(examples: TagExamples, bundle: TaggerBundle) -> float | None:
    """F1 of spans of a network; None without texts."""
    return examples.scores(bundle.networks).f1 if len(examples) else None


def will_resume(
    system: SlotSystem, corpus: Corpus, config: TaggerConfig, train_config: TrainConfig, *, folder: Path
) -> bool:
    """Whether `train_tagger` would go on from a checkpoint in the folder."""
    return can_resume(folder, _mark(system, corpus, config, train_config))


def _mark(system: SlotSystem, corpus: Corpus, config: TaggerConfig, train_config: TrainConfig) -> str:
    texts = (system.rules_text, system.logic_text, system.tokenization, system.known_slots)
    return mark_of(*texts, corpus, config, train_config)


def _pairs(
    encode: TagEncoder, texts: Mapping[str, Sequence[TaggedText]], split: SlotSplit, train_config: TrainConfig
) -> list[tuple[TagExamples, TagExamples]]:
    """For each copy what it learns from and what is held out from it."""
    if not split.turns:
        train, dev = encode.examples(texts["train"], MEASURED), encode.examples(texts["dev"])
        return [(train, dev)] * max(1, train_config.copies)
    shares = shares_of(texts["train"], split.turns, train_config.seed)
    return [(encode.examples(learned), encode.examples(held)) for learned, held in shares]


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
        notes.append(f"No training text has {', '.join(sorted(unseen))}: nothing confirms or corrects its rules.")
    return tuple(notes)


def _finished(bundle: TaggerBundle, report: SlotTrainReport, result: TrainResult) -> TaggerBundle:
    figures = {key: value for key, value in asdict(report).items() if key not in ("history", "model")}
    figures["history"] = [asdict(epoch) for epoch in result.history]
    # Where no epoch did better than the rules the network still is the rules, and answers as they do.
    return replace(bundle, trained=result.best > 0, figures=figures)
