"""A small project on which three people differ, whose figures can be counted by hand."""

from __future__ import annotations

from support.app.app_studio import LOGIC, RULES

from re2nn_core.store import ProjectRecord, Store, create_project, flag, record_label, texts_of
from re2nn_core.text.corpus import Corpus, Example

# The project, and the ids of its texts.
Made = tuple[ProjectRecord, list[int]]

# (text, label it came with, what Ann, Bob and Cleo say of it, in this order of time)
IN_WORDS: tuple[tuple[str, str | None, tuple[tuple[str, str], ...]], ...] = (
    ("book a flight to rome", "flight", (("Ann", "flight"), ("Bob", "flight"))),
    ("my bag is lost on the flight", None, (("Ann", "flight"), ("Bob", "baggage"))),
    ("good morning", None, (("Ann", "baggage"), ("Bob", "baggage"), ("Cleo", "flight"))),
    ("to new york please", "flight", ()),
    ("fly me to paris", None, (("Ann", "flight"),)),
    ("where is my suitcase", "baggage", ()),  # flagged by Bob
    ("bags to rome", None, ()),
)


def conflict_project(store: Store, name: str = "Conflicts") -> Made:
    """The project, and the ids of its texts."""
    made = create_project(
        store,
        name=name,
        examples=Corpus(tuple(Example(text, gold, "train") for text, gold, _ in IN_WORDS)),
        rules_text=RULES,
        logic_text=LOGIC,
        author="Dora",
    )
    ids = [text.id for text in texts_of(store, made.id)]
    for text_id, (_, _, said) in zip(ids, IN_WORDS, strict=True):
        for person, label in said:
            record_label(store, text_id, label, person)
    flag(store, ids[5], "Bob", "=unclear")
    return made, ids
