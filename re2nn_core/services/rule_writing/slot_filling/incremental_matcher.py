"""A project's texts made ready for slot rules that change all the time: cut into words once, each rule read once.

What a rule says is kept under its tagged tree and the priorities, so after an edit only the rules that really changed
are read again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from re2nn_core.automata.output_sets import RuleTags, TagReader, TagSets
from re2nn_core.rules.logic.priorities import SlotLogic, ordered_tags
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.cased_sentences import CasedSentences
from re2nn_core.services.rule_systems.slot_filling.decided_tags import TagDecider
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tokenization import Token, Tokenization, tokenize

KEPT_WORDS = 6_000_000  # words with a tag set, of all rules that are kept
KEPT_SPANS = 300_000  # texts with the spans of one way to tag them
Spans = tuple[Span, ...]
Kept = tuple[Node, SlotLogic]


@dataclass(frozen=True, eq=False)
class RuleReading:
    """What one rule says of all texts, by the number of the text: the tag sets of those that it accepts, and the spans
    (in characters) that it would give alone, of texts where it gives any."""

    sets: Mapping[int, TagSets]
    spans: Mapping[int, Spans]

    @property
    def words(self) -> int:
        """How many words have a tag set."""
        return sum(map(len, self.sets.values()))


class SlotBench:
    """Texts as words, and what each rule says of them. Safe to share between threads."""

    def __init__(self, texts: Sequence[str], tokenization: Tokenization) -> None:
        self.tokenization = tokenization
        self._texts = tuple(texts)
        self._part_of: tuple[SlotBench, Sequence[int]] | None = None
        self.tokens: tuple[tuple[Token, ...], ...] = tuple(tokenize(text, tokenization) for text in texts)
        self.sentences = [tuple(token.text for token in tokens) for tokens in self.tokens]
        self._cased = CasedSentences(texts, tokenization, self.sentences)
        self._readings: OrderedDict[Kept, RuleReading] = OrderedDict()
        self._spans: dict[tuple[int, tuple[str, ...]], Spans] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.tokens)

    def part(self, places: Sequence[int]) -> SlotBench:
        """Some of the texts, in this order: what rules say of them is not read again where it is known here."""
        found = SlotBench([self._texts[place] for place in places], self.tokenization)
        found._part_of = self, tuple(places)
        return found

    def readings(self, trees: Sequence[tuple[str, Node]], logic: SlotLogic) -> list[RuleReading]:
        """What each of these tagged trees, given with their names, says. StateBudgetError for one past all bounds."""
        with self._lock:
            known = {tree: self._readings.get((tree, logic)) for _, tree in trees}
        if self._part_of is not None:
            known |= {tree: self._of_whole(tree, logic) for tree, reading in known.items() if reading is None}
        missing = {tree: name for name, tree in trees if known[tree] is None}
        if missing:
            known |= self._read(missing, logic)
        self._keep({(tree, logic): reading for tree, reading in known.items() if reading is not None})
        return [reading for _, tree in trees if (reading := known[tree]) is not None]

    def sentences_for(self, trees: Iterable[Node]) -> Sequence[tuple[str, ...]]:
        """The texts as words, with the spellings that the trees tell from others."""
        return self._cased.for_trees(trees)

    def spans_of(self, text: int, tags: tuple[str, ...]) -> Spans:
        """The spans that the tags of a text's words tell, in characters."""
        found = self._spans.get((text, tags))
        if found is None:
            if len(self._spans) > KEPT_SPANS:
                self._spans = {}
            found = self._spans[text, tags] = spans_of(tags, self.tokens[text])
        return found

    def _of_whole(self, tree: Node, logic: SlotLogic) -> RuleReading | None:
        """What a rule says, as the bench knows it that this one is a part of; None where it does not."""
        if self._part_of is None:
            return None
        whole, places = self._part_of
        with whole._lock:
            known = whole._readings.get((tree, logic))
        if known is None:
            return None
        return RuleReading(
            {number: known.sets[place] for number, place in enumerate(places) if place in known.sets},
            {number: known.spans[place] for number, place in enumerate(places) if place in known.spans},
        )

    def _read(self, trees: dict[Node, str], logic: SlotLogic) -> dict[Node, RuleReading]:
        sets: list[dict[int, TagSets]] = [{} for _ in trees]
        reader = TagReader(list(trees), list(trees.values()))
        sentences = self.sentences_for(trees)
        for text, found in enumerate(reader.read(sentences)):
            for one in found:
                sets[one.rule][text] = one.sets
        return {tree: RuleReading(own, self._alone(tree, own, logic)) for tree, own in zip(trees, sets, strict=True)}

    def _alone(self, tree: Node, sets: Mapping[int, TagSets], logic: SlotLogic) -> dict[int, Spans]:
        """The spans of a rule that no other one votes beside."""
        sentences = self.sentences_for([tree])
        decider = TagDecider(ordered_tags([tags_of_tree(tree)]), logic, lambda: [tree])
        found = {}
        for text, claims in sets.items():
            if spans := self.spans_of(text, decider.decide(sentences[text], [RuleTags(0, claims)])):
                found[text] = spans
        return found

    def _keep(self, readings: dict[Kept, RuleReading]) -> None:
        with self._lock:
            for key, reading in readings.items():
                self._readings[key] = reading
                self._readings.move_to_end(key)
            words = sum(reading.words for reading in self._readings.values())
            while words > KEPT_WORDS and len(self._readings) > len(readings):
                words -= self._readings.popitem(last=False)[1].words
