"""Names in which something cannot be seen."""

from __future__ import annotations

import pytest

from re2nn_core.text.visible import unseen_sign


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Ann", ""),
        ("Zoë Müller-Lüdenscheidt", ""),
        ("علی\u200cرضا", ""),
        ("क्\u200dष", ""),
        ("evil\u202ename", "\u202e"),
        ("Ann\u200b", "\u200b"),
        ("A\u200dnn", "\u200d"),
        ("An\u00adn", "\u00ad"),
        ("\ufeffAnn", "\ufeff"),
        ("Ann\u2066", "\u2066"),
        ("An\u200en", "\u200e"),
    ],
)
def test_what_cannot_be_seen_in_a_name(name: str, found: str) -> None:
    assert unseen_sign(name) == found
