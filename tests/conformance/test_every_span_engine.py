"""The table of spans, replayed by all that divides words into spans: definition, rule system, reader of sentences,
editor and untrained networks."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import EXACT_FORMS, predictions_of, slot_systems, tagger_of, vocabulary_of
from support.rules.automata_strategies import sentences
from support.rules.reading_oracles import spans_by_definition, tags_by_definition

from re2nn_core.rules.marked_text import read_marked, write_marked
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.rule_writing.rule_sentences import SlotRuleReader, rule_reader
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slots
from re2nn_core.text.spans import Span, spans_of, token_spans
from re2nn_core.text.tokenization import Tokenization, tokenize

TABLE = Path(__file__).parents[1] / "testdata" / "spans.toml"
Spans = tuple[Span, ...]


@dataclass(frozen=True)
class SpanCase:
    name: str
    rules: str
    logic: str
    text: str
    marked: str

    @property
    def system(self) -> SlotSystem:
        return read_slot_system(self.rules, self.logic, Tokenization())[0]


def span_cases() -> list[SpanCase]:
    tables = tomllib.loads(TABLE.read_text(encoding="utf-8"))["case"]
    assert len({table["name"] for table in tables}) == len(tables) > 15
    found = []
    for table in tables:
        rules = "\n".join(["[slots]", *(f"r{number} := {rule}" for number, rule in enumerate(table["rules"]))])
        longest = "longest = true" if table.get("longest") else ""
        logic = f"priorities = {json.dumps(table.get('priorities', []))}\n{longest}"
        found.append(SpanCase(table["name"], rules, logic, read_marked(table["marked"])[0], table["marked"]))
    return found


def by_definition(case: SpanCase) -> Spans | None:
    system, tokens = case.system, tokenize(case.text, Tokenization())
    words = tuple(token.text for token in tokens)
    spans = spans_by_definition([rule.expanded for rule in system.ruleset.rules], system.logic, words)
    assert spans is not None
    return tuple(sorted(Span(tokens[one.start].start, tokens[one.end - 1].end, one.slot) for one in spans))


def by_rules(case: SpanCase) -> Spans | None:
    return case.system.spans([case.text])[0]


def by_sentence(case: SpanCase) -> Spans | None:
    """Of cases with one rule."""
    system = case.system
    if len(system.ruleset.rules) > 1:
        return None
    reader = rule_reader(system, system.ruleset.rules[0])
    assert isinstance(reader, SlotRuleReader)
    return reader.spans(case.text)


def in_the_editor(case: SpanCase) -> Spans | None:
    return analyse_slots(SlotBench([case.text], Tokenization()), [None], case.rules, case.logic).predictions[0]


def alone_in_the_editor(case: SpanCase) -> Spans | None:
    """Of cases with one rule."""
    analysis = analyse_slots(SlotBench([case.text], Tokenization()), [None], case.rules, case.logic)
    return analysis.readings[0].spans.get(0, ()) if len(analysis.readings) == 1 else None


def by_untrained_network(case: SpanCase) -> Spans | None:
    return predict_tags(untrained_tagger(case.system, [case.text]), [case.text])[0].spans


def by_untrained_ifst(case: SpanCase) -> Spans | None:
    return predict_tags(untrained_tagger(case.system, [case.text], "ifst"), [case.text])[0].spans


def by_network(form: dict[str, object]) -> Callable[[SpanCase], Spans | None]:
    def prediction(case: SpanCase) -> Spans | None:
        system, tokens = case.system, tokenize(case.text, Tokenization())
        words = [tuple(token.text for token in tokens)]
        vocabulary = vocabulary_of(system, words)
        decided = predictions_of(tagger_of(system, vocabulary, **form), vocabulary, words)
        return spans_of(system.divided(words, decided)[0], tokens)

    return prediction


ENGINES: dict[str, Callable[[SpanCase], Spans | None]] = {
    "definition": by_definition,
    "rule system": by_rules,
    "single sentences": by_sentence,
    "editor": in_the_editor,
    "editor, a rule alone": alone_in_the_editor,
    "untrained network": by_untrained_network,
    "untrained network of independent transducers": by_untrained_ifst,
    **{f"network {form}": by_network(form) for form in EXACT_FORMS},
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", span_cases(), ids=lambda case: case.name)
def test_engine_gives_the_spans_of_the_table(case: SpanCase, engine: str) -> None:
    spans = ENGINES[engine](case)
    if spans is not None:
        assert write_marked(case.text, spans) == case.marked


@settings(max_examples=50, deadline=None)
@given(slot_systems(), st.lists(sentences(), min_size=1, max_size=4))
def test_spans_are_those_of_readings_and_the_network_gives_the_same(
    system: SlotSystem, texts: list[tuple[str, ...]]
) -> None:
    trees = [rule.expanded for rule in system.ruleset.rules]
    found = system.tags_of_words(texts)
    vocabulary = vocabulary_of(system, texts)
    assert system.divided(texts, predictions_of(tagger_of(system, vocabulary), vocabulary, texts)) == found
    for words, tags in zip(texts, found, strict=True):
        expected, spans = spans_by_definition(trees, system.logic, words), frozenset(token_spans(tags))
        assert expected is None or spans == expected
        if len({span.slot for span in spans}) == 1 and not any("O" in tags_of_tree(tree) for _, tree in system.trees):
            assert spans <= tags_by_definition(trees, system.logic, words)[1]
