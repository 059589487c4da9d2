"""Slots that are wrong: spans by offsets, and tags word by word."""

from __future__ import annotations

from typing import Any

from exchange.bad_file import BadFile, content, lines

SLOT = {"text": "to oslo", "spans": [[3, 7, "city"]]}


def slot(name: str, spans: Any, said: str) -> BadFile:
    """JSON lines of a good text and one with these spans."""
    return BadFile(
        name, lines(SLOT, {"text": "from new york", "spans": spans}), (f"line 2: {said}",), ("to oslo",), "slots"
    )


SPANS = [
    slot("name.jsonl", [[5, 13, "s" * 300]], f"the slot {'s' * 40!r} has 300 characters; at most 200"),
    BadFile(
        "long.conll",
        content(b"fly O\n\n" + b"x" * 10_000_000 + b" O\n"),
        ("line 3: column 'text' has 10,000,000 characters, more than the 1,000,000 a cell may have",),
        ("fly",),
        "slots",
    ),
    slot("beyond.jsonl", [[5, 40, "city"]], '[5, 40, "city"] ends past the text, which has 13 characters'),
    slot(
        "negative.jsonl", [[-1, 4, "city"]], "'spans', place 1: '-1' is no offset: a whole number from 0 on is expected"
    ),
    slot("backwards.jsonl", [[8, 5, "city"]], "'spans', place 1: a span has a start from 0 on and an end after it"),
    slot("nothing.jsonl", [[5, 5, "city"]], "a span has a start from 0 on and an end after it"),
    slot("word.jsonl", [["five", 8, "city"]], "'spans', place 1: 'five' is no offset"),
    slot("float.jsonl", [[5.0, 8.5, "city"]], "'spans', place 1: '8.5' is no offset"),
    slot("boolean.jsonl", [[True, 8, "city"]], "'spans', place 1: true is no offset"),
    slot("vast.jsonl", [[5, 10**30, "city"]], "'spans', place 1: '1000"),
    slot("over.jsonl", [[5, 13, "a"], [9, 13, "b"]], '[5, 13, "a"] and [9, 13, "b"] overlap; a word fills one slot'),
    slot("inside.jsonl", [[6, 13, "city"]], "[6, 13, \"city\"] ('ew york') begins at 6, where no word begins"),
    slot("blank.jsonl", [[5, 13, " "]], "'spans', place 1: the name of a slot holds at least one character"),
    slot("shape.jsonl", {"start": 5}, "'spans' holds an object; a list such as"),
    BadFile(
        "tags.jsonl",
        lines(SLOT, {"tags": ["O"]}, {"tokens": ["a", "b"], "tags": ["O"]}, {"tokens": ["a"], "tags": ["I-city"]}),
        ("line 2: 'tokens' is missing", "line 3: has 2 words but 1 tag", "I- tag that continues no span"),
        ("to oslo", "a"),
        "slots",
    ),
    BadFile(
        "inside.conll",
        content("to O\noslo I-city\n\nfly O\n"),
        ("1 text with an I- tag that continues no span of its slot, read as B- as conlleval does",),
        ("to oslo", "fly"),
        "slots",
    ),
    BadFile(
        "columns.conll",
        content("to O\noslo\n\nfly B-verb\n"),
        ("line 2: has one column, 'oslo'; a word and its tag are expected, so add the tag (O for none)",),
        ("fly",),
        "slots",
    ),
    BadFile(
        "odd_tag.conll",
        content("to X\n\nfly B-verb\n"),
        ("line 1: 'X' is no tag; O, B-slot or I-slot",),
        ("fly",),
        "slots",
    ),
    BadFile(
        "one.conll",
        content("to O\noslo B-city\n" * 150),
        ("'one.conll' is one sentence of 300 words from line 1 to line 300: it has no blank line between its lines.",),
        None,
        "slots",
    ),
]
