"""The texts of one reconstruction with what tagger and rules say of them: each text is asked about once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from re2nn_core.errors import InputError
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.slot_filling.vote_table import MarkedText
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import Node
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.tagged_texts import TaggedText, tagged_texts

Tags = tuple[str, ...]


class SlotRules(Protocol):
    """Rules and priorities as read."""

    @property
    def ruleset(self) -> RuleSet: ...

    @property
    def logic(self) -> SlotLogic: ...

    @property
    def trees(self) -> Sequence[tuple[str, Node]]:
        """(name, tagged tree) of each rule."""

    def tags_of_words(self, sentences: Sequence[Sequence[str]]) -> Sequence[Tags]:
        """One tag for each word of each sentence."""


class SlotPredictions(Protocol):
    """What a reconstruction asks of tagger and rules."""

    def tags(self, texts: Sequence[str], /) -> Sequence[Tags]:
        """The tags that the tagger gives the words of each text."""

    def rules(self, rules_text: str, logic_text: str, /) -> SlotRules:
        """Rules and priorities, read. RuleError, LogicError."""


@dataclass(frozen=True)
class PredictedTags:
    """A corpus with its predictions: `texts` and `by_network` in its order. What rules have predicted is kept."""

    corpus: Corpus
    texts: tuple[TaggedText, ...]
    by_network: tuple[Tags, ...]
    _by_rules: dict[tuple[str, str], Sequence[Tags]] = field(default_factory=dict, repr=False)

    def by_rules(self, written: tuple[str, str], rules: SlotRules) -> Sequence[Tags]:
        """The tags that rules give the words of each text; `written`: rules and priorities as texts."""
        if written not in self._by_rules:
            self._by_rules[written] = rules.tags_of_words([text.words for text in self.texts])
        return self._by_rules[written]

    def annotated_texts(self) -> list[MarkedText]:
        """The texts to choose on, and texts without spans to learn rules from: no test texts, and of dev annotated
        ones."""
        rows = zip(self.corpus, self.texts, self.by_network, strict=True)
        usable = [row for row in rows if _is_usable(row[0])]
        has_dev = any(example.split == "dev" for example, _, _ in usable)
        found = []
        for example, text, by_network in usable:
            tags = by_network if text.tags is None else text.tags
            dev = example.split == "dev" or not has_dev
            found.append(MarkedText(text.words, tags, text.tags is not None, dev, by_network))
        return found


def predicted_tags(bundle: TaggerBundle, corpus: Corpus, predictions: SlotPredictions) -> PredictedTags:
    """The texts of a corpus, each predicted once. InputError where none is annotated with a slot that the network can
    give, or none that is no test text is annotated."""
    check_network_slots(bundle, corpus)
    if not any(example.spans is not None for example in corpus if _is_usable(example)):
        raise InputError(
            "None of the dev and train texts is annotated, so the reconstruction cannot be measured.\n"
            "Annotate some texts, or give a file of texts with spans."
        )
    texts = tagged_texts(corpus.examples, bundle.tokenization)
    return PredictedTags(corpus, tuple(texts), tuple(predictions.tags(corpus.texts)))


def _is_usable(example: Example) -> bool:
    return example.split != "test" and (example.spans is not None or example.split != "dev")


def check_network_slots(bundle: TaggerBundle, corpus: Corpus) -> None:
    """InputError where texts are marked, and with no slot that the network can give: it is the network of something
    else."""
    given = sorted({span.slot for example in corpus for span in example.spans or ()})
    known = list(dict.fromkeys(slot for tag in bundle.network.tags if (slot := slot_of(tag)) is not None))
    if given and not set(given) & set(known):
        raise InputError(
            f"None of these texts has a slot that the network can give: theirs are {first_names(given, 5)}, "
            f"the network's {first_names(known, 5)}.\n"
            "This may be the network of another project. Give it texts of its own."
        )
