"""What the commands read for slots: rules or a model, with their warnings told on stderr."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.inputs import refuse_other_tokenization, report_warnings
from re2nn_core.commands._common.sources import Sources, rules_of
from re2nn_core.errors import InputError
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.api.slot_filling import SlotModel
    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem


def load_slot_system(
    rules_path: Path, logic_path: Path | None, tokenization: Tokenization | None, known_slots: Sequence[str] = ()
) -> SlotSystem:
    """The rules of the files; `known_slots` are how the data spell slots, where case is to be ignored."""
    from re2nn_core.services.rule_systems.slot_filling.sources import load_slots

    loaded = load_slots(rules_path, logic_path, tokenization or Tokenization(), known_slots)
    report_warnings(loaded.warnings, rules_path, tokenization)
    return loaded.system


def load_tagger_of(sources: Sources) -> TaggerBundle | None:
    """The tagger of the model folder, if one was given."""
    if sources.model is None:
        return None
    from re2nn_core.network.slot_filling.bundle import load_tagger

    bundle = load_tagger(sources.model)
    refuse_other_tokenization(bundle.tokenization, sources.tokenization, sources.model)
    return bundle


def rules_and_tagger(sources: Sources, bundle: TaggerBundle | None, known_slots: Sequence[str] = ()) -> SlotModel:
    """Rules for slots and the tagger; `known_slots` are how the data spell slots, where case is to be ignored.
    InputError where neither is given, or an option without its rules."""
    from re2nn_core.api.slot_filling import SlotModel
    from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system

    def of_model(model: TaggerBundle) -> SlotSystem:
        if known_slots:
            raise InputError(
                "--ignore-slot-case belongs to rules: a model spells slots as it has learned. Leave it out."
            )
        parts = model.parts
        return read_slot_system(parts.rules_text, parts.logic_text, parts.tokenization, known_slots=parts.known_slots)[
            0
        ]

    of_files = partial(load_slot_system, known_slots=known_slots)
    return SlotModel(rules_of(sources, bundle, of_files=of_files, of_model=of_model), bundle)
