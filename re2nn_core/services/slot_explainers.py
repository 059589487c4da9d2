"""Explanations of one sentence after the other for slots: what they share is made once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.inclusion import joint_columns
from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.tag_sets import RuleTags
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.explain.changes import Change, smallest_change
from re2nn_core.explain.death import where_it_died
from re2nn_core.network.batch import Batch
from re2nn_core.network.tag_answers import names_of, run_taggers
from re2nn_core.network.tag_score_parts import TagScoreParts
from re2nn_core.network.tagger_bundle import TaggerBundle, build_tagger
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tagging import OUTSIDE, slot_of, tags_of
from re2nn_core.services.explanation import Flip, RuleDeath, RulePath, WhyNot
from re2nn_core.services.network_changes import (
    CONTEXT_BUDGET,
    NETWORK_BUDGET,
    PASSED,
    Judge,
    check_budget,
    distinct_words,
    smallest_network_change,
)
from re2nn_core.services.rule_explainer import nearest_first, some
from re2nn_core.services.slot_encoding import TagEncoder, takes_context
from re2nn_core.services.slot_explanation import SlotExplanation, SpanHeat, TaggedWord, TagSum, spans_in_words
from re2nn_core.services.slot_network_explanation import (
    TagAnswer,
    Words,
    chain_parts,
    heat_of_spans,
    slot_limits_of,
    span_heats,
    tag_answer,
    tag_batch,
    tag_parts_of,
    tag_paths_of,
)
from re2nn_core.services.slot_systems import SlotSystem
from re2nn_core.services.slot_training import untrained_tagger
from re2nn_core.text.spans import token_spans
from re2nn_core.text.tokenization import Tokenization, tokenize

MOST_RULES = 6
_ADDS = 0.005  # a part below is none


class SlotExplainer:
    """Rules for slots, and the tagger that answers in their place where there is one (`bundle` None or untrained: the
    rules, by the tagger that is equal to them)."""

    def __init__(self, system: SlotSystem, bundle: TaggerBundle | None = None) -> None:
        self.system = system
        self.trained = bundle is not None and bundle.trained
        self._given = bundle
        self._automata: dict[str, PositionAutomaton] = {}
        if self.trained and bundle is not None and not set(_slots_of(bundle)) & set(system.slots):
            raise InputError(
                f"The model was trained for other slots ({some(_slots_of(bundle))}) than the rules have "
                f"({some(system.slots)}).\nChoose the model of these rules, or the rules of the model."
            )

    @cached_property
    def _bundle(self) -> TaggerBundle:
        """The tagger that is explained: the trained one, or the exact one of the rules. StateBudgetError."""
        if self._given is not None and self.trained:
            return self._given
        return untrained_tagger(self.system, [])

    @cached_property
    def _before(self) -> TaggerBundle:
        """The tagger as it was before its training."""
        if not self.trained:
            return self._bundle
        network = self._bundle.network
        vectors = network.reader.vectors
        return build_tagger(
            self._bundle.parts, vectors.cpu().numpy() if vectors.shape[1] else None, encoder=network.encoder
        )

    @cached_property
    def _encoder(self) -> TagEncoder:
        return TagEncoder(self._bundle)

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that can be asked for: the rules', then those that only the network knows."""
        return tuple(dict.fromkeys((*self.system.slots, *(_slots_of(self._bundle) if self.trained else ()))))

    def words(self, text: str) -> Words:
        """The words of a text as rules and network read them."""
        return tuple(token.text for token in tokenize(text, self._tokenization))

    @property
    def _tokenization(self) -> Tokenization:
        return self._bundle.tokenization if self.trained else self.system.tokenization

    # --- why -----------------------------------------------------------------------------------------------------

    def explain(self, text: str) -> SlotExplanation:
        """Why each word of the text gets its tag."""
        tokens = tokenize(text, self._tokenization)
        sentence = tuple(token.text for token in tokens)
        readings = self.system.readings([sentence])[0]
        by_rules = self.system.decide(len(sentence), readings)
        try:
            bundle = self._bundle
        except StateBudgetError as error:
            return self._without_network(text, by_rules, readings, str(error))
        if not sentence:
            return SlotExplanation(text, (), (), (), tuple(self._notes(sentence)), self.trained)
        batch = tag_batch(bundle, [sentence], self._encoder)
        parts, numbers = tag_parts_of(bundle, batch), tag_answer(bundle, batch)
        names = names_of(bundle.network)
        tags = [names[number] for number in numbers.numbers.tolist()]
        heats = span_heats(bundle, sentence, numbers.numbers.tolist(), self._encoder)
        sums = self._sums_of_words(parts, numbers)
        words = tuple(
            TaggedWord(
                token.text,
                token.start,
                token.end,
                token.text in bundle.vocabulary.index,
                tags[place],
                bundle.network.tags[number],
                by_rules[place],
                sums[place],
                self._added(parts.by_rule[:, place, number]),
                self._votes(readings, place),
            )
            for place, (token, number) in enumerate(zip(tokens, numbers.numbers.tolist(), strict=True))
        )
        spans = tuple(SpanHeat(*heat) for heat in heat_of_spans(tags, heats))
        paths = self._paths(batch, sentence, parts, {self.system.rule_names[one.rule] for one in readings})
        return SlotExplanation(text, words, spans, paths, tuple(self._notes(sentence)), self.trained)

    def _added(self, own: NDArray[np.float64]) -> dict[str, float]:
        """What rules add, of values [rules]; nothing of those that add next to nothing."""
        pairs = zip(self._bundle.network.names, own.tolist(), strict=True)
        return {name: value for name, value in pairs if abs(value) > _ADDS}

    def _paths(
        self, batch: Batch, sentence: Words, parts: TagScoreParts, matching: Collection[str]
    ) -> tuple[RulePath, ...]:
        """The best paths through the rules that match, then through those that add most."""
        bundle, before = self._bundle, self._before
        names = bundle.network.names
        strength = np.abs(parts.by_rule).max((1, 2), initial=0.0)
        order = sorted(range(len(strength)), key=lambda rule: (names[rule] not in matching, -strength[rule]))
        chosen = [rule for rule in order if strength[rule] > _ADDS][:MOST_RULES]
        every = [
            tag_paths_of(bundle, before, batch, sentence, rule, self._positions_of(bundle, rule)) for rule in chosen
        ]
        return tuple(path for paths in every for path in paths)

    def _sums_of_words(self, parts: TagScoreParts, found: TagAnswer) -> list[tuple[TagSum, ...]]:
        """The sums of all tags at each word."""
        chain = chain_parts(self._bundle, found.numbers.tolist())
        rules = parts.by_rule.sum(0)
        return [
            self._sums(rules[place], parts.outside[place], chain[place], found.probabilities[place])
            for place in range(len(rules))
        ]

    def _sums(
        self,
        rules: NDArray[np.float64],
        outside: NDArray[np.float64],
        chain: NDArray[np.float64],
        probabilities: NDArray[np.float64],
    ) -> tuple[TagSum, ...]:
        """[tags] each: all tags, by falling score with what the chain adds."""
        total = rules + outside
        return tuple(
            TagSum(
                self._bundle.network.tags[tag],
                float(rules[tag]),
                float(outside[tag]),
                float(total[tag]),
                float(probabilities[tag]),
                float(chain[tag]),
            )
            for tag in np.argsort(-(total + chain), kind="stable").tolist()
        )

    def _votes(self, readings: Sequence[RuleTags], place: int) -> dict[str, tuple[str, ...]]:
        """For each tag that rules which match claim for a word those rules."""
        votes: dict[str, tuple[str, ...]] = {}
        for reading in readings:
            for tag in sorted(reading.sets[place]):
                votes[tag] = (*votes.get(tag, ()), self.system.rule_names[reading.rule])
        return votes

    def _positions_of(self, bundle: TaggerBundle, rule: int) -> PositionAutomaton | None:
        """The rule's positions, where they are the network's states."""
        if bundle.config.transducer != "positions":
            return None
        trees = dict(self.system.trees)
        name = bundle.network.names[rule]
        same = bundle.parts.rules_text == self.system.rules_text
        return self._automaton(name) if same and name in trees else None

    def _notes(self, sentence: Words) -> list[str]:
        bundle, notes = self._bundle, []
        if not sentence:
            notes.append("The text has no words, so that there is nothing to tag.")
        elif not any(word in bundle.vocabulary.index for word in sentence):
            known = "The network knows" if self.trained else "The rules name"
            notes.append(f"{known} none of these words: they are read as words that nobody knows.")
        if self.trained and self.system.rules_text != bundle.parts.rules_text:
            notes.append(
                "The network was trained from other rules than those chosen: its parts and paths are of the rules that "
                "it was trained from."
            )
        return [*notes, *slot_limits_of(bundle)]

    def _without_network(
        self, text: str, tags: Sequence[str], readings: Sequence[RuleTags], refusal: str
    ) -> SlotExplanation:
        tokens = tokenize(text, self.system.tokenization)
        words = tuple(
            TaggedWord(token.text, token.start, token.end, True, tag, tag, tag, (), {}, self._votes(readings, place))
            for place, (token, tag) in enumerate(zip(tokens, tags, strict=True))
        )
        note = f"There is no network of these rules, so that scores and paths are not told: {refusal}"
        return SlotExplanation(text, words, (), (), (note,), False)

    # --- why not -------------------------------------------------------------------------------------------------

    def why_not(self, text: str, wanted: str) -> WhyNot:
        """Why a slot, or else a rule of that name, does not come. InputError where there is neither."""
        sentence = self.words(text)
        trees = dict(self.system.trees)
        if wanted in self.system.slots:
            giving = [name for name, tree in trees.items() if wanted in map(slot_of, tags_of(tree))]
            return WhyNot(wanted, False, tuple(self._reasons(sentence, wanted, giving)), self._deaths(giving, sentence))
        if wanted in trees:
            matches = any(self.system.rule_names[one.rule] == wanted for one in self.system.readings([sentence])[0])
            reason = f"{wanted} matches this text." if matches else f"{wanted} does not match this text."
            return WhyNot(wanted, True, (reason,), self._deaths([wanted], sentence))
        self._check_slot(wanted, or_rule=True)
        return WhyNot(wanted, False, (f"No rule gives {wanted}; only the network, which has learned it, can.",), ())

    def _check_slot(self, slot: str | None, *, or_rule: bool = False) -> None:
        if slot is None or slot in self.slots:
            return
        rules = f" The rules are: {some(self.system.rule_names)}." if or_rule else ""
        what = "slot or rule" if or_rule else "slot"
        raise InputError(f"There is no {what} {slot!r}. The slots are: {some(self.slots)}.{rules}")

    def _reasons(self, sentence: Words, wanted: str, giving: Sequence[str]) -> list[str]:
        readings = self.system.readings([sentence])[0]
        tags = self.system.decide(len(sentence), readings)
        if any(slot_of(tag) == wanted for tag in tags):
            return [f"The rules do give {wanted} here."]
        reasons = []
        for reading in readings:
            name = self.system.rule_names[reading.rule]
            places = [n for n, claims in enumerate(reading.sets) if any(slot_of(tag) == wanted for tag in claims)]
            if places and name in giving:
                words = " ".join(sentence[place] for place in places)
                won = ", ".join(dict.fromkeys(tags[place] for place in places))
                reasons.append(
                    f"{name} matches and claims “{words}” for {wanted}, but {won} wins: by priority, by more votes, or "
                    "because the rules name it first."
                )
        return reasons or [f"None of the {len(giving)} rules that give {wanted} matches."]

    def _automaton(self, name: str) -> PositionAutomaton:
        if name not in self._automata:
            self._automata[name] = position_transducer(dict(self.system.trees)[name], name).automaton
        return self._automata[name]

    def _deaths(self, names: Sequence[str], sentence: Words) -> tuple[RuleDeath, ...]:
        rules = {rule.name: rule for rule in self.system.ruleset.rules}
        found = []
        for name in names:
            automaton = self._automaton(name)
            change = smallest_change(automaton, sentence)
            answer = None if change is None else spans_in_words(change.words, self._by_rules([change.words])[0])
            expression = print_expression(rules[name].tree)
            label = some([slot for slot in dict.fromkeys(map(slot_of, tags_of(dict(self.system.trees)[name]))) if slot])
            found.append(RuleDeath(name, label, expression, where_it_died(automaton, sentence), change, answer))
        return nearest_first(found)

    def _by_rules(self, sentences: Sequence[Words]) -> list[tuple[str, ...]]:
        return self.system.tags_of_words(sentences)

    # --- flips ---------------------------------------------------------------------------------------------------

    def flip(self, text: str, wanted: str | None = None, *, budget: int | None = None) -> Flip:
        """The smallest change found after which some word is given the slot `wanted`; for None, after which the slots
        of the text's spans, in their order, are others. InputError for a slot that there is not, or a budget below
        one."""
        self._check_slot(wanted)
        check_budget(budget)
        sentence = self.words(text)
        before = self._tags([sentence])[0][0]
        if wanted is not None and any(slot_of(tag) == wanted for tag in before):
            said = spans_in_words(sentence, before)
            return Flip(said, said, None, True, 0, 0, self.trained, f"The text has the slot {wanted} already.")
        seeds = self._seeds(sentence, wanted)
        found = smallest_network_change(
            sentence,
            self._words_to_try(seeds),
            self._judge(wanted, _slots(before)),
            seeds=seeds,
            bringing=wanted is not None,
            budget=budget or (CONTEXT_BUDGET if self.trained and takes_context(self._bundle) else NETWORK_BUDGET),
        )
        after = None
        if found.change is not None:
            after = spans_in_words(found.change.words, self._tags([found.change.words])[0][0])
        # Rules give no slot that none of them accepts the sentence for.
        least = min(map(len, seeds), default=0) if wanted is not None and not self.trained else 0
        smallest = found.change is not None and len(found.change) - 1 <= max(found.complete, least - 1)
        note = "" if found.all_words else f"Not every word was tried: {PASSED}"
        return Flip(
            spans_in_words(sentence, before),
            after,
            found.change,
            smallest,
            found.complete,
            found.looked_at,
            self.trained,
            note,
        )

    def _seeds(self, sentence: Words, wanted: str | None) -> list[Change]:
        """The smallest change that each rule which gives the slot accepts."""
        names = [name for name, tree in self.system.trees if wanted is None or wanted in map(slot_of, tags_of(tree))]
        found = [smallest_change(self._automaton(name), sentence) for name in names]
        return [change for change in found if change is not None]

    def _words_to_try(self, seeds: Sequence[Change]) -> list[str]:
        first = [word for change in seeds for edit in change.edits if (word := edit.new) is not None]
        if self.trained:
            readers = [network.reader for network in self._bundle.networks]
            return distinct_words(self._bundle.vocabulary, readers, first)
        return list(joint_columns([self._automaton(name) for name in self.system.rule_names]).words)

    def _tags(self, sentences: Sequence[Words]) -> list[tuple[tuple[str, ...], float]]:
        """The tags of each sentence, and how sure the least sure of them is."""
        if not self.trained:
            return [(tags, 1.0) for tags in self._by_rules(sentences)]
        bundle = self._bundle
        codes = [bundle.vocabulary.encode(sentence) for sentence in sentences]
        found = run_taggers(bundle.networks, codes, context=self._encoder.context(list(sentences)))
        return [(one.tags, float(one.sureness.min(initial=1.0))) for one in found]

    def _judge(self, wanted: str | None, before: tuple[str, ...]) -> Judge:
        def judge(sentences: Sequence[Words]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
            found = self._tags(sentences)
            if wanted is None:
                fine = [_slots(tags) != before for tags, _ in found]
            else:
                fine = [any(slot_of(tag) == wanted for tag in tags) for tags, _ in found]
            return np.asarray(fine, dtype=np.bool_), np.asarray([-sure for _, sure in found], dtype=np.float64)

        return judge


def _slots(tags: Sequence[str]) -> tuple[str, ...]:
    """The slots of the spans that tags tell, in their order."""
    return tuple(span.slot for span in token_spans(tags))


def _slots_of(bundle: TaggerBundle) -> tuple[str, ...]:
    found = (slot_of(tag) for tag in bundle.network.tags if tag != OUTSIDE)
    return tuple(dict.fromkeys(slot for slot in found if slot is not None))
