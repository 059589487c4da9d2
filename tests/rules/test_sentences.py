"""Sentences of rules as TOML, and spans written into a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from re2nn_core.errors import InputError
from re2nn_core.rules.marked_text import read_marked, write_marked
from re2nn_core.rules.sentences import (
    RuleSentences,
    Sentences,
    moved_to,
    read_sentences,
    sentences_of,
    with_sentence,
    without_sentence,
    write_sentences,
)
from re2nn_core.text.spans import Span

# One line without outer blanks; NUL and surrogates cannot be stored.
_LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).map(str.strip).filter(bool)
_NAMES = st.from_regex(r"[\w.+\-/]+", fullmatch=True)


def _table(name: str, lines: list[str]) -> RuleSentences:
    return RuleSentences(name, tuple(lines[::2]), tuple(lines[1::2]))


_RULES = st.builds(_table, _NAMES, st.lists(_LINES, min_size=1, max_size=5, unique=True))


@given(st.lists(_RULES, max_size=3, unique_by=lambda one: one.rule))
def test_what_is_written_reads_back(sentences: list[RuleSentences]) -> None:
    assert read_sentences(write_sentences(sentences)) == tuple(sentences)


def test_a_name_with_dots_may_stand_without_quotes() -> None:
    text = '[fare.1]\nmust = ["a"]\n[fare.2]\nmust_not = ["b"]\n'
    assert read_sentences(text) == (RuleSentences("fare.1", ("a",)), RuleSentences("fare.2", (), ("b",)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a\n", "s.toml cannot be read as TOML: "),
        ('must = ["a"]\n', "s.toml: must is not expected. Write [rule_name] and below it"),
        ('[a]\nmust = "b"\n', "s.toml: must of rule 'a' must be a list of sentences in quotes"),
        ("[a]\nmust_not = [1]\n", "s.toml: must_not of rule 'a' must be a list of sentences"),
        ('[a]\nmust = ["b", " "]\n', "s.toml: sentence 2 in must of rule 'a' is empty; write at least one word."),
        ('[a]\nmust = ["b\\nc"]\n', "s.toml: sentence 1 in must of rule 'a' has more than one line"),
        (f'[a]\nmust = ["{"b" * 2001}"]\n', "has 2,001 characters; at most 2,000 are kept."),
        ('[a]\nmust = ["b"]\nmust_not = ["b"]\n', "s.toml: rule 'a' must match “b” and must not."),
        ('[a]\nmusst = ["b"]\n', "s.toml: in [a] musst is not expected."),
    ],
)
def test_faults_say_where_and_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_sentences(text, "s.toml")
    assert message in str(raised.value)


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(InputError) as raised:
        read_sentences('x = 1\n[a]\nmust = 2\n[b]\nmust = [""]\n')
    assert len(str(raised.value).splitlines()) == 3


def test_sentences_are_added_taken_out_and_given_to_another_rule() -> None:
    none: Sentences = ()
    one = with_sentence(none, "a", "must", " go home ")
    two = with_sentence(one, "a", "must_not", "stay")
    assert two == (RuleSentences("a", ("go home",), ("stay",)),)
    assert sentences_of(two, "b") == RuleSentences("b")
    assert without_sentence(two, "a", "must", "go home") == (RuleSentences("a", (), ("stay",)),)
    assert without_sentence(one, "a", "must", "go home") == ()
    moved = moved_to(with_sentence(two, "b", "must", "stay"), "a", "b")
    assert moved == (RuleSentences("b", ("stay", "go home")),), "what b says of a sentence already is left as it is"
    with pytest.raises(InputError, match="Rule 'a' must not match “stay” already. Take that out first."):
        with_sentence(two, "a", "must", "stay")


def test_marks_are_read_and_written() -> None:
    assert read_marked("to [New York]<city> now") == ("to New York now", (Span(3, 11, "city"),))
    assert read_marked(r"a \[b]<c> [d] e\f") == ("a [b]<c> [d] e\\f", ())
    assert write_marked("see [1] to Oslo", [Span(11, 15, "city")]) == r"see \[1] to [Oslo]<city>"


@given(st.text(st.sampled_from("ab []<>\\c"), min_size=1), st.data())
def test_marked_text_reads_back(text: str, data: st.DataObject) -> None:
    borders = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = zip(borders[::2], borders[1::2], strict=False)
    spans = tuple(Span(start, end, "slot-1") for start, end in pairs)
    assert read_marked(write_marked(text, spans)) == (text, spans)
