"""Explanations of one sentence after the other, by the same rules and network: what they share is made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.network.batch import Batch
from re2nn_core.network.bundle import Bundle, build_bundle
from re2nn_core.network.config import NetworkConfig
from re2nn_core.network.score_parts import Doubles, ScoreParts
from re2nn_core.rules.decisions import decide
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.encoding import Contexts
from re2nn_core.services.explanation import (
    Explanation,
    Flip,
    HeatedWord,
    LabelSum,
    RulePart,
    RulePath,
    WhyNot,
)
from re2nn_core.services.network_changes import (
    PASSED,
    budget_of,
    check_budget,
    judge_labels,
    smallest_network_change,
    words_to_try,
)
from re2nn_core.services.network_explanation import answers, batch_of, heats, limits_of, parts_of, paths_of
from re2nn_core.services.rule_explainer import RuleExplainer, some
from re2nn_core.services.systems import RuleSystem
from re2nn_core.text.tokenization import Token, tokenize
from re2nn_core.text.vocabulary import build_vocabulary

MOST_RULES = 6  # whose paths are shown
_SPEAKS = 0.05


class Explainer:
    """Rules, and the network that answers in their place where there is one (`bundle` None or untrained: the rules, by
    the network that is equal to them)."""

    def __init__(self, system: RuleSystem, bundle: Bundle | None = None) -> None:
        self.system = system
        self.trained = bundle is not None and bundle.trained
        self._given = bundle
        self._contexts = Contexts()
        self.rules = RuleExplainer(system)
        if self.trained and bundle is not None and not set(bundle.network.logic.labels) & set(system.logic.labels):
            raise InputError(
                f"The model was trained for other labels ({some(bundle.network.logic.labels)}) than the rules have "
                f"({some(system.logic.labels)}).\nChoose the model of these rules, or the rules of the model."
            )

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
        """Why the text gets its answer. `about`: the label whose score is told word by word, else the answer's, else
        the best one's. InputError for a label that there is not."""
        self._check_label(about)
        tokens = self._tokens(text)
        sentence = tuple(token.text for token in tokens)
        fired = self.fired(sentence)
        rules_answer = decide(self.system.logic, fired).label
        if self._refusal:
            return _without_network(text, tokens, rules_answer, about, self._refusal)
        bundle = self._bundle
        labels = bundle.network.logic.labels
        batch = batch_of(bundle, [sentence], self._contexts)
        found, parts = answers(bundle, batch), parts_of(bundle, batch)
        answer = labels[found.labels[0]] if found.labels[0] >= 0 else None
        chosen = about if about in labels else answer or labels[int(found.scores[0].argmax())]
        number = labels.index(chosen)
        order = np.argsort(-np.abs(parts.by_machine[:, number]), kind="stable").tolist()
        was = parts_of(self._before, batch).machine_scores if self.trained else parts.machine_scores
        speaking = [m for m in order if max(parts.machine_scores[m], abs(parts.by_machine[m, number])) > _SPEAKS]
        return Explanation(
            text,
            answer,
            rules_answer,
            chosen,
            _heated(tokens, heats(bundle, sentence, number, self._contexts), bundle),
            _sums(labels, parts, found.probabilities[0]),
            self._parts(parts, was, order, fired),
            self._paths(batch, sentence, speaking[:MOST_RULES]),
            tuple(self._notes(sentence)),
            self.trained,
        )

    def _parts(
        self, parts: ScoreParts, before: Doubles, order: Sequence[int], fired: frozenset[str]
    ) -> tuple[RulePart, ...]:
        """What each machine adds, in this order; `before` [machines]: their scores without training."""
        bundle, owner = self._bundle, self._owners(self._bundle)
        labels, machines = bundle.network.logic.labels, bundle.machines.machines
        return tuple(
            RulePart(
                machines[machine].name,
                owner[machine],
                any(rule in fired for rule in machines[machine].rules),
                float(before[machine]),
                float(parts.machine_scores[machine]),
                dict(zip(labels, parts.by_machine[machine].tolist(), strict=True)),
            )
            for machine in order
        )

    def _paths(self, batch: Batch, sentence: Sequence[str], machines: Sequence[int]) -> tuple[RulePath, ...]:
        """The best paths through some machines."""
        bundle, before, owner = self._bundle, self._before, self._owners(self._bundle)
        every = [paths_of(bundle, before, batch, sentence, machine, owner[machine]) for machine in machines]
        return tuple(path for paths in every for path in paths)

    def _owners(self, bundle: Bundle) -> list[str]:
        """The label of each machine's rules."""
        label_of = {rule.name: rule.label for rule in bundle.ruleset.rules}
        return [label_of[machine.rules[0]] for machine in bundle.machines.machines]

    def _notes(self, sentence: Sequence[str]) -> list[str]:
        bundle = self._bundle
        notes = []
        if not sentence:
            notes.append("The text has no words: only rules that accept the empty sentence can match.")
        elif not any(word in bundle.vocabulary.index for word in sentence):
            known = "The network knows" if self.trained else "The rules name"
            notes.append(f"{known} none of these words: they are read as words that nobody knows.")
        if self.trained and self.system.rules_text != bundle.rules_text:
            notes.append(
                "The network was trained from other rules than those chosen: its parts and paths are of the rules that "
                "it was trained from."
            )
        return [*notes, *limits_of(bundle.config, len(bundle.networks), trained=self.trained)]

    # --- why not -------------------------------------------------------------------------------------------------

    def fired(self, sentence: Sequence[str]) -> frozenset[str]:
        """The rules that accept a sentence."""
        return self.rules.fired(sentence)

    def automaton(self, rule: Rule) -> PositionAutomaton:
        """A rule's position automaton."""
        return self.rules.automaton(rule)

    def why_not(self, text: str, wanted: str) -> WhyNot:
        """Why a label, or else a rule of that name, does not speak for the text. InputError where there is neither."""
        found = self.rules.why_not(self.words(text), wanted)
        if found is not None:
            return found
        self._check_label(wanted, or_rule=True)
        return WhyNot(
            wanted, False, (f"No rule speaks for {wanted}; only the network, which has learned it, can give it.",), ()
        )

    def _check_label(self, label: str | None, *, or_rule: bool = False) -> None:
        if label is None or label in self.labels:
            return
        rules = f" The rules are: {some(self.system.rule_names)}." if or_rule else ""
        what = "label or rule" if or_rule else "label"
        raise InputError(f"There is no {what} {label!r}. The labels are: {some(self.labels)}.{rules}")

    # --- flips ---------------------------------------------------------------------------------------------------

    def flip(self, text: str, wanted: str | None = None, *, budget: int | None = None) -> Flip:
        """The smallest change found after which the answer is `wanted`, or any other where it is None. `budget`: how
        many changes may be tried. InputError for a label that there is not, or a budget below one."""
        self._check_label(wanted)
        check_budget(budget)
        sentence = self.words(text)
        return (
            self._flip_network(sentence, wanted, budget) if self.trained else self.rules.flip(sentence, wanted, budget)
        )

    def _flip_network(self, sentence: tuple[str, ...], wanted: str | None, budget: int | None) -> Flip:
        bundle = self._bundle
        labels = bundle.network.logic.labels
        given = int(answers(bundle, batch_of(bundle, [sentence], self._contexts)).labels[0])
        before = labels[given] if given >= 0 else None
        if wanted is not None and wanted not in labels:
            raise InputError(f"The network does not know the label {wanted!r}; it knows {some(labels)}.")
        if wanted is not None and wanted == before:
            return Flip(before, before, None, True, 0, 0, True, f"The answer is {wanted} already.")
        aim = None if wanted is None else labels.index(wanted)
        seeds = self.rules.changes_for(sentence, wanted)
        words = words_to_try(bundle, [word for change in seeds for edit in change.edits if (word := edit.new)])
        allowed = budget or budget_of(bundle)
        found = smallest_network_change(
            sentence,
            words,
            judge_labels(bundle, aim, given),
            seeds=seeds[:allowed],
            budget=allowed,
            bringing=wanted is not None,
        )
        after = None
        if found.change is not None:
            number = int(answers(bundle, batch_of(bundle, [found.change.words], self._contexts)).labels[0])
            after = labels[number] if number >= 0 else None
        smallest = found.change is not None and len(found.change) - 1 <= found.complete
        note = "" if found.all_words else f"Not every word was tried: {PASSED}"
        return Flip(before, after, found.change, smallest, found.complete, found.looked_at, True, note)


