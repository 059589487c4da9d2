"""The texts of one reconstruction with what the network and the rules say of them: each text is asked about once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all, read_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.tree import Node
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.tokenization import words_of_all

Places = NDArray[np.int64]  # of texts in the corpus
MOST_UNLABELLED = 5_000


class PredictLabels(Protocol):
    """What a reconstruction asks of the network."""

    def __call__(self, texts: Sequence[str], /) -> Sequence[str | None]:
        """The label of each text; None where the network gives none."""


class SentenceMatches:
    """Which trees accept which of some sentences; each tree reads them once."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self.sentences = sentences
        self._known: dict[Node, NDArray[np.bool_]] = {}

    def of(self, trees: Sequence[Node], names: Sequence[str] = ()) -> NDArray[np.bool_]:
        """[sentences, trees]: True where the tree accepts the sentence. StateBudgetError names a tree of too many
        positions."""
        asked = zip(trees, names or ("",) * len(trees), strict=True)
        new = {tree: name for tree, name in asked if tree not in self._known}
        if new:
            found = RuleMatcher(list(new), list(new.values())).matched(self.sentences)
            self._known.update(zip(new, found.T, strict=True))
        columns = [self._known[tree] for tree in trees]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.sentences), 0), dtype=np.bool_)


@dataclass(frozen=True)
class ReadRules:
    """Rules and label logic as read, with matches [texts, rules] and the label that they give each text."""

    ruleset: RuleSet
    logic: LabelLogic
    matches: NDArray[np.bool_]
    indices: NDArray[np.int64]  # [texts]: into the labels of the logic, -1 for no prediction

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(rule.name for rule in self.ruleset.rules)

    @property
    def predictions(self) -> list[str | None]:
        """The label of each text."""
        return [None if index < 0 else self.logic.labels[index] for index in self.indices]


@dataclass(frozen=True)
class PredictedTexts:
    """A corpus with its predictions. Words are chosen on the `choosing` texts, of which the first `dev` decide, in
    `turns` where they are all labelled texts; `splits` are measured. `by_network`: the label of each text, None too for
    texts that nothing asks about."""

    corpus: Corpus
    choosing: Places
    dev: int
    turns: bool
    splits: tuple[tuple[str, Places], ...]
    matches: SentenceMatches
    by_network: tuple[str | None, ...] = field(repr=False)

    @property
    def sentences(self) -> list[Sequence[str]]:
        """The words of the choosing texts."""
        return [self.matches.sentences[place] for place in self.choosing]

    @property
    def is_dev(self) -> NDArray[np.bool_]:
        """[choosing texts]"""
        return np.arange(len(self.choosing)) < self.dev

    @property
    def is_unlabelled(self) -> NDArray[np.bool_]:
        """[choosing texts]"""
        return np.asarray([self.corpus.examples[place].label is None for place in self.choosing], dtype=np.bool_)

    def chosen_labels(self, labels: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[choosing texts] each: the texts' own labels and the network's, as indices into `labels`; of an unlabelled
        text the network's is its own."""
        gold = [self.corpus.examples[place].label or self.by_network[place] for place in self.choosing]
        return _indices(gold, labels), _indices([self.by_network[place] for place in self.choosing], labels)

    def read(self, rules_text: str, logic_text: str, *, lowercase: bool, file: str = "<rules>") -> ReadRules:
        """Rules and logic over all texts. RuleError, LogicError."""
        ruleset = read_rules(rules_text, file=file, lowercase=lowercase).ruleset
        logic = read_logic(logic_text, ruleset, format="toml", file="<logic>")
        names = [rule.name for rule in ruleset.rules]
        matches = self.matches.of([rule.expanded for rule in ruleset.rules], names)
        indices = np.asarray(decide_all(logic, names, matches), dtype=np.int64)
        return ReadRules(ruleset, logic, matches, indices)


def predicted_texts(bundle: Bundle, corpus: Corpus, predict: PredictLabels) -> PredictedTexts:
    """The texts of a corpus, each predicted once. InputError where no text has a label that the network can give."""
    dev, labelled, turns = _labelled_places(corpus)
    check_network_labels(bundle, Corpus(tuple(corpus.examples[place] for place in labelled)))
    choosing = np.concatenate([labelled, _unlabelled_places(corpus)])
    splits = [("dev", dev), *((split, _of_split(corpus, split)) for split in ("train", "test"))]
    asked = sorted({int(place) for places in (choosing, *(own for _, own in splits)) for place in places})
    texts = corpus.texts
    given = dict(zip(asked, predict([texts[place] for place in asked]), strict=True))
    return PredictedTexts(
        corpus,
        choosing,
        len(dev),
        turns,
        tuple((name, places) for name, places in splits if len(places)),
        SentenceMatches(words_of_all(texts, bundle.tokenization)),
        tuple(given.get(place) for place in range(len(corpus))),
    )


def check_network_labels(bundle: Bundle, corpus: Corpus) -> None:
    """InputError where not one text has a label that the network can give: it is the network of something else."""
    given = sorted({example.label for example in corpus if example.label is not None})
    known = bundle.network.logic.labels
    if not set(given) & set(known):
        raise InputError(
            f"None of these texts has a label that the network can give: theirs are {first_names(given, 5)}, "
            f"the network's {first_names(known, 5)}.\n"
            "This may be the network of another project. Give it texts of its own."
        )


def _labelled_places(corpus: Corpus) -> tuple[Places, Places, bool]:
    """The places of (dev texts, dev texts and then train texts), those with a label; where there are no dev texts, all
    labelled ones but those of test, and True."""
    labelled = [place for place, example in enumerate(corpus) if example.label is not None]
    if not labelled:
        raise InputError(
            "None of the texts has a label, so no threshold can be chosen.\nLabel some texts, or give a labelled file."
        )
    split_of = [example.split for example in corpus]
    dev = [place for place in labelled if split_of[place] == "dev"]
    train = [place for place in labelled if split_of[place] in ("train", None)]
    every = train or labelled
    pair = (dev, [*dev, *train]) if dev else (every, every)
    return np.asarray(pair[0], dtype=np.int64), np.asarray(pair[1], dtype=np.int64), not dev


def _unlabelled_places(corpus: Corpus) -> Places:
    """The places of texts without a label, outside of dev and test: what the network predicts of them is to be kept,
    too. Of very many an even share."""
    found = [place for place, one in enumerate(corpus) if one.label is None and one.split in ("train", None)]
    return np.asarray(found[:: len(found) // MOST_UNLABELLED + 1], dtype=np.int64)


def _of_split(corpus: Corpus, split: str) -> Places:
    return np.asarray([place for place, example in enumerate(corpus) if example.split == split], dtype=np.int64)


def _indices(predictions: Sequence[str | None], labels: Sequence[str]) -> NDArray[np.int64]:
    places = {label: place for place, label in enumerate(labels)}
    # -2 for a label the rules do not know, so that it is never equal to "no prediction", -1.
    return np.asarray([-1 if a is None else places.get(a, -2) for a in predictions], dtype=np.int64)
