"""A reconstruction that is cancelled on the page Compare: what was found by then stays, or the page says that nothing
was."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from support.app.app_studio import Studio

from pages._compare.reconstructed import classification, work
from re2nn_core.errors import Cancelled, InputError
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    FILE,
    reconstruct_run,
    stored_reconstruction,
)
from re2nn_core.services.rule_review.stored_reconstruction import write_stored
from re2nn_core.store import ProjectRecord, RunRecord, Store, record_label, texts_of

pytestmark = pytest.mark.usefixtures("filled")
AGAIN = "compare_again"


def captions(studio: Studio) -> str:
    return " ".join(text.value for text in studio.test.caption)


def cancelled(*_: Any, **__: Any) -> None:
    raise Cancelled("Cancelled before a change of a rule was found.")


def test_where_nothing_was_found_the_page_says_so_and_begins_only_when_asked(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(classification, "reconstruct_run", cancelled)
        studio.open("compare", project=learnable.id)
    assert "Cancelled before a change of a rule was found." in captions(studio)
    studio.test.run()
    studio.checked()
    assert stored_reconstruction(run.folder) is None, "another visit does not begin anew"
    studio.test.button(key=AGAIN).click().run()
    studio.checked()
    assert stored_reconstruction(run.folder) is not None
    assert "Cancelled" not in captions(studio)


def test_the_former_figures_stay_where_measuring_again_was_cancelled(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.open("compare", project=learnable.id)
    before = (run.folder / FILE).read_bytes()
    record_label(store, texts_of(store, learnable.id)[0].id, "money", "Bob")
    studio.test.run()
    monkeypatch.setattr(classification, "reconstruct_run", cancelled)
    studio.test.button(key=AGAIN).click().run()
    studio.checked()
    assert "Cancelled before a change of a rule was found. Texts or labels have changed" in captions(studio)
    assert (run.folder / FILE).read_bytes() == before
    assert studio.test.get("bidi_component") or "No change" in studio.html


def test_what_was_found_by_then_is_shown_as_such(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    made = reconstruct_run(run, texts_of(store, learnable.id))
    write_stored(run.folder / FILE, replace(made, stopped=True))
    studio.open("compare", project=learnable.id)
    assert "Cancelled: these are the changes that were found by then." in captions(studio)
    studio.test.button(key=AGAIN).click().run()
    studio.checked()
    assert "Cancelled" not in captions(studio)


def test_a_reconstruction_by_a_former_method_says_so_and_can_be_made_again(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    """What an earlier version of the code had found stayed, without a word."""
    reconstruct_run(run, texts_of(store, learnable.id))
    values = json.loads((run.folder / FILE).read_text(encoding="utf-8"))
    del values["method"]  # from before it was noted
    (run.folder / FILE).write_text(json.dumps(values), encoding="utf-8")
    studio.open("compare", project=learnable.id)
    assert "An earlier version of the method made this reconstruction" in captions(studio)
    studio.test.button(key=AGAIN).click().run()
    studio.checked()
    assert "An earlier version" not in captions(studio)
    assert not [button for button in studio.test.button if button.key == AGAIN]


def test_work_goes_on_without_a_page_and_is_stopped_by_its_button(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, looked = Event(), Event()

    def at_work(on_progress: Callable[[int, int], None], should_stop: Callable[[], bool]) -> str:
        on_progress(1, 2)
        begun.set()
        while not should_stop():
            looked.wait(0.01)
        return "what was found"

    work.begin("key", at_work)
    assert begun.wait(10)
    work.begin("key", cancelled)  # is at work already: not begun again
    found = work._all().at_work["key"]
    assert found.progress == (1, 2)
    assert not found.over.is_set()
    found.stop.set()
    assert work.draw_work("key", "{} of {}") == "what was found"
    assert work.draw_work("key", "{} of {}") is None
    assert not work.was_cancelled("key")


def test_what_went_wrong_is_raised_where_somebody_waits() -> None:
    def broken(*_: Any) -> None:
        raise InputError("No text has a label.")

    work.begin("broken", broken)
    with pytest.raises(InputError, match="No text has a label"):
        work.draw_work("broken", "{} of {}")
