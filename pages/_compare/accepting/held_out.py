"""What each change gains by itself on texts that the network has not learned from: such changes are offered first, and
those that lose there are accepted only by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved, Records
from pages._compare.split_names import held_out_split
from pages._shared.resources import store
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord


@dataclass(frozen=True)
class HeldOutGains:
    """The change of the figure on the held-out texts by each rule's change alone, as a share of 1; `split` is where
    these texts are, None where there are none, and nothing is known."""

    split: str | None = None
    gains: Mapping[str, float] = field(default_factory=dict)

    def loses(self, name: str) -> bool:
        """Whether the change of a rule loses by itself."""
        return self.gains.get(name, 0.0) < 0


def held_out_gains(
    evaluation: Evaluation[Analysed, Moved],
    project: ProjectRecord,
    run: RunRecord,
    records: Records,
    version: RuleVersion,
    names: Iterable[str],
    accept: Callable[[str], Acceptance],
) -> HeldOutGains:
    """The gains of the changes of some rules in a version; `accept` accepts one of them. Errors as
    `Evaluation.of`."""
    split = held_out_split(run, records)
    if split is None:
        return HeldOutGains()
    places = [place for place, record in enumerate(records) if record.split == split and record.label is not None]

    def measure(accepted: Acceptance) -> float:
        before, now = (evaluation.share(evaluation.of(project, rules), places) for rules in (version, accepted))
        return now - before

    known = store().url, project.id, project.updated_at, run.id, split, version.rules_text, version.logic_text
    changes = {name: accept(name) for name in sorted(names)}
    return HeldOutGains(
        split,
        {
            name: _gain((*known, change.rules_text, change.logic_text), partial(measure, change))
            for name, change in changes.items()
        },
    )


@st.cache_data(show_spinner="Measuring the changes", max_entries=2000)
def _gain(key: tuple[object, ...], _measure: Callable[[], float]) -> float:
    return _measure()
