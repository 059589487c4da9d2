"""Labels on the line of their text: behind a semicolon or a bar, in a .txt with a header, behind fastText's mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts

ROWS = [("how much, please", "fare"), ("from kiel", "trip"), ("to oslo; now", "trip"), ("is it far", "fare")]


def pairs(read: CorpusRead) -> list[tuple[str, str | None]]:
    return [(example.text, example.label) for example in read.corpus]


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{text}|{label}\n" for text, label in ROWS),
        "".join(f"{label}|{text}\n" for text, label in ROWS),
        "text|label\n" + "".join(f"{text}|{label}\n" for text, label in ROWS),
        "".join(f"__label__{label} {text}\n" for text, label in ROWS),
        "".join(
            f"{text} __label__{label}\n" if text[0] == "f" else f"__label__{label} {text}\n" for text, label in ROWS
        ),
        "text,label\n" + "".join(f'"{text}",{label}\n' for text, label in ROWS),
        "Text\tLabel\n" + "".join(f"{text}\t{label}\n" for text, label in ROWS),
    ],
)
@pytest.mark.parametrize("name", ["texts.txt", "texts"])
def test_label_and_text_are_read_apart(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = "kiel __label__" in text
    if mixed:  # nearly all lines begin with the mark
        text += "__label__fare x\n" * 9
    read = read_corpus(text.encode(), name)
    assert pairs(read)[:4] == ROWS
    assert read.bad_rows == ()
    assert not any("plain lines" in note for note in read.notes)
    path = tmp_path / name
    path.write_text(text)
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 30)
    found = [(e.text, e.label) for part in label_parts(path, name, FileReading()) for e in part.examples]
    assert found == pairs(read)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("late parcel|d\nok | fine|p\nlost it|d\n", [("late parcel", "d"), ("ok | fine", "p"), ("lost it", "d")]),
        ("d|late parcel\np|ok | fine\nd|lost it\n", [("late parcel", "d"), ("ok | fine", "p"), ("lost it", "d")]),
        ("no; never;x\nfine;y\na; b; c;x\n", [("no; never", "x"), ("fine", "y"), ("a; b; c", "x")]),
    ],
)
def test_the_sign_may_be_in_the_text_too(
    text: str, expected: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_corpus(text.encode(), "texts.txt")
    assert (pairs(read), read.bad_rows) == (expected, ())
    assert any("Cells are separated by" in note and "with the label" in note for note in read.notes)
    path = tmp_path / "texts.txt"
    path.write_text(text)
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 20)
    found = [(e.text, e.label) for part in label_parts(path, path.name, FileReading()) for e in part.examples]
    assert found == expected


QUESTIONS = [f"where is number {n}, please: {n * 7}" for n in range(30)]


@pytest.mark.parametrize(
    ("line", "labels", "said"),
    [
        ("{text},{label}", ["late fee", "lost"], "',', with the label behind the last one"),
        ("{label}: {text}", ["fee", "lost", "late"], "':', with the label before the first one"),
        ("{label} {text}", ["LOC:city", "NUM:date", "LOC:other"], "' ', with the label before the first one"),
        ("{label} {text}", ["0", "1"], "' ', with the label before the first one"),
        ("{label} {text}", ["DESC", "ABBR"], "' ', with the label before the first one"),
    ],
)
def test_signs_of_many_texts_part_labels_that_are_few(line: str, labels: list[str], said: str) -> None:
    given = [(text, labels[n % len(labels)]) for n, text in enumerate(QUESTIONS)]
    data = "".join(line.format(text=text, label=label) + "\n" for text, label in given)
    read = read_corpus(data.encode(), "texts.txt")
    assert [(text.strip(), label) for text, label in pairs(read)] == given
    assert f"Cells are separated by {said}." in read.notes
    few = "".join(data.splitlines(keepends=True)[:19])
    assert [e.text for e in read_corpus(few.encode(), "texts.txt").corpus] == few.splitlines()


@pytest.mark.parametrize(
    "line",
    [
        "well, it is {n}",
        "{n}: how so",
        "{n} tickets",
        "note {n}: it is late",
        "LOC{n} is far",
        "I think, {n} is right",
        "2024-01-02 10:00:{n} INFO started",
        "10:{n} what is it",
    ],
)
def test_signs_of_texts_part_no_labels(line: str) -> None:
    lines = [line.format(n=n) for n in range(40)]
    assert [e.text for e in read_corpus("\n".join(lines).encode(), "texts.txt").corpus] == lines


@pytest.mark.parametrize(
    "text",
    [
        "come in; sit down\nwell; I think so\nno; never\n",  # no label comes again
        "a;b\na;b\n",  # too few lines
        "one;x\ntwo;x\nthree\n",
        "he said it; and then he came back to me;\nx;\ny;\n",
        "hello, text\nlabel, text\n",
        "the __label__ of it\nx\n",
    ],
)
def test_signs_inside_texts_stay_there(text: str) -> None:
    assert [e.text for e in read_corpus(text.encode(), "texts.txt").corpus] == text.splitlines()


def test_tabs_go_before_other_signs() -> None:
    data = "".join(f"LOC where is it {n}\tx: {'ab'[n % 2]}\n" for n in range(30))
    assert pairs(read_corpus(data.encode(), "texts.txt"))[0] == ("LOC where is it 0", "x: a")


def test_semicolons_are_told_and_cells_of_three_make_a_table() -> None:
    read = read_corpus(b"i feel low;sad\nall is well;glad\nlow again;sad\n", "texts.txt")
    assert pairs(read) == [("i feel low", "sad"), ("all is well", "glad"), ("low again", "sad")]
    assert read.notes[0] == "Cells are separated by ';'."
    assert "The lines look like" not in " ".join(read.notes)
    three = read_corpus(b"id;text;label\n1;how much;fare\n2;to oslo;trip\n3;from kiel;trip\n", "texts.txt")
    assert pairs(three) == [("how much", "fare"), ("to oslo", "trip"), ("from kiel", "trip")]


def test_several_labels_of_fasttext_are_refused_and_lines_without_one_kept() -> None:
    data = b"__label__a x\n" * 18 + b"__label__a __label__b y\nno label\n"
    read = read_corpus(data, "train.txt")
    assert [str(bad) for bad in read.bad_rows] == [
        "line 19: has 2 labels, __label__a, __label__b; a text has one label here: keep one of them, or make a "
        "project for each label"
    ]
    assert pairs(read)[-1] == ("no label", None)
    assert "Read as lines of fastText: a label behind __label__, and a text." in read.notes


def test_labels_of_fasttext_stand_behind_texts_too_and_half_of_the_lines_are_enough() -> None:
    behind = read_corpus(b"i love this __label__pos\nawful thing __label__neg\nbad bad __label__neg\n", "train.txt")
    assert pairs(behind) == [("i love this", "pos"), ("awful thing", "neg"), ("bad bad", "neg")]
    some = read_corpus(b"__label__pos i love this\nno label here\n__label__neg bad, bad\nnor here\n", "train.txt")
    assert pairs(some) == [("i love this", "pos"), ("no label here", None), ("bad, bad", "neg"), ("nor here", None)]


@pytest.mark.parametrize(("line", "name"), [("{text} | {label}", "a.txt"), ("{label}: {text}", "a.txt")])
def test_blanks_next_to_a_sign_are_no_part_of_a_text(line: str, name: str) -> None:
    given = [(f"where is number {n}", "late" if n % 2 else "lost") for n in range(30)]
    data = "".join(line.format(text=text, label=label) + "\n" for text, label in given)
    assert pairs(read_corpus(data.encode(), name)) == given
