"""What rules alone say of a sentence: which accept it, why a label or a rule does not speak, and the smallest change of
the sentence after which the rules predict otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.automata.positions import PositionAutomaton, build_positions
from re2nn_core.errors import InputError
from re2nn_core.explain.changes import Change, smallest_change
from re2nn_core.explain.flips import BRINGING, FLIP_BUDGET, TAKING, smallest_flip
from re2nn_core.rules.logic.decisions import decide_labels
from re2nn_core.rules.logic.formulas import facts, print_formula
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.explanation.classification.decision_reason import winner_of
from re2nn_core.services.explanation.classification.network_changes import PASSED
from re2nn_core.services.explanation.flip import Flip
from re2nn_core.services.explanation.why_not import RuleDeath, WhyNot, nearest_first, rule_death
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.joined_names import first_names

MOST_EDITS = 3  # of a change that is searched for


class RuleExplainer:
    """The rules of a system; what they share is made once."""

    def __init__(self, system: RuleSystem) -> None:
        self.system = system
        self._automata: dict[str, PositionAutomaton] = {}

    def matched(self, sentence: Sequence[str]) -> frozenset[str]:
        """The rules that accept a sentence."""
        row = self.system.matcher.matched([sentence])[0]
        return frozenset(name for name, hit in zip(self.system.rule_names, row, strict=True) if hit)

    def why_not(self, sentence: Sequence[str], wanted: str) -> WhyNot | None:
        """Why a label, or else a rule of that name, does not speak for a sentence, and who does instead; None where
        there is neither."""
        logic = self.system.logic
        rules = {rule.name: rule for rule in self.system.ruleset.rules}
        is_rule = wanted not in logic.labels
        if is_rule and wanted not in rules:
            return None
        matched = self.matched(sentence)
        if is_rule:
            reasons = [f"{wanted} {'matches' if wanted in matched else 'does not match'} this text."]
            asked = [wanted]
        else:
            reasons = self._reasons(matched, wanted)
            asked = list(dict.fromkeys(facts(logic.formulas[logic.labels.index(wanted)])))
        winner = winner_of(self.system, matched, decide_labels(logic, matched), wanted)
        reasons += [winner.in_words] if winner.in_words else []
        return WhyNot(wanted, is_rule, tuple(reasons), self._deaths([rules[name] for name in asked], sentence), winner)

    def _reasons(self, matched: frozenset[str], wanted: str) -> list[str]:
        logic = self.system.logic
        decision = decide_labels(logic, matched)
        if decision.label == wanted:
            default = " as the default label" if wanted not in decision.active else ""
            return [f"The rules do predict {wanted}{default}."]
        if wanted in decision.beaten:
            stronger = [a for a, b in logic.priorities if b == wanted and a in (*decision.active, *decision.beaten)]
            return [f"Its rules match, but {first_names(stronger)} matches too and has priority over it."]
        if wanted in decision.active:
            return [f"Its rules match, but {decision.label} matches too and comes before it."]
        formula = logic.formulas[logic.labels.index(wanted)]
        named = tuple(dict.fromkeys(facts(formula)))
        if not named:
            return [f"No rule is for {wanted}."]
        matches = [name for name in named if name in matched]
        if matches:
            return [f"Its formula, {print_formula(formula)}, does not hold: of its rules {first_names(matches)} match."]
        return [
            f"None of its {len(named)} rules matches." if len(named) > 1 else f"Its rule {named[0]} does not match."
        ]

    def _deaths(self, rules: Sequence[Rule], sentence: Sequence[str]) -> tuple[RuleDeath, ...]:
        found = []
        for rule in rules:
            automaton = self.automaton(rule)
            expression = print_expression(rule.tree)
            found.append(rule_death(rule.name, rule.label, expression, automaton, sentence, self._prediction_to))
        return nearest_first(found)

    def _prediction_to(self, sentence: Sequence[str]) -> str | None:
        return decide_labels(self.system.logic, self.matched(sentence)).label

    def automaton(self, rule: Rule) -> PositionAutomaton:
        """A rule's position automaton."""
        if rule.name not in self._automata:
            self._automata[rule.name] = build_positions(rule.expanded, rule.name)
        return self._automata[rule.name]

    def flip(self, sentence: tuple[str, ...], wanted: str | None, budget: int | None) -> Flip:
        """The smallest change found after which the rules predict `wanted`, or anything else for None."""
        logic, names = self.system.logic, self.system.rule_names
        matcher = self.system.matcher
        before = decide_labels(logic, self.matched(sentence)).label
        if wanted is not None and wanted == before:
            return Flip(before, before, None, True, 0, 0, False, f"The prediction is already {wanted}.")
        if matcher.large:
            large = first_names([names[place] for place in matcher.large])
            change = self._seed(sentence, wanted, before)
            after = None if change is None else decide_labels(logic, self.matched(change.words)).label
            note = f"Not all changes could be looked at: {large} is too large to be searched with all others."
            return Flip(before, after, change, False, 0, 0, False, note)
        known: dict[tuple[int, ...], str | None] = {}

        def prediction(matched: tuple[int, ...]) -> str | None:
            if matched not in known:
                known[matched] = decide_labels(logic, [names[place] for place in matched]).label
            return known[matched]

        def fine(matched: tuple[int, ...]) -> bool:
            return prediction(matched) != before if wanted is None else prediction(matched) == wanted

        seed = self._seed(sentence, wanted, before)
        most = MOST_EDITS if seed is None else min(MOST_EDITS, len(seed) - 1)
        most, kinds = (max(1, most), TAKING) if wanted is None else (most, BRINGING)
        allowed = budget or FLIP_BUDGET
        found = smallest_flip(matcher.matcher, sentence, fine, most=most, budget=allowed, kinds=kinds)
        change = found.change or seed
        after = None if change is None else decide_labels(logic, self.matched(change.words)).label
        smallest = change is not None and found.complete >= len(change) - 1
        note = PASSED if found.stopped else ""
        return Flip(before, after, change, smallest, found.complete, found.looked_at, False, note)

    def _seed(self, sentence: tuple[str, ...], wanted: str | None, before: str | None) -> Change | None:
        """The smallest of the changes that some rule accepts, of those after which the prediction is wanted."""
        best = None
        for change in self.changes_for(sentence, wanted):
            after = decide_labels(self.system.logic, self.matched(change.words)).label
            fine = after == wanted if wanted is not None else after != before
            if fine and (best is None or len(change) < len(best)):
                best = change
        return best

    def changes_for(self, sentence: tuple[str, ...], wanted: str | None) -> list[Change]:
        """The smallest change that each rule of a label accepts, or each rule at all."""
        rules = [rule for rule in self.system.ruleset.rules if wanted is None or rule.label == wanted]
        found = [smallest_change(self.automaton(rule), sentence) for rule in rules]
        return [change for change in found if change is not None and change.edits]


def check_model(kind: str, trained: Sequence[str], ruled: Sequence[str]) -> None:
    """InputError where the model has none of the rules' labels or slots (`kind` says which)."""
    if not set(trained) & set(ruled):
        raise InputError(
            f"The model was trained for other {kind} ({first_names(trained)}) than the rules have "
            f"({first_names(ruled)}).\nChoose the model of these rules, or the rules of the model."
        )


def check_asked(kind: str, asked: str | None, known: Sequence[str], rules: Sequence[str] | None = None) -> None:
    """InputError where there is no such label or slot (`kind` says which); `rules`: a rule could be asked for, too."""
    if asked is None or asked in known:
        return
    what = kind if rules is None else f"{kind} or rule"
    more = "" if rules is None else f" The rules are: {first_names(rules)}."
    raise InputError(f"There is no {what} {asked!r}. The {kind}s are: {first_names(known)}.{more}")
