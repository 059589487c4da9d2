"""Networks and their answers, kept between reruns and shared by all sessions: reading one takes a second,
running it over ten thousand texts several.

Answers are kept under what they follow from (rules, network, texts), so a label that is given changes nothing
here.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

from pages._shared.resources import store
from pages._shared.state import ModelChoice
from re2nn_core.network.bundle import Bundle
from re2nn_core.services.batch import Answered, answer_texts
from re2nn_core.services.prediction import OnProgress
from re2nn_core.services.runs import bundle_of, bundle_stamp
from re2nn_core.services.systems import RuleSystem, read_system
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord, TextRecord, count_texts, texts_of
from re2nn_core.text.tokenization import Tokenization

# Below this the answers are there before a bar could be read.
_SHOW_BAR_FROM = 400
_KEPT = 12
A = TypeVar("A")


@dataclass
class _Kept:
    """The answers used last."""

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
    """The project's texts in their order, with the labels they have now."""
    return _records(store().url, project.id, project.updated_at)


@st.cache_resource(show_spinner=False, max_entries=8)
def _records(url: str, project_id: int, changed: datetime) -> tuple[TextRecord, ...]:
    return texts_of(store(), project_id)


def system_of(version: RuleVersion, tokenization: Tokenization) -> RuleSystem:
    """The rules of a version, read. RuleError and LogicError with every fault."""
    return _system(version.rules_text, version.logic_text, tokenization)


@st.cache_resource(show_spinner=False, max_entries=16)
def _system(rules_text: str, logic_text: str, tokenization: Tokenization) -> RuleSystem:
    system, _ = read_system(rules_text, logic_text, tokenization, rules_file="rules", logic_file="label logic")
    return system


def network_of(run: RunRecord) -> Bundle:
    """The trained network of a run; ModelError where it cannot be read."""
    return _network(str(run.folder), bundle_stamp(run.folder), run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _network(folder: str, stamp: int | None, _run: RunRecord) -> Bundle:
    return bundle_of(_run)


def answers_for_project(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> Answered:
    """What rules and network (None: the rules' own) say of the project's texts, in their order."""
    # Texts are only ever added to a project, so their number tells whether these are still all of them.
    count = count_texts(store(), project.id)
    key = (store().url, project.id, count)
    return _answers(key, lambda: [record.text for record in records_of(project)], count, project, version, run)


def answers_for_texts(
    texts: Sequence[str], project: ProjectRecord, version: RuleVersion, run: RunRecord | None
) -> Answered:
    """What rules and network say of any texts."""
    return _answers(digest_of(texts), lambda: texts, len(texts), project, version, run)


def digest_of(texts: Sequence[str]) -> str:
    """A short value that only these texts have."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def _answers(
    texts_key: Hashable,
    texts: Callable[[], Sequence[str]],
    count: int,
    project: ProjectRecord,
    version: RuleVersion,
    run: RunRecord | None,
) -> Answered:
    model = None if run is None else (str(run.folder), bundle_stamp(run.folder))
    key = (texts_key, version.rules_text, version.logic_text, project.tokenization, model)

    def work(tell: OnProgress) -> Answered:
        network = None if run is None else network_of(run)
        return answer_texts(system_of(version, project.tokenization), network, texts(), on_progress=tell)

    return kept(key, count, work)


def kept(key: Hashable, count: int, work: Callable[[OnProgress], A]) -> A:
    """What `work` gives, kept under the key; while it is at work a bar tells how many of so many texts are done."""
    found: A | None = _kept().get(key)
    if found is not None:
        return found
    bar = st.progress(0.0, text=f"Reading {count:,} texts") if count >= _SHOW_BAR_FROM else None

    def tell(done: int, total: int) -> None:
        if bar is not None:
            bar.progress(done / max(1, total), text=f"{done:,} of {total:,} texts answered")

    try:
        found = work(tell)
    finally:
        if bar is not None:
            bar.empty()
    _kept().put(key, found)
    return found


def model_title(choice: ModelChoice) -> str:
    """What answers, in words: rules and their untrained network are one, since they are equal."""
    return "Rules, as their exact network" if choice.run is None else choice.title
