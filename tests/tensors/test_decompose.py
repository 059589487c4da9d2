"""Factors of a given rank: recovered where the rank is enough, with an honest error where it is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.machine_samples import VOCABULARY, machines_of, random_machines, vocabulary_for

from re2nn_core.tensors.decompose import LowRank, low_rank
from re2nn_core.tensors.factors import Factors, exact_factors, scores, tensor_of
from re2nn_core.tensors.machines import Machines

RULES = """\
[a]
$* ( book | reserve ) $* ( flight | seat ) $*
$* from ( boston | new york ) to ( denver | oslo ) $*
[b]
how much is % dollars
$* ( price | fare ) of ${1,2} &
"""


@pytest.fixture(scope="module")
def exact() -> Factors:
    return exact_factors(machines_of(RULES), vocabulary_for(RULES, ("a", "17", "!")))


def true_error(exact: Factors, found: LowRank) -> float:
    """The error over distinct words, computed again from the factors."""
    _, first = np.unique(exact.words, axis=0, return_index=True)
    wanted = tensor_of(exact.words[first], exact.sources, exact.targets)
    made = tensor_of(found.factors.words[first], found.factors.sources, found.factors.targets)
    return float(np.linalg.norm(made - wanted) / np.linalg.norm(wanted))


@pytest.mark.parametrize("more", [5, 20])
def test_tensor_is_recovered_above_the_exact_rank(exact: Factors, more: int) -> None:
    """To two places: alternating least squares end slowly. Just at the exact rank they may end in a local optimum."""
    found = low_rank(exact, exact.rank + more, seed=0, sweeps=300)
    assert found.relative_error < 0.02
    assert found.wrong_entries == 0
    assert found.factors.rank == exact.rank + more
    for text in ("book a flight", "how much is 5 dollars", "how much is a dollars", "from new york to oslo", ""):
        difference = scores(found.factors, text.split()) - scores(exact, text.split())
        assert np.abs(difference).max() < 0.1


@pytest.mark.parametrize("rank", [1, 3, 8])
def test_error_below_the_exact_rank_is_what_it_says(exact: Factors, rank: int) -> None:
    found = low_rank(exact, rank, seed=0)
    assert found.relative_error == pytest.approx(true_error(exact, found), rel=1e-4)
    assert 0.1 < found.relative_error <= 1.0 + 1e-6
    assert found.wrong_entries > 0


def test_a_higher_rank_is_no_worse(exact: Factors) -> None:
    errors = [low_rank(exact, rank, seed=0).relative_error for rank in (1, 4, 8, exact.rank + 2)]
    assert errors == sorted(errors, reverse=True)


def test_words_with_equal_rows_stay_equal(exact: Factors) -> None:
    found = low_rank(exact, 5, seed=0).factors
    index = exact.vocabulary.index
    assert found.words[index["book"]].tolist() == found.words[index["reserve"]].tolist()
    assert found.words[index["17"]].tolist() == found.words[1].tolist()
    assert found.words[index["book"]].tolist() != found.words[index["flight"]].tolist()
    assert (found.term_machine == -1).all()


def test_every_sweep_is_reported_and_errors_fall(exact: Factors) -> None:
    """From the start on; a start that fails is reported too, and numbers begin anew with the next."""
    reported: list[tuple[int, float]] = []
    found = low_rank(exact, 6, seed=0, sweeps=20, on_error=lambda sweep, error: reported.append((sweep, error)))
    last_start = max(place for place, (sweep, _) in enumerate(reported) if sweep == 0)
    sweeps, errors = zip(*reported[last_start:], strict=True)
    assert list(sweeps) == list(range(len(sweeps)))
    assert 2 <= len(sweeps) <= 21
    assert all(later <= earlier + 1e-6 for earlier, later in zip(errors, errors[1:], strict=False))
    assert errors[-1] == pytest.approx(found.relative_error, abs=1e-3)


def test_the_same_seed_gives_the_same_factors(exact: Factors) -> None:
    one, other = (low_rank(exact, 6, seed=3) for _ in range(2))
    assert np.array_equal(one.factors.words, other.factors.words)
    assert one.relative_error == other.relative_error


@settings(max_examples=60, deadline=None)
@given(random_machines(size=5), st.integers(1, 6))
def test_any_tensor_at_any_rank_gives_finite_factors(machines: Machines, rank: int) -> None:
    """Tensors of zeros, of one state, of fewer words than terms: each of them stopped tensorly in its own way."""
    exact = exact_factors(machines, VOCABULARY)
    found = low_rank(exact, rank, seed=0, sweeps=10)
    assert found.factors.rank == rank
    for matrix in (found.factors.words, found.factors.sources, found.factors.targets):
        assert np.isfinite(matrix).all()
    assert np.isfinite(found.relative_error)


def test_rules_that_name_no_word_lose_nothing() -> None:
    exact = exact_factors(machines_of("[x]\n$ $*"), vocabulary_for("[x]\na"))
    found = low_rank(exact, 3, seed=0)
    assert (found.relative_error, found.wrong_entries, found.start) == (0.0, 0, "zero")
    assert scores(found.factors, ("a", "b")).tolist() == [1.0]


def test_rank_must_be_positive(exact: Factors) -> None:
    with pytest.raises(ValueError, match=r"^rank must be at least 1 \(got 0\)$"):
        low_rank(exact, 0, seed=0)
