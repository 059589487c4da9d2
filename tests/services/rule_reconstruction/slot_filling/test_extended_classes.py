"""Word classes of rules for slots that are extended by values of annotated texts and by like words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from re2nn_core.embeddings.choose import KnownVectors
from re2nn_core.reconstruction.slot_filling.report import ExtendedRules
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes import rules as extended_rules
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.class_values import (
    open_classes,
    tried_values,
    values_by_class,
)
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.exchange import (
    AnnotatedWords,
    Exchange,
    ExchangeBench,
    exchanged,
)
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.like_members import like_members
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.rules import with_extended_classes
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.services.rule_writing.like_words import NearWords
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span, token_spans
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.text.tokenization import Tokenization

RULES = """// towns
@town@=( rome | oslo | new york )

to := $* to [ @town@ ]<to> $*  // "to Rome"
from := $* from [ @town@ ]<from> $*
@food@=( soup | rice | bread )
eat := $* eat [ @food@ ]<food> $*
"""
TOWNS = ("paris", "cairo", "quito", "salt lake city", "graz")


def system_of(rules_text: str = RULES) -> SlotSystem:
    return read_slot_system(rules_text, "", Tokenization())[0]


def trip(slot: str, town: str, split: str = "train") -> Example:
    text = f"please fly {slot} {town} today"
    begin = text.index(town)
    return Example(text, None, split, (Span(begin, begin + len(town), slot),))


def trips(split: str = "train", towns: Sequence[str] = TOWNS) -> list[Example]:
    return [trip(slot, town, split) for town in towns for slot in ("to", "from") for _ in range(3)]


def bench_of(system: SlotSystem, examples: Sequence[Example]) -> ExchangeBench:
    rows = tagged_texts(examples, system.tokenization)
    return ExchangeBench(system, [AnnotatedWords(row.words, frozenset(token_spans(row.tags or ()))) for row in rows])


def without_like_words(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = NearWords(KnownVectors((), np.zeros((0, 2), dtype=np.float32), "none"), {})
    monkeypatch.setattr(extended_rules, "near_words", lambda *_, **__: nothing)


def test_a_word_in_the_place_of_a_phrase_moves_the_spans_behind_it() -> None:
    text = AnnotatedWords(
        ("from", "salt", "lake", "city", "to", "oslo"), frozenset({Span(1, 4, "from"), Span(5, 6, "to")})
    )
    found = exchanged(text, {("salt", "lake", "city"), ("lake",)}, "rome")
    assert found == AnnotatedWords(("from", "rome", "to", "oslo"), frozenset({Span(1, 2, "from"), Span(3, 4, "to")}))
    assert exchanged(text, {("paris",)}, "rome") is None
    assert exchanged(text, (), "rome") is None


def test_a_phrase_in_which_a_span_ends_is_left() -> None:
    text = AnnotatedWords(("to", "new", "york", "city"), frozenset({Span(1, 3, "to")}))
    assert exchanged(text, {("york", "city")}, "rome") is None


@pytest.mark.parametrize("phrase", [("paris",), ("salt", "lake", "city"), ("fly",), ("today",), ("lake",)])
def test_an_exchange_is_what_the_rules_with_the_phrase_in_their_class_give(phrase: tuple[str, ...]) -> None:
    system, examples = system_of(), [*trips(), trip("to", "rome"), Example("fly to fly", None, "train", ())]
    grown = system_of(RULES.replace("| new york", f"| new york | {' '.join(phrase)}"))
    bench, other = bench_of(system, examples), bench_of(grown, examples)
    fewer = bench.errors_fewer([Exchange(text, (phrase,), "rome") for text in range(len(examples))])
    assert fewer == [before - now for before, now in zip(bench.errors, other.errors, strict=True)]


def test_values_come_into_the_class_that_they_correct_whole_and_not_in_parts() -> None:
    system = system_of()
    bench = bench_of(system, trips())
    classes = open_classes(system.ruleset, lowercase=True)
    assert [(one.name, one.slots) for one in classes] == [
        ("town", frozenset({"to", "from"})),
        ("food", frozenset({"food"})),
    ]
    found = values_by_class(tried_values(bench, classes, lambda *_: None, Stop()), range(len(bench.texts)))
    assert found == {"town": {tuple(town.split()): 6 for town in TOWNS}}


def test_a_class_that_is_defined_twice_stays_as_it_is() -> None:
    system = system_of(f"{RULES}@town@=( bonn | metz | lyon )\nnear := $* near [ @town@ ]<to> $*\n")
    assert [one.name for one in open_classes(system.ruleset, lowercase=True)] == ["food"]


def test_classes_that_were_looked_at_in_time_are_extended(monkeypatch: pytest.MonkeyPatch) -> None:
    without_like_words(monkeypatch)
    done: list[int] = []
    corpus = Corpus((*trips(), *trips("dev")))

    def found(asked: int) -> ExtendedRules:
        done.clear()
        stop = Stop(lambda: len(done) >= asked)
        return with_extended_classes(corpus, system_of(), on_progress=lambda step, _: done.append(step), stop=stop)

    assert found(3).gains == {"to": 30, "from": 30}  # the second class, of food, is not looked at
    assert not found(1).steps
    assert not found(0).steps
    assert done == []


def test_values_of_texts_extend_a_class_in_every_rule_that_makes_fewer_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    without_like_words(monkeypatch)
    done: list[tuple[int, int]] = []
    corpus = Corpus((*trips(), *trips("dev")))
    found = with_extended_classes(corpus, system_of(), on_progress=lambda *told: done.append(told))
    assert done == [(50, 100), (50, 100), (75, 100), (100, 100)]  # the values, and two classes
    assert found.gains == {"to": 30, "from": 30}
    lines = found.rules_text.splitlines()
    defined = [line for line in lines if line.startswith("@town.")]
    assert defined == [
        "@town.cairo_5@=( cairo | graz | paris | quito | salt lake city )"
        "    // 5 phrases; strongest: cairo, graz, paris; from annotated texts"
    ]
    assert 'to := $* to [ @town@ | @town.cairo_5@ ]<to> $*  // "to Rome"' in lines
    assert "from := $* from [ @town@ | @town.cairo_5@ ]<from> $*" in lines
    assert lines[:2] == RULES.splitlines()[:2]
    assert "eat := $* eat [ @food@ ]<food> $*" in lines
    assert found.steps["to"] == "also matches 5 values of annotated texts where it matches @town@ (30 errors fewer)"
    after = system_of(found.rules_text)
    assert after.spans(["then fly to salt lake city"])[0] == (Span(12, 26, "to"),)


def test_a_class_that_a_rule_only_leaves_out_stays_there_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    without_like_words(monkeypatch)
    rules = RULES.replace(" | new york", "").replace(
        "$* eat [ @food@ ]<food> $*", "[^ @town@ ]* eat [ @food@ ]<food> $*"
    )
    meals = [Example(f"eat {food} now", None, "train", (Span(4, 7, "food"),)) for food in ("egg", "pie") * 6]
    found = with_extended_classes(Corpus((*trips(), *meals)), system_of(rules))
    assert found.steps["eat"] == "also matches 2 values of annotated texts where it matches @food@ (12 errors fewer)"
    assert "eat := [^ @town@ ]* eat [ @food@ | @food.egg_2@ ]<food> $*" in found.rules_text


def test_values_that_no_other_text_confirms_stay_out(monkeypatch: pytest.MonkeyPatch) -> None:
    without_like_words(monkeypatch)
    towns = ("paris", "cairo", "quito", "lyon", "graz", "bonn", "metz", "turin", "genoa", "kyoto", "osaka", "lagos")
    found = with_extended_classes(Corpus(tuple(trip("to", town) for town in towns)), system_of())
    assert (found.rules_text, found.steps) == (RULES, {})


def test_values_that_do_more_harm_elsewhere_stay_out(monkeypatch: pytest.MonkeyPatch) -> None:
    without_like_words(monkeypatch)
    against = [Example(f"i go to {town} gladly", None, "train", ()) for town in TOWNS for _ in range(4)]
    found = with_extended_classes(Corpus((*trips(), *against)), system_of())
    assert "to" not in found.steps


def test_test_texts_take_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    without_like_words(monkeypatch)
    found = with_extended_classes(Corpus(tuple(trips("test"))), system_of())
    assert (found.rules_text, found.steps) == (RULES, {})


def test_no_more_words_come_in_than_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    without_like_words(monkeypatch)
    corpus = Corpus((*trips(), *trips("dev")))
    assert with_extended_classes(corpus, system_of(), most_words=5).steps
    assert not with_extended_classes(corpus, system_of(), most_words=4).steps


def near(words: Sequence[str], rows: Sequence[Sequence[float]]) -> NearWords:
    table = np.array(rows, dtype=np.float32)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    return NearWords(KnownVectors(tuple(words), table, "made up"), {})


def test_like_words_are_near_to_several_members() -> None:
    towns = [f"town{number}" for number in range(6)]
    rows = [[1.0, 0.1 * number, 0.0] for number in range(6)]
    words = [*towns, "bristol", "refund", "7", "!"]
    (found,) = like_members(
        towns, near(words, [*rows, [1.0, 0.2, 0.1], [0.0, 0.1, 1.0], [1.0, 0.2, 0.0], [1, 0.2, 0]]), [30]
    )
    assert found.words == ("bristol",)
    assert set(found.typical) < set(towns)
    assert 0.9 < found.nearness <= 1
    assert like_members(towns[:4], near(words, [*rows, *rows[:4]]), [30]) == []


def test_like_words_come_in_where_held_out_texts_gain_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each town stands in one text, so that values of other texts correct none; their vectors are alike."""
    towns = [f"town{number}" for number in range(40)]
    known = ["rome", "oslo", *towns, "bristol", "fly", "please", "today", "to"]
    alike = [[1.0, 0.01 * place, 0.0] for place in range(43)]
    vectors = near(known, [*alike, *([0.0, 0.1 * place, 1.0] for place in range(4))])
    monkeypatch.setattr(extended_rules, "near_words", lambda *_, **__: vectors)
    found = with_extended_classes(Corpus(tuple(trip("to", town) for town in towns)), system_of())
    typical = found.steps["to"].partition(" like ")[2].partition(", 1 of")[0]
    assert found.steps["to"] == (
        f"also matches 40 values of annotated texts and 1 word like {typical}, 1 of them in no annotated dev or train "
        "text (all: @town.like.town39_1@) where it matches @town@ (40 errors fewer)"
    )
    assert f"// 1 word like {typical}, 1 of them in no annotated dev or train text, by word vectors" in found.rules_text
    assert system_of(found.rules_text).spans(["then fly to bristol"])[0] == (Span(12, 19, "to"),)
    far = replace(vectors, known=replace(vectors.known, rows=np.eye(len(known), dtype=np.float32)))
    monkeypatch.setattr(extended_rules, "near_words", lambda *_, **__: far)
    assert not with_extended_classes(Corpus(tuple(trip("to", town) for town in towns)), system_of()).steps
