"""The first page: texts of a project written to a file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.app.app_studio import Studio

from re2nn_core.store import ProjectRecord, Store, add_texts, texts_of
from re2nn_core.text.corpus import Corpus, Example


def button(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def test_texts_are_written_in_a_chosen_format(studio: Studio, store: Store, sample: ProjectRecord) -> None:
    studio.open("projects")
    formats = studio.test.selectbox(key=f"format_{sample.id}")
    assert "CoNLL (BIO)" not in formats.options
    formats.select_index(formats.options.index("doccano")).run()
    button(studio, f"prepare_{sample.id}")
    project, format, data = studio.test.session_state["_ready_download"]
    assert (project, format) == (sample.id, "doccano")
    first = json.loads(data.splitlines()[0])
    assert (first["text"], first["label"]) == (
        texts_of(store, sample.id)[0].text,
        [texts_of(store, sample.id)[0].label],
    )


@pytest.mark.parametrize(("title", "bad"), [("TSV", "a\ttab"), ("Plain lines", "a\nbreak")])
def test_what_a_format_cannot_hold_is_left_out_by_a_switch(
    studio: Studio, store: Store, sample: ProjectRecord, title: str, bad: str
) -> None:
    """The page has the switch that its message speaks of, with their number; no option of the command line is named."""
    add_texts(store, sample.id, Corpus((Example(f"{bad} one", None), Example(f"{bad} two", None))))
    studio.open("projects")
    formats = studio.test.selectbox(key=f"format_{sample.id}")
    formats.select_index(formats.options.index(title)).run()
    assert [box.label for box in leave_out_boxes(studio)] == ["Leave out rows that the format cannot store"]
    button(studio, f"prepare_{sample.id}")
    [reported] = [error.value for error in studio.test.error]
    assert "Or have them left out" in reported
    assert "-out" not in reported
    [box] = leave_out_boxes(studio)
    assert box.label == "Leave out rows that the format cannot store (2)"
    box.check().run()
    button(studio, f"prepare_{sample.id}")
    _, _, data = studio.test.session_state["_ready_download"]
    assert bad.encode() not in data
    assert texts_of(store, sample.id)[0].text.encode() in data
    assert "Left out: 2" in studio.html
    assert "two”" in studio.html


def leave_out_boxes(studio: Studio) -> list[Any]:
    return [box for box in studio.test.checkbox if str(box.key).startswith("leave_out_")]
