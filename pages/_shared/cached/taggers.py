"""The same for slots: taggers and their spans, kept between reruns and shared by all sessions."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.cached.models import Batch, followed_from, given_texts, kept, texts_of_project
from pages._shared.cached.systems import known_slots, slot_system
from re2nn_core.services.fine_tuning.runs import bundle_stamp
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.values.networks import OnProgress, TaggerBundle
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord


def tagger_of_run(run: RunRecord) -> TaggerBundle:
    """The trained network of a run; ModelError where it cannot be read."""
    return _tagger(str(run.folder), bundle_stamp(run.folder), run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _tagger(folder: str, stamp: int | None, _run: RunRecord) -> TaggerBundle:
    return tagger_of(_run)


def slot_answers_for_project(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> SpanPredictions:
    """The spans that rules and network (None: the rules alone) give the project's texts, in their order."""
    return _answers(texts_of_project(project), project, version, run)


def slot_answers_for_texts(
    texts: Sequence[str], project: ProjectRecord, version: RuleVersion, run: RunRecord | None
) -> SpanPredictions:
    """The spans that rules and network give any texts."""
    return _answers(given_texts(texts), project, version, run)


def _answers(batch: Batch, project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> SpanPredictions:
    def work(tell: OnProgress) -> SpanPredictions:
        network = None if run is None else tagger_of_run(run)
        return predict_slot_texts(slot_system(version, project), network, batch.read(), on_progress=tell)

    return kept(("slots", batch.key, known_slots(project), *followed_from(project, version, run)), batch.count, work)
