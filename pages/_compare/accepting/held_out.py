"""What each change does by itself: to the predictions, and to the figure on texts that the network has not learned
from. By these changes are ordered and recommended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved, Records
from pages._compare.split_names import held_out_split
from pages._shared.resources import store
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.change_effects import ChangeEffect, Weakness, held_count, weakness_of
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord


@dataclass(frozen=True)
class HeldOutGains:
    """The effect of each rule's change alone; `split` is where the held-out texts are, None where there are none, and
    no gain is known; `places` is where they are. `common`: the rules whose change only adds words as "the";
    `on_test`: where test texts are that do not decide."""

    split: str | None = None
    effects: Mapping[str, ChangeEffect] = field(default_factory=dict)
    places: frozenset[int] = frozenset()
    common: frozenset[str] = frozenset()
    on_test: frozenset[int] = frozenset()

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

    def weak(self, name: str) -> Weakness:
        """Why a gain by the change of a rule may be chance; empty where it is not likely."""
        effect = self.effects[name]
        on_test = held_count(effect, self.on_test)
        return weakness_of(*held_count(effect, self.places), only_common=name in self.common, on_test=on_test)


def held_out_gains(
    evaluation: Evaluation[Analysed, Moved],
    project: ProjectRecord,
    run: RunRecord,
    records: Records,
    versions: Mapping[str, RuleVersion],
    accept: Callable[[str], Acceptance],
    only_common: Callable[[str, frozenset[int]], bool],
) -> HeldOutGains:
    """The effect of the change of each rule in its version; `accept` accepts one of them there, `only_common` says
    whether it adds nothing but common words, where the held-out texts are at these places. Errors as
    `Evaluation.of`."""
    split = held_out_split(run, records)
    places, test = _labelled(records, split), _labelled(records, "test")

    def measure(version: RuleVersion, accepted: Acceptance) -> ChangeEffect:
        before, now = (evaluation.of(project, rules) for rules in (version, accepted))
        gain = None if split is None else evaluation.share(now, places) - evaluation.share(before, places)
        checked = test and split != "test"
        on_test = evaluation.share(now, test) - evaluation.share(before, test) if checked else None
        return ChangeEffect(before, now, evaluation.effect(now, before), gain, on_test)

    def effect(name: str, version: RuleVersion) -> ChangeEffect:
        change = accept(name)
        known = store().url, project.id, project.updated_at, run.id, split
        texts = version.rules_text, version.logic_text, change.rules_text, change.logic_text
        return _effect((*known, *texts), partial(measure, version, change))

    effects = {name: effect(name, versions[name]) for name in sorted(versions)}
    held = frozenset(places if split is not None else ())
    common = frozenset(name for name in effects if only_common(name, held))
    return HeldOutGains(split, effects, held, common, frozenset(_labelled(records, "test")) - held)


def _labelled(records: Records, split: str | None) -> list[int]:
    return [place for place, record in enumerate(records) if record.split == split and record.label is not None]


@st.cache_resource(show_spinner="Measuring the changes", max_entries=600)
def _effect(key: tuple[object, ...], _measure: Callable[[], ChangeEffect]) -> ChangeEffect:
    return _measure()
