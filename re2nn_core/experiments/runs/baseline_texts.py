"""The texts of an experiment as a baseline reads them: words as numbers, labels or tags, what the rules say of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from re2nn_core.baselines.texts import SILENT, RuleFeatures
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import OUTSIDE
from re2nn_core.text.tagged_texts import known_tags, tagged_texts
from re2nn_core.text.tokenization import Tokenization, words_of_all

Words = tuple[str, ...]


@dataclass(frozen=True)
class Read:
    """Texts before they are numbers: words, what people say of each unit (None: nobody has), and what the rules say."""

    words: list[Words]
    gold: list[list[str] | None]
    rule_features: list[RuleFeatures]


class LabelTexts:
    """Texts with labels. `labels`: those of the rules, then those that are only learned."""

    def __init__(self, system: RuleSystem, learned: Sequence[str]) -> None:
        self.system = system
        self.names = tuple(dict.fromkeys([*system.logic.labels, *sorted(set(learned))]))
        self.rule_tags = len(system.rule_names) + len(system.logic.labels)
        self.rule_words = system.ruleset.words

    def read(self, examples: Sequence[Example]) -> Read:
        """Rule tags of a text: the rules that accept it, and the label that they come to."""
        texts = [example.text for example in examples]
        words = [tuple(one) for one in words_of_all(texts, self.system.tokenization)]
        matched, predictions = self.system.matched(texts), self.system.prediction_indices(texts)
        labels = np.eye(len(self.system.logic.labels) + 1, dtype=np.float32)[predictions, :-1]  # SILENT: the last row
        features = np.concatenate([matched.astype(np.float32), labels], 1)
        rule_features = [RuleFeatures(features[n : n + 1], predictions[n : n + 1]) for n in range(len(texts))]
        return Read(words, [None if e.label is None else [e.label] for e in examples], rule_features)

    def predicted(self, examples: Sequence[Example]) -> tuple[Example, ...]:
        """The texts that the rules predict, with their predictions."""
        predictions = self.system.predictions([example.text for example in examples])
        return tuple(replace(e, label=a) for e, a in zip(examples, predictions, strict=True) if a is not None)


class UnruledTexts:
    """Texts with labels where there are no rules: these say nothing of any text."""

    def __init__(self, tokenization: Tokenization, learned: Sequence[str]) -> None:
        self.tokenization = tokenization
        self.names = tuple(sorted(set(learned)))
        self.rule_tags = 0
        self.rule_words = frozenset[str]()

    def read(self, examples: Sequence[Example]) -> Read:
        """Words and labels."""
        words = [tuple(one) for one in words_of_all([example.text for example in examples], self.tokenization)]
        nothing = RuleFeatures(np.zeros((1, 0), dtype=np.float32), np.full(1, SILENT, dtype=np.int64))
        return Read(words, [None if e.label is None else [e.label] for e in examples], [nothing] * len(words))


class SlotTexts:
    """Texts with spans. `names`: O, the rules' tags, then those that are only learned."""

    def __init__(self, system: SlotSystem, learned: Sequence[Example]) -> None:
        self.system = system
        tags = known_tags(tagged_texts(learned, system.tokenization))
        self.names = tuple(dict.fromkeys([OUTSIDE, *(tag for tag in system.tags if tag != WILDCARD), *tags]))
        self.rule_tags = 2 * len(self.names)
        self.rule_words = system.ruleset.words
        self._index = {name: number for number, name in enumerate(self.names)}

    def read(self, examples: Sequence[Example]) -> Read:
        """Rule tags of a word: those that rules claim for it, and the one that they come to. O is what rules say that
        say nothing, so it is no prediction of theirs."""
        marked = tagged_texts(examples, self.system.tokenization)
        words = [text.words for text in marked]
        rule_features = []
        for own, readings in zip(words, self.system.readings(words), strict=True):
            decided = [self._index[tag] for tag in self.system.decide(own, readings)]
            features = np.zeros((len(own), self.rule_tags), dtype=np.float32)
            for reading in readings:
                for place, claims in enumerate(reading.sets):
                    features[place, [self._index[tag] for tag in claims if tag != WILDCARD]] = 1
            features[np.arange(len(own)), len(self.names) + np.array(decided, dtype=np.int64)] = 1
            rule_features.append(
                RuleFeatures(features, np.array([number or SILENT for number in decided], dtype=np.int64))
            )
        return Read(words, [None if text.tags is None else list(text.tags) for text in marked], rule_features)

    def predicted(self, examples: Sequence[Example]) -> tuple[Example, ...]:
        """The texts with the spans that the rules find, none in many of them."""
        spans = self.system.spans([example.text for example in examples])
        return tuple(replace(example, spans=own) for example, own in zip(examples, spans, strict=True))


Reading = LabelTexts | UnruledTexts | SlotTexts
