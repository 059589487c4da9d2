"""What training taught a rule, offered edit by edit: what each does on the project's texts, and how it is taken over.

Edits are made of the rule as it stands in the newest version, so that one can follow another, and what somebody has
edited since the training stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, Protocol

import numpy as np

from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.errors import InputError
from re2nn_core.reconstruction.classification.edit_proofs import SENTENCES, Proofs
from re2nn_core.reconstruction.classification.learned_edits import (
    EditPlace,
    Kind,
    LearnedEdit,
    LearnedEdits,
    learned_edits,
    places_of,
    replaced_at,
    rule_without_words,
    with_words,
)
from re2nn_core.rules.lexer import print_word
from re2nn_core.rules.logic.decisions import decide_all
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass, expand
from re2nn_core.rules.tree import ButNot, Capture, Choice, Concat, Node, Repeat, Tagged, choice, named_words
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, accept_rules
from re2nn_core.services.rule_review.classification.edit_classes import (
    EditClass,
    WordsKnown,
    edit_classes,
    edits_by_learned_class,
    learned_classes,
)
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.text.word_groups import NOTHING_KNOWN, WordKnowledge, word_groups

MOST = 100  # edits of a rule that are offered, the best first
Verdict = Literal["gains", "even", "loses", "nothing"]


@dataclass(frozen=True)
class OfferedEdit:
    """One edit of a rule. `place` counts from 1 the places where the rule reads a word, `at` is what stands there;
    `words` come or go. `won` and `lost` are the texts (places in the corpus) that the rule accepts after it alone, or
    before it alone; `predictions` is how many texts get another prediction from all rules together, and `right` how
    many more of the labelled ones that are no test texts get the right one. Of a rule for slots they are texts with
    fewer, or more, errors, and `right` is how many errors fewer. `held_out` counts the same on the texts that the
    network has not learned from; None where there are none. `word_class`: the words come as this one."""

    rule: str
    label: str
    kind: Kind
    place: int
    at: str
    words: tuple[str, ...]
    text: str
    tree: Node
    won: tuple[int, ...]
    lost: tuple[int, ...]
    right: int
    predictions: int
    held_out: int | None = None
    slot: str = ""
    word_class: EditClass | None = None

    @property
    def verdict(self) -> Verdict:
        """What it does here: "nothing" where no text gets another prediction. What loses on held-out texts loses."""
        if (self.held_out or 0) < 0:
            return "loses"
        if self.right:
            return "gains" if self.right > 0 else "loses"
        return "even" if self.predictions else "nothing"

    @property
    def in_words(self) -> str:
        """The edit as a person would say it."""
        return self._in_words(self.at, self._as_class(6) or _named(self.words))

    def _as_class(self, most: int) -> str:
        """The class that comes, with the first of its words; empty where there is none."""
        return f"@{self.word_class.name}@: {_named(self.words, most)}" if self.word_class is not None else ""

    @property
    def in_short(self) -> str:
        """The same for a narrow column: of many alternatives only the first are reported, and words by their groups."""
        if as_class := self._as_class(2):
            return self._in_words(_first_of(self.at), as_class)
        groups = word_groups(self.words)
        several = [group.short for group in groups if len(group.words) > 1]
        alone = [group.words[0] for group in groups if len(group.words) == 1]
        named = " and ".join([*several, *([_named(alone, 3)] if alone else [])])
        return self._in_words(_first_of(self.at), named if several else _named(self.words, 3))

    def _in_words(self, at: str, named: str) -> str:
        message = {
            "add": f"at {at}, also match {named}",
            "any": f"at {at}, match any word",
            "number": f"at {at}, also match a number",
            "punctuation": f"at {at}, also match punctuation",
            "optional": f"{at} may be left out",
            "drop": f"at {at}, no longer match {named}",
            "capture": f"{at} fills the slot {self.slot}",
            "release": f"{at} fills the slot {self.slot} no more",
        }
        return message[self.kind]


@dataclass(frozen=True)
class Offers:
    """The edits of a rule that change a prediction, best first, and those that are `without_effect` on these texts;
    `more` were left out, `undecided` are too large to be proved."""

    edits: tuple[OfferedEdit, ...]
    without_effect: tuple[OfferedEdit, ...] = ()
    more: int = 0
    undecided: int = 0


def offered_edits(
    now: Analysis,
    learned: RuleSet,
    name: str,
    bench: TextBench,
    splits: Sequence[str | None],
    held_out: str | None = None,
    words: WordKnowledge = NOTHING_KNOWN,
) -> Offers:
    """The learned edits of the rule of a name, in the rules as they are now. `now` and `splits` are of the texts of the
    bench, `held_out` is the split that the network has not learned from, by which the best come first. InputError where
    one of the rule sets has no such rule; StateBudgetError where the rule is too large."""
    ruleset = now.system.ruleset
    rule, new = rule_of(ruleset, name, "the newest version"), rule_of(learned, name, "the reconstruction")
    put_in = partial(expand, classes=classes_for(ruleset, rule), lowercase=bench.tokenization.lowercase)
    found = learned_edits(rule.tree, new.expanded, put_in)
    proofs = Proofs(SENTENCES, put_in(rule.tree), new.expanded)
    known = words_known(words, ruleset, learned, name, lambda tree: proofs.lets_in(put_in(tree)))
    return offers_of(found, rule, _Measure(rule, put_in, bench, now, splits, held_out), known)


def words_known(
    words: WordKnowledge, ruleset: RuleSet, learned: RuleSet, name: str, proved: Callable[[Node], bool]
) -> WordsKnown:
    """What is known of the words of the rule of a name, `learned` and as it is now; `proved` as in WordsKnown."""
    taken = {entry.name for entry in ruleset.entries if isinstance(entry, WordClass)}
    return WordsKnown(words, taken, learned_classes(learned, name, ruleset), proved)


def rule_of(ruleset: RuleSet, name: str, where: str) -> Rule:
    """The rule of a name. InputError says `where` there is none."""
    for rule in ruleset.rules:
        if rule.name == name:
            return rule
    raise InputError(f"There is no rule {name} in {where}: it has gone or has another name.")


class EditMeasure(Protocol):
    """What edits of a rule do on texts."""

    def has(self, word: str) -> bool:
        """Whether any text has the word."""

    def moved(self, words: tuple[str, ...], tree: Node) -> EditEffect:
        """What the rule's new form does; it can move only texts with one of the words, where there are any."""


