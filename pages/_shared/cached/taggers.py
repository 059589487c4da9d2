"""The same for slots: taggers and their spans, kept between reruns and shared by all sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages._shared.cached.models import Batch, followed_from, given_texts, kept, texts_of_project
from pages._shared.cached.recent import recent
from pages._shared.cached.systems import known_slots, slot_system
from pages._shared.resources import store
from pages._shared.session.visible_labels import blind_for
from re2nn_core.services.fine_tuning.runs import bundle_stamp
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.prediction.slot_filling.rule_precision import MeasuredSlotRules, measure_slot_rules
from re2nn_core.services.projects.stored_projects import texts_of
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.values.networks import OnProgress, TaggerBundle
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord


def tagger_of_run(run: RunRecord) -> TaggerBundle:
    """The trained network of a run; ModelError where it cannot be read."""
    return _tagger(str(run.folder), bundle_stamp(run.folder), run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _tagger(folder: str, stamp: int | None, _run: RunRecord) -> TaggerBundle:
    return tagger_of(_run)


def slot_predictions_for_project(
    project: ProjectRecord, version: RuleVersion, run: RunRecord | None
) -> SpanPredictions:
    """The spans that rules and network (None: the rules alone) give the project's texts, in their order."""
    return _measured(texts_of_project(project), project, version, run)


def slot_predictions_for_texts(
    texts: Sequence[str], project: ProjectRecord, version: RuleVersion, run: RunRecord | None
) -> SpanPredictions:
    """The spans that rules and network give any texts."""
    return _measured(given_texts(texts), project, version, run)


def _measured(batch: Batch, project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> SpanPredictions:
    """With how often the rules were right on the project's texts, as for labels."""
    predicted, measured = _predictions(batch, project, version, run), slot_rule_precision(project, version)
    if not measured.known:
        return predicted
    key = ("measured slots", batch.key, known_slots(project), *followed_from(project, version, run), measured)
    return kept(key, 0, lambda _: replace(predicted, measured=measured))


def slot_rule_precision(project: ProjectRecord, version: RuleVersion) -> MeasuredSlotRules:
    """How often the rules were right on the project's annotated texts, in a large project a moment ago; nothing for
    whoever labels blind, since it tells of the annotations."""
    if blind_for(project):
        return MeasuredSlotRules()
    opened, predicted = store(), _predictions(texts_of_project(project), project, version, None)

    def work() -> MeasuredSlotRules:
        gold = [spans_of_record(record) for record in texts_of(opened, project.id)]
        # Texts may have been added meanwhile.
        return measure_slot_rules(predicted.by_rules, predicted.givers, gold[: len(predicted)])

    key = ("slot precision", opened.url, project.id, known_slots(project), *followed_from(project, version, None))
    return recent(key, work).value


def _predictions(batch: Batch, project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> SpanPredictions:
    def work(on_progress: OnProgress) -> SpanPredictions:
        network = None if run is None else tagger_of_run(run)
        return predict_slot_texts(slot_system(version, project), network, batch.read(), on_progress=on_progress)

    return kept(("slots", batch.key, known_slots(project), *followed_from(project, version, run)), batch.count, work)
