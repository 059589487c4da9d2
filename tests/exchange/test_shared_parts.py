"""What nearly all texts begin or end with is named, and so is a label that stands inside its own text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.shared_parts import shared_notes
from re2nn_core.text.corpus import Example

LABELS = ["late", "lost", "paid", "wrong"]
TEXTS = [f"{first} parcel number {n} {last}" for n, (first, last) in enumerate([("my", "now"), ("where is", "?")] * 10)]
KEPT = "It was kept: remove it in the file where it is no part of what was written."


def _notes(written: Callable[[str, str], str], label: Callable[[str], str] = str) -> tuple[str, ...]:
    pairs = [(text, LABELS[n % 4]) for n, text in enumerate(TEXTS)]
    return shared_notes(Example(written(text, kind), label(kind)) for text, kind in pairs)


@pytest.mark.parametrize("part", ["### ", "[CLS] ", "Review: ", "sst2 sentence: ", "this text is about "])
def test_what_all_texts_begin_with(part: str) -> None:
    assert _notes(lambda text, _: part + text) == (f"20 of 20 different texts begin with {part!r}. {KEPT}",)


@pytest.mark.parametrize("part", [" END", "<|endoftext|>", "\n\nSent from my phone"])
def test_what_all_texts_end_with(part: str) -> None:
    assert _notes(lambda text, _: text + part) == (f"20 of 20 different texts end with {part!r}. {KEPT}",)


@pytest.mark.parametrize(("before", "behind"), [("", ""), ("", "?"), ("", "."), ("", "!!!"), ("what ", " please")])
def test_marks_and_words_of_sentences_are_not_named(before: str, behind: str) -> None:
    assert _notes(lambda text, _: before + text + behind) == ()


def test_an_ending_of_four_texts_in_five_is_named() -> None:
    texts = [text + (" -- sent by app" if n % 5 else "") for n, text in enumerate(TEXTS)]
    (note,) = shared_notes(map(Example, texts))
    assert note == f"16 of 20 different texts end with ' -- sent by app'. {KEPT}"


def test_an_ending_of_all_labels_is_named() -> None:
    assert _notes(lambda text, _: text, lambda kind: f"{kind} END") == (f"All 4 labels end with 'END'. {KEPT}",)
    assert _notes(lambda text, _: text, lambda kind: f"{kind} parcel") == ()


@pytest.mark.parametrize(
    ("written", "where"),
    [
        (lambda text, kind: f"{kind}: {text}", "begin"),
        (lambda text, kind: f"[{kind.upper()}] {text}", "begin"),
        (lambda text, kind: f"{text} #{kind}", "end"),
    ],
)
def test_a_label_at_a_border_of_its_text_is_named(written: Callable[[str, str], str], where: str) -> None:
    (note,) = _notes(written)
    assert note.startswith(f"20 of 20 texts with a label {where} with it, such as {written(TEXTS[0], 'late')!r}")
    assert "A model would learn the label from there" in note


def test_a_label_behind_a_sign_in_texts_without_labels_is_named() -> None:
    rows = "".join(f'{{"text": "{text} -> {LABELS[n % 4]}"}}\n' for n, text in enumerate(TEXTS))
    (note,) = read_corpus(rows.encode(), "rows.jsonl").notes
    assert note.startswith("20 of 20 different texts have one of 4 values behind '->' at their end ('late', 'lost',")


def test_a_shared_beginning_and_end_are_one_note() -> None:
    both = "Both were kept: remove them in the file where they are no part of what was written."
    assert _notes(lambda text, _: f"[CLS] {text} [SEP]") == (
        f"20 of 20 different texts begin with '[CLS] ' and end with ' [SEP]'. {both}",
    )
    texts = ["[CLS] " + text + (" -- sent by app" if n % 5 else "") for n, text in enumerate(TEXTS)]
    assert shared_notes(map(Example, texts)) == (
        f"20 of 20 different texts begin with '[CLS] ' and 16 end with ' -- sent by app'. {both}",
    )
