"""Lines that a person wrote down by hand: numbered, below headings, with a label below each text, or as Python's
tuples."""

from __future__ import annotations

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus

LABELS = ("refund", "parcel", "login")
TEXTS = tuple(f"the {('money', 'box', 'app')[n % 3]} of order {n} is {('gone', 'late')[n % 2]}" for n in range(30))
LABELLED = [(text, LABELS[n % 3]) for n, text in enumerate(TEXTS)]


def under(heading: str) -> str:
    """The texts of each label below a heading, which holds NAME."""
    parts = (
        heading.replace("NAME", label) + "\n" + "\n".join(text for text, own in LABELLED if own == label)
        for label in LABELS
    )
    return "\n\n".join(parts)


ASKED = {
    "numbers": ("\n".join(f"{n}. {text}" for n, text in enumerate(TEXTS, 1)), "begin with a number"),
    "quotes": ("\n".join(f'"{text}"' for text in TEXTS), "30 of 30 lines are in quotes, such as "),
    "quotes and commas": ("\n".join(f'"{text}",' for text in TEXTS), "30 of 30 lines are in quotes, such as "),
    "other quotes": ("\n".join(f"„{text}“" for text in TEXTS), "30 of 30 lines are in quotes, such as "),
    "bullets": ("\n".join(f"- {text}" for text in TEXTS), "begin with a bullet"),
    "headings of a wiki": (under("== NAME =="), "3 lines look like headings ('== refund ==', "),
    "headings of Markdown": (under("# NAME"), "3 lines look like headings ('# refund', "),
    "headings with a colon": (under("NAME:"), "3 lines look like headings ('refund:', "),
    "labels below": ("\n".join(f"{text}\n{label}\n" for text, label in LABELLED), "the labels of the lines above"),
    "labels above": ("\n".join(f"{label}\n{text}" for text, label in LABELLED), "the labels of the lines below"),
}

QUOTED = [f'"{text}"' for text in TEXTS]
PROGRAMS = {
    "Python": "texts = [\n" + "".join(f"    {text},\n" for text in QUOTED) + "]\n",
    "types": "texts: list[str] = [\n" + "".join(f"    {text!r},\n" for text in TEXTS) + "]\n",
    "JavaScript": "const texts = [\n" + "".join(f"  '{text}',\n" for text in TEXTS) + "];\n",
    "R": "x <- c(\n" + ",\n".join(QUOTED) + ")\n",
    "dictionary": "DATA = {\n" + "".join(f'  "{text}": "{label}",\n' for text, label in LABELLED) + "}\n",
    "spaCy": "TRAIN = [\n" + "".join(f'  ({text}, {{"entities": [(4, 7, "x")]}}),\n' for text in QUOTED) + "]\n",
    "one line": f"texts = [{', '.join(QUOTED)}]\nlabels = [{', '.join(map(repr, LABELS))}]\n",
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_lists_in_programs_are_refused_by_name(case: str) -> None:
    """Each line became a text, brackets too."""
    with pytest.raises(DataFileError, match="looks like a list of texts in a program.* one a line without quotes"):
        read_corpus(PROGRAMS[case].encode(), "texts.txt")


@pytest.mark.parametrize("case", ASKED)
def test_what_lines_hold_besides_texts_is_reported(case: str) -> None:
    text, expected = ASKED[case]
    assert any(expected in note for note in read_corpus(text.encode(), "lines.txt").notes)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(TEXTS),
        "\n".join(f'"{text}" was "{n}"' for n, text in enumerate(TEXTS)),
        "# my texts\n# second version\n" + "\n".join(TEXTS),
        "\n".join(f"{7 * n % 5} of {text}" for n, text in enumerate(TEXTS)),
        "\n".join(f"{('Ann', 'Bob')[n % 2]}: {text}" for n, text in enumerate(TEXTS)),
    ],
)
def test_other_lines_get_no_such_note(text: str) -> None:
    notes = read_corpus(text.encode(), "lines.txt").notes
    assert not any(
        word in note for note in notes for word in ("headings", "begin with a ", "Every second line", "in quotes")
    )


def test_comments_above_rows_with_tabs_leave_them_a_table() -> None:
    rows = "".join(f"{text}\t{label}\n" for text, label in LABELLED)
    read = read_corpus(f"# my texts\n# second version\n{rows}".encode(), "rows.txt")
    assert [(example.text, example.label) for example in read.corpus] == LABELLED


@pytest.mark.parametrize("begin", ["", "[\n"])
def test_tuples_of_python_are_refused(begin: str) -> None:
    rows = "".join(f'    ("{text}", "{label}"),\n' for text, label in LABELLED)
    with pytest.raises(DataFileError, match="tuples as Python prints them"):
        read_corpus(f"{begin}{rows}".encode(), "pairs.txt")


def test_labels_on_lines_between_words_with_tags_are_refused() -> None:
    text = "".join(f"fly\tO\nto\tO\nKiel{n}\tB-city\nBookFlight\n\n" for n in range(12))
    with pytest.raises(DataFileError, match="Leave the lines with labels out"):
        read_corpus(text.encode(), "joint.txt")


def test_a_column_for_each_label_is_asked_about_where_labels_have_few_texts() -> None:
    rows = "".join(f"{text},{'' if n % 4 else text + ' now'},{'' if n % 9 else text}\n" for n, text in enumerate(TEXTS))
    read = read_corpus(f"refund,parcel,login\n{rows}".encode(), "columns.csv")
    assert read.columns is not None
    assert any("All 3 columns hold texts" in remark for remark in read.columns.remarks)
