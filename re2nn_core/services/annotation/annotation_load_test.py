"""Many people labelling at once, to measure: processes with threads, each thread one annotator with a connection of its
own, each label saved together with the lease of the next text. Afterwards the store is asked what it holds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from uuid import uuid4

import numpy as np

from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.store import (
    Lease,
    Store,
    create_project,
    delete_project,
    given_annotations,
    lease_next,
    open_queue,
    open_store,
    save,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example

# In which processes the annotators' threads are, unless told otherwise.
PROCESSES = 4
_LABELS = 7


@dataclass
class Work:
    """What annotators did: (text, person, label) of every label that was acknowledged, the seconds each took from the
    call to the answer, what went wrong, and the seconds of the processor that it took all of them."""

    saved: list[tuple[int, str, str]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    processor_seconds: float = 0.0


@dataclass(frozen=True)
class LabellingBench:
    """`lost`: labels that were acknowledged and are not there. `double`: texts judged by more people than asked for.
    `processor_ms`: what a label costs the program's processor, which tells more than the time on a busy machine."""

    labels: int
    lost: int
    double: int
    errors: tuple[str, ...]
    p50_ms: float
    p99_ms: float
    seconds: float
    processor_ms: float


def measure_labelling(
    store: Store,
    *,
    annotators: int,
    texts: int,
    labels: int | None = None,
    overlap: int = 1,
    processes: int = PROCESSES,
) -> LabellingBench:
    """Label `texts` made-up texts by that many people as fast as they can, in a project that is deleted afterwards.
    `labels` ends it earlier. InputError for a number below 1."""
    for name, number in (("annotators", annotators), ("texts", texts), ("processes", processes)):
        if number < 1:
            raise InputError(f"The number of {name} must be 1 or more (got {number}).")
    with _project(store, texts, overlap) as project_id:
        start = time.perf_counter()
        work = _all_work(str(store.path or store.url), project_id, annotators, labels, processes)
        seconds = time.perf_counter() - start
        held = given_annotations(store, project_id)
    lost = sum(1 for text_id, person, label in work.saved if held.get(text_id, {}).get(person) != label)
    people = Counter(text_id for text_id, _, _ in work.saved)
    double = sum(1 for count in people.values() if count > overlap)
    cost = 1000 * work.processor_seconds / max(1, len(work.saved))
    p50, p99 = np.percentile(work.seconds, [50, 99]) * 1000 if work.seconds else (0.0, 0.0)
    return LabellingBench(len(work.saved), lost, double, tuple(work.errors), float(p50), float(p99), seconds, cost)


@contextmanager
def _project(store: Store, texts: int, overlap: int) -> Iterator[int]:
    examples = Corpus(tuple(Example(f"made-up text number {number}") for number in range(texts)))
    name = f"Benchmark {uuid4().hex}"
    project = create_project(store, name=name, examples=examples, rules_text="", logic_text="", author="benchmark")
    try:
        open_queue(store, project.id, [text.id for text in texts_of(store, project.id)], overlap=overlap)
        yield project.id
    finally:
        delete_project(store, project.id, person="benchmark")


def _all_work(url: str, project_id: int, annotators: int, labels: int | None, processes: int) -> Work:
    """The work of all processes together. They are started anew, as servers are, and share nothing."""
    names = [f"annotator {number}" for number in range(annotators)]
    shares = [share for number in range(processes) if (share := names[number::processes])]
    quota = None if labels is None else [labels * len(share) // annotators for share in shares]
    work = Work()
    with ProcessPoolExecutor(len(shares), mp_context=get_context("spawn")) as pool:
        started = [
            pool.submit(work_of_process, url, project_id, share, quota[number] if quota else None)
            for number, share in enumerate(shares)
        ]
        for done in started:
            part = done.result()
            work.saved += part.saved
            work.seconds += part.seconds
            work.errors += part.errors
            work.processor_seconds += part.processor_seconds
    return work


def work_of_process(url: str, project_id: int, people: Sequence[str], labels: int | None) -> Work:
    """What these people do, each in a thread, until no text is left or the labels are given."""
    with open_store(url) as store, ThreadPoolExecutor(len(people)) as threads:
        each = None if labels is None else -(-labels // len(people))
        before = time.process_time()
        parts = list(threads.map(lambda person: _work_of(store, project_id, person, each), people))
        spent = time.process_time() - before
    return Work(
        [saved for part in parts for saved in part.saved],
        [seconds for part in parts for seconds in part.seconds],
        [error for part in parts for error in part.errors],
        spent,
    )


def _work_of(store: Store, project_id: int, person: str, labels: int | None) -> Work:
    work = Work()
    try:
        lease = lease_next(store, project_id, person)
        while lease is not None and (labels is None or len(work.saved) < labels):
            lease = _label(store, lease, person, work)
    except Re2nnError as error:
        work.errors.append(str(error))
    return work


def _label(store: Store, lease: Lease, person: str, work: Work) -> Lease | None:
    label = f"label {lease.text.position % _LABELS}"
    start = time.perf_counter()
    _, following = save(store, lease.text.id, label, person)
    work.seconds.append(time.perf_counter() - start)
    work.saved.append((lease.text.id, person, label))
    return following
