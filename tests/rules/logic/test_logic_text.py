"""Texts put behind those of a list in a file of label logic: nothing else moves."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from re2nn_core.rules.logic.logic_text import with_items, with_other_item


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", 'first = [\n    "a -> b",\n]\n'),
        ('default = "x" # why\n\n', 'default = "x" # why\nfirst = [\n    "a -> b",\n]\n'),
        ('first = ["c -> d"] # a note\n', 'first = ["c -> d", "a -> b"] # a note\n'),
        ("first = []\n", 'first = ["a -> b"]\n'),
        ("first = ['c ] -> d',]\ndefault = 'x'", "first = ['c ] -> d', \"a -> b\"]\ndefault = 'x'"),
        (
            'first = [\n    "c -> d",   # ] of old\n    "e -> f"    # last\n]\nlogic = []\n',
            'first = [\n    "c -> d",   # ] of old\n    "e -> f",    # last\n    "a -> b",\n]\nlogic = []\n',
        ),
        ("first = [\n]\n", 'first = [\n    "a -> b",\n]\n'),
        ('# first = ["no"]\n"first" = ["c"]\n', '# first = ["no"]\n"first" = ["c", "a -> b"]\n'),
    ],
)
def test_a_text_is_put_behind_the_others(text, after):
    assert with_items(text, "first", ["a -> b"]) == after


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=5), max_size=4),
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=5), min_size=1, max_size=3),
)
def test_lists_are_put_together(before, more):
    text = with_items(with_items("", "first", before), "first", more)
    assert tomllib.loads(text) == {"first": [*before, *more]}


def test_a_list_written_in_an_unknown_way_is_written_anew():
    text = 'default = "x"\nfirst = ["""c\n]\n"""]'
    assert tomllib.loads(with_items(text, "first", ["a"])) == {"default": "x", "first": ["c\n]\n", "a"]}


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('first = [ "a -> b", # why\n]', 'first = [ "a | c -> b", # why\n]'),
        ("first = ['a -> b']", 'first = ["a | c -> b"]'),
        ('first = ["\\u0061 -> b"]', 'first = [\n    "a | c -> b",\n]\n'),
    ],
)
def test_a_text_takes_the_place_of_another(text, after):
    assert with_other_item(text, "first", "a -> b", "a | c -> b") == after