@dataclass(frozen=True)
class EditEffect:
    """The fields of an offered edit that tell what it does."""

    won: tuple[int, ...]
    lost: tuple[int, ...]
    right: int
    predictions: int
    held_out: int | None = None


def offers_of(found: LearnedEdits, rule: Rule, measure: EditMeasure, known: WordsKnown) -> Offers:
    """The edits of a rule, measured and in order; of equal ones the first. Similar words come as a class too."""
    places = places_of(rule.tree)
    offers = [offer for edit in found.edits for offer in _offers(edit, places[edit.place], rule, measure, known)]
    offers.sort(
        key=lambda offer: (
            -(offer.held_out or 0),
            -offer.right,
            -len(offer.won) - len(offer.lost),
            offer.word_class is None,
            offer.place,
        )
    )
    offers = list({_in_any_order(offer.tree): offer for offer in reversed(offers)}.values())[::-1]
    edits = [offer for offer in offers if offer.verdict != "nothing"][:MOST]
    without_effect = [offer for offer in offers if offer.verdict == "nothing"][:MOST]
    return Offers(tuple(edits), tuple(without_effect), len(offers) - len(edits) - len(without_effect), found.undecided)


def _in_any_order(tree: Node) -> Node:
    """The tree with its alternatives in an order of their own: to read a word in the place of one of them, or of
    another, is the same edit."""
    if isinstance(tree, Choice):
        return Choice(tuple(sorted(map(_in_any_order, tree.options), key=repr)))
    if isinstance(tree, Concat):
        return Concat(tuple(map(_in_any_order, tree.parts)))
    return (
        replace(tree, inner=_in_any_order(tree.inner)) if isinstance(tree, Repeat | Capture | Tagged | ButNot) else tree
    )


def _offers(
    edit: LearnedEdit, place: EditPlace, rule: Rule, measure: EditMeasure, known: WordsKnown
) -> Iterator[OfferedEdit]:
    """An edit of several words, word by word where a text has the word; similar ones as a class, and the words of a
    learned class; and what such a class has not as a whole."""
    change = with_words if edit.kind == "add" else rule_without_words
    left = edit.words

    def offer(words: tuple[str, ...], tree: Node, word_class: EditClass | None = None) -> OfferedEdit:
        moved = measure.moved(words if word_class is None else tuple(sorted(named_words(word_class.members))), tree)
        at, text = print_expression(edit.at), print_expression(tree)
        fields = (moved.won, moved.lost, moved.right, moved.predictions, moved.held_out, edit.slot, word_class)
        return OfferedEdit(rule.name, rule.label, edit.kind, edit.place + 1, at, words, text, tree, *fields)

    if edit.kind in ("add", "drop"):
        for word in edit.words:
            if measure.has(word):
                yield offer((word,), change(rule.tree, place, (word,)))
    for own in edit_classes(edit, place, rule, known):
        yield offer(own.words, change(rule.tree, place, own.words), own)
    for own in edits_by_learned_class(edit, place, rule, known):
        yield offer(own.words, replaced_at(rule.tree, place.path, choice([place.node, own.members])), own)
        left = tuple(word for word in left if word not in own.words)
    if edit.kind not in ("add", "drop"):
        yield offer(edit.words, edit.tree)
    elif len(left) > 1 and edit.together:
        yield offer(left, edit.tree if left == edit.words else change(rule.tree, place, left))


