"""Rules whose word classes are extended: what comes to a class is a class of its own next to it, in each rule that
makes fewer errors by it.

    from_city := $* from [ @city@ | @city.auckland_128@ | @city.like.glasgow_195@ ]<from_city> $*
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.reconstruction.slot_filling.report import ExtendedRules
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.reconstruction.weights.class_names import ClassWords, class_name, class_note
from re2nn_core.rules.rule_lines import with_rules_replaced
from re2nn_core.rules.ruleset import Rule, RuleSet, WordClass
from re2nn_core.rules.tree import ClassReference, Node, Word, choice, concat, rebuild, walk
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.choice import (
    ClassExtension,
    chosen_extensions,
)
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.class_values import open_classes
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.exchange import (
    AnnotatedWords,
    ExchangeBench,
)
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.like_members import LikeMembers
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.like_words import near_words
from re2nn_core.services.rule_writing.slot_filling.incremental_matcher import SlotBench
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import analyse_slots
from re2nn_core.services.rule_writing.slot_filling.span_errors import count_spans
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import token_spans
from re2nn_core.text.tagged_texts import tagged_texts

MOST_WORDS = 400  # words and phrases that all classes gain together
MOST_TEXTS = 4_000  # that are looked at; of more, so many by chance
SEED = 0


def with_extended_classes(
    corpus: Corpus,
    system: SlotSystem,
    *,
    most_words: int = MOST_WORDS,
    on_progress: OnProgress = lambda *_: None,
    stop: Stop | None = None,
) -> ExtendedRules:
    """The rules of a system with the classes that dev and train texts extend. Test texts take no part. Once `stop`
    is asked to, no more classes are looked at."""
    stop = stop or Stop()
    annotated = [one for one in corpus if one.split != "test" and one.spans is not None]
    examples = annotated if len(annotated) <= MOST_TEXTS else random.Random(SEED).sample(annotated, MOST_TEXTS)
    lowercase = system.tokenization.lowercase
    classes = open_classes(system.ruleset, lowercase=lowercase)
    unchanged = ExtendedRules(system.rules_text, system.rules_text)
    if not classes or not examples or stop.asked():
        return unchanged
    rows = tagged_texts(examples, system.tokenization)
    texts = [AnnotatedWords(row.words, frozenset(token_spans(row.tags or ()))) for row in rows]
    sentences = [row.words for row in rows]
    found = chosen_extensions(
        ExchangeBench(system, texts),
        classes,
        lambda members: near_words(sentences, members, lowercase=lowercase),
        most_words=most_words,
        on_progress=on_progress,
        stop=stop,
    )
    return (
        _Writer(Corpus(tuple(examples)), system, found, frozenset(chain(*sentences))).written() if found else unchanged
    )


@dataclass(eq=False)
class _Writer:
    corpus: Corpus
    system: SlotSystem
    found: Sequence[ClassExtension]
    words: frozenset[str]  # of the texts

    def __post_init__(self) -> None:
        self.bench = SlotBench(self.corpus.texts, self.system.tokenization)
        self.made = _classes_of(self.found, self.system.ruleset, self.words)

    def written(self) -> ExtendedRules:
        """The rules, each with the extended classes where it makes fewer errors by them alone."""
        written = self.system.rules_text
        before = self._errors(written)
        names = {one.name for one in self.found}
        using = [rule.name for rule in self.system.ruleset.rules if names & _classes_read(rule.tree)]
        gains = {name: before - self._errors(self._text([name])) for name in using}
        changed = [name for name in using if gains[name] > 0]
        if not changed or self._errors(text := self._text(changed)) >= before:
            return ExtendedRules(written, written)
        rules = {rule.name: rule for rule in self.system.ruleset.rules}
        steps = {name: self._step(rules[name], gains[name]) for name in changed}
        return ExtendedRules(written, text, steps, {name: gains[name] for name in changed})

    def _errors(self, rules_text: str) -> int:
        system, gold = self.system, [one.spans for one in self.corpus]
        given = analyse_slots(self.bench, gold, rules_text, system.logic_text, system.known_slots).predictions
        counts = count_spans(gold, given)
        return counts.marked + counts.given - 2 * counts.right

    def _text(self, names: Collection[str]) -> str:
        """The rules with these of them changed."""
        now = self.system.ruleset
        entries: list[Rule | WordClass] = []
        for entry in now.entries:
            if isinstance(entry, WordClass):
                entries += [entry, *self.made.get(entry.name, ())]
            else:
                tree = self._extended(entry.tree) if entry.name in names else entry.tree
                entries.append(replace(entry, tree=tree))
        return with_rules_replaced(self.system.rules_text, now, RuleSet(tuple(entries)), list(names))[0]

    def _extended(self, tree: Node) -> Node:
        def leaf(node: Node) -> Node:
            more = self.made.get(node.name, ()) if isinstance(node, ClassReference) else ()
            return choice([node, *(ClassReference(one.name) for one in more)])

        return rebuild(tree, leaf)

    def _step(self, rule: Rule, gain: int) -> str:
        """What a rule matches more, in words."""
        own = [one for one in self.found if one.name in _classes_read(rule.tree)]
        also = "; ".join(f"{self._more_in_words(one)} where it matches @{one.name}@" for one in own)
        return f"also matches {also} ({counted(gain, 'error')} fewer)"

    def _more_in_words(self, extension: ClassExtension) -> str:
        values = f"{counted(len(extension.values), 'value')} of annotated texts"
        if extension.like is None or not extension.like.words:
            return values
        like = f"{_like_in_words(extension.like, self.words)} (all: @{self.made[extension.name][-1].name}@)"
        return f"{values} and {like}"


def _classes_read(tree: Node) -> frozenset[str]:
    """The classes whose words a rule reads; not those that it only leaves out."""
    return frozenset(node.name for node in walk(tree) if isinstance(node, ClassReference))


def _like_in_words(like: LikeMembers, words: Collection[str]) -> str:
    """How many words these are, what they are like, and how many are not among the `words` of the annotated texts."""
    absent = sum(word not in words for word in like.words)
    nowhere = f", {absent:,} of them in no annotated dev or train text" if absent else ""
    return f"{counted(len(like.words), 'word')} like {', '.join(like.typical)}{nowhere}"


def _classes_of(
    found: Iterable[ClassExtension], ruleset: RuleSet, words: Collection[str]
) -> dict[str, tuple[WordClass, ...]]:
    """By the class that is extended: the classes that stand next to it; `words` are those of the annotated texts."""
    taken = {entry.name for entry in ruleset.entries}
    made: dict[str, tuple[WordClass, ...]] = {}
    for one in found:
        values = frozenset(" ".join(phrase) for phrase in one.values)
        strongest = ClassWords(tuple(" ".join(phrase) for phrase in one.values))
        each = "phrase" if any(len(phrase) > 1 for phrase in one.values) else "word"
        name = class_name(one.name, values, strongest, taken)
        note = f"{class_note(values, strongest, {}, each=each)}; from annotated texts"
        made[one.name] = (WordClass(name, _listed(one.values), note=note),)
        if one.like is not None and one.like.words:
            like, typical = frozenset(one.like.words), ClassWords(one.like.typical)
            like_name = class_name(f"{one.name}.like", like, typical, {*taken, name})
            note = f"{_like_in_words(one.like, words)}, by word vectors, nearness {one.like.nearness:.2f}"
            tree = _listed([(word,) for word in one.like.words])
            made[one.name] = (*made[one.name], WordClass(like_name, tree, note=note))
        taken |= {entry.name for entry in made[one.name]}
    return made


def _listed(phrases: Iterable[Sequence[str]]) -> Node:
    return choice([concat([Word(word) for word in phrase]) for phrase in sorted(map(tuple, phrases))])
