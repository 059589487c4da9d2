"""Tables with one word a row: where texts begin, and which column holds words and which tags."""

from __future__ import annotations

import pytest

from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.text.tokenization import Tokenization

FIRST_WORD = "Sentence #,Word,POS,Tag\nSentence: 1,Rome,NNP,B-geo\n,is,VBZ,O\nSentence: 2,we,PRP,O\n,left,VBD,O\n"
EACH_WORD = "id;Tag;token\n1;B-geo;Rome\n1;O;is\n2;O;we\n2;O;left\n"
BY_NAME = (
    "document\tnr\tform\tpos\tner\n"
    "a.txt\t1\tRome\tNNP\tB-geo\na.txt\t2\tis\tVBZ\tO\nb.txt\t1\twe\tPRP\tO\nb.txt\t2\tleft\tVBD\tO\n"
)


@pytest.mark.parametrize(("name", "data"), [("a.csv", FIRST_WORD), ("b.csv", EACH_WORD), ("c.tsv", BY_NAME)])
def test_words_with_tags_become_texts_with_spans(name: str, data: str) -> None:
    assert looks_like_slots(data.encode(), name)
    read = read_slot_corpus(data.encode(), name, tokenization=Tokenization("whitespace"))
    spans = [[(span.start, span.end, span.slot) for span in example.spans or ()] for example in read.corpus]
    assert list(zip(read.corpus.texts, spans, strict=True)) == [("Rome is", [(0, 4, "geo")]), ("we left", [])]
    assert any(note.startswith("One word a row: words are those of ") for note in read.notes)
    assert read.has_words


def test_a_word_or_tag_that_is_missing_leaves_its_text_out() -> None:
    data = FIRST_WORD.replace(",is,VBZ,O", ",is,VBZ,")
    read = read_slot_corpus(data.encode(), "a.csv", tokenization=Tokenization("whitespace"))
    assert read.corpus.texts == ("we left",)
    assert [str(bad) for bad in read.bad_rows] == ["line 2: line 3 has no tag, so its text is left out"]


@pytest.mark.parametrize(
    "data",
    [
        "text,label\nB-geo and so on,a\nthe O tag,b\n",
        "id,text,label\n1,hello there,B-side\n2,bye now,B-side\n3,so long,A-side\n",
    ],
)
def test_texts_with_labels_are_none_of_these(data: str) -> None:
    assert not looks_like_slots(data.encode(), "texts.csv")
