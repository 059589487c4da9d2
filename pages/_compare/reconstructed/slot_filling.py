"""The comparison behind the page: the run's network read back as rules, once, and then kept beside the network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC

import streamlit as st

from pages._shared.cached.models import material_of_project
from pages._shared.cached.taggers import tagger_of_run
from pages._shared.components.progress import progress_bar
from pages._shared.drawing import messages
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    LearnedRule,
    SlotReconstruction,
    SlotRuleChange,
)
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import (
    StoredSlotReconstruction,
    reconstruct_slot_run,
    stored_slot_reconstruction,
)
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord
from re2nn_core.text.tokenization import Tokenization


@dataclass(frozen=True)
class Compared:
    """A run, its rules before and after, and the texts that both were measured on. `fresh`: the figures are of the
    texts and spans as they are now."""

    run: RunRecord
    found: SlotReconstruction
    original: SlotSystem
    reconstructed: SlotSystem
    trained_on: str
    records: tuple[TextRecord, ...]
    fresh: bool = True

    @property
    def entries(self) -> tuple[SlotRuleChange | LearnedRule, ...]:
        """Changed rules first and new ones, those that gain most in front; then rules that stayed as they were."""
        moved: list[SlotRuleChange | LearnedRule] = [rule for rule in self.found.rules if not rule.kept_original]
        moved += self.found.new_rules
        moved.sort(key=lambda rule: -rule.gain)
        return (*moved, *(rule for rule in self.found.rules if rule.kept_original))


def compared(project: ProjectRecord, run: RunRecord) -> Compared | None:
    """The comparison of a run; read back now where it was not before. None where that did not work."""
    # As training sees them: labels that wait by the policy choose nothing.
    records = material_of_project(project).records
    kept = stored_slot_reconstruction(run.folder)
    if kept is None:
        with messages.guard("Reading the network back as rules") as outcome:
            kept = _read_now(run, records)
        if not outcome.ok or kept is None:
            return None
    elif not kept.fits(records):
        kept = _offer_again(kept, run, records)
    parts, found = tagger_of_run(run).parts, kept.reconstruction
    return Compared(
        run=run,
        found=found,
        original=_system(parts.rules_text, parts.logic_text, parts.tokenization, parts.known_slots),
        reconstructed=_system(found.rules_text, found.logic_text, parts.tokenization, parts.known_slots),
        trained_on=parts.rules_text,
        records=records,
        fresh=kept.fits(records),
    )


def _read_now(run: RunRecord, records: tuple[TextRecord, ...]) -> StoredSlotReconstruction:
    with progress_bar("Reading the network back as rules", "Trying changes of each rule, then new rules") as tell:
        return reconstruct_slot_run(run, records, on_progress=tell)


def _offer_again(
    kept: StoredSlotReconstruction, run: RunRecord, records: tuple[TextRecord, ...]
) -> StoredSlotReconstruction:
    """Texts or spans have changed since: the figures are old, and can be made again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        made = kept.made_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
        st.caption(f"Texts or spans have changed since this was measured ({made}); the figures are of then.")
        if st.button("Measure again", key="compare_again", icon=":material/refresh:"):
            with messages.guard("Reading the network back as rules") as outcome:
                again = _read_now(run, records)
            if outcome.ok:
                return again
    return kept


@st.cache_resource(show_spinner=False, max_entries=16)
def _system(rules_text: str, logic_text: str, tokenization: Tokenization, known: tuple[str, ...]) -> SlotSystem:
    return read_slot_system(rules_text, logic_text, tokenization, known_slots=known)[0]
