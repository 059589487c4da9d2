"""Which found rules are proposed: those whose gain is more than chance."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.proposals.slot_filling.claims import Claims
from re2nn_core.proposals.slot_filling.span_search import FoundRule


@pytest.mark.parametrize(
    ("fixed", "broken", "guessed", "gains"),
    [
        (78, 68, (0, 0), False),  # the tenth proposal for ATIS: F1 on dev texts fell by it
        (65, 38, (0, 0), True),
        (9, 2, (0, 0), True),
        (1, 0, (0, 0), True),
        (0, 0, (0, 0), False),
        (0, 0, (3, 0), True),
        (2, 3, (9, 0), False),  # by guesses alone
        (12, 8, (3, 7), False),
    ],
)
def test_a_rule_gains_where_its_gain_is_a_standard_deviation(
    fixed: int, broken: int, guessed: tuple[int, int], gains: bool
) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    claims = Claims(*(nothing for _ in Claims.__dataclass_fields__))
    assert FoundRule(0, nothing, fixed, broken, *guessed, claims).gains == gains
