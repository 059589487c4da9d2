"""Text files of other kinds are refused by name, and their lines never become texts without a word."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import task_parts
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

KINDS = {
    "webanno.tsv": (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=x|value\n\n\n#Text=To Kiel\n1-1\t0-2\tTo\t_\t\n1-2\t3-7\tKiel\tB-x\t\n",
        "TSV of WebAnno or INCEpTION, which is not read here. Export the document as “CoNLL 2002”",
    ),
    "old_webanno.txt": ("#id=1\n#text=To Kiel\n1-1\tTo\tO\n1-2\tKiel\tB-city\n", "TSV of WebAnno or INCEpTION"),
    "ontonotes.conll": (
        "#begin document (bc/a); part 000\nbc/a 0 0 Kiel NNP (TOP* - - - - (GPE) -\n",
        "CoNLL-2012 (OntoNotes), whose names are in brackets instead of BIO tags. Convert them to BIO tags",
    ),
    "doc.ann": ("T1\tcity 3 7\tKiel\nR1\tin Arg1:T1 Arg2:T1\t\n", "annotations of brat (.txt with .ann)"),
    "split.txt": ("T1\tcity 3 7;9 12\tKiel Süd\nT2\tcity 0 2\tOk\n#1\tAnnotatorNotes T1\tx\n", "annotations of brat"),
    "nlu.yml": (
        'version: "3.1"\nnlu:\n- intent: trip\n  examples: |\n    - to [Kiel](city)\n',
        "YAML of Rasa (nlu), which is not read here. Convert it to Rasa's JSON (rasa data convert nlu)",
    ),
    "nlu.txt": ("nlu:\r\n  - lookup: city\r\n    examples: |\r\n      - Kiel\r\n", "YAML of Rasa"),
    "domain.yml": (
        'version: "3.1"\nintents:\n  - greet\n  - trip\nentities:\n  - city\n',
        "the domain, stories or rules of Rasa, which list names and no examples. Convert the examples of your intents",
    ),
    "domain.txt": ("intents: [greet, trip]\nslots:\n  city:\n    type: text\n", "the domain, stories or rules of Rasa"),
    "stories.yml": ("stories:\n- story: path\n  steps:\n  - intent: greet\n", "the domain, stories or rules of Rasa"),
    "setup.xml": (
        '<View>\n  <Text name="text" value="$text"/>\n  <Choices name="a" toName="text">\n  </Choices>\n</View>\n',
        "the labelling setup of a project of Label Studio, which lists labels and no texts. In Label Studio, export",
    ),
    "setup.txt": ('<View>\n<Labels name="a" toName="t">\n<Label value="City"/>\n</Labels>\n</View>\n', "the labelling"),
    "labels.txt": ("PERSON\nORG\nGPE\n", "a list of labels, one a line, not texts. Import the texts that have these"),
    "intents.txt": ("greet\nbook_flight\nask_fare\n", "a list of labels, one a line, not texts"),
    "nlu.md": ("## intent:trip\n- to [Kiel](city)\n", "Markdown of Rasa"),
    "bot.lu": (
        "> travel\n# trip\n- to {city=Kiel}\n- home\n\n# fare\n- how much\n",
        "lists of texts below headings (# intent, - text; Bot Framework, LUIS), which are not read here. Export",
    ),
    "lists.txt": ("## trip\n* to kiel\n* home\n## fare\n* how much\n", "lists of texts below headings"),
    "slashed.txt": (
        "to/O Kiel/B-city\nhello/O you/O\nand/or/O Oslo/B-city Nord/I-city\n",
        "words with their tags behind a slash or another sign, which are not read here. Convert them to CoNLL",
    ),
    "config.yaml": ("a: b\nc: d\n", "YAML, which is not read here"),
    "front.txt": ("---\ntitle: x\n---\ntext\n", "YAML, which is not read here"),
    "restaurants.xml": ("<?xml version='1.0'?>\n<sentences>\n<text>fine</text>\n</sentences>\n", "XML, which is not"),
    "sentences.txt": ('<sentences lang="en">\n<s>fine</s>\n</sentences>\n', "XML, which is not read here."),
    "film.srt": ("1\n00:00:01,000 --> 00:00:02,000\nHello\n", "subtitles, which are not read here"),
    "rules.txt": (
        "[trip]\n# cities\n@city@ = ( kiel | oslo )\nto_city := $* @city@ $*\n",
        "rules, not texts. Check them",
    ),
    "rule.txt": ("c := $* to $* [ rome | oslo ]<city> $*\n", "rules, not texts. Check them with re2nn check"),
    "classes.rules": ("@a@=( x | @a@ )\n[l]\n$* @a@ $*\n", "rules, not texts"),
    "table.md": ("| text | label |\n|---|:---:|\n| hi | a |\n", "a table of Markdown, which is not read here. Save it"),
    "plain.txt": ("text | label\n--- | ---\nhi | a\n", "a table of Markdown"),
    "dump.sql": ("INSERT INTO t (text) VALUES\n('a'),\n('b');\n", "SQL, which is not read here. Export the table"),
    "train.py": ("import os\nprint('x')\n", "a program or settings, not texts"),
    "inline.txt": (
        "to [Kiel](city) on [Monday](day)\nhello\nin [Kiel](city)\n",
        "sentences with their spans in brackets or tags, which are not read here. Write one JSON object a line",
    ),
    "tagged.txt": ("to <city>Kiel</city> now\nfrom <city>Oslo</city>\n", "sentences with their spans in brackets"),
    "weka.arff": ("% made by hand\n@relation x\n@attribute text string\n@data\n'hi',a\n", "ARFF of Weka, which is"),
    "features.txt": ("1 1:0.5 3:1\n-1 2:0.25 # b\n0 7:1e-3\n", "numbers of features (LIBSVM), not texts. Import"),
    "train.vw": ("1 |w fly to oslo\n-1 1.5 'tag |w hi\n", "Vowpal Wabbit, which is not read here"),
    "chat.txt": (
        "[01/02/24, 10:00:11] Ann: hi there\n[01/02/24, 10:01:11] Bob: hello: you\n",
        "a chat with the time and the name before each message, which is not read here. Save the messages alone",
    ),
    "phone.txt": (
        "1/2/23, 9:05 PM - Ann: hi there\n1/2/23, 9:06 PM - Bob: hello\n",
        "a chat with the time and the name",
    ),
    "atis.txt": ("BOS to oslo EOS\tO O B-city trip\nBOS hi EOS\tO O greet\n", "words between BOS and EOS with tags"),
    "frame.txt": (
        '"text" "label"\n"1" "to oslo" "trip"\n"2" "hi" NA\n',
        "a table with blanks between its cells (write",
    ),
    "film.vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n", "subtitles, which are not read here"),
}


@pytest.mark.parametrize("task", Task)
@pytest.mark.parametrize("name", KINDS)
def test_each_kind_is_refused_by_its_name(name: str, task: Task) -> None:
    text, said = KINDS[name]
    with pytest.raises(DataFileError) as caught:
        list(task_parts(task, text.encode(), name, Tokenization(), FileReading()))
    assert str(caught.value).startswith(f"'{name}' looks like {said}")
    assert "(--format txt)" in str(caught.value)


@pytest.mark.parametrize("name", KINDS)
def test_lines_are_texts_where_somebody_says_so(name: str) -> None:
    text = KINDS[name][0]
    lines = [line for line in text.replace("\r", "").split("\n") if line.strip()]
    assert [row[0] for row in read_table(text.encode(), name, format="txt").rows] == lines


@pytest.mark.parametrize(
    "text",
    [
        "<b>fine</b> food\nbad food\n",
        "# sign of the times\nto: kiel\n- intent: none\n",
        "1-2 people\tfew\n3-4 people\tmany\n",
        "T1 is a good phone\nso is T2\n",
        "---\n\nwell\n",
        "1\n2\n3\n",
        "hello\nthanks\nbye\n",
        "YES\nNO\nYES\n",
        "HELLO THERE\nBYE\n",
        "intents: none\nslots: two free\n",
        "1 |w\nx |y z\n",
        "# one heading\n- an item\n- another\n",
        "# tag\n- so\nno item\n# more\n",
        "and/or/O this/that\nhe/she said\n",
        "10:30 Ann: hi\n",
        "1 2:3 of them\n",
        "x := 5\nsome text\n[more]\nthat follows it\nand ends\n",
    ],
)
def test_texts_that_only_begin_like_them_are_read(text: str) -> None:
    assert len(read_table(text.encode(), "texts.txt").rows) == len([line for line in text.split("\n") if line])


@pytest.mark.parametrize(
    "text",
    [
        "<!---->" * 60 + "hello\n",
        "and/B-or/B-both " * 60 + "of them\n",
        "rules:\n" + "\n" * 50_000 + "hello\n",
    ],
)
def test_what_could_be_read_in_very_many_ways_is_read_in_one(text: str) -> None:
    """The time limit of a test is what ends this one otherwise."""
    assert read_table(text.encode(), "texts.txt").rows


def test_plain_lines_are_told_unless_they_are_asked_for() -> None:
    for name in ("texts.txt", "texts.log", "texts"):
        assert "Read as plain lines: each line is a text without a label." in read_table(b"to kiel\nhi\n", name).notes
    assert read_table(b"to kiel\nhi\n", "texts.txt", format="txt").notes == ()


@pytest.mark.parametrize("name", ["texts.conll", "texts.conllu", "texts.txt", "texts"])
def test_words_with_tags_are_no_texts_with_labels(name: str) -> None:
    for text in ("to O\nKiel B-city\n\n", "1\tKiel\t_\tX\t_\t_\t0\troot\t_\tname=B-city\n\n"):
        with pytest.raises(
            DataFileError, match="looks like CoNLL, a word and its tag a line, which holds slots and no"
        ):
            read_table(text.encode() * 3, name)


def test_brat_is_told_from_a_folder_a_zip_and_the_text_next_to_its_annotations(tmp_path: Path) -> None:
    said = r"looks like annotations of brat \(.txt with .ann\), which are not read here. Convert them to CoNLL"
    (tmp_path / "doc.txt").write_text("to Kiel\n")
    assert len(read_table(tmp_path / "doc.txt").rows) == 1
    (tmp_path / "doc.ann").write_text("")
    assert len(read_table(tmp_path / "doc.txt").rows) == 1
    (tmp_path / "doc.ann").write_text("T1\tcity 3 7\tKiel\n")
    for read in (read_table, lambda path: read_slot_corpus(path, tokenization=Tokenization())):
        with pytest.raises(DataFileError, match=said):
            read(tmp_path)
        with pytest.raises(DataFileError, match=r"'doc.txt' has annotations of brat .*, in 'doc.ann' next to it"):
            read(tmp_path / "doc.txt")
    assert len(read_table(tmp_path / "doc.txt", format="txt").rows) == 1
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a/doc.txt", "to Kiel\n")
        archive.writestr("a/doc.ann", "T1\tcity 3 7\tKiel\n")
    assert not looks_like_slots(stream.getvalue(), "a.zip")
    with pytest.raises(DataFileError, match=said):
        read_table(stream.getvalue(), "a.zip")


def test_links_and_html_inside_of_texts_are_no_spans() -> None:
    for line in (
        b"see [our page](https://example.org) please",
        b"i <b>really</b> like it",
        b"<p>fine</p>",
        b"<script>alert(1)</script>",
    ):
        table = read_table(b"\n".join([line + b" %d" % n for n in range(6)]), "texts.txt", encoding="utf-8")
        assert len(table.rows) == 6
