"""What each change does by itself: to the predictions, and to the figure on texts that the network has not learned
from. By these changes are ordered and recommended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved, Records
from pages._compare.split_names import held_out_split
from pages._shared.resources import store
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.change_effects import ChangeEffect, held_count, is_thin
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord


@dataclass(frozen=True)
class HeldOutGains:
    """The effect of each rule's change alone; `split` is where the held-out texts are, None where there are none, and
    no gain is known; `places` is where they are."""

    split: str | None = None
    effects: Mapping[str, ChangeEffect] = field(default_factory=dict)
    places: frozenset[int] = frozenset()

    @property
    def gains(self) -> dict[str, float]:
        """The gains that are known."""
        return {name: effect.gain for name, effect in self.effects.items() if effect.gain is not None}

    def loses(self, name: str) -> bool:
        """Whether the change of a rule loses by itself."""
        return self.gains.get(name, 0.0) < 0

    def improves(self, name: str) -> bool:
        """Whether the change of a rule gains by itself."""
        return self.gains.get(name, 0.0) > 0

    def thin(self, name: str) -> bool:
        """Whether one or two held-out texts alone say that the change of a rule gains."""
        return self.improves(name) and is_thin(*held_count(self.effects[name], self.places))


def held_out_gains(
    evaluation: Evaluation[Analysed, Moved],
    project: ProjectRecord,
    run: RunRecord,
    records: Records,
    version: RuleVersion,
    names: Iterable[str],
    accept: Callable[[str], Acceptance],
) -> HeldOutGains:
    """The effects of the changes of some rules in a version; `accept` accepts one of them. Errors as
    `Evaluation.of`."""
    split = held_out_split(run, records)
    places = [place for place, record in enumerate(records) if record.split == split and record.label is not None]

    def measure(accepted: Acceptance) -> ChangeEffect:
        before, now = (evaluation.of(project, rules) for rules in (version, accepted))
        gain = None if split is None else evaluation.share(now, places) - evaluation.share(before, places)
        return ChangeEffect(before, now, evaluation.effect(now, before), gain)

    known = store().url, project.id, project.updated_at, run.id, split, version.rules_text, version.logic_text
    changes = {name: accept(name) for name in sorted(names)}
    return HeldOutGains(
        split,
        {
            name: _effect((*known, change.rules_text, change.logic_text), partial(measure, change))
            for name, change in changes.items()
        },
        frozenset(places if split is not None else ()),
    )


@st.cache_resource(show_spinner="Measuring the changes", max_entries=600)
def _effect(key: tuple[object, ...], _measure: Callable[[], ChangeEffect]) -> ChangeEffect:
    return _measure()