def texts_by_word(sentences: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """The texts that have each word."""
    found: dict[str, list[int]] = {}
    for text, sentence in enumerate(sentences):
        for word in set(sentence):
            found.setdefault(word, []).append(text)
    return found


class _Measure:
    """What edits of a rule for labels do on texts."""

    def __init__(
        self,
        rule: Rule,
        put_in: partial[Node],
        bench: TextBench,
        now: Analysis,
        splits: Sequence[str | None],
        held_out: str | None,
    ) -> None:
        self.rule, self.put_in, self.bench, self.now = rule, put_in, bench, now
        self.column = now.rule_index[rule.name]
        self.before = now.matched[:, self.column]  # [texts]
        labelled = now.gold >= 0
        self.counts = labelled & np.asarray([split != "test" for split in splits], dtype=np.bool_)  # [texts]
        held = np.asarray([split == held_out for split in splits], dtype=np.bool_)
        self.held = None if held_out is None else labelled & held  # [texts]
        self.holding = texts_by_word(bench.sentences)

    def has(self, word: str) -> bool:
        return word in self.holding

    def moved(self, words: tuple[str, ...], tree: Node) -> EditEffect:
        won, lost = self._moved(words, self.put_in(tree))
        return EditEffect(won, lost, *self._predictions([*won, *lost]))

    def _predictions(self, moved: list[int]) -> tuple[int, int, int | None]:
        """Of the texts that the rule wins or loses: how many more of the labelled ones that are no test texts are
        predicted as they should be, how many are predicted otherwise, and how many more held-out ones as they
        should."""
        none = None if self.held is None else 0
        if not moved:
            return 0, 0, none
        matched = self.now.matched[moved]
        matched[:, self.column] ^= True
        system = self.now.system
        predictions = np.asarray(decide_all(system.logic, system.rule_names, matched), dtype=np.int64)
        gains = (predictions == self.now.gold[moved]).astype(np.int64) - self.now.correct[moved]
        held = none if self.held is None else int(gains[self.held[moved]].sum())
        return int(gains[self.counts[moved]].sum()), int((predictions != self.now.predictions[moved]).sum()), held

    def _moved(self, words: tuple[str, ...], tree: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The texts fixed and broken."""
        if words:
            texts = sorted({text for word in words for text in self.holding.get(word, ())})
            automaton = build_positions(tree)
            after = [accepts(automaton, self.bench.sentences[text]) for text in texts]
            moved = [(text, now) for text, now in zip(texts, after, strict=True) if now != self.before[text]]
            return tuple(text for text, now in moved if now), tuple(text for text, now in moved if not now)
        matched = self.bench.matched([replace(self.rule, expanded=tree)])[:, 0]
        gained, went = np.flatnonzero(matched & ~self.before), np.flatnonzero(self.before & ~matched)
        return tuple(gained.tolist()), tuple(went.tolist())


def accept_edit(edit: OfferedEdit, *, rules_text: str, logic_text: str, lowercase: bool) -> Acceptance:
    """The rules with an edit made in the line of its rule; comments and layout of all others stay."""
    ruleset = read_rules(rules_text, lowercase=lowercase).ruleset
    rule = rule_of(ruleset, edit.rule, "the newest version")
    expanded = expand(edit.tree, classes_for(ruleset, rule), lowercase)
    own = edit.word_class
    changed = replace(rule, tree=edit.tree if own is None else own.tree, expanded=expanded)
    plain = RuleSet(tuple(changed if entry is rule else entry for entry in ruleset.entries))
    new = plain if own is None else own.put_into(ruleset, rule, changed)
    return accept_rules(
        write_rules(new),
        [edit.rule],
        trained_on=rules_text,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
        edited=[edit.rule],
    )


def _first_of(at: str, most: int = 30) -> str:
    """What stands at a place; of many alternatives the first."""
    if len(at) <= most:
        return at
    first = at[:most].rpartition(" | ")[0]
    return f"{first} | …" if first else f"{at[:most]}…"


def _named(words: Sequence[str], most: int = 6) -> str:
    more = len(words) - most
    return ", ".join(map(print_word, words[:most])) + (f" and {more:,} more" if more > 0 else "")
