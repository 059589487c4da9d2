"""Texts of several parts, labels in front of their texts and files of spans that no reader has are named."""

from __future__ import annotations

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus

TEXTS = [f"where is my parcel number {n}" for n in range(12)]
LABELS = ["late", "lost", "paid"]


def remarks(texts: list[str]) -> list[str]:
    read = read_corpus(("text\n" + "".join(f'"{text}"\n' for text in texts)).encode(), "a.csv")
    assert [example.text for example in read.corpus] == texts
    assert read.columns is not None
    return [*read.notes, *read.columns.remarks]


@pytest.mark.parametrize("sign", ["__eou__", "<sep>", "[SEP]", "</s>", "__EOT__"])
def test_turns_with_a_sign_in_between_are_reported(sign: str) -> None:
    said = f"12 texts of several parts with {sign!r} in between, as between the turns of a conversation: each was"
    assert [note for note in remarks([f"{text} {sign} thank you" for text in TEXTS]) if note.startswith(said)]


def test_turns_between_two_bars_are_reported() -> None:
    found = remarks([f"{text} || it is late || thank you" for text in TEXTS])
    assert [note for note in found if note.startswith("12 texts of several parts with '||' in between")]


@pytest.mark.parametrize("form", ["{t}", "[CLS] {t} [SEP]", "{t}</s>", "a || b of {t}", "the __init__ of {t}"])
def test_one_part_is_no_conversation(form: str) -> None:
    assert not [note for note in remarks([form.format(t=text) for text in TEXTS]) if "several parts" in note]


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("[{k}] {t}", "[late]"),
        ("({k}) {t}", "(late)"),
        ("<{k}> {t}", "<late>"),
        ("#{k} {t}", "#late"),
        ("{k} - {t}", "late"),
        ("{k} = {t}", "late"),
        ("{k}: {t}", "late"),
        ("{t} [{k}]", "[late]"),
        ("{t} ({k})", "(late)"),
    ],
)
def test_labels_in_front_of_plain_lines_are_reported(form: str, shown: str) -> None:
    lines = [form.format(t=text, k=LABELS[n % 3]) for n, text in enumerate(TEXTS)]
    where = "end" if form.startswith("{t}") else "begin"
    said = f"12 of 12 different texts {where} with one of 3 values ({shown!r}, "
    notes = read_corpus("".join(f"{line}\n" for line in lines).encode(), "a.txt").notes
    assert [note for note in notes if note.startswith(said)]


@pytest.mark.parametrize("form", ["{t} (see {n})", "parcel {n}: {t}", "{t}", "the {w} - well - {t}", "[{n}] {t}"])
def test_what_most_texts_have_of_their_own_is_no_label(form: str) -> None:
    lines = [form.format(t=text, n=n, w=f"box{n}") for n, text in enumerate(TEXTS)]
    notes = read_corpus("".join(f"{line}\n" for line in lines).encode(), "a.txt").notes
    assert not [note for note in notes if "If these are labels" in note]


def test_pubtator_is_called_by_its_name() -> None:
    one = "{n}|t|Aspirin and pain {n}\n{n}|a|Pain is eased by aspirin.\n{n}\t0\t7\tAspirin\tChemical\tD1\n\n"
    with pytest.raises(DataFileError, match="looks like PubTator"):
        read_corpus("".join(one.format(n=n) for n in range(5)).encode(), "a.txt")


def test_a_chat_with_names_in_brackets_is_called_by_its_name() -> None:
    lines = "".join(f"[10:{n:02d}] <ann> {text}\n" for n, text in enumerate(TEXTS))
    with pytest.raises(DataFileError, match="looks like a chat"):
        read_corpus(lines.encode(), "a.txt")


def test_prompts_of_llama_are_texts_whose_labels_are_reported() -> None:
    """They were refused as sentences with their spans in tags."""
    rows = [f'{{"text": "<s>[INST] {text} [/INST] {LABELS[n % 2]} </s>"}}\n' for n, text in enumerate(TEXTS)]
    read = read_corpus("".join(rows).encode(), "a.jsonl")
    assert len(read.corpus) == len(TEXTS)
    found = " ".join(read.notes)
    assert "12 of 12 different texts begin with '<s>[INST] " in found
    assert "12 of 12 different texts have one of 2 values behind '[/INST]' at their end ('late', 'lost')" in found


def test_lists_of_mentions_are_named_as_slots() -> None:
    """The way to the label of the first mention was shown, which is none of the text."""
    rows = [
        f'{{"text": "{text}", "entity_mentions": [{{"start": 3, "end": 4, "entity_type": "x"}}]}}\n' for text in TEXTS
    ]
    notes = read_corpus("".join(rows).encode(), "a.jsonl").notes
    assert (
        "Keys with lists or objects were left out: 'entity_mentions'. If 'entity_mentions' holds spans, read the "
        'file for slots, with their places in the text as in "spans": [[3, 7, "city"]].'
    ) in notes
