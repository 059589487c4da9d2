"""Random label logic over four rules, for tests of everything that decides by it."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st
from support.rules.strategies import formulas

from re2nn_core.rules.logic.label_logic import NEVER, LabelLogic

RULES = ("r", "s", "t", "u")
FIRED = np.asarray(list(product([False, True], repeat=len(RULES))))  # every combination


@st.composite
def logics(draw: st.DrawFn) -> LabelLogic:
    """Up to five labels; priorities run from earlier to later ones of a random order, so that there is no circle."""
    count = draw(st.integers(1, 5))
    labels = tuple(f"label{number}" for number in range(count))
    chosen = draw(st.lists(st.one_of(formulas(RULES), st.just(NEVER)), min_size=count, max_size=count))
    order = draw(st.permutations(labels))
    pairs = [(order[i], order[j]) for i in range(count) for j in range(i + 1, count)]
    priorities = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6)) if pairs else []
    return LabelLogic(labels, tuple(chosen), tuple(priorities), draw(st.one_of(st.none(), st.sampled_from(labels))))
