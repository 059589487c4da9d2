"""The threshold explorer for slots: what any threshold makes of a trained tagger's rules, at once.

As thresholds.py for labels: each rule at each threshold of the grid is written and read on the texts beforehand;
moving the threshold then only puts together what the rules say. A rule that marks nothing at a threshold, or is too
long to read, stays as it is written; `why` says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from re2nn_core.automata.tag_sets import RuleTags, TagReader, TagSets, tag_sets
from re2nn_core.errors import InputError
from re2nn_core.network.tagger_bundle import TaggerBundle
from re2nn_core.reconstruction.choose import THRESHOLDS, Kept
from re2nn_core.reconstruction.learned_weight import LearnedWeight, why_as_written
from re2nn_core.reconstruction.tag_machine import rule_machine
from re2nn_core.reconstruction.tag_rewrite import Rewriter, replaced
from re2nn_core.reconstruction.tag_threshold import TagCandidate, learned_of_rule, read_tags_at_thresholds
from re2nn_core.reconstruction.tag_weighted import weighted_rules
from re2nn_core.rules.printer import write_rules
from re2nn_core.services.slot_encoding import answer_texts, tagged_texts
from re2nn_core.services.slot_reconstruction import OnProgress, check_slots
from re2nn_core.services.slot_systems import SlotSystem, Tags, read_slot_system
from re2nn_core.services.thresholds import nearest_threshold, said_of_empty
from re2nn_core.text.corpus import SPLITS, Corpus
from re2nn_core.training.span_scores import SpanScores, span_scores

Said = Mapping[int, TagSets]  # what a rule says of the texts that it accepts, by their number


@dataclass(frozen=True)
class RuleAt:
    """One rule at a threshold. `why`: empty, or why it stays as it is written."""

    name: str
    why: str


@dataclass(frozen=True)
class SplitAt:
    """Scores of the marked texts of one split; `agreement`: the share of their words that the network gives the same
    tag."""

    split: str
    texts: int
    original: SpanScores
    network: SpanScores
    reconstructed: SpanScores
    agreement: float


@dataclass(frozen=True)
class SlotsAtThreshold:
    """What a threshold gives. `system`: the rules then, as they are read; `scores`: the splits that have marked texts,
    dev first; `moved`: the rules that are not as they were written."""

    threshold: float
    system: SlotSystem
    rules: tuple[RuleAt, ...]
    scores: tuple[SplitAt, ...]
    moved: tuple[str, ...]

    @property
    def rules_text(self) -> str:
        return self.system.rules_text

    @property
    def changed(self) -> int:
        """How many rules are not as they were written."""
        return len(self.moved)

    @property
    def in_words(self) -> str:
        """Which rules stay as they are written for want of anything else; empty where none does."""
        return said_of_empty(self.threshold, [(rule.name, rule.why) for rule in self.rules])


@dataclass(frozen=True, eq=False)
class _Texts:
    """The marked texts: their words, what is marked, what the network answers, and the places of each split, dev
    first."""

    words: tuple[Tags, ...]
    gold: tuple[Tags, ...]
    network: tuple[Tags, ...]
    splits: Mapping[str, tuple[int, ...]]


class SlotExplorer:
    """See the module; made by `explore_slots`."""

    def __init__(
        self,
        system: SlotSystem,
        read: Sequence[Mapping[float, TagCandidate | Kept]],
        said: Sequence[Mapping[float, Said]],
        learned: Sequence[LearnedWeight],
        texts: _Texts,
    ) -> None:
        """For each rule what each threshold gives, what it says of the texts then, and the strongest that it has
        learned."""
        self.system, self._read, self._said, self._learned, self._texts = system, read, said, learned, texts
        self.at = lru_cache(maxsize=128)(self._at)
        self._before = self._answers(system, [one[WRITTEN] for one in said])
        self.chosen = max(THRESHOLDS, key=lambda threshold: (self._dev(threshold), -threshold))

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The grid."""
        return THRESHOLDS

    def curve(self) -> tuple[SlotsAtThreshold, ...]:
        """What each threshold gives."""
        return tuple(self.at(threshold) for threshold in THRESHOLDS)

    def _dev(self, threshold: float) -> tuple[float, float]:
        """What decides on dev: F1, then agreement with the network."""
        first = self.at(threshold).scores[0]
        return first.reconstructed.f1, first.agreement

    def _at(self, threshold: float, only: str | None = None) -> SlotsAtThreshold:
        """The rules at a threshold (the nearest of the grid). `only`: this rule alone moves, the others stay as they
        are written. InputError for a threshold outside 0 to 1, or a rule that is not there."""
        chosen, names = nearest_threshold(threshold), self.system.rule_names
        if only is not None and only not in names:
            raise InputError(f"There is no rule {only!r} in the network. It has: {', '.join(names)}.")
        moves = [only in (None, name) for name in names]
        found = [read[chosen] if moving else Kept.SAME for read, moving in zip(self._read, moves, strict=True)]
        forms = {n: one.form for n, one in zip(names, found, strict=True) if isinstance(one, TagCandidate)}
        system = self._with(write_rules(replaced(self.system.ruleset, forms)) if forms else self.system.rules_text)
        said = [
            s[chosen if isinstance(one, TagCandidate) else WRITTEN] for s, one in zip(self._said, found, strict=True)
        ]
        rules = [
            RuleAt(name, why_as_written(one, learned, chosen) if isinstance(one, Kept) else "")
            for name, one, learned in zip(names, found, self._learned, strict=True)
        ]
        shown = [rule if moving else replace(rule, why="") for rule, moving in zip(rules, moves, strict=True)]
        return SlotsAtThreshold(chosen, system, tuple(shown), self._measured(self._answers(system, said)), tuple(forms))

    def _with(self, rules_text: str) -> SlotSystem:
        system = self.system
        known = system.known_slots
        return read_slot_system(rules_text, system.logic_text, system.tokenization, known_slots=known)[0]

    def _answers(self, system: SlotSystem, said: Sequence[Said]) -> list[Tags]:
        claims: list[list[RuleTags]] = [[] for _ in self._texts.words]
        for rule, own in enumerate(said):
            for text, sets in own.items():
                claims[text].append(RuleTags(rule, sets))
        return [system.decide(len(words), found) for words, found in zip(self._texts.words, claims, strict=True)]

    def _measured(self, answers: Sequence[Tags]) -> tuple[SplitAt, ...]:
        texts = self._texts

        def scores(given: Sequence[Tags], places: Sequence[int]) -> SpanScores:
            return span_scores([texts.gold[place] for place in places], [given[place] for place in places])

        return tuple(
            SplitAt(
                split,
                len(places),
                scores(self._before, places),
                scores(texts.network, places),
                scores(answers, places),
                _alike([answers[place] for place in places], [texts.network[place] for place in places]),
            )
            for split, places in texts.splits.items()
        )


