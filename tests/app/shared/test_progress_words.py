"""What a bar says of how long the rest of the work takes."""

from __future__ import annotations

import pytest

from pages._shared.components.progress import rest_in_words


@pytest.mark.parametrize(
    ("done", "total", "seconds", "said"),
    [
        (0, 40, 30.0, ""),
        (39, 40, 30.0, ""),
        (10, 40, 100.0, " · about 5 minutes left"),
        (20, 40, 40.0, " · about 40 seconds left"),
    ],
)
def test_a_long_rest_is_told(done: int, total: int, seconds: float, said: str) -> None:
    assert rest_in_words(done, total, seconds) == said
