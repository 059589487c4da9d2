"""What is reported of learned edges, and the file of weights."""

from __future__ import annotations

import json

import numpy as np

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.reconstruction.classification.weights_file import weight_lines
from re2nn_core.reconstruction.weights.class_names import class_words_by_weights, strongest_words
from re2nn_core.reconstruction.weights.edges import moved_edges
from re2nn_core.reconstruction.weights.thresholded_arcs import thresholded
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.reconstruction.weights.word_set_description import WordSets
from re2nn_core.rules.parser import parse_expression
from re2nn_core.text.vocabulary import build_vocabulary

WORDS = [f"w{number:02}" for number in range(12)]
VOCABULARY = build_vocabulary([["go", *WORDS, "7"]])


def machine(weights: dict[str, float], *, unknown: float = 0.0) -> WeightedMachine:
    """Two states, one arc."""
    arcs = np.zeros((len(VOCABULARY), 2, 2), dtype=np.float32)
    arcs[:3, 0, 1] = unknown
    for word, weight in weights.items():
        arcs[VOCABULARY.index[word], 0, 1] = weight
    start, final = np.asarray([1, 0], dtype=np.float32), np.asarray([0, 1], dtype=np.float32)
    return WeightedMachine("go", VOCABULARY, arcs, start, final)


def moved(weighted: WeightedMachine):
    written = pseudo_dfa(parse_expression("go"))
    return moved_edges(written, thresholded(weighted, 0.5), weighted, 0.5, lambda words: f"{len(words)} words")


def test_a_kept_edge_is_not_told():
    assert moved(machine({"go": 1.0})).learned == ()


def test_a_long_set_is_named_by_its_size_and_its_strongest_words():
    weights = {word: 0.6 + number / 100 for number, word in enumerate(WORDS)}
    found = moved(machine({"go": 0.2, **weights}))
    (edge,) = found.learned
    assert (found.edges, found.words) == (1, 13)
    assert (edge.name, edge.came, edge.went) == ("$12", 12, 1)
    assert edge.strongest[:2] == ("w11", "w10")
    assert edge.weights[0] == 0.71
    assert edge.description == "12 words"


def test_all_words_but_one_are_written_as_an_exception():
    weights = {word: 0.9 for word in WORDS if word != "w03"}
    (edge,) = moved(machine({"go": 1.0, "7": 0.8, **weights, "w03": 0.1}, unknown=0.7)).learned
    assert edge.name == "[^ w03 ]"
    assert edge.exceptions == ()


def test_an_edge_that_is_gone_has_no_name():
    (edge,) = moved(machine({"go": 0.1})).learned
    assert (edge.name, edge.came, edge.went) == ("", 0, 1)


def test_sets_are_described_by_kind_share_and_neighbours():
    vocabulary = build_vocabulary([["7", "8", "9", "city", "town", "far"]])
    vectors = np.zeros((len(vocabulary), 2), dtype=np.float32)
    for word, vector in {"city": (1, 0.1), "town": (1, 0), "far": (-1, 0)}.items():
        vectors[vocabulary.index[word]] = vector
    sets = WordSets(vocabulary, vectors, {"7": 30, "8": 30, "9": 20, "city": 10, "town": 5, "far": 5})
    assert sets.describe(["7", "8", "9"]).startswith("mostly numbers; 80.0% of all words read")
    assert sets.describe(["city", "town", "far"]) == "rare words, 20.0% of all words read; like: city, town"


def test_the_weights_stand_beside_the_rules():
    lines = [json.loads(line) for line in weight_lines([machine({"go": 0.8, "w01": 0.01})], {"go": 0.5})]
    assert lines[0] == {"machine": "go", "states": 2, "start": [1.0, 0.0], "final": [0.0, 1.0], "threshold": 0.5}
    assert lines[1] == {"machine": "go", "from": 0, "to": 1, "other": [0.0, 0.0, 0.0], "words": {"go": 0.8}}
    assert len(lines) == 2


def test_a_long_set_has_the_name_of_its_class_in_the_rule():
    weighted = machine({"go": 0.2, **dict.fromkeys(WORDS, 0.9)})
    written, names = pseudo_dfa(parse_expression("go")), {frozenset(WORDS): "go.w00_12"}
    found = moved_edges(written, thresholded(weighted, 0.5), weighted, 0.5, lambda _: "", names)
    assert [edge.name for edge in found.learned] == ["@go.w00_12@"]


def test_a_class_is_told_by_the_arc_of_its_words():
    weighted = machine({"go": 0.2, **{word: 0.6 + number / 100 for number, word in enumerate(WORDS)}})
    describe_words = class_words_by_weights(
        strongest_words(weighted), thresholded(weighted, 0.5), lambda words: f"{len(words)} words"
    )
    reported = describe_words(frozenset(WORDS[:10]))
    assert (reported.strongest[:2], len(reported.strongest), reported.description) == (("w09", "w08"), 10, "10 words")
