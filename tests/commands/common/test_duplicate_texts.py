"""Duplicates among the texts of a training are said, and labels of theirs that differ."""

from __future__ import annotations

import pytest

from re2nn_core.commands._common.duplicate_texts import report_duplicates
from re2nn_core.text.corpus import Corpus, Example


def reported(capsys: pytest.CaptureFixture[str], *texts: tuple[str, str | None]) -> str:
    report_duplicates(Corpus(tuple(Example(text, label) for text, label in texts)))
    return capsys.readouterr().err


def test_many_duplicates_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    message = reported(capsys, ("a b", "x"), ("A  b", "x"), ("c", "y"), ("a b", None))
    assert "1 of 3 labelled texts are duplicates, so figures are higher and surer than on new texts." in message
    assert "Leave duplicates out to measure new texts." in message


def test_duplicates_with_different_labels_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    message = reported(capsys, ("a b", "x"), ("a b", "y"))
    assert "1 text with different labels, such as 'a b' (x and y): training uses them all" in message
    assert "Correct the labels." in message


def test_few_duplicates_are_not_worth_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [(f"text {number}", "x") for number in range(20)]
    assert reported(capsys, *texts, ("text 1", "x")) == ""
