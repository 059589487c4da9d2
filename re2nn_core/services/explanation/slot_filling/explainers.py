"""Explanations of one sentence after the other for slots: what they share is made once.

rule_explainer.py        what the rules alone say: why not, and the smallest change of each
word_scores.py             scores as sums, and paths
network_explanation.py   a tagger's scores taken apart
flips.py                 the smallest change that changes the prediction
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from re2nn_core.automata.output_sets import RuleTags
from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.errors import StateBudgetError
from re2nn_core.network.slot_filling.bundle import TaggerBundle, build_tagger
from re2nn_core.network.slot_filling.predict import tag_names
from re2nn_core.rules.tagging import slot_of
from re2nn_core.services.explanation.classification.network_changes import check_budget
from re2nn_core.services.explanation.classification.rule_explainer import check_asked, check_model
from re2nn_core.services.explanation.flip import Flip
from re2nn_core.services.explanation.slot_filling.decision_reason import slot_ties
from re2nn_core.services.explanation.slot_filling.explanation import (
    SlotExplanation,
    SpanHeat,
    TaggedWord,
    tagged_spans_in_words,
)
from re2nn_core.services.explanation.slot_filling.flips import slot_flip
from re2nn_core.services.explanation.slot_filling.network_explanation import (
    Words,
    heat_of_spans,
    slot_limits_of,
    span_heats,
    tag_batch,
    tag_parts_of,
    tag_prediction,
)
from re2nn_core.services.explanation.slot_filling.rule_explainer import SlotRuleExplainer, claims_of
from re2nn_core.services.explanation.slot_filling.word_scores import (
    added_by_rules,
    best_paths_of,
    sums_of_words,
    tied_words,
)
from re2nn_core.services.explanation.text_notes import is_long, text_notes, too_long
from re2nn_core.services.explanation.why_not import WhyNot
from re2nn_core.services.prediction.new_words import knowing
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.kinds import spelling
from re2nn_core.text.spans import OUTSIDE
from re2nn_core.text.tokenization import Token, Tokenization, tokenize


class SlotExplainer:
    """Rules for slots, and the tagger that predictions in their place where there is one (`bundle` None or untrained:
    the rules, by the tagger that is equal to them)."""

    def __init__(
        self, system: SlotSystem, bundle: TaggerBundle | None = None, rules: SlotRuleExplainer | None = None
    ) -> None:
        self.system = system
        self.rules = rules or SlotRuleExplainer(system)
        self.trained = bundle is not None and bundle.trained
        self._given = bundle
        if self.trained and bundle is not None:
            check_model("slots", _slots_of(bundle), system.slots)

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
        return self._knowing(text)._explain(text)

    def _knowing(self, text: str) -> SlotExplainer:
        """One whose network knows all words of the text."""
        known = knowing(self._bundle, [self.words(text)]) if self.trained else None
        return self if known is None or known is self._bundle else SlotExplainer(self.system, known, self.rules)

    def _explain(self, text: str) -> SlotExplanation:
        tokens = tokenize(text, self._tokenization)
        sentence = tuple(token.text for token in tokens)
        readings = self.system.readings([sentence])[0]
        by_rules = self.system.decide(sentence, readings)
        ties = slot_ties(self.system, sentence, by_rules, claims_of(len(sentence), readings))
        try:
            bundle = self._bundle
        except StateBudgetError as error:
            return replace(self._without_network(text, by_rules, readings, str(error)), ties=tuple(ties))
        if not sentence:
            return SlotExplanation(text, (), (), (), tuple(self._notes(sentence)), self.trained)
        batch = tag_batch(bundle, [sentence], self._encoder)
        parts, prediction = tag_parts_of(bundle, batch), tag_prediction(bundle, batch)
        numbers, names = prediction.numbers.tolist(), tag_names(bundle.network)
        # An untrained network is its rules, which choose among the readings of captures.
        tags = [names[number] for number in numbers] if self.trained else list(by_rules)
        sums = sums_of_words(bundle, parts, prediction)
        words = tuple(
            replace(
                self._word(token, place, tags[place], by_rules[place], readings),
                known=token.text in bundle.vocabulary.index,
                own=bundle.network.tags[number],
                sums=sums[place],
                added=added_by_rules(bundle, parts.by_rule[:, place, number]),
            )
            for place, (token, number) in enumerate(zip(tokens, numbers, strict=True))
        )
        # In a long text a figure at each word for each word is too much.
        every = () if is_long(sentence) else heat_of_spans(tags, span_heats(bundle, sentence, numbers, self._encoder))
        matching = {self.system.rule_names[one.rule] for one in readings}
        return SlotExplanation(
            text,
            words,
            tuple(SpanHeat(*heat) for heat in every),
            ()
            if is_long(sentence)
            else best_paths_of(bundle, self._before, batch, sentence, parts, matching, self._positions_of),
            (*text_notes(text, sentence), *self._notes(sentence)),
            self.trained,
            tuple(tied_words(words) if self.trained else ties),
        )

    def _word(self, token: Token, place: int, tag: str, by_rules: str, readings: Sequence[RuleTags]) -> TaggedWord:
        """A word with its tag, and nothing told of scores."""
        votes = self.rules.votes(readings, place)
        return TaggedWord(spelling(token.text), token.start, token.end, True, tag, tag, by_rules, (), {}, votes)

    def _positions_of(self, name: str) -> PositionAutomaton | None:
        """The rule's positions, where they are the network's states."""
        bundle = self._bundle
        if bundle.config.transducer != "positions" or bundle.parts.rules_text != self.system.rules_text:
            return None
        return self.rules.automaton(name) if name in self.system.rule_names else None

    def _notes(self, sentence: Words) -> list[str]:
        bundle, notes = self._bundle, []
        if not sentence:
            notes.append("The text has no words, so there is nothing to tag.")
        elif not any(word in bundle.vocabulary.index for word in sentence):
            known = "The network knows" if self.trained else "The rules name"
            notes.append(f"{known} none of these words: they are treated as unknown words.")
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
            self._word(token, place, tags[place], tags[place], readings) for place, token in enumerate(tokens)
        )
        note = f"There is no network of these rules, so scores and paths are not available: {refusal}"
        return SlotExplanation(text, words, (), (), (note,), False)

    # --- why not, and what would change it -----------------------------------------------------------------------

    def why_not(self, text: str, wanted: str) -> WhyNot:
        """Why a slot, or else a rule of that name, does not come. InputError where there is neither."""
        sentence = self.words(text)
        found = self.rules.why_not(sentence, wanted)
        if found is None:
            check_asked("slot", wanted, self.slots, self.system.rule_names)
            reason = f"No rule gives {wanted}; only the network, which has learned it, can."
            found = WhyNot(wanted, False, (reason,), ())
        if not self.trained:
            return found
        known = self._knowing(text)
        rules = tuple(
            rule if rule.change is None else replace(rule, network_prediction=known._spans(rule.change.words))
            for rule in found.rules
        )
        return replace(found, reasons=(*found.reasons, known._networks_prediction(sentence, wanted)), rules=rules)

    def _spans(self, sentence: Words) -> str:
        return tagged_spans_in_words(sentence, self._network_tags(sentence))

    def _network_tags(self, sentence: Words) -> list[str]:
        if not sentence:
            return []
        batch = tag_batch(self._bundle, [sentence], self._encoder)
        names = tag_names(self._bundle.network)
        return [names[number] for number in tag_prediction(self._bundle, batch).numbers.tolist()]

    def _networks_prediction(self, sentence: Words, wanted: str) -> str:
        """What the trained network gives the words, in a sentence."""
        tags = self._network_tags(sentence)
        does = "does give" if any(slot_of(tag) == wanted for tag in tags) else "gives"
        return f"The trained network {does} {tagged_spans_in_words(sentence, tags)}."

    def flip(self, text: str, wanted: str | None = None, *, budget: int | None = None) -> Flip:
        """The smallest change found after which some word is given the slot `wanted`; for None, after which the slots
        of the text's spans, in their order, are others. InputError for a slot that there is not, or a budget below
        one."""
        check_asked("slot", wanted, self.slots)
        check_budget(budget)
        sentence = self.words(text)
        if is_long(sentence):
            before = tagged_spans_in_words(sentence, self.explain(text).tags)
            return Flip(before, before, None, False, 0, 0, self.trained, too_long(sentence))
        known = self._knowing(text)
        trained = (known._bundle, known._encoder) if self.trained else None
        return slot_flip(self.rules, trained, sentence, wanted, budget)


def _slots_of(bundle: TaggerBundle) -> tuple[str, ...]:
    found = (slot_of(tag) for tag in bundle.network.tags if tag != OUTSIDE)
    return tuple(dict.fromkeys(slot for slot in found if slot is not None))
