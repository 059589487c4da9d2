"""Two people at one queue, each in a browser of their own: by keys alone, with a reload in between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.label_keys import PATIENCE_MS, is_shown, press, shown
from support.app.served import adjudicated, in_chromium, picture, sync_api, window
from support.projects.finished_run import learnable_project
from support.projects.span_samples import annotated_project

from re2nn_core.store import (
    ProjectRecord,
    Store,
    flagged_texts,
    get_text,
    given_annotations,
    leases_of,
    open_queue,
    open_store,
    texts_of,
)
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium


@pytest.fixture
def store(server: tuple[str, Path]) -> Iterator[Store]:
    with open_store(server[1] / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture
def people(server: tuple[str, Path], browser: sync_api.Browser) -> Iterator[tuple[sync_api.Page, sync_api.Page]]:
    """Ann's window and Bob's, which share nothing."""
    with window(browser) as ann, window(browser) as bob:
        for page in (ann, bob):
            page.set_default_timeout(PATIENCE_MS)
        yield ann, bob


def go_to(page: sync_api.Page, address: str, project: ProjectRecord, person: str) -> None:
    page.goto(f"{address}/label?project={project.id}&person={person}")


@pytest.mark.long
def test_nobody_gets_the_same_text(
    server: tuple[str, Path], store: Store, people: tuple[sync_api.Page, sync_api.Page]
) -> None:
    """One queue, each text once: labelled, skipped, flagged and taken back by keys; undo goes on behind a reload."""
    project = learnable_project(store, unlabelled=8)
    ids = [record.id for record in texts_of(store, project.id) if record.label is None]
    open_queue(store, project.id, ids)
    ann, bob = people
    go_to(ann, server[0], project, "Ann")
    go_to(bob, server[0], project, "Bob")
    got = {"Ann": [press(ann, "Enter")], "Bob": [press(bob, "Enter")]}
    got["Ann"].append(press(ann, "Enter"))
    ann.get_by_text("travel was saved.").wait_for()
    picture(ann, "team_working")
    got["Bob"].append(press(bob, "Enter"))
    assert not set(got["Ann"]) & set(got["Bob"])
    assert {person: sorted(ids) for person, ids in got.items()} == {
        name: sorted(text for text, said in given_annotations(store, project.id).items() if name in said)
        for name in ("Ann", "Bob")
    }

    # Another label by its digit, then all of it taken back in a new window's life.
    current = shown(ann)
    adjudicated(ann)
    ann.keyboard.press("2")
    ann.get_by_role("button", name="Save: money").wait_for()
    press(ann, "Enter")
    assert get_text(store, current).label == "money"
    skipped = press(ann, "s")
    ann.reload()
    shown(ann)
    for text_id in (skipped, current, *reversed(got["Ann"])):
        press(ann, "u")
        is_shown(ann, text_id)
    assert [said for said in given_annotations(store, project.id).values() if "Ann" in said] == []
    assert len(given_annotations(store, project.id)) == 2

    # A flag with a note, seen and settled by the other.
    flagged = shown(ann)
    ann.get_by_placeholder("Note for the flag").fill("is this one of ours?")
    ann.keyboard.press("Enter")
    ann.locator(f".st-key-label_accept_{flagged}").wait_for(state="detached")
    [(text, who, note)] = flagged_texts(store, project.id)
    assert (text.id, who, note) == (flagged, "Ann", "is this one of ours?")
    bob.reload()
    shown(bob)
    bob.get_by_role("radio", name="Flagged").click()
    bob.get_by_text("“is this one of ours?”").wait_for()
    is_shown(bob, flagged)
    picture(bob, "team_flagged")
    bob.mouse.click(5, 300)  # off the control, which takes Enter for itself while it has the focus
    press(bob, "Enter")
    bob.get_by_text("No text is flagged.").wait_for()
    assert get_text(store, flagged).annotator == "Bob"
    held = {lease.text.id for name in ("Ann", "Bob") for lease in leases_of(store, project.id, name)}
    assert flagged not in held


@pytest.mark.long
def test_with_overlap_both_get_it(
    server: tuple[str, Path], store: Store, people: tuple[sync_api.Page, sync_api.Page]
) -> None:
    """Two annotations of each text, blind: both see the same texts, and neither what the other said."""
    project = learnable_project(store, unlabelled=2, name="Overlap")
    ids = [record.id for record in texts_of(store, project.id) if record.label is None]
    open_queue(store, project.id, ids, overlap=2, blind=True)
    ann, bob = people
    go_to(ann, server[0], project, "Ann")
    assert [press(ann, "Enter"), press(ann, "Enter")] == ids
    ann.get_by_text("No text is waiting for you in the team queue.").wait_for()
    picture(ann, "team_empty")
    go_to(bob, server[0], project, "Bob")
    assert shown(bob) == ids[0]
    picture(bob, "team_blind")
    assert "Ann" not in bob.locator("section.stMain, [data-testid=stMain]").inner_text()
    assert [press(bob, "Enter"), press(bob, "Enter")] == ids
    assert all(set(said) == {"Ann", "Bob"} for said in given_annotations(store, project.id).values())


def test_marks_by_keys(server: tuple[str, Path], store: Store, people: tuple[sync_api.Page, sync_api.Page]) -> None:
    """The same for slots: the editor saves, skips, flags and takes back."""
    project = annotated_project(store, name="Queue of marks")
    ids = [record.id for record in texts_of(store, project.id)]
    open_queue(store, project.id, ids)
    ann, bob = people
    go_to(ann, server[0], project, "Ann")
    ann.locator(".editor .where", has_text="text 1").wait_for()
    go_to(bob, server[0], project, "Bob")
    bob.locator(".editor .where", has_text="text 2").wait_for()
    ann.keyboard.press("Enter")
    ann.locator(".editor .where", has_text="text 3").wait_for()
    assert get_text(store, ids[0]).annotator == "Ann"
    ann.keyboard.press("Shift+S")
    ann.locator(".editor .where", has_text="text 4").wait_for()
    ann.keyboard.press("f")
    ann.locator(".editor .where", has_text="text 5").wait_for()
    assert [text.id for text, _, _ in flagged_texts(store, project.id)] == [ids[3]]
    picture(ann, "team_slots")
    ann.reload()
    ann.locator(".editor .word").first.wait_for()
    for number in (4, 3, 1):
        ann.keyboard.press("u")
        ann.locator(".editor .where", has_text=f"text {number}").wait_for()
    assert given_annotations(store, project.id) == {}
