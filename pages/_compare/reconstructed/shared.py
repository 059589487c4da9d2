"""The comparison behind the page for either task: a run's network reconstructed as rules, once, and then kept beside
the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Generic, TypeAlias, TypeVar

import streamlit as st

from pages._compare.reconstructed.work import TITLE, begin, draw_work, was_cancelled
from pages._shared.components.progress import OnProgress
from pages._shared.drawing import messages
from re2nn_core.services.fine_tuning.runs import fingerprint
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
Reconstruct: TypeAlias = Callable[[RunRecord, Records, OnProgress, Callable[[], bool]], Kept]
_NOTHING_FOUND = "Cancelled before a change of a rule was found."
_STOPPED = "Cancelled: these are the changes that were found by then."
_FORMER = "An earlier version of the method made this reconstruction; today's may find other changes."


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
    reconstruct: Reconstruct[Kept],
    *,
    step: Callable[[int, int], str],
    outdated: str,
) -> Kept | None:
    """What is stored of a run; made now where there is nothing yet, or it is asked for. None where there is nothing:
    it did not work, or somebody cancelled it. `step`: what the progress bar says when so many of so many
    steps are done; `outdated`: what is reported of old figures, with a place for their moment."""
    texts = fingerprint(records)
    key = run.folder.as_posix(), texts

    def start() -> None:
        begin(key, lambda on_progress, should_stop: reconstruct(run, records, on_progress, should_stop))

    if stored is None and not was_cancelled(key):
        start()
    with messages.guard(TITLE):
        stored = draw_work(key, step) or stored
    old, cancelled = stored is not None and stored.texts != texts, was_cancelled(key)
    reported = [_NOTHING_FOUND] if cancelled else []
    if stored is not None and old:  # texts or labels have changed since: the figures can be made again
        reported.append(outdated.format(stored.made_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")))
    elif stored is not None and stored.stopped:
        reported = [_STOPPED]
    elif stored is not None and stored.is_of_former_method:
        reported.append(_FORMER)
    if reported:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(" ".join(reported), width="content")
            again = "Measure again" if old else "Reconstruct again"
            st.button(again, key="compare_again", icon=":material/refresh:", on_click=start)
    return stored
