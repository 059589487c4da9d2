"""The comparison behind the page: the run's network read back as rules, once, and then kept beside the
network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import streamlit as st

from pages._shared.cached.models import material_of_project, network_of
from pages._shared.components.progress import progress_bar
from pages._shared.drawing import messages
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction, RuleChange
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    StoredLabelReconstruction,
    reconstruct_run,
    stored_reconstruction,
    with_best_edits,
)
from re2nn_core.services.values.rules import RuleSet, read_rules
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord


@dataclass(frozen=True)
class Compared:
    """A run, its rules before and after, and the texts that both were measured on. `best_edits`: what the best edit of
    a changed rule gains. `fresh`: the figures are of the texts and labels as they are now."""

    run: RunRecord
    found: Reconstruction
    best_edits: Mapping[str, int]
    original: RuleSet
    reconstructed: RuleSet
    trained_on: str
    records: tuple[TextRecord, ...]
    lowercase: bool
    fresh: bool = True

    @property
    def changes(self) -> tuple[RuleChange, ...]:
        """Changed rules first, in front those whose best edit gains most; of equals those that win most texts, and the
        short ones before the long."""

        def place(rule: RuleChange) -> tuple[int, ...]:
            if rule.kept_original:
                return (1,)  # in the order in which they are written
            gain = self.best_edits.get(rule.name, 0)
            return 0, -gain, len(rule.lost) - len(rule.won), len(rule.reconstructed_text)

        return tuple(sorted(self.found.rules, key=place))


def compared(project: ProjectRecord, run: RunRecord, draw_early: Callable[[Compared], None]) -> Compared | None:
    """The comparison of a run; read back now where it was not before. None where that did not work. `draw_early` draws
    what can be seen while the best edits are looked for."""
    # As training sees them: labels that wait by the policy choose nothing.
    records = material_of_project(project).records
    kept = stored_reconstruction(run.folder)
    if kept is None:
        with messages.guard("Reading the network back as rules") as outcome:
            kept = _read_now(run, records)
        if not outcome.ok or kept is None:
            return None
    elif not kept.fits(records):
        kept = _offer_again(kept, run, records)
    network = network_of(run)
    lowercase = project.tokenization.lowercase
    found = Compared(
        run=run,
        found=kept.reconstruction,
        best_edits=kept.best_edits or {},
        original=_rules(network.written[0], lowercase),
        reconstructed=_rules(kept.reconstruction.rules_text, lowercase),
        trained_on=network.written[0],
        records=records,
        lowercase=lowercase,
        fresh=kept.fits(records),
    )
    if kept.best_edits is not None:
        return found
    early = st.empty()
    with early.container():
        draw_early(found)
    with messages.guard("Looking for the edits that gain most"):
        found = replace(found, best_edits=_best_edits(kept, run, records))
    early.empty()
    return found


def _read_now(run: RunRecord, records: tuple[TextRecord, ...]) -> StoredLabelReconstruction:
    with progress_bar("Reading the network back as rules", "Trying thresholds, {:,} of at most {:,} rules") as tell:
        return reconstruct_run(run, records, on_progress=tell)


def _best_edits(kept: StoredLabelReconstruction, run: RunRecord, records: tuple[TextRecord, ...]) -> Mapping[str, int]:
    title = "Looking for the edits that gain most"
    with progress_bar(title, title + ", {:,} of {:,} rules") as tell:
        return with_best_edits(kept, run, records, on_progress=tell).best_edits or {}


def _offer_again(
    kept: StoredLabelReconstruction, run: RunRecord, records: tuple[TextRecord, ...]
) -> StoredLabelReconstruction:
    """Texts or labels have changed since: the figures are old, and can be made again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        made = kept.made_at.astimezone(UTC)
        st.caption(
            f"Texts or labels have changed since this was measured ({_moment(made)}); figures and texts are of then."
        )
        if st.button("Measure again", key="compare_again", icon=":material/refresh:"):
            with messages.guard("Reading the network back as rules") as outcome:
                again = _read_now(run, records)
            if outcome.ok:
                return again
    return kept


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


@st.cache_resource(show_spinner=False, max_entries=16)
def _rules(text: str, lowercase: bool) -> RuleSet:
    return read_rules(text, lowercase=lowercase).ruleset
