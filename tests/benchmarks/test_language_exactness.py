"""Untrained networks and rules that use a part of the language agree on published and on made-up sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.language_exactness import BENCHMARKS, exactness_of, rule_files

FILES = rule_files()


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_network_and_rules_agree_on_every_sentence(path: Path) -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmark data are not on this machine")
    found = exactness_of(path, 5_000)
    assert found.exact, found
    assert found.matched > 100  # the rules must not agree because they match nothing


def test_every_file_is_of_a_feature_and_a_set() -> None:
    assert {path.stem.split("_")[1] for path in FILES} <= {"atis", "trec", "sms"}
    assert len(FILES) >= 4
