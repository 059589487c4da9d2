"""Networks and their predictions, kept between reruns and shared by all sessions: reading one takes a second,
running it over ten thousand texts several.

Predictions are kept under what they follow from (rules, network, texts), so a label that is given changes nothing
here.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

import streamlit as st

from pages._shared.cached.recent import recent
from pages._shared.cached.systems import system_of
from pages._shared.resources import store
from pages._shared.session.visible_labels import blind_for, records_for, records_seen
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.fine_tuning.runs import bundle_stamp
from re2nn_core.services.prediction.classification.predictions import Predictions, predict_texts
from re2nn_core.services.prediction.classification.predictor import OnProgress
from re2nn_core.services.prediction.classification.rule_precision import MeasuredRules, measure_rules
from re2nn_core.services.projects.stored_projects import count_texts, texts_of
from re2nn_core.services.team.training_labels import LabelledMaterial, labelled_material_of
from re2nn_core.services.values.networks import Bundle
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord, TextRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.remaining_time import Remaining

# Below this the predictions are there before a bar could be read.
_SHOW_BAR_FROM = 400
_WORTH_SAYING = 5  # seconds
_KEPT = 18
A = TypeVar("A")


@dataclass
class _Kept:
    """The predictions used last."""

    entries: OrderedDict[Hashable, Any]
    lock: Lock

    def get(self, key: Hashable) -> Any:
        with self.lock:
            found = self.entries.get(key)
            if found is not None:
                self.entries.move_to_end(key)
            return found

    def put(self, key: Hashable, value: Any) -> None:
        with self.lock:
            self.entries[key] = value
            while len(self.entries) > _KEPT:
                self.entries.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _kept() -> _Kept:
    return _Kept(OrderedDict(), Lock())


def records_of(project: ProjectRecord) -> tuple[TextRecord, ...]:
    """The project's texts in their order, with the labels they have now, as far as the person in front of the page may
    see them."""
    return records_seen(project)


def all_records_of(project: ProjectRecord) -> tuple[TextRecord, ...]:
    """The same with every label: for what is kept for all sessions, or counts only."""
    return records_for(project, "")


def material_of_project(project: ProjectRecord) -> LabelledMaterial:
    """The project's texts in their order, with the labels that may train by its policy."""
    return _material(store().url, project.id, project.updated_at, project)


@st.cache_resource(show_spinner=False, max_entries=4)
def _material(url: str, project_id: int, changed: datetime, _project: ProjectRecord) -> LabelledMaterial:
    return labelled_material_of(store(), _project, all_records_of(_project))


def network_of(run: RunRecord) -> Bundle:
    """The trained network of a run; ModelError where it cannot be read."""
    return _network(str(run.folder), bundle_stamp(run.folder), run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _network(folder: str, stamp: int | None, _run: RunRecord) -> Bundle:
    return bundle_of(_run)


@dataclass(frozen=True)
class Batch:
    """Texts to predict: how many they are, and a key that only these texts have, so that they need not be read."""

    key: Hashable
    count: int
    read: Callable[[], Sequence[str]]


def texts_of_project(project: ProjectRecord) -> Batch:
    """The project's texts in their order."""
    # Texts are only ever added to a project, so their number tells whether these are still all of them.
    count = count_texts(store(), project.id)
    key = (store().url, project.id, count)
    return Batch(key, count, lambda: [record.text for record in all_records_of(project)])


def given_texts(texts: Sequence[str]) -> Batch:
    """Any texts."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return Batch(digest.hexdigest(), len(texts), lambda: texts)


def predictions_for_project(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> Predictions:
    """What rules and network (None: the rules' own) say of the project's texts, in their order."""
    return _measured(texts_of_project(project), project, version, run)


def predictions_for_texts(
    texts: Sequence[str], project: ProjectRecord, version: RuleVersion, run: RunRecord | None
) -> Predictions:
    """What rules and network say of any texts."""
    return _measured(given_texts(texts), project, version, run)


def _measured(batch: Batch, project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> Predictions:
    """With how often the rules were right on the project's texts. Kept apart from the predictions, which a label that
    is given does not change."""
    predicted, measured = _predictions(batch, project, version, run), rule_precision(project, version)
    key = ("measured", batch.key, *followed_from(project, version, run), measured)
    return kept(key, 0, lambda _: replace(predicted, measured=measured))


def rule_precision(project: ProjectRecord, version: RuleVersion) -> MeasuredRules:
    """How often the rules were right on the project's labelled texts, in a large project a moment ago; nothing for
    whoever labels blind, since it tells of the labels."""
    if blind_for(project):
        return MeasuredRules()
    opened, system, texts = store(), system_of(version, project.tokenization), texts_of_project(project)
    followed = followed_from(project, version, None)
    matched = kept(("fired", texts.key, *followed), 0, lambda _: system.matched(texts.read()))

    def work() -> MeasuredRules:
        gold = [record.label for record in texts_of(opened, project.id)]
        return measure_rules(system, matched, gold[: len(matched)])  # texts may have been added meanwhile

    return recent(("precision", opened.url, project.id, *followed), work).value


def _predictions(batch: Batch, project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> Predictions:
    def work(on_progress: OnProgress) -> Predictions:
        network = None if run is None else network_of(run)
        return predict_texts(system_of(version, project.tokenization), network, batch.read(), on_progress=on_progress)

    return kept(("labels", batch.key, *followed_from(project, version, run)), batch.count, work)


def followed_from(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> tuple[Hashable, ...]:
    """What predictions follow from, besides the texts."""
    model = None if run is None else (str(run.folder), bundle_stamp(run.folder))
    return version.rules_text, version.logic_text, project.tokenization, model


def kept(key: Hashable, count: int, work: Callable[[OnProgress], A]) -> A:
    """What `work` gives, kept under the key; while it is at work a bar shows how many of so many texts are done."""
    found: A | None = _kept().get(key)
    if found is not None:
        return found
    bar = st.progress(0.0, text=f"Reading {counted(count, 'text')}") if count >= _SHOW_BAR_FROM else None
    begun = monotonic()

    def on_progress(done: int, total: int) -> None:
        if bar is not None:
            bar.progress(done / max(1, total), text=progress_in_words(done, total, monotonic() - begun))

    try:
        found = work(on_progress)
    finally:
        if bar is not None:
            bar.empty()
    _kept().put(key, found)
    return found


def progress_in_words(done: int, total: int, seconds: float) -> str:
    """How far it is after so many seconds; where it takes long, how long the rest takes, and what to do instead."""
    message = f"{done:,} of {counted(total, 'text')} predicted"
    left = seconds / max(1, done) * (total - done)
    if left < _WORTH_SAYING:
        return message
    left_in_words = Remaining(left).in_words()
    return f"{message}, {left_in_words}. Rules are fast: choose them as the model in the bar above."
