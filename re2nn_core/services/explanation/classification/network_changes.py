"""The smallest change of a sentence that changes what a network predicts: a search within a given budget.

All changes of one word are tried with every word that the network can tell apart; then changes of two words, which go
on from the most promising ones. What was looked at is counted, so that "nothing smaller" is said only where it is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.automata.alphabet import stand_in
from re2nn_core.errors import InputError
from re2nn_core.explain.changes import Change, Edit, changed
from re2nn_core.explain.flips import BRINGING, TAKING, Kinds
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.services.explanation.classification.network_explanation import batch_of, predictions
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary
from re2nn_core.text.word_patterns.classes import unnamed_example

NETWORK_BUDGET = 20_000  # sentences
CONTEXT_BUDGET = 400  # where the encoder has to read each of them
PASSED = "Not everything was tried: the budget of the search was used up; a larger one may find more."
PASSED_AMONG_PAIRS = (
    "Of the changes of two words not all were tried that were to be: the budget of the search was used up; a larger "
    "one may find more."
)
_AT_ONCE = 2_048
_GO_ON = 8  # changes of one word from which those of two go on
Words = tuple[str, ...]
# From sentences, longest first, to whether each is wanted [sentences], and how near each comes [sentences].
ChangeTest = Callable[[Sequence[Words]], tuple[NDArray[np.bool_], NDArray[np.float64]]]


@dataclass(frozen=True)
class NetworkSearch:
    """`complete`: all changes of so many words were tried without one that is wanted. `everything`: the budget kept no
    change of one word from being tried, where that was needed; `every_pair` the same of those of two words that go on
    from the likeliest."""

    change: Change | None
    complete: int
    looked_at: int
    everything: bool
    every_pair: bool = True

    @property
    def note(self) -> str:
        """What the budget left out, in words; empty where it left out nothing."""
        if not self.everything:
            return PASSED
        return "" if self.every_pair else PASSED_AMONG_PAIRS


def label_test(bundle: Bundle, wanted: int | None, given: int) -> ChangeTest:
    """For label numbers: `wanted`, or any but `given` where it is None."""
    contexts = Contexts()

    def test(sentences: Sequence[Words]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        found = predictions(bundle, batch_of(bundle, sentences, contexts))
        objective = given if wanted is None else wanted
        rest = (
            np.delete(found.scores, objective, axis=1).max(1, initial=-np.inf) if objective >= 0 else 0.0 * found.labels
        )
        own = found.scores[:, objective] if objective >= 0 else found.scores.max(1)
        if wanted is None:
            return found.labels != given, np.asarray(rest - own if objective >= 0 else own)
        return found.labels == wanted, np.asarray(own - rest)

    return test


def smallest_network_change(
    sentence: Sequence[str],
    words: Sequence[str],
    test: ChangeTest,
    *,
    seeds: Sequence[Change] = (),
    budget: int = NETWORK_BUDGET,
    bringing: bool = False,
) -> NetworkSearch:
    """The smallest change found that is wanted. `words`: those that may be put in, the likeliest first; `seeds`:
    changes to be tried before all others; `budget`: sentences that are tried at the most; `bringing`: a certain
    prediction is wanted, not just another one."""
    seeds = [seed for seed in seeds if seed.edits][:budget]
    best = _best_seed(seeds, test)
    looked_at = len(seeds)
    if bringing and best is not None and len(best) == 1:
        return NetworkSearch(best, 0, looked_at, True)
    kinds = BRINGING if bringing else TAKING
    left = budget - looked_at
    fitting = _fitting(sentence, words, left)
    # Even the words that go may be more than the budget has left.
    first, tried, near = _try_all(list(islice(_edited(sentence, fitting), left)), test, kinds)
    looked_at += tried
    every = len(fitting) == len(words) and len(sentence) <= left
    if first is not None:
        return NetworkSearch(first, 0, looked_at, every)
    complete = 1 if every else 0
    if best is not None and len(best) <= 2:
        return NetworkSearch(best, complete, looked_at, every)
    every_pair = True
    for onward in near:
        again = _fitting(onward.words, words, budget - looked_at)
        every_pair = len(again) == len(words)
        if not again:
            break
        second, tried, _ = _try_all([_after(onward, more) for more in _edited(onward.words, again)], test, kinds)
        looked_at += tried
        if second is not None:
            return NetworkSearch(second, complete, looked_at, every, every_pair)
    return NetworkSearch(best, complete, looked_at, every, every_pair)


def _best_seed(seeds: Sequence[Change], test: ChangeTest) -> Change | None:
    ordered = sorted(seeds, key=lambda change: -len(change.words))
    if not ordered:
        return None
    fine, _ = test([change.words for change in ordered])
    return min(
        (change for change, good in zip(ordered, fine, strict=True) if good and change.edits), key=len, default=None
    )


def _fitting(sentence: Sequence[str], words: Sequence[str], budget: int) -> Sequence[str]:
    """As many of the words as the budget allows to try at every place."""
    places = 2 * len(sentence) + 1
    return words[: max(0, budget - len(sentence)) // places]


def _edited(sentence: Sequence[str], words: Sequence[str]) -> Iterator[Change]:
    """All changes of one word: words left out, then replaced, then put in."""
    for place, old in enumerate(sentence):
        yield changed(sentence, [Edit("delete", place, old, None)])
    for place, old in enumerate(sentence):
        for word in words:
            if word != old:
                yield changed(sentence, [Edit("replace", place, old, word)])
    for place in range(len(sentence) + 1):
        for word in words:
            yield changed(sentence, [Edit("insert", place, None, word)])


def _after(first: Change, second: Change) -> Change:
    """Two changes one after the other, told as edits one after the other."""
    return Change((*first.edits, *second.edits), second.words)


def _try_all(changes: list[Change], test: ChangeTest, kinds: Kinds) -> tuple[Change | None, int, list[Change]]:
    """The best of the changes that are wanted, how many were tried, and those that come nearest."""
    ordered = sorted(changes, key=lambda change: -len(change.words))
    nearness = np.full(len(ordered), -np.inf)
    good: list[int] = []
    for begin in range(0, len(ordered), _AT_ONCE):
        part = ordered[begin : begin + _AT_ONCE]
        fine, near = test([change.words for change in part])
        nearness[begin : begin + len(part)] = near
        good += (begin + np.flatnonzero(fine)).tolist()
    found = min(
        good, key=lambda place: (kinds.index(ordered[place].edits[-1].kind), -nearness[place], place), default=None
    )
    promising = np.argsort(-nearness, kind="stable")[:_GO_ON]
    return None if found is None else ordered[found], len(ordered), [ordered[place] for place in promising.tolist()]


def words_to_try(bundle: Bundle, first: Sequence[str] = ()) -> list[str]:
    """A word for each way in which the network reads words, `first` ones in front, then by how frequent they are."""
    return distinguishable_words(
        bundle.vocabulary, [reader for one in bundle.networks for reader in one.readers], first
    )


def distinguishable_words(vocabulary: Vocabulary, readers: Sequence[RecurrentLayer], first: Sequence[str]) -> list[str]:
    """Words of which no two are the same to all readers, and one for each kind of unknown word."""
    with torch.no_grad():
        numbers = torch.arange(len(vocabulary), device=readers[0].start.device)
        terms = np.concatenate([reader.word_terms(numbers).cpu().numpy() for reader in readers], axis=1)
    known = frozenset(vocabulary.words)
    order = [*(vocabulary.index[word] for word in first if word in vocabulary.index), *range(len(vocabulary))]
    found: dict[bytes, str] = {}
    for number in order:
        word = vocabulary.words[number]
        shown = stand_in(number, known) if word in UNKNOWN_KINDS[number:][:1] else unnamed_example(word, known)
        found.setdefault(terms[number].tobytes(), shown)
    return list(found.values())


def check_budget(budget: int | None) -> None:
    """InputError for a budget that allows nothing."""
    if budget is not None and budget < 1:
        raise InputError(
            f"The budget of the search must be 1 change or more (got {budget}). Leave it out for the usual one."
        )


def budget_of(bundle: Bundle) -> int:
    """How many sentences may be tried for a network."""
    return CONTEXT_BUDGET if bundle.network.reader.takes_context else NETWORK_BUDGET