WRITTEN = -1.0  # in the place of a threshold: the rule as it is written


def _alike(one: Sequence[Tags], other: Sequence[Tags]) -> float:
    """The share of words that both give the same tag."""
    pairs = [pair for a, b in zip(one, other, strict=True) for pair in zip(a, b, strict=True)]
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else 1.0


def explore_slots(bundle: TaggerBundle, corpus: Corpus, *, on_progress: OnProgress | None = None) -> SlotExplorer:
    """Compute what no threshold changes; seconds, where `SlotExplorer.at` takes a fraction of one. InputError without
    marked texts, and for the network of something else."""
    texts = _texts_of(bundle, corpus)
    parts = bundle.parts
    system = read_slot_system(parts.rules_text, parts.logic_text, parts.tokenization, known_slots=parts.known_slots)[0]
    rewriter = Rewriter(system.ruleset, parts.known_slots, lowercase=parts.tokenization.lowercase)
    weights = weighted_rules(bundle.networks, bundle.vocabulary)
    read, said, learned = [], [], []
    for number, (rule, (_, tree), own) in enumerate(zip(system.ruleset.rules, system.trees, weights, strict=True)):
        compiled = rule_machine(tree, rule.name, bundle.config.transducer)
        found = read_tags_at_thresholds(rule, compiled, own, bundle.vocabulary, bundle.network.tags, rewriter)
        read.append(found)
        said.append(_said(system, number, found, texts))
        learned.append(learned_of_rule(rule.name, compiled, own, bundle.vocabulary, bundle.network.tags))
        if on_progress is not None:
            on_progress(number + 1, len(weights))
    return SlotExplorer(system, read, said, learned, texts)


def _said(
    system: SlotSystem, rule: int, found: Mapping[float, TagCandidate | Kept], texts: _Texts
) -> dict[float, Said]:
    """What a rule says of the texts at each threshold where it is another one, and as it is written."""
    name, tree = system.trees[rule]
    reader = TagReader([tree], [name])
    result: dict[float, Said] = {WRITTEN: {n: own[0].sets for n, own in enumerate(reader.read(texts.words)) if own}}
    known: dict[int, Said] = {}
    for threshold, one in found.items():
        if isinstance(one, TagCandidate):
            if id(one) not in known:
                sets = (tag_sets(one.machine, words) for words in texts.words)
                known[id(one)] = {number: own for number, own in enumerate(sets) if own is not None}
            result[threshold] = known[id(one)]
    return result


def _texts_of(bundle: TaggerBundle, corpus: Corpus) -> _Texts:
    marked = [example for example in corpus if example.spans is not None]
    if not marked:
        raise InputError(
            "None of the texts is marked, so no threshold can be measured.\nMark some texts, or give texts with spans."
        )
    check_slots(bundle, Corpus(tuple(marked)))
    tagged = tagged_texts(marked, bundle.tokenization)
    answers = answer_texts(bundle, [example.text for example in marked], sure=False)
    splits = [example.split or "train" for example in marked]
    found = {s: tuple(n for n, own in enumerate(splits) if own == s) for s in ("dev", *SPLITS) if s in splits}
    return _Texts(
        tuple(text.words for text in tagged),
        tuple(text.tags or () for text in tagged),
        tuple(answer.tags for answer in answers),
        found if "dev" in found else {"dev": tuple(range(len(marked))), **found},
    )
