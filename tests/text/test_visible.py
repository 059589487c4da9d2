"""Signs that cannot be seen are written out, and all others stay."""

from __future__ import annotations

import pytest

from re2nn_core.text.counting import counted
from re2nn_core.text.visible import hidden_signs, visible


@pytest.mark.parametrize(
    ("text", "shown", "signs"),
    [
        ("plain text\n\twith breaks", "plain text\n\twith breaks", ()),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m", ("\\x1b",)),
        ("a\x00b\x7f\x9b", "a\\x00b\\x7f\\x9b", ("\\x00", "\\x7f", "\\x9b")),
        ("\u202eturned\u2066", "\\u202eturned\\u2066", ("\\u202e", "\\u2066")),
        ("a\rb", "a\\rb", ("\\r",)),
        ("von Zürich 去 北京 👩\u200d🔧", "von Zürich 去 北京 👩\u200d🔧", ()),
    ],
)
def test_signs_that_cannot_be_seen(text: str, shown: str, signs: tuple[str, ...]) -> None:
    assert visible(text) == shown
    assert hidden_signs(text) == signs


@pytest.mark.parametrize(
    ("number", "noun", "plural", "said"),
    [
        (0, "text", "", "0 texts"),
        (1, "text", "", "1 text"),
        (1200, "text", "", "1,200 texts"),
        (2, "class", "classes", "2 classes"),
    ],
)
def test_counts(number: int, noun: str, plural: str, said: str) -> None:
    assert counted(number, noun, plural) == said
