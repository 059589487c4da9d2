"""Texts as numbers, read by many machines one after the other.

Each distinct word is looked up once for each machine; then all texts take a step together, a column of words at a
time. `Matcher` (automata/matcher.py) reads texts with many machines at once; here one machine after the other is
tried, and its way of remembering rows would cost more than it saves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.automata.minimize import DEAD
from re2nn_core.text.vocabulary import unknown_kind

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NumberedTexts:
    """`words`: each distinct word's number; `kinds` [words]: the column that a machine has for a word that it does not
    name; `columns` [longest, texts]: the number of each word, texts by falling length; `running` [longest]: how many
    texts have such a word; `order` [texts]: where each of these texts stands among those that were given."""

    words: dict[str, int]
    kinds: Integers
    columns: Integers
    running: tuple[int, ...]
    order: Integers

    def __len__(self) -> int:
        return len(self.order)

    def matched(self, machine: ExactDfa) -> Bools:
        """[texts]: whether the machine accepts the text."""
        column = self.kinds.copy()  # [words]
        for group, named in enumerate(machine.alphabet):
            column[[self.words[word] for word in named if word in self.words]] = OTHER_COLUMNS + group
        dead = len(machine)
        table = np.asarray([*machine.table, [dead] * len(machine.table[0])], dtype=np.int64)
        table[table == DEAD] = dead
        states = np.zeros(len(self), dtype=np.int64)
        for words, running in zip(self.columns, self.running, strict=True):
            states[:running] = table[states[:running], column[words[:running]]]
        final = np.zeros(dead + 1, dtype=np.bool_)
        final[list(machine.finals)] = True
        matched = np.empty(len(self), dtype=np.bool_)
        matched[self.order] = final[states]
        return matched


def number_texts(sentences: Sequence[Sequence[str]]) -> NumberedTexts:
    """Sentences of words as numbers."""
    words: dict[str, int] = {}
    coded = [[words.setdefault(word, len(words)) for word in sentence] for sentence in sentences]
    lengths = np.asarray([len(sentence) for sentence in coded], dtype=np.int64)
    order = np.argsort(-lengths, kind="stable")
    columns = np.zeros((int(lengths.max(initial=0)), len(coded)), dtype=np.int64)
    for place, text in enumerate(order.tolist()):
        columns[: len(coded[text]), place] = coded[text]
    running = tuple(int((lengths > time).sum()) for time in range(len(columns)))
    kinds = np.asarray([unknown_kind(word) for word in words], dtype=np.int64)
    return NumberedTexts(words, kinds, columns, running, order)
