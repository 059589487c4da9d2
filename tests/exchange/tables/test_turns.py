"""Conversations: the text is what the user says first, whatever speakers are called; without speakers it is reported
that the same turn of each one was taken."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from tests.exchange.tables.test_column_reports import columns_of

USER, AGENT = "where is my parcel {}", "thank you for calling our friendly service today, {}"
ROWS = 12


def said(role: str, number: int) -> str:
    return (USER if role == "user" else AGENT).format(number)


def one_key(key: str, text_key: str, names: dict[str, str]) -> object:
    """A maker of turns with the speaker under a key."""
    return lambda role, number: {key: names.get(role, role), text_key: said(role, number)}


MAKERS = {
    "OpenAI": one_key("role", "content", {}),
    "ShareGPT": one_key("from", "value", {"user": "human", "assistant": "gpt"}),
    "dialogues": one_key("speaker", "utterance", {"user": "USER", "assistant": "SYSTEM"}),
    "helpdesk": lambda role, number: {
        "author": {"role": {"user": "end-user"}.get(role, "agent"), "name": "Tom"},
        "body": said(role, number),
    },
    "chat": lambda role, number: {
        "author": {"type": {"user": "contact"}.get(role, "admin")},
        "body": said(role, number),
    },
    "mail": lambda role, number: {"incoming": role == "user", "body_text": said(role, number)},
    "types": lambda role, number: {
        "type": {"user": "human", "assistant": "ai"}.get(role, role),
        "data": {"content": said(role, number)},
    },
    "parts": lambda role, number: {
        "role": role,
        "content": [{"type": "text", "text": said(role, number)}] if number % 2 else said(role, number),
    },
}
ORDERS = [("assistant", "user"), ("user", "assistant"), ("system", "user", "assistant"), ("assistant", "user", "user")]


def conversations(maker: object, roles: tuple[str, ...], key: str = "messages") -> list[dict[str, object]]:
    """Rows of conversations, in some of which the first speaker is missing."""
    rows = []
    for number in range(ROWS):
        here = roles if number % 3 or roles[0] == "user" else roles[1:]
        turns = [maker(role, number) for role in here]  # type: ignore[operator]
        rows.append({"id": number, "source": "web", key: turns, "label": ("late", "other")[number % 2]})
    return rows


def check_user_texts(read: CorpusRead) -> None:
    assert [e.text for e in read.corpus] == [said("user", number) for number in range(ROWS)]
    assert read.columns is not None
    assert read.bad_rows == ()
    (remark,) = [one for one in read.columns.remarks if "turn" in one]
    assert remark.startswith(
        "The texts are the first turn of the user in each conversation. If others are meant, choose"
    )


@pytest.mark.parametrize("roles", ORDERS)
@pytest.mark.parametrize("shape", MAKERS)
def test_the_text_of_a_conversation_is_what_the_user_says_first(shape: str, roles: tuple[str, ...]) -> None:
    """The longest or the first turn became the text, that of the assistant or of the system among them."""
    rows = conversations(MAKERS[shape], roles)
    read = read_corpus("\n".join(map(json.dumps, rows)).encode(), "chat.jsonl")
    check_user_texts(read)
    assert read.corpus.labels == ("late", "other")


@pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"version": 1, "data": rows}])
def test_conversations_of_one_json_value(wrap: object) -> None:
    rows = conversations(MAKERS["OpenAI"], ORDERS[0])
    check_user_texts(read_corpus(json.dumps(wrap(rows)).encode(), "chat.json"))  # type: ignore[operator]


def test_conversations_of_parquet() -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(conversations(MAKERS["OpenAI"], ORDERS[2])), sink)
    check_user_texts(read_corpus(sink.getvalue().to_pybytes(), "chat.parquet"))


def test_lines_that_are_lists_of_turns() -> None:
    rows = [row["messages"] for row in conversations(MAKERS["OpenAI"], ORDERS[0])]
    check_user_texts(read_corpus("\n".join(map(json.dumps, rows)).encode(), "chat.jsonl"))


def test_turns_with_their_speakers_as_keys() -> None:
    rows = [
        {"chat": [{"bot": said("assistant", n), "user": said("user", n)}, {"bot": "sorry"}], "label": "ab"[n % 2]}
        for n in range(ROWS)
    ]
    check_user_texts(read_corpus("\n".join(map(json.dumps, rows)).encode(), "chat.jsonl"))


@pytest.mark.parametrize("path", ["messages.first_assistant.content", "messages.1.content"])
def test_other_turns_can_be_chosen(path: str) -> None:
    rows = [{"messages": [MAKERS["OpenAI"](role, n) for role in ORDERS[1]]} for n in range(ROWS)]
    read = read_corpus("\n".join(map(json.dumps, rows)).encode(), "chat.jsonl", text_column=path)
    assert [e.text for e in read.corpus] == [said("assistant", number) for number in range(ROWS)]
    rows = [{"messages": [MAKERS["OpenAI"](role, n) for role in ORDERS[1]]} for n in range(ROWS)]
    (remark,) = columns_of("\n".join(map(json.dumps, rows)), "chat.jsonl").remarks
    assert "messages.first_assistant.content, messages.0.content (the first turn of any speaker)" in remark


def test_the_label_is_that_of_the_turn_that_is_read() -> None:
    """What is said of the turn of the assistant is no label of the user's."""
    acts = {"user": ("order", "ask"), "assistant": ("offer", "greet")}
    rows = [
        {"turns": [{"speaker": role, "utterance": said(role, n), "intent": acts[role][n % 2]} for role in ORDERS[0]]}
        for n in range(ROWS)
    ]
    read = read_corpus("\n".join(map(json.dumps, rows)).encode(), "chat.jsonl")
    assert read.corpus.labels == ("order", "ask")


