"""An archive brings a team's project back equal: who judged and decided what, the versions, the policy, the queue."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.projects.archives import export_project, pack, unpack
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.services.team.team_agreement import team_agreement
from re2nn_core.store import (
    ANNOTATION_EVENTS,
    Policy,
    ProjectRecord,
    Store,
    add_texts,
    close_queue,
    count_queue,
    flag,
    get_project,
    get_queue,
    lease_next,
    list_events,
    list_projects,
    list_versions,
    open_queue,
    opinions_of,
    read_kept_queue,
    record_decision,
    record_label,
    resolve_flag,
    save,
    save_version,
    set_policy,
    skip,
    texts_of,
    undo_last_action,
    verify_store,
)
from re2nn_core.text.corpus import Corpus, Example

SET_UP = ("policy", "queue")


@pytest.fixture
def team(store: Store, project: ProjectRecord) -> ProjectRecord:
    """Three people at work: annotations that differ, a decision, a skip, a flag that was adjudicated, one not."""
    add_texts(store, project.id, Corpus(tuple(Example(f"flights to town {number}") for number in range(5))))
    ids = [text.id for text in texts_of(store, project.id)]
    open_queue(store, project.id, ids, overlap=2, blind=True, person="Dora")
    for person, label in (("Ann", "flight"), ("Bob", "fare"), ("Bob", "flight")):
        lease = lease_next(store, project.id, person)
        assert lease is not None
        save(store, lease.text.id, label, person)
    record_label(store, ids[4], "flight", "Cléo")
    undo_last_action(store, project.id, "Cléo")
    record_decision(store, ids[0], "flight", "Dora")
    skip(store, ids[5], "Ann")
    flag(store, ids[6], "Bob", "什么?")
    resolve_flag(store, ids[6], "Dora", "fare")
    flag(store, ids[8], "Bob", "given back")
    resolve_flag(store, ids[8], "Dora")
    flag(store, ids[9], "Bob", "flagged again")
    resolve_flag(store, ids[9], "Dora")
    undo_last_action(store, project.id, "Dora", ANNOTATION_EVENTS)
    flag(store, ids[7], "Bob", "who is this for")
    lease_next(store, project.id, "Ann")
    set_policy(store, project.id, Policy("decided"), person="Dora")
    set_policy(store, project.id, Policy("agreed"), person="Dora")
    kept = {"author": "Bob", "message": "m", "expected_number": 1}
    save_version(store, project.id, rules_text="[flight]\n$* flights $*\n", logic_text="", **kept)
    return get_project(store, project.id)


def reported(store: Store, project: ProjectRecord) -> dict[str, Any]:
    """All there is to a team's project but its ids and its name."""
    texts = texts_of(store, project.id)
    places = {text.id: text.position for text in texts}
    events = list_events(store, project.id, kinds=(*SET_UP, *ANNOTATION_EVENTS, "undo", "decide"), limit=None)
    said = opinions_of(store, project.id)
    return {
        "texts": [replace(text, id=0, project_id=0) for text in texts],
        "versions": [replace(version, id=0, project_id=0) for version in list_versions(store, project.id)],
        "log": [
            (event.kind, event.person, event.created_at, places.get(event.text_id or 0), event.value, event.data)
            for event in events
        ],
        "opinions": [(places[one.text_id], one.person, one.kind, one.value, one.at) for one in said],
        "agreement": str(team_agreement(store, project)),
        "policy": project.policy,
        "queue": get_queue(store, project.id),
        "places": read_kept_queue(store, project.id),
        "counts": replace(count_queue(store, project.id), held=0, waiting=0),
    }


def test_a_team_comes_back_equal(store: Store, team: ProjectRecord) -> None:
    again = import_archive(store, export_project(store, team.id), "Finn")
    before, after = reported(store, team), reported(store, again)
    for part, found in before.items():
        assert after[part] == found, part
    assert len(before["opinions"]) >= 6
    assert before["counts"].done >= 3
    assert [event.value for event in list_events(store, again.id, kinds=("policy",))] == ["agreed", "decided"]
    assert verify_store(store) == ()
    # Labelling goes on there: a place that was held is free, and nobody gets a text twice.
    assert count_queue(store, again.id).held == 0
    one, other = lease_next(store, again.id, "Ann"), lease_next(store, again.id, "Bob")
    assert one is not None
    assert other is not None
    annotated = {opinion.text_id for opinion in opinions_of(store, again.id) if opinion.person == "Ann"}
    assert one.text.id not in annotated


def test_without_a_queue_none_comes_back(store: Store, team: ProjectRecord) -> None:
    close_queue(store, team.id, person="Dora")
    files = unpack(export_project(store, team.id))
    assert "queue.jsonl" not in files
    again = import_archive(store, pack(files), "Finn")
    assert get_queue(store, again.id) is None
    assert [event.data for event in list_events(store, again.id, kinds=("queue",))][0] == {"closed": True}


def line(name: str, place: int, change: Callable[[Any], Any]) -> Callable[[dict[str, bytes]], None]:
    """Changes one line of a file of the archive."""

    def work(files: dict[str, bytes]) -> None:
        lines = [json.loads(one) for one in files[name].splitlines()]
        lines[place] = change(lines[place])
        files[name] = "".join(f"{json.dumps(one)}\n" for one in lines).encode()

    return work


def event(kind: str, **fields: Any) -> Callable[[dict[str, bytes]], None]:
    """Changes the first event of a kind."""

    def work(files: dict[str, bytes]) -> None:
        lines = [json.loads(one) for one in files["history.jsonl"].splitlines()]
        next(one for one in lines if one["kind"] == kind).update(fields)
        files["history.jsonl"] = "".join(f"{json.dumps(one)}\n" for one in lines).encode()

    return work


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (line("queue.jsonl", 0, lambda one: one | {"overlap": 99}), r"The overlap must be .* \(got 99\)"),
        (line("queue.jsonl", 0, lambda one: one | {"overlap": True}), "The queue has other settings than expected"),
        (line("queue.jsonl", 0, lambda one: []), "The queue has other settings than expected"),
        (line("queue.jsonl", 1, lambda one: [999, *one[1:]]), "The queue has text 999, which does not exist"),
        (line("queue.jsonl", 1, lambda one: [one[0], -1, "", None]), "Line 2 of the queue cannot be"),
        (line("queue.jsonl", 1, lambda one: [*one[:2], "\0", None]), "the annotator of a place of text"),
        (line("queue.jsonl", -1, lambda one: [*one[:3], "Zoe"]), "1 places of the queue refer to annotations that"),
        (event("policy", value="magic"), "The policy must be 'every'"),
        (event("policy", position=1), "is about the whole project and cannot name a text"),
        (event("queue", data={"closed": "yes"}), "does not say how the queue was opened"),
        (event("queue", value="x"), "does not say how the queue was opened"),
        (lambda files: files.update({"queue.jsonl": b""}), "The queue has other settings than expected"),
        (
            lambda files: files.update({"project.toml": files["project.toml"].replace(b"agreed", b"every")}),
            "ends with another policy",
        ),
    ],
)
def test_a_queue_or_policy_that_cannot_be_is_refused(
    store: Store, team: ProjectRecord, change: Callable[[dict[str, bytes]], None], message: str
) -> None:
    files = unpack(export_project(store, team.id))
    change(files)
    before = len(list_projects(store))
    with pytest.raises(InputError, match=message):
        import_archive(store, pack(files), "Finn")
    assert len(list_projects(store)) == before
    assert verify_store(store) == ()
