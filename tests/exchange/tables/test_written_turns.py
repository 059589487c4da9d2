"""Conversations that are written into one text: reported with the number of texts, and one speaker's first turn is read
by its path."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts
from re2nn_core.exchange.tables.turns.written_turns import turns_in

WAYS = {
    "lines": "User: where is parcel {0}?\nAgent: one moment please\nUser: thanks",
    "other roles": "Customer: where is parcel {0}?\nSupport: one moment please",
    "names behind roles": "Customer Ann: where is parcel {0}?\nAgent Bob (billing): one moment please",
    "times": "[10:03] Visitor: where is parcel {0}?\n[10:04:11] Operator: one moment please",
    "marks": "**User:** where is parcel {0}?\n**Assistant:** one moment please",
    "headings": "### Human: where is parcel {0}?\n### Assistant: one moment please",
    "one line": "User: where is parcel {0}? Bot: one moment please",
    "bars": "Customer: where is parcel {0}? | Agent: one moment please",
    "of models": "<|im_start|>user\nwhere is parcel {0}?<|im_end|>\n<|im_start|>assistant\none moment please<|im_end|>",
    "German": "Kunde: where is parcel {0}?\nMitarbeiter: one moment please",
    "who answers is first": "Agent: good morning to you\nCustomer: where is parcel {0}?",
}


def csv_of(texts: list[str], labels: str = "ab") -> bytes:
    rows = ['"{}",{}\n'.format(text.replace('"', '""'), labels[n % 2]) for n, text in enumerate(texts)]
    return "".join(("conversation,label\n", *rows)).encode()


@pytest.mark.parametrize("way", WAYS)
def test_conversations_are_reported_and_the_user_is_read_alone(way: str) -> None:
    texts = [WAYS[way].format(number) for number in range(6)]
    read = read_corpus(csv_of(texts), "a.csv")
    assert list(read.corpus.texts) == texts
    [remark] = read.columns.remarks
    assert remark.startswith("6 texts are conversations of several turns, such as ")
    assert remark.endswith(
        ": each was kept as one text. To read the first turn of the user alone, choose it with --text-column "
        "conversation.first_user."
    )
    alone = read_corpus(csv_of(texts), "a.csv", text_column="conversation.first_user")
    assert list(alone.corpus.texts) == [f"where is parcel {number}?" for number in range(6)]
    assert alone.columns.remarks == ()
    assert "not read" not in alone.columns.in_words()


@pytest.mark.parametrize(
    "text",
    [
        "Customer: Ann Smith\nAgent: Bob Jones\nIssue: my card was lost yesterday",
        "Customer: Ann\nAgent: Bob",
        "Subject: my card\nMessage: it was lost yesterday",
        "Note: the agent said: wait for a while",
        "I asked the agent: where is it? And the customer: who is that?",
        "see https://user:secret@agent: it is broken today",
        "at 10:30 the bot: nothing happened",
        "User: I lost my card yesterday",
        "Time: 10:03 until 11:30 on Monday\nPlace: the old town hall",
    ],
)
def test_what_has_colons_is_no_conversation(text: str) -> None:
    assert turns_in(text) == []
    assert read_corpus(csv_of([text] * 4), "a.csv").columns.remarks == ()


def test_names_that_are_no_roles_are_reported_where_times_stand_before_them() -> None:
    texts = [f"[10:0{n}] Ann: where is my parcel\n[10:1{n}] Bob: one moment please" for n in range(4)]
    [remark] = read_corpus(csv_of(texts), "a.csv").columns.remarks
    assert remark == (
        "4 texts are conversations of several turns, such as 'Ann: where is my parcel': each was kept as one text. To "
        "classify turns, write each of them into a row of its own."
    )


def test_texts_without_turns_stay_and_those_without_the_speaker_are_left_out() -> None:
    texts = [WAYS["lines"].format(1), "I lost my card", "Agent: hello is anybody there\nBot: I am a machine"]
    read = read_corpus(csv_of(texts), "a.csv", text_column="conversation.first_user")
    assert list(read.corpus.texts) == ["where is parcel 1?", "I lost my card"]
    assert "has no turn of the user" in str(read.bad_rows[0])


def test_other_formats_and_parts_of_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [WAYS["lines"].format(number) for number in range(60)]
    rows = [{"talk": text, "label": "ab"[n % 2]} for n, text in enumerate(texts)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "a.csv").write_bytes(csv_of(texts).replace(b"conversation,", b"talk,"))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")  # type: ignore[no-untyped-call]
    meant = [f"where is parcel {number}?" for number in range(60)]
    reading = FileReading(text_column="talk.first_user")
    for size in (None, 10):
        if size is not None:
            monkeypatch.setattr(large_files, "LARGE", size)
            monkeypatch.setattr(large_files, "PART", 1_000)
        for ending in ("jsonl", "csv", "parquet"):
            path = tmp_path / f"a.{ending}"
            found = [e for part in label_parts(path, path.name, reading) for e in part.examples]
            assert [example.text for example in found] == meant, (size, ending)
            assert {example.label for example in found} == {"a", "b"}


def test_a_turn_is_joined_with_other_columns() -> None:
    data = b'title,talk,label\nLate,"User: where is it now?\nAgent: wait a moment",a\n'
    read = read_corpus(data, "a.csv", text_column="title,talk.first_user")
    assert list(read.corpus.texts) == ["Late where is it now?"]


def test_the_column_of_turns_is_asked_for_by_its_right_name() -> None:
    from re2nn_core.errors import DataFileError

    with pytest.raises(DataFileError, match=r"no column 'talc.first_user' for the texts"):
        read_corpus(csv_of(["a b", "c d"]), "a.csv", text_column="talc.first_user")
