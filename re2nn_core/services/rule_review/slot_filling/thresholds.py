"""The threshold explorer for slots: what any threshold makes of a trained tagger's rules, at once.

As classification/thresholds.py for labels: each rule at each threshold of the grid is written and read on the texts
beforehand (threshold_rules.py); moving the threshold then only puts together what the rules say, and looks again at
those texts alone of which a rule now says something else. A rule that marks nothing at a threshold, or is too long to
read, stays as it is written; `why` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

from re2nn_core.automata.output_sets import RuleTags
from re2nn_core.errors import InputError
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.classification.learned_weight import why_as_written
from re2nn_core.reconstruction.classification.threshold_choice import THRESHOLDS, KeptMachines
from re2nn_core.reconstruction.expressions.same_tagged import say_the_same
from re2nn_core.reconstruction.slot_filling.conduct import OnProgress
from re2nn_core.reconstruction.slot_filling.predicted_texts import check_network_slots
from re2nn_core.reconstruction.slot_filling.rewritten_rule import Rewriter, Rewritten, with_rewritten_rules
from re2nn_core.reconstruction.slot_filling.weighted import weighted_rules
from re2nn_core.reconstruction.weights.held_out_words import held_out_words, rows_as_unknown
from re2nn_core.rules.logic.priorities import ordered_tags
from re2nn_core.rules.printer import write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.rules.tree import Node
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.rule_review.classification.thresholds import empty_rules_message, nearest_threshold
from re2nn_core.services.rule_review.slot_filling.tally import Counts, SlotTally
from re2nn_core.services.rule_review.slot_filling.threshold_rules import RuleForm, ThresholdRule, rules_at_thresholds
from re2nn_core.services.rule_systems.slot_filling.decided_tags import TagDecider
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags, read_slot_system
from re2nn_core.text.corpus import SPLITS, Corpus
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.span_scores import SpanScores


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
        return empty_rules_message(self.threshold, [(rule.name, rule.why) for rule in self.rules])


@dataclass(frozen=True)
class SweepTexts:
    """The marked texts: their words, what is marked, what the network predicts, and the places of each split, dev
    first."""

    words: tuple[Tags, ...]
    gold: tuple[Tags, ...]
    network: tuple[Tags, ...]
    splits: Mapping[str, tuple[int, ...]]


class SlotThresholdSweep:
    """See the module; made by `sweep_slot_thresholds`."""

    def __init__(
        self,
        system: SlotSystem,
        rules: Sequence[ThresholdRule],
        texts: SweepTexts,
        measured: Mapping[float, tuple[SplitAt, ...]] | None = None,
    ) -> None:
        """`measured`: the scores at each threshold where they are known already."""
        rewriter = Rewriter(system.ruleset, system.known_slots, lowercase=system.tokenization.lowercase)
        changed = zip(rules, system.ruleset.rules, (tree for _, tree in system.trees), strict=True)
        self.system, self.texts = system, texts
        self.rules = tuple(_but_same(one, tree, partial(rewriter.tagged_tree, rule)) for one, rule, tree in changed)
        self._measured = measured or {}
        self.at = lru_cache(maxsize=128)(self._at)
        self.scores_at = lru_cache(maxsize=128)(self._scores_at)
        self.chosen = max(THRESHOLDS, key=lambda threshold: (self._dev(threshold), -threshold))

    @cached_property
    def _tally(self) -> SlotTally:
        return SlotTally(self.texts.gold, self.texts.network)

    @cached_property
    def _claims(self) -> list[list[RuleTags]]:
        """What the written rules say of each text."""
        claims: list[list[RuleTags]] = [[] for _ in self.texts.gold]
        for place, rule in enumerate(self.rules):
            for text, sets in rule.written.items():
                claims[text].append(RuleTags(place, sets))
        return claims

    @cached_property
    def _before(self) -> Counts:
        pairs = zip(self.texts.words, self._claims, strict=True)
        return self._tally.counts([self.system.decide(words, own) for words, own in pairs])

    @cached_property
    def _network(self) -> Counts:
        return self._tally.counts(self.texts.network)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The grid."""
        return THRESHOLDS

    def curve(self) -> tuple[SlotsAtThreshold, ...]:
        """What each threshold gives."""
        return tuple(self.at(threshold) for threshold in THRESHOLDS)

    def _dev(self, threshold: float) -> tuple[float, float]:
        """What decides on dev: F1, then agreement with the network."""
        first = self.scores_at(threshold)[0]
        return first.reconstructed.f1, first.agreement

    def _at(self, threshold: float, only: str | None = None) -> SlotsAtThreshold:
        """The rules at a threshold (the nearest of the grid). `only`: this rule alone moves, the others stay as they
        are written. InputError for a threshold outside 0 to 1, or a rule that is not there."""
        chosen, names = nearest_threshold(threshold), self.system.rule_names
        if only is not None and only not in names:
            raise InputError(f"There is no rule {only!r} in the network. It has: {', '.join(names)}.")
        moving = self._moving(chosen, only)
        rules = [
            RuleAt(
                rule.name,
                why_as_written(one, rule.learned, chosen)
                if only in (None, rule.name) and isinstance(one := rule.at[chosen], KeptMachines)
                else "",
            )
            for rule in self.rules
        ]
        forms = {names[place]: one for place, one in moving.items()}
        return SlotsAtThreshold(chosen, self._with(forms), tuple(rules), self.scores_at(chosen, only), tuple(forms))

    def _moving(self, threshold: float, only: str | None) -> dict[int, RuleForm]:
        """The rules that have another form at a threshold, by their place."""
        found = ((place, rule.at[threshold]) for place, rule in enumerate(self.rules) if only in (None, rule.name))
        return {place: one for place, one in found if isinstance(one, RuleForm)}

    def _with(self, forms: Mapping[str, RuleForm]) -> SlotSystem:
        """The rules with some in another form, as they are read. The priorities stay: a slot that they name may have
        gone."""
        if not forms:
            return self.system
        text = write_rules(with_rewritten_rules(self.system.ruleset, {name: one.form for name, one in forms.items()}))
        read = read_rules(text, lowercase=self.system.tokenization.lowercase)
        return replace(self.system, ruleset=read.ruleset, rules_text=text)

    def _scores_at(self, threshold: float, only: str | None = None) -> tuple[SplitAt, ...]:
        """The scores of each split at a threshold of the grid, dev first; `only` as in `at`."""
        if only is None and threshold in self._measured:
            return self._measured[threshold]
        moving = self._moving(threshold, only)
        counts = self._before.copy()
        written = (tags_of_tree(tree) for _, tree in self.system.trees)
        tags = ordered_tags([moving[place].tags if place in moving else own for place, own in enumerate(written)])
        # Other tags, or in another order, can decide a word otherwise though the same rules speak.
        texts = self._otherwise(moving) if tags == self.system.tags else range(len(counts))
        forms = {self.system.rule_names[place]: one for place, one in moving.items()}
        decider = TagDecider(tags, self.system.logic, lambda: [tree for _, tree in self._with(forms).trees])
        for text in texts:
            claims = [own for own in self._claims[text] if own.rule not in moving]
            claims += [
                RuleTags(place, one.tags_by_text[text]) for place, one in moving.items() if text in one.tags_by_text
            ]
            counts[text] = self._tally.count(text, decider.decide(self.texts.words[text], claims))
        return tuple(
            SplitAt(
                split,
                len(places),
                self._tally.scores(self._before, places),
                self._tally.scores(self._network, places),
                self._tally.scores(counts, places),
                self._tally.agreement(counts, places),
            )
            for split, places in self.texts.splits.items()
        )

    def _otherwise(self, moving: Mapping[int, RuleForm]) -> set[int]:
        """The texts of which some rule says something else than as it is written."""
        found: set[int] = set()
        for place, one in moving.items():
            was = self.rules[place].written
            found |= {text for text in (*was, *one.tags_by_text) if was.get(text) != one.tags_by_text.get(text)}
        return found