def without_roles(names: tuple[str, str]) -> str:
    rows = [
        {"messages": [{"name": name, "text": f"{name} says number {n}"} for name in names], "label": "ab"[n % 2]}
        for n in range(ROWS)
    ]
    return "\n".join(map(json.dumps, rows))


def test_one_turn_of_conversations_without_roles_is_reported() -> None:
    chosen = columns_of(without_roles(("Ann", "Bob")), "chat.jsonl")
    (remark,) = [one for one in chosen.remarks if "speaker" in one]
    assert remark.startswith(f"'{chosen.texts[0]}' is at the same place of a list in each row, of any speaker.")
    assert "--text-column: messages." in remark


def test_named_entities_with_types_are_no_turns() -> None:
    rows = [
        {"text": f"text {n}", "things": [{"type": "user", "value": "Ann"}, {"type": "city", "value": "Rome"}]}
        for n in range(ROWS)
    ]
    chosen = columns_of("\n".join(map(json.dumps, rows)), "texts.jsonl")
    assert chosen.text == "text"
    assert not any("turn" in one for one in chosen.remarks)


def test_turns_without_words_are_passed_over() -> None:
    turns = [{"role": "user", "content": ""}, {"role": "user", "content": "where is it"}]
    rows = [{"messages": [*turns, {"role": "assistant", "content": f"here {n}"}]} for n in range(ROWS)]
    read = read_corpus(
        "\n".join(map(json.dumps, rows)).encode(), "chat.jsonl", text_column="messages.first_user.content"
    )
    assert {example.text for example in read.corpus} == {"where is it"}


@pytest.mark.parametrize("names", [("user", "assistant"), ("customer", "agent"), ("Human", "AI")])
def test_of_two_columns_of_what_each_says_that_of_the_user_is_the_text(names: tuple[str, str]) -> None:
    """The same answer of the assistant was the text of each row."""
    rows = [{names[0]: said("user", n), names[1]: AGENT, "intent": "ab"[n % 2]} for n in range(ROWS)]
    chosen = columns_of("\n".join(map(json.dumps, rows)), "chat.jsonl")
    assert (chosen.text, chosen.label) == (names[0], "intent")


def test_who_says_a_text_is_no_label_of_it() -> None:
    rows = [{"text": said("user", n), "role": ("prompter", "assistant")[n % 2]} for n in range(ROWS)]
    chosen = columns_of("\n".join(map(json.dumps, rows)), "chat.jsonl")
    assert chosen.label is None
    assert any("those of all in 'role' (assistant, prompter)" in remark for remark in chosen.remarks)
