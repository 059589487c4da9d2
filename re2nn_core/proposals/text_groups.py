"""Groups of texts that no rule matches and that carry no label: alike texts, by k-means on weighted words, each with
the phrases that tell it from the others; and phrases that chosen texts have in common.

A phrase must hold on texts of its group that it was not made from, as one of a label must (proposals/label_search.py).
Weights are those of G. Salton, C. Buckley: Term-weighting approaches in automatic text retrieval, Information
Processing and Management 24, 1988 (tf-idf, here with 0 and 1 for a word's frequency).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from re2nn_core.proposals.grouping import ProposedRule, grouped
from re2nn_core.proposals.label_guesses import word_matrix
from re2nn_core.proposals.label_order import LabelOrder
from re2nn_core.proposals.label_search import FoundPhrase, SearchedTexts, search_phrases
from re2nn_core.proposals.phrase_table import PhraseTable, find_phrase_table
from re2nn_core.proposals.phrases import END, ONE, SOME, START, Phrase
from re2nn_core.text.function_words import is_function_word
from re2nn_core.text.kinds import is_number

LEAST_TEXTS = 10  # in which groups are looked for
_GROUP_TEXTS, _MOST_GROUPS = 25, 40
_AXES = 50
_LARGEST = 0.2  # share of the texts that a group may have
_FREQUENT = 0.5  # share of the texts that hold a word which tells no groups apart
_LEAST_TOGETHER, _MORE_THAN_CHANCE = 2, 2.0
_SEED = 0
Integers = NDArray[np.int64]


def find_groups(sentences: Sequence[Sequence[str]], folds: Integers, *, most: int) -> list[ProposedRule]:
    """Rules for groups of texts, that of the largest first; their labels are numbers. `folds` [texts]."""
    if len(sentences) < LEAST_TEXTS:
        return []
    group = _groups(sentences)
    sizes = np.bincount(group)
    table = find_phrase_table(sentences)
    order = LabelOrder(tuple(map(str, range(len(sizes)))))
    texts = SearchedTexts(order, group, np.zeros((len(sentences), len(sizes)), dtype=np.bool_), folds)
    # What is left over is a group too, the largest of all: no phrase tells what it is about.
    fit = np.flatnonzero(sizes <= max(_LARGEST, 2 / len(sizes)) * len(sentences))
    found = search_phrases(table, texts, most=8 * most, together=16, chosen=np.isin(group, fit))
    distinct: dict[int, ProposedRule] = {}
    for rule in grouped(_of_one_subject(table, [one for one in found if _tells(one.phrase)], len(sentences))):
        distinct.setdefault(rule.label, rule)
    return list(distinct.values())[:most]


def _of_one_subject(table: PhraseTable, found: Iterable[FoundPhrase], texts: int) -> list[FoundPhrase]:
    """The first phrase of each group, and those that stand together with it in more texts than by chance: what is left
    of the other subjects in a group is no part of its rule."""
    first: dict[int, FoundPhrase] = {}
    kept = []
    for one in found:
        head = first.setdefault(one.label, one)
        own, others = table.texts_of(one.number), table.texts_of(head.number)
        both = len(np.intersect1d(own, others))
        chance = len(own) * len(others) / texts  # texts that hold both if one says nothing of the other
        if one is head or both >= max(_LEAST_TOGETHER, _MORE_THAN_CHANCE * chance):
            kept.append(one)
    return kept


def _tells(phrase: Phrase) -> bool:
    """Whether some word of the phrase tells what a text is about."""
    return not all(part in (START, ONE, SOME, END) or is_function_word(part) for part in phrase)


def _groups(sentences: Sequence[Sequence[str]]) -> Integers:
    """[texts]: the group of each."""
    # Imported here: scikit-learn takes a second to load, and other proposals do without it.
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    names, words = word_matrix(sentences)
    held = np.asarray(words.sum(axis=0)).ravel()
    telling = [not (is_number(name) or is_function_word(name)) for name in names]
    weights = np.log(len(sentences) / np.maximum(held, 1)) * np.asarray(telling, dtype=np.float64)
    weights[held > _FREQUENT * len(sentences)] = 0
    rows = normalize(words @ sparse.diags(weights))
    if min(rows.shape) > _AXES:  # words that stand in like texts come together, so that groups get larger
        rows = normalize(TruncatedSVD(_AXES, random_state=_SEED, n_iter=2).fit_transform(rows))
    groups = int(np.clip(len(sentences) // _GROUP_TEXTS, 2, _MOST_GROUPS))
    fitted = MiniBatchKMeans(groups, random_state=_SEED, n_init=3, batch_size=1024).fit(rows)
    return np.asarray(fitted.labels_, dtype=np.int64)


def common_phrases(sentences: Sequence[Sequence[str]], chosen: Integers, *, most: int) -> list[Phrase]:
    """Phrases that chosen texts have in common: those of most of them and of few other texts first. One that has the
    words of one before it, or some of them, is left out. `chosen`: places."""
    table = find_phrase_table(sentences)
    mine = np.zeros(len(sentences), dtype=np.bool_)
    mine[chosen] = True
    owners = np.repeat(np.arange(len(table)), np.diff(table.begins))
    own = np.bincount(owners, mine[table.texts], minlength=len(table))
    every = np.diff(table.begins)
    worth = own * np.log(len(sentences) / np.maximum(every, 1)) - 0.1 * np.asarray(list(map(len, table.phrases)))
    worth[own < min(2, len(chosen))] = -np.inf
    kept: list[int] = []
    words: set[frozenset[str]] = set()
    for number in np.argsort(-worth, kind="stable").tolist():
        if len(kept) == most or worth[number] <= 0:
            break
        phrase = table.phrases[number]
        if not _tells(phrase) or (SOME in phrase and any(map(is_function_word, phrase))):
            continue
        named = frozenset(phrase) - {START, ONE, SOME, END}
        if not any(named <= before or before <= named for before in words):
            words.add(named)
            kept.append(number)
    return [table.phrases[number] for number in kept]