def _but_same(rule: ThresholdRule, written: Node, tagged_tree: Callable[[Rewritten], Node]) -> ThresholdRule:
    """The rule without forms that tag every sentence as the written one does."""
    same = {
        id(one)
        for one in rule.forms
        if one.tags_by_text == rule.written and say_the_same(written, tagged_tree(one.form))
    }
    at = {threshold: KeptMachines.SAME if id(one) in same else one for threshold, one in rule.at.items()}
    return replace(rule, at=at)


def sweep_slot_thresholds(
    bundle: TaggerBundle, corpus: Corpus, *, on_progress: OnProgress | None = None
) -> SlotThresholdSweep:
    """Compute what no threshold changes; seconds, where `SlotThresholdSweep.at` takes a fraction of one. InputError
    without marked texts, and for the network of something else."""
    marked = [example for example in corpus if example.spans is not None]
    if not marked:
        raise InputError(
            "None of the texts is annotated, so no threshold can be measured.\n"
            "Annotate some texts, or add texts with spans."
        )
    check_network_slots(bundle, Corpus(tuple(marked)))
    tagged = tagged_texts(marked, bundle.tokenization)
    predictions = predict_tags(bundle, [example.text for example in marked], with_confidences=False)
    splits = [example.split or "train" for example in marked]
    places = {s: tuple(n for n, own in enumerate(splits) if own == s) for s in ("dev", *SPLITS) if s in splits}
    texts = SweepTexts(
        tuple(text.words for text in tagged),
        tuple(text.tags or () for text in tagged),
        tuple(prediction.tags for prediction in predictions),
        places if "dev" in places else {"dev": tuple(range(len(marked))), **places},
    )
    system = system_of(bundle)
    every = words_of_all(corpus.texts, bundle.tokenization)
    hidden = held_out_words(bundle.vocabulary, corpus, every, system.ruleset.words)
    rows = rows_as_unknown(bundle.vocabulary, hidden)
    weights = [rule.with_words(rows) for rule in weighted_rules(bundle.learned.networks, bundle.vocabulary)]
    rules = rules_at_thresholds(bundle, system, weights, [text.words for text in tagged], on_progress)
    return SlotThresholdSweep(system, rules, texts)


def system_of(bundle: TaggerBundle) -> SlotSystem:
    """The rules that a tagger was made of."""
    parts = bundle.parts
    return read_slot_system(parts.rules_text, parts.logic_text, parts.tokenization, known_slots=parts.known_slots)[0]
