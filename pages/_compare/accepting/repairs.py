"""Which changes repair what another one breaks: a harmless one with no gain of its own may be what a recommended one
needs beside it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import streamlit as st

from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved
from pages._compare.accepting.held_out import HeldOutGains
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._shared.resources import store
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.change_repairs import RepairMeasures, Repairs, find_repairs
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

Accept = Callable[[Collection[str], RuleVersion], Acceptance]


def repairs_among(
    evaluation: Evaluation[Analysed, Moved],
    project: ProjectRecord,
    compared: Compared[Found, System],
    versions: Mapping[str, RuleVersion],
    alone: HeldOutGains,
    accept: Accept,
) -> Repairs:
    """By the rule whose change breaks texts those that repair some of them. `versions` are those in which each change
    is measured, with the effect that it has `alone`; `accept` accepts some of them into a version. Errors as
    `Evaluation.of`."""
    texts = tuple(sorted({text for version in versions.values() for text in (version.rules_text, version.logic_text)}))
    known = store().url, project.id, project.updated_at, compared.run.id
    key = *known, tuple(sorted(compared.edited)), compared.found.rules_text, texts
    records = compared.records
    if not any(len(effect.moved.broken) for effect in alone.effects.values()):
        return {}
    measured = next(effect.now for effect in alone.effects.values())
    measures = RepairMeasures(
        alone=lambda name: (accept({name}, versions[name]), versions[name]),
        both=lambda name, other: accept({name, other}, versions[name]),
        few=lambda places: evaluation.analyse_few(project, records, places, measured),
        whole=lambda rules: evaluation.of(project, rules),
        errors=evaluation.errors,
        reads=evaluation.reads,
        effect=evaluation.effect,
        gains=lambda before, now: [will - was for _, was, will in evaluation.measured(before, now, records)],
    )
    return _repairs(key, lambda: find_repairs(alone.effects, measures))


@st.cache_resource(show_spinner="Measuring changes together", max_entries=60)
def _repairs(key: tuple[object, ...], _found: Callable[[], Repairs]) -> Repairs:
    return _found()
