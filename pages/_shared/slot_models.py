"""The same for slots: rules, taggers and their spans, kept between reruns and shared by all sessions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import streamlit as st

from pages._shared.models import digest_of, kept, records_of
from pages._shared.resources import store
from re2nn_core.network.tag_answers import OnProgress
from re2nn_core.network.tagger_bundle import TaggerBundle
from re2nn_core.services.runs import bundle_stamp
from re2nn_core.services.slot_answers import SlotAnswered, answer_slot_texts
from re2nn_core.services.slot_runs import tagger_of
from re2nn_core.services.slot_systems import SlotSystem, read_slot_system
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord, count_texts
from re2nn_core.text.tokenization import Tokenization


def slot_system(version: RuleVersion, tokenization: Tokenization) -> SlotSystem:
    """The rules of a version, read. RuleError and LogicError with every fault; InputError where none captures."""
    return _system(version.rules_text, version.logic_text, tokenization)


@st.cache_resource(show_spinner=False, max_entries=16)
def _system(rules_text: str, logic_text: str, tokenization: Tokenization) -> SlotSystem:
    system, _ = read_slot_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="priorities")
    return system


def tagger_of_run(run: RunRecord) -> TaggerBundle:
    """The trained network of a run; ModelError where it cannot be read."""
    return _tagger(str(run.folder), bundle_stamp(run.folder), run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _tagger(folder: str, stamp: int | None, _run: RunRecord) -> TaggerBundle:
    return tagger_of(_run)


def slot_answers_for_project(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> SlotAnswered:
    """The spans that rules and network (None: the rules alone) give the project's texts, in their order."""
    # Texts are only ever added to a project, so their number tells whether these are still all of them.
    count = count_texts(store(), project.id)
    key = (store().url, project.id, count)
    return _answers(key, lambda: [record.text for record in records_of(project)], count, project, version, run)


def slot_answers_for_texts(
    texts: Sequence[str], project: ProjectRecord, version: RuleVersion, run: RunRecord | None
) -> SlotAnswered:
    """The spans that rules and network give any texts."""
    return _answers(digest_of(texts), lambda: texts, len(texts), project, version, run)


def _answers(
    texts_key: Hashable,
    texts: Callable[[], Sequence[str]],
    count: int,
    project: ProjectRecord,
    version: RuleVersion,
    run: RunRecord | None,
) -> SlotAnswered:
    model = None if run is None else (str(run.folder), bundle_stamp(run.folder))
    key = ("slots", texts_key, version.rules_text, version.logic_text, project.tokenization, model)

    def work(tell: OnProgress) -> SlotAnswered:
        network = None if run is None else tagger_of_run(run)
        return answer_slot_texts(slot_system(version, project.tokenization), network, texts(), on_progress=tell)

    return kept(key, count, work)
