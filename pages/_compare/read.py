"""The comparison behind the page: the run's network read back as rules, once, and then kept beside the
network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from pages._shared import messages
from pages._shared.models import network_of, records_of
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.services.readback import Readback, kept_readback, read_back
from re2nn_core.services.reconstruction import Reconstruction, RuleChange
from re2nn_core.store import ProjectRecord, RunRecord, TextRecord


@dataclass(frozen=True)
class Compared:
    """A run, its rules before and after, and the texts that both were measured on."""

    run: RunRecord
    found: Reconstruction
    original: RuleSet
    reconstructed: RuleSet
    trained_on: str
    records: tuple[TextRecord, ...]
    lowercase: bool

    @property
    def changes(self) -> tuple[RuleChange, ...]:
        """Changed rules first, those that move most texts in front."""
        return tuple(sorted(self.found.rules, key=lambda rule: (rule.kept_original, -len(rule.won) - len(rule.lost))))


def compared(project: ProjectRecord, run: RunRecord) -> Compared | None:
    """The comparison of a run; read back now where it was not before. None where that did not work."""
    records = records_of(project)
    kept = kept_readback(run.folder)
    if kept is None:
        with messages.guard("Reading the network back as rules") as outcome:
            kept = _read_now(run, records)
        if not outcome.ok or kept is None:
            return None
    elif not kept.fits(records):
        kept = _offer_again(kept, run, records)
    network = network_of(run)
    lowercase = project.tokenization.lowercase
    return Compared(
        run=run,
        found=kept.reconstruction,
        original=_rules(network.written[0], lowercase),
        reconstructed=_rules(kept.reconstruction.rules_text, lowercase),
        trained_on=network.written[0],
        records=records,
        lowercase=lowercase,
    )


def _read_now(run: RunRecord, records: tuple[TextRecord, ...]) -> Readback:
    bar = st.progress(0.0, text="Reading the network back as rules")

    def tell(done: int, total: int) -> None:
        bar.progress(min(1.0, done / max(1, total)), text=f"Trying thresholds, {done:,} of at most {total:,} rules")

    try:
        return read_back(run, records, on_progress=tell)
    finally:
        bar.empty()


def _offer_again(kept: Readback, run: RunRecord, records: tuple[TextRecord, ...]) -> Readback:
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
