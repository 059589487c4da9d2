"""Running our own systems for slots. The four of the paper are the rules' network alone, with 30 states to spare; the
one with an auxiliary encoder is what `re2nn experiment slots` takes for the objective accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from re2nn_core.experiments.datasets.slot_filling import SlotDataSet, count_of, draw_slots, known_slot_data
from re2nn_core.experiments.reproduce.measured import Measured, of_record
from re2nn_core.experiments.reproduce.tables.spec import Job
from re2nn_core.experiments.reproduce.tables.systems import Around
from re2nn_core.experiments.runs.slot_filling import SlotCell, SlotRecord, run_slot_seed
from re2nn_core.network.configuration.former_names import config_from
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.services.fine_tuning.slot_filling.objectives import MANY, slot_network, slot_training
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.span_scores import SpanScores, span_scores

BY_RULES = ("labels", "rules")  # learn from what the rules say of the drawn texts (EMNLP 2021, figure 4)
DUMMY_STATES = 30


@lru_cache(maxsize=1)
def slot_data(name: str, folder: Path) -> SlotDataSet:
    """A published set; the latest one is kept."""
    return known_slot_data(name, folder)


def run_slots(job: Job, seed: int, around: Around) -> Measured:
    """Train, or not, and measure. InputError, Cancelled."""
    data = slot_data(job.data, around.folder)
    if job.model == "rules":
        return rules_of_slots(data)
    settings = {name: value for name, value in job.settings if (name, value) != BY_RULES}
    if BY_RULES in job.settings:
        data = tagged_by_rules(data, job.amount, seed)
    network, train = slot_settings(data, job.amount, job.model, settings)
    cell = SlotCell(data, job.amount, network, train)
    if not job.amount:
        return untrained_slots(data, network)
    return measured_slots(run_slot_seed(cell, seed, should_stop=around.should_stop), cell.settings)


def slot_settings(
    data: SlotDataSet, amount: float, model: str, settings: Mapping[str, Any]
) -> tuple[TaggerConfig, TrainConfig]:
    """What a system begins with for so many texts, and on top given settings of the network."""
    examples = count_of(amount, data)
    with_auxiliary = model == "fstrnn+reader"
    objective: Objective = "accuracy" if with_auxiliary else "interpretable"
    begin = asdict(slot_network(objective, examples))
    if not with_auxiliary:
        kind, _, decoding = model.partition("-")
        begin |= {"cell": kind.removeprefix("fst"), "decoding": decoding, "extra_states": DUMMY_STATES}
    network = config_from(TaggerConfig, {**begin, **settings})
    train = slot_training(objective, examples)
    if network.tune_encoder and examples >= MANY:
        # An encoder that learns along: found on dev of SNIPS.
        train = replace(train, epochs=8, batch_size=32, encoder_learning_rate=1e-4, head_learning_rate=1e-3, decay=0.85)
    return network, train


def untrained_slots(data: SlotDataSet, network: TaggerConfig) -> Measured:
    """The network as the rules made it. Word vectors play a part only where eta mixes them in."""
    config = network if network.rule_weight not in (None, 1.0) else replace(network, vectors="none", tune_encoder=False)
    config = replace(config, minimum_confidence=0.0)  # a share of certainty that dev texts would have to choose
    bundle = start_tagger(data.system, Corpus(data.test), (), config)
    texts = tagged_texts(data.test, data.system.tokenization)
    scores = TagEncoder(bundle).examples(texts).scores(bundle.networks, untrained=not bundle.trained)
    return Measured(_figures(scores), {**asdict(config), "seed": 0}, recipe="no training: the rules as a network")


def measured_slots(record: SlotRecord, settings: Mapping[str, Any]) -> Measured:
    """A record of an experiment."""
    values = {**asdict(record.test), "untrained": record.zero_shot.f1, "parameters": float(record.parameters)}
    if record.dev is not None:
        values["dev"] = record.dev
    return of_record(record, values, settings)


def rules_of_slots(data: SlotDataSet) -> Measured:
    """The symbolic rules."""
    texts = tagged_texts(data.test, data.system.tokenization)
    found = data.system.tags_of_words([text.words for text in texts])
    scores = span_scores([text.tags or () for text in texts], found)
    return Measured(_figures(scores), recipe="the rules by themselves")


def tagged_by_rules(data: SlotDataSet, amount: float, seed: int) -> SlotDataSet:
    """The set with the drawn texts marked as the rules would, and nothing else to learn from."""
    drawn = draw_slots(data, amount, seed)
    return replace(data, train=_marked(drawn.train, data.system), dev=_marked(drawn.dev, data.system))


def _marked(examples: Sequence[Example], system: SlotSystem) -> tuple[Example, ...]:
    found = system.spans([example.text for example in examples])
    return tuple(replace(example, spans=spans) for example, spans in zip(examples, found, strict=True))


def _figures(scores: SpanScores) -> dict[str, float]:
    return {name: round(100 * getattr(scores, name), 4) for name in ("precision", "recall", "f1")}
