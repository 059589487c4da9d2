"""The comparison of rules for slots."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import streamlit as st

from pages._compare.reconstructed.shared import SlotComparison, reconstruction_of
from pages._shared.cached.models import material_of_project
from pages._shared.cached.taggers import tagger_of_run
from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import EXTENDED
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import LearnedRule, SlotRuleChange
from re2nn_core.services.rule_review.sizes import fitting_sizes
from re2nn_core.services.rule_review.slot_filling.sizes import SlotSize, slots_of_size
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import (
    reconstruct_slot_run,
    stored_slot_reconstruction,
)
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.values.stored import ProjectRecord, RunRecord
from re2nn_core.text.tokenization import Tokenization

_EXTENDING = "Extending word classes with words of the annotated texts"
_TRYING = "Trying changes of each rule, then new rules"
Entry: TypeAlias = SlotRuleChange | LearnedRule


def compared(project: ProjectRecord, run: RunRecord) -> SlotComparison | None:
    """The comparison of a run; None where that did not work."""
    # As training sees them: labels that wait by the policy choose nothing.
    records = material_of_project(project).records
    kept = reconstruction_of(
        run,
        records,
        stored_slot_reconstruction(run.folder),
        lambda run, records, on_progress, should_stop: reconstruct_slot_run(
            run, records, on_progress=on_progress, should_stop=should_stop
        ),
        step=step_in_words,
        outdated="Texts or spans have changed since this was measured ({}). The figures are from that time.",
    )
    if kept is None:
        return None
    parts, found = tagger_of_run(run).parts, kept.reconstruction
    return SlotComparison(
        run=run,
        found=found,
        original=_system(parts.rules_text, parts.logic_text, parts.tokenization, parts.known_slots),
        reconstructed=_system(found.rules_text, found.logic_text, parts.tokenization, parts.known_slots),
        trained_on=parts.rules_text,
        records=records,
        fresh=kept.fits(records),
        sizes=fitting_sizes(
            kept.sizes, frozenset(rule.name for rule in (*found.rules, *found.new_rules) if is_moved(rule))
        ),
    )


def step_in_words(done: int, _: int) -> str:
    """What the reconstruction is at."""
    return _EXTENDING if done < EXTENDED[1] else _TRYING


def of_size(compared: SlotComparison, size: SlotSize) -> SlotComparison:
    """The comparison with the changes of a size alone."""
    written, found = compared.original, slots_of_size(compared.found, size, compared.original)
    system = _system(found.rules_text, found.logic_text, written.tokenization, written.known_slots)
    return replace(compared, found=found, reconstructed=system)


def is_moved(rule: Entry) -> bool:
    """Whether a rule was changed or is new."""
    return isinstance(rule, LearnedRule) or not rule.kept_original


@st.cache_resource(show_spinner=False, max_entries=16)
def _system(rules_text: str, logic_text: str, tokenization: Tokenization, known: tuple[str, ...]) -> SlotSystem:
    return read_slot_system(rules_text, logic_text, tokenization, known_slots=known)[0]
