"""The comparison of rules for labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages._compare.reconstructed.shared import LabelComparison, Records, reconstruction_of
from pages._shared.cached.models import material_of_project, network_of
from pages._shared.cached.systems import system_of_texts
from pages._shared.components.progress import progress_bar
from pages._shared.drawing import messages
from re2nn_core.services.rule_reconstruction.classification.reconstruction import RuleChange
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    StoredLabelReconstruction,
    reconstruct_run,
    stored_reconstruction,
    with_best_edits,
)
from re2nn_core.services.values.stored import ProjectRecord, RunRecord


def compared(
    project: ProjectRecord, run: RunRecord, draw_early: Callable[[LabelComparison], None]
) -> LabelComparison | None:
    """The comparison of a run; None where that did not work. `draw_early` draws what can be seen while the best edits
    are looked for."""
    # As training sees them: labels that wait by the policy choose nothing.
    records = material_of_project(project).records
    kept = reconstruction_of(
        run,
        records,
        stored_reconstruction(run.folder),
        lambda run, records, tell: reconstruct_run(run, records, on_progress=tell),
        step="Trying thresholds, {:,} of at most {:,} rules",
        outdated="Texts or labels have changed since this was measured ({}). Figures and texts are from that time.",
    )
    if kept is None:
        return None
    written, reconstructed = network_of(run).written, kept.reconstruction
    found = LabelComparison(
        run=run,
        found=reconstructed,
        original=system_of_texts(*written, project.tokenization),
        reconstructed=system_of_texts(reconstructed.rules_text, reconstructed.logic_text, project.tokenization),
        trained_on=written[0],
        records=records,
        fresh=kept.fits(records),
        best_edits=kept.best_edits or {},
    )
    if kept.best_edits is not None:
        return found
    early = st.empty()
    with early.container():
        draw_early(found)
    with messages.guard("Searching for the best edits"):
        found = replace(found, best_edits=_best_edits(kept, run, records))
    early.empty()
    return found


def _best_edits(kept: StoredLabelReconstruction, run: RunRecord, records: Records) -> Mapping[str, int]:
    title = "Searching for the best edits"
    with progress_bar(title, title + ", {:,} of {:,} rules") as tell:
        return with_best_edits(kept, run, records, on_progress=tell).best_edits or {}


def ordered_rules(compared: LabelComparison, trial: Any) -> tuple[RuleChange, ...]:
    """All rules, changed ones first, those that gain most on held-out texts in front."""
    return changed_first(compared.found.rules, compared.best_edits, {} if trial is None else trial.held_out.gains)


def changed_first(
    rules: Sequence[RuleChange], best_edits: Mapping[str, int], held_out: Mapping[str, float] | None = None
) -> tuple[RuleChange, ...]:
    """Changed rules first, in front those that gain most on held-out texts, then those whose best edit gains most; of
    equals those that win most texts, and the short ones before the long."""
    held = held_out or {}

    def place(rule: RuleChange) -> tuple[float, ...]:
        if rule.kept_original:
            return (1,)  # in the order in which they are written
        return (
            0,
            -held.get(rule.name, 0.0),
            -best_edits.get(rule.name, 0),
            len(rule.lost) - len(rule.won),
            len(rule.reconstructed_text),
        )

    return tuple(sorted(rules, key=place))
