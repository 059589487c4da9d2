"""Machines that read numbered texts accept what their positions accept."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.strategies import plain_trees

from re2nn_core.automata.determinize import exact_from_positions
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.reconstruction.classification.encoded_texts import number_texts

WORDS = st.sampled_from(["a", "b", "7", ",", "flight", "x"])


@given(st.lists(plain_trees(classes=False), min_size=1, max_size=3), st.lists(st.lists(WORDS, max_size=6), max_size=8))
@settings(max_examples=150, deadline=None)
def test_texts_are_read_as_positions_read_them(trees, sentences):
    texts = number_texts(sentences)
    for tree in trees:
        positions = build_positions(tree)
        found = texts.matched(exact_from_positions(positions))
        assert found.tolist() == [accepts(positions, sentence) for sentence in sentences]
