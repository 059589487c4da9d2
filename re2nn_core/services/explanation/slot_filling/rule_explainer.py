"""What rules for slots alone say of a text: what each claims, why a slot or a rule does not come, and the smallest
change that each rule accepts."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.automata.inclusion import joint_columns
from re2nn_core.automata.output_sets import RuleTags
from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.explain.changes import Change, smallest_change
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tagging import slot_of, tags_of_tree
from re2nn_core.services.explanation.slot_filling.decision_reason import Claims, slot_winner
from re2nn_core.services.explanation.slot_filling.explanation import tagged_spans_in_words
from re2nn_core.services.explanation.why_not import RuleDeath, WhyNot, nearest_first, rule_death
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.kinds import spelled_out

Words = tuple[str, ...]


class SlotRuleExplainer:
    """The rules of a system; what they share is made once."""

    def __init__(self, system: SlotSystem) -> None:
        self.system = system
        self._trees = dict(system.trees)
        self._automata: dict[str, PositionAutomaton] = {}

    def automaton(self, name: str) -> PositionAutomaton:
        """A rule's position automaton."""
        if name not in self._automata:
            self._automata[name] = position_transducer(self._trees[name], name).automaton
        return self._automata[name]

    def slots_of(self, name: str) -> list[str]:
        """The slots that a rule gives."""
        return [slot for slot in dict.fromkeys(map(slot_of, tags_of_tree(self._trees[name]))) if slot]

    def giving(self, slot: str | None) -> list[str]:
        """The rules that give a slot; all rules for None."""
        return [name for name in self._trees if slot is None or slot in self.slots_of(name)]

    def votes(self, readings: Sequence[RuleTags], place: int) -> dict[str, tuple[str, ...]]:
        """For each tag that rules which match claim for a word those rules."""
        votes: dict[str, tuple[str, ...]] = {}
        for reading in readings:
            for tag in sorted(reading.sets[place]):
                votes[tag] = (*votes.get(tag, ()), self.system.rule_names[reading.rule])
        return votes

    def why_not(self, sentence: Words, wanted: str) -> WhyNot | None:
        """Why a slot, or else a rule of that name, does not come, and what does instead; None where no rule gives such
        a slot and none is called so."""
        is_rule = wanted not in self.system.slots
        if is_rule and wanted not in self._trees:
            return None
        readings = self.system.readings([sentence])[0]
        tags = self.system.decide(sentence, readings)
        matching = [self.system.rule_names[reading.rule] for reading in readings]
        if is_rule:
            asked = [wanted]
            reasons = [f"{wanted} {'matches' if wanted in matching else 'does not match'} this text."]
        else:
            asked = self.giving(wanted)
            reasons = self._reasons(sentence, tags, readings, wanted, asked)
        winner = slot_winner(sentence, tags, claims_of(len(sentence), readings), matching)
        return WhyNot(wanted, is_rule, (*reasons, winner.in_words), self.deaths(asked, sentence), winner)

    def _reasons(
        self, sentence: Words, tags: Tags, readings: Sequence[RuleTags], wanted: str, giving: Sequence[str]
    ) -> list[str]:
        if any(slot_of(tag) == wanted for tag in tags):
            return [f"The rules do give {wanted} here."]
        reasons = []
        for reading in readings:
            name = self.system.rule_names[reading.rule]
            places = [n for n, claims in enumerate(reading.sets) if any(slot_of(tag) == wanted for tag in claims)]
            if places and name in giving:
                words = spelled_out(sentence[place] for place in places)
                winner = ", ".join(dict.fromkeys(slot_of(tags[place]) or "O" for place in places))
                reasons.append(
                    f"{name} matches “{words}” as {wanted}, but {winner} is predicted: by priority, by more votes, or "
                    "because the rules name it first."
                )
        if reasons:
            return reasons
        if len(giving) == 1:
            return [f"{giving[0]}, the one rule that gives {wanted}, does not match."]
        return [f"None of the {len(giving):,} rules that give {wanted} matches."]

    def deaths(self, names: Sequence[str], sentence: Words) -> tuple[RuleDeath, ...]:
        """Why each of these rules does not accept the sentence, the nearest first."""
        rules = {rule.name: rule for rule in self.system.ruleset.rules}
        found = []
        for name in names:
            automaton = self.automaton(name)
            expression, label = print_expression(rules[name].tree), first_names(self.slots_of(name))
            found.append(rule_death(name, label, expression, automaton, sentence, self._prediction_to))
        return nearest_first(found)

    def _prediction_to(self, words: Words) -> str:
        return tagged_spans_in_words(words, self.tags([words])[0])

    def tags(self, sentences: Sequence[Words]) -> list[Tags]:
        """The tags that the rules give the words of each sentence."""
        return self.system.tags_of_words(sentences)

    def changes_for(self, sentence: Words, slot: str | None) -> list[Change]:
        """The smallest change that each rule which gives a slot accepts, or each rule at all."""
        found = [smallest_change(self.automaton(name), sentence) for name in self.giving(slot)]
        return [change for change in found if change is not None]

    def named_words(self) -> list[str]:
        """A word for each way in which the rules read words."""
        return list(joint_columns([self.automaton(name) for name in self.system.rule_names]).words)


def claims_of(words: int, readings: Sequence[RuleTags]) -> list[Claims]:
    """For each word the tags that each rule which matches claims for it."""
    return [[reading.sets[place] for reading in readings] for place in range(words)]