def _exact(system: RuleSystem) -> Bundle:
    """The exact network of a rule system, over the words that the rules name."""
    vocabulary = build_vocabulary([], always=system.ruleset.words)
    config = NetworkConfig(vectors="none", dropout=0.0)
    return build_bundle(system.rules_text, system.logic_text, system.tokenization, vocabulary, config)


def _sums(labels: Sequence[str], parts: ScoreParts, probabilities: Doubles) -> tuple[LabelSum, ...]:
    """Each label's sum, the best one first; probabilities [labels]."""
    total, rules = parts.total, parts.by_machine.sum(0)
    return tuple(
        LabelSum(
            labels[place],
            float(rules[place]),
            float(parts.logic[place]),
            float(parts.outside[place]),
            float(total[place]),
            float(probabilities[place]),
        )
        for place in np.argsort(-total, kind="stable").tolist()
    )


def _heated(tokens: Sequence[Token], heat: Sequence[float], bundle: Bundle) -> tuple[HeatedWord, ...]:
    known = bundle.vocabulary.index
    return tuple(
        HeatedWord(token.text, token.start, token.end, token.text in known, value)
        for token, value in zip(tokens, heat, strict=True)
    )


def _without_network(
    text: str, tokens: Sequence[Token], answer: str | None, about: str | None, refusal: str
) -> Explanation:
    words = tuple(HeatedWord(token.text, token.start, token.end, True, 0.0) for token in tokens)
    note = f"There is no network of these rules, so that scores and paths are not told: {refusal}"
    return Explanation(text, answer, answer, about or answer, words, (), (), (), (note,), False)
