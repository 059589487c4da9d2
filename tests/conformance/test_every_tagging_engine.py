"""The tables of tagging and of acceptance, replayed by every engine that knows outputs, from the definition of a rule
to the tagger network."""

from __future__ import annotations

import pytest
from conformance.tagging_engines import FILES, SLOT_ENGINES, SlotEngine, every_case, expected
from support.rules.tagged_rules import TagCase

engines = pytest.mark.parametrize("engine", SLOT_ENGINES, ids=lambda engine: engine.name)


def wrong_cases(engine: SlotEngine, cases: list[TagCase]) -> dict[str, list[list[str]]]:
    """The cases for which the engine says something else, with what it says."""
    predictions = engine.predictions(cases)
    return {
        case.name: [sorted(tags) for tags in prediction]
        for case, prediction in zip(cases, predictions, strict=True)
        if prediction != expected(case)
    }


@engines
@pytest.mark.parametrize("file", FILES)
def test_engine_gives_the_predictions_of_the_table(engine: SlotEngine, file: str) -> None:
    cases = every_case()[file]
    assert cases
    assert wrong_cases(engine, cases) == {}


@engines
def test_engine_notices_a_wrong_prediction(engine: SlotEngine) -> None:
    """Every case that has words, with an output that no rule gives."""
    turned = [
        TagCase(case.name, case.tree, case.sentence, frozenset({("B-never",) * len(case.sentence)}))
        for case in every_case()["tagging"]
        if case.sentence
    ]
    assert len(wrong_cases(engine, turned)) == len(turned) > 25


def test_the_tables_have_accepted_and_rejected_sentences_and_all_kinds_of_outputs() -> None:
    every = [case for cases in every_case().values() for case in cases]
    outputs = {tag for case in every for tags in expected(case) for tag in tags}
    assert {"O", "OO"} < outputs
    assert {tag[0] for tag in outputs} == {"B", "I", "O"}
    assert sum(not case.sequences for case in every) > 100
    assert sum(len(case.sequences) > 1 for case in every) >= 5
