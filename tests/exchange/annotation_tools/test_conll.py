"""CoNLL: which columns hold words and tags, which lines are comments, and what is said where a file leaves it open."""

from __future__ import annotations

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, looks_like_slots, read_slot_corpus
from re2nn_core.text.tokenization import Tokenization

WHITESPACE = Tokenization()


def read(text: str, **options: str) -> SlotCorpusRead:
    return read_slot_corpus(text.encode(), "texts.conll", tokenization=WHITESPACE, **options)


def texts_and_spans(found: SlotCorpusRead) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each text with the words and the slots of its spans."""
    return [(e.text, [(e.text[s.start : s.end], s.slot) for s in e.spans or ()]) for e in found.corpus]


COUNTED = "Column 1 counts the words of each text, so the words were read from column 2."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "#\thttp://example.org/1 [2001-02-03]\n1\tNach\tO\tO\n2\tKiel\tB-city\tO\n\n1\tDanke\tO\tO\n",
            [("Nach Kiel", [("Kiel", "city")]), ("Danke", [])],
            id="tabs, a comment, an inner column without tags",
        ),
        pytest.param(
            "0 go O\n1 to O\n2 Kiel B-city\n", [("go to Kiel", [("Kiel", "city")])], id="blanks, counted from 0"
        ),
        pytest.param(
            "# sent_id = 1\n1\tGo\tO\t-\t-\n2\tKiel\tB-city\t-\t-\n",
            [("Go Kiel", [("Kiel", "city")])],
            id="columns behind",
        ),
        pytest.param(
            "1 7 O\n2 to B-x\n\n1 8 O\n2 9 B-x\n3 ten O\n",
            [("7 to", [("to", "x")]), ("8 9 ten", [("9", "x")])],
            id="words that are numbers",
        ),
    ],
)
def test_a_column_that_counts_is_not_the_words(text: str, expected: list[tuple[str, list[tuple[str, str]]]]) -> None:
    assert looks_like_slots(text.encode())
    found = read(text)
    assert (texts_and_spans(found), found.bad_rows, found.has_words) == (expected, (), True)
    assert COUNTED in found.notes


def test_numbers_that_do_not_count_are_words() -> None:
    found = read("1 NN O\n3 NN B-x\n\n2 NN O\n")
    assert texts_and_spans(found) == [("1 3", [("3", "x")]), ("2", [])]
    # A confidence between word and tag, as predictions have it.
    assert texts_and_spans(read("1\t0.9000\tO\n2\t0.8000\tB-x\n")) == [("1 2", [("2", "x")])]


NESTED = "Kiel B-city O\nHotel B-place O\nKiel I-place B-city\n"
CHUNKS = "Kiel NNP B-NP B-city\nwins VBZ B-VP O\n"


@pytest.mark.parametrize(
    ("text", "column", "spans", "note"),
    [
        (NESTED, None, [("Kiel", "city"), ("Hotel Kiel", "place")], "those of column 2 were read"),
        (NESTED, "3", [("Kiel", "city")], "those of column 3 were read, the others were not. To read column 2 instead"),
        (CHUNKS, None, [("Kiel", "city")], "Columns 3 and 4 hold tags; those of column 4 were read"),
        (CHUNKS, "3", [("Kiel", "NP"), ("wins", "VP")], "write --label-column 4."),
    ],
)
def test_of_two_columns_of_tags_one_is_read_and_said(
    text: str, column: str | None, spans: list[tuple[str, str]], note: str
) -> None:
    found = read(text, **({} if column is None else {"label_column": column}))
    assert texts_and_spans(found)[0][1] == spans
    assert any(note in reported for reported in found.notes), found.notes


@pytest.mark.parametrize("column", ["5", "1", "0", "tag", "²"])
def test_a_column_of_tags_that_there_is_not(column: str) -> None:
    with pytest.raises(DataFileError) as caught:
        read(CHUNKS, label_column=column)
    assert str(caught.value) == (
        "'texts.conll' is CoNLL, whose columns have no names. Give the number of the column of tags, 2 to 4, not "
        f"'{column}'."
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# annotator O\ngo\tO\nKiel\tB-city\n\n# vitamin B-12\ngo\tO\n", ["go Kiel", "go"]),
        ("# annotator O\ngo O\nKiel B-city\n\n# O\ngo O\n", ["go Kiel", "# go"]),
        ("# by hand O\ngo VB x O\nKiel NNP x B-city\n", ["go Kiel"]),
        ("# by Kiel B-12\ngo VB O\nKiel NNP B-city\n", ["go Kiel"]),
        ("Kiel NNP B-city\n# # O\n1 CD O\n\n# NNP O\n", ["Kiel # 1", "#"]),
        ("#\tO\n#go\tB-city\n", ["# #go"]),
        ("1\tgo\tO\n#\tx\tO\n2\tKiel\tB-city\n", ["go Kiel"]),
    ],
)
def test_comments_are_left_out_and_the_sign_is_a_word(text: str, words: list[str]) -> None:
    found = read(text)
    assert [e.text for e in found.corpus] == words
    left_out = sum(line.startswith("#") for line in text.splitlines()) - sum(" ".join(words).count(s) for s in "#")
    assert any("left out as comment" in note for note in found.notes) == (left_out > 0)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "go VB O\nNew York NNP B-city\nto TO O\n\nhi UH O\n",
            "line 2: has 4 columns, but line 1 has 3; give each word a line of its own, "
            "without blanks in it (its text, lines 1 to 3, "
            "is left out)",
        ),
        (
            "go\tO\nto Kiel O\n\nhi\tO\n",
            "line 2: has 3 columns, but line 1 has 2; give each word a line of its own, "
            "without blanks in it (its text, lines 1 to 2, "
            "is left out)",
        ),
        (
            "to\tTO\tO\nKiel\tB-city\n\nhi\tUH\tO\n",
            "line 2: has 2 columns, but line 1 has 3; add what is missing, such as the tag "
            "(its text, lines 1 to 2, is left out)",
        ),
        (
            "go\tO\n\tO\nKiel\tB-city\n\nhi\tO\n",
            "line 2: the word is empty; one is expected before its tag 'O' (its text, lines 1 to 3, is left out)",
        ),
        (
            "go O\n O\nKiel B-city\n\nhi O\n",
            "line 2: the word is empty; one is expected before its tag 'O' (its text, lines 1 to 3, is left out)",
        ),
        ("\u00a0 O\n\nhi O\n", "line 1: the word is empty; one is expected before its tag 'O'"),
    ],
)
def test_a_line_that_fits_no_column_leaves_its_text_out(text: str, fault: str) -> None:
    found = read(text)
    assert [e.text for e in found.corpus] == ["hi"]
    assert [str(bad) for bad in found.bad_rows] == [fault]


@pytest.mark.parametrize("cut", [" ", "\t"])
@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000"])
def test_a_special_space_inside_a_word_is_kept(cut: str, space: str) -> None:
    found = read(f"costs{cut}O\n10{space}000{cut}B-sum\neuros{cut}O\n")
    assert texts_and_spans(found) == [(f"costs 10{space}000 euros", [(f"10{space}000", "sum")])]
    assert found.notes == (
        "1 text with a no-break space or another special space inside a word: the space was kept, and counts as a "
        "border between two words.",
    )


UNIVERSAL = (
    "# sent_id = 1\n# text = Zum Hotel Kiel\n"
    "1-2\tZum\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tzu\tzu\tADP\t_\t_\t3\tcase\t_\tname=O\n"
    "2\tdem\tder\tDET\t_\t_\t3\tdet\t_\tname=O\n"
    "3\tHotel\tHotel\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No|name=B-place\n"
    "3.1\tsteht\t_\tVERB\t_\t_\t_\t_\t_\t_\n"
    "4\tKiel\tKiel\tPROPN\t_\t_\t3\tflat\t_\tname=I-place\n\n"
    "# text = Ja\n1\tJa\tja\tINTJ\t_\t_\t0\troot\t_\tname=O\n"
)


def test_conll_u_is_read_by_form_and_misc() -> None:
    assert looks_like_slots(UNIVERSAL.encode(), "texts.conllu")
    found = read(UNIVERSAL)
    assert texts_and_spans(found) == [("Zum Hotel Kiel", [("Hotel Kiel", "place")]), ("Ja", [])]
    assert found.bad_rows == ()
    assert found.notes == ("CoNLL-U: the words are those of FORM, the tags those of MISC under 'name'.",)
    other = read(UNIVERSAL.replace("# text = Ja", "# text = Nein").replace("name=I-place", "name=I-place|NE=B-city"))
    assert other.notes == (
        "CoNLL-U: the words are those of FORM, the tags those of MISC under 'name'.",
        "'NE' in MISC holds tags too and was not read. To read another key, write --label-column NE.",
        "1 sentence has other words than the comment “# text =” says (first on line 11): the words were read.",
    )
    chosen = read(UNIVERSAL.replace("name=I-place", "name=I-place|NE=B-city"), label_column="NE")
    assert texts_and_spans(chosen)[0][1] == [("Kiel", "city")]
    with pytest.raises(DataFileError, match="'city' is no key of MISC that holds tags; those that do: name"):
        read(UNIVERSAL, label_column="city")


def test_conll_u_without_tags_is_read_as_not_annotated() -> None:
    found = read(UNIVERSAL.replace("name=B-place", "_").replace("name=I-place", "_").replace("name=O", "_"))
    assert [(e.text, e.spans) for e in found.corpus] == [("Zum Hotel Kiel", None), ("Ja", None)]
    assert found.notes == (
        "CoNLL-U without tags in MISC (column 10), such as name=B-PER: the texts were read as not annotated.",
    )


def test_lines_of_conll_u_with_faults_take_their_sentence_along() -> None:
    broken = UNIVERSAL.replace("4\tKiel\tKiel", "4\tKiel")
    found = read(broken)
    assert [e.text for e in found.corpus] == ["Ja"]
    assert [str(bad) for bad in found.bad_rows] == [
        "line 8: has 9 columns and begins with '4'; ten and a number are expected (its text, lines 3 to 8, is left out)"
    ]
    wide = read(UNIVERSAL.replace("Hotel\tHotel", "Haus am See\tHotel"))
    assert texts_and_spans(wide)[0] == ("Zum Haus am See Kiel", [("Haus am See Kiel", "place")])
