"""Votes counted without running rules: the same spans as the rules give."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest

from re2nn_core.proposals.slot_filling.claims import Claims
from re2nn_core.proposals.slot_filling.votes import Votes, new_votes
from re2nn_core.proposals.slot_filling.word_row import span_row, word_row
from re2nn_core.services.rule_systems.slot_filling.reading_choice import among_readings
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.spans import Span, token_spans
from re2nn_core.text.tokenization import Tokenization

WORDS = ("a", "b", "c", "d", "5")
SLOTS = ("x", "y", "z")


@pytest.mark.parametrize("longest", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_rules_of_values_give_the_same_spans(longest: bool, seed: int) -> None:
    drawn = random.Random(seed)
    sentences = [tuple(drawn.choices(WORDS, k=drawn.randint(1, 7))) for _ in range(40)]
    rules = [
        (drawn.choice(SLOTS), [tuple(drawn.choices(WORDS, k=drawn.randint(1, 3))) for _ in range(drawn.randint(1, 3))])
        for _ in range(6)
    ]
    text = "".join(f"$* [ {' | '.join(map(' '.join, values))} ]<{slot}> $*\n" for slot, values in rules)
    named = {slot for slot, _ in rules}
    priorities = [("z", "x")] if seed % 2 and named >= {"x", "z"} else []
    logic = 'priorities = ["z > x"]\n' if priorities else ""
    system, _ = read_slot_system(text, f"{logic}longest = {str(longest).lower()}\n", Tokenization())
    row = word_row(sentences, np.zeros(len(sentences), dtype=np.int64))
    gold = span_row(row, [() for _ in sentences], SLOTS)
    votes = new_votes(
        row,
        SLOTS,
        gold,
        longest=longest,
        divide=partial(among_readings, longest=longest),
        named=system.tags,
        priorities=priorities,
    )
    for slot, values in rules:
        claims = _claims(row.begins.tolist(), sentences, slot, values)
        if len(claims):
            votes.add(claims)
    expected = [token_spans(tags) for tags in system.tags_of_words(sentences)]
    assert _given(votes, len(sentences)) == expected


def _claims(begins: list[int], sentences: list[tuple[str, ...]], slot: str, values: list[tuple[str, ...]]) -> Claims:
    found = [
        (begin + place, len(value))
        for begin, words in zip(begins, sentences, strict=True)
        for value in values
        for place in range(len(words) - len(value) + 1)
        if words[place : place + len(value)] == value
    ]
    start, length = np.asarray(found, dtype=np.int64).reshape(-1, 2).T
    zero = np.zeros(len(start), dtype=np.int64)
    return Claims(zero, start, length, zero + SLOTS.index(slot), zero, zero == 0, zero == 1)


def _given(votes: Votes, texts: int) -> list[tuple[Span, ...]]:
    starts = np.flatnonzero(votes.spans_now()[0])
    found: list[list[Span]] = [[] for _ in range(texts)]
    for start in starts.tolist():
        text = int(votes.row.text[start])
        begin = start - int(votes.row.begins[text])
        slot = votes.slots[votes.slot[start]]
        found[text].append(Span(begin, begin + int(votes.length[start]), slot))
    return [tuple(spans) for spans in found]
