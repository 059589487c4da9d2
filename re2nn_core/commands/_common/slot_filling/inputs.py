"""What the commands read for slots: which task it is, and rules or a model, with their warnings told on stderr."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.inputs import refuse_other_tokenization, tell_warnings
from re2nn_core.commands._common.options import Reading
from re2nn_core.errors import InputError
from re2nn_core.task import Task, read_task
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem


@dataclass(frozen=True)
class SlotSpeakers:
    """Rules for slots, and the tagger that is asked beside them or instead of them."""

    system: SlotSystem
    bundle: TaggerBundle | None


@dataclass(frozen=True)
class SlotSources:
    """What a command is to work on: paths and options as they were given."""

    rules_path: Path | None
    logic_path: Path | None
    model: Path | None
    data_path: Path
    split: str | None
    tokenization: Tokenization | None
    reading: Reading
    ignore_case: bool


def find_task(
    given: str | None, rules_path: Path | None, model: Path | None = None, tokenization: Tokenization | None = None
) -> Task:
    """`classification` or `slots`: the task of the model, the one that was given, or that of the rules."""
    from re2nn_core.services.rule_systems.slot_filling.sources import captures_words

    of_model = None if model is None else _task_of_model(model)
    if given is not None and of_model not in (None, given):
        raise InputError(f"{model} is a model for {(of_model or read_task(given)).in_words}. Leave --task {given} out.")
    task = of_model if given is None else read_task(given)
    if rules_path is None or given is not None or (task == Task.SLOT_FILLING and of_model is None):
        return task or Task.CLASSIFICATION
    of_rules = Task.SLOT_FILLING if captures_words(rules_path, tokenization or Tokenization()) else Task.CLASSIFICATION
    if of_model is not None and of_model != of_rules:
        captures = "captures words, for slots" if of_rules == Task.SLOT_FILLING else "captures no word, for labels"
        raise InputError(
            f"{rules_path} {captures}, and {model} is a model for {of_model.in_words}. "
            "Give a model and rules of one task."
        )
    return of_rules


def _task_of_model(folder: Path) -> Task:
    from re2nn_core.network.model_folder import read_description

    task = read_description(folder).get("task", Task.CLASSIFICATION)
    if task not in tuple(Task):
        raise InputError(
            f"{folder} holds a model of the kind {task!r}. Expected is a network made of rules, for labels or for "
            "slots, as `re2nn train --output DIR` writes it: only such a one has rules. Give the folder of one."
        )
    return Task(task)


def load_slot_system(
    rules_path: Path, logic_path: Path | None, tokenization: Tokenization | None, known_slots: Sequence[str] = ()
) -> SlotSystem:
    """The rules of the files; `known_slots` are how the data spell slots, where case is to be ignored."""
    from re2nn_core.services.rule_systems.slot_filling.sources import load_slots

    loaded = load_slots(rules_path, logic_path, tokenization or Tokenization(), known_slots)
    tell_warnings(loaded.warnings, rules_path, tokenization)
    return loaded.system


def load_tagger_of(model: Path, tokenization: Tokenization | None) -> TaggerBundle:
    """The tagger of a model folder."""
    from re2nn_core.network.slot_filling.bundle import load_tagger

    bundle = load_tagger(model)
    refuse_other_tokenization(bundle.tokenization, tokenization, model)
    return bundle


def slot_speakers(
    rules_path: Path | None,
    logic_path: Path | None,
    bundle: TaggerBundle | None,
    tokenization: Tokenization | None,
    known_slots: Sequence[str] = (),
) -> SlotSpeakers:
    """Rules from files beside a model, if there is one. A model brings its own rules where none are given."""
    from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system

    cut = tokenization if bundle is None else bundle.tokenization
    if rules_path is not None:
        return SlotSpeakers(load_slot_system(rules_path, logic_path, cut, known_slots), bundle)
    if bundle is None:
        raise InputError("Neither rules nor a model were given. Write --rules FILE, or --model DIR.")
    if logic_path is not None:
        raise InputError("--logic belongs to rules: write --rules FILE too, or leave it out.")
    if known_slots:
        raise InputError("--ignore-slot-case belongs to rules: a model spells slots as it has learned. Leave it out.")
    parts = bundle.parts
    system, _ = read_slot_system(parts.rules_text, parts.logic_text, parts.tokenization, known_slots=parts.known_slots)
    return SlotSpeakers(system, bundle)
