"""One table of rules, sentences and predictions, replayed by every engine from the syntax tree to the network."""

from __future__ import annotations

from collections import Counter

import pytest
from conformance.engines import ENGINES, Engine
from support.rules.accept_cases import Case, all_cases

CASES = all_cases()


def wrong_rows(engine: Engine, case: Case) -> list[str]:
    """The sentences for which the engine is off by more than its tolerance, in words."""
    scores = engine.scores(case)
    return [
        f"{' '.join(sentence)!r}: {float(score):.4g} instead of {prediction:d}"
        for sentence, score, prediction in zip(case.sentences, scores, case.predictions, strict=True)
        if not abs(float(score) - prediction) <= engine.tolerance
    ]


@pytest.mark.parametrize("file", dict.fromkeys(case.file for case in CASES))
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_engine_gives_the_predictions_of_the_table(engine: Engine, file: str) -> None:
    cases = [case for case in CASES if case.file == file]
    wrong = {f"{case.name} ({case.written})": wrong_rows(engine, case) for case in cases}
    excused = {f"{case.name} ({case.written})" for case in cases if case.name in engine.exceptions}
    assert {name: rows for name, rows in wrong.items() if rows and name not in excused} == {}
    assert [name for name in excused if not wrong[name]] == [], "these exceptions are no longer needed"


def test_names_of_cases_are_distinct() -> None:
    assert [name for name, times in Counter(case.name for case in CASES).items() if times > 1] == []


def test_table_is_large_enough_and_every_case_has_a_sentence() -> None:
    assert sum(len(case.sentences) for case in CASES) >= 120
    assert [case.name for case in CASES if not case.sentences] == []


def test_exceptions_name_cases_of_the_table() -> None:
    named = {name for engine in ENGINES for name in engine.exceptions}
    assert named <= {case.name for case in CASES}


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_engine_notices_a_wrong_prediction(engine: Engine) -> None:
    """The table with its predictions turned round is wrong in every row, so that no engine agrees with anything."""
    case = next(case for case in CASES if case.name == "words in a row")
    turned = Case(case.file, case.name, case.written, case.rejected, case.accepted)
    assert len(wrong_rows(engine, turned)) == len(case.sentences)
