"""Files for slots as people really have them: what is left out or read otherwise is reported, and what to do."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
from support.command_line import RULES, TEXTS, Call, Outcome
from support.tagging_command_line import SLOT_RULES, jsonl

from re2nn_core.exchange.formats import NAMES
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.text import chinese
from re2nn_core.text.tokenization import Tokenization

GOOD: dict[str, Any] = {"text": "fly to oslo", "spans": [[7, 11, "to_city"]]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slots.txt").write_text(SLOT_RULES, encoding="utf-8")
    (tmp_path / "labels.txt").write_text(RULES, encoding="utf-8")
    return tmp_path


def evaluated(re2nn: Call, folder: Path, content: str, name: str = "texts.jsonl", *more: str) -> Outcome:
    (folder / name).write_text(content, encoding="utf-8")
    return re2nn("evaluate", "--rules", folder / "slots.txt", "--data", folder / name, *more)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (
            {"text": "to oslo now", "spans": [[3, 7, "to_city"], [3, 11, "day"]]},
            'line 2: [3, 7, "to_city"] and [3, 11, "day"] overlap; a word fills one slot at most',
        ),
        (
            {"text": "to oslo", "spans": [[4, 7, "to_city"]]},
            "line 2: [4, 7, \"to_city\"] ('slo') begins at 4, where no word begins; the nearest borders are 3 and 7",
        ),
        (
            {"text": "to oslo", "spans": [[3, 70, "to_city"]]},
            'line 2: [3, 70, "to_city"] ends past the text, which has 7 characters; count characters, not bytes',
        ),
        ({"tags": ["O", "B-to_city"]}, "line 2: 'tokens' is missing; a list of texts is expected"),
        ({"tokens": ["to"], "tags": ["O", "O"]}, "line 2: has 1 word but 2 tags; each word needs one"),
        ({"tokens": [], "tags": []}, "line 2: the sentence has no words"),
        ({"text": "  ", "spans": []}, "line 2: the text is empty"),
        ({"tokens": ["oslo"], "tags": ["to_city"]}, "line 2: tag 1, 'to_city', is no tag: O, B-slot or I-slot"),
    ],
)
def test_a_row_that_cannot_be_used_is_left_out_and_told(
    re2nn: Call, folder: Path, row: dict[str, Any], reason: str
) -> None:
    outcome = evaluated(re2nn, folder, jsonl([GOOD, row]), "texts.jsonl", "--json")
    assert outcome.code == 0
    assert f"{folder / 'texts.jsonl'}: 1 row left out:\n  {reason}" in outcome.err
    assert outcome.data["sentences"] == 1


def test_rows_left_out_for_one_reason_are_told_together(re2nn: Call, folder: Path) -> None:
    rows = [
        GOOD,
        *({"text": f"to oslo {number}", "spans": "none"} for number in range(9)),
        {"text": "a", "spans": [{}]},
    ]
    reported = evaluated(re2nn, folder, jsonl(rows)).err
    assert (
        "texts.jsonl: 10 rows left out:\n"
        "  line 2: 'spans' holds 'none'; a list such as [[3, 7, \"city\"]] is expected, [] "
        "for a text without slots, null for a text without annotation\n"
        "    the same in 8 more rows: lines 3, 4, 5, 6, 7, 8 ...\n"
        "  line 11: 'spans', place 1: has no start and no end and no slot: it holds nothing; expected are start"
    ) in reported
    assert "Write --all-faults to see each of them." in reported
    every = evaluated(re2nn, folder, jsonl(rows), "texts.jsonl", "--all-faults").err
    assert every.count("holds 'none'") == 9
    assert "the same in" not in every


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "text,spans\nto oslo,none\n", "'a.csv' holds no row that can be read: line 2: 'spans' is not JSON"),
        ("a.csv", "text,label\nto oslo,x\n", "'a.csv' is a table, and its first row names no column of spans."),
        ("a.jsonl", "", "'a.jsonl' is empty: a file with at least one text was expected."),
        ("a.txt", "just a text\n", "'a.txt' holds no row that can be read: line 1: 'text' is no tag"),
        ("a.xyz", "\x89PNG\r\n\x1a\n", "'a.xyz' looks like"),
    ],
)
def test_files_without_a_span_to_read(re2nn: Call, folder: Path, name: str, content: str, message: str) -> None:
    (folder / name).write_bytes(content.encode("latin-1"))
    outcome = re2nn("evaluate", "--rules", folder / "slots.txt", "--data", folder / name)
    assert outcome.code == 2
    assert message in outcome.err


def test_an_empty_file_asks_for_no_other_task(re2nn: Call, folder: Path) -> None:
    reported = evaluated(re2nn, folder, "\n", "a.jsonl").err
    assert "'a.jsonl' is empty" in reported
    assert "--task" not in reported


def test_formats_that_are_none(re2nn: Call, folder: Path) -> None:
    (folder / "a.txt").write_text("to oslo\n", encoding="utf-8")
    given = ("predict", "--rules", folder / "slots.txt", folder / "a.txt")
    reported = re2nn(*given, "--format", "xml").err
    every = ", ".join(NAMES)
    assert reported == f"Error: 'xml' is not a format this reads. Choose one of {every}.\n"
    assert re2nn(*given, "-o", folder).err == f"Error: {folder}: this is a folder. Give the path of a file to write.\n"
    missing = re2nn("evaluate", "--rules", folder / "slots.txt", "--data", folder / "no.jsonl").err
    assert "Give a file of texts: JSON lines, CoNLL, or a table (CSV, TSV, Parquet) with a column of spans." in missing
    missing = re2nn("predict", "--rules", folder / "slots.txt", folder / "no.jsonl").err
    assert "CSV, TSV, JSONL, TXT or Parquet; for slots CoNLL too." in missing
    reported = re2nn("certify", "--rules", folder / "slots.txt", "--data", folder / "a.txt", "--check", folder).err
    assert reported.endswith(f"\nError: {folder}: this is a folder. Give the path of a certificate.\n")
    assert reported.startswith(f"{folder / 'a.txt'}: Read as plain lines: each line is a text without a label.\n")
    (folder / "b.json").write_text("no JSON", encoding="utf-8")
    reported = re2nn(
        "certify", "--rules", folder / "slots.txt", "--data", folder / "a.txt", "--check", folder / "b.json"
    ).err
    assert reported.endswith(
        f"\nError: {folder / 'b.json'} is no certificate. Give a file that was written with re2nn certify -o FILE.\n"
    )


def test_a_table_of_predictions_is_none_of_labels(re2nn: Call, folder: Path) -> None:
    (folder / "a.csv").write_text('text,spans\nto oslo,"[[3,7,""to_city""]]"\n', encoding="utf-8")
    outcome = re2nn("evaluate", "--rules", folder / "labels.txt", "--data", folder / "a.csv")
    assert outcome.code == 2
    assert "'a.csv' has no column that looks like labels" in outcome.err
    assert "The file contains slots, but the task is labels" in outcome.err


def test_spans_that_meet_no_borders_ask_for_another_tokenizer(re2nn: Call, folder: Path) -> None:
    row = {"text": "fly to oslo, please", "spans": [[7, 11, "to_city"]]}
    outcome = evaluated(re2nn, folder, jsonl([GOOD, row]))
    assert (
        "1 text with a span that begins or ends inside a word of the tokenizer 'whitespace': with --tokenizer "
        "punctuation it can be read."
    ) in outcome.err
    again = evaluated(re2nn, folder, jsonl([GOOD, row]), "texts.jsonl", "--tokenizer", "punctuation", "--json")
    assert (again.err.count("left out"), again.data["sentences"], again.data["rules"]["f1"]) == (0, 2, 1.0)


def test_no_tokenizer_is_named_that_does_not_cut_there_either(re2nn: Call, folder: Path) -> None:
    row = {"text": "to new york", "spans": [[3, 9, "to_city"]]}
    assert "can be read" not in evaluated(re2nn, folder, jsonl([GOOD, row])).err
    reported = evaluated(re2nn, folder, jsonl([row])).err
    assert (
        "('new yo') ends at 9, where no word ends; the nearest borders are 3 and 11 ('new york'): correct the"
        in reported
    )
    assert "tokenizer" not in reported
    row = {"text": "去奥斯陆", "spans": [[1, 4, "to_city"]]}
    reported = evaluated(re2nn, folder, jsonl([GOOD, row])).err
    assert "inside a word of the tokenizer 'whitespace': with --tokenizer characters it can be read.\n" in reported


def test_predict_needs_no_good_spans(re2nn: Call, folder: Path) -> None:
    (folder / "texts.jsonl").write_text(jsonl([GOOD, {"text": "to oslo", "spans": [[3, 70, "x"]]}]), encoding="utf-8")
    outcome = re2nn("predict", "--rules", folder / "slots.txt", folder / "texts.jsonl", "--json")
    assert (outcome.code, outcome.err, outcome.data["sentences"]) == (0, "", 2)


def test_rows_left_out_are_told_with_the_figures(re2nn: Call, folder: Path) -> None:
    bad = {"text": "to oslo", "spans": [[4, 7, "to_city"]], "split": "test"}
    rows = [GOOD, {**GOOD, "split": "test"}, bad]
    outcome = evaluated(re2nn, folder, jsonl(rows))
    assert outcome.out.endswith("\nMeasured on 2 of 3 sentences; 1 left out with errors.\n")
    for split, counts in (("test", (1, 1)), (None, (2, 1))):
        given = () if split is None else ("--split", split)
        data = evaluated(re2nn, folder, jsonl(rows), "texts.jsonl", *given, "--json").data
        assert (data["sentences"], data["left_out"]) == counts
    other = evaluated(re2nn, folder, jsonl([*rows, {**GOOD, "split": "dev"}]), "texts.jsonl", "--split", "dev")
    assert "left out with errors" not in other.out
    conll = "to O\noslo B-to_city\n\nto x\noslo y\n"
    assert "Measured on 1 of 2 sentences; 1 left out" in evaluated(re2nn, folder, conll, "texts.conll").out


def test_one_slot_of_two_spellings_in_the_texts(re2nn: Call, folder: Path) -> None:
    (folder / "slots.txt").write_text("x := $* to [ $ ]<CITY> $*\n", encoding="utf-8")
    rows = [{"text": "to oslo", "spans": [[3, 7, slot]]} for slot in ("city", "City", "city")]
    apart = evaluated(re2nn, folder, jsonl(rows), "texts.jsonl", "--json").data
    alike = evaluated(re2nn, folder, jsonl(rows), "texts.jsonl", "--ignore-slot-case", "--json").data
    assert (apart["rules"]["f1"], alike["rules"]["f1"]) == (0.0, 1.0)
    assert list(alike["slots"]) == ["city"]


@pytest.mark.parametrize("rules", ["slots.txt", "labels.txt"])
def test_texts_that_tsv_cannot_hold_are_left_out_and_told(re2nn: Call, folder: Path, rules: str) -> None:
    (folder / "texts.jsonl").write_text(jsonl([{"text": "to oslo"}, {"text": "to\toslo"}]), encoding="utf-8")
    given = ("predict", "--rules", folder / rules, folder / "texts.jsonl")
    outcome = re2nn(*given, "-o", folder / "x.tsv", "--json")
    assert (outcome.code, outcome.data["sentences"]) == (0, 1)
    reason = "holds a tab or a line break, which TSV cannot hold"
    assert outcome.data["not_written"] == [{"text": 2, "reason": reason}]
    assert f"x.tsv: 1 text left out:\n  text 2, 'to\\toslo': {reason}\nChoose .csv, .jsonl or .parquet" in outcome.err
    assert len((folder / "x.tsv").read_text("utf-8").splitlines()) == 2
    assert re2nn(*given, "-o", folder / "x.csv", "--json").data["not_written"] == []
    (folder / "texts.jsonl").write_text(jsonl([{"text": "to\toslo"}]), encoding="utf-8")
    outcome = re2nn(*given, "-o", folder / "y.tsv")
    assert outcome.code == 2
    assert "No text is left. Choose .csv, .jsonl or .parquet." in outcome.err


def test_conll_says_what_it_does_not_hold(re2nn: Call, folder: Path) -> None:
    (folder / "texts.jsonl").write_text(jsonl([{"text": "to  oslo"}, {"text": "\u200b"}]), encoding="utf-8")
    given = ("predict", "--rules", folder / "slots.txt", folder / "texts.jsonl", "--tokenizer", "punctuation")
    reported = re2nn(*given, "-o", folder / "x.conll").err
    assert "x.conll: CoNLL contains only words and tags, not the original white space between words.\n" in reported
    assert "has no words, so CoNLL cannot hold it" in reported


def test_the_border_between_documents_is_no_word_of_conll(re2nn: Call, folder: Path) -> None:
    texts = [{"text": "to -DOCSTART- oslo"}, {"text": "to oslo"}, {"text": "\ufeffto oslo"}]
    (folder / "texts.jsonl").write_text(jsonl(texts), encoding="utf-8")
    outcome = re2nn("predict", "--rules", folder / "slots.txt", folder / "texts.jsonl", "-o", folder / "x.conll")
    assert "text 1, 'to -DOCSTART- oslo': holds the word -DOCSTART-, which in CoNLL is a border" in outcome.err
    read = read_slot_corpus(folder / "x.conll", tokenization=Tokenization())
    assert read.corpus.texts == ("to oslo", "\ufeffto oslo")


def test_an_i_without_a_b_is_kept_and_told(re2nn: Call, folder: Path) -> None:
    outcome = evaluated(re2nn, folder, "to O\noslo I-to_city\n", "texts.conll", "--json")
    assert outcome.code == 0
    assert "1 text with an I- tag that continues no span of its slot, read as B- as conlleval does" in outcome.err
    assert outcome.data["rules"]["f1"] == 1.0


def test_conll_without_blank_lines(re2nn: Call, folder: Path) -> None:
    outcome = evaluated(re2nn, folder, "to O\noslo B-to_city\n" * 150, "texts.conll")
    assert outcome.code == 2
    assert "is one sentence of 300 words from line 1 to line 300: it has no blank line between" in outcome.err


@pytest.mark.parametrize(
    ("content", "extent"),
    [
        ("to O\noslo B-to_city\n" * 20, "40 words from line 1 to line 40"),
        ("# a comment\n\n" + "to O\noslo B-to_city\n" * 13 + "\n", "26 words from line 3 to line 28"),
    ],
    ids=["bare", "blank lines around"],
)
def test_a_long_conll_sentence_without_a_blank_line_is_told(
    re2nn: Call, folder: Path, content: str, extent: str
) -> None:
    reported = evaluated(re2nn, folder, content, "texts.conll").err
    assert f"texts.conll: read as one sentence of {extent}; sentences are separated by a blank line.\n" in reported


@pytest.mark.parametrize("content", ["to O\noslo B-to_city\n" * 12, "to O\noslo B-to_city\n" * 20 + "\nto O\n"])
def test_short_conll_files_and_those_with_a_blank_line_are_read_in_silence(
    re2nn: Call, folder: Path, content: str
) -> None:
    assert "one sentence" not in evaluated(re2nn, folder, content, "texts.conll").err


def test_a_capture_inside_a_capture(re2nn: Call, folder: Path) -> None:
    (folder / "slots.txt").write_text("$* [ to [ oslo ]<city> ]<place> $*\n", encoding="utf-8")
    for arguments in (("check", folder / "slots.txt"), ("check", folder / "slots.txt", "--task", "slots")):
        outcome = re2nn(*arguments)
        assert outcome.code == 1
        assert "slots.txt:1:9: rule 'slots.1': a capture is inside another capture" in outcome.out
        assert "Close the outer capture first." in outcome.out
    assert "a capture is inside another capture" in evaluated(re2nn, folder, jsonl([GOOD])).err


def test_a_slot_that_no_data_has(re2nn: Call, folder: Path) -> None:
    outcome = evaluated(re2nn, folder, jsonl([GOOD]))
    assert f"{folder / 'texts.jsonl'}: 'from_city', 'day' of the rules stand on no text." in outcome.err
    assert outcome.code == 0


def test_texts_that_nobody_has_marked(re2nn: Call, folder: Path) -> None:
    outcome = evaluated(re2nn, folder, jsonl([{"text": "to oslo"}]))
    assert outcome.code == 2
    assert "texts.jsonl: no text in it is annotated. Slots are read from JSON lines such as" in outcome.err


@pytest.mark.parametrize("name", ["texts.tsv", "texts.csv", "texts.jsonl"])
def test_labelled_texts_for_slot_rules(re2nn: Call, folder: Path, name: str) -> None:
    rows = {
        "texts.tsv": "".join(f"{label}\t{text}\n" for label, text in TEXTS),
        "texts.csv": "text,label\n" + "".join(f"{text},{label}\n" for label, text in TEXTS),
        "texts.jsonl": jsonl([{"text": text, "label": label} for label, text in TEXTS]),
    }
    outcome = evaluated(re2nn, folder, rows[name], name)
    assert outcome.code == 2
    assert "Slots are read from JSON lines such as" in outcome.err
    assert (
        "The task is slots, as the rules capture words; if labels are meant, write --task classification."
        in outcome.err
    )


@pytest.mark.parametrize(
    "row", [GOOD, {"tokens": ["to", "oslo"], "tags": ["O", "B-to_city"], "intent": "flight"}], ids=["spans", "tags"]
)
def test_marked_texts_for_label_rules(re2nn: Call, folder: Path, row: dict[str, Any]) -> None:
    (folder / "texts.jsonl").write_text(jsonl([row, {"text": "unmarked"}]), encoding="utf-8")
    outcome = re2nn("evaluate", "--rules", folder / "labels.txt", "--data", folder / "texts.jsonl")
    assert outcome.code == 2
    assert (
        "The file contains slots, but the task is labels: the rules capture no word, or --task is labels."
        in outcome.err
    )
    train = ("train", "--rules", folder / "labels.txt", "--data", folder / "texts.jsonl", "--output", folder / "model")
    assert "Write [ ... ]<slot> in the rules around" in re2nn(*train).err


def test_label_rules_where_slots_are_asked_for(re2nn: Call, folder: Path) -> None:
    outcome = re2nn("check", folder / "labels.txt", "--task", "slots")
    assert outcome.code == 2
    assert "labels.txt: no rule captures a word. Write [ ... ]<slot> around what fills a slot" in outcome.err


def test_a_tokenizer_that_is_not_installed(re2nn: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = builtins.__import__

    def without_jieba(name: str, *rest: Any, **more: Any) -> Any:
        if name == "jieba":
            raise ImportError(name)
        return honest(name, *rest, **more)

    chinese._cutter.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without_jieba)
    row = {"text": "去奥斯陆", "spans": [[1, 4, "to_city"]]}
    outcome = evaluated(re2nn, folder, jsonl([row]), "texts.jsonl", "--tokenizer", "jieba")
    assert outcome.code == 2
    assert "needs the package jieba, which is not installed. Install it with pip install" in outcome.err
    assert "or choose the tokenizer 'characters'" in outcome.err


def test_no_such_file(re2nn: Call, folder: Path) -> None:
    outcome = re2nn("evaluate", "--rules", folder / "slots.txt", "--data", "nowhere.jsonl")
    assert outcome.code == 2
    assert "nowhere.jsonl: there is no such file." in outcome.err


def test_an_option_that_another_command_has_is_named_with_that(re2nn: Call, folder: Path) -> None:
    emoji = {"text": "\U0001f600 fly to oslo", "spans": [[9, 13, "to_city"]]}
    outcome = evaluated(re2nn, folder, jsonl([GOOD, emoji]))
    assert "else --offsets characters" in outcome.err
    assert "--offsets is an option of `re2nn import`: import the file with it, then `re2nn export`" in outcome.err
    assert ".. --offsets" not in outcome.err
