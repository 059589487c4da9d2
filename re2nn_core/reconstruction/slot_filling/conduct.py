"""Conducts the reconstruction of a tagger as rules with captures.

Rules are changed where the weights of their blocks say so (proposed_changes.py), priorities are added where rules
contradict each other, and then rules that nobody has written are grown from what the network predicts. All of it is
chosen on dev and training texts, and nothing is kept by which dev texts lose. Test texts are only measured, and words
that they alone hold are not named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.expressions.expression import size
from re2nn_core.reconstruction.expressions.simplify import BUDGET
from re2nn_core.reconstruction.progress import STEPS, OnProgress, part_of
from re2nn_core.reconstruction.slot_filling.change_choice import ChosenChanges, choose_changes, unchanged
from re2nn_core.reconstruction.slot_filling.class_names import class_words_by_places
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine, rule_machine
from re2nn_core.reconstruction.slot_filling.new_rules import GrownRule, learn_rules
from re2nn_core.reconstruction.slot_filling.predicted_texts import (
    PredictedTags,
    SlotPredictions,
    SlotRules,
    predicted_tags,
)
from re2nn_core.reconstruction.slot_filling.priorities import learn_priorities
from re2nn_core.reconstruction.slot_filling.report import ExtendedRules, LearnedRule, SlotReconstruction
from re2nn_core.reconstruction.slot_filling.rewritten_rule import Rewriter, Rewritten, with_rewritten_rules
from re2nn_core.reconstruction.slot_filling.rule_comparison import slot_rule_changes, split_scores
from re2nn_core.reconstruction.slot_filling.shorter_rules import shorter_rules
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot, material
from re2nn_core.reconstruction.slot_filling.weighted import weighted_rules
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.reconstruction.weights.held_out_words import held_out_words
from re2nn_core.reconstruction.weights.word_set_description import word_sets
from re2nn_core.rules.logic.priorities import SlotLogic, priorities_that_hold, write_slot_logic
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.rule_comments import LEARNED_BY_NETWORK
from re2nn_core.rules.rule_lines import class_lines, with_rules_replaced, wrapped
from re2nn_core.rules.tagging import slots_of, with_slot_case
from re2nn_core.text.corpus import Corpus

WithClasses = Callable[[str, str, OnProgress], ExtendedRules]
WithMoreRules = Callable[[str, str, OnProgress], tuple[str, tuple[LearnedRule, ...]]]
# So far the progress is when rules are looked at, classes extended, rules learned, and further ones added.
LOOKED, CLASSES, LEARNED, MORE = (5, 60), (60, 75), (75, 85), (85, 95)


def reconstruct_slot_rules(
    bundle: TaggerBundle,
    corpus: Corpus,
    predictions: SlotPredictions,
    *,
    on_progress: OnProgress | None = None,
    classes: ExtendedRules | WithClasses | None = None,
    with_more: WithMoreRules | None = None,
    learn_new_rules: bool = True,
    stop: Stop | None = None,
) -> SlotReconstruction:
    """The rules that a tagger has learned; where training kept the rules, none of them changes by its weights. Changes
    are chosen on the annotated dev and train texts (on all that are not test texts where there is no dev split); texts
    without spans help to find new rules. Tagger and rules are asked about each text once. `classes`: the rules that the
    tagger was made from, where word classes of the written ones were extended for it; or what extends them, from rules
    and priorities as texts. `with_more`: likewise the rules with further ones, and these. Once `stop` is asked to, the
    changes made by then are kept. InputError without annotated texts."""
    stop = stop or Stop()
    begun = classes if isinstance(classes, ExtendedRules) else None
    own = bundle.parts.rules_text, bundle.parts.logic_text
    written = (begun.written_text, own[1]) if begun else own
    original = predictions.rules(*written)
    texts = predicted_tags(bundle, corpus, predictions)
    system = predictions.rules(*own) if begun else original
    conducted = SlotReconstructing(bundle, texts, system, on_progress, stop)
    chosen = unchanged(conducted.machines) if bundle.kept_rules else conducted.change_rules()
    priorities = learn_priorities(conducted.ballot)
    changed = conducted.changed_text(chosen)
    extended = begun
    if classes is not None and not isinstance(classes, ExtendedRules):
        extended = classes(*conducted.texts_of(changed, ()), part_of(on_progress, CLASSES))
        changed = extended.rules_text
        conducted.take(extended, predictions.rules(*conducted.texts_of(changed, ())))
    changed_texts = conducted.texts_of(changed, ())
    rules: Sequence[GrownRule] = ()
    if learn_new_rules and not bundle.kept_rules and not stop.asked():
        rules = conducted.learn_rules()
        priorities += learn_priorities(conducted.ballot)
    new_texts = conducted.texts_of(changed, rules)
    learned = tuple(LearnedRule(rule.name, rule.slot, print_expression(rule.tree), rule.gain) for rule in rules)
    if with_more is not None and not stop.asked():
        rules_text, more = with_more(*new_texts, part_of(on_progress, MORE))
        new_texts, learned = (rules_text, new_texts[1]), learned + more
    conducted.report(MORE[1])
    new = predictions.rules(*new_texts)
    by_original = texts.by_rules(written, original)
    by_changed = texts.by_rules(changed_texts, predictions.rules(*changed_texts))
    by_new = texts.by_rules(new_texts, new)
    scores = tuple(split_scores(texts, by_original, by_changed, by_new))
    conducted.report(STEPS)
    return SlotReconstruction(
        *new_texts,
        scores,
        tuple(slot_rule_changes(original, conducted.machines, chosen, new, conducted.unread, extended)),
        learned,
        tuple(pair for pair in (f"{strong} > {weak}" for strong, weak in priorities) if pair not in conducted.left_out),
    )


class SlotReconstructing:
    """The rules of a bundle among the votes on a corpus, on the way from the written ones to the reconstructed ones."""

    def __init__(
        self,
        bundle: TaggerBundle,
        predicted: PredictedTags,
        system: SlotRules,
        on_progress: OnProgress | None,
        stop: Stop,
    ) -> None:
        self.bundle, self.system, self.on_progress, self.stop = bundle, system, on_progress, stop
        texts = predicted.annotated_texts()
        tags = dict.fromkeys(bundle.network.tags) | dict.fromkeys(sorted({t for text in texts for t in text.tags}))
        kind = bundle.config.transducer
        self.machines = [rule_machine(tree, name, kind) for name, tree in self.system.trees]
        transducers = [machine.transducer for machine in self.machines]
        self.ballot = Ballot(material(texts, bundle.vocabulary, tuple(tags)), transducers, self.system.logic)
        lowercase = bundle.tokenization.lowercase
        self.rewriter = Rewriter(self.system.ruleset, bundle.parts.known_slots, lowercase=lowercase)
        self.weights = weighted_rules(bundle.networks, bundle.vocabulary)
        every = [text.words for text in predicted.texts]
        self.hidden = held_out_words(bundle.vocabulary, predicted.corpus, every, system.ruleset.words)
        self.describe = word_sets(bundle, [text.words for text in texts]).describe
        self.left_out: tuple[str, ...] = ()  # priorities of slots that no rule gives any more
        self.unread: set[str] = set()  # rules of which a change that was worth it could not be written
        self.report(LOOKED[0])

    def report(self, step: int) -> None:
        if self.on_progress is not None:
            self.on_progress(step, STEPS)

    def change_rules(self) -> ChosenChanges:
        """Change the written rules."""
        return choose_changes(
            self.ballot,
            self.machines,
            self.weights,
            self._size,
            hidden=self.hidden,
            on_progress=part_of(self.on_progress, LOOKED),
            stop=self.stop,
        )

    def _size(self, rule: int, machine: RuleMachine) -> int | None:
        found = self.rewriter.rewritten(self.system.ruleset.rules[rule], machine.transducer)
        if found is None:
            self.unread.add(self.system.ruleset.rules[rule].name)
        return None if found is None else size(found.tree)

    def _form(self, chosen: ChosenChanges, rule: int) -> Rewritten | None:
        """A changed rule as it is printed: as short as it can be, its classes named after their strongest words."""
        machine = chosen.machines[rule]
        describe_words = class_words_by_places(machine, self.weights[rule], self.bundle.vocabulary, self.describe)
        written = self.system.ruleset.rules[rule]
        return self.rewriter.rewritten(written, machine.transducer, describe_words, effort=BUDGET)

    def learn_rules(self) -> list[GrownRule]:
        """Add new rules."""
        taken = {entry.name for entry in self.system.ruleset.entries}
        lowercase = self.bundle.tokenization.lowercase
        found = learn_rules(
            self.ballot,
            taken,
            lowercase=lowercase,
            describe=self.describe,
            on_progress=part_of(self.on_progress, LEARNED),
            stop=self.stop,
        )
        return shorter_rules(found, lowercase=lowercase)

    def take(self, extended: ExtendedRules, rules: SlotRules) -> None:
        """Let the rules with extended classes vote as they are now."""
        trees, kind = dict(rules.trees), self.bundle.config.transducer
        for number, rule in enumerate(self.system.ruleset.rules):
            if rule.name in extended.steps:
                self.ballot.take(number, rule_machine(trees[rule.name], rule.name, kind).transducer)

    def changed_text(self, chosen: ChosenChanges) -> str:
        """The written rules as they were changed, in the place of the written ones."""
        parts, now = self.bundle.parts, self.system.ruleset
        forms = {
            now.rules[rule].name: found for rule in chosen.changed if (found := self._form(chosen, rule)) is not None
        }
        read = read_rules(
            write_rules(with_rewritten_rules(now, forms)), lowercase=self.bundle.tokenization.lowercase
        ).ruleset
        own = {rule.name: rule.expanded for rule in now.rules}
        changed = [rule.name for rule in read.rules if rule.name in forms and rule.expanded != own[rule.name]]
        return with_rules_replaced(parts.rules_text, now, read, changed)[0]

    def texts_of(self, changed: str, new: Sequence[GrownRule]) -> tuple[str, str]:
        """Rules and priorities as they are now: the changed rules with new ones behind them."""
        parts = self.bundle.parts
        logic: SlotLogic = self.ballot.logic
        logic_text = parts.logic_text if logic == self.system.logic else write_slot_logic(logic)
        rules_text = _with_new(changed, new)
        rules = read_rules(rules_text, lowercase=self.bundle.tokenization.lowercase).ruleset.rules
        slots = slots_of([with_slot_case(rule.expanded, parts.known_slots) for rule in rules])
        if not slots:  # no rule captures anything any more, which is no rule set for slots
            return parts.rules_text, parts.logic_text
        logic_text, removed = priorities_that_hold(logic_text, slots)
        self.left_out = removed
        return rules_text, logic_text


def _with_new(rules_text: str, new: Sequence[GrownRule]) -> str:
    """The text with new rules behind it."""
    if not new:
        return rules_text
    lines = [rules_text.rstrip(), "", LEARNED_BY_NETWORK]
    for rule in new:
        classes, notes = ({entry.name: getattr(entry, field) for entry in rule.classes} for field in ("tree", "note"))
        lines += class_lines(classes, notes)
        lines += wrapped(f"{rule.name} := {print_expression(rule.tree)}")
    return "\n".join(lines) + "\n"
