"""What training taught a rule for slots, offered edit by edit, as classification/learned_edits.py does it for labels:
an edit is proved on sentences with their tags, and measured by the spans of all rules together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from re2nn_core.automata.output_sets import RuleTags, TagReader, TagSets
from re2nn_core.reconstruction.classification.edit_proofs import Proofs, tagged_sentences
from re2nn_core.reconstruction.classification.learned_edits import learned_edits
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, expand
from re2nn_core.rules.tagging import tagged, with_slot_case
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_review.classification.learned_edits import (
    EditEffect,
    Offers,
    offers_of,
    rule_of,
    texts_by_word,
    words_known,
)
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.text.spans import Span
from re2nn_core.text.word_groups import NOTHING_KNOWN, WordKnowledge


def offered_slot_edits(
    before: SlotAnalysis,
    learned: RuleSet,
    name: str,
    splits: Sequence[str | None],
    held_out: str | None = None,
    words: WordKnowledge = NOTHING_KNOWN,
) -> Offers:
    """The learned edits of the rule of a name, in the rules as they are in `before`; `splits`: of each of its texts,
    `held_out`: the one that the network has not learned from, by which the best come first.
    InputError where one of the rule sets has no such rule; StateBudgetError where the rule is too large."""
    system = before.system
    rule = rule_of(system.ruleset, name, "the newest version")
    new = rule_of(learned, name, "the reconstruction")
    lowercase = system.tokenization.lowercase
    put_in = partial(expand, classes=classes_for(system.ruleset, rule), lowercase=lowercase)
    language = tagged_sentences(system.known_slots)
    found = learned_edits(rule.tree, new.expanded, put_in, language)
    proofs = Proofs(language, put_in(rule.tree), new.expanded)
    known = words_known(words, system.ruleset, learned, name, lambda tree: proofs.lets_in(put_in(tree)))
    return offers_of(found, rule, _SlotMeasure(before, rule, put_in, splits, held_out), known)


class _SlotMeasure:
    """What edits of a rule do to the spans of texts."""

    def __init__(
        self,
        before: SlotAnalysis,
        rule: Rule,
        put_in: partial[Node],
        splits: Sequence[str | None],
        held_out: str | None,
    ) -> None:
        self.before, self.rule, self.put_in, self.splits, self.held_out = before, rule, put_in, splits, held_out
        self.place = before.rule_index[rule.name]
        self.holding = texts_by_word(before.bench.sentences)

    def has(self, word: str) -> bool:
        return word in self.holding

    def moved(self, words: tuple[str, ...], tree: Node) -> EditEffect:
        """Texts with fewer mistakes, and with more; `right` counts those mistakes, test texts left out."""
        texts = sorted({text for word in words for text in self.holding.get(word, ())}) if words else None
        changed = self._changed(tree, range(len(self.before.bench)) if texts is None else texts)
        system = self._system(tree)
        spans = {text: self._spans(system, text, sets) for text, sets in changed.items()}
        gains = {text: self._gain(text, own) for text, own in spans.items()}
        won = tuple(text for text, gain in gains.items() if gain > 0)
        lost = tuple(text for text, gain in gains.items() if gain < 0)
        right = sum(gain for text, gain in gains.items() if self.splits[text] != "test")
        held = [gain for text, gain in gains.items() if self.splits[text] == self.held_out]
        predictions = sum(own != set(self.before.predictions[text]) for text, own in spans.items())
        return EditEffect(won, lost, right, predictions, None if self.held_out is None else sum(held))

    def _changed(self, tree: Node, texts: Sequence[int]) -> dict[int, TagSets | None]:
        """The texts of which the rule says something else then, and what."""
        bench, tag_sets = self.before.bench, self.before.readings[self.place].sets
        reader = TagReader([tagged(with_slot_case(self.put_in(tree), self.before.system.known_slots))])
        found = reader.read([bench.sentences[text] for text in texts])
        now = {text: own[0].sets if own else None for text, own in zip(texts, found, strict=True)}
        return {text: sets for text, sets in now.items() if sets != tag_sets.get(text)}

    def _system(self, tree: Node) -> SlotSystem:
        """All rules with this one in its new form."""
        system = self.before.system
        changed = replace(self.rule, tree=tree, expanded=self.put_in(tree))
        entries = (changed if entry is self.rule else entry for entry in system.ruleset.entries)
        return replace(system, ruleset=RuleSet(tuple(entries)))

    def _spans(self, system: SlotSystem, text: int, sets: TagSets | None) -> set[Span]:
        """What all rules mark in a text then."""
        claims = [own for own in self.before.accepting.get(text, ()) if own.rule != self.place]
        claims += [] if sets is None else [RuleTags(self.place, sets)]
        tags = system.decide(self.before.bench.sentences[text], claims)
        return set(self.before.bench.spans_of(text, tags))

    def _gain(self, text: int, new: set[Span]) -> int:
        """How many errors fewer a text has; 0 where nobody has marked it."""
        gold = self.before.gold[text]
        return 0 if gold is None else len(set(self.before.predictions[text]) ^ set(gold)) - len(new ^ set(gold))
