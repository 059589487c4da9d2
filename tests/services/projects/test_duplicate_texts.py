"""Texts that come twice in what is imported: counted without keeping them, as the notes of a page count them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from re2nn_core.exchange.corpora import repeat_notes
from re2nn_core.services.projects.duplicate_texts import DuplicateCounter, Duplicates
from re2nn_core.text.corpus import Example
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import Span

EXAMPLES = st.builds(
    Example, st.sampled_from("abc"), st.sampled_from(["x", "y", None]), st.sampled_from(["train", "test", None])
)


def found(examples: list[Example], task: str = "classification") -> Duplicates:
    repeats = DuplicateCounter(task)
    for example in examples:
        repeats.take(example)
    return repeats.found()


@given(st.lists(EXAMPLES, max_size=8))
def test_they_are_counted_as_notes_count_them(examples: list[Example]) -> None:
    reported = found(examples)
    notes = "\n".join(repeat_notes(examples))
    for count, what in (
        (reported.texts, "more than once"),
        (reported.differing, "with different labels"),
        (reported.leaked, "in the test split and in another one"),
    ):
        assert (f"{counted(count, 'text')} found {what}" in notes) == bool(count)
        assert (f"found {what}" in notes) == bool(count)
    if reported.first is not None:
        first = examples[reported.first]
        assert first.label is not None
        assert len({one.label for one in examples if one.text == first.text} - {None}) == 2


def test_they_are_told_in_a_sentence() -> None:
    examples = [Example("hello", "good"), Example("a", "good"), Example("hello", "bad"), Example("a", None, "test")]
    assert found(examples).in_words("classification", "hello") == (
        "2 texts came more than once, 1 of them with different labels (the first is 'hello'), 1 of them in the test "
        "split and in another one. Look at them: nothing was left out for it."
    )
    assert found(examples[:2]).in_words("classification") == ""
    twice = [Example("a b", spans=(Span(0, 1, "x"),)), Example("a b", spans=())]
    assert found(twice, "slots").in_words("slots") == (
        "1 text came more than once, with different spans. Look at them: nothing was left out for it."
    )
