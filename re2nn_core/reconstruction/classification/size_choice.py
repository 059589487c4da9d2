"""How many words a reconstruction is worth: machines and new phrases within a number of words, and no more of them than
texts that do not choose them confirm.

What a word must set right, its price, decides how many words there are. With each price machines and phrases are chosen
without the dev texts, and the price is taken with which most dev texts come out right, where every further word must be
worth SIZE_PENALTY of them; then they are chosen on all texts. Where there is no dev, the labelled texts take turns at
being held out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from re2nn_core.reconstruction.classification.fewer_words import FewerWords
from re2nn_core.reconstruction.classification.mined_phrases import (
    MOST,
    MOST_IN_TURNS,
    SIZE_PENALTY,
    TURNS,
    Bools,
    Integers,
    PhraseForLabel,
    best_count,
    mined_phrases,
    right_held_out,
    right_with,
    shares,
    words_named,
)
from re2nn_core.reconstruction.classification.threshold_choice import (
    Labels,
    OnProgress,
    ThresholdChoice,
    choose,
)
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all

PRICES = (0.5, 1.0, 2.0, 4.0)  # texts that a word must set right
UNLABELLED_SHARE = 0.1  # of a labelled text
WORDS_OF_PHRASE = 2  # about; a word in a rule that somebody wrote is easier to read
NOT_LOOKED_AT = -9  # as a text's label: it is never right


@dataclass(frozen=True)
class SizedChoice:
    """Machines and phrases within a number of words; `right` of the labelled texts come out right, `dev` of them are
    dev texts."""

    machines: ThresholdChoice
    phrases: tuple[PhraseForLabel, ...]
    words: int
    right: int
    dev: int


@dataclass(frozen=True, eq=False)
class SizeChoice:
    """What is chosen by: the machines by name, what they accept as they are written (written [texts, machines]), the
    labels of the texts and the network's (gold and by_network [texts]), which of the texts are dev texts, in `turns`
    all labelled ones (dev [texts]), and which are `unlabelled`, where gold is the network's label. `with_phrases`:
    whether phrases may become new rules."""

    names: Sequence[str]
    written: Bools
    machines: Sequence[FewerWords]
    sentences: Sequence[Sequence[str]]
    gold: Integers
    by_network: Integers
    dev: Bools
    unlabelled: Bools
    turns: bool
    with_phrases: bool

    def within(
        self, logic: LabelLogic, most_words: int, on_progress: OnProgress | None = None, stop: Stop | None = None
    ) -> SizedChoice:
        """The machines and phrases of the best price, which name no more words than that. Once `stop` is asked to, of
        the prices tried by then, and no phrases; at least one is tried."""
        prices, stop = (*PRICES, np.inf), stop or Stop()  # with the last one every machine stays as it is written
        values: list[float] = []
        for number, price in enumerate(prices):
            if values and stop.asked():
                break
            values.append(self._confirmed(logic, price, most_words))
            if on_progress is not None:
                on_progress(number + 1, len(prices) + 1)
        # Of equals the lowest price: a word in a rule that somebody wrote is better than a rule of its own.
        # What was not tried comes last: the higher a price, the fewer words.
        values += [-np.inf] * (len(prices) - len(values))
        for number in sorted(range(len(prices)), key=lambda number: (-values[number], number)):
            choice = self._choice(logic, prices[number], self.gold)
            if choice.words <= most_words:
                break
        finishing = replace(self, with_phrases=False) if stop.asked() else self
        return finishing._with_phrases(logic, choice, most_words)

    def _choice(self, logic: LabelLogic, price: float, gold: Integers) -> ThresholdChoice:
        options = [partial(machine.options, dev=self.dev, price=price) for machine in self.machines]
        return choose(logic, self.names, self.written, options, Labels(gold, self.by_network, self.dev), price=price)

    def _with_phrases(self, logic: LabelLogic, choice: ThresholdChoice, most_words: int) -> SizedChoice:
        predictions = decide_all(logic, self.names, choice.matched)
        phrases: tuple[PhraseForLabel, ...] = ()
        if self.with_phrases:
            left = most_words - choice.words
            phrases = mined_phrases(
                logic, self.sentences, predictions, self.gold, self.dev, turns=self.turns, most_words=left
            )
        right = right_with(logic, phrases, self.sentences, predictions, self.gold)[-1]
        return SizedChoice(
            choice, phrases, choice.words + words_named(phrases), int(right.sum()), int(right[self.dev].sum())
        )

    def _confirmed(self, logic: LabelLogic, price: float, most_words: int) -> float:
        """How many held-out texts come out right by machines and phrases of the others, less the penalty of words. What
        the network predicts of an unlabelled text counts UNLABELLED_SHARE of a label."""
        texts, words = int(self.dev.sum()), 0.0
        share = shares(self.gold, self.dev) if self.turns else self.dev.astype(np.int64) - 1
        share[np.flatnonzero(self.unlabelled)[::TURNS]] = 0
        counts = np.where(self.unlabelled, UNLABELLED_SHARE, 1.0)
        right = np.zeros(MOST + 1)
        turns = TURNS if self.turns and texts <= MOST_IN_TURNS else 1
        for turn in range(turns):
            own = share == turn
            choice = self._choice(logic, price, np.where(own, NOT_LOOKED_AT, self.gold))
            predictions = decide_all(logic, self.names, choice.matched)
            if self.with_phrases:
                left = max(0, most_words - choice.words)
                right += right_held_out(logic, self.sentences, predictions, self.gold, own, left) @ counts[own]
            else:
                right += counts[own] @ (predictions == self.gold)[own]
            words += choice.words / turns
        phrases = best_count(right, texts)
        return float(right[phrases]) - SIZE_PENALTY * texts * (words + WORDS_OF_PHRASE * phrases)
