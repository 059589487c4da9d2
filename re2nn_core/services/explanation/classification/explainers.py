"""Explanations of one sentence after the other, by the same rules and network: what they share is made once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.errors import StateBudgetError
from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.rules.logic.decisions import decide_labels
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.explanation.classification.decision_reason import because_of, label_ties, rule_ties, winner_of
from re2nn_core.services.explanation.classification.explanation import Explanation
from re2nn_core.services.explanation.classification.label_explanation import (
    explanation_notes_of,
    heated,
    label_sums,
    rule_parts,
    rule_paths,
    without_network,
)
from re2nn_core.services.explanation.classification.network_changes import check_budget
from re2nn_core.services.explanation.classification.network_explanation import (
    batch_of,
    heats,
    predictions,
    rest_of,
    score_parts_of,
)
from re2nn_core.services.explanation.classification.network_flips import network_flip
from re2nn_core.services.explanation.classification.reasons import confidence_in_words
from re2nn_core.services.explanation.classification.rule_explainer import RuleExplainer, check_asked, check_model
from re2nn_core.services.explanation.flip import Flip
from re2nn_core.services.explanation.text_notes import is_long, text_notes, too_long
from re2nn_core.services.explanation.why_not import RuleDeath, WhyNot
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.services.prediction.new_words import knowing
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.tokenization import Token, tokenize
from re2nn_core.text.vocabulary import build_vocabulary

MOST_RULES = 6  # whose paths are shown
_MATCHES = 0.05


class Explainer:
    """Rules, and the network that predictions in their place where there is one (`bundle` None or untrained: the rules,
    by the network that is equal to them)."""

    def __init__(self, system: RuleSystem, bundle: Bundle | None = None, rules: RuleExplainer | None = None) -> None:
        self.system = system
        self.trained = bundle is not None and bundle.trained
        self._given = bundle
        self._contexts = Contexts()
        self.rules = rules or RuleExplainer(system)
        if self.trained and bundle is not None:
            check_model("labels", bundle.network.logic.labels, system.logic.labels)

    @cached_property
    def _refusal(self) -> str:
        """Why there is no network of these rules; empty where there is one."""
        try:
            _ = self._bundle
        except StateBudgetError as error:
            return str(error)
        return ""

    @cached_property
    def _bundle(self) -> Bundle:
        """The network that is explained: the trained one, or the exact one of the rules. StateBudgetError."""
        if self._given is not None and self.trained:
            return self._given
        return _exact(self.system)

    @cached_property
    def _before(self) -> Bundle:
        """The network as it was before its training."""
        trained = self._bundle
        if not self.trained:
            return trained
        vectors = trained.network.reader.vectors
        return build_bundle(
            trained.rules_text,
            trained.logic_text,
            trained.tokenization,
            trained.vocabulary,
            trained.config,
            vectors=vectors.cpu().numpy() if vectors.shape[1] else None,
            extra_labels=trained.extra_labels,
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that can be asked for: the rules', then those that only the network knows."""
        more = self._bundle.network.logic.labels if self.trained else ()
        return tuple(dict.fromkeys((*self.system.logic.labels, *more)))

    def words(self, text: str) -> tuple[str, ...]:
        """The words of a text as rules and network read them."""
        return tuple(token.text for token in self._tokens(text))

    def _tokens(self, text: str) -> tuple[Token, ...]:
        return tokenize(text, self._bundle.tokenization if self.trained else self.system.tokenization)

    def explain(self, text: str, about: str | None = None) -> Explanation:
        """Why the text gets its prediction. `about`: the label whose score is reported word by word, else the
        prediction's, else the best one's. InputError for a label that there is not."""
        check_asked("label", about, self.labels)
        return self._knowing(text)._explain(text, about)

    def _knowing(self, text: str) -> Explainer:
        """One whose network knows all words of the text."""
        known = knowing(self._bundle, [self.words(text)]) if self.trained else None
        return self if known is None or known is self._bundle else Explainer(self.system, known, self.rules)

    def _explain(self, text: str, about: str | None) -> Explanation:
        tokens = self._tokens(text)
        sentence = tuple(token.text for token in tokens)
        matched = self.matched(sentence)
        decision = decide_labels(self.system.logic, matched)
        if self._refusal:
            return without_network(text, tokens, decision.label, about, self._refusal)
        bundle = self._bundle
        labels = bundle.network.logic.labels
        batch = batch_of(bundle, [sentence], self._contexts)
        found, parts = predictions(bundle, batch), score_parts_of(bundle, batch)
        prediction = labels[found.labels[0]] if found.labels[0] >= 0 else None
        chosen = about if about in labels else prediction or labels[int(found.scores[0].argmax())]
        number = labels.index(chosen)
        order = np.argsort(-np.abs(parts.by_machine[:, number]), kind="stable").tolist()
        was = score_parts_of(self._before, batch).machine_scores if self.trained else parts.machine_scores
        matching = [m for m in order if max(parts.machine_scores[m], abs(parts.by_machine[m, number])) > _MATCHES]
        sums, rules = label_sums(labels, parts, found.probabilities[0]), rule_parts(bundle, parts, was, order, matched)
        ties = [*label_ties(decision, sums, trained=self.trained), *rule_ties(rules, prediction)]
        return Explanation(
            text,
            prediction,
            decision.label,
            chosen,
            heated(tokens, self._heats(sentence, number), bundle),
            sums,
            rules,
            () if is_long(sentence) else rule_paths(bundle, self._before, batch, sentence, matching[:MOST_RULES]),
            (
                *text_notes(text, sentence),
                *explanation_notes_of(bundle, sentence, self.system.rules_text, trained=self.trained),
            ),
            self.trained,
            tuple(ties),
            because_of(sums, rules, prediction, bundle.network.logic.default)
            if self.trained
            else winner_of(self.system, matched, decision).in_words,
            rest_of(bundle.config, len(bundle.networks)) if self.trained else "",
        )

    def _heats(self, sentence: tuple[str, ...], label: int) -> list[float]:
        """How much each word counts for a label; 0 each in a long text."""
        return [0.0] * len(sentence) if is_long(sentence) else heats(self._bundle, sentence, label, self._contexts)

    # --- why not -------------------------------------------------------------------------------------------------

    def matched(self, sentence: Sequence[str]) -> frozenset[str]:
        """The rules that accept a sentence."""
        return self.rules.matched(sentence)

    def automaton(self, rule: Rule) -> PositionAutomaton:
        """A rule's position automaton."""
        return self.rules.automaton(rule)

    def why_not(self, text: str, wanted: str) -> WhyNot:
        """Why a label, or else a rule of that name, does not speak for the text. InputError where there is neither."""
        sentence = self.words(text)
        found = self.rules.why_not(sentence, wanted)
        if found is None:
            check_asked("label", wanted, self.labels, self.system.rule_names)
            reason = f"No rule is for {wanted}; only the network, which has learned it, can predict it."
            found = WhyNot(wanted, False, (reason,), ())
        if not self.trained:
            return found
        known = self._knowing(text)
        reasons = (*found.reasons, known._networks_prediction(sentence, wanted))
        return replace(found, reasons=reasons, rules=known._with_network(found.rules))

    def _with_network(self, rules: Sequence[RuleDeath]) -> tuple[RuleDeath, ...]:
        """Each rule with what the network predicts for the sentence that the rule would accept."""
        changed = {rule.change.words for rule in rules if rule.change is not None}
        sentences = sorted(changed, key=len, reverse=True)
        if not sentences:
            return tuple(rules)
        found = predictions(self._bundle, batch_of(self._bundle, sentences, self._contexts)).labels
        labels = self._bundle.network.logic.labels
        by_words = {words: labels[n] if n >= 0 else "" for words, n in zip(sentences, found, strict=True)}
        return tuple(
            rule if rule.change is None else replace(rule, network_prediction=by_words[rule.change.words])
            for rule in rules
        )

    def _networks_prediction(self, sentence: Sequence[str], wanted: str) -> str:
        """What the trained network says, in a sentence."""
        found = predictions(self._bundle, batch_of(self._bundle, [sentence], self._contexts))
        label = self._bundle.network.logic.labels[found.labels[0]]
        worth = confidence_in_words(float(found.probabilities[0, found.labels[0]]))
        if label == wanted:
            return f"The trained network does predict {label}, {worth}."
        return f"The trained network predicts {label}, {worth}."

    # --- flips ---------------------------------------------------------------------------------------------------

    def flip(self, text: str, wanted: str | None = None, *, budget: int | None = None) -> Flip:
        """The smallest change found after which the prediction is `wanted`, or any other where it is None. `budget`:
        how many changes may be tried. InputError for a label that there is not, or a budget below one."""
        check_asked("label", wanted, self.labels)
        check_budget(budget)
        sentence = self.words(text)
        if is_long(sentence):
            before = self.explain(text).prediction
            return Flip(before, before, None, False, 0, 0, self.trained, too_long(sentence))
        if not self.trained:
            return self.rules.flip(sentence, wanted, budget)
        return network_flip(self._knowing(text)._bundle, self._contexts, self.rules, sentence, wanted, budget)


def _exact(system: RuleSystem) -> Bundle:
    """The exact network of a rule system, over the words that the rules name."""
    vocabulary = build_vocabulary([], always=system.ruleset.words)
    config = NetworkConfig(vectors="none", dropout=0.0)
    return build_bundle(system.rules_text, system.logic_text, system.tokenization, vocabulary, config)
