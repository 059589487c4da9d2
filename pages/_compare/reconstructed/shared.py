"""The comparison behind the page for either task: a run's network reconstructed as rules, once, and then kept beside
the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Generic, TypeAlias, TypeVar

import streamlit as st

from pages._shared.components.progress import OnProgress, progress_bar
from pages._shared.drawing import messages
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SlotReconstruction
from re2nn_core.services.rule_review.classification.stored_reconstruction import StoredLabelReconstruction
from re2nn_core.services.rule_review.sizes import ReconstructionSize
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import StoredSlotReconstruction
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.stored import RunRecord, TextRecord

Found = TypeVar("Found", Reconstruction, SlotReconstruction)
System = TypeVar("System", RuleSystem, SlotSystem)
Kept = TypeVar("Kept", StoredLabelReconstruction, StoredSlotReconstruction)
Records: TypeAlias = tuple[TextRecord, ...]
_TITLE = "Reconstructing rules from the network"


@dataclass(frozen=True)
class Compared(Generic[Found, System]):
    """A run, its rules before and after, and the texts that both were measured on. `fresh`: the figures are of the
    texts and labels as they are now; `edited` rules are as somebody wrote them. `sizes`: the same with some of its
    changes alone, the last one with all; none where that is not known."""

    run: RunRecord
    found: Found
    original: System
    reconstructed: System
    trained_on: str
    records: Records
    fresh: bool
    edited: frozenset[str] = frozenset()
    sizes: tuple[ReconstructionSize[Any], ...] = ()


LabelComparison: TypeAlias = Compared[Reconstruction, RuleSystem]
SlotComparison: TypeAlias = Compared[SlotReconstruction, SlotSystem]
Comparison = TypeVar("Comparison", LabelComparison, SlotComparison)


def reconstruction_of(
    run: RunRecord,
    records: Records,
    stored: Kept | None,
    reconstruct: Callable[[RunRecord, Records, OnProgress], Kept],
    *,
    step: str,
    outdated: str,
) -> Kept | None:
    """What is stored of a run; made now where there is nothing yet, or it is asked for. None where that did not work.
    `step`: what the progress bar says; `outdated`: what is said of old figures, with a place for their moment."""

    def made() -> Kept | None:
        with messages.guard(_TITLE), progress_bar(_TITLE, step) as on_progress:
            return reconstruct(run, records, on_progress)
        return None

    if stored is None:
        return made()
    again: Kept | None = None
    if not stored.fits(records):
        # Texts or labels have changed since: the figures are old, and can be made again.
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(outdated.format(stored.made_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")))
            if st.button("Measure again", key="compare_again", icon=":material/refresh:"):
                again = made()
    return again or stored
