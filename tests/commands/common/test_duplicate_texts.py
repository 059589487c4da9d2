"""Duplicates among the texts of a training are said, and labels of theirs that differ."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from support.command_line import Call
from support.networks.explained import as_trained

from re2nn_core.commands._common.duplicate_texts import TextLines, distinct_texts, report_duplicates
from re2nn_core.network.classification.bundle import save_bundle
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span

UNLIKE = "of which a prediction matches one alone:"


def reported(capsys: pytest.CaptureFixture[str], *texts: tuple[str, str | None]) -> str:
    report_duplicates(Corpus(tuple(Example(text, label) for text, label in texts)), TextLines())
    return capsys.readouterr().err


def test_many_duplicates_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    message = reported(capsys, ("a b", "x"), ("A  b", "x"), ("c", "y"), ("a b", None))
    assert "1 of 3 labelled texts are duplicates, so figures are higher and surer than on new texts." in message
    assert "Leave duplicates out to measure new texts." in message


def test_duplicates_with_different_labels_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    message = reported(capsys, ("a b", "x"), ("a b", "y"))
    assert "1 text with different labels: training uses them all. Correct the labels:\n  'a b' is x, y\n" in message


def test_texts_with_different_labels_are_told_with_their_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = TextLines()
    train = Corpus((Example("a  b", "x"), Example("c", "x"), Example("A b", "y")))
    corpus = lines.corpus_of(tmp_path / "train.tsv", SimpleNamespace(corpus=train, lines=(2, 3, 9)))
    report_duplicates(corpus, lines)
    assert "  'a  b' is x, y (train.tsv:2, train.tsv:9)\n" in capsys.readouterr().err
    both = Corpus((Example("c", "x"), Example("c", "y")))
    distinct_texts(lines.corpus_of(tmp_path / "dev.tsv", SimpleNamespace(corpus=both, lines=(1, 2))), lines)
    assert capsys.readouterr().err.endswith("  'c' is x, y (train.tsv:3, dev.tsv:1, dev.tsv:2)\n")


def test_few_duplicates_are_not_worth_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [(f"text {number}", "x") for number in range(20)]
    assert reported(capsys, *texts, ("text 1", "x")) == ""


def test_a_text_of_a_split_counts_once_for_each_label(capsys: pytest.CaptureFixture[str]) -> None:
    kept = [
        Example("a", "x", "dev"),
        Example("a", "x", "test"),
        Example("b", None, "train"),
        Example("c", "x", "train"),
        Example("c", "y", "train"),
    ]
    given = [*kept, kept[0], kept[2], kept[2]]
    assert distinct_texts(Corpus(tuple(given)), TextLines()).examples == tuple(kept)
    told = capsys.readouterr().err.splitlines()
    assert told[0].endswith("3 rows repeat a text with the same label; each text counts once.")
    assert told[1].endswith(f"1 text with different labels, {UNLIKE}")
    assert told[2:] == ["  'c' is x, y"]


def test_nothing_is_said_of_texts_that_differ(capsys: pytest.CaptureFixture[str]) -> None:
    texts = Corpus((Example("a", "x"), Example("b", "x"), Example("a", None)))
    assert distinct_texts(texts, TextLines()) == texts
    assert capsys.readouterr().err == ""


def test_spans_are_compared_as_a_whole(capsys: pytest.CaptureFixture[str]) -> None:
    spans = Span(0, 1, "s"), Span(2, 3, "s")
    texts = [Example("a b", spans=spans), Example("a b", spans=spans[:1]), Example("c d", spans=())]
    assert distinct_texts(Corpus((*texts, texts[0])), TextLines()).examples == tuple(texts)
    told = capsys.readouterr().err.splitlines()
    assert told[0].endswith("1 row repeats a text with the same spans; each text counts once.")
    assert told[1].endswith(f"1 text with different sets of spans, {UNLIKE}")
    assert told[2:] == ["  'a b'"]


@pytest.mark.parametrize(
    ("every", "shown", "last"), [(False, 10, "  and 2 more such texts; "), (True, 12, "  't11' is")]
)
def test_the_first_ones_are_named_or_all(
    capsys: pytest.CaptureFixture[str], every: bool, shown: int, last: str
) -> None:
    texts = tuple(Example(f"t{number:02}", label) for number in range(12) for label in "xy")
    distinct_texts(Corpus(texts), TextLines(), every=every)
    head, *rows = capsys.readouterr().err.splitlines()
    assert "12 texts with different labels" in head
    assert (sum(" is " in row for row in rows), rows[-1].startswith(last)) == (shown, True)


@pytest.mark.parametrize("options", [[], ["--from-predictions"]], ids=["weights", "predictions"])
def test_figures_of_a_reconstruction_are_of_distinct_texts(re2nn: Call, tmp_path: Path, options: list[str]) -> None:
    save_bundle(tmp_path / "model", as_trained())
    rows = ["label\ttext\tsplit", "travel\ta flight to oslo\tdev", "money\thow much is it\tdev", "money\ta fare\ttrain"]
    found = []
    for name, lines in (("once", rows), ("twice", [*rows, rows[1], rows[1]])):
        path = tmp_path / f"{name}.tsv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        outcome = re2nn(
            *("reconstruct", "--model", tmp_path / "model", *options, "--data", path),
            *("-o", tmp_path / "new.txt", "--overwrite", "--json"),
        )
        assert outcome.code == 0, outcome.err
        assert ("2 rows repeat a text with the same label; each text counts once." in outcome.err) == (name == "twice")
        found.append(outcome.data["splits"]["dev"])
    assert found[0] == found[1]
