"""What so many texts can tell apart."""

from __future__ import annotations

import pytest

from re2nn_core.training.standard_error import near_the_best


@pytest.mark.parametrize(
    ("share", "best", "texts", "near"),
    [
        pytest.param(0.87, 0.9, 100, True, id="just within 0.03"),
        pytest.param(0.86, 0.9, 100, False, id="beyond it"),
        pytest.param(0.86, 0.9, 50, True, id="fewer texts tell less"),
        pytest.param(0.9, 0.9, 1000, True, id="the best itself"),
        pytest.param(1.0, 1.0, 10, True, id="all right"),
        pytest.param(0.99, 1.0, 100, False, id="nothing but all right is near all right"),
        pytest.param(0.0, 0.0, 10, True, id="nothing right"),
        pytest.param(0.0, 0.0, 0, True, id="no texts tell nothing"),
    ],
)
def test_what_is_near_the_best(share: float, best: float, texts: int, near: bool) -> None:
    assert near_the_best(share, best, texts) is near
