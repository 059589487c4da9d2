"""Every key of the session and of widgets is in one registry, under one page; and this check can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.session_key_scan import Found, keys_of

from pages._shared.session.session_keys import clashes, registered

ROOT = Path(__file__).resolve().parents[3]
SHARED = "shared"


def faults(found: set[Found]) -> list[str]:
    """Keys that are not in the registry, or stand there under another page."""
    registry = dict(registered())
    reported = []
    for one in sorted(found, key=lambda one: (one.file, one.key)):
        pages = registry.get(one.key)
        if pages is None:
            reported.append(f"{one.file}: {one.key} is not in pages/_shared/session/session_keys.py")
        elif one.page != SHARED and one.page not in pages and SHARED not in pages:
            reported.append(f"{one.file}: {one.key} belongs to {', '.join(pages)}")
    return reported


def test_every_key_is_registered_under_its_page() -> None:
    assert faults(keys_of(ROOT)) == []


def test_no_two_pages_can_mean_different_things_by_one_key() -> None:
    assert clashes() == []


def test_each_key_is_registered_once() -> None:
    keys = [key for key, _ in registered()]
    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ('st.session_state["novel"] = 1', "novel"),
        ('st.session_state.get("novel")', "novel"),
        ('"novel" in st.session_state', "novel"),
        ('st.button("Go", key="novel")', "novel"),
        ('st.button("Go", key=f"novel_{number}")', "novel_*"),
        ('KEY = "novel"\nst.session_state.pop(KEY, None)', "novel"),
        ('_A, _B = "novel", 1\nst.session_state[_A]', "novel"),
        ('def draw():\n    key = f"novel_{1}"\n    st.toggle("On", key=f"{key}_first")', "novel_*"),
        ('def _key(n):\n    return f"novel_{n}"\nst.session_state[_key(1)]', "novel_*"),
        ('def link(title, key):\n    st.button(title, key=key)\nlink("Go", "novel")', "novel"),
    ],
)
def test_a_key_that_is_planted_is_found(tmp_path: Path, source: str, key: str) -> None:
    page = tmp_path / "pages" / "_novel" / "page.py"
    page.parent.mkdir(parents=True)
    page.write_text(f"import streamlit as st\n{source}\n", encoding="utf-8")
    assert {one.key for one in keys_of(tmp_path)} == {key}
    assert faults(keys_of(tmp_path)) == [f"pages/_novel/page.py: {key} is not in pages/_shared/session/session_keys.py"]


def test_a_key_of_another_page_is_a_fault(tmp_path: Path) -> None:
    page = tmp_path / "pages" / "novel.py"
    page.parent.mkdir()
    page.write_text('import streamlit as st\nst.session_state["team_view"] = 1\n', encoding="utf-8")
    assert faults(keys_of(tmp_path)) == ["pages/novel.py: team_view belongs to team"]


@pytest.mark.parametrize(("one", "other"), [("a", "a"), ("a_*", "a_1"), ("a_1", "a_*"), ("a_*", "a_b_*")])
def test_a_clash_that_is_planted_is_found(one: str, other: str) -> None:
    entries = [(one, ("label",)), (other, ("team",))]
    assert clashes(entries) == [f"{one} of label and {other} of team can be the same key"]
    assert clashes([(one, ("label",)), (other, ("label", "team"))]) == []
